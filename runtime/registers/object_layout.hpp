// What a record looks like to a reader that fills registers (runtime/registers/register_reader.hpp): for each place of a value its type
// and the inputs of the kernel that read it, for each object the keys as bytes to compare with and the order in which
// they are expected. Made from the model and the kernel; the order is learned from the records and decides nothing
// but time.
#pragma once

#include "lang/kernel/kernel.hpp"
#include "runtime/input/record_plan.hpp"
#include "runtime/json/bytes.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct ObjectLayout;

// How a register takes a value: as it is, or together with those of the other items of a list.
enum class Take : std::uint8_t { set, all, any };

// A register in memory, `at` bytes from where those of the record begin.
inline void put_register(char* registers, std::uint32_t at, std::int64_t value) {
  std::memcpy(registers + at, &value, sizeof value);
}

struct RegisterWrite {
  Register reg = kNoReg;
  Take take = Take::set;
  std::int64_t value = 0;
  std::uint32_t at = 0;  // of the register
  void apply(char* registers) const {
    std::int64_t now = 0;
    if (take != Take::set) std::memcpy(&now, registers + at, sizeof now);
    put_register(registers, at, take == Take::set ? value : take == Take::all ? now & value : now | value);
  }
};

// Texts that stand for numbers: the names of a symbol input, the choices of a type.
class TextNumbers {
 public:
  static constexpr std::int64_t kNone = -1;
  void add(std::string_view text, std::int64_t number);  // the first of equal texts counts
  void index();
  // The number of a text, or kNone. kBlock bytes have to be readable after it.
  std::int64_t find(const char* p, std::size_t size) const {
    std::size_t at = static_cast<std::size_t>(fingerprint(p, size)) & mask_;
    while (const std::uint32_t found = table_[at]) {
      const Entry& entry = entries_[found - 1];
      if (entry.size == size && same_bytes(p, entry.text.data(), size)) return entry.number;
      at = (at + 1) & mask_;
    }
    return kNone;
  }

 private:
  struct Entry {
    std::string text;  // and kBlock zeros
    std::size_t size = 0;
    std::int64_t number = 0;
  };
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> table_;
  std::size_t mask_ = 0;
};

// A value at one place of a record.
struct FieldPlace {
  enum class Kind : std::uint8_t {
    number,  // to a register
    truth,   // to a register
    text,
    record,
    texts,  // a list of texts
    list,
    any,
    checked,  // a number or a truth that no register takes, or several do
    end,      // no value: the end of the object
    unknown,  // what this reader does not read
  } kind = Kind::unknown;
  std::uint8_t decimals = 0;   // number
  std::uint8_t shift = 0;      // number with up to three decimals: what brings four digits to their places, in bits
  std::uint32_t fraction = 0;  // … and 8 times the decimals; others: 0
  bool set = false;            // texts: different ones are counted
  bool wide = false;           // record: of more than 64 fields
  Register reg = kNoReg;       // number, truth, text (symbol), list (count)
  Register given = kNoReg;     // is 1 when there is a value
  std::uint32_t at = 0;        // of the register
  std::uint32_t given_at =
      0;                 // of the register `given`; without one that of the register itself, to be written before it
  std::int64_t low = 0;  // number: what the register may hold, low … low + span; list: span is the most items
  std::uint64_t span = 0;
  ObjectLayout* layout = nullptr;         // record
  const FieldPlace* element = nullptr;    // list
  const ValuePlan* plan = nullptr;        // the type
  std::unique_ptr<TextNumbers> numbers;   // text: null: any text, of no meaning to the kernel
  std::int64_t otherwise = 0;             // text: the number of any other; kNone: there is no other
  int shown = -1;                         // text: the slot, when the verdict has its text
  std::vector<RegisterWrite> more_given;  // list, record: further registers like `given`
  std::vector<RegisterWrite> folds;       // truth in a list: where it goes (value unused); list: before the first item
};

