// Checker: declarations other than values: inputs, contexts, rules, embedded records, ranking, examples.
#include "lang/check/rubric/rubric_parts.hpp"
#include "lang/value/constant_text.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

namespace {

// Whether an input of that type can be the id of a record.
bool fits_id(const TypeTable& types, TypeId type) {
  const TypeKind kind = types.kind(type);
  return kind == TypeKind::text || kind == TypeKind::unknown || (kind == TypeKind::number && types[type].whole);
}

}  // namespace

// The policy belongs to the dimension that the input is judged for, if there is one.
void InputChecker::refuse_skip(const RubricContext& rc, const ast::Input& input) {
  Diagnostic& d =
      error(Code::bad_policy, input.policy.span, "'missing skip' is for dimensions", "", "write 'optional' here");
  Fix fix = {{input.policy.span, "optional"}};
  for (const ast::Item* item : rc.items) {
    const auto* dimension = std::get_if<ast::Dimension>(&item->node);
    const bool judged = dimension && !dimension->body.expr && dimension->policy.tag == ast::PolicyTag::required;
    if (!judged || std::none_of(input.names.begin(), input.names.end(),
                                [&](const ast::Name& name) { return name.text == dimension->name.text; }))
      continue;
    const ast::Expr* share = dimension->weight ? dimension->weight.get() : dimension->points.get();
    const Span at = share != nullptr ? share->span : dimension->name.span;
    fix.push_back({{at.file, at.end, at.end}, " missing skip"});
    d.help = "write 'optional' here, and 'missing skip' at the dimension";
  }
  offer(*diagnostics_, d, {fix}, true);
}

void InputChecker::declare_input(RubricContext& rc, const ast::Input& input) {
  RubricModel& m = model(rc);
  for (const ast::Name& name : input.names) {
    // A rubric that extends this one may have redeclared the input.
    const bool replaced = rc.last_inputs.at(name.text) != &input;
    const bool own = name.span.file == rc.node->span.file && name.span.begin >= rc.node->span.begin &&
                     name.span.end <= rc.node->span.end;
    if (replaced && !own) continue;
    Slot slot;
    slot.name = name.text;
    slot.type = kinds_.kind(*input.kind, rc.index);
    if (state_.reports.is_unread(name.span)) slot.type = kUnknown;  // the declaration was only partly readable
    slot.prose = input.prose.str();
    slot.span = name.span;
    if (name.text == "id" && !fits_id(types_, slot.type)) {
      error(Code::reserved_name, name.span,
            "'id' is what a record is called: a text or a whole number, not " + types_.say(slot.type), "",
            "write input id: text, or input id: whole; or choose another name");
      slot.type = kText;
    }
    const ast::Expr* fallback = nullptr;
    switch (input.policy.tag) {
      case ast::PolicyTag::required: break;
      case ast::PolicyTag::skip: refuse_skip(rc, input); [[fallthrough]];
      case ast::PolicyTag::optional: slot.presence = Presence::optional; break;
      case ast::PolicyTag::missing:
        slot.presence = Presence::optional;
        fallback = input.policy.expr.get();
        break;
      case ast::PolicyTag::required_when: slot.presence = Presence::optional; break;
      case ast::PolicyTag::default_: {
        slot.presence = Presence::optional;
        bool names = input.policy.expr->kind == ast::ExprKind::name;
        Context cx;
        cx.rubric = rc.index;
        if (!names) {
          const ast::Expr& e = *input.policy.expr;
          const bool literal = e.kind == ast::ExprKind::number || e.kind == ast::ExprKind::text ||
                               e.kind == ast::ExprKind::boolean || e.kind == ast::ExprKind::list ||
                               e.kind == ast::ExprKind::record || e.kind == ast::ExprKind::unary ||
                               e.kind == ast::ExprKind::missing;
          if (literal) {
            const std::size_t errors = diagnostics_->errors();
            Expr* value = exprs_.expr(e, cx);
            if (diagnostics_->errors() != errors) break;
            if (!is_constant(value)) {
              names = true;
            } else if (kinds_.convert(*value, slot.type, slot.fallback, e.span)) {
              slot.presence = Presence::defaulted;
            }
          } else {
            names = true;
          }
        }
        if (names) fallback = input.policy.expr.get();
        break;
      }
    }
    const TypeId type = slot.type;
    const bool optional = slot.presence == Presence::optional;
    std::uint32_t index = 0;
    if (name.text == "id") {
      m.slots[0] = std::move(slot);
    } else {
      index = static_cast<std::uint32_t>(m.slots.size());
      m.slots.push_back(std::move(slot));
    }
    if (input.policy.tag == ast::PolicyTag::required_when)
      rc.required_when.emplace_back(static_cast<int>(index), input.policy.expr.get());
    const Span span = name.span;
    const int item = define(
        rc, ItemKind::input, name.text, span, {}, input.prose.str(),
        [this, index, type, optional, fallback, span](Context& cx) {
          Expr* e = make(Op::slot, type, span);
          e->index = index;
          e->optional = optional;
          if (!fallback) return e;
          Expr* other = exprs_.expr(*fallback, cx);
          Value fitted;
          if (is_constant(other) && other->type != kUnknown && kinds_.convert(*other, type, fitted, fallback->span)) {
            other = constant(fitted, type, fallback->span);
          }
          TypeId both = kUnknown;
          if (!types_.unify(type, other->type, both) || !types_.fits(other->type, type)) {
            error(Code::bad_default, fallback->span,
                  "what stands in is " + types_.say(other->type) + ", the input is " + types_.say(type), "",
                  "name an input of the same type, or write 'optional'");
            return e;
          }
          Expr* d = make(Op::default_, both, span, {e, other});
          d->optional = other->optional;
          return d;
        });
    claim(rc, rc.by_name.inputs, name, item, "input");
  }
}

