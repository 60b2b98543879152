// Coverage by examples. The deciding conditions are collected from the syntax as expressions over the rubric's own
// values, and all are evaluated together for each record of each example: their results are those that the rubric
// itself finds.
#include "runtime/engine/settings.hpp"
#include "runtime/json/json_tree.hpp"
#include "runtime/rubric/rubric_impl.hpp"
#include "runtime/service/service_impl.hpp"

#include "lang/names/names.hpp"

#include <assay/coverage.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <variant>

namespace assay {

const char* name_of(CoveragePoint::Kind kind) {
  static constexpr const char* kNames[] = {"row", "gate", "cap", "deduction", "bonus", "flag", "branch", "context"};
  return kNames[static_cast<std::size_t>(kind)];
}

namespace {

using Kind = CoveragePoint::Kind;

// A question about coverage: the point is exercised if the condition is true (or, with `fails`, is not) and none of the
// conditions in `unless` is.
struct Question {
  std::size_t point;
  std::size_t condition;
  bool fails = false;
  std::vector<std::size_t> unless;
};

class Collector {
 public:
  Collector(const Rubric::Impl& impl, Coverage& coverage)
      : impl_(impl),
        coverage_(coverage),
        names_(resolve_names(impl.file, impl.imported, impl.sources, nullptr, impl.model.get())) {
    for (const NameUse& use : names_.uses) {
      const Symbol& symbol = names_.of(use);
      if (symbol.kind == NameKind::local || symbol.kind == NameKind::parameter) bound_.push_back({use.at, symbol.at});
    }
  }

  std::vector<std::string> conditions;
  std::vector<Question> questions;

  void all() {
    std::set<std::string> seen;
    const ast::Rubric* rubric = impl_.file.rubrics.empty() ? nullptr : &impl_.file.rubrics.back();
    for (int steps = 0; rubric != nullptr && steps < 100; ++steps) {
      items(rubric->items, seen);
      rubric = named(rubric->extends.text);
    }
  }

  std::vector<std::pair<std::string, std::size_t>> contexts;  // name, point

  // Forgets the questions about other points, and the conditions that only those use.
  void keep(const WantedPoint& wanted) {
    std::erase_if(questions, [&](const Question& one) { return !wanted(coverage_.points[one.point]); });
    std::vector<std::string> kept;
    std::map<std::size_t, std::size_t> places;
    const auto move = [&](std::size_t& condition) {
      const auto [at, fresh] = places.emplace(condition, kept.size());
      if (fresh) kept.push_back(std::move(conditions[condition]));
      condition = at->second;
    };
    for (Question& one : questions) {
      move(one.condition);
      for (std::size_t& condition : one.unless) move(condition);
    }
    conditions = std::move(kept);
  }

 private:
  const ast::Rubric* named(const std::string& name) const {
    if (name.empty()) return nullptr;
    const auto in = [&](const ast::File& file) -> const ast::Rubric* {
      for (const ast::Rubric& one : file.rubrics) {
        if (one.name.text == name) return &one;
      }
      return nullptr;
    };
    if (const ast::Rubric* found = in(impl_.file)) return found;
    for (const ast::File& file : impl_.imported) {
      if (const ast::Rubric* found = in(file)) return found;
    }
    return nullptr;
  }

  std::string text(Span at) const { return std::string(impl_.sources.text(at)); }

  bool bound(Span at) const {
    return std::any_of(bound_.begin(), bound_.end(), [&](const auto& use) {
      const auto within = [&](Span one) { return one.file == at.file && one.begin >= at.begin && one.end <= at.end; };
      return within(use.first) && !within(use.second);
    });
  }

  std::size_t point(Kind kind, const std::string& what, Span at, bool measured) {
    CoveragePoint one;
    one.kind = kind;
    one.what = shorten(what, 120);
    one.at = impl_.sources.locate(at);
    one.measured = measured;
    coverage_.points.push_back(std::move(one));
    return coverage_.points.size() - 1;
  }

