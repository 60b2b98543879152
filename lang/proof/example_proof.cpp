// See example_proof.hpp.
#include "lang/proof/example_proof.hpp"

#include "lang/number/written_number.hpp"

#include "lang/text/nearest.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <cctype>

namespace assay {

namespace {

bool is_nothing(const ast::Expr& e) {
  return e.kind == ast::ExprKind::missing || (e.kind == ast::ExprKind::name && e.text == "null");
}

bool is_number(const ast::Expr& e) {
  return e.kind == ast::ExprKind::number ||
         (e.kind == ast::ExprKind::unary && e.text == "-" && e.args[0]->kind == ast::ExprKind::number);
}

std::string inside_path(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

bool same_letters(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](unsigned char x, unsigned char y) {
           return std::tolower(x) == std::tolower(y);
         });
}

// The name that was probably meant: equal except for capitals, or similar; empty: none.
std::string_view meant(std::string_view name, const std::vector<std::string_view>& names) {
  const auto same =
      std::find_if(names.begin(), names.end(), [name](std::string_view n) { return same_letters(n, name); });
  if (same != names.end()) return *same;
  return nearest(name, names);
}

// `quote`: put around the replacement.
FixIt near_help(std::string_view name, const std::vector<std::string_view>& names, const std::string& quote = {}) {
  const std::string_view near = meant(name, names);
  if (!near.empty() && near != name)
    return FixIt("did you mean '" + std::string(near) + "'?", quote + std::string(near) + quote, false);
  std::string all;
  constexpr std::size_t kMost = 12;
  if (names.empty() || names.size() > kMost) return "leave it out, or declare it";
  for (std::size_t i = 0; i < names.size(); ++i)
    all += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + std::string(names[i]);
  return "there is " + all;
}

// A short description of a literal: enough to distinguish a text from a number.
std::string kind_of(const ast::Expr& e) {
  if (is_nothing(e)) return "missing";
  if (is_number(e)) return "a number";
  return e.kind == ast::ExprKind::text ? "a text" : e.kind == ast::ExprKind::list ? "a list" : "a record";
}

bool has_kind(const ast::Expr& e, TypeKind kind) {
  switch (kind) {
    case TypeKind::number: return is_number(e);
    case TypeKind::boolean: return e.kind == ast::ExprKind::boolean;
    case TypeKind::text: return e.kind == ast::ExprKind::text;
    case TypeKind::list: return e.kind == ast::ExprKind::list;
    default: return e.kind == ast::ExprKind::record;
  }
}

}  // namespace

std::optional<Number> ExampleProof::number(const ast::Expr& e) {
  if (!is_number(e)) return std::nullopt;
  const ast::Expr& literal = e.kind == ast::ExprKind::unary ? *e.args[0] : e;
  std::string_view digits = literal.text;
  const bool percent = digits.ends_with('%');
  if (percent) digits.remove_suffix(1);
  Number n;
  if (!parse_decimal(digits, n, pool_, true)) return std::nullopt;
  if (percent) n = div(n, whole(100), pool_);
  return e.kind == ast::ExprKind::unary ? neg(n, pool_) : n;
}

std::string ExampleProof::shown(const ast::Expr& e) {
  if (const std::optional<Number> n = number(e)) {
    std::string s;
    write_shortest(*n, s);
    return s;
  }
  if (e.kind == ast::ExprKind::text && e.literal.plain() && e.literal.str().size() <= 40)
    return "\"" + e.literal.str() + "\"";
  if (e.kind == ast::ExprKind::boolean) return e.flag ? "true" : "false";
  return kind_of(e);
}

