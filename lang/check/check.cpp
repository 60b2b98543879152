// The whole run: loads the files, declares everything in them, checks the main rubric and those that it needs, and
// reports doubts if there is no error.
#include "lang/check/check.hpp"
#include "lang/check/file_loader.hpp"
#include "lang/check/rubric/rubric_parts.hpp"
#include "lang/check/sense/said/said_checker.hpp"
#include "lang/proof/depth.hpp"

namespace assay {

namespace {

// The run, over the parts that check rubrics.
class Checker : public RubricPart {
 public:
  Checker(CheckState& state, Expressions& expressions, RubricParts& parts)
      : RubricPart(state, expressions, parts), files_(state) {
    state_.declare = [this](RubricContext& rc) { rubrics_.declare(rc); };
  }

  void run(const ast::File& file, const ast::Expr* expression, int* expression_item);
  std::deque<ast::File> take_imported() { return files_.take_imported(); }  // call after run()
  void report_doubts();                                                     // call after run()

 private:
  FileLoader files_;
};

// Charges what types and constants keep to the budget during its lifetime.
class Charged {
 public:
  Charged(TypeTable& types, NumberPool& numbers, Budget& budget) : types_(types), numbers_(numbers) {
    types_.charge_to(&budget);
    numbers_.charge_to(&budget);
  }
  ~Charged() {
    types_.charge_to(nullptr);
    numbers_.charge_to(nullptr);
  }
  Charged(const Charged&) = delete;
  Charged& operator=(const Charged&) = delete;

 private:
  TypeTable& types_;
  NumberPool& numbers_;
};

void Checker::run(const ast::File& file, const ast::Expr* expression, int* expression_item) {
  const Charged charged(types_, numbers(), budget_);
  state_.main_file = file.file;
  files_.load_imports_of(file);
  state_.reports.note_unread();
  for (const ast::File& f : files_.imported()) {
    for (const ast::Item& item : f.items) rubrics_.declare_file_item(item, declared_.file_names, -1);
  }
  for (const ast::Item& item : file.items) rubrics_.declare_file_item(item, declared_.file_names, -1);
  if (file.rubrics.empty()) {
    const bool module = !file.items.empty();
    if (!module && !diagnostics_->has_errors()) {
      error(Code::no_rubric, Span{file.file, 0, 0}, "this file declares no rubric", "",
            "begin with: rubric name \"What it scores\" { … }");
    }
  }
  for (std::size_t i = 0; i < declared_.rubric_nodes.size(); ++i) {
    auto rc = std::make_unique<RubricContext>();
    rc->node = declared_.rubric_nodes[i];
    rc->index = static_cast<int>(i);
    declared_.rubric_index[declared_.rubric_nodes[i]->name.text] = rc->index;
    declared_.rubrics.push_back(std::move(rc));
    model_.rubrics.emplace_back();
  }
  int main = -1;
  if (!file.rubrics.empty()) {
    main = find_rubric(file.rubrics.back().name.text);
    model_.main = main;
  }
  if (expression && main >= 0) {
    RubricContext& rc = rubric(main);
    rubrics_.declare(rc);
    *expression_item = define(rc, ItemKind::hidden, "expression", expression->span, expression->span, "",
                              [this, expression](Context& cx) { return exprs_.expr(*expression, cx); });
  }
  std::set<std::string_view> bases;
  for (const ast::Rubric& r : file.rubrics) bases.insert(r.extends.text);
  for (const ast::Rubric& r : file.rubrics) {
    const int index = find_rubric(r.name.text);
    if (rubric(index).node != &r) continue;
    if (index == main || !bases.count(r.name.text)) rubrics_.finish(rubric(index), index == main);
  }
  // For rubrics that others apply: the fields that they use are known by now.
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < declared_.rubrics.size(); ++i) {
      RubricContext& rc = *declared_.rubrics[i];
      if (rc.cohort.parent >= 0 || !rc.progress.declared || rc.progress.finished) continue;
      if (model_.rubrics[i].verdict.items.empty()) continue;
      rubrics_.finish(rc, false);
      more = true;
    }
  }
  if (!declared_.rubric_nodes.empty()) calls_.check_unused_fns();
  calls_.check_useless_defaults();
  tables_.check_table_keys();
  if (!diagnostics_->has_errors()) measure_depth(model_, budget_);
}

void Checker::report_doubts() {
  if (diagnostics_->has_errors()) return;
  const Charged charged(types_, numbers(), budget_);
  if (model_.main >= 0) SaidChecker(state_).look(rubric(model_.main));
  doubts_.report_doubts(model_.main >= 0 ? &rubric(model_.main) : nullptr);
}

}  // namespace

struct CheckRun::Impl {
  Impl(Sources& sources, const Importer& importer, Diagnostics& diagnostics, Budget& budget, std::size_t source_bytes,
       CheckNotes* notes)
      : model(std::make_unique<Model>()),
        state{budget, sources, importer, source_bytes, diagnostics, *model, notes, {sources, diagnostics, budget}},
        expressions(state),
        parts(state, expressions),
        checker(state, expressions, parts) {}

  std::unique_ptr<Model> model;  // until it is given away
  CheckState state;
  Expressions expressions;
  RubricParts parts;
  Checker checker;
};

CheckRun::CheckRun(Sources& sources, const Importer& importer, Diagnostics& diagnostics, Budget& budget,
                   std::size_t source_bytes, CheckNotes* notes)
    : impl_(std::make_unique<Impl>(sources, importer, diagnostics, budget, source_bytes, notes)) {}
CheckRun::~CheckRun() = default;

std::unique_ptr<Model> CheckRun::check(const ast::File& file, std::deque<ast::File>* imported) {
  impl_->checker.run(file, nullptr, nullptr);
  if (imported != nullptr) *imported = impl_->checker.take_imported();
  return std::move(impl_->model);
}

void CheckRun::report_doubts() { impl_->checker.report_doubts(); }

std::unique_ptr<Model> check_with_expression(const ast::File& file, Sources& sources, const Importer& importer,
                                             Diagnostics& diagnostics, Budget& budget, std::size_t source_bytes,
                                             const ast::Expr* expression, int& item) {
  item = -1;
  CheckRun::Impl run(sources, importer, diagnostics, budget, source_bytes, nullptr);
  run.checker.run(file, expression, &item);
  run.checker.report_doubts();
  return std::move(run.model);
}

}  // namespace assay