// A field of an object, laid out so that a record in the expected order touches two cache lines of it.
struct alignas(64) ExpectedField {
  static constexpr std::size_t kPattern = 32;
  char pattern[kPattern + kBlock] = {};  // ,"name": or , "name":  … as far as it fits
  std::uint32_t mask = 0;                // of the bytes of `pattern` that count
  std::uint32_t size = 0;                // of the whole pattern; more than kPattern: `rest` follows
  ExpectedField* next = nullptr;         // the field that is expected after this one
  std::uint64_t bit = 0;                 // in its word
  std::uint32_t word = 0;
  std::uint32_t turns = 0;         // how often it was `other`, since record `since`
  ExpectedField* other = nullptr;  // … or this one
  std::uint64_t since = 0;
  FieldPlace place;
  std::string name;  // and kBlock zeros
  std::size_t name_size = 0;
  std::string rest;                   // of the pattern, and kBlock zeros
  bool required = false;              // a record without it is not for the kernel
  std::vector<RegisterWrite> absent;  // what its registers hold when the record is without it

  void set_pattern(bool spaced);
  // Whether the text at p begins with the pattern; `care`: of which of its first bytes that is asked.
  bool matches(const char* p, std::uint32_t care) const {
    std::uint32_t same = equal_block(p, pattern);
    if (size <= kBlock) return (~same & mask & care) == 0;
    same |= equal_block(p + kBlock, pattern + kBlock) << kBlock;
    return (~same & mask & care) == 0 && (size <= kPattern || rest_matches(p + kPattern));
  }
  bool rest_matches(const char* p) const;
};

struct ObjectLayout {
  std::vector<ExpectedField> fields;
  ExpectedField end;                  // its `next` is the first field
  std::vector<std::uint64_t> all;     // the bits of all fields
  std::vector<ExpectedField*> table;  // open addressing by fingerprint
  std::size_t mask = 0;

  // The field of that name, or null. kBlock bytes have to be readable after it.
  ExpectedField* find(const char* name, std::size_t size) const {
    std::size_t at = static_cast<std::size_t>(fingerprint(name, size)) & mask;
    for (; ExpectedField* const field = table[at]; at = (at + 1) & mask) {
      if (field->name_size == size && same_bytes(name, field->name.data(), size)) return field;
    }
    return nullptr;
  }
};

class ObjectLayouts {
 public:
  ObjectLayouts(const Model& model, int rubric, const Kernel& kernel);
  bool usable() const { return usable_; }  // false: an input is not as this file knows them
  ObjectLayout& top() { return *top_; }
  // Whether records are expected to be written with a space after each comma and colon, as some libraries do.
  bool spaced() const { return spaced_; }
  void set_spaced(bool spaced);

 private:
  // An input on its way to its place: the steps of its path, or of its path within an item, that are still to go.
  struct Way {
    const KernelInput* input = nullptr;
    bool in_item = false;
    std::size_t step = 0;
    const InputPath& path() const { return in_item ? input->item : input->path; }
    bool arrived() const { return step == path().size(); }
  };
  using Ways = std::vector<Way>;
  struct Pending {
    ObjectLayout* layout;
    const RecordPlan* plan;
    Ways ways;
  };
  ObjectLayout* layout(const RecordPlan& plan, const Ways& ways);  // its fields are filled later
  void fill_pending();
  void fill_layout(ObjectLayout& made, const RecordPlan& plan, const Ways& ways);
  void fill(FieldPlace& place, const ValuePlan& plan, const Ways& ways);
  void fill_list(FieldPlace& place, const ValuePlan& plan, const Ways& ways);
  void absent(ExpectedField& field, const FieldPlan& plan, const Ways& ways);
  const FieldPlace* element(const ValuePlan& plan, const Ways& ways);
  void lay_out();  // says where each register is

  RecordPlans plans_;
  std::vector<std::unique_ptr<ObjectLayout>> layouts_;
  std::map<const RecordPlan*, ObjectLayout*> shared_;  // of objects that no input looks into
  std::vector<std::unique_ptr<FieldPlace>> elements_;
  std::map<const ValuePlan*, const FieldPlace*> shared_elements_;
  std::vector<Pending> pending_;
  ObjectLayout* top_ = nullptr;
  bool usable_ = true;
  bool spaced_ = false;
};

}  // namespace assay
