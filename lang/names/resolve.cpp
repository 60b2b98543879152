// Walks the complete syntax: scopes as in the checker, one use for each place.
#include "lang/names/resolver.hpp"

#include <algorithm>
#include <numeric>

namespace assay {

const NameUse* Names::find(std::uint32_t file, std::uint32_t offset) const {
  auto after = std::upper_bound(uses.begin(), uses.end(), std::pair(file, offset),
                                [](const auto& at, const NameUse& u) { return at < std::pair(u.at.file, u.at.begin); });
  if (after == uses.begin()) return nullptr;
  const NameUse& use = *--after;
  return use.at.file == file && offset <= use.at.end ? &use : nullptr;
}

std::vector<const NameUse*> Names::uses_of(int symbol) const {
  std::vector<const NameUse*> found;
  const auto i = static_cast<std::size_t>(symbol);
  for (std::uint32_t at = first_of[i]; at < first_of[i + 1]; ++at) found.push_back(&uses[by_symbol[at]]);
  return found;
}

Names resolve_names(const ast::File& file, const std::deque<ast::File>& imported, const Sources& sources,
                    const CheckNotes* notes, const Model* model) {
  return Resolver(sources, notes, model).run(file, imported);
}

Names Resolver::run(const ast::File& file, const std::deque<ast::File>& imported) {
  if (notes_ != nullptr) {
    for (const auto& [type, kind] : notes_->records) kinds_.emplace(type, kind);
  }
  constexpr std::size_t kBytesAName = 24;  // about: an estimate saves most of the moves
  const std::size_t names = sources_.file(file.file).text.size() / kBytesAName;
  names_.symbols.reserve(names / 2);
  names_.uses.reserve(names);
  used_.reserve(names);
  file_.index = -1;
  for (const ast::File& other : imported) declare_file(other);
  declare_file(file);
  for (RubricNames& rubric : rubrics_) declare_rubric(rubric);
  const auto visit_file = [this](const ast::File& one) {
    current_ = nullptr;
    for (const ast::Item& item : one.items) visit_item(item);
  };
  for (const ast::File& other : imported) visit_file(other);
  visit_file(file);
  for (RubricNames& rubric : rubrics_) {
    current_ = &rubric;
    if (const int base = rubric_named(rubric.node->extends.text); base >= 0)
      use(rubric.node->extends.span, rubrics_[static_cast<std::size_t>(base)].symbol);
    for (const ast::Item& item : rubric.node->items) visit_item(item);
  }
  std::sort(names_.uses.begin(), names_.uses.end(),
            [](const NameUse& a, const NameUse& b) { return place(a.at) < place(b.at); });
  names_.first_of.assign(names_.symbols.size() + 1, 0);
  for (const NameUse& one : names_.uses) ++names_.first_of[static_cast<std::size_t>(one.symbol) + 1];
  std::partial_sum(names_.first_of.begin(), names_.first_of.end(), names_.first_of.begin());
  names_.by_symbol.resize(names_.uses.size());
  std::vector<std::uint32_t> next(names_.first_of.begin(), names_.first_of.end() - 1);
  for (std::size_t i = 0; i < names_.uses.size(); ++i)
    names_.by_symbol[next[static_cast<std::size_t>(names_.uses[i].symbol)]++] = static_cast<std::uint32_t>(i);
  return std::move(names_);
}

void Resolver::use(Span at, int symbol, bool shorthand) {
  if (symbol < 0 || at.end <= at.begin) return;
  bool added = false;
  int& index = used_.at(place(at), added);
  if (!added) return;
  index = static_cast<int>(names_.uses.size());
  names_.uses.push_back({at, symbol, false, shorthand});
}

int Resolver::look_in(int rubric, NameSpace RubricNames::*space, std::string_view name) const {
  const RubricNames& names = rubrics_[static_cast<std::size_t>(rubric)];
  if (const auto found = (names.*space).find(name); found != (names.*space).end()) return found->second;
  for (const int base : names.bases) {
    const NameSpace& of_base = rubrics_[static_cast<std::size_t>(base)].*space;
    if (const auto found = of_base.find(name); found != of_base.end()) return found->second;
  }
  return -1;
}

// Searches the rubric and those it extends; in a cohort then its rubric; then rubrics that extend this one, whose names
// a base may use; and finally names outside rubrics.
int Resolver::look(NameSpace RubricNames::*space, std::string_view name) const {
  for (const RubricNames* names :
       {static_cast<const RubricNames*>(current_), static_cast<const RubricNames*>(around_)}) {
    if (names == nullptr) continue;
    if (const auto found = (names->*space).find(name); found != (names->*space).end()) return found->second;
    if (names->index < 0) continue;
    if (const int symbol = look_in(names->index, space, name); symbol >= 0) return symbol;
  }
  if (current_ != nullptr) {
    for (const RubricNames& other : rubrics_) {
      if (std::find(other.bases.begin(), other.bases.end(), current_->index) == other.bases.end()) continue;
      if (const auto found = (other.*space).find(name); found != (other.*space).end()) return found->second;
    }
  }
  const auto found = (file_.*space).find(name);
  return found == (file_.*space).end() ? -1 : found->second;
}

int Resolver::value_named(std::string_view name) const {
  for (auto local = scope_.rbegin(); local != scope_.rend(); ++local) {
    if (local->name == name) return local->symbol;
  }
  if (const int symbol = look(&RubricNames::values, name); symbol >= 0) return symbol;
  if (const int symbol = look(&RubricNames::inputs, name); symbol >= 0) return symbol;
  const int table = look(&RubricNames::functions, name);
  return table >= 0 && names_.symbols[static_cast<std::size_t>(table)].kind == NameKind::table ? table : -1;
}

int Resolver::push(std::string_view name, Span at, Span scope, NameKind kind, const ast::Expr* value) {
  const int symbol = add(kind, {std::string(name), at}, scope);
  names_.symbols[static_cast<std::size_t>(symbol)].value = value;
  scope_.push_back({name, symbol});
  return symbol;
}

void Resolver::visit_text(const ast::Text& text) {
  for (const ast::TextPart& part : text.parts) visit(part.expr);
}

void Resolver::visit_policy(const ast::Policy& policy) { visit(policy.expr); }

void Resolver::visit_kind(const ast::Kind* kind) {
  if (kind == nullptr) return;
  visit(kind->low);
  visit(kind->high);
  for (const auto& bound : kind->bounds) visit(bound.second);
  visit_kind(kind->element.get());
  for (const ast::KindPtr& one : kind->alternatives) visit_kind(one.get());
  for (const ast::KindField& field : kind->fields) {
    visit_kind(field.kind.get());
    visit_policy(field.policy);
  }
  if (kind->tag != ast::KindTag::named) return;
  int symbol = look(&RubricNames::types, kind->name);
  if (symbol < 0) {
    const int rubric = rubric_named(kind->name);
    if (rubric >= 0) symbol = rubrics_[static_cast<std::size_t>(rubric)].symbol;
  }
  use(kind->span, symbol);
}

void Resolver::visit_body(const ast::Body& body) {
  const std::size_t depth = scope_.size();
  const Span scope = body.span();
  for (const ast::Where& part : body.where) {
    if (part.expr) push(part.name.text, part.name.span, scope, NameKind::local, part.expr.get());
  }
  // A part sees the others, and for its own name the outer meaning.
  for (std::size_t i = 0; i < body.where.size(); ++i) {
    if (!body.where[i].expr) continue;
    const std::string_view own = body.where[i].name.text;
    for (std::size_t k = depth; k < scope_.size(); ++k) {
      if (scope_[k].name == own) scope_[k].name = {};
    }
    visit(body.where[i].expr);
    std::size_t k = depth;
    for (const ast::Where& part : body.where) {
      if (part.expr) scope_[k++].name = part.name.text;
    }
  }
  visit(body.expr);
  scope_.resize(depth);
}

void Resolver::visit_loop(const ast::Loop* loop, Span scope, const std::function<void()>& inner) {
  if (loop == nullptr) return inner();
  const std::size_t depth = scope_.size();
  visit(loop->start);
  for (const ast::Clause& clause : loop->clauses) {
    visit(clause.expr);
    if (clause.kind != ast::ClauseKind::for_in) continue;
    for (const ast::Name* name : {&clause.first, &clause.second}) {
      if (!name->text.empty()) push(name->text, name->span, scope, NameKind::local);
    }
  }
  if (!loop->state.text.empty()) push(loop->state.text, loop->state.span, scope, NameKind::local);
  visit(loop->next);
  inner();
  for (const ast::OrderKey& key : loop->order) visit(key.expr);
  scope_.resize(depth);
}

void Resolver::visit(const ast::Expr& e) {
  switch (e.kind) {
    case ast::ExprKind::name: return visit_name(e);
    case ast::ExprKind::call: return visit_call(e);
    case ast::ExprKind::field: return visit_field(e);
    case ast::ExprKind::index: return visit_index(e);
    case ast::ExprKind::record: return visit_record(e);
    case ast::ExprKind::text: return visit_text(e.literal);
    case ast::ExprKind::list_loop:
    case ast::ExprKind::map_loop:
      return visit_loop(e.loop.get(), e.span, [this, &e] {
        for (const ast::ExprPtr& a : e.args) visit(a);
      });
    default:
      for (const ast::ExprPtr& a : e.args) visit(a);
  }
}

void Resolver::visit_name(const ast::Expr& e) { use(e.span, value_named(e.text)); }

void Resolver::visit_call(const ast::Expr& e) {
  int symbol = look(&RubricNames::functions, e.text);
  if (symbol < 0) {
    if (const int rubric = rubric_named(e.text); rubric >= 0)
      symbol = rubrics_[static_cast<std::size_t>(rubric)].symbol;
  }
  use(e.word, symbol);
  visit_loop(e.loop.get(), e.span, [this, &e] {
    for (const ast::ExprPtr& a : e.args) visit(a);
  });
}

void Resolver::visit_field(const ast::Expr& e) {
  const ast::Expr& base = *e.args[0];
  visit(base);
  if (base.kind == ast::ExprKind::name && value_named(base.text) < 0) {
    NameSpace RubricNames::*space = base.text == "input"        ? &RubricNames::inputs
                                    : base.text == "gates"      ? &RubricNames::gates
                                    : base.text == "dimensions" ? &RubricNames::dimensions
                                                                : nullptr;
    if (space != nullptr) {
      int symbol = look(space, e.text);
      if (symbol < 0 && space == &RubricNames::inputs) symbol = input_of_record(e.text);
      return use(e.word, symbol);
    }
  }
  // dimensions and gates of an earlier verdict, or of another rubric's
  if (base.kind == ast::ExprKind::field && (base.text == "dimensions" || base.text == "gates") && model_ != nullptr) {
    const TypeId type = type_at(*base.args[0]);
    const int rubric = type != kUnknown && model_->types[type].verdict ? model_->types[type].rubric : -1;
    const int index = rubric >= 0 ? rubric_named(model_->rubrics[static_cast<std::size_t>(rubric)].name) : -1;
    if (index >= 0)
      return use(e.word, look_in(index, base.text == "gates" ? &RubricNames::gates : &RubricNames::dimensions, e.text));
  }
  const int symbol = field_of(type_at(base), e.text);
  if (symbol >= 0) return use(e.word, symbol);
  // a column of the table to which this row belongs
  const ast::Expr* row = &base;
  if (row->kind == ast::ExprKind::name) {
    const int* at = used_.find(place(row->span));
    const NameUse* named = at != nullptr ? &names_.uses[static_cast<std::size_t>(*at)] : nullptr;
    if (named != nullptr && names_.of(*named).value != nullptr) row = names_.of(*named).value;
  }
  const int* called = row->kind == ast::ExprKind::call ? used_.find(place(row->word)) : nullptr;
  if (called == nullptr) return;
  const int table = names_.uses[static_cast<std::size_t>(*called)].symbol;
  for (std::size_t i = 0; i < names_.symbols.size(); ++i) {
    const Symbol& column = names_.symbols[i];
    if (column.parent == table && column.kind == NameKind::column && column.name == e.text)
      return use(e.word, static_cast<int>(i));
  }
}

void Resolver::visit_index(const ast::Expr& e) {
  visit(e.args[0]);
  visit(e.args[1]);
  const ast::Expr &base = *e.args[0], &key = *e.args[1];
  const bool named = base.kind == ast::ExprKind::name || base.kind == ast::ExprKind::field;
  if (!named || (base.text != "dimensions" && base.text != "gates")) return;
  if (key.kind != ast::ExprKind::text || !key.literal.plain()) return;
  use(within_quotes(key.literal),
      look(base.text == "gates" ? &RubricNames::gates : &RubricNames::dimensions, key.literal.str()));
}

void Resolver::visit_record(const ast::Expr& e) {
  for (std::size_t i = 0; i < e.args.size(); ++i) {
    const ast::Expr& value = *e.args[i];
    const bool shorthand = value.kind == ast::ExprKind::name && value.span.begin == e.fields[i].span.begin;
    if (shorthand) {
      use(value.span, value_named(value.text), true);
    } else {
      visit(value);
    }
  }
}

void Resolver::visit_params(const std::vector<ast::Param>& params, Span scope, int parent) {
  for (const ast::Param& param : params) {
    visit_kind(param.kind.get());
    if (param.name.text.empty()) continue;
    const int symbol = push(param.name.text, param.name.span, scope, NameKind::parameter);
    names_.symbols[static_cast<std::size_t>(symbol)].parent = parent;
  }
}

void Resolver::visit_rows(const ast::Rows& rows, std::size_t keys) {
  for (std::size_t i = 0; i < rows.columns.size() && i < keys; ++i)
    use(rows.columns[i].span, value_named(rows.columns[i].text));
  for (const std::vector<ast::Cell>& row : rows.rows) {
    for (const ast::Cell& cell : row) {
      for (const ast::CellPattern& pattern : cell.patterns) {
        visit(pattern.expr);
        for (const ast::CellBound& bound : pattern.bounds) visit(bound.expr);
      }
    }
  }
}

void Resolver::visit_dimension(const ast::Dimension& node) {
  visit_kind(node.kind.get());
  visit(node.weight);
  visit(node.points);
  visit_policy(node.policy);
  visit_body(node.body);
  for (const ast::Dimension& part : node.parts) visit_dimension(part);
  for (const ast::Level& level : node.levels) visit(level.number);
  visit_text(node.prose);
}

void Resolver::visit_cohort(const ast::Cohort& node) {
  RubricNames& cohort = cohorts_.emplace_back();
  RubricNames* const rubric = current_;
  cohort.index = rubric != nullptr ? rubric->index : -1;
  current_ = &cohort;
  declare_items(node.items);
  around_ = rubric;
  for (const ast::Item& inner : node.items) visit_item(inner);
  current_ = rubric;
  around_ = nullptr;
}

void Resolver::visit_item(const ast::Item& item) {
  const std::size_t depth = scope_.size();
  const Span all = item.span;
  std::visit(
      [this, all](const auto& n) {
        using T = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<T, ast::Scale>) {
          visit(n.low);
          visit(n.high);
          for (const auto& bound : n.bounds) visit(bound.second);
        } else if constexpr (std::is_same_v<T, ast::HistoryBy>) {
          use(n.name.span, input_of_record(n.name.text));
        } else if constexpr (std::is_same_v<T, ast::Check>) {
          visit_loop(n.loop.get(), all, [this, &n] {
            visit(n.condition);
            visit(n.path);
            visit_text(n.prose);
          });
        } else if constexpr (std::is_same_v<T, ast::Fn>) {
          visit_kind(n.result.get());
          visit_params(n.params, all, declared_at(n.name.span));
          visit_body(n.body);
        } else if constexpr (std::is_same_v<T, ast::Table>) {
          const int table = declared_at(n.name.span);
          for (const ast::Name& param : n.params) {
            const int symbol = push(param.text, param.span, all, NameKind::parameter);
            names_.symbols[static_cast<std::size_t>(symbol)].parent = table;
          }
          visit_rows(n.rows, n.params.size());
        } else if constexpr (std::is_same_v<T, ast::Hook>) {
          visit_kind(n.result.get());
          visit_params(n.params, all, declared_at(n.name.span));
        } else if constexpr (std::is_same_v<T, ast::Dimension>) {
          visit_dimension(n);
        } else if constexpr (std::is_same_v<T, ast::Cap>) {
          int symbol = look(&RubricNames::dimensions, n.target.text);
          if (symbol < 0) symbol = look(&RubricNames::values, n.target.text);
          use(n.target.span, symbol);
          visit(n.at);
          visit(n.when);
          visit_text(n.prose);
        } else if constexpr (std::is_same_v<T, ast::Adjustment>) {
          visit_loop(n.loop.get(), all, [this, &n] {
            visit_text(n.label);
            visit_body(n.body);
            visit_text(n.prose);
          });
        } else if constexpr (std::is_same_v<T, ast::Bands>) {
          for (const ast::Name& param : n.params) use(param.span, value_named(param.text));
          visit_rows(n.rows, n.params.size());
          for (const ast::Name& column : n.rows.columns) {
            if (column.text == n.name.text) use(column.span, declared_at(n.name.span));
          }
        } else if constexpr (std::is_same_v<T, ast::Flag>) {
          visit_loop(n.loop.get(), all, [this, &n] {
            visit_text(n.label);
            visit(n.when);
            visit_text(n.prose);
          });
        } else if constexpr (std::is_same_v<T, ast::Advice>) {
          visit_loop(n.loop.get(), all, [this, &n] {
            visit_text(n.text);
            visit(n.when);
          });
        } else if constexpr (std::is_same_v<T, ast::Rank>) {
          for (const ast::OrderKey& key : n.keys) visit(key.expr);
        } else if constexpr (std::is_same_v<T, ast::Cohort>) {
          visit_cohort(n);
        } else if constexpr (std::is_same_v<T, ast::Context>) {
          for (const ast::ContextWeight& weight : n.weights) {
            use(weight.name.span, look(&RubricNames::dimensions, weight.name.text));
            visit(weight.weight);
          }
        } else if constexpr (std::is_same_v<T, ast::Example>) {
          visit_example(n);
        } else {
          std::apply([&](const auto&... part) { (visit_part(part), ...); }, n.parts());
        }
      },
      item.node);
  scope_.resize(depth);
}

}  // namespace assay
