// The type table: interning, unification, names for messages.
#include "lang/value/type.hpp"

#include "lang/text/key.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <unordered_set>

namespace assay {

namespace {

// A text that identifies the number, made faster than its digits. A pool keeps no number that could be small.
void append_key(Number n, std::string& key) {
  if (n.missing()) {
    key += '-';
  } else if (!n.small()) {
    key += 'b';
    append_bits(n, key);
  } else {
    if (n.den != 1) {
      const std::int64_t common = std::gcd(n.num, n.den);
      n = {n.num / common, n.den / common};
    }
    char digits[2 * 11];
    std::size_t size = 0;
    for (const std::int64_t part : {n.num, n.den}) {
      for (auto rest = static_cast<std::uint64_t>(part); rest != 0; rest >>= 7)
        digits[size++] = static_cast<char>(rest & 127);
      digits[size++] = '\xff';
    }
    key.append(digits, size);
  }
}

std::string text_key(const std::vector<std::string>& choices) {
  std::string key(1, static_cast<char>('0' + static_cast<int>(TypeKind::text)));
  for (const std::string& choice : choices) {
    key += choice;
    key += '\x1f';
  }
  return key;
}

std::string number_key(const Interval& range, bool whole_numbers) {
  std::string key;
  key += static_cast<char>('0' + static_cast<int>(TypeKind::number));
  key += static_cast<char>((whole_numbers ? 'w' : 'n') ^ (range.low_open ? 0x20 : 0) ^ (range.high_open ? 0x40 : 0));
  append_key(range.low, key);
  key += ',';
  append_key(range.high, key);
  return key;
}

}  // namespace

std::string str(const Interval& range, bool whole_numbers) {
  std::string s = whole_numbers ? "whole" : "number";
  const bool low = !range.low.missing(), high = !range.high.missing();
  if (low && high && !range.low_open && !range.high_open) {
    return s + " " + exact_text(range.low) + ".." + exact_text(range.high);
  }
  if (low) s += (range.low_open ? " > " : " >= ") + exact_text(range.low);
  if (high) s += (range.high_open ? " < " : " <= ") + exact_text(range.high);
  return s;
}

std::string range_text(const Interval& range) {
  const bool single = !range.low.missing() && !range.high.missing() && compare(range.low, range.high) == 0;
  return single ? " " + shortest_text(range.low) : str(range, false).substr(6);
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
    case TypeKind::number: key = number_key(type.range, type.whole); break;
    case TypeKind::text: key = text_key(type.choices); break;
    case TypeKind::list: key += (type.set ? 's' : 'l') + std::to_string(type.element) + (type.gaps ? "?" : ""); break;
    case TypeKind::map: key += std::to_string(type.element) + (type.gaps ? "?" : ""); break;
    case TypeKind::record:
      for (const Field& field : type.fields) {
        key += field.name + '\x1f' + std::to_string(field.type) + (field.presence == Presence::required ? '!' : '?');
      }
      break;
    case TypeKind::either:
      for (const TypeId one : type.alternatives) key += std::to_string(one) + ',';
      break;
    default: break;
  }
  if (budget_ != nullptr) budget_->step(1 + key.size() / 64);
  if (const auto it = known_.find(key); it != known_.end()) return it->second;
  if (budget_ != nullptr) budget_->take(sizeof(Type) + 4 * key.size() + type.fields.size() * sizeof(Field));
  if (type.kind == TypeKind::list || type.kind == TypeKind::map) type.depth = deeper(types_[type.element].depth);
  for (const Field& field : type.fields) type.depth = std::max(type.depth, deeper(types_[field.type].depth));
  for (const TypeId one : type.alternatives) type.depth = std::max(type.depth, types_[one].depth);
  type.mixed = type.kind == TypeKind::either || holds_mixed(type.fields) ||
               ((type.kind == TypeKind::list || type.kind == TypeKind::map) && types_[type.element].mixed);
  const auto id = static_cast<TypeId>(types_.size());
  type.choice_index = TextIndex(type.choices);
  types_.push_back(std::move(type));
  known_.emplace(std::move(key), id);
  return id;
}