// With exact weights, a context that is asked for alone has to leave the total as it is.
void InputChecker::doubt_total(RubricContext& rc, const ast::Context& node, const ContextModel& context) {
  const RubricModel& m = model(rc);
  if (m.weighting.policy != WeightPolicy::exact || context.weights.empty() ||
      context.weights.size() != node.weights.size())
    return;
  Number all = m.weighting.total;
  for (const auto& [index, value] : context.weights)
    all = add(all, sub(value, m.weighting.weights[static_cast<std::size_t>(index)].value, numbers()), numbers());
  const Number off = sub(m.weighting.total, all, numbers());
  if (sign(off) == 0) return;
  const auto percent = [this](Number n) { return exact_text(mul(n, whole(100), numbers())) + "%"; };
  doubt(Code::context_total, node.name.span, rc.index,
        "with the context '" + node.name.text + "' the weights add up to " + percent(all) + ", not to " +
            percent(m.weighting.total),
        "set the other weights as well, or write 'weights rescaled'");
  if (!is_own(node.name.span, rc.index)) return;
  for (std::size_t i = context.weights.size(); i-- > 0;) {
    const Number needed = add(context.weights[i].second, off, numbers());
    if (sign(needed) > 0) state_.noted.doubts.back().fixes.push_back({{node.weights[i].weight->span, percent(needed)}});
  }
}