namespace {

// expect { verdicts: [ …, { error: … } ] }
bool expects_refusal(const ast::Example& node, std::size_t index) {
  const ast::Expr* const expect = node.expect.get();
  for (std::size_t i = 0; expect != nullptr && i < expect->fields.size() && i < expect->args.size(); ++i) {
    const ast::Expr& list = *expect->args[i];
    if (expect->fields[i].text != "verdicts" || list.kind != ast::ExprKind::list || index >= list.args.size()) continue;
    const std::vector<ast::Name>& keys = list.args[index]->fields;
    return std::any_of(keys.begin(), keys.end(), [](const ast::Name& key) { return key.text == "error"; });
  }
  return false;
}

}  // namespace

void ExampleProof::example(const ast::Example& node) {
  const RubricModel& rubric = model_.rubrics[static_cast<std::size_t>(rubric_)];
  const std::string name = node.name.str();
  if (!names_.insert(name).second) {
    diagnostics_.report(Code::repeated_example, node.name.span, "there is an example \"" + name + "\" already", {},
                        "say what is special about this one");
  }
  for (const ast::Expr* part : {node.given.get(), node.history.get(), node.expect.get(), node.weights.get()}) {
    if (part != nullptr) repeated_keys(*part);
  }
  if (node.error && node.given && node.given->kind == ast::ExprKind::record) rejected_at(node, rubric);
  if (!node.error) {
    for (const ast::Expr* part : {node.given.get(), node.history.get()}) {
      if (part == nullptr) continue;
      if (part->kind == ast::ExprKind::record) record(*part, rubric);
      if (part->kind != ast::ExprKind::list) continue;
      for (std::size_t i = 0; i < part->args.size(); ++i) {
        if (part != node.given.get() || !expects_refusal(node, i)) record(*part->args[i], rubric);
      }
    }
  }
  if (!node.expect || node.expect->kind != ast::ExprKind::record || node.error) return;
  if (node.given && node.given->kind == ast::ExprKind::list) {
    ranked(node);
    for (std::size_t i = 0; i < node.expect->fields.size(); ++i) {
      const bool cohort = rubric.cohort.rubric >= 0 && node.expect->fields[i].text == "cohort";
      if (cohort)
        verdict(*node.expect->args[i], model_.rubrics[static_cast<std::size_t>(rubric.cohort.rubric)],
                rubric.cohort.rubric);
      const bool all = rubric.cohort.rubric >= 0 && node.expect->fields[i].text == "verdicts";
      if (!all || node.expect->args[i]->kind != ast::ExprKind::list) continue;
      for (const ast::ExprPtr& one : node.expect->args[i]->args) {
        if (one->kind != ast::ExprKind::record) continue;
        verdict(*one, rubric, rubric_);
        if (rubric.cohort.each >= 0)
          verdict(*one, model_.rubrics[static_cast<std::size_t>(rubric.cohort.each)], rubric.cohort.each);
      }
    }
  } else {
    verdict(*node.expect, rubric, rubric_);
  }
}

// ranking: [["a"], ["b"]] and ineligible: ["c"] name records by their ids.
void ExampleProof::ranked(const ast::Example& node) {
  std::set<std::string> ids;
  for (const ast::ExprPtr& one : node.given->args) {
    const auto id =
        std::find_if(one->fields.begin(), one->fields.end(), [](const ast::Name& f) { return f.text == "id"; });
    if (one->kind != ast::ExprKind::record || id == one->fields.end()) return;
    const ast::Expr& value = *one->args[static_cast<std::size_t>(id - one->fields.begin())];
    if (value.kind != ast::ExprKind::text || !value.literal.plain()) return;
    ids.insert(value.literal.str());
  }
  const std::vector<std::string_view> names(ids.begin(), ids.end());
  const auto look = [&](const ast::Expr& e) {
    if (e.kind != ast::ExprKind::text || !e.literal.plain() || ids.count(e.literal.str()) > 0) return;
    diagnostics_.report(Code::impossible_expectation, e.span, "no given record has the id '" + e.literal.str() + "'",
                        {}, near_help(e.literal.str(), names, "\""));
  };
  for (std::size_t i = 0; i < node.expect->fields.size(); ++i) {
    const std::string& key = node.expect->fields[i].text;
    if (key != "ranking" && key != "ineligible") continue;
    for (const ast::ExprPtr& place : node.expect->args[i]->args) {
      look(*place);
      for (const ast::ExprPtr& tied : place->args) look(*tied);
    }
  }
}

