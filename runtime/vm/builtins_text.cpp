// Built-in functions on texts. Texts are UTF-8 and compared by bytes; a part of a text is a view of it, not a copy.
#include "lang/text/ascii.hpp"
#include "lang/text/utf8.hpp"
#include "runtime/vm/builtins.hpp"

#include <algorithm>

namespace assay::builtins {

namespace {

std::string_view trimmed(std::string_view s) {
  while (!s.empty() && is_white_space(s.front())) s.remove_prefix(1);
  while (!s.empty() && is_white_space(s.back())) s.remove_suffix(1);
  return s;
}

// Builds a list of pieces of a text.
struct Pieces {
  ExecutionContext& m;
  Value list[2];
  explicit Pieces(ExecutionContext& machine) : m(machine) {
    list[0] = make_list(nullptr, 0);
    list[1] = missing_value();
  }
  void push(std::string_view piece) {
    m.tick();
    list_push(m, list, make_text(piece));
  }
};

}  // namespace

Value split_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  std::string_view text = args[0].text.view(), separator = args[1].text.view();
  m.charge(text.size() / 16);
  Pieces pieces(m);
  if (!separator.empty()) {
    for (std::size_t at; (at = text.find(separator)) != std::string_view::npos;) {
      m.charge(1);
      pieces.push(text.substr(0, at));
      text.remove_prefix(at + separator.size());
    }
  }
  pieces.push(text);
  return pieces.list[0];
}

Value characters_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  const std::string_view text = args[0].text.view();
  m.charge(text.size() / 4);
  Pieces pieces(m);
  for (std::size_t i = 0, begin = 0; i < text.size(); begin = i) {
    do ++i;
    while (i < text.size() && continues_character(text[i]));
    pieces.push(text.substr(begin, i - begin));
  }
  return pieces.list[0];
}

Value words_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  std::string_view text = args[0].text.view();
  m.charge(text.size() / 16);
  Pieces pieces(m);
  for (std::size_t i = 0; i < text.size();) {
    if (is_white_space(text[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && !is_white_space(text[i])) ++i;
    pieces.push(text.substr(begin, i - begin));
  }
  return pieces.list[0];
}

Value join_(ExecutionContext& m, const BuiltinCall& call, const Value* args) {
  const ListValue& list = args[0].list;
  const TypeId element = (*m.types)[call.types[0]].element;
  m.charge(list.size);
  m.scratch.clear();
  for (std::uint32_t i = 0; i < list.size; ++i) {
    m.tick();
    if (list.items[i].missing()) return missing_value();
    if (i) m.scratch += args[1].text.view();
    write_value(m, element, list.items[i], -1);
    if (m.scratch.size() > m.room()) m.out_of_memory();
  }
  return m.text(m.scratch);
}

Value trim_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  m.charge(args[0].text.size / 64);
  return make_text(trimmed(args[0].text.view()));
}

Value lowercase_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  std::string_view text = args[0].text.view();
  m.charge(text.size() / 16);
  char* copy = m.array<char>(text.size() + 1);
  std::transform(text.begin(), text.end(), copy, to_lower);
  copy[text.size()] = 0;
  return make_text({copy, text.size()});
}

Value number_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  Number n;
  m.charge(args[0].text.size / 4);
  const std::string_view text = args[0].text.view();
  if (parse_decimal(text, n, *m.pool)) return make_number(n);
  // Accepts common spellings: "+7", "007", ".5".
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest.empty() || (rest.front() != '.' && !(rest.front() >= '0' && rest.front() <= '9'))) return missing_value();
  while (rest.starts_with('0')) rest.remove_prefix(1);
  const bool digit = !rest.empty() && rest.front() >= '0' && rest.front() <= '9';
  const std::string plain = (negative ? "-" : "") + std::string(digit ? "" : "0") + std::string(rest);
  return parse_decimal(plain, n, *m.pool) ? make_number(n) : missing_value();
}

namespace {

// Reads all three notations of a duration; units descend from left to right, each at most once.
class DurationReader {
 public:
  DurationReader(std::string_view text, NumberPool& pool) : text_(text), pool_(pool) {}

  Number read() {
    if (text_.empty()) return kMissing;
    if (text_[0] == 'P' || text_[0] == 'p') return read_iso();
    return text_.find(':') != std::string_view::npos ? read_clock() : read_units();
  }

 private:
  struct Unit {
    const char* name;
    std::int64_t milliseconds;
  };

  bool take_number(Number& n) {
    std::size_t size = 0;
    while (size < text_.size() && is_digit(text_[size])) ++size;
    if (size == 0) return false;
    if (size + 1 < text_.size() && text_[size] == '.' && is_digit(text_[size + 1])) {
      ++size;
      while (size < text_.size() && is_digit(text_[size])) ++size;
    }
    // Leading zeros are usual here ("1:05:00") but not allowed in JSON numbers.
    std::size_t zeros = 0;
    while (zeros + 1 < size && text_[zeros] == '0' && is_digit(text_[zeros + 1])) ++zeros;
    if (!parse_decimal(text_.substr(zeros, size - zeros), n, pool_)) return false;
    text_.remove_prefix(size);
    return true;
  }

  bool add_unit(Number n, std::int64_t milliseconds) {
    if (milliseconds >= last_) return false;
    last_ = milliseconds;
    total_ = add(total_, mul(n, Number{milliseconds, 1000}, pool_), pool_);
    return true;
  }