void InputChecker::declare_contexts(RubricContext& rc) {
  RubricModel& m = model(rc);
  for (const ast::Item* item : rc.items) {
    const auto* node = std::get_if<ast::Context>(&item->node);
    if (!node) continue;
    ContextModel context;
    context.name = node->name.text;
    context.prose = node->prose.str();
    Number total = whole(0);
    for (const ast::ContextWeight& w : node->weights) {
      int found = -1;
      std::vector<std::string_view> names;
      for (std::size_t i = 0; i < m.weighting.weights.size(); ++i) {
        if (!m.weighting.weights[i].settable) continue;
        names.push_back(m.weighting.weights[i].name);
        if (m.weighting.weights[i].name == w.name.text) found = static_cast<int>(i);
      }
      const Number value = kinds_.constant_number(*w.weight, rc.index, "a weight");
      if (found < 0) {
        error(Code::unknown_name, w.name.span, "there is no weighted dimension '" + w.name.text + "'", "",
              did_you_mean(w.name.text, names));
        continue;
      }
      if (value.missing()) continue;
      // 0.7% beside a weight of 50%
      const Number hundredfold = mul(value, whole(100), numbers());
      const WeightModel& base = m.weighting.weights[static_cast<std::size_t>(found)];
      if (w.weight->text.ends_with('%') && sign(value) > 0 && compare(hundredfold, m.weighting.total) < 0 &&
          compare(mul(value, whole(5), numbers()), base.value) < 0) {
        const std::string meant = exact_text(mul(hundredfold, whole(100), numbers())) + "%";
        doubt(Code::percent_of_points, w.weight->span, rc.index,
              w.weight->text + " is almost nothing of what all dimensions weigh",
              FixIt("write " + meant, meant, false));
      }
      if (sign(value) < 0 || compare(value, m.weighting.total) > 0) {
        std::string all;
        write_exact(mul(m.weighting.total, whole(100), numbers()), all);
        Diagnostic& d = error(Code::bad_weight, w.weight->span,
                              "this weight is not within 0 and what all dimensions weigh together, " + all + "%", "",
                              "write at most " + all + "%: the other dimensions share the rest");
        const bool literal = w.weight->kind == ast::ExprKind::number && sign(value) > 0;
        if (Number share = value; literal && compare(m.weighting.total, whole(1)) == 0) {  // 50, 500%
          while (compare(share, whole(1)) > 0)
            share = div(share, whole(compare(value, whole(10)) < 0 ? 10 : 100), numbers());
          offer(*diagnostics_, d, {{{w.weight->span, exact_text(mul(share, whole(100), numbers())) + "%"}}});
        }
        continue;
      }
      total = add(total, value, numbers());
      context.weights.emplace_back(found, value);
    }
    doubt_total(rc, *node, context);
    if (compare(total, m.weighting.total) > 0) {
      std::string set, all;
      write_exact(mul(total, whole(100), numbers()), set);
      write_exact(mul(m.weighting.total, whole(100), numbers()), all);
      error(Code::bad_weight, node->name.span,
            "the context '" + context.name + "' sets weights of " + set + "% together, more than the " + all +
                "% of all dimensions",
            "",
            "take " + shortest_text(mul(sub(total, m.weighting.total, numbers()), whole(100), numbers())) +
                "% away: what is left of the " + all + "% is divided among the other dimensions");
    }
    m.weighting.contexts.push_back(std::move(context));
  }
  if (!m.weighting.contexts.empty() && m.weighting.policy == WeightPolicy::fixed) {
    for (const ast::Item* item : rc.items) {
      if (!std::holds_alternative<ast::Context>(item->node)) continue;
      error(Code::context_without_policy, item->span.begin == item->span.end ? rc.node->name.span : item->word,
            "a context changes weights, but it is not said how the others make room",
            "rescaled: the others share what is left; exact: all together add up",
            "write 'weights rescaled' (the others share what is left) or 'weights exact' (all together must add up)");
      break;
    }
  }
}