void ExampleProof::repeated_keys(const ast::Expr& e) {
  std::set<std::string_view> seen;
  for (const ast::Name& field : e.fields) {
    if (seen.insert(field.text).second) continue;
    diagnostics_.report(Code::repeated_key, field.span, "'" + field.text + "' stands twice here", {},
                        "keep one of them");
  }
  for (const ast::ExprPtr& arg : e.args) {
    if (arg) repeated_keys(*arg);
  }
}

// ---- `given`

// error at path, where the record is rejected elsewhere: the types of all inputs come before all checks.
void ExampleProof::rejected_at(const ast::Example& node, const RubricModel& rubric) {
  rejected_.emplace();
  record(*node.given, rubric);
  const std::vector<std::string> all = *std::exchange(rejected_, std::nullopt);
  const std::string path = node.error_path.str();
  const auto same = [&path](const std::string& one) { return one == path; };
  if (all.empty() || path.empty() || std::any_of(all.begin(), all.end(), same)) return;
  diagnostics_.report(Code::impossible_expectation, node.error_path.span,
                      "this record is rejected at '" + all.front() + "', not at '" + path + "'", {},
                      all.size() == 1 ? FixIt("write error at " + all.front(), all.front(), false)
                                      : FixIt("give fitting values, or write the path that is meant"));
}

void ExampleProof::refuse(const ast::Expr& e, TypeId type, const std::string& path) {
  if (rejected_) {
    rejected_->push_back(path);
    return;
  }
  const std::string help = "give another value, or write 'error at " + path + "' if that is the example";
  const std::string instead = fitting(e, type);
  diagnostics_.report(
      Code::impossible_given, e.span,
      "a record with this would be rejected: '" + path + "' is " + model_.types.say(type) + ", and this is " + shown(e),
      {}, instead.empty() ? FixIt(help) : FixIt(help, instead, false));
}

// The same value as one of this type: "1050" as 1050, "EN" as "en", one text as a list of it; empty: impossible.
std::string ExampleProof::fitting(const ast::Expr& e, TypeId type) {
  const Type& t = model_.types[type];
  const bool text = e.kind == ast::ExprKind::text && e.literal.plain();
  const std::string value = text ? e.literal.str() : std::string();
  switch (t.kind) {
    case TypeKind::text: {
      if (is_number(e) && t.choices.empty()) return "\"" + shown(e) + "\"";
      if (!text) return {};
      const std::string_view near = meant(value, {t.choices.begin(), t.choices.end()});
      return near.empty() ? std::string() : "\"" + std::string(near) + "\"";
    }
    case TypeKind::number: {
      if (const std::optional<Number> n = number(e)) {  // 90 of 0..1
        const Number share = div(*n, whole(100), pool_);
        const bool of_one = finite(t.range) && compare(t.range.high, whole(1)) == 0 && holds(t.range, share);
        if (of_one && compare(*n, whole(1)) > 0) return shortest_text(share);
        Number near = t.whole ? round_to(*n, 0, Rounding::half_away, pool_) : *n;
        if (!t.range.low.missing() && compare(near, t.range.low) < 0) near = t.range.low;
        if (!t.range.high.missing() && compare(near, t.range.high) > 0) near = t.range.high;
        return holds(t.range, near) ? shortest_text(near) : std::string();
      }
      std::string digits = value;
      digits.erase(std::remove(digits.begin(), digits.end(), ','), digits.end());
      Number n;
      if (!text || digits.empty() || !parse_decimal(digits, n, pool_) || !holds(t.range, n)) return {};
      return digits;
    }
    case TypeKind::boolean:
      if (same_letters(value, "true") || same_letters(value, "yes")) return "true";
      if (same_letters(value, "false") || same_letters(value, "no")) return "false";
      if (const std::optional<Number> n = number(e)) return sign(*n) == 0 ? "false" : "true";
      return {};
    case TypeKind::list:
      if (is_number(e)) return "[" + shown(e) + "]";
      if (text && (says_unknown(value) || same_letters(value, "no") || same_letters(value, "nothing"))) return "[]";
      return text && value.find_first_of("\\\"{}\n\t") == value.npos ? "[\"" + value + "\"]" : std::string();
    default: return {};
  }
}

