// The common base of the checker's parts: reporting mistakes and doubts, looking up declarations, and quoting the
// author. A part is a class that derives from this one (or from ExprBuilder) and refers to the state of the run; it
// only owns data of its own subject.
#pragma once

#include "lang/check/state/checker_state.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay {

class CheckBase {
 public:
  explicit CheckBase(CheckState& state)
      : state_(state),
        budget_(state.budget),
        sources_(state.sources),
        diagnostics_(&state.diagnostics),
        model_(state.model),
        types_(state.model.types),
        declared_(state.declared) {}
  CheckBase(const CheckBase&) = delete;
  CheckBase& operator=(const CheckBase&) = delete;

 protected:
  ~CheckBase() = default;

  Diagnostic& error(Code code, Span span, std::string message, std::string label = {}, FixIt fix = {}) {
    return state_.reports.error(code, span, std::move(message), std::move(label), std::move(fix));
  }
  void doubt(Code code, Span span, int rubric, std::string message, FixIt help);
  bool is_own(Span span, int rubric) const;
  FixIt near_or_all(std::string_view name,
                    const std::vector<std::string_view>& candidates) const;  // or lists the candidates
  FixIt did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates) const;
  FixIt field_meant(std::string_view name, const Type& record) const;
  std::string source_text(Span span) const { return std::string(sources_.text(span)); }
  std::string short_text(Span span) const;
  // Whether it is in a file that is not a rubric, and how a type is named there: such a file is not quoted.
  bool is_foreign(Span span) const { return !sources_.file(span.file).rubric; }
  std::string say_of(TypeId type, Span span) const {
    return is_foreign(span) ? types_.say_kind(type) : types_.say(type);
  }

  RubricContext& rubric(int index) { return *declared_.rubrics[static_cast<std::size_t>(index)]; }
  RubricModel& model(const RubricContext& rc) { return model_.rubrics[static_cast<std::size_t>(rc.index)]; }
  void declare(RubricContext& rc) { state_.declare(rc); }
  // Declarations other than values, searched from a rubric outwards.
  int find(std::string_view name, NameMap DeclaredNames::*space, int rubric);
  int find_rubric(std::string_view name);
  bool import_text(const ast::Text& from, std::string& shown, std::string& text);  // false after an error

  bool read_number(const ast::Expr& literal, Number& n);  // "60%" is 0.6; false: the number is not allowed here

  const Interval& range_of(const Expr* e) const { return types_[e->type].range; }
  TypeKind kind_of(const Expr* e) const { return types_.kind(e->type); }
  bool is_constant(const Expr* e) const { return e->op == Op::constant; }
  NumberPool& numbers() { return model_.constants.numbers(); }

  CheckState& state_;
  Budget& budget_;
  Sources& sources_;
  Diagnostics* diagnostics_;
  Model& model_;
  TypeTable& types_;
  Declared& declared_;
};

}  // namespace assay
