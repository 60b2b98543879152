// Part of `compile_kernel`: the abstract values of partial evaluation, and the compiler's only class. Its members are
// in kernel_input.cpp (inputs), kernel_expr.cpp, kernel_list.cpp, kernel_table.cpp and kernel_compile.cpp (the whole).
#pragma once

#include "lang/kernel/kernel_builder.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace assay {

inline constexpr int kDepth = 60;    // nested calls
inline constexpr int kNested = 400;  // nested expressions, through the items and functions that they name
inline constexpr std::size_t kExpressions = 200'000;  // expressions visited
inline constexpr std::size_t kInstructions = 4000;
inline constexpr std::size_t kValues = 300'000;  // abstract values, with their parts: lists of lists may double
inline constexpr std::int64_t kItems = 1 << 10;  // items of a list that is counted
inline constexpr std::size_t kRows = 256;        // rows of a table, or values of a list that is searched

// For an unsupported value: the expression that made it unsupported.
struct Reason {
  const Expr* at = nullptr;
  bool large = false;  // only because its number may be too large
};

// The result of partially evaluating an expression. Members that do not belong to its kind are unused.
struct AbstractValue {
  enum class Kind : std::uint8_t {
    unknown,  // kernels do not support it
    missing,
    number,
    truth,  // value: false where it is missing
    text,   // register: position in texts; no register: texts[0]
    range,
    record,   // parts
    list,     // parts, each present if its `present` is true
    input,    // a value of the record: `path`; a list, map, text or record
    uniform,  // for each item of the list at `path`, the value `parts[0]`
    total,    // adjustments whose amounts add up to `number`
    item,     // an item of the list at `path`
  } kind = Kind::unknown;
  Truth given = kYes;
  KernelNumber number;
  Truth value;
  Register reg = kNoReg;
  std::vector<std::string> texts;
  int input = -1;  // text: the symbol input of its register
  RangeData range{};
  std::vector<AbstractValue> parts;
  std::vector<Truth> present;
  InputPath path, inner;
  TypeId type = kUnknown;
  Reason reason;  // unknown
};
using Kind = AbstractValue::Kind;

inline AbstractValue missing() {
  AbstractValue k;
  k.kind = Kind::missing;
  k.given = kNo;
  return k;
}
inline AbstractValue of(const KernelNumber& n, Truth given = kYes) {
  AbstractValue k;
  if (n.bad) {
    k.reason.large = true;
    return k;
  }
  if (given.never()) return missing();
  k.kind = Kind::number;
  k.number = n;
  k.given = given;
  return k;
}
inline AbstractValue of(Truth value, Truth given = kYes) {
  if (given.never()) return missing();
  AbstractValue k;
  k.kind = Kind::truth;
  k.value = value;
  k.given = given;
  return k;
}
inline AbstractValue of_text(std::string text) {
  AbstractValue k;
  k.kind = Kind::text;
  k.texts.push_back(std::move(text));
  return k;
}

class KernelCompiler {
 public:
  explicit KernelCompiler(const KernelRequest& request)
      : request_(request), model_(*request.model), rubric_(model_.rubrics[static_cast<std::size_t>(request.rubric)]) {
    items_.resize(rubric_.items.size());
    kernel_ = std::make_shared<Kernel>();
  }
  std::shared_ptr<const Kernel> run(std::string& why, Span* where);

 private:
  AbstractValue eval(const Expr* e);
  AbstractValue evaluated(const Expr* e);
  AbstractValue item(int index);
  AbstractValue constant(TypeId type, const Value& v);
  AbstractValue input(TypeId type, InputPath path);
  AbstractValue field(const AbstractValue& record, std::uint32_t index, TypeId type);
  AbstractValue choose(Truth when, const AbstractValue& a, const AbstractValue& b);
  AbstractValue compare(const Expr* e);
  AbstractValue equal(const AbstractValue& a, const AbstractValue& b);
  AbstractValue call(const Expr* e);
  AbstractValue builtin(const Expr* e);
  AbstractValue aggregate(Builtin which, const AbstractValue& list);
  static bool adds_up(Builtin which);
  static bool is_plain(const Loop& loop);
  AbstractValue loop(const Expr* e);
  AbstractValue lookup(const Expr* e);
  std::optional<AbstractValue> lookup_bound(const LookupTable& table, const AbstractValue& key);
  std::optional<AbstractValue> lookup_text(const LookupTable& table, std::uint32_t index, const AbstractValue& key);
  AbstractValue pick(const Expr* e);
  AbstractValue adjust(const Expr* e);
  AbstractValue weighted_sum(const Expr* e);
  AbstractValue as_text_register(const AbstractValue& k);  // a text input whose texts are compared with constants
  Truth fits(const AbstractValue& key, const CellTest& test);
  Truth is_text(const AbstractValue& k, const std::string& text);
  AbstractValue one_of_texts(const AbstractValue& one, const AbstractValue& list);
  Truth given_of(const AbstractValue& k);
  AbstractValue count(const AbstractValue& list);
  std::size_t input_index(KernelInput::Kind kind, const InputPath& path, const InputPath& inner);
  void absent(KernelInput& input, const InputPath& path, bool count);
  bool filled(const AbstractValue& known, const KernelNumber& by);
  bool result(int root, int decimals);
  bool rules();
  void finish();
  void note_bounds();
  void refuse(const std::string& who, const Reason& reason);
  std::string construct(const Reason& reason) const;
  bool shows_whole(const Item& item);

  const KernelRequest& request_;
  const Model& model_;
  const RubricModel& rubric_;
  std::shared_ptr<Kernel> kernel_;
  KernelBuilder b_;
  std::vector<std::optional<AbstractValue>> items_;
  std::vector<AbstractValue> locals_;
  std::size_t values_ = 0;  // made so far
  struct SymbolRows {       // the row for each name, and for any other text; complete once all names are known
    std::size_t input = 0;
    std::map<std::string, std::int64_t> rows;
    std::int64_t other = -1;
    Register reg = kNoReg;
  };
  std::vector<SymbolRows> symbol_rows_;
  std::map<std::size_t, std::int64_t> fills_;  // by input: the contents of its register if the number is missing
  int depth_ = 0;                              // of calls
  int nested_ = 0;                             // expressions
  std::size_t looked_at_ = 0;
  Reason reason_;  // of the first unknown value in the current expression
  std::string why_;
  Span where_;
};

}  // namespace assay