void ExampleProof::record(const ast::Expr& e, const RubricModel& rubric) {
  if (e.kind != ast::ExprKind::record) return;
  std::vector<Field> all;
  for (std::size_t i = 0; i < rubric.slots.size(); ++i) {
    Field field;
    field.name = rubric.slots[i].name;
    field.type = rubric.slots[i].type;
    field.presence = rubric.slots[i].presence;
    all.push_back(std::move(field));
  }
  fields(e, all, "");
}

void ExampleProof::fields(const ast::Expr& e, const std::vector<Field>& all, const std::string& path) {
  std::vector<std::string_view> names;
  for (const Field& field : all) names.push_back(field.name);
  std::set<std::string_view> there;
  for (std::size_t i = 0; i < e.fields.size() && i < e.args.size(); ++i) {
    const std::string& name = e.fields[i].text;
    there.insert(name);
    const auto field = std::find_if(all.begin(), all.end(), [&name](const Field& f) { return f.name == name; });
    if (field != all.end()) {
      given(*e.args[i], field->type, field->presence != Presence::required, inside_path(path, name));
    } else if (!path.empty() && !rejected_) {  // at the top level this is an error
      diagnostics_.report(Code::unknown_key, e.fields[i].span, "'" + path + "' has no field '" + name + "'", {},
                          near_help(name, names));
    }
  }
  for (const Field& field : all) {
    if (field.presence != Presence::required || there.count(field.name) > 0) continue;
    const std::string inner = inside_path(path, field.name);
    if (rejected_) rejected_->push_back(inner);
    else
      diagnostics_.report(Code::impossible_given, e.span, "a record without '" + inner + "' is rejected", {},
                          "give it, or write 'error at " + inner + "' if that is the example");
  }
}

void ExampleProof::given(const ast::Expr& e, TypeId type, bool may_be_missing, const std::string& path) {
  const Type& t = model_.types[type];
  if (t.kind == TypeKind::unknown || t.kind == TypeKind::any) return;
  if (is_nothing(e)) {
    if (!may_be_missing) refuse(e, type, path);
    return;
  }
  if (t.kind == TypeKind::either) {
    const TypeId one = alternative_of(e, t);
    return one == kUnknown ? refuse(e, type, path) : given(e, one, may_be_missing, path);
  }
  if (!has_kind(e, t.kind)) {
    refuse(e, type, path);
    return;
  }
  switch (t.kind) {
    case TypeKind::number:
      if (const std::optional<Number> n = number(e); n && (!holds(t.range, *n) || (t.whole && !is_whole(*n))))
        refuse(e, type, path);
      return;
    case TypeKind::text:
      if (e.literal.plain() && !t.allows(e.literal.str())) refuse(e, type, path);
      return;
    case TypeKind::list:
      for (std::size_t i = 0; i < e.args.size(); ++i)
        given(*e.args[i], t.element, t.gaps, path + "[" + std::to_string(i) + "]");
      return;
    case TypeKind::map:
      for (std::size_t i = 0; i < e.args.size(); ++i)
        given(*e.args[i], t.element, true, inside_path(path, e.fields[i].text));
      return;
    case TypeKind::record: fields(e, t.fields, path); return;
    default: return;
  }
}