  std::size_t condition(std::string source) {
    conditions.push_back(std::move(source));
    return conditions.size() - 1;
  }

  void ask(std::size_t at, std::size_t index, bool fails = false, std::vector<std::size_t> unless = {}) {
    questions.push_back({at, index, fails, std::move(unless)});
  }

  // The first declaration of a name is the rubric's own: it replaces inherited ones.
  void items(const std::vector<ast::Item>& list, std::set<std::string>& seen) {
    for (const ast::Item& item : list) {
      const ItemRow& row = row_of(item);
      std::string key;
      std::visit(
          [&](const auto& n) {
            if constexpr (requires { n.name.text; }) key = std::string(row.replaces) + " " + n.name.text;
          },
          item.node);
      if (!key.empty() && !row.replaces.empty() && !seen.insert(key).second) continue;
      one(item);
    }
  }

  void one(const ast::Item& item) {
    if (const auto* gate = std::get_if<ast::Gate>(&item.node)) {
      const std::size_t holds = condition("gates." + gate->name.text);
      ask(point(Kind::gate, "gate '" + gate->name.text + "' holds", gate->name.span, true), holds);
      ask(point(Kind::gate, "gate '" + gate->name.text + "' fails", gate->name.span, true), holds, true);
      body(gate->body);
    } else if (const auto* cap = std::get_if<ast::Cap>(&item.node)) {
      if (cap->when)
        guarded(Kind::cap, "the condition of the cap on '" + cap->target.text + "'", *cap->when, item.word);
    } else if (const auto* adjustment = std::get_if<ast::Adjustment>(&item.node)) {
      const bool bonus = adjustment->kind != AdjustmentKind::deduction;
      const Kind kind = bonus ? Kind::bonus : Kind::deduction;
      const std::string word(row_of(adjustment->kind).list);
      const std::string label = adjustment->label.plain() ? adjustment->label.str() : text(adjustment->label.span);
      const std::string what = std::string(row_of(adjustment->kind).word) + " '" + label + "'";
      if (adjustment->label.plain()) {
        ask(point(kind, what, adjustment->label.span, true),
            condition("any(assay_entry.name == " + quoted(label) + " for assay_entry in " + word + ")"));
      } else {
        point(kind, what, adjustment->label.span, false);
      }
      if (!adjustment->loop) body(adjustment->body);
    } else if (const auto* flag = std::get_if<ast::Flag>(&item.node)) {
      const std::string label = flag->label.plain() ? flag->label.str() : text(flag->label.span);
      if (flag->label.plain()) {
        ask(point(Kind::flag, "flag '" + label + "'", flag->label.span, true), condition(quoted(label) + " in flags"));
      } else {
        point(Kind::flag, "flag " + label, flag->label.span, false);
      }
    } else if (const auto* context = std::get_if<ast::Context>(&item.node)) {
      contexts.emplace_back(context->name.text,
                            point(Kind::context, "context '" + context->name.text + "'", context->name.span, true));
    } else if (const auto* bands = std::get_if<ast::Bands>(&item.node)) {
      std::vector<std::string> keys;
      for (const ast::Name& param : bands->params) keys.push_back(param.text);
      rows(bands->rows, bands->name.text, keys, keys.size());
    } else if (const auto* dimension = std::get_if<ast::Dimension>(&item.node)) {
      parts(*dimension);
    } else {
      std::visit(
          [&](const auto& n) {
            if constexpr (requires { n.body.expr; }) {
              if constexpr (!std::is_same_v<std::decay_t<decltype(n)>, ast::Fn>) body(n.body);
            }
          },
          item.node);
      if (const auto* fn = std::get_if<ast::Fn>(&item.node); fn != nullptr && fn->body.expr) unmeasured(*fn->body.expr);
    }
  }

  void parts(const ast::Dimension& node) {
    body(node.body);
    for (const ast::Dimension& part : node.parts) parts(part);
  }

  static std::string quoted(std::string_view s) {
    std::string out = "\"";
    for (const char c : s) {
      if (c == '"' || c == '\\' || c == '{' || c == '}') out += '\\';
      out += c;
    }
    return out + "\"";
  }

