// Which fields of a .npy file are inputs of a rubric, and as what they are read. Fields that the rubric does not name are
// passed over, as keys of a record are, unless reading is strict; a field that is an input and cannot be read as one
// refuses the file.
#pragma once

#include "repl/npy_header.hpp"

#include <assay/assay.hpp>

#include <optional>
#include <string>
#include <vector>

namespace assay::cli {

struct NpyInput {
  NpyField field;
  enum class Kind : std::uint8_t {
    number,
    truth,
    text,
    texts,  // a list of them
    other,  // what no column holds (a list of numbers, an entry of a map); records do
  } kind = Kind::other;
};

// In the order of the table. Nothing, and a `problem` that ends "cannot read 'x': ", when a field does not fit;
// `strict`: when the rubric does not name it, too.
std::optional<std::vector<NpyInput>> npy_inputs(const NpyTable& table, const Rubric& rubric, bool strict,
                                                std::string& problem);

// What both ways of reading rows make of a value: bytes of a text without the zeros behind it.
std::string_view npy_bytes(const char* item, std::size_t size);
// Appends a text of 32-bit characters as UTF-8 (what is no character: see append_utf8).
void append_npy_unicode(std::string& out, const char* item, std::size_t size);

}  // namespace assay::cli
