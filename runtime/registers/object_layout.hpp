// The expected form of a record, for a reader that fills registers (runtime/registers/register_reader.hpp): for each place
// of a value, its type and the kernel inputs that read it; for each object, its keys as bytes to compare with, and
// their expected order. Made from the model and the kernel. The order is learned from the records and affects only the
// time.
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

// How a register takes a value: directly, or combined with the other items of a list.
enum class Take : std::uint8_t { set, all, any };

// A register in memory, `at` bytes after the first register of the record.
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

// Texts encoded as numbers: the names of a symbol input, the choices of a type.
class TextNumbers {
 public:
  static constexpr std::int64_t kNone = -1;
  void add(std::string_view text, std::int64_t number);  // of equal texts, the first counts
  void index();
  // The number of a text, or kNone. kBlock bytes after it must be readable.
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
    std::string text;  // followed by kBlock zeros
    std::size_t size = 0;
    std::int64_t number = 0;
  };
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> table_;
  std::size_t mask_ = 0;
};

// A place of a value in a record.
struct FieldPlace {
  enum class Kind : std::uint8_t {
    number,  // to a register
    truth,   // to a register
    text,
    record,
    texts,  // a list of texts
    list,
    any,
    checked,  // a number or a truth for no register, or for several
    end,      // the end of the object, without a value
    unknown,  // a value that this reader cannot read
  } kind = Kind::unknown;
  std::uint8_t decimals = 0;   // number
  std::uint8_t shift = 0;      // number with up to three decimals: by how many bits to shift four digits into place
  std::uint32_t fraction = 0;  // … and 8 times the decimals; others: 0
  bool set = false;            // texts: only distinct ones count
  bool wide = false;           // record: more than 64 fields
  Register reg = kNoReg;       // number, truth, text (symbol), list (count)
  Register given = kNoReg;     // set to 1 if there is a value
  std::uint32_t at = 0;        // of the register
  std::uint32_t given_at = 0;  // of the register `given`; without one, equal to `at`, which is written afterwards
  std::int64_t low = 0;  // number: the register holds low … low + span; list: span is the largest number of items
  std::uint64_t span = 0;
  ObjectLayout* layout = nullptr;         // record
  const FieldPlace* element = nullptr;    // list
  const ValuePlan* plan = nullptr;        // the type
  std::unique_ptr<TextNumbers> numbers;   // text: null: any text, ignored by the kernel
  std::int64_t otherwise = 0;             // text: the number of any other text; kNone: no other is allowed
  int shown = -1;                         // text: its slot, if the verdict shows the text
  std::vector<RegisterWrite> more_given;  // list, record: further registers like `given`
  // truth in a list: its registers (value unused); list: set before the first item
  std::vector<RegisterWrite> folds;
};

// A field of an object, laid out so that a record in the expected order touches only two of its cache lines.
struct alignas(64) ExpectedField {
  static constexpr std::size_t kPattern = 32;
  char pattern[kPattern + kBlock] = {};  // ,"name": or , "name":  … as much as fits
  std::uint32_t mask = 0;                // which bytes of `pattern` count
  std::uint32_t size = 0;                // of the whole pattern; more than kPattern: `rest` follows
  ExpectedField* next = nullptr;         // the field that is expected after this one
  std::uint64_t bit = 0;                 // its bit in its word
  std::uint32_t word = 0;
  std::uint32_t turns = 0;         // how often it was `other`, since record `since`
  ExpectedField* other = nullptr;  // … or this one
  std::uint64_t since = 0;
  FieldPlace place;
  std::string name;  // followed by kBlock zeros
  std::size_t name_size = 0;
  std::string rest;                   // the rest of the pattern, followed by kBlock zeros
  bool required = false;              // the kernel declines a record without it
  std::vector<RegisterWrite> absent;  // register contents for a record without it

  void set_pattern(bool spaced);
  // Whether the text at p begins with the pattern; `care`: which of its first bytes are compared.
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

  // The field of that name, or null. kBlock bytes after the name must be readable.
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
  bool usable() const { return usable_; }  // false: an input has a form that this file does not support
  ObjectLayout& top() { return *top_; }
  // Whether records are expected to have a space after each comma and colon, as some libraries write them.
  bool spaced() const { return spaced_; }
  void set_spaced(bool spaced);

 private:
  // An input that is being placed: the remaining steps of its path, or of its path within an item.
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
  void lay_out();  // assigns the registers

  RecordPlans plans_;
  std::vector<std::unique_ptr<ObjectLayout>> layouts_;
  std::map<const RecordPlan*, ObjectLayout*> shared_;  // for objects that no input reads
  std::vector<std::unique_ptr<FieldPlace>> elements_;
  std::map<const ValuePlan*, const FieldPlace*> shared_elements_;
  std::vector<Pending> pending_;
  ObjectLayout* top_ = nullptr;
  bool usable_ = true;
  bool spaced_ = false;
};

}  // namespace assay
