// Maps names of columns to inputs.
#include "runtime/arrow/arrow_records.hpp"

#include "runtime/arrow/arrow_json.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <set>

namespace assay {

namespace {

constexpr std::ptrdiff_t kMostNameParts = 500;  // of a record, as in JSON

bool holds_text(ArrowKind kind) { return kind == ArrowKind::text || kind == ArrowKind::text_view; }

// Whether a kernel can read a column of that type as this input.
bool regular(const Model& model, const ArrowType& type, TypeId id) {
  const Type& t = model.types[id];
  switch (t.kind) {
    case TypeKind::number:
      if (type.dictionary) return false;
      return type.kind == ArrowKind::integer || type.kind == ArrowKind::floating ||
             (type.kind == ArrowKind::decimal && type.bytes <= 16 && type.scale >= 0 && type.scale <= 9);
    case TypeKind::boolean: return type.kind == ArrowKind::boolean;
    case TypeKind::text: return holds_text(type.value_kind());
    case TypeKind::list:
      return model.types.kind(t.element) == TypeKind::text && !t.gaps &&
             (type.kind == ArrowKind::list || type.kind == ArrowKind::list_view ||
              type.kind == ArrowKind::fixed_list) &&
             holds_text(type.children[0].value_kind());
    default: return false;
  }
}

}  // namespace

std::optional<InputError> ArrowRecords::want(const Model& model, ArrowType& type, TypeId id, const std::string& path,
                                             bool strict) {
  if (type.value_kind() == ArrowKind::unsupported)
    return arrow_error(path, "has the Arrow type '" +
                                 shorten(type.dictionary ? type.dictionary->format : type.format, 80) +
                                 "', which no input can hold; cast it to a number, a text or a boolean");
  if (type.dictionary) return want(model, *type.dictionary, id, path, strict);
  const Type& t = model.types[id];
  if (type.kind == ArrowKind::record && t.kind == TypeKind::record) {
    for (ArrowType& child : type.children) {
      const int field = model.types.field(id, child.name);
      const std::string below = path + "." + child.name;
      child.wanted = field >= 0;
      if (field < 0 && strict) return InputError{below, "unknown", "the rubric has no input '" + below + "'"};
      if (field < 0) continue;
      if (auto error = want(model, child, t.fields[static_cast<std::size_t>(field)].type, below, strict)) return error;
    }
    return std::nullopt;
  }
  for (ArrowType& child : type.children) {
    const bool of_items = type.kind != ArrowKind::record && (t.kind == TypeKind::list || t.kind == TypeKind::map);
    TypeId element = of_items ? t.element : kAny;
    if (type.kind == ArrowKind::map) element = kAny;
    if (auto error = want(model, child, element, path + "[]", strict && of_items)) return error;
  }
  return std::nullopt;
}

void ArrowRecords::add_leaf(const Model& model, const ArrowType& type, TypeId id, const std::string& path,
                            const std::vector<std::size_t>& steps) {
  if (type.kind == ArrowKind::record && model.types.kind(id) == TypeKind::record) {
    for (std::size_t k = 0; k < type.children.size(); ++k) {
      if (!type.children[k].wanted) continue;
      std::vector<std::size_t> below = steps;
      below.push_back(k);
      const int field = model.types.field(id, type.children[k].name);
      add_leaf(model, type.children[k], model.types[id].fields[static_cast<std::size_t>(field)].type,
               path + "." + type.children[k].name, below);
    }
    return;
  }
  irregular_ = irregular_ || !regular(model, type, id);
  leaves_.push_back({path, steps, id});
}

std::optional<InputError> ArrowRecords::bind(const Rubric& rubric, ArrowType& records, bool strict) {
  if (records.kind != ArrowKind::record)
    return arrow_error(
        "", "has the Arrow type '" + shorten(records.format, 80) + "', expected a struct: a column for each input");
  members_.clear();
  leaves_.clear();
  irregular_ = false;
  id_ = -1;
  const Model& model = *rubric.impl().model;
  const RubricModel& meaning = rubric.impl().rubric();
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (std::size_t c = 0; c < records.children.size(); ++c) {
    ArrowType& column = records.children[c];
    const std::string& path = column.name;
    column.wanted = false;
    const std::string first = path.substr(0, path.find('.'));
    const auto slot =
        std::find_if(meaning.slots.begin(), meaning.slots.end(), [&](const Slot& s) { return s.name == first; });
    names.push_back(path);
    if (slot == meaning.slots.end()) continue;
    if (!seen.insert(path).second) return arrow_error(path, "is there twice");
    column.wanted = true;
    if (std::count(path.begin(), path.end(), '.') >= kMostNameParts)
      return arrow_error(path, "has a name of more than " + std::to_string(kMostNameParts) + " parts");
    if (path == meaning.slots[0].name) id_ = static_cast<int>(c);
    TypeId type = slot->type;
    std::vector<Node>* at = &members_;
    for (std::size_t from = 0;;) {
      const std::size_t dot = path.find('.', from);
      const std::string name = path.substr(from, dot - from);
      auto node = std::find_if(at->begin(), at->end(), [&](const Node& n) { return n.name == name; });
      if (node == at->end()) node = at->insert(at->end(), Node{name, -1, {}});
      else if (node->column >= 0 || dot == std::string::npos)
        return arrow_error(path, "is also a part of another column");
      if (from > 0 && model.types.kind(type) == TypeKind::record) {
        const int field = model.types.field(type, name);
        type = field < 0 ? kAny : model.types[type].fields[static_cast<std::size_t>(field)].type;
      } else if (from > 0) {
        type = kAny;
      }
      if (dot == std::string::npos) {
        node->column = static_cast<int>(c);
        break;
      }
      at = &node->members;
      from = dot + 1;
    }
    if (auto error = want(model, column, type, path, strict)) return error;
    add_leaf(model, column, type, path, {c});
  }
  if (strict) {
    const std::vector<UnknownKey> unknown = rubric.unknown_columns(names, 1);
    if (!unknown.empty()) return InputError{unknown[0].path, "unknown", unknown[0].message};
  }
  for (const Slot& slot : meaning.slots) {
    const bool there =
        std::any_of(members_.begin(), members_.end(), [&](const Node& n) { return n.name == slot.name; });
    if (slot.presence == Presence::required && !there)
      return InputError{slot.name, "required", slot.name + " is required, and there is no column of that name"};
  }
  return std::nullopt;
}

void ArrowRecords::write_members(const std::vector<Node>& members, const ArrowView& records, std::int64_t row,
                                 std::size_t limit, std::string& out) {
  out += '{';
  for (const Node& node : members) {
    if (&node != members.data()) out += ',';
    write_json_text(node.name, out);
    out += ':';
    if (node.column < 0) write_members(node.members, records, row, limit, out);
    else write_arrow_json(records.children[static_cast<std::size_t>(node.column)], row, limit, out);
  }
  out += '}';
}

void ArrowRecords::write(const ArrowView& records, std::int64_t row, std::size_t limit, std::string& out) const {
  out.clear();
  if (records.null(row)) out += "null";
  else write_members(members_, records, row, limit, out);
}

}  // namespace assay