TypeId ExampleProof::alternative_of(const ast::Expr& e, const Type& either) const {
  for (const TypeId one : either.alternatives) {
    if (has_kind(e, model_.types.kind(one))) return one;
  }
  return kUnknown;
}

// ---- `expect`

void ExampleProof::never(const ast::Expr& e, const std::string& path, const std::string& what, std::string instead) {
  const std::string help = "expect what the rubric can give, or correct the rubric";
  diagnostics_.report(Code::impossible_expectation, e.span,
                      "'" + path + "' is never " + shown(e) + (what.empty() ? "" : ": it is " + what), {},
                      instead.empty() ? FixIt(help) : FixIt(help, std::move(instead), false));
}

void ExampleProof::verdict(const ast::Expr& e, const RubricModel& rubric, int index) {
  if (e.kind != ast::ExprKind::record) return;
  known_.enter(index, nullptr);
  for (std::size_t i = 0; i < e.fields.size() && i < e.args.size(); ++i) {
    const std::string& name = e.fields[i].text;
    const auto field = std::find_if(rubric.verdict.fields.begin(), rubric.verdict.fields.end(),
                                    [&name](const VerdictField& f) { return f.name == name; });
    if (field == rubric.verdict.fields.end()) continue;
    const Item& item = rubric.items[static_cast<std::size_t>(field->item)];
    if (item.body == nullptr) continue;
    Known known = known_.always(*item.body);
    const bool consequence = hopeless_ && (field->name == "status" || field->name == "gates");
    const bool shown_as_it_is = field->name == "id" || field->name == "caps" || consequence;
    if (!shown_as_it_is) expected(*e.args[i], item.type, known, field->decimals, name);
    const bool empty = is_constant(*item.body) && model_.types.kind(item.type) == TypeKind::list &&
                       !item.body->value.missing() && item.body->value.list.size == 0;
    if (empty && e.args[i]->kind == ast::ExprKind::list && !e.args[i]->args.empty())
      never(*e.args[i], name, "always empty", "[]");
  }
}

void ExampleProof::expected(const ast::Expr& e, TypeId type, const Known& known, int decimals,
                            const std::string& path) {
  const Type& t = model_.types[type];
  if (is_nothing(e)) {
    if (!known.missing) never(e, path, "always given");
    return;
  }
  if (!known.given) {
    never(e, path, "always missing");
    return;
  }
  if (t.kind == TypeKind::unknown || t.kind == TypeKind::any) return;
  if (t.kind == TypeKind::either) {
    const TypeId one = alternative_of(e, t);
    if (one == kUnknown) return never(e, path, model_.types.say_kind(type));
    return expected(e, one, of_type(one, false), decimals, path);
  }
  if (!has_kind(e, t.kind)) {
    never(e, path, model_.types.say_kind(type));
    return;
  }
  switch (t.kind) {
    case TypeKind::number: expected_number(e, known, decimals, path); return;
    case TypeKind::boolean:
      if (!(e.flag ? known.yes : known.no))
        never(e, path, e.flag ? "always false" : "always true", e.flag ? "false" : "true");
      return;
    case TypeKind::text: {
      if (known.any_text || !e.literal.plain()) return;
      const std::string text = e.literal.str();
      if (std::find(known.texts.begin(), known.texts.end(), text) != known.texts.end()) return;
      std::string all;
      constexpr std::size_t kMost = 6;
      for (std::size_t i = 0; i < known.texts.size() && i < kMost; ++i)
        all += (i == 0 ? "\"" : i + 1 == known.texts.size() ? " or \"" : ", \"") + std::string(known.texts[i]) + "\"";
      if (known.texts.size() > kMost) all += " …";
      const std::string_view near = known.texts.size() == 1 ? known.texts.front() : meant(text, known.texts);
      never(e, path, all, near.empty() ? std::string() : "\"" + std::string(near) + "\"");
      return;
    }
    default: expected_parts(e, type, decimals, path);
  }
}

