// The explanation of one verdict in words: every stage of the pipeline in order, and the origin of each value. The
// steps inside functions, loops and tables are folded to a line, and shown on request.
#pragma once

#include "runtime/cohort/each_runner.hpp"
#include "runtime/engine/references.hpp"
#include "runtime/explain/entries.hpp"
#include "runtime/explain/trace.hpp"
#include "runtime/hooks/hooks.hpp"
#include "runtime/output/report.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// The author's prose about something, as written after its value.
inline std::string prose(const std::string& text) { return text.empty() ? "" : "  (" + text + ")"; }

struct Explained {
  const Rubric::Impl& rubric;
  const Trace& trace;
  std::vector<bool> given;          // one per slot: whether the record has it
  const Value* slots = nullptr;     // one per slot
  const Value* items = nullptr;     // one per item
  const Number* weights = nullptr;  // in force; null: the defaults
  std::string_view verdict;         // as JSON
  std::vector<HookCall> hooks;      // calls, in order
  std::set<std::string, std::less<>> open;
  std::size_t most_bytes = SIZE_MAX;  // of the text
  const EachRunner* each = nullptr;   // with the second pass of the cohort for this record; null: none
  const Interrupt* interrupt = nullptr;
};

class ExplanationText {
 public:
  explicit ExplanationText(const Explained& what);

  // A sentence about names to open that do not exist, or empty.
  std::string nothing_to_open() const;
  std::string whole();
  // One value and what it was made of, or a deduction, bonus, cap, flag or advice, even one that does not apply.
  std::string single(std::string_view name, bool& unknown);
  bool stopped() const { return stopped_; }  // by the interrupt: the text is incomplete

 private:
  // ---- lookups
  int find_slot(std::string_view name) const;
  int find_item(std::string_view name) const;  // the rubric's declarations come before those of the pipeline
  int find_step(std::string_view name) const;  // in the pipeline, even if an output has the same name
  // "temperature" finds "physiology.temperature" if no other name ends in it
  int find_criterion(std::string_view name) const;
  const Item& item(int index) const { return rubric_.items[static_cast<std::size_t>(index)]; }
  const Value& value(int index) const { return what_.items[index]; }
  bool opens(std::string_view name) const { return all_ || (!name.empty() && what_.open.count(name) > 0); }
  Number weight_of(int index) const;
  std::string of_whole_run(std::string_view name) const;
  const RubricModel& each_rubric() const { return model_.rubrics[static_cast<std::size_t>(what_.each->rubric())]; }
  References asked(const Expr* body, int index) const;

  // ---- values and lines. `whose`: recorded as folded if the value is not shown completely.
  std::string shown(TypeId type, const Value& v, std::string_view whose);
  std::string shown(int index) { return shown(item(index).type, value(index), item(index).name); }
  std::string shown(Number n) { return shown(kNumber, make_number(n), {}); }
  std::string text_of(Span span) const;  // of the source, on one line
  std::string part_of(Span span) const;  // the same, shortened: for steps, which are parts of a formula shown above
  std::string source(int index) const { return text_of(item(index).source); }
  void title(const std::string& text);
  void line(int depth, const std::string& text);
  void work(std::size_t bytes);  // written; from time to time, looks at the interrupt
  bool full() const { return stopped_ || out_.size() > what_.most_bytes; }
  std::string finished();
  std::string origin(int slot) const;
  void slot_text(int slot, int depth);
  std::string with(const Expr* body, int index);
  void parts(int index, int depth);
  void made_of(int index, int depth);

  // ---- the stages (explanation.cpp)
  void inputs();
  void gates();
  void dimension(const DimensionModel& d, int depth);
  void level(const DimensionModel& d, int depth);
  void caps_on(std::string_view of, int depth);
  void dimensions();
  void composite();
  std::string sum_of_dimensions(bool skipped);
  void score();
  std::string kept_on_scale(Number& sum, const std::string& before);
  void band_row(int index, int depth);
  void bands();
  void hooks();
  void kinds(const std::string& heading, ItemKind kind);
  void listed(const ExplainedList& as);

  // ---- steps inside values (explanation_steps.cpp)
  void steps(int index, int depth);
  void opened_calls(std::uint32_t parent, int depth);
  void steps_below(std::uint32_t parent, int depth, bool open);
  void step(std::uint32_t at, int depth, bool open);
  void condition(std::uint32_t at, int depth);
  void call(std::uint32_t at, int depth, bool open);
  void loop(std::uint32_t at, int depth, bool open);
  void round(std::uint32_t at, int depth);
  void row(std::uint32_t at, int depth, bool open);
  bool has_steps(std::uint32_t at) const;
  void hidden_items(const Expr* e, std::vector<int>& found) const;

  // ---- deductions, bonuses, caps, flags and advice (explanation_entries.cpp)
  void adjustments(const AdjustmentRow& step);
  bool flags(const ExplainedList& as);
  bool entry(std::string_view name);
  std::string adjustment(const Value* fields);
  void formula(const EntryList& list, const Entry& entry, std::string_view name, int depth);
  void did_not_come(const EntryList& list);

  // ---- the second pass of a cohort (explanation_cohort.cpp)
  void own_fields(const Expr* e, std::set<std::size_t>& found) const;
  bool second_pass(std::string_view only);

  const Explained& what_;
  const Model& model_;
  const RubricModel& rubric_;
  ValueWriter writer_;
  std::vector<EntryList> entries_;
  Instances instances_;
  bool all_;
  std::string out_;
  std::size_t work_ = 0, next_look_ = 0;
  bool stopped_ = false;
  std::set<int> explained_;
  std::set<std::string> folded_;           // names that show more if they are opened
  std::set<const Expr*> shown_functions_;  // functions whose formula has been shown
};

}  // namespace assay
