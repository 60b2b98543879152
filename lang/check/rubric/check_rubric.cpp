// Checker: files, names and items. Everything is declared first, in any order, and built when something needs it.
#include "lang/check/rubric/rubric_parts.hpp"

#include "lang/syntax/ast_diff.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/key.hpp"
#include "lang/value/interval.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <optional>

namespace assay {

bool RubricChecker::declare_file_item(const ast::Item& item, DeclaredNames& names, int rubric_index) {
  const auto twice = [&](const ast::Name& name, bool known, const char* what) {
    const bool calls = !std::holds_alternative<ast::TypeDecl>(item.node);
    const char* other = calls && names.fns.count(name.text) > 0      ? "function"
                        : calls && names.tables.count(name.text) > 0 ? "table"
                        : calls && names.hooks.count(name.text) > 0  ? "hook"
                                                                     : nullptr;
    if (known || other != nullptr)
      error(Code::duplicate_name, name.span,
            std::string("the ") + what + " '" + name.text +
                (known ? "' is declared twice" : std::string("' has the name of a ") + other),
            "", "keep one of them, or give one another name");
    return known || other != nullptr;
  };
  if (const auto* t = std::get_if<ast::TypeDecl>(&item.node)) {
    if (!twice(t->name, names.types.count(t->name.text) > 0, "type")) names.types[t->name.text] = {t, rubric_index};
    return true;
  }
  if (const auto* f = std::get_if<ast::Fn>(&item.node)) {
    if (twice(f->name, names.fns.count(f->name.text) > 0, "function")) return true;
    names.fns[f->name.text] = static_cast<int>(declared_.fns.size());
    FnDecl& decl = declared_.fns.emplace_back();
    decl.node = f;
    decl.rubric = rubric_index;
    return true;
  }
  if (const auto* t = std::get_if<ast::Table>(&item.node)) {
    if (twice(t->name, names.tables.count(t->name.text) > 0, "table")) return true;
    names.tables[t->name.text] = static_cast<int>(declared_.tables.size());
    TableDecl& decl = declared_.tables.emplace_back();
    decl.node = t;
    decl.rubric = rubric_index;
    return true;
  }
  if (const auto* h = std::get_if<ast::Hook>(&item.node)) {
    if (!twice(h->name, names.hooks.count(h->name.text) > 0, "hook"))
      calls_.declare_hook(*h, names, rubric_index, h->name.span);
    return true;
  }
  return false;
}

void RubricChecker::merge_items(RubricContext& rc, const ast::Rubric& node, std::vector<const ast::Rubric*>& chain) {
  if (std::find(chain.begin(), chain.end(), &node) != chain.end()) {
    error(Code::cycle, node.name.span, "'" + node.name.text + "' extends itself");
    return;
  }
  const Nesting nesting(budget_, Budget::kCheckLevels);
  budget_.step(node.items.size() + rc.items.size());
  chain.push_back(&node);
  if (!node.extends.text.empty()) {
    const auto base = declared_.rubric_by_name.find(node.extends.text);
    if (base == declared_.rubric_by_name.end()) {
      std::vector<std::string_view> names;
      for (const auto& entry : declared_.rubric_by_name) names.push_back(entry.first);
      FixIt help = did_you_mean(node.extends.text, names);
      if (help.empty()) help = "import its file: import \"" + node.extends.text + ".rubric\"";
      error(Code::unknown_rubric, node.extends.span, "there is no rubric '" + node.extends.text + "'", "", help);
    } else {
      merge_items(rc, *base->second, chain);
      rc.items.erase(std::remove_if(rc.items.begin(), rc.items.end(),
                                    [](const ast::Item* i) { return std::holds_alternative<ast::Example>(i->node); }),
                     rc.items.end());
    }
  }
  std::map<std::string, std::size_t> base_keys;
  for (std::size_t i = 0; i < rc.items.size(); ++i) {
    if (std::string key = ast::merge_key(*rc.items[i]); !key.empty()) base_keys.emplace(std::move(key), i);
  }
  std::map<std::string, const ast::Item*> once;
  for (const ast::Item& item : node.items) {
    const std::string key = ast::merge_key(item);
    const bool single = row_of(item).replaces == "once";
    if (single && !once.emplace(key, &item).second) {
      error(Code::duplicate_name, item.word, "'" + key + "' is declared twice", "", "keep one of them");
      continue;
    }
    const auto base = base_keys.find(key);
    if (!key.empty() && base != base_keys.end() && !(once.count(key) && !single)) {
      rc.items[base->second] = &item;
      if (!single) once.emplace(key, &item);
    } else {
      rc.items.push_back(&item);
    }
  }
  chain.pop_back();
}

void RubricChecker::declare(RubricContext& rc) {
  if (rc.progress.declared) return;
  const WorkingOn working(budget_, rc.node->name.span);
  const Nesting nesting(budget_, Budget::kRubricLevels);
  rc.progress.declared = true;
  RubricModel& m = model(rc);
  m.name = rc.node->name.text;
  m.prose = rc.node->prose.str();
  m.span = rc.node->name.span;
  std::vector<const ast::Rubric*> chain;
  merge_items(rc, *rc.node, chain);
  m.input_type = types_.nominal(m.name);
  types_.edit(m.input_type).rubric = rc.index;
  m.verdict.type = types_.nominal(m.name);
  types_.edit(m.verdict.type).rubric = rc.index;
  types_.edit(m.verdict.type).verdict = true;
  Slot id;
  id.name = "id";
  id.type = kText;
  id.presence = Presence::optional;
  id.span = m.span;
  m.slots.push_back(std::move(id));
  for (const ast::Item* item : rc.items) declare_file_item(*item, rc.names, rc.index);
  for (const ast::Item* item : rc.items) {
    if (const auto* v = std::get_if<ast::Version>(&item->node)) m.version = v->text.str();
    if (const auto* s = std::get_if<ast::Scale>(&item->node)) {
      m.scale.declared = true;
      m.scale.decimals = s->decimals;
      m.scale.digits = s->digits;
      if (!s->open) m.scale.range = kinds_.interval(s->low, s->high, s->bounds, rc.index);
    }
  }
  for (const ast::Item* item : rc.items) {
    if (const auto* cap = std::get_if<ast::Cap>(&item->node)) rc.caps[cap->target.text].push_back(cap);
    if (const auto* input = std::get_if<ast::Input>(&item->node)) {
      for (const ast::Name& name : input->names) rc.last_inputs[name.text] = input;
    }
  }
  for (const ast::Item* item : rc.items) {
    if (const auto* input = std::get_if<ast::Input>(&item->node)) inputs_.declare_input(rc, *input);
  }
  const std::size_t errors = diagnostics_->errors();
  dimensions_.declare_dimensions(rc);
  rc.weights_sound = diagnostics_->errors() == errors;
  {
    std::vector<Field> fields;
    for (const Slot& slot : m.slots) {
      Field f;
      f.name = slot.name;
      f.type = slot.type;
      f.presence = slot.presence;
      f.fallback = slot.fallback;
      fields.push_back(std::move(f));
    }
    types_.complete(m.input_type, std::move(fields));
  }
  for (std::size_t i = 1; i < rc.node->items.size(); ++i)
    doubt_clause_above(rc, rc.node->items[i - 1], rc.node->items[i]);
  declare_items(rc);
  rc.progress.items = true;
  pipeline_.declare_pipeline(rc);
  for (const ast::Item* item : rc.items) {
    const auto* h = std::get_if<ast::HistoryBy>(&item->node);
    if (!h) continue;
    const auto it = rc.by_name.inputs.find(h->name.text);
    if (it == rc.by_name.inputs.end() && h->name.text != "id") {
      error(Code::unknown_name, h->name.span, "there is no input '" + h->name.text + "'", "",
            did_you_mean(h->name.text, rc.by_name.inputs.names()));
      continue;
    }
    m.history.by = h->name.text;
    rc.used_inputs.insert(h->name.text);
  }
}

// 'when late bonus early = 2' or 'optional input note: text' on a line of its own: line ends mean nothing, so the declaration above takes the condition.
void RubricChecker::doubt_clause_above(RubricContext& rc, const ast::Item& above, const ast::Item& item) {
  if (above.span.file != item.span.file || above.span.begin >= item.span.begin) return;
  const std::string_view text = sources_.file(item.span.file).text;
  const std::size_t line_end = text.substr(above.span.begin, item.span.begin - above.span.begin).rfind('\n');
  if (line_end == text.npos) return;
  const std::size_t begin = text.find_first_not_of(" \t", above.span.begin + line_end + 1);
  if (begin >= item.span.begin) return;
  const std::size_t last = text.find_last_not_of(" \t", item.span.begin - 1);
  const std::string clause(text.substr(begin, last + 1 - begin));
  const std::string_view word = std::string_view(clause).substr(0, clause.find(' '));
  static constexpr std::string_view kClauses[] = {"when",     "for",     "where",   "optional",
                                                  "required", "default", "decimals"};
  if (std::find(std::begin(kClauses), std::end(kClauses), word) == std::end(kClauses) ||
      clause.find('\n') != clause.npos)
    return;
  const Span at{item.span.file, static_cast<std::uint32_t>(begin), item.span.begin};
  // The clause stands before the text that ends a declaration.
  std::size_t end = text.find_last_not_of(" \t\r\n", item.span.end - 1) + 1;
  if (text[end - 1] == '"') end = text.rfind('"', end - 2);
  const bool behind = text[end - 1] != ' ';
  const Span place{item.span.file, static_cast<std::uint32_t>(end), static_cast<std::uint32_t>(end)};
  const Fix moved{{at, ""}, {place, (behind ? " " : "") + clause + (behind ? "" : " ")}};
  const Span shown{item.span.file, at.begin, static_cast<std::uint32_t>(last + 1)};
  const std::string what = shorten(clause, 60);
  if (!is_own(shown, rc.index)) return;
  state_.noted.doubts.push_back({Code::clause_above,
                                 shown,
                                 "'" + what + "' belongs to the declaration above it: line ends mean nothing",
                                 "let it follow what it is about, or stand on the line above",
                                 nullptr,
                                 {moved}});
}

void RubricChecker::declare_items(RubricContext& rc) {
  for (const ast::Item* item : rc.items) {
    if (const auto* let = std::get_if<ast::Let>(&item->node)) {
      const int i = define(rc, ItemKind::let, let->name.text, let->name.span, let->body.span(), let->prose.str(),
                           [this, let](Context& cx) { return exprs_.body(let->body, cx); });
      if (claim(rc, rc.by_name.own, let->name, i, "value") && rc.by_name.inputs.count(let->name.text)) {
        error(Code::duplicate_name, let->name.span, "'" + let->name.text + "' is already an input", "",
              "choose another name for the value");
      }
    } else if (const auto* out = std::get_if<ast::Output>(&item->node); out && out->each && !rc.cohort.each) {
      error(
          Code::misplaced, item->word, "'each output' belongs to a cohort", "",
          "without 'each', an output is computed for each record; for values of the whole run: cohort { each output " +
              as_key(out->name.text) + " = … }");
    } else if (out && !out->body.expr) {
      show_value(rc, *out);
    } else if (out) {
      const int i = define(rc, ItemKind::output, out->name.text, out->name.span, out->body.span(), out->prose.str(),
                           [this, out](Context& cx) { return exprs_.body(out->body, cx); });
      if (claim(rc, rc.by_name.own, out->name, i, "output"))
        rc.verdict.outputs.push_back({out->name.text, shown_decimals(*out), i});
      if (out->name.text == "rubric" || out->name.text == "version" || out->name.text == "scoring_hash")
        error(Code::reserved_name, out->name.span, "every verdict has a '" + out->name.text + "' already", "",
              "choose another name");
    } else if (const auto* gate = std::get_if<ast::Gate>(&item->node)) {
      const int i = define(rc, ItemKind::gate, gate->name.text, gate->name.span, gate->body.span(), gate->prose.str(),
                           [this, gate](Context& cx) {
                             Expr* e = exprs_.want(exprs_.body(gate->body, cx), TypeKind::boolean,
                                                   "the gate '" + gate->name.text + "'");
                             doubts_.written(Asked::gate, *gate->body.expr, e, cx);
                             if (kind_of(e) != TypeKind::boolean || !e->optional) return e;
                             // an unknown condition does not pass
                             return make(Op::default_, kBool, e->span, {e, boolean(false, e->span)});
                           });
      claim(rc, rc.by_name.gates, gate->name, i, "gate");
    } else if (const auto* b = std::get_if<ast::Bands>(&item->node)) {
      bands_.bands(rc, *b, *item);
    }
  }
}

// "output x": shows the value of x, declared elsewhere.
void RubricChecker::show_value(RubricContext& rc, const ast::Output& node) {
  const std::string name = node.name.text;
  for (const VerdictContext::Output& other : rc.verdict.outputs) {
    if (other.name != name) continue;
    if (rc.node->extends.text.empty())  // otherwise an output of one rubric shows a value of the other
      error(Code::duplicate_name, node.name.span, "'" + name + "' is an output already", "", "keep one of them");
    return;
  }
  const int index = rc.index;
  const Span span = node.name.span;
  const int item = define(rc, ItemKind::output, name, span, {}, node.prose.str(), [this, index, name, span](Context&) {
    RubricContext& r = rubric(index);
    for (const auto* space : {&r.by_name.own, &r.by_name.inputs}) {
      if (const auto it = space->find(name); it != space->end()) return item_ref(r, it->second, span);
    }
    if (r.cohort.parent >= 0) {
      if (Expr* around = records_.value_around(r, name, span)) return around;
    }
    if (r.by_name.pipeline.count(name)) {
      error(Code::duplicate_name, span, "every verdict has its '" + name + "' already", "", "leave this output out");
      return broken(span);
    }
    Context none;
    FixIt near = did_you_mean(name, exprs_.value_names(r, none));
    const std::string said = r.by_name.gates.count(name) > 0 ? "gates." + name : "";
    if (!said.empty()) near = FixIt("write output " + as_key(name) + " = " + said);
    if (near.words.empty()) near.words = "write output " + as_key(name) + " = and its value";
    error(Code::unknown_name, span, "nothing is named '" + name + "', and this output has no value of its own", "",
          std::move(near));
    return broken(span);
  });
  rc.verdict.outputs.push_back({name, shown_decimals(node), item});
}

void RubricChecker::list_dimensions(RubricContext& rc) {
  for (DimensionItems& d : rc.dimensions.all) model(rc).dimensions.push_back(dimensions_.describe(rc, d));
}

namespace {

// Whether a text may call a rubric: its name, which is no part of another one, white space or comments, '('.
bool may_call(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    if (at > 0 && is_name_character(text[at - 1])) continue;
    std::size_t next = at + name.size();
    while (next < text.size() && std::string_view(" \t\r\n#").find(text[next]) != std::string_view::npos)
      next = text[next] == '#' ? std::min(text.find('\n', next), text.size()) : next + 1;
    if (next < text.size() && text[next] == '(') return true;
  }
  return false;
}

}  // namespace