  void guarded(Kind kind, const std::string& what, const ast::Expr& when, Span at) {
    const bool measured = !bound(when.span);
    const std::size_t p = point(kind, what, at, measured);
    if (measured) ask(p, condition("(" + text(when.span) + ")"));
  }

  void body(const ast::Body& one) {
    if (!one.expr) return;
    if (!one.where.empty()) return unmeasured(*one.expr);
    expression(*one.expr);
  }

  void unmeasured(const ast::Expr& e) {
    if (e.kind == ast::ExprKind::choice)
      point(Kind::branch, "the case when " + text(e.args[1]->span), e.args[1]->span, false);
    for (const ast::ExprPtr& a : e.args) unmeasured(*a);
  }

  void expression(const ast::Expr& e) { choices(e, {}); }

  // The branches of a chain are tried in order: one is exercised if its condition holds and no earlier one does.
  void choices(const ast::Expr& e, const std::vector<std::size_t>& earlier) {
    if (e.kind == ast::ExprKind::choice && !bound(e.span)) {
      const std::size_t index = condition("(" + text(e.args[1]->span) + ")");
      ask(point(Kind::branch, "the case when " + text(e.args[1]->span), e.args[1]->span, true), index, false, earlier);
      std::vector<std::size_t> passed = earlier;
      passed.push_back(index);
      choices(*e.args[0], {});
      if (e.args.size() > 2 && e.args[2]->kind == ast::ExprKind::choice) return choices(*e.args[2], passed);
      const Span at = e.args.size() > 2 ? e.args[2]->span : e.args[1]->span;
      ask(point(Kind::branch,
                e.args.size() > 2 ? "the case else " + text(at) : "the case that is left out, without " + text(at), at,
                true),
          index, true, earlier);
      if (e.args.size() > 2) choices(*e.args[2], {});
      return;
    }
    if (e.kind == ast::ExprKind::choice) return unmeasured(e);
    if (e.kind == ast::ExprKind::call && !e.loop) called(e);
    for (const ast::ExprPtr& a : e.args) choices(*a, {});
  }

  // The rows of a table, for the arguments of a call.
  void called(const ast::Expr& e) {
    const NameUse* use = names_.find(e.word.file, e.word.begin);
    if (use == nullptr || bound(e.span)) return;
    const Symbol& symbol = names_.of(*use);
    if (symbol.kind != NameKind::table || symbol.item == nullptr) return;
    const auto& table = std::get<ast::Table>(symbol.item->node);
    if (table.from.given || !table.keyed || table.params.size() != e.args.size() || table.rows.rows.empty()) return;
    std::vector<std::string> keys;
    for (const ast::ExprPtr& a : e.args) keys.push_back("(" + text(a->span) + ")");
    rows(table.rows, symbol.name, keys, keys.size());
  }

  // Several calls of one table share its points.
  void rows(const ast::Rows& all, const std::string& name, const std::vector<std::string>& keys, std::size_t count) {
    std::vector<std::size_t> earlier;
    for (const std::vector<ast::Cell>& row : all.rows) {
      if (row.size() < count || row.empty()) return;
      std::string fits, shown;
      for (std::size_t i = 0; i < count; ++i) {
        std::string cell;
        for (const ast::CellPattern& pattern : row[i].patterns) {
          if (!cell.empty()) cell += " or ";
          cell += pattern_text(pattern, keys[i]);
        }
        fits += (fits.empty() ? "(" : " and (") + (cell.empty() ? std::string("true") : cell) + ")";
        shown += (shown.empty() ? "" : ", ") + trimmed(text(row[i].span));
      }
      const Span at = row.front().span;
      const auto [known, fresh] = row_points_.try_emplace({at.file, at.begin}, 0);
      if (fresh) known->second = point(Kind::row, "row " + shown + " of '" + name + "'", at, true);
      const std::size_t index = condition("(" + fits + ")");
      ask(known->second, index, false, earlier);
      earlier.push_back(index);
    }
  }

