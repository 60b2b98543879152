// Reads a record directly into the registers of a kernel (lang/kernel/kernel.hpp), in one pass over the text. A key is
// first compared with the one expected at its position; the expected order, and whether records contain spaces, are
// learned from earlier records (runtime/registers/object_layout.hpp). A key at another position is found by its hash.
//
// It is a fast path of the complete reader (runtime/input/inputs.hpp) for the usual record. It checks all inputs of the
// rubric, including those that the kernel does not read. Anything unexpected, including an error, is left to the
// complete reader and the VM, which start the record again. So whatever this reader accepts must mean exactly what the
// complete one would have read (tests/unit/register_reader_test.cpp compares the two), and removing it would only cost
// time.
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
  // How many bytes, with any contents, must be readable after a record.
  static constexpr std::size_t kPadding = 64;

  // `model` must outlive it. `strict`: declines records with a key that the rubric does not name.
  RegisterReader(const Model& model, int rubric, std::shared_ptr<const Kernel> kernel, const Limits& limits,
                 bool strict = false);
  // False: the kernel has an input that this reader does not support, and no record is read.
  bool usable() const { return layouts_.usable(); }
  // `line` contains no line feed and is followed by "\n", "\r\n" or a byte 0. Fills the kernel's input registers, and
  // for each of its results that is an input (KernelResult::Kind::input) the text of that slot as written in the
  // record, with its quotes: shown[slot]; {} if absent. A verdict writes such a text unchanged. False: the record has
  // to be read by the complete reader, and registers and texts are undefined.
  bool read(std::string_view line, std::int64_t* registers, std::string_view* shown);
  // The same for a text whose end is not known yet, which saves searching for it: the record at p ends at a line feed
  // or a byte 0, followed by kPadding readable bytes. Returns that position, or null.
  const char* record(const char* p, std::int64_t* registers, std::string_view* shown);

 private:
  struct Text {
    std::uint64_t first = 0, last = 0;  // its first and last eight bytes, or all of them
    const char* begin = nullptr;
    std::size_t size = 0;
  };
  // Each reads from p and returns the position after the value, or null.
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
  // Shared with the readers of table rows (runtime/registers/register_values.hpp).
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
  std::vector<std::uint32_t> places_;  // their positions, if there are many
  std::vector<std::uint64_t> seen_;    // for objects with more than 64 fields
  std::uint64_t records_ = 0;
  std::uint64_t restyle_ = 16, misfits_ = 0;  // keys with unexpected spaces so far, and how many are too many
};

}  // namespace assay