Expr* InputChecker::embedded_records(TypeId type, Expr* value, Expr* path, Context& cx, int& found) {
  const Type& t = types_[type];
  const Span span = value->span;
  const auto list_type = [&](TypeId record) {
    std::vector<Field> fields(2);
    fields[0].name = "path";
    fields[0].type = kText;
    fields[1].name = "record";
    fields[1].type = record;
    return types_.list(types_.record(std::move(fields)));
  };
  if (t.kind == TypeKind::record && t.rubric >= 0 && !t.verdict) {
    if (found >= 0 && found != t.rubric) return nullptr;
    found = t.rubric;
    const TypeId list = list_type(type);
    Expr* record = make(Op::make_record, types_[list].element, span, {path, value});
    Expr* one = make(Op::make_list, list, span, {record});
    if (!value->optional) return one;
    Expr* given = make(Op::not_, kBool, span, {make(Op::is_missing, kBool, span, {value})});
    return choose(one, given, constant(make_list(nullptr, 0), list, span), span);
  }
  if (t.kind == TypeKind::either) {
    Expr* all = nullptr;
    for (const TypeId one : types_.alternatives(type)) {
      const TypeKind k = types_.kind(one);
      if (k != TypeKind::record && k != TypeKind::list) continue;
      Expr* inner =
          embedded_records(one, asked_.as_kind(value, one, asked_.kind_word(one), true, span), path, cx, found);
      if (inner) all = all ? make(Op::concat, inner->type, span, {all, inner}) : inner;
    }
    return all;
  }
  if (t.kind == TypeKind::list) {
    const TypeKind ek = types_.kind(t.element);
    if (ek != TypeKind::record && ek != TypeKind::list && ek != TypeKind::either) return nullptr;
    const int place = add_local(cx), item = add_local(cx);
    Expr* i = make(Op::local, kWhole, span);
    i->index = static_cast<std::uint32_t>(place);
    Expr* x = make(Op::local, t.element, span);
    x->index = static_cast<std::uint32_t>(item);
    Expr* p = make(Op::join_text, kText, span, {path, i});
    p->parts = {{"", 0, -1}, {"[", -1, -1}, {"", 1, -1}, {"]", -1, -1}};
    Expr* inner = embedded_records(t.element, x, p, cx, found);
    if (!inner) return nullptr;
    Expr* loop = make(Op::loop, types_.list(inner->type), span);
    loop->loop = std::make_unique<Loop>();
    LoopClause clause;
    clause.expr = value;
    if (value->optional) {
      clause.expr = make(Op::default_, value->type, span, {value, constant(make_list(nullptr, 0), value->type, span)});
    }
    clause.first = place;
    clause.second = item;
    loop->loop->clauses.push_back(clause);
    loop->loop->value = inner;
    return builtin(Builtin::flatten, inner->type, span, {loop});
  }
  if (t.kind == TypeKind::record && t.rubric < 0 && t.name.empty()) {
    Expr* all = nullptr;
    for (std::size_t f = 0; f < t.fields.size(); ++f) {
      Expr* field = make(Op::field, t.fields[f].type, span, {value});
      field->index = static_cast<std::uint32_t>(f);
      field->optional = value->optional || t.fields[f].presence == Presence::optional;
      Expr* p = make(Op::join_text, kText, span, {path});
      p->parts = {{"", 0, -1}, {"." + t.fields[f].name, -1, -1}};
      Expr* inner = embedded_records(t.fields[f].type, field, p, cx, found);
      if (inner) all = all ? make(Op::concat, inner->type, span, {all, inner}) : inner;
    }
    return all;
  }
  return nullptr;
}

void InputChecker::declare_embedded(RubricContext& rc) {
  RubricModel& m = model(rc);
  for (std::size_t s = 0; s < m.slots.size(); ++s) {
    const Slot& slot = m.slots[s];
    const TypeKind kind = types_.kind(slot.type);
    if (kind != TypeKind::record && kind != TypeKind::list && kind != TypeKind::either) continue;  // holds no records
    Context cx;
    cx.rubric = rc.index;
    Expr* value = make(Op::slot, slot.type, slot.span);
    value->index = static_cast<std::uint32_t>(s);
    value->optional = slot.presence == Presence::optional;
    Expr* path = text(slot.name, slot.span);
    int found = -1;
    Expr* records = embedded_records(slot.type, value, path, cx, found);
    if (!records) continue;
    RubricContext& inner = rubric(found);
    rubrics_.finish(inner, false);
    const RubricModel& im = model(inner);
    if (im.checks.empty() && im.required_when.empty() && im.embedded.empty()) continue;
    m.embedded.push_back({found, records, cx.locals});
  }
}

