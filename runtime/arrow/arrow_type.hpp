// The supported types of Arrow, read from a schema of the C data interface.
#pragma once

#include <assay/arrow_abi.h>
#include <assay/assay.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

enum class ArrowKind : std::uint8_t {
  null,
  boolean,
  integer,   // of `bytes` bytes, signed or not
  floating,  // of `bytes` bytes: 2, 4, 8
  decimal,   // of `bytes` bytes, with `scale` digits after the point, possibly negative
  text,      // offsets of `bytes` bytes
  text_view,
  list,        // offsets of `bytes` bytes
  list_view,   // offsets and sizes of `bytes` bytes
  fixed_list,  // `count` items each
  record,
  map,
  unsupported,
};

struct ArrowType {
  std::string name, format;
  ArrowKind kind = ArrowKind::unsupported;
  int bytes = 0;
  bool is_signed = false;
  int scale = 0;
  std::int64_t count = 0;
  std::vector<ArrowType> children;
  std::unique_ptr<ArrowType> dictionary;  // `kind` is then that of the indices
  bool wanted = true;                     // false: the rubric does not name it, and it is ignored

  // The kind of the values.
  ArrowKind value_kind() const { return dictionary ? dictionary->kind : kind; }
};

// Names and types of all columns are the same.
bool same_type(const ArrowType& a, const ArrowType& b);

// Returns an error of the schema, or nothing.
std::optional<InputError> read_type(const ArrowSchema& schema, ArrowType& type);

InputError arrow_error(std::string_view path, const std::string& message);

}  // namespace assay
