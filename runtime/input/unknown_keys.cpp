// Walks a record, or the names of columns, together with the types of the rubric's inputs.
#include "runtime/input/unknown_keys.hpp"

#include "lang/model/model.hpp"
#include "lang/text/nearest.hpp"
#include "runtime/input/record_plan.hpp"
#include "runtime/json/json_tree.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace assay {

namespace {

using Kind = JsonNode::Kind;

// A key that the rubric names.
struct Known {
  std::string_view name;
  TypeId type = kUnknown;
  bool required = false;
};
using KnownKeys = std::vector<Known>;

KnownKeys keys_of(const Model& model, int rubric) {
  KnownKeys keys;
  for (const Slot& slot : model.rubrics[static_cast<std::size_t>(rubric)].slots)
    keys.push_back({slot.name, slot.type, slot.presence == Presence::required});
  return keys;
}

KnownKeys keys_of(const Type& record) {
  KnownKeys keys;
  for (const Field& field : record.fields)
    keys.push_back({field.name, field.type, field.presence == Presence::required});
  return keys;
}

const Known* find(const KnownKeys& keys, std::string_view name) {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const Known& key) { return key.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

std::string member(const std::string& object, std::string_view key) {
  return (object.empty() ? "" : object + '.') + std::string(key);
}

// The part of an absent object that a key beside it means: 'size.width' and 'size_width', and 'width' where no other
// object has such a part, or another part of the object stands beside it, too. Empty: none.
template <class Has, class Fits>
std::string part_meant(const Model& model, std::string_view key, const KnownKeys& absent, Has&& has, Fits&& fits) {
  const auto key_of_part = [&](std::string_view object, std::string_view part) {
    if (key.size() != object.size() + 1 + part.size() || key.substr(0, object.size()) != object) return false;
    const char between = key[object.size()];
    return (between == '.' || between == '_' || between == '/') && key.substr(object.size() + 1) == part;
  };
  std::string only;
  std::size_t same = 0;
  for (const Known& object : absent) {
    const Type& type = model.types[object.type];
    if (type.kind != TypeKind::record) continue;
    for (const Field& field : type.fields) {
      if (!fits(field.type)) continue;
      const bool named = key == field.name;
      const bool beside = named && std::any_of(type.fields.begin(), type.fields.end(),
                                               [&](const Field& f) { return f.name != field.name && has(f.name); });
      if (beside || key_of_part(object.name, field.name)) return member(std::string(object.name), field.name);
      if (named && same++ == 0) only = member(std::string(object.name), field.name);
    }
  }
  return same == 1 ? only : std::string();
}

// What is said of a key. `absent`: those of `known` that the object lacks; `fits`: whether the value may be one of such
// a type.
template <class Fits>
UnknownKey unknown(const std::string& object, std::string_view key, const KnownKeys& known, const KnownKeys& absent,
                   Fits&& fits) {
  UnknownKey result;
  std::string_view near;
  for (const Known& one : absent) {
    // A verdict without its id is of no use, so that name is worth a note although it is short.
    const bool is_id = object.empty() && one.name == "id" && (key == "ID" || key == "Id" || key == "_id");
    result.misspelt = (is_id || misspelt(key, one.name)) && fits(one.type);
    if (!result.misspelt) continue;
    near = one.name;
    break;
  }
  if (near.empty()) {
    std::vector<std::string_view> names;
    for (const Known& one : known) names.push_back(one.name);
    near = nearest(key, names);
  }
  if (!near.empty()) result.nearest = member(object, near);
  const Known* const lacking = find(absent, near);
  result.absent = lacking != nullptr;
  // Without a required one the record is rejected, so that the name need not be as near.
  result.misspelt = result.misspelt || (lacking != nullptr && lacking->required && fits(lacking->type));
  InputError error = unknown_key(object, key, near);
  result.path = error.path;
  result.message = error.message;
  return result;
}

class Walk {
 public:
  Walk(const Model& model, std::size_t most, std::vector<UnknownKey>& found)
      : model_(model), most_(most), found_(found) {}

  void members(const JsonNode& node, const KnownKeys& known) {
    KnownKeys absent;
    bool counted = false;
    for (const JsonMember& member : node.members) {
      if (found_.size() >= most_) return;
      if (const Known* const one = find(known, member.first)) {
        inside(member.second, one->type, '.', member.first);
        continue;
      }
      if (!std::exchange(counted, true)) absent = lacking(node, known);
      const auto fitting = [&](TypeId type) { return fits(member.second, type); };
      const auto has = [&node](std::string_view name) {
        return std::any_of(node.members.begin(), node.members.end(),
                           [&](const JsonMember& other) { return other.first == name; });
      };
      UnknownKey& one = found_.emplace_back(unknown(path_, member.first, known, absent, fitting));
      if (one.misspelt) continue;
      mean(one, part_meant(model_, member.first, absent, has, fitting));
      if (member.second.is(Kind::object)) outer(member, absent);
    }
  }

 private:
  static KnownKeys lacking(const JsonNode& node, const KnownKeys& known) {
    std::unordered_set<std::string_view> given;
    for (const auto& [key, value] : node.members) {
      if (!value.is(Kind::null)) given.insert(key);
    }
    KnownKeys absent;
    for (const Known& one : known) {
      if (given.count(one.name) == 0) absent.push_back(one);
    }
    return absent;
  }

  // `part`: of the object at path_.
  void mean(UnknownKey& key, const std::string& part) const {
    if (part.empty()) return;
    key.nearest = path_.empty() ? part : path_ + '.' + part;
    key.absent = key.misspelt = true;
  }

  // An unknown object with parts that are known beside it: { size: { width } } for { width }.
  void outer(const JsonMember& object, const KnownKeys& absent) {
    for (const auto& [key, value] : object.second.members) {
      if (found_.size() >= most_) return;
      const Known* const one = find(absent, key);
      if (one == nullptr || !fits(value, one->type)) continue;
      UnknownKey part;
      const std::string around = path_.empty() ? object.first : path_ + '.' + object.first;
      InputError error = unknown_key(around, key, {});
      part.path = error.path;
      part.message = error.message;
      mean(part, key);
      found_.push_back(std::move(part));
    }
  }

  // A value below path_, at `step` of an object (separated by a point) or of a list.
  void inside(const JsonNode& node, TypeId id, char separator, std::string_view step) {
    const Type& type = model_.types[id];
    for (const TypeId one : type.alternatives) inside(node, one, separator, step);
    const bool object = node.is(Kind::object) && (type.kind == TypeKind::record || type.kind == TypeKind::map);
    const bool list = node.is(Kind::list) && type.kind == TypeKind::list && holds_others(type.element);
    if (!object && !list) return;
    const std::size_t before = path_.size();
    if (separator == '.' && before > 0) path_ += '.';
    path_ += step;
    if (type.kind == TypeKind::record) {
      members(node, keys_of(type));
    } else if (type.kind == TypeKind::map) {
      for (const auto& [key, value] : node.members) inside(value, type.element, '.', key);
    } else {
      for (std::size_t i = 0; i < node.items.size(); ++i)
        inside(node.items[i], type.element, '[', '[' + std::to_string(i) + ']');
    }
    path_.resize(before);
  }

  bool holds_others(TypeId id) const {
    const std::vector<TypeId> all = model_.types.alternatives(id);
    return std::any_of(all.begin(), all.end(), [this](TypeId one) {
      const TypeKind kind = model_.types.kind(one);
      return kind == TypeKind::record || kind == TypeKind::map || kind == TypeKind::list;
    });
  }

  // Whether the author may have meant a value of this type. Many people write numbers and truths as texts.
  bool fits(const JsonNode& node, TypeId id) const {
    const bool text = node.is(Kind::text);
    switch (model_.types.kind(id)) {
      case TypeKind::number: return node.is(Kind::number) || (text && is_json_number(node.text));
      case TypeKind::boolean: return node.is(Kind::boolean) || (text && (node.text == "true" || node.text == "false"));
      case TypeKind::text: return text;
      case TypeKind::list: return node.is(Kind::list) || text;  // text: a cell of CSV
      case TypeKind::map:
      case TypeKind::record: return node.is(Kind::object);
      case TypeKind::either: {
        const std::vector<TypeId> all = model_.types.alternatives(id);
        return std::any_of(all.begin(), all.end(), [&](TypeId one) { return fits(node, one); });
      }
      default: return !node.is(Kind::null);
    }
  }

  const Model& model_;
  std::size_t most_;
  std::vector<UnknownKey>& found_;
  std::string path_;
};

}  // namespace

InputError unknown_key(const std::string& object, std::string_view key, std::string_view near) {
  const std::string shown = shorten(key, kMostQuoted);
  const std::string path = member(object, shown);
  std::string message = path;
  if (shown.empty() || shown.find('.') != std::string::npos) {  // a path would mean something else
    message = "the key ";
    write_json_text(shown, message);
    if (!object.empty()) message += " of " + object;
  }
  message += " is not known to the rubric";
  if (!near.empty()) message += "; did you mean '" + std::string(near) + "'?";
  return {path, "unknown", message};
}

std::string none_named(const RecordPlan& plan, std::string_view stranger) {
  constexpr std::size_t kMostNames = 5;
  std::string names;
  std::size_t count = 0;
  for (const FieldPlan& field : plan.fields) {
    if (field.presence != Presence::required || field.name == "id" || ++count > kMostNames) continue;
    names += (count == 1 ? "" : ", ") + shorten(field.name, kMostQuoted);
  }
  if (count < 2) return {};
  return "has '" + shorten(stranger, kMostQuoted) + "' and none of the rubric's inputs: " + names +
         (count > kMostNames ? " … are required" : " are required");
}

std::vector<UnknownKey> unknown_columns(const Model& model, int rubric, const std::vector<std::string>& names,
                                        std::size_t most) {
  std::vector<UnknownKey> found;
  std::unordered_set<std::string> told, given;  // given: what columns supply or reach into
  for (const std::string& name : names) {
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
      given.insert(name.substr(0, dot));
    given.insert(name);
  }
  const KnownKeys top = keys_of(model, rubric);
  for (const std::string& name : names) {
    if (found.size() >= most) break;
    KnownKeys known = top;
    if (find(top, name) != nullptr) continue;  // a name may hold dots
    bool data = false;                         // the next step is a key of a map
    for (std::size_t begin = 0; begin <= name.size();) {
      const std::size_t end = std::min(name.find('.', begin), name.size());
      const std::string object = name.substr(0, begin == 0 ? 0 : begin - 1);
      const std::string key = name.substr(begin, end - begin);
      begin = end + 1;
      TypeId type = kUnknown;
      if (data) {
        type = known.front().type;
      } else if (const Known* const one = find(known, key)) {
        type = one->type;
      } else {
        if (!told.insert(member(object, key)).second) break;
        KnownKeys absent;
        for (const Known& other : known) {
          if (given.count(member(object, other.name)) == 0) absent.push_back(other);
        }
        UnknownKey& last = found.emplace_back(unknown(object, key, known, absent, [](TypeId) { return true; }));
        const auto has = [&](std::string_view part) { return given.count(member(object, part)) > 0; };
        std::string part = last.misspelt ? "" : part_meant(model, key, absent, has, [](TypeId) { return true; });
        if (part.empty()) break;
        last.nearest = object.empty() ? std::move(part) : member(object, part);
        last.absent = last.misspelt = true;
        break;
      }
      data = model.types.kind(type) == TypeKind::map;
      if (data) known = {{{}, model.types[type].element}};
      else if (model.types.kind(type) == TypeKind::record) known = keys_of(model.types[type]);
      else break;  // the reader of records reports a value that is not an object
    }
  }
  return found;
}

std::vector<UnknownKey> unknown_keys(const Model& model, int rubric, std::string_view record, std::size_t most) {
  std::vector<UnknownKey> found;
  JsonNode node;
  JsonProblem problem;
  if (!parse_json(record, node, problem) || !node.is(Kind::object)) return found;
  Walk(model, most, found).members(node, keys_of(model, rubric));
  return found;
}

}  // namespace assay