void InputChecker::declare_rules(RubricContext& rc) {
  RubricModel& m = model(rc);
  for (const auto& [slot, when] : rc.required_when) {
    Context cx;
    cx.rubric = rc.index;
    RequiredWhen rule;
    rule.slot = slot;
    rule.condition = exprs_.condition(*when, cx, "the condition after 'required when'", Asked::required_when);
    rule.locals = cx.locals;
    rule.message = "'" + m.slots[static_cast<std::size_t>(slot)].name + "' is required when " + source_text(when->span);
    if (kind_of(rule.condition) == TypeKind::boolean) m.required_when.push_back(std::move(rule));
  }
  for (const ast::Item* item : rc.items) {
    const auto* node = std::get_if<ast::Check>(&item->node);
    if (!node) continue;
    Context cx;
    cx.rubric = rc.index;
    std::vector<Field> broken(2);
    broken[0].name = "path";
    broken[1].name = "message";
    broken[0].type = broken[1].type = kText;
    const TypeId place = types_.record(std::move(broken)), list = types_.list(place);
    // components[i].weight → "components[" i "].weight"
    const std::function<void(const ast::Expr&, Context&, Expr*)> path = [&](const ast::Expr& e, Context& inner,
                                                                            Expr* out) {
      switch (e.kind) {
        case ast::ExprKind::name: {
          if (out->parts.empty() && e.text != "id" && rc.by_name.inputs.find(e.text) == rc.by_name.inputs.end()) {
            error(Code::bad_path, e.span, "a path begins with an input, there is none named '" + e.text + "'", "",
                  did_you_mean(e.text, rc.by_name.inputs.names()));
          }
          out->parts.push_back({e.text, -1, -1});
          break;
        }
        case ast::ExprKind::field:
          path(*e.args[0], inner, out);
          out->parts.push_back({"." + e.text, -1, -1});
          break;
        default: {  // the grammar of a path has no other than an index
          path(*e.args[0], inner, out);
          Expr* key = exprs_.expr(*e.args[1], inner);
          const bool name = kind_of(key) == TypeKind::text;
          if (!name && kind_of(key) != TypeKind::number && kind_of(key) != TypeKind::unknown) {
            const std::string of = source_text(e.args[0]->span);
            error(Code::wrong_type, e.args[1]->span,
                  "a place in a path is a number, or a key of a map; this is " + types_.say(key->type), "",
                  "let the loop count: for i, " + source_text(e.args[1]->span) + " in " + of + " at " + of + "[i]");
          }
          out->parts.push_back({name ? "." : "[", -1, -1});
          out->parts.push_back({"", static_cast<int>(out->args.size()), -1});
          out->args.push_back(key);
          if (!name) out->parts.push_back({"]", -1, -1});
        }
      }
    };
    const auto broken_at = [&](Context& inner) {
      Expr* cond = exprs_.condition(*node->condition, inner, "a rule", Asked::rule);
      Expr* where = make(Op::join_text, kText, node->path->span);
      path(*node->path, inner, where);
      Expr* fails = make(Op::not_, kBool, node->condition->span, {cond});
      fails->optional = cond->optional;
      Expr* why = exprs_.text_expr(node->prose, inner);
      Expr* refusal = make(Op::make_record, place, node->condition->span, {where, why});
      Expr* e = make(Op::choice, place, node->condition->span,
                     {refusal, fails, constant(missing_value(), place, node->condition->span)});
      e->optional = true;
      return e;
    };
    Check rule;
    Expr* places = node->loop ? loops_.loop_expr(*node->loop, nullptr, broken_at, Collect::list, cx, item->span, true)
                              : make(Op::make_list, list, item->span, {broken_at(cx)});
    places->type = list;
    rule.body = make(Op::compact, list, item->span, {places});
    rule.locals = cx.locals;
    rule.condition = source_text(node->condition->span);
    rule.plain = node->prose.plain();
    for (const ast::TextPart& part : node->prose.parts) rule.prose += part.expr ? "…" : part.literal;
    m.checks.push_back(std::move(rule));
  }
}

// lower red_flags, of a list of texts: the alphabet decides, where the number of them is likely meant. A list of numbers
// may well be compared item by item, and so may one that is computed.
void InputChecker::doubt_order_of_items(RubricContext& rc, const ast::OrderKey& key, const Expr* value) {
  const auto input = rc.last_inputs.find(key.expr->text);
  if (key.expr->kind != ast::ExprKind::name || input == rc.last_inputs.end()) return;
  if (types_.kind(value->type) != TypeKind::list || types_.kind(types_[value->type].element) != TypeKind::text) return;
  const std::string meant = (key.higher ? "higher count(" : "lower count(") + key.expr->text + ")";
  doubt(Code::text_order, key.span, rc.index,
        "'" + key.expr->text + "' is " + types_.say(value->type) +
            ", which is compared text by text in the alphabet, however many there are",
        is_own(key.span, rc.index) ? FixIt("write " + meant + " for an order by their number", meant, false)
                                   : FixIt("order by their number: " + meant));
}

