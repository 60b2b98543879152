// Columns know what an input accepts: this tries to bind one of each kind.
#include "runtime/npy/npy_values.hpp"

#include <assay/columns.hpp>
#include <assay/text.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace assay {

namespace {

using Kind = NpyInput::Kind;

Kind kind_of(const std::string& path, Columns& columns) {
  static constexpr double kAny[2] = {};
  Column numbers, texts, truths;
  numbers.data = texts.data = truths.data = kAny;
  texts.type = ColumnType::text;
  truths.type = ColumnType::u8;
  ListColumn list{truths, texts};
  list.items.stride = sizeof kAny;
  if (!columns.bind(path, numbers)) return Kind::number;
  if (!columns.bind(path, texts)) return Kind::text;
  if (!columns.bind(path, truths)) return Kind::truth;
  return columns.bind_list(path, list) ? Kind::other : Kind::texts;
}

const char* description(Kind kind) {
  switch (kind) {
    case Kind::number: return "a number: save it as '<f8' or a type of whole numbers";
    case Kind::truth: return "true or false: save it as '|b1'";
    case Kind::text: return "a text: save it as one with a width, such as 'S16' or 'U16'";
    case Kind::texts: return "a list of texts: save it as texts side by side, such as ('S16', (8,))";
    case Kind::other: break;
  }
  return "no single value";
}

// The same type in the byte order of this machine.
std::string native(std::string type) {
  type.front() = std::endian::native == std::endian::little ? '<' : '>';
  return type;
}

bool text(NpyType type) { return type == NpyType::bytes || type == NpyType::unicode; }

bool fits(const NpyField& field, Kind kind) {
  switch (kind) {
    case Kind::number: return !field.list && field.kind < NpyType::truth;
    case Kind::truth: return !field.list && field.kind == NpyType::truth;
    case Kind::text: return !field.list && text(field.kind);
    case Kind::texts: return field.list && text(field.kind);
    case Kind::other: return true;  // the reader of records reports invalid values
  }
  return false;
}

}  // namespace

std::optional<std::vector<NpyInput>> npy_inputs(const NpyTable& table, const Rubric& rubric, bool strict,
                                                std::string& problem) {
  if (strict) {
    std::vector<std::string> names;
    for (const NpyField& field : table.fields) names.push_back(field.path);
    const std::vector<UnknownKey> unknown = rubric.unknown_columns(names, 1);
    if (!unknown.empty()) {
      problem = "its field " + unknown.front().message;
      return std::nullopt;
    }
  }
  const std::vector<InputInfo> known = rubric.inputs();
  Columns columns(rubric);
  std::vector<NpyInput> inputs;
  for (const NpyField& field : table.fields) {
    const std::string name = field.path.substr(0, field.path.find('.'));
    if (std::none_of(known.begin(), known.end(), [&](const InputInfo& input) { return input.name == name; })) continue;
    const Kind kind = kind_of(field.path, columns);
    if (field.kind == NpyType::other || !fits(field, kind)) {
      problem = "its field '" + field.path + "' holds " + (field.list ? std::to_string(field.items) + " of " : "") +
                "the type '" + field.type + "'" +
                (field.foreign ? ", in the byte order of other machines: save it as '" + native(field.type) + "'"
                               : ", and " + field.path + " is " + description(kind));
      return std::nullopt;
    }
    inputs.push_back({field, kind});
  }
  return inputs;
}

void append_npy_unicode(std::string& out, const char* item, std::size_t size) {
  while (size >= sizeof(char32_t) && npy_read<std::uint32_t>(item + size - sizeof(char32_t)) == 0)
    size -= sizeof(char32_t);
  for (const char* const end = item + size; item < end; item += sizeof(char32_t))
    append_utf8(out, npy_read<std::uint32_t>(item));
}

}  // namespace assay