bool TypeTable::holds_mixed(const std::vector<Field>& fields) const {
  return std::any_of(fields.begin(), fields.end(), [this](const Field& field) { return types_[field.type].mixed; });
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
  types_[id].mixed = holds_mixed(fields);
  types_[id].fields = std::move(fields);
}

TypeId TypeTable::number(Interval range, bool whole_numbers) {
  if (range.low.missing()) range.low_open = false;
  if (range.high.missing()) range.high_open = false;
  // Most are known: every constant has a type of its own.
  const std::string key = number_key(range, whole_numbers);
  if (const auto it = known_.find(key); it != known_.end()) {
    if (budget_ != nullptr) budget_->step(1 + key.size() / 64);
    return it->second;
  }
  Type type;
  type.kind = TypeKind::number;
  type.whole = whole_numbers;
  type.range = range;
  return intern(std::move(type));
}

TypeId TypeTable::text(std::vector<std::string> choices) {
  if (choices.size() == 1) {  // a constant: most are known
    std::string key = text_key(choices);
    if (const auto it = known_.find(key); it != known_.end()) {
      if (budget_ != nullptr) budget_->step(1 + key.size() / 64);
      return it->second;
    }
  }
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

namespace {

// Whether a value of this kind shows its kind, among values of other kinds.
bool tells_itself(const Type& type) {
  switch (type.kind) {
    case TypeKind::number:
    case TypeKind::boolean:
    case TypeKind::text:
    case TypeKind::list:
    case TypeKind::map: return true;
    case TypeKind::record: return !type.verdict;  // the fields of a verdict depend on its users
    default: return false;
  }
}

}  // namespace

bool TypeTable::either(const std::vector<TypeId>& all, TypeId& result) {
  Type type;
  type.kind = TypeKind::either;
  type.alternatives = all;
  const auto kind_of_one = [this](TypeId id) { return types_[id].kind; };
  std::sort(type.alternatives.begin(), type.alternatives.end(),
            [&](TypeId a, TypeId b) { return kind_of_one(a) < kind_of_one(b); });
  bool object = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const TypeKind kind = kind_of_one(type.alternatives[i]);
    const bool another = kind == TypeKind::map || kind == TypeKind::record;
    if (!tells_itself(types_[type.alternatives[i]]) || (another && object)) return false;
    if (i > 0 && kind == kind_of_one(type.alternatives[i - 1])) return false;
    object = object || another;
  }
  result = all.size() == 1 ? all.front() : intern(std::move(type));
  return true;
}

std::vector<TypeId> TypeTable::alternatives(TypeId id) const {
  return types_[id].kind == TypeKind::either ? types_[id].alternatives : std::vector<TypeId>{id};
}

TypeId TypeTable::alternative(TypeId id, TypeKind of) const {
  if (types_[id].kind != TypeKind::either) return types_[id].kind == of ? id : kUnknown;
  for (const TypeId one : types_[id].alternatives) {
    if (types_[one].kind == of) return one;
  }
  return kUnknown;
}