void InputChecker::declare_rank(RubricContext& rc) {
  RubricModel& m = model(rc);
  for (const ast::Item* item : rc.items) {
    const auto* node = std::get_if<ast::Rank>(&item->node);
    if (!node) continue;
    m.rank.clear();
    for (const ast::OrderKey& key : node->keys) {
      const ast::Expr* e = key.expr.get();
      std::set<std::string> names;
      names_in(*e, names);
      if (!m.scale.declared && names.count("score") &&
          exprs_.find_value(rc, "score") == rc.by_name.pipeline.at("score")) {
        error(Code::no_scale, e->span, "there is no scale, so there is no score to rank by", "",
              "rank by an output, or declare a scale: scale 0..100");
        continue;
      }
      const int index = define(
          rc, ItemKind::rank, "rank " + source_text(e->span), e->span, e->span, "", [this, e, &rc, &key](Context& cx) {
            Expr* value = exprs_.expr(*e, cx);
            doubt_order_of_items(rc, key, value);
            if (!loops_.orders(value->type) && kind_of(value) != TypeKind::unknown) {
              error(
                  Code::wrong_type, e->span,
                  "an order needs numbers, texts or conditions, or a list of them, this is " + types_.say(value->type));
              return broken(e->span);
            }
            return value;
          });
      ensure(rc, index);
      m.rank.push_back({index, key.higher});
    }
  }
}

// A record written in an example, as JSON.
std::string InputChecker::json(const ast::Expr& e) {
  switch (e.kind) {
    case ast::ExprKind::number: {
      Number n;
      if (!read_number(e, n)) return "null";
      std::string s;
      write_exact(n, s);
      return s;
    }
    case ast::ExprKind::text: {
      std::string s;
      if (!e.literal.plain()) error(Code::not_constant, e.span, "an example holds plain values");
      write_json_text(e.literal.str(), s);
      return s;
    }
    case ast::ExprKind::boolean: return e.flag ? "true" : "false";
    case ast::ExprKind::missing: return "null";
    case ast::ExprKind::unary:
      if (e.text == "-") return "-" + json(*e.args[0]);
      break;
    case ast::ExprKind::name:
      if (e.text == "null") return "null";
      break;
    case ast::ExprKind::list: {
      std::string s = "[";
      for (std::size_t i = 0; i < e.args.size(); ++i) s += (i ? ", " : "") + json(*e.args[i]);
      return s + "]";
    }
    case ast::ExprKind::record: {
      std::string s = "{";
      for (std::size_t i = 0; i < e.fields.size(); ++i) {
        if (i) s += ", ";
        write_json_text(e.fields[i].text, s);
        s += ": " + json(*e.args[i]);
      }
      return s + "}";
    }
    default: break;
  }
  error(Code::not_constant, e.span,
        "an example holds plain values: numbers, texts, true, false, missing, lists and records");
  return "null";
}

namespace {

bool has_key(const ast::Expr& record, const std::string& key) {
  return std::any_of(record.fields.begin(), record.fields.end(), [&key](const ast::Name& n) { return n.text == key; });
}

// Whether it is a word for the score of a rubric that has no value of this name.
bool names_score(std::string_view key) {
  static constexpr std::string_view kWords[] = {"total",       "result",      "points",        "final",
                                                "total_score", "final_score", "overall_score", "overall"};
  return std::find(std::begin(kWords), std::end(kWords), key) != std::end(kWords);
}

// Whether the key that is meant is one that the record needs and lacks, or 'flags' for 'flag'.
bool completes(const ast::Expr& record, const std::string& written, const FixIt& meant, const RubricModel& m,
               bool given) {
  const std::string& key = meant.replacement;
  if (!meant.edits || has_key(record, key)) return false;
  if (!given) return key == written + "s";
  return std::any_of(m.slots.begin(), m.slots.end(),
                     [&key](const Slot& s) { return s.name == key && s.presence == Presence::required; });
}

}  // namespace

