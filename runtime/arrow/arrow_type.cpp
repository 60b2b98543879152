// Format strings of the C data interface → types.
#include "runtime/arrow/arrow_type.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <charconv>

namespace assay {

namespace {

constexpr int kMostNestingOfTypes = 64;
constexpr std::int64_t kMostChildren = 100'000;
constexpr std::size_t kShownCharacters = 80;  // of a name or a format, in messages

struct FormatRow {
  std::string_view format;
  ArrowKind kind;
  int bytes;
  bool is_signed;
};
constexpr FormatRow kFormats[] = {
    {"n", ArrowKind::null, 0, false},        {"b", ArrowKind::boolean, 0, false},
    {"c", ArrowKind::integer, 1, true},      {"C", ArrowKind::integer, 1, false},
    {"s", ArrowKind::integer, 2, true},      {"S", ArrowKind::integer, 2, false},
    {"i", ArrowKind::integer, 4, true},      {"I", ArrowKind::integer, 4, false},
    {"l", ArrowKind::integer, 8, true},      {"L", ArrowKind::integer, 8, false},
    {"e", ArrowKind::floating, 2, true},     {"f", ArrowKind::floating, 4, true},
    {"g", ArrowKind::floating, 8, true},     {"u", ArrowKind::text, 4, false},
    {"U", ArrowKind::text, 8, false},        {"vu", ArrowKind::text_view, 0, false},
    {"+l", ArrowKind::list, 4, false},       {"+L", ArrowKind::list, 8, false},
    {"+vl", ArrowKind::list_view, 4, false}, {"+vL", ArrowKind::list_view, 8, false},
    {"+s", ArrowKind::record, 0, false},     {"+m", ArrowKind::map, 4, false},
};

// Removes a number from the front of `text`.
bool take(std::string_view& text, std::int64_t& number) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (status != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// "d:precision,scale" or "d:precision,scale,bits".
bool read_decimal(std::string_view text, ArrowType& type) {
  std::int64_t precision = 0, scale = 0, bits = 128;
  if (!take(text, precision) || !take(text, ',') || !take(text, scale)) return false;
  if (take(text, ',') && !take(text, bits)) return false;
  if (!text.empty() || precision < 1 || precision > 76 || scale < -1000 || scale > 1000) return false;
  if (bits != 32 && bits != 64 && bits != 128 && bits != 256) return false;
  type.kind = ArrowKind::decimal;
  type.bytes = static_cast<int>(bits / 8);
  type.scale = static_cast<int>(scale);
  return true;
}

bool read_format(ArrowType& type) {
  std::string_view format = type.format;
  for (const FormatRow& row : kFormats) {
    if (row.format != format) continue;
    type.kind = row.kind;
    type.bytes = row.bytes;
    type.is_signed = row.is_signed;
    return true;
  }
  if (format.starts_with("d:")) return read_decimal(format.substr(2), type);
  if (format.starts_with("+w:")) {
    format.remove_prefix(3);
    type.kind = ArrowKind::fixed_list;
    return take(format, type.count) && format.empty() && type.count >= 0;
  }
  return !format.empty();  // unsupported
}

std::size_t children_of(ArrowKind kind) {
  switch (kind) {
    case ArrowKind::list:
    case ArrowKind::list_view:
    case ArrowKind::fixed_list:
    case ArrowKind::map: return 1;
    default: return 0;
  }
}

std::optional<InputError> read(const ArrowSchema& schema, ArrowType& type, const std::string& path, int levels) {
  if (levels == 0) return arrow_error(path, "has more than 64 levels of types");
  if (schema.release == nullptr) return arrow_error(path, "has a schema that has been released");
  if (schema.format == nullptr) return arrow_error(path, "has a schema without a format");
  type.format = schema.format;
  type.name = schema.name == nullptr ? "" : schema.name;
  if (!read_format(type))
    return arrow_error(path,
                       "has the Arrow format '" + shorten(type.format, kShownCharacters) + "', which there is not");
  if (schema.n_children < 0 || schema.n_children > kMostChildren ||
      (schema.n_children > 0 && schema.children == nullptr))
    return arrow_error(path, "has a schema with a wrong number of children");
  if (type.kind != ArrowKind::unsupported && type.kind != ArrowKind::record &&
      static_cast<std::size_t>(schema.n_children) != children_of(type.kind))
    return arrow_error(path, "has the Arrow format '" + shorten(type.format, kShownCharacters) + "' and " +
                                 std::to_string(schema.n_children) + " children, expected " +
                                 std::to_string(children_of(type.kind)));
  if (type.kind == ArrowKind::unsupported) return std::nullopt;
  type.children.resize(static_cast<std::size_t>(schema.n_children));
  for (std::size_t i = 0; i < type.children.size(); ++i) {
    const ArrowSchema* const child = schema.children[i];
    const std::string name = child == nullptr || child->name == nullptr ? "" : child->name;
    const std::string below = type.kind != ArrowKind::record ? path + "[]" : path.empty() ? name : path + "." + name;
    if (child == nullptr) return arrow_error(path, "has a schema without one of its children");
    if (auto error = read(*child, type.children[i], below, levels - 1)) return error;
  }
  if (type.kind == ArrowKind::map &&
      (type.children[0].kind != ArrowKind::record || type.children[0].children.size() != 2))
    return arrow_error(path, "is a map whose items are not pairs of key and value");
  if (schema.dictionary == nullptr) return std::nullopt;
  if (type.kind != ArrowKind::integer) return arrow_error(path, "has a dictionary whose indices are not integers");
  type.dictionary = std::make_unique<ArrowType>();
  if (auto error = read(*schema.dictionary, *type.dictionary, path, levels - 1)) return error;
  if (type.dictionary->dictionary) return arrow_error(path, "has a dictionary of a dictionary");
  return std::nullopt;
}

}  // namespace

InputError arrow_error(std::string_view path, const std::string& message) {
  return {std::string(path), "column",
          (path.empty() ? "the array" : "the column " + shorten(path, kShownCharacters)) + " " + message};
}

bool same_type(const ArrowType& a, const ArrowType& b) {
  const auto same_dictionary = [&] {
    return a.dictionary && b.dictionary ? same_type(*a.dictionary, *b.dictionary) : !a.dictionary && !b.dictionary;
  };
  return a.name == b.name && a.format == b.format && same_dictionary() &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(), same_type);
}

std::optional<InputError> read_type(const ArrowSchema& schema, ArrowType& type) {
  return read(schema, type, "", kMostNestingOfTypes);
}

}  // namespace assay