namespace {

struct AskedRow {
  std::string_view word;
  TypeKind kind;
  std::string_view say;
};
constexpr AskedRow kAsked[] = {
#define ASSAY_ASKED_KIND(id, word, kind, say) {word, TypeKind::kind, say},
#include "lang/value/asked_kinds.def"
#undef ASSAY_ASKED_KIND
};

const AskedRow& row_of(AskedKind kind) { return kAsked[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view word_of(AskedKind kind) { return row_of(kind).word; }
std::string_view say(AskedKind kind) { return row_of(kind).say; }

AskedKind asked_kind(std::string_view word) {
  std::size_t i = 0;
  while (i + 1 < std::size(kAsked) && kAsked[i].word != word) ++i;
  return static_cast<AskedKind>(i);
}

TypeId TypeTable::asked(TypeId id, AskedKind kind) {
  const TypeKind of = row_of(kind).kind;
  if (types_[id].kind == TypeKind::any) {
    switch (of) {
      case TypeKind::number: return kind == AskedKind::whole ? kWhole : kNumber;
      case TypeKind::boolean: return kBool;
      case TypeKind::text: return kText;
      case TypeKind::list: return list(kAny, false, true);
      default: return map(kAny);
    }
  }
  const TypeId found = alternative(id, of);
  if (found == kUnknown || kind != AskedKind::whole) return found;
  return number(types_[found].range, true);
}

TypeId TypeTable::left(TypeId id, AskedKind kind) {
  if (types_[id].kind == TypeKind::any) return id;
  std::vector<TypeId> rest;
  for (const TypeId one : alternatives(id)) {
    if (types_[one].kind != row_of(kind).kind || (kind == AskedKind::whole && !types_[one].whole)) rest.push_back(one);
  }
  TypeId result = kUnknown;
  return rest.empty() || !either(rest, result) ? kUnknown : result;
}

bool TypeTable::scalar(TypeId id) const {
  const std::vector<TypeId> all = alternatives(id);
  return std::all_of(all.begin(), all.end(), [this](TypeId one) {
    const TypeKind kind = types_[one].kind;
    return kind == TypeKind::number || kind == TypeKind::text || kind == TypeKind::boolean;
  });
}

TypeId TypeTable::with_gaps_of(TypeId type, TypeId other) {
  if (types_[type].kind == TypeKind::either) {
    std::vector<TypeId> all = types_[type].alternatives;
    for (TypeId& one : all) {
      const TypeId same = alternative(other, types_[one].kind);
      if (same != kUnknown) one = with_gaps_of(one, same);
    }
    TypeId result = type;
    return either(all, result) ? result : type;
  }
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

bool TypeTable::merge(TypeId a, TypeId b, TypeId& result, bool join) {
  if (a == b || b == kUnknown) {
    result = a;
    return true;
  }
  if (a == kUnknown) {
    result = b;
    return true;
  }
  const bool several = types_[a].kind == TypeKind::either || types_[b].kind == TypeKind::either;
  if (types_[a].kind != types_[b].kind && !several && !join) return false;
  auto& merged = join ? joined_ : unified_;
  const auto known = merged.find({a, b});
  if (known != merged.end()) {
    if (known->second.first) result = known->second.second;
    return known->second.first;
  }
  TypeId found = kUnknown;
  const bool good =
      several || types_[a].kind != types_[b].kind ? merge_either(a, b, found, join) : merge_parts(a, b, found, join);
  merged.emplace(std::pair{a, b}, std::pair{good, found});
  if (good) result = found;
  return good;
}

// Combines the alternatives of both. Without `join`, one of the two must have all of them.
bool TypeTable::merge_either(TypeId a, TypeId b, TypeId& result, bool join) {
  std::vector<TypeId> all = alternatives(a);
  const std::size_t own = all.size();
  std::size_t shared = 0;
  const std::vector<TypeId> others = alternatives(b);
  for (const TypeId other : others) {
    const auto same = std::find_if(all.begin(), all.end(), [&](TypeId id) { return kind(id) == kind(other); });
    if (same == all.end()) {
      all.push_back(other);
      continue;
    }
    if (!merge(*same, other, *same, join)) return false;
    ++shared;
  }
  return (join || shared == own || shared == others.size()) && either(all, result);
}

// By halves: one after another, a thousand texts would make a thousand types with all previous choices.
bool TypeTable::unify_range(const TypeId* all, std::size_t count, TypeId& result, bool join) {
  if (count == 0) return true;
  if (count == 1) {
    result = *all;
    return true;
  }
  TypeId left = kUnknown, right = kUnknown;
  return unify_range(all, count / 2, left, join) && unify_range(all + count / 2, count - count / 2, right, join) &&
         merge(left, right, result, join);
}

std::size_t TypeTable::unify_all(const std::vector<TypeId>& all, TypeId& result, bool join) {
  result = kUnknown;
  if (unify_range(all.data(), all.size(), result, join)) return all.size();
  result = kUnknown;
  std::size_t i = 0;
  while (i < all.size() && merge(result, all[i], result, join)) ++i;
  return i;
}

bool TypeTable::merge_parts(TypeId a, TypeId b, TypeId& result, bool join) {
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
      if (!merge(x.element, y.element, element, join)) return false;
      result = list(element, set, gaps);
      return true;
    }
    case TypeKind::map: {
      const bool gaps = x.gaps || y.gaps;
      TypeId element = kUnknown;
      if (!merge(x.element, y.element, element, join)) return false;
      result = map(element, gaps);
      return true;
    }
    default: {  // records: the other kinds have one type each
      if (!x.name.empty() || !y.name.empty() || x.fields.size() != y.fields.size()) return false;
      std::vector<Field> fields = x.fields;
      const std::vector<Field> others = y.fields;
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (fields[i].name != others[i].name) return false;
        if (!merge(fields[i].type, others[i].type, fields[i].type, join)) return false;
        if (others[i].presence != Presence::required) fields[i].presence = Presence::optional;
      }
      result = record(std::move(fields));
      return true;
    }
  }
}

bool TypeTable::fits(TypeId from, TypeId to) const {
  if (from == to || from == kUnknown || to == kUnknown) return true;
  const Type& x = types_[from];
  const Type& y = types_[to];
  if (x.kind == TypeKind::either)
    return std::all_of(x.alternatives.begin(), x.alternatives.end(), [&](TypeId one) { return fits(one, to); });
  if (y.kind == TypeKind::either) {
    const TypeId same = alternative(to, x.kind);
    return same != kUnknown && fits(from, same);
  }
  if (x.kind != y.kind) return false;
  switch (x.kind) {
    case TypeKind::list:
    case TypeKind::map: return fits(x.element, y.element);
    case TypeKind::record: {
      if (!x.name.empty() || !y.name.empty()) return false;  // nominal types only fit themselves
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
  if (y.kind == TypeKind::either && x.kind != TypeKind::either) {
    const TypeId same = alternative(to, x.kind);
    return same != kUnknown && shaped(from, same);
  }
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

// Types share their parts, so their text may be far longer than they are: it is cut at a readable length.
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
      write_element(type.element, out);
      return;
    case TypeKind::map:
      out += "map of ";
      write_element(type.element, out);
      return;
    case TypeKind::either:
      for (std::size_t i = 0; i < type.alternatives.size(); ++i) {
        const bool last = i + 1 == type.alternatives.size();
        // otherwise `of` would include what follows
        const bool brackets = !last && kind(type.alternatives[i]) == TypeKind::list;
        out += brackets ? (i ? " or (" : "(") : i ? " or " : "";
        write(type.alternatives[i], out);
        if (brackets) out += ")";
      }
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

void TypeTable::write_element(TypeId id, std::string& out) const {
  const bool brackets = kind(id) == TypeKind::either;
  if (brackets) out += "(";
  write(id, out);
  if (brackets) out += ")";
}

namespace {

constexpr std::size_t kNamed = 6;  // choices and fields that a message lists before "…"

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

// A nested type, abbreviated: constants as their value, larger records as the names of their fields.
std::string TypeTable::brief(TypeId id, int depth) const {
  const Type& type = types_[id];
  switch (type.kind) {
    case TypeKind::number: return exact(type.range) ? exact_text(type.range.low) : assay::str(type.range, type.whole);
    case TypeKind::text: return type.choices.empty() ? "text" : choices(type);
    case TypeKind::list:
      return depth > 2 ? "list" : (type.set ? "set of " : "list of ") + brief(type.element, depth + 1);
    case TypeKind::map: return depth > 2 ? "map" : "map of " + brief(type.element, depth + 1);
    case TypeKind::either: {
      std::string s;
      for (const TypeId one : type.alternatives) s += (s.empty() ? "" : " or ") + brief(one, depth + 1);
      return depth > 0 ? "(" + s + ")" : s;
    }
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
      if (exact(type.range)) return "the number " + exact_text(type.range.low);
      return (type.whole ? "a whole number" : "a number") + assay::str(type.range, false).substr(6);
    case TypeKind::text:
      return type.choices.empty() ? "a text" : type.choices.size() == 1 ? "the text " + choices(type) : choices(type);
    case TypeKind::record:
      if (type.name.empty()) return "a record " + brief(id, 0);
      return with_article(str(id));
    case TypeKind::either: {
      std::string s;
      for (const TypeId one : type.alternatives) s += (s.empty() ? "" : " or ") + say(one);
      return s;
    }
    default: return with_article(brief(id, 0));
  }
}

}  // namespace assay