// A record that breaks a check is rejected, so whatever is built from now on may rely on them. What the checks use has
// been built before: it must not rely on their result. Nobody runs the checks for a record that an expression makes,
// so this is for the main rubric, if nothing calls it.
void RubricChecker::trust_rules(RubricContext& rc) {
  std::vector<std::pair<const Expr*, const Loop*>> conditions;
  for (const Check& rule : model(rc).checks) {
    const Expr& places = *rule.body->args[0];  // see declare_rules
    const Expr& place = places.op == Op::loop ? *places.loop->value : *places.args[0];
    conditions.emplace_back(place.args[1]->args[0], places.loop.get());
  }
  if (conditions.empty()) return;
  for (std::uint32_t file = 0; file < sources_.size(); ++file) {
    const std::string_view text = sources_.file(file).text;
    budget_.step(1 + text.size() / 64);
    if (may_call(text, rc.node->name.text)) return;
  }
  state_.ranges.ensured(rc.index, std::move(conditions));
}

void RubricChecker::finish(RubricContext& rc, bool main) {
  const Nesting nesting(budget_, Budget::kRubricLevels);
  declare(rc);
  if (rc.progress.finished) return;
  const WorkingOn working(budget_, rc.node->name.span);
  rc.progress.finished = true;
  RubricModel& m = model(rc);
  inputs_.declare_rules(rc);  // before the values that are proved by them
  if (main) trust_rules(rc);
  for (std::size_t i = 0; i < m.items.size(); ++i) ensure(rc, static_cast<int>(i));  // the list grows meanwhile
  inputs_.declare_contexts(rc);
  inputs_.declare_embedded(rc);
  inputs_.declare_rank(rc);
  pipeline_.list_verdict(rc);
  for (std::size_t i = 0; i < m.items.size(); ++i) ensure(rc, static_cast<int>(i));
  std::set<std::string_view> bands;
  for (const ast::Item* item : rc.items) {
    if (const auto* b = std::get_if<ast::Bands>(&item->node)) bands.insert(b->name.text);
  }
  for (const ast::Item* item : rc.items) {
    const auto* cap = std::get_if<ast::Cap>(&item->node);
    if (!cap) continue;
    std::set<std::string_view> groups = {"composite", "score"};
    for (const AdjustmentRow& row : kAdjustments) groups.insert(row.list);
    const std::string& t = cap->target.text;
    if (groups.count(t) || rc.dimensions.by_name.count(t) || bands.count(t)) continue;
    std::vector<std::string_view> names(groups.begin(), groups.end());
    for (const auto& entry : rc.dimensions.by_name) names.push_back(entry.first);
    FixIt help = did_you_mean(t, names);
    if (help.empty()) help = "declare the dimension, or remove the cap";
    for (const AdjustmentRow& row : kAdjustments) {  // cap bonus at 6
      if (t == row.word) help = FixIt({}, std::string(row.list), true);
    }
    if (cap->at && cap->at->kind == ast::ExprKind::text)
      help = "a cap at a grade needs the bands that give the grades: bands " + t + "(score) { … }";
    if (rc.by_name.gates.count(t)) help = "a gate decides eligibility and never moves the number";
    error(Code::bad_cap, cap->target.span,
          "a cap limits a dimension, the composite, the score, a band, or all " + adjustment_lists() + "; '" + t +
              "' is none of these",
          "", help);
  }
  list_dimensions(rc);
  if (m.scale.declared && rc.dimensions.all.empty() && main) {
    const bool custom = std::any_of(rc.items.begin(), rc.items.end(),
                                    [](const ast::Item* i) { return std::holds_alternative<ast::Composite>(i->node); });
    // let score = …, output composite = …
    const auto named = std::find_if(rc.items.begin(), rc.items.end(), [](const ast::Item* i) {
      const auto* let = std::get_if<ast::Let>(&i->node);
      const auto* output = std::get_if<ast::Output>(&i->node);
      const ast::Name* name = let ? &let->name : output ? &output->name : nullptr;
      return name != nullptr && (name->text == "score" || name->text == "composite");
    });
    const std::string nothing = "'" + m.name + "' has a scale and nothing to score: no dimension and no composite";
    if (!custom && named != rc.items.end() && is_own((*named)->span, rc.index)) {
      const auto* let = std::get_if<ast::Let>(&(*named)->node);
      const ast::Name& name = let ? let->name : std::get<ast::Output>((*named)->node).name;
      const Span head{name.span.file, (*named)->word.begin, name.span.end};
      Diagnostic& d = error(Code::no_dimensions, head, nothing + ", and this is only a value", "",
                            "write composite = … for what is scored");
      offer(*diagnostics_, d, {{{head, "composite"}}});
    } else if (!custom) {
      error(Code::no_dimensions, m.span, nothing, "", "fine for a base that others extend");
    }
  }
  if (!m.scale.declared && !rc.dimensions.all.empty()) {
    const bool weighted = std::any_of(rc.dimensions.all.begin(), rc.dimensions.all.end(),
                                      [](const DimensionItems& d) { return d.weight >= 0; });
    if (weighted && rc.weights_sound)
      error(Code::no_scale, m.span, "'" + m.name + "' has dimensions but no scale", "",
            "write: scale 0..100 decimals 2");
  }
  dimensions_.prove_weights(rc);
  for (const ast::Item* item : rc.items) {
    if (std::holds_alternative<ast::Cohort>(item->node)) cohorts_.finish_cohort(rc, *item);
  }
  if (main) {
    inputs_.examples(rc);
    if (!diagnostics_->has_errors()) warn_unused(rc);  // after an error, unused declarations may only look unused
  }
}

