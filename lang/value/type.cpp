// The type table: interning, unification, names for messages.
#include "lang/value/type.hpp"

#include "lang/text/key.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <unordered_set>

namespace assay {

namespace {

std::string bound(Number n) {
  std::string s;
  write_exact(n, s);
  return s;
}

// A text that is the same for the same number, quicker than its digits. A pool keeps no number that would be small.
void append_key(Number n, std::string& key) {
  if (n.missing()) {
    key += '-';
  } else if (!n.small()) {
    key += 'b';
    write_exact(n, key);
  } else {
    if (n.den != 1) {
      const std::int64_t common = std::gcd(n.num, n.den);
      n = {n.num / common, n.den / common};
    }
    for (const std::int64_t part : {n.num, n.den}) {
      key += 's';
      for (auto rest = static_cast<std::uint64_t>(part); rest != 0; rest >>= 7) key += static_cast<char>(rest & 127);
      key += '\xff';
    }
  }
}

}  // namespace

std::string str(const Interval& range, bool whole_numbers) {
  std::string s = whole_numbers ? "whole" : "number";
  const bool low = !range.low.missing(), high = !range.high.missing();
  if (low && high && !range.low_open && !range.high_open) {
    return s + " " + bound(range.low) + ".." + bound(range.high);
  }
  if (low) s += (range.low_open ? " > " : " >= ") + bound(range.low);
  if (high) s += (range.high_open ? " < " : " <= ") + bound(range.high);
  return s;
}

TypeTable::TypeTable() {
  const auto plain = [this](TypeKind kind, bool whole_numbers = false) {
    Type type;
    type.kind = kind;
    type.whole = whole_numbers;
    intern(std::move(type));
  };
  plain(TypeKind::unknown);       // kUnknown
  plain(TypeKind::number);        // kNumber
  plain(TypeKind::number, true);  // kWhole
  plain(TypeKind::boolean);       // kBool
  plain(TypeKind::text);          // kText
  plain(TypeKind::range);         // kRange
  plain(TypeKind::any);           // kAny
}

TypeId TypeTable::intern(Type type) {
  std::string key(1, static_cast<char>('0' + static_cast<int>(type.kind)));
  switch (type.kind) {
    case TypeKind::number:
      key += type.whole ? 'w' : 'n';
      for (const Number n : {type.range.low, type.range.high}) {
        append_key(n, key);
        key += ',';
      }
      key += type.range.low_open ? '(' : '[';
      key += type.range.high_open ? ')' : ']';
      break;
    case TypeKind::text:
      for (const std::string& choice : type.choices) key += choice + '\x1f';
      break;
    case TypeKind::list: key += (type.set ? 's' : 'l') + std::to_string(type.element) + (type.gaps ? "?" : ""); break;
    case TypeKind::map: key += std::to_string(type.element) + (type.gaps ? "?" : ""); break;
    case TypeKind::record:
      for (const Field& field : type.fields) {
        key += field.name + '\x1f' + std::to_string(field.type) + (field.presence == Presence::required ? '!' : '?');
      }
      break;
    default: break;
  }
  if (budget_ != nullptr) budget_->step(1 + key.size() / 64);
  if (const auto it = known_.find(key); it != known_.end()) return it->second;
  if (budget_ != nullptr) budget_->take(sizeof(Type) + 4 * key.size() + type.fields.size() * sizeof(Field));
  if (type.kind == TypeKind::list || type.kind == TypeKind::map) type.depth = deeper(types_[type.element].depth);
  for (const Field& field : type.fields) type.depth = std::max(type.depth, deeper(types_[field.type].depth));
  const auto id = static_cast<TypeId>(types_.size());
  type.choice_index = TextIndex(type.choices);
  types_.push_back(std::move(type));
  known_.emplace(std::move(key), id);
  return id;
}

int TypeTable::deeper(int depth) const {
  if (budget_ != nullptr && depth >= Budget::kMostDepth) budget_->stop(OutOfBudget::Cause::depth);
  return depth + 1;
}

void TypeTable::complete(TypeId id, std::vector<Field> fields) {
  int depth = 0;
  for (const Field& field : fields) depth = std::max(depth, deeper(types_[field.type].depth));
  if (budget_ != nullptr) budget_->take(fields.size() * sizeof(Field));
  types_[id].depth = depth;
  types_[id].fields = std::move(fields);
}

TypeId TypeTable::number(Interval range, bool whole_numbers) {
  Type type;
  type.kind = TypeKind::number;
  type.whole = whole_numbers;
  type.range = range;
  if (range.low.missing()) type.range.low_open = false;
  if (range.high.missing()) type.range.high_open = false;
  return intern(std::move(type));
}

TypeId TypeTable::text(std::vector<std::string> choices) {
  Type type;
  type.kind = TypeKind::text;
  type.choices = std::move(choices);
  return intern(std::move(type));
}

TypeId TypeTable::list(TypeId element, bool set, bool gaps) {
  Type type;
  type.kind = TypeKind::list;
  type.element = element;
  type.set = set;
  type.gaps = gaps;
  return intern(std::move(type));
}

TypeId TypeTable::map(TypeId element, bool gaps) {
  Type type;
  type.kind = TypeKind::map;
  type.element = element;
  type.gaps = gaps;
  return intern(std::move(type));
}

TypeId TypeTable::with_gaps_of(TypeId type, TypeId other) {
  const Type& x = types_[type];
  const Type& y = types_[other];
  if (x.kind != y.kind || (x.kind != TypeKind::list && x.kind != TypeKind::map)) return type;
  const bool set = x.set, gaps = x.gaps || y.gaps, of_list = x.kind == TypeKind::list;
  const TypeId element = with_gaps_of(x.element, y.element);
  return of_list ? list(element, set, gaps) : map(element, gaps);
}

TypeId TypeTable::record(std::vector<Field> fields) {
  Type type;
  type.kind = TypeKind::record;
  type.fields = std::move(fields);
  return intern(std::move(type));
}

TypeId TypeTable::nominal(std::string name) {
  if (budget_ != nullptr) budget_->take(sizeof(Type) + name.size());
  Type type;
  type.kind = TypeKind::record;
  type.name = std::move(name);
  types_.push_back(std::move(type));
  return static_cast<TypeId>(types_.size() - 1);
}

int TypeTable::field(TypeId record, std::string_view name) const {
  const std::vector<Field>& fields = types_[record].fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

bool TypeTable::unify(TypeId a, TypeId b, TypeId& result) {
  if (a == b || b == kUnknown) {
    result = a;
    return true;
  }
  if (a == kUnknown) {
    result = b;
    return true;
  }
  if (types_[a].kind != types_[b].kind) return false;
  const auto known = unified_.find({a, b});
  if (known != unified_.end()) {
    if (known->second.first) result = known->second.second;
    return known->second.first;
  }
  TypeId found = kUnknown;
  const bool good = unify_parts(a, b, found);
  unified_.emplace(std::pair{a, b}, std::pair{good, found});
  if (good) result = found;
  return good;
}

// By halves: one after the other, a thousand texts would make a thousand types with all choices so far.
bool TypeTable::unify_range(const TypeId* all, std::size_t count, TypeId& result) {
  if (count == 0) return true;
  if (count == 1) {
    result = *all;
    return true;
  }
  TypeId left = kUnknown, right = kUnknown;
  return unify_range(all, count / 2, left) && unify_range(all + count / 2, count - count / 2, right) &&
         unify(left, right, result);
}

std::size_t TypeTable::unify_all(const std::vector<TypeId>& all, TypeId& result) {
  result = kUnknown;
  if (unify_range(all.data(), all.size(), result)) return all.size();
  result = kUnknown;
  std::size_t i = 0;
  while (i < all.size() && unify(result, all[i], result)) ++i;
  return i;
}

bool TypeTable::unify_parts(TypeId a, TypeId b, TypeId& result) {
  const Type& x = types_[a];
  const Type& y = types_[b];
  switch (x.kind) {
    case TypeKind::number: {
      Interval hull;
      if (!x.range.low.missing() && !y.range.low.missing()) {
        const int order = compare(x.range.low, y.range.low);
        hull.low = order <= 0 ? x.range.low : y.range.low;
        hull.low_open = order < 0   ? x.range.low_open
                        : order > 0 ? y.range.low_open
                                    : x.range.low_open && y.range.low_open;
      }
      if (!x.range.high.missing() && !y.range.high.missing()) {
        const int order = compare(x.range.high, y.range.high);
        hull.high = order >= 0 ? x.range.high : y.range.high;
        hull.high_open = order > 0   ? x.range.high_open
                         : order < 0 ? y.range.high_open
                                     : x.range.high_open && y.range.high_open;
      }
      result = number(hull, x.whole && y.whole);
      return true;
    }
    case TypeKind::text: {
      if (x.choices.empty() || y.choices.empty()) {
        result = kText;
        return true;
      }
      std::vector<std::string> all = x.choices;
      const std::unordered_set<std::string_view> known(x.choices.begin(), x.choices.end());
      for (const std::string& choice : y.choices) {
        if (known.count(choice) == 0) all.push_back(choice);
      }
      result = text(std::move(all));
      return true;
    }
    case TypeKind::list: {
      const bool set = x.set && y.set, gaps = x.gaps || y.gaps;
      TypeId element = kUnknown;
      if (!unify(x.element, y.element, element)) return false;
      result = list(element, set, gaps);
      return true;
    }
    case TypeKind::map: {
      const bool gaps = x.gaps || y.gaps;
      TypeId element = kUnknown;
      if (!unify(x.element, y.element, element)) return false;
      result = map(element, gaps);
      return true;
    }
    case TypeKind::record: {
      if (!x.name.empty() || !y.name.empty() || x.fields.size() != y.fields.size()) return false;
      std::vector<Field> fields = x.fields;
      const std::vector<Field> others = y.fields;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (fields[i].name != others[i].name) return false;
        if (!unify(fields[i].type, others[i].type, fields[i].type)) return false;
        if (others[i].presence != Presence::required) fields[i].presence = Presence::optional;
      }
      result = record(std::move(fields));
      return true;
    }
    default: result = a; return true;
  }
}

bool TypeTable::fits(TypeId from, TypeId to) const {
  if (from == to || from == kUnknown || to == kUnknown) return true;
  const Type& x = types_[from];
  const Type& y = types_[to];
  if (x.kind != y.kind) return false;
  switch (x.kind) {
    case TypeKind::list:
    case TypeKind::map: return fits(x.element, y.element);
    case TypeKind::record: {
      if (!x.name.empty() || !y.name.empty()) return false;  // nominal types fit only themselves
      if (x.fields.size() != y.fields.size()) return false;
      const auto known = fitting_.find({from, to});
      if (known != fitting_.end()) return known->second;
      bool good = true;
      for (std::size_t i = 0; good && i < x.fields.size(); ++i) {
        good = x.fields[i].name == y.fields[i].name && fits(x.fields[i].type, y.fields[i].type);
      }
      fitting_.emplace(std::pair{from, to}, good);
      return good;
    }
    default: return true;
  }
}

bool TypeTable::shaped(TypeId from, TypeId to) const {
  const Type& x = types_[from];
  const Type& y = types_[to];
  if (x.kind != y.kind || x.kind < TypeKind::list) return fits(from, to);
  if (x.kind != TypeKind::record) return x.kind <= TypeKind::map ? shaped(x.element, y.element) : fits(from, to);
  if (!x.name.empty()) return from == to;
  return x.fields.size() == y.fields.size() && std::all_of(y.fields.begin(), y.fields.end(), [&](const Field& f) {
           const int at = field(from, f.name);
           return at >= 0 && shaped(x.fields[static_cast<std::size_t>(at)].type, f.type);
         });
}

std::string TypeTable::str(TypeId id) const {
  std::string out;
  write(id, out);
  return out;
}

// Types share their parts, so that their text may be far longer than they are: it is cut where nobody reads on.
void TypeTable::write(TypeId id, std::string& out) const {
  constexpr std::size_t kLongest = 4000;
  if (out.size() > kLongest) {
    out += "…";
    return;
  }
  const Type& type = types_[id];
  switch (type.kind) {
    case TypeKind::unknown: out += "missing"; return;
    case TypeKind::number: out += assay::str(type.range, type.whole); return;
    case TypeKind::boolean: out += "bool"; return;
    case TypeKind::range: out += "range"; return;
    case TypeKind::any: out += "any"; return;
    case TypeKind::text:
      if (type.choices.empty()) {
        out += "text";
        return;
      }
      out += "one of (";
      for (std::size_t i = 0; i < type.choices.size(); ++i) out += (i ? ", \"" : "\"") + type.choices[i] + "\"";
      out += ")";
      return;
    case TypeKind::list:
      out += type.set ? "set of " : type.gaps && kind(type.element) != TypeKind::any ? "list of optional " : "list of ";
      write(type.element, out);
      return;
    case TypeKind::map:
      out += "map of ";
      write(type.element, out);
      return;
    case TypeKind::record: {
      if (!type.name.empty()) {
        out += type.verdict ? "verdict of " + type.name : type.name;
        return;
      }
      out += "{ ";
      for (std::size_t i = 0; i < type.fields.size(); ++i) {
        if (out.size() > kLongest) {
          out += ", …";
          break;
        }
        out += (i ? ", " : "") + as_key(type.fields[i].name) + ": ";
        write(type.fields[i].type, out);
        if (type.fields[i].presence == Presence::optional) out += " optional";
      }
      out += " }";
      return;
    }
  }
}

namespace {

constexpr std::size_t kNamed = 6;  // choices and fields that a message names before it says "…"

bool exact(const Interval& range) {
  return !range.low.missing() && !range.high.missing() && !range.low_open && !range.high_open &&
         compare(range.low, range.high) == 0;
}

std::string choices(const Type& type) {
  if (type.choices.size() == 1) return '"' + type.choices[0] + '"';
  std::string s = "one of (";
  for (std::size_t i = 0; i < type.choices.size() && i < kNamed; ++i) s += (i ? ", \"" : "\"") + type.choices[i] + "\"";
  return s + (type.choices.size() > kNamed ? ", …)" : ")");
}

std::string with_article(const std::string& name) {
  return (name.find_first_of("aeiouAEIOU") == 0 ? "an " : "a ") + name;
}

}  // namespace

// A type within another one: constants as their value, records of some size as the names of their fields.
std::string TypeTable::brief(TypeId id, int depth) const {
  const Type& type = types_[id];
  switch (type.kind) {
    case TypeKind::number: return exact(type.range) ? bound(type.range.low) : assay::str(type.range, type.whole);
    case TypeKind::text: return type.choices.empty() ? "text" : choices(type);
    case TypeKind::list:
      return depth > 2 ? "list" : (type.set ? "set of " : "list of ") + brief(type.element, depth + 1);
    case TypeKind::map: return depth > 2 ? "map" : "map of " + brief(type.element, depth + 1);
    case TypeKind::record: {
      if (!type.name.empty()) return str(id);
      if (type.fields.empty()) return "{}";
      const bool names = depth > 0 || type.fields.size() > 3;
      std::string s = "{ ";
      for (std::size_t i = 0; i < type.fields.size() && i < kNamed; ++i) {
        s += (i ? ", " : "") + as_key(type.fields[i].name);
        if (!names) s += ": " + brief(type.fields[i].type, depth + 1);
      }
      return s + (type.fields.size() > kNamed ? ", … }" : " }");
    }
    default: return str(id);
  }
}

std::string TypeTable::say_kind(TypeId id) const {
  const TypeKind kind = types_[id].kind;
  return say(kind == TypeKind::number ? kNumber : kind == TypeKind::text ? kText : id);
}

std::string TypeTable::say(TypeId id) const {
  const Type& type = types_[id];
  switch (type.kind) {
    case TypeKind::unknown: return "missing";
    case TypeKind::boolean: return "a condition (bool)";
    case TypeKind::any: return "of any type";
    case TypeKind::number:
      if (exact(type.range)) return "the number " + bound(type.range.low);
      return (type.whole ? "a whole number" : "a number") + assay::str(type.range, false).substr(6);
    case TypeKind::text:
      return type.choices.empty() ? "a text" : type.choices.size() == 1 ? "the text " + choices(type) : choices(type);
    case TypeKind::record:
      if (type.name.empty()) return "a record " + brief(id, 0);
      return with_article(str(id));
    default: return with_article(brief(id, 0));
  }
}

}  // namespace assay
