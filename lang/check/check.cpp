// The whole run: loads the files, declares everything in them, checks the main rubric and those that it needs, and
// reports doubts if there is no error.
#include "lang/check/check.hpp"
#include "lang/check/file_loader.hpp"
#include "lang/check/rubric/rubric_parts.hpp"
#include "lang/proof/depth.hpp"

namespace assay {

namespace {

// The run, over the parts that check rubrics.
class Checker : public RubricPart {
 public:
  Checker(CheckState& state, Expressions& expressions, RubricParts& parts)
      : RubricPart(state, expressions, parts), files_(state) {
    types_.charge_to(&budget_);
    numbers().charge_to(&budget_);
    state_.declare = [this](RubricContext& rc) { rubrics_.declare(rc); };
  }
  ~Checker() {
    types_.charge_to(nullptr);
    numbers().charge_to(nullptr);
  }

  void run(const ast::File& file, const ast::Expr* expression, int* expression_item);
  std::deque<ast::File> take_imported() { return files_.take_imported(); }  // call after run()

 private:
  FileLoader files_;
};

void Checker::run(const ast::File& file, const ast::Expr* expression, int* expression_item) {
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
      if (rc.parent >= 0 || !rc.declared || rc.finished) continue;
      if (model_.rubrics[i].verdict_items.empty()) continue;
      rubrics_.finish(rc, false);
      more = true;
    }
  }
  if (!declared_.rubric_nodes.empty()) calls_.check_unused_fns();
  calls_.check_useless_defaults();
  tables_.check_table_keys();
  if (diagnostics_->has_errors()) return;
  measure_depth(model_, budget_);
  doubts_.report_doubts(main >= 0 ? &rubric(main) : nullptr);
}

std::unique_ptr<Model> run_checker(const ast::File& file, Sources& sources, const Importer& importer,
                                   Diagnostics& diagnostics, Budget& budget, std::size_t source_bytes,
                                   const ast::Expr* expression, int* item, std::deque<ast::File>* imported,
                                   CheckNotes* notes) {
  auto model = std::make_unique<Model>();
  CheckState state{budget, sources, importer, source_bytes, diagnostics, *model, notes, {sources, diagnostics, budget}};
  Expressions expressions(state);
  RubricParts parts(state, expressions);
  Checker checker(state, expressions, parts);
  checker.run(file, expression, item);
  if (imported != nullptr) *imported = checker.take_imported();
  return model;
}

}  // namespace

std::unique_ptr<Model> check(const ast::File& file, Sources& sources, const Importer& importer,
                             Diagnostics& diagnostics, Budget& budget, std::size_t source_bytes,
                             std::deque<ast::File>* imported, CheckNotes* notes) {
  return run_checker(file, sources, importer, diagnostics, budget, source_bytes, nullptr, nullptr, imported, notes);
}

std::unique_ptr<Model> check_with_expression(const ast::File& file, Sources& sources, const Importer& importer,
                                             Diagnostics& diagnostics, Budget& budget, std::size_t source_bytes,
                                             const ast::Expr* expression, int& item) {
  item = -1;
  return run_checker(file, sources, importer, diagnostics, budget, source_bytes, expression, &item, nullptr, nullptr);
}

}  // namespace assay