// Field `i` of what an example expects has the name of a part of the rubric, which a verdict has in a list or record of all
// such parts: gates: { light: true }.
void InputChecker::in_part(const RubricContext& rc, const ast::Expr& expected, std::size_t i, Diagnostic& told) {
  const ast::Name& key = expected.fields[i];
  const Span span = expected.args[i]->span;
  const std::string value = source_text(span);
  const std::vector<DimensionModel>& dimensions = model(rc).dimensions;
  std::string all, one;  // the list or record, and its entry
  if (std::any_of(dimensions.begin(), dimensions.end(), [&](const DimensionModel& d) { return d.name == key.text; }))
    all = "dimensions", one = "{ " + key.text + ": { score: " + value + " } }";
  for (const ast::Item* item : rc.items) {
    if (const auto* gate = std::get_if<ast::Gate>(&item->node); gate != nullptr && gate->name.text == key.text)
      all = "gates", one = "{ " + key.text + ": " + value + " }";
    if (const auto* flag = std::get_if<ast::Flag>(&item->node); flag != nullptr && flag->label.str() == key.text)
      all = "flags", one = value == "false" ? "[]" : "[\"" + key.text + "\"]";
    const auto* adjustment = std::get_if<ast::Adjustment>(&item->node);
    if (adjustment == nullptr || adjustment->label.str() != key.text) continue;
    all = adjustment->kind == AdjustmentKind::bonus ? "bonuses" : "deductions";
    one = "[{ name: \"" + key.text + "\", amount: " + value + " }]";
  }
  if (all.empty() || expected.args[i]->kind == ast::ExprKind::record) return;
  told.help = "it is one of the '" + all + "': write " + all + ": " + one;
  told.suggestions.clear();
  if (!has_key(expected, all)) {
    told.suggestions.push_back(diagnostics_->suggestion({span.file, key.span.begin, span.end}, all + ": " + one, true));
    return;
  }
  // Into the list or record that is there.
  std::size_t there = 0;
  while (expected.fields[there].text != all) ++there;
  const ast::Expr& whole = *expected.args[there];
  if (whole.kind != ast::ExprKind::list && whole.kind != ast::ExprKind::record) return;
  const Span last = whole.args.empty() ? whole.span : whole.args.back()->span;
  const std::uint32_t at = whole.args.empty() ? whole.span.begin + 1 : last.end;
  std::string entry = one.substr(1, one.size() - 2);
  if (entry.ends_with(' ')) entry.pop_back();
  if (!whole.args.empty() && !entry.empty()) entry.insert(0, entry.starts_with(' ') ? "," : ", ");
  const bool first = i == 0;
  const Span key_and_comma{span.file, first ? key.span.begin : expected.args[i - 1]->span.end,
                           first ? expected.fields[1].span.begin : span.end};
  Suggestion into = diagnostics_->suggestion({span.file, at, at}, std::move(entry), true);
  const Suggestion without = diagnostics_->suggestion(key_and_comma, "", true);
  into.edits.insert(at < key.span.begin ? into.edits.end() : into.edits.begin(), without.edits.front());
  into.title = {};
  told.suggestions.push_back(std::move(into));
}