  Number read_units() {
    static constexpr Unit kUnits[] = {
        {"d", 86'400'000},     {"day", 86'400'000},    {"days", 86'400'000}, {"h", 3'600'000}, {"hr", 3'600'000},
        {"hrs", 3'600'000},    {"hour", 3'600'000},    {"hours", 3'600'000}, {"m", 60'000},    {"min", 60'000},
        {"mins", 60'000},      {"minute", 60'000},     {"minutes", 60'000},  {"s", 1000},      {"sec", 1000},
        {"secs", 1000},        {"second", 1000},       {"seconds", 1000},    {"ms", 1},        {"w", 604'800'000},
        {"week", 604'800'000}, {"weeks", 604'800'000},
    };
    while (!text_.empty()) {
      Number n;
      if (!take_number(n)) return kMissing;
      text_ = trimmed(text_);
      std::string name;
      while (!text_.empty() && to_lower(text_[0]) >= 'a' && to_lower(text_[0]) <= 'z') {
        name += to_lower(text_[0]);
        text_.remove_prefix(1);
      }
      const Unit* unit =
          std::find_if(std::begin(kUnits), std::end(kUnits), [&](const Unit& u) { return name == u.name; });
      if (unit == std::end(kUnits) || !add_unit(n, unit->milliseconds)) return kMissing;
      text_ = trimmed(text_);
    }
    return total_;
  }

  Number read_clock() {  // h:mm:ss or m:ss
    Number parts[3];
    int count = 0;
    for (;;) {
      if (count == 3 || !take_number(parts[count])) return kMissing;
      if (count > 0 && (compare(parts[count], whole(60)) >= 0 || !is_whole(parts[count - 1]))) return kMissing;
      ++count;
      if (text_.empty()) break;
      if (text_[0] != ':') return kMissing;
      text_.remove_prefix(1);
    }
    for (int i = 0; i < count; ++i) total_ = add(mul(total_, whole(60), pool_), parts[i], pool_);
    return total_;
  }

  Number read_iso() {
    text_.remove_prefix(1);
    bool time = false, any = false;
    while (!text_.empty()) {
      if (!time && to_lower(text_[0]) == 't') {
        time = true;
        text_.remove_prefix(1);
        if (text_.empty()) return kMissing;
        continue;
      }
      Number n;
      if (!take_number(n) || text_.empty()) return kMissing;
      std::int64_t unit = 0;
      switch (to_lower(text_[0])) {
        case 'w': unit = time ? 0 : 604'800'000; break;
        case 'd': unit = time ? 0 : 86'400'000; break;
        case 'h': unit = time ? 3'600'000 : 0; break;
        case 'm': unit = time ? 60'000 : 0; break;  // months have no fixed length
        case 's': unit = time ? 1000 : 0; break;
        default: break;
      }
      if (unit == 0 || !add_unit(n, unit)) return kMissing;
      any = true;
      text_.remove_prefix(1);
    }
    return any ? total_ : kMissing;
  }

  std::string_view text_;
  NumberPool& pool_;
  Number total_ = whole(0);
  std::int64_t last_ = INT64_MAX;
};

}  // namespace

Value duration_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  m.charge(args[0].text.size / 4);
  return make_number(DurationReader(trimmed(args[0].text.view()), *m.pool).read());
}

Value starts_with_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  m.charge(args[1].text.size / 256);
  return make_bool(args[0].text.view().starts_with(args[1].text.view()));
}
Value ends_with_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  m.charge(args[1].text.size / 256);
  return make_bool(args[0].text.view().ends_with(args[1].text.view()));
}
Value contains_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  std::string_view text = args[0].text.view(), piece = args[1].text.view();
  m.charge(text.size() / 64 + text.size() * piece.size() / 4096);
  return make_bool(text.find(piece) != std::string_view::npos);
}

namespace {

// Matches wildcards with two positions: backtracking to the last wildcard is enough, so the time is at most the product
// of the lengths. The same holds for '**' over segments.
bool segment_matches(std::string_view text, std::string_view pattern) {
  std::size_t t = 0, p = 0, star = std::string_view::npos, retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string_view segment_at(std::string_view s, std::size_t at) {
  const std::size_t end = s.find('/', at);
  return s.substr(at, end == std::string_view::npos ? end : end - at);
}

bool path_matches(std::string_view path, std::string_view pattern) {
  const std::size_t none = std::string_view::npos;
  std::size_t t = 0, p = 0, star = none, retry = 0;  // beginnings of segments; size() + 1: after the last
  while (t <= path.size()) {
    const std::string_view text = segment_at(path, t);
    const std::string_view want = p <= pattern.size() ? segment_at(pattern, p) : std::string_view();
    if (p <= pattern.size() && want == "**") {
      p += want.size() + 1;
      star = p;
      retry = t;
    } else if (p <= pattern.size() && segment_matches(text, want)) {
      p += want.size() + 1;
      t += text.size() + 1;
    } else if (star != none) {
      retry += segment_at(path, retry).size() + 1;
      t = retry;
      p = star;
    } else {
      return false;
    }
  }
  while (p <= pattern.size() && segment_at(pattern, p) == "**") p += 3;
  return p > pattern.size();
}

}  // namespace

Value glob_(ExecutionContext& m, const BuiltinCall&, const Value* args) {
  std::string_view path = args[0].text.view(), pattern = args[1].text.view();
  m.charge(1 + path.size() * pattern.size() / 256);
  return make_bool(path_matches(path, pattern));
}

}  // namespace assay::builtins
