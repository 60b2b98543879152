// Reads a record straight into the registers of a kernel (lang/kernel/kernel.hpp): one pass over the text, no values in between. A
// key is first compared with the one that is expected at its place; what is expected is learned from the records before
// (runtime/registers/object_layout.hpp), as is whether they are written with spaces. A key in another place is found by its hash.
//
// It is a fast path of the complete reader (runtime/input/inputs.hpp), for what nearly every record is. All inputs of the
// rubric are checked, also those that the kernel does not read. Whatever surprises, an error included, is left to the
// complete reader and the VM, which begin the record anew; so what is accepted has to mean exactly what that one would
// have read (tests/unit/register_reader_test.cpp compares the two), and taking it out changes nothing but the time.
#pragma once

#include "runtime/registers/object_layout.hpp"

#include <assay/limits.hpp>

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace assay {

class RegisterReader {
 public:
  // How many bytes have to be readable after a record, whatever they are.
  static constexpr std::size_t kPadding = 64;

  // `model` must outlive it. `strict`: records with a key that the rubric does not name are not read.
  RegisterReader(const Model& model, int rubric, std::shared_ptr<const Kernel> kernel, const Limits& limits,
                 bool strict = false);
  // False: the kernel has an input that this reader does not know, and no record is read.
  bool usable() const { return layouts_.usable(); }
  // `line` holds no line feed and is followed by "\n", "\r\n" or a byte 0. Fills the kernel's input registers, and for each
  // of its results that is an input (KernelResult::Kind::input) the text of that slot as it stands in the record, with
  // its quotes: shown[slot]; {} when there is none. Such a text is as a verdict writes it. False: nothing is known
  // about the record, and registers and texts are undefined.
  bool read(std::string_view line, std::int64_t* registers, std::string_view* shown);
  // The same for a text whose end is not known yet, which saves looking for it: from p on, up to a line feed or a
  // byte 0, behind which kPadding bytes have to be readable. Returns where that is, or null.
  const char* record(const char* p, std::int64_t* registers, std::string_view* shown);

 private:
  struct Text {
    std::uint64_t first = 0, last = 0;  // eight bytes, or all of them
    const char* begin = nullptr;
    std::size_t size = 0;
  };
  // Each reads from p and returns what follows, or null.
  template <bool kWide>
  const char* object(const char* p, ObjectLayout& layout, int depth);
  const char* value(const char* p, const FieldPlace& place, int depth);
  const char* checked(const char* p, const FieldPlace& place);
  const char* any_number(const char* p, const FieldPlace& place);
  const char* text(const char* p, const FieldPlace& place);
  const char* texts(const char* p, const FieldPlace& place);
  const char* list(const char* p, const FieldPlace& place, int depth);
  const char* skip(const char* p, int depth);
  ExpectedField* locate(const char*& p, ObjectLayout& layout, ExpectedField& before, bool first, int depth);
  void learn(ExpectedField& before, ExpectedField& found);
  bool complete(const ObjectLayout& layout, std::size_t word, std::uint64_t given);
  std::size_t different(std::size_t count);
  // Shared with the rows of tables (runtime/registers/register_values.hpp).
  friend class ColumnPlaces;
  friend class RegisterCells;
  friend class NpyRegisters;
  void begin(std::int64_t* registers, std::string_view* shown);
  bool put_text(const char* begin, std::size_t size, const FieldPlace& place);
  bool add_item(const char* begin, std::size_t size, const FieldPlace& place, const TextNumbers* choices,
                std::size_t& count);
  bool put_items(const FieldPlace& place, std::size_t count);

  std::shared_ptr<const Kernel> kernel_;
  Limits limits_;
  bool strict_;
  ObjectLayouts layouts_;
  char* registers_ = nullptr;  // of the record being read
  std::string_view* shown_ = nullptr;
  std::vector<std::uint32_t> shown_slots_;
  std::vector<Text> set_;              // the items of a set
  std::vector<std::uint32_t> places_;  // of them, when they are many
  std::vector<std::uint64_t> seen_;    // of objects with more than 64 fields
  std::uint64_t records_ = 0;
  std::uint64_t restyle_ = 16, misfits_ = 0;  // keys with other spaces than expected, and how many are too many
};

}  // namespace assay