void InputChecker::examples(RubricContext& rc) {
  RubricModel& m = model(rc);
  std::vector<std::string_view> of_run;
  if (!m.rank.empty()) of_run = {"ranking", "ineligible"};
  if (m.cohort.rubric >= 0) of_run.insert(of_run.end(), {"cohort", "verdicts"});
  std::vector<std::string_view> inputs, fields = {"rubric", "version", "scoring_hash"};
  for (const Slot& s : m.slots) inputs.push_back(s.name);
  for (const VerdictField& f : m.verdict.fields) fields.push_back(f.name);
  std::vector<std::string_view> in_run = fields;  // keys of a verdict of a run
  in_run.emplace_back("error");
  if (m.cohort.each >= 0) {
    for (const VerdictField& f : model_.rubrics[static_cast<std::size_t>(m.cohort.each)].verdict.fields)
      in_run.push_back(f.name);
  }
  std::vector<std::string_view> weights;
  for (const WeightModel& w : m.weighting.weights) {
    if (w.settable) weights.push_back(w.name);
  }
  const auto known = [&](const ast::Expr* e, const std::vector<std::string_view>& names, const char* what) {
    if (!e) return;
    const auto one = [&](const ast::Expr& record) {
      if (record.kind != ast::ExprKind::record) return;
      for (std::size_t i = 0; i < record.fields.size(); ++i) {
        const ast::Name& f = record.fields[i];
        if (std::find(names.begin(), names.end(), f.text) != names.end()) continue;
        const bool second = &names == &fields && std::find(in_run.begin(), in_run.end(), f.text) != in_run.end();
        FixIt help = &names == &fields ? did_you_mean(f.text, names) : near_or_all(f.text, names);
        if (second && f.text != "error") help = "it is of a verdict of a run: given [ … ] expect { verdicts: [ … ] }";
        if (!second) help.certain = help.certain || completes(record, f.text, help, m, &names == &inputs);
        if (help.empty() && &names == &fields && m.scale.declared && !has_key(record, "score") && names_score(f.text))
          help = FixIt("the result is the 'score'", "score", false);
        if (help.edits && has_key(record, help.replacement)) help = "'" + help.replacement + "' is there as well";
        if (&names == &fields && (f.text == "error" || f.text == "errors"))
          help = "an example of an error says where it is, in place of 'expect': error at " +
                 (inputs.size() < 2 ? "…" : std::string(inputs[1]));
        if (help.empty() && &names == &fields) help = "an output or bands of that name would put it there";
        Diagnostic& told =
            error(Code::unknown_in_example, f.span, std::string(what) + " '" + f.text + "'", "", std::move(help));
        if (&names == &fields) in_part(rc, record, i, told);
      }
    };
    one(*e);
    if (e->kind == ast::ExprKind::list) {
      for (const ast::ExprPtr& a : e->args) one(*a);
    }
  };
  for (const ast::Item* item : rc.items) {
    const auto* node = std::get_if<ast::Example>(&item->node);
    if (!node) continue;
    ExampleModel example;
    example.name = node->name.str();
    example.span = node->name.span;
    known(node->given.get(), inputs, "the record has no input");
    known(node->history.get(), inputs, "the record has no input");
    const bool run = node->given && node->given->kind == ast::ExprKind::list;
    if (!run || !of_run.empty())
      known(node->expect.get(), run ? of_run : fields, run ? "a run of records has no" : "the verdict has no");
    for (std::size_t i = 0; run && m.cohort.rubric >= 0 && node->expect && i < node->expect->fields.size(); ++i) {
      if (node->expect->fields[i].text == "verdicts")
        known(node->expect->args[i].get(), in_run, "a verdict of the run has no");
    }
    if (run && of_run.empty() && !node->error) {
      error(Code::incomplete_example, node->given->span, "a list of records is ranked, and nothing says how", "",
            "add 'rank by …', or give one record: given { … }");
    }
    if (!node->error) known(node->weights.get(), weights, "there is no weighted dimension");
    if (node->given) example.given = json(*node->given);
    if (node->history) example.history = json(*node->history);
    if (node->weights) example.weights = json(*node->weights);
    if (node->expect) example.expect = json(*node->expect);
    if (node->context) {  // names or texts
      std::string s = "[";
      const auto add_name = [&](const ast::Expr& e) {
        if (s.size() > 1) s += ", ";
        write_json_text(e.kind == ast::ExprKind::name ? e.text : e.literal.str(), s);
        const std::string name = e.kind == ast::ExprKind::name ? e.text : e.literal.str();
        const bool exists = std::any_of(m.weighting.contexts.begin(), m.weighting.contexts.end(),
                                        [&name](const ContextModel& c) { return c.name == name; });
        std::vector<std::string_view> contexts;
        for (const ContextModel& c : m.weighting.contexts) contexts.push_back(c.name);
        if (!exists && !node->error)
          error(Code::unknown_in_example, e.span, "there is no context '" + name + "'", "",
                near_or_all(name, contexts));
      };
      if (node->context->kind == ast::ExprKind::list) {
        for (const ast::ExprPtr& a : node->context->args) add_name(*a);
      } else {
        add_name(*node->context);
      }
      example.context = s + "]";
    }
    example.error = node->error;
    example.error_path = node->error_path.str();
    if (!node->given)
      error(Code::incomplete_example, node->name.span, "the example \"" + example.name + "\" gives no record", "",
            "write given { … }");
    if (!node->expect && !node->error)
      error(Code::incomplete_example, node->name.span, "the example \"" + example.name + "\" expects nothing", "",
            "write expect { … } or error at …");
    m.examples.push_back(std::move(example));
  }
}

}  // namespace assay