void RubricChecker::warn_unused(RubricContext& rc) {
  for (const ast::Item* item : rc.items) {
    const auto own = [&rc](Span s) {
      return s.file == rc.node->span.file && s.begin >= rc.node->span.begin && s.end <= rc.node->span.end;
    };
    if (const auto* let = std::get_if<ast::Let>(&item->node); let && own(let->name.span)) {
      const auto it = rc.by_name.own.find(let->name.text);
      const int i = it == rc.by_name.own.end() ? -1 : it->second;
      if (i >= 0 && !rc.pending[static_cast<std::size_t>(i)].used)
        offer(*diagnostics_,
              error(Code::unused, let->name.span, "the value '" + let->name.text + "' is never used", "",
                    "use it, or leave it out"),
              doubts_.in_place_of(rc, *let));
    } else if (const auto* input = std::get_if<ast::Input>(&item->node)) {
      for (const ast::Name& name : input->names) {
        const auto it = rc.by_name.inputs.find(name.text);
        if (it == rc.by_name.inputs.end() || !own(name.span) || rc.used_inputs.count(name.text) || name.text == "id")
          continue;
        if (!rc.pending[static_cast<std::size_t>(it->second)].used)
          error(Code::unused, name.span, "the input '" + name.text + "' is never used", "",
                "it is still checked in every record; remove it if that is not meant");
      }
    } else if (const auto* table = std::get_if<ast::Table>(&item->node); table && own(table->name.span)) {
      const auto it = rc.names.tables.find(table->name.text);
      if (it == rc.names.tables.end()) continue;
      TableDecl& decl = declared_.tables[static_cast<std::size_t>(it->second)];
      if (!decl.used) {
        tables_.build_table(it->second);
        // A table of the score was probably meant as its grades.
        const bool grades = table->keyed && table->params.size() == 1 &&
                            (rc.by_name.pipeline.count(table->params[0].text) > 0 ||
                             rc.dimensions.by_name.count(table->params[0].text) > 0);
        Diagnostic& d =
            error(Code::unused, table->name.span, "the table '" + table->name.text + "' is never used", "",
                  grades ? "'bands' instead of 'table' shows its result in the verdict" : "use it, or leave it out");
        if (grades) offer(*diagnostics_, d, {Fix{{item->word, "bands"}}}, false);
      }
    } else if (const auto* hook = std::get_if<ast::Hook>(&item->node); hook && own(hook->name.span)) {
      const auto it = rc.names.hooks.find(hook->name.text);
      if (it != rc.names.hooks.end() && !model_.hooks[static_cast<std::size_t>(it->second)].used)
        error(Code::unused, hook->name.span, "the hook '" + hook->name.text + "' is never called", "",
              "call it, or leave it out");
    }
  }
}

}  // namespace assay