  static std::string trimmed(std::string s) {
    while (!s.empty() && (s.back() == ' ' || s.back() == '|' || s.back() == '\n')) s.pop_back();
    return s;
  }

  std::string pattern_text(const ast::CellPattern& pattern, const std::string& key) const {
    switch (pattern.tag) {
      case ast::CellPattern::Tag::otherwise: return "true";
      case ast::CellPattern::Tag::missing: return key + " is missing";
      case ast::CellPattern::Tag::bound: {
        std::string s;
        for (const ast::CellBound& bound_of : pattern.bounds) {
          static constexpr const char* kSigns[] = {"<", "<=", ">", ">="};
          s += (s.empty() ? "(" : " and ") + key + " " + kSigns[static_cast<std::size_t>(bound_of.bound)] + " (" +
               text(bound_of.expr->span) + ")";
        }
        return s + ")";
      }
      case ast::CellPattern::Tag::value: break;
    }
    const bool range = pattern.expr->kind == ast::ExprKind::range;
    return "(" + key + (range ? " in " : " == ") +
           (range ? text(pattern.expr->span) : "(" + text(pattern.expr->span) + ")") + ")";
  }

  const Rubric::Impl& impl_;
  Coverage& coverage_;
  Names names_;
  std::vector<std::pair<Span, Span>> bound_;  // where a local name is used, and where it is declared
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> row_points_;
};

// Conditions that can be evaluated together, as one list; whether they can does not depend on the record.
struct Group {
  std::string list;
  std::vector<std::size_t> conditions;
};

// Finds the conditions that cannot be evaluated on their own, by bisection, and groups the others.
class Grouping {
 public:
  Grouping(Evaluator& evaluator, const std::vector<std::string>& conditions)
      : evaluator_(evaluator), conditions_(conditions), good_(conditions.size(), true) {
    std::vector<std::size_t> all(conditions.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    std::vector<Group> parts;
    divide(all, parts);
    all.erase(std::remove_if(all.begin(), all.end(), [this](std::size_t i) { return !good_[i]; }), all.end());
    Group together = group(all);
    if (parts.size() > 1 && works(together)) parts.assign(1, together);
    groups_ = std::move(parts);
  }
  const std::vector<Group>& groups() const { return groups_; }
  bool good(std::size_t condition) const { return good_[condition]; }

 private:
  Group group(std::vector<std::size_t> members) const {
    Group made{"[", std::move(members)};
    for (const std::size_t i : made.conditions) made.list += (made.list.size() > 1 ? ", " : "") + conditions_[i];
    made.list += "]";
    return made;
  }
  bool works(const Group& one) { return !has_errors(evaluator_.evaluate(one.list, "{}").diagnostics); }
  void divide(const std::vector<std::size_t>& members, std::vector<Group>& parts) {
    if (members.empty()) return;
    Group one = group(members);
    if (works(one)) {
      parts.push_back(std::move(one));
    } else if (members.size() == 1) {
      good_[members[0]] = false;
    } else {
      const auto middle = members.begin() + static_cast<std::ptrdiff_t>(members.size() / 2);
      divide({members.begin(), middle}, parts);
      divide({middle, members.end()}, parts);
    }
  }

  Evaluator& evaluator_;
  const std::vector<std::string>& conditions_;
  std::vector<bool> good_;
  std::vector<Group> groups_;
};

// Sets which conditions of a group are true for a record; a rejected record exercises nothing.
void evaluate_group(Evaluator& evaluator, std::string_view record, const Group& group, std::vector<bool>& truth) {
  const Evaluator::Evaluated evaluated = evaluator.evaluate(group.list, record);
  JsonNode node;
  JsonProblem problem;
  if (evaluated.error || !parse_json(evaluated.value, node, problem) || node.items.size() != group.conditions.size())
    return;
  for (std::size_t i = 0; i < node.items.size(); ++i) truth[group.conditions[i]] = node.items[i].truth();
}

// The conditions of points that are not exercised, for the search for a record that exercises them.
void tell_conditions(const Collector& collector, Coverage& coverage) {
  constexpr std::size_t kMostBytes = 400'000;
  std::size_t bytes = 0;
  for (const Question& question : collector.questions) {
    CoveragePoint& point = coverage.points[question.point];
    if (point.exercised || !point.measured || !point.condition.empty()) continue;
    const auto known = [&](std::size_t i) { return "(" + collector.conditions[i] + " default false)"; };
    std::size_t size = collector.conditions[question.condition].size();
    for (const std::size_t i : question.unless) size += collector.conditions[i].size();
    if ((bytes += size) > kMostBytes) return;
    point.condition = (question.fails ? "not " : "") + known(question.condition);
    for (const std::size_t i : question.unless) point.condition += " and not " + known(i);
  }
}

}  // namespace

Coverage example_coverage(const Rubric& rubric, const Interrupt* interrupt) {
  return coverage_of(rubric, interrupt, nullptr);
}

Coverage coverage_of(const Rubric& rubric, const Interrupt* interrupt, const WantedPoint& wanted) {
  Coverage coverage;
  const Rubric::Impl& impl = rubric.impl();
  Collector collector(impl, coverage);
  collector.all();
  if (wanted) {
    collector.keep(wanted);
    if (collector.questions.empty()) return coverage;
  }
  EvaluatorOptions options;
  options.limits = impl.options.limits;
  options.interrupt = interrupt;
  Evaluator evaluator(rubric, options);
  const Grouping grouping(evaluator, collector.conditions);
  for (const ExampleModel& example : impl.rubric().examples) {
    JsonNode given, context, history;
    JsonProblem problem;
    if (!example.context.empty() && parse_json(example.context, context, problem)) {
      for (const JsonNode& name : context.items) {
        for (const auto& [known, point] : collector.contexts) {
          if (known == name.text) coverage.points[point].exercised = true;
        }
      }
    }
    Settings settings;
    JsonNode weights;
    const JsonNode* has_context = example.context.empty() ? nullptr : &context;
    const bool weighted = !example.weights.empty() && parse_json(example.weights, weights, problem);
    if (read_settings(has_context, weighted ? &weights : nullptr, settings)) continue;
    if (evaluator.configure(settings)) continue;
    std::vector<std::string> earlier;
    if (!example.history.empty() && parse_json(example.history, history, problem)) {
      for (const JsonNode& record : history.items) earlier.emplace_back(record.raw);
    }
    evaluator.set_history(std::move(earlier));
    const std::string text = example.given.empty() ? "{}" : example.given;
    if (!parse_json(text, given, problem)) continue;
    std::vector<std::string> records;
    if (given.is(JsonNode::Kind::list)) {
      for (const JsonNode& record : given.items) records.emplace_back(record.raw);
    } else {
      records.push_back(text);
    }
    for (const std::string& record : records) {
      std::vector<bool> truth(collector.conditions.size(), false);
      for (const Group& group : grouping.groups()) evaluate_group(evaluator, record, group, truth);
      for (const Question& question : collector.questions) {
        const bool before =
            std::any_of(question.unless.begin(), question.unless.end(), [&](std::size_t i) { return truth[i]; });
        if (truth[question.condition] != question.fails && !before && grouping.good(question.condition))
          coverage.points[question.point].exercised = true;
      }
    }
  }
  for (const Question& question : collector.questions) {
    CoveragePoint& point = coverage.points[question.point];
    if (!grouping.good(question.condition) && !point.exercised) point.measured = false;
  }
  tell_conditions(collector, coverage);
  for (const CoveragePoint& point : coverage.points) {
    coverage.measured += point.measured ? 1 : 0;
    coverage.exercised += point.measured && point.exercised ? 1 : 0;
  }
  std::stable_sort(coverage.points.begin(), coverage.points.end(), [](const CoveragePoint& a, const CoveragePoint& b) {
    return a.at.file.str() == b.at.file.str() ? a.at.offset < b.at.offset : a.at.file.str() < b.at.file.str();
  });
  return coverage;
}

}  // namespace assay