void ExampleProof::expected_number(const ast::Expr& e, const Known& known, int decimals, const std::string& path) {
  const std::optional<Number> n = number(e);
  if (!n) return;
  Interval range = known.range;
  if (decimals >= 0) {
    range = interval_round(range, decimals, Rounding::half_away, pool_);
    if (compare(round_to(*n, decimals, Rounding::half_away, pool_), *n) != 0) {
      const Number hundred = mul(*n, whole(100), pool_);  // 0.77 of 0..100
      const bool share = compare(*n, whole(1)) < 0 && !range.high.missing() && compare(range.high, whole(10)) > 0 &&
                         holds(range, hundred) &&
                         compare(round_to(hundred, decimals, Rounding::half_away, pool_), hundred) == 0;
      never(e, path,
            decimals == 0   ? "rounded to a whole number"
            : decimals == 1 ? "rounded to 1 decimal"
                            : "rounded to " + std::to_string(decimals) + " decimals",
            shortest_text(share ? hundred : round_to(*n, decimals, Rounding::half_away, pool_)));
      return;
    }
  }
  if (decimals == -2) {  // with significant digits: a number may exceed its bounds by less than a millionth
    const auto wider = [this](Number bound, int direction) {
      if (bound.missing()) return bound;
      const Number by = mul(abs(bound, pool_), div(whole(direction), whole(1'000'000), pool_), pool_);
      return add(bound, by, pool_);
    };
    range = {wider(range.low, -1), wider(range.high, 1), false, false};
  }
  if (holds(range, *n)) return;
  std::string is = str(known.range, false).substr(7), only;
  if (finite(known.range) && compare(known.range.low, known.range.high) == 0) {
    write_shortest(known.range.low, only);
    is = "always " + only;
  }
  for (const std::int64_t factor : {10, 100}) {  // 45 of 1..6
    const Number other = div(*n, whole(factor), pool_);
    if (only.empty() && holds(range, other) && sign(other) != 0) only = shortest_text(other);
  }
  never(e, path, is, std::move(only));
}

Known ExampleProof::of_type(TypeId type, bool may_be_missing) const {
  Known known;
  known.missing = may_be_missing;
  const Type& t = model_.types[type];
  if (t.kind == TypeKind::number) known.range = t.range;
  if (t.kind == TypeKind::text && !t.choices.empty()) {
    known.any_text = false;
    known.texts.assign(t.choices.begin(), t.choices.end());
  }
  return known;
}

void ExampleProof::expected_parts(const ast::Expr& e, TypeId type, int decimals, const std::string& path) {
  const Type& t = model_.types[type];
  const auto part = [&](const ast::Expr& value, TypeId of, bool may_be_missing, const std::string& inner) {
    expected(value, of, of_type(of, may_be_missing), decimals, inner);
  };
  if (t.kind == TypeKind::list) {
    for (std::size_t i = 0; i < e.args.size(); ++i)
      part(*e.args[i], t.element, true, path + "[" + std::to_string(i) + "]");
    return;
  }
  if (t.kind == TypeKind::map) {
    for (std::size_t i = 0; i < e.args.size(); ++i)
      part(*e.args[i], t.element, true, inside_path(path, e.fields[i].text));
    return;
  }
  if (t.kind != TypeKind::record || t.verdict) return;
  std::vector<std::string_view> names;
  for (const Field& field : t.fields) names.push_back(field.name);
  for (std::size_t i = 0; i < e.fields.size() && i < e.args.size(); ++i) {
    const std::string& name = e.fields[i].text;
    const int at = model_.types.field(type, name);
    if (at < 0) {
      diagnostics_.report(Code::impossible_expectation, e.fields[i].span, "'" + path + "' has no '" + name + "'", {},
                          near_help(name, names));
      continue;
    }
    part(*e.args[i], t.fields[static_cast<std::size_t>(at)].type, true, inside_path(path, name));
  }
}

}  // namespace assay
