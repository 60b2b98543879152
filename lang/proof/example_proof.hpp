// Proofs about the examples of a rubric: whether a record can be as given, and whether the verdict can be as expected.
// An example that expects an error may give anything. Reported as warnings.
#pragma once

#include "lang/proof/known/known.hpp"
#include "lang/syntax/ast.hpp"

#include <optional>
#include <set>
#include <string>

namespace assay {

class ExampleProof {
 public:
  // `hopeless`: a warning tells of a gate that no record passes, so nothing is said of the status again.
  ExampleProof(const Model& model, Diagnostics& diagnostics, Knowledge& knowledge, int rubric, bool hopeless)
      : model_(model), diagnostics_(diagnostics), known_(knowledge), rubric_(rubric), hopeless_(hopeless) {}

  void example(const ast::Example& node);

 private:
  void ranked(const ast::Example& node);
  void repeated_keys(const ast::Expr& e);
  void record(const ast::Expr& e, const RubricModel& rubric);
  void rejected_at(const ast::Example& node, const RubricModel& rubric);
  void fields(const ast::Expr& e, const std::vector<Field>& fields, const std::string& path);
  void given(const ast::Expr& e, TypeId type, bool may_be_missing, const std::string& path);
  void verdict(const ast::Expr& e, const RubricModel& rubric, int index);
  void expected(const ast::Expr& e, TypeId type, const Known& known, int decimals, const std::string& path);
  void expected_number(const ast::Expr& e, const Known& known, int decimals, const std::string& path);
  void expected_parts(const ast::Expr& e, TypeId type, int decimals, const std::string& path);
  Known of_type(TypeId type, bool may_be_missing) const;
  TypeId alternative_of(const ast::Expr& e, const Type& either) const;  // kUnknown: none of them
  std::optional<Number> number(const ast::Expr& e);
  void refuse(const ast::Expr& e, TypeId type, const std::string& path);
  std::string fitting(const ast::Expr& e, TypeId type);
  void never(const ast::Expr& e, const std::string& path, const std::string& what, std::string instead = {});
  std::string shown(const ast::Expr& e);

  const Model& model_;
  Diagnostics& diagnostics_;
  Knowledge& known_;
  const int rubric_;
  const bool hopeless_;
  std::set<std::string> names_;
  std::optional<std::vector<std::string>>
      rejected_;  // collects the paths of what would be refused, instead of reporting
  NumberPool pool_;
};

}  // namespace assay
