// Checker: the keys of a verdict, in their order, and how their numbers are shown.
#include "lang/check/rubric/rubric_parts.hpp"

#include <algorithm>
#include <cassert>
#include <set>

namespace assay {

bool PipelineChecker::holds_verdict(TypeId type, std::set<TypeId>& seen) const {
  const Nesting nesting(budget_);
  const Type& t = types_[type];
  if (!seen.insert(type).second) return false;
  if (t.kind == TypeKind::list || t.kind == TypeKind::map) return holds_verdict(t.element, seen);
  if (t.kind != TypeKind::record) return false;
  if (t.verdict) return true;
  if (!t.name.empty()) return false;  // a declared type: consists of inputs
  return std::any_of(t.fields.begin(), t.fields.end(), [&](const Field& f) { return holds_verdict(f.type, seen); });
}

// Warns about a name with different meanings in the rubric and in its verdict. An output that replaces the score or the
// composite does so on purpose.
void PipelineChecker::warn_names_of_verdict(RubricContext& rc) {
  // In place of a verdict, a rejected record has the key 'error'; columns and --fields could not tell the two apart.
  const auto refuse_error = [&](const std::string& name, int item) {
    if (name != "error") return;
    error(Code::duplicate_name, model(rc).items[static_cast<std::size_t>(item)].span,
          "'error' is what a rejected record has in place of a verdict", "",
          "choose a name that says what this is, such as error_rate");
  };
  for (const VerdictField& band : model(rc).verdict.fields) refuse_error(band.name, band.item);
  for (const VerdictContext::Output& output : rc.verdict.outputs) refuse_error(output.name, output.item);
  const auto known = [](const std::string& name) {
    return std::any_of(std::begin(kVerdictKeys), std::end(kVerdictKeys),
                       [&name](const VerdictKey& key) { return key.key == name; });
  };
  for (const DimensionItems& d : rc.dimensions.all) {
    const ast::Name& name = d.node->name;
    const bool judged_id = name.text == "id" && !d.node->body.expr && d.parts.empty();  // reported already
    if (!known(name.text) || judged_id) continue;
    error(Code::name_of_verdict, name.span,
          "'" + name.text + "' is this dimension in the rubric, and something else in its verdict", "",
          "every verdict has a key '" + name.text + "' of its own; choose another name for the dimension");
  }
  for (const auto& [name, decimals, item] : rc.verdict.outputs) {
    if (!known(name) || name == "score" || name == "composite") continue;
    error(Code::name_of_verdict, model(rc).items[static_cast<std::size_t>(item)].span,
          "this output takes the place of the verdict's own '" + name + "'", "",
          "choose another name, so that whoever reads the verdict finds both");
  }
}

// Such as the flags of a rubric that declares none.
bool PipelineChecker::always_empty(const Expr* body) const {
  const Type& type = types_[body->type];
  if (type.kind == TypeKind::list) return is_constant(body) && !body->value.missing() && body->value.list.size == 0;
  return type.kind == TypeKind::record && type.fields.empty();
}

void PipelineChecker::list_verdict(RubricContext& rc) {
  warn_names_of_verdict(rc);
  RubricModel& m = model(rc);
  std::vector<VerdictField> fields;
  const auto output = [&rc](std::string_view name) {
    return std::any_of(rc.verdict.outputs.begin(), rc.verdict.outputs.end(),
                       [&name](const VerdictContext::Output& o) { return o.name == name; });
  };
  const int scale = m.scale.decimals >= 0 ? m.scale.decimals : -2;
  const auto taken = [&](std::string_view name) {  // used by an output or a band of the author
    return output(name) || std::any_of(m.verdict.fields.begin(), m.verdict.fields.end(),
                                       [&](const VerdictField& band) { return band.name == name; });
  };
  for (const VerdictKey& key : kVerdictKeys) {
    if (!taken(key.key) && (key.only_with.empty() || declares(rc, key.only_with))) {
      const auto found = rc.by_name.pipeline.find(key.key);
      assert(found != rc.by_name.pipeline.end());  // a row of lang/syntax/declarations.def lacks its item
      const int item = found->second;
      ensure(rc, item);
      if (!m.scale.declared && always_empty(m.items[static_cast<std::size_t>(item)].body)) continue;
      const bool shown_as_rounded = key.key == "score" && scale >= 0;
      const int decimals = key.decimals == kOfScale ? scale : key.decimals;
      const bool of_digits = m.scale.digits > 0 && decimals != kAsItIs && !shown_as_rounded;
      fields.push_back(
          {std::string(key.key), item, of_digits ? shown_digits(m.scale.digits) : decimals, FieldRole::key});
    }
    if (key.key != "score") continue;
    for (const VerdictField& band : m.verdict.fields) {
      if (!output(band.name)) fields.push_back(band);
    }
  }
  for (const auto& [name, decimals, item] : rc.verdict.outputs) {
    ensure(rc, item);
    const Item& it = m.items[static_cast<std::size_t>(item)];
    int shown = decimals;
    if (shown == -1) {
      shown = m.scale.digits > 0 ? shown_digits(m.scale.digits) : -2;
      if (it.body && it.body->op == Op::slot) shown = -1;
      if (it.body && it.body->op == Op::item) {
        const Item& from = m.items[it.body->index];
        if (from.kind == ItemKind::input) shown = -1;
        if (from.kind == ItemKind::pipeline && from.name == "score" && (scale >= 0 || m.scale.digits < 0))
          shown = scale;
      }
    }
    std::set<TypeId> seen;
    if (holds_verdict(it.type, seen)) {
      const bool one = types_[it.type].verdict;
      error(Code::wrong_type, it.span, "'" + name + "' holds whole verdicts; an output shows values", "",
            one ? "name what to show of it, such as its score: (…).score"
                : "name what to show of them: [v.score for v in …]");
    }
    fields.push_back({name, item, shown, FieldRole::output});
  }
  m.verdict.fields = std::move(fields);
  m.verdict.status = rc.by_name.pipeline.at("status");
}

}  // namespace assay
