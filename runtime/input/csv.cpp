// Converts the rows of a CSV table to JSON text. A cell without quotes, which is nearly every cell, is a view of the
// table's text.
#include "runtime/input/csv.hpp"

#include "runtime/input/record_plan.hpp"

#include "lang/text/ascii.hpp"
#include "lang/text/nearest.hpp"
#include "lang/value/limit_message.hpp"
#include "runtime/input/unknown_keys.hpp"
#include "runtime/json/json_tree.hpp"

#include <assay/text.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace assay {

namespace {

inline bool ends_plain(char c) {  // one comparison excludes nearly all characters
  return static_cast<unsigned char>(c) <= '"' && (c == '\n' || c == '"' || c == '\r');
}

// Reads a cell that is not plain: returns its end, and the cell without quotes and carriage returns.
char* read_quoted(char* begin, char* p, char* end, char separator, std::string_view& cell, CsvRow& row) {
  char* out = p;
  bool inside = false, was_quoted = false;
  while (p < end) {
    const char c = *p;
    if (inside) {
      ++p;
      row.newlines += c == '\n';
      if (c != '"') {
        *out++ = c;
      } else if (p < end && *p == '"') {
        *out++ = '"';
        ++p;
      } else {
        inside = false;
      }
    } else if (c == separator || c == '\n') {
      break;
    } else {
      ++p;
      if (c == '"' && out == begin && !was_quoted) {
        inside = was_quoted = true;
      } else if (c != '\r') {
        *out++ = c;
        row.behind_quote = row.behind_quote || (was_quoted && c != ' ' && c != '\t');
      }
    }
  }
  row.open = inside;
  cell = {begin, static_cast<std::size_t>(out - begin)};
  return p;
}

// Copies a few bytes more than necessary, which is faster.
inline char* copy(const char* text, std::size_t size, char* out) {
  std::size_t done = 0;
  do {
    std::memcpy(out + done, text + done, CsvTable::kAhead);
    done += CsvTable::kAhead;
  } while (done < size);
  return out + size;
}
inline char* copy(std::string_view text, char* out) { return copy(text.data(), text.size(), out); }

// Accepts digits with at most one point, which nearly all numbers are; false decides nothing.
inline bool is_plain_number(std::string_view text) {
  const char* p = text.data();
  const char* const end = p + text.size();
  p += *p == '-';
  const auto digit = [](char c) { return static_cast<unsigned char>(c - '0') <= 9; };
  if (p == end || !digit(*p) || (*p == '0' && p + 1 != end && p[1] != '.')) return false;
  while (p != end && digit(*p)) ++p;
  if (p == end) return true;
  if (*p++ != '.' || p == end) return false;
  while (p != end && digit(*p)) ++p;
  return p == end;
}

char* quote(std::string_view text, char* out) {
  unsigned special = 0;
  for (const char c : text)
    special |= static_cast<unsigned>(static_cast<unsigned char>(c) < 0x20) | (c == '"') | (c == '\\');
  if (special == 0) {
    *out++ = '"';
    out = copy(text, out);
    *out++ = '"';
    return out;
  }
  std::string escaped;
  write_json_bytes(text, escaped);
  std::memcpy(out, escaped.data(), escaped.size());
  return out + escaped.size();
}

bool is_json(std::string_view cell, int nesting) {
  JsonNode node;
  JsonProblem wrong;
  return parse_json(cell, node, wrong, 0, nesting);
}

constexpr std::size_t kMostName = 200;  // bytes of a column name in a message
constexpr std::array<char, CsvTable::kAhead> kEmptyText{'"', '"'}, kNull{'n', 'u', 'l', 'l'};

char* write_cell(std::string_view cell, TypeId id, const Model& model, int nesting, char* out);

// Items are separated by ';', unless the cell is a JSON list.
char* write_list(std::string_view text, const Type& list, const Model& model, int nesting, char* out) {
  const TypeId element = list.element;
  if (text.front() == '[' && is_json(text, nesting)) return copy(text, out);
  *out++ = '[';
  for (bool first = true;; first = false) {
    const std::size_t end = text.find(';');
    std::string_view item = text.substr(0, end);
    while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
    while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
    if (!first) *out++ = ',';
    if (!item.empty()) out = write_cell(item, element, model, nesting, out);
    else out = list.gaps ? copy(kNull.data(), 4, out) : copy(kEmptyText.data(), 2, out);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  *out++ = ']';
  return out;
}

// The type, among several, that matches the form of the cell, otherwise text. kUnknown: none matches.
TypeId type_of_cell(std::string_view cell, TypeId either, const TypeTable& types, int nesting) {
  const auto has = [&](TypeKind kind) { return types.alternative(either, kind); };
  if (is_json_number(cell) && has(TypeKind::number) != kUnknown) return has(TypeKind::number);
  if ((cell == "true" || cell == "false") && has(TypeKind::boolean) != kUnknown) return has(TypeKind::boolean);
  const bool bracket = cell.front() == '[' || cell.front() == '{';
  const TypeId one = bracket ? alternative_of(types, either, cell.front()) : kUnknown;
  if (one != kUnknown && is_json(cell, nesting)) return one;
  return has(TypeKind::text) != kUnknown ? has(TypeKind::text) : has(TypeKind::list);
}

char* write_cell(std::string_view cell, TypeId id, TypeKind kind, const Model& model, int nesting, char* out) {
  bool as_is = false;
  switch (kind) {
    case TypeKind::number: as_is = is_plain_number(cell) || is_json_number(cell); break;
    case TypeKind::boolean: as_is = cell == "true" || cell == "false"; break;
    case TypeKind::list: return write_list(cell, model.types[id], model, nesting, out);
    case TypeKind::record:
    case TypeKind::map: as_is = cell.front() == '{' && is_json(cell, nesting); break;
    case TypeKind::any: as_is = is_json(cell, nesting); break;
    case TypeKind::either: {
      const TypeId one = type_of_cell(cell, id, model.types, nesting);
      if (one != kUnknown) return write_cell(cell, one, model, nesting, out);
      break;
    }
    default: break;
  }
  return as_is ? copy(cell, out) : quote(cell, out);
}

char* write_cell(std::string_view cell, TypeId id, const Model& model, int nesting, char* out) {
  return write_cell(cell, id, model.types.kind(id), model, nesting, out);
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

// The type at the end of a path; unknown if the rubric has no such input.
TypeId type_at(const Model& model, const std::unordered_map<std::string_view, TypeId>& slots,
               const std::vector<std::string>& path) {
  const auto slot = slots.find(path[0]);
  if (slot == slots.end()) return kUnknown;
  TypeId type = slot->second;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const TypeKind kind = model.types.kind(type);
    const int field = kind == TypeKind::record ? model.types.field(type, path[i]) : -1;
    if (kind == TypeKind::map) {
      type = model.types[type].element;
    } else if (field >= 0) {
      type = model.types[type].fields[static_cast<std::size_t>(field)].type;
    } else {
      return kUnknown;
    }
  }
  return type;
}

// A file that was appended to another one may begin with a byte order mark.
std::string_view without_mark(std::string_view cell) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  return cell.substr(cell.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
}

// The word without capitals, blanks and '_', to compare two spellings.
std::string spelling(std::string_view word) {
  std::string result;
  for (const char c : word) {
    if (c != ' ' && c != '_' && c != '-' && c != '.')
      result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

// The paths of columns by their spelling: inputs, and the fields of records among them, by their own names as well.
std::map<std::string, std::string> paths_by_spelling(const TypeTable& types, const std::vector<Slot>& slots) {
  std::map<std::string, std::string> paths;
  for (const Slot& slot : slots) paths.emplace(spelling(slot.name), slot.name);
  for (const Slot& slot : slots) {
    if (types.kind(slot.type) != TypeKind::record) continue;
    for (const Field& field : types[slot.type].fields) {
      const std::string path = std::string(slot.name) + '.' + std::string(field.name);
      paths.emplace(spelling(path), path);
      paths.emplace(spelling(field.name), path);
    }
  }
  return paths;
}

// The problem of a header with which every row would fail: it names no input, or misspells a required one.
// Empty: no problem. A single input without a column may come from elsewhere.
std::string header_problem(const TypeTable& types, const std::vector<Slot>& slots,
                           const std::vector<std::string>& header) {
  std::unordered_set<std::string_view> columns;
  for (const std::string& column : header) {
    columns.insert(column);
    columns.insert(std::string_view(column).substr(0, column.find_first_of(".[")));
  }
  std::unordered_set<std::string_view> known;
  std::vector<std::string_view> required;
  bool named = false;
  for (const Slot& slot : slots) {
    const bool there = columns.count(slot.name) > 0;
    named = named || there;
    known.insert(slot.name);
    if (slot.presence == Presence::required && !there) required.push_back(slot.name);
  }
  if (required.empty()) {  // a file of ids alone, where the inputs have defaults, is in order
    const auto input = [](const Slot& slot) { return slot.name != "id"; };
    const bool reads = std::any_of(slots.begin(), slots.end(), input);
    named =
        std::any_of(slots.begin(), slots.end(), [&](const Slot& s) { return input(s) && columns.count(s.name) > 0; });
    if (!reads || named ||
        std::all_of(header.begin(), header.end(), [](const std::string& column) { return column == "id"; }))
      return {};
  }
  const std::map<std::string, std::string> paths = paths_by_spelling(types, slots);
  constexpr std::size_t kMost = 12;
  std::string others, meant;
  std::size_t count = 0;
  bool required_one = required.empty();
  for (const std::string& column : header) {
    if (known.count(column) > 0 || known.count(std::string_view(column).substr(0, column.find_first_of(".["))) > 0)
      continue;
    const auto found = paths.find(spelling(column));
    const auto near =
        std::find_if(required.begin(), required.end(), [&](std::string_view name) { return misspelt(column, name); });
    if (found == paths.end() && near == required.end()) continue;
    const std::string_view path = found != paths.end() ? std::string_view(found->second) : *near;
    required_one =
        required_one || std::find(required.begin(), required.end(), path.substr(0, path.find('.'))) != required.end();
    if (++count > kMost) continue;
    others += (count == 1 ? "'" : ", '") + shorten(column, kMostName) + '\'';
    meant += (count == 1 ? "'" : ", '") + std::string(path) + '\'';
  }
  const std::string more = count > kMost ? " …" : "";
  if (!required_one) count = 0;
  if (count == 1) return "the column " + others + " is not an input of the rubric: write " + meant;
  if (count > 1) return "the columns " + others + more + " are not inputs of the rubric: write " + meant + more;
  if (named) return {};
  if (required.empty()) {
    for (const Slot& slot : slots) {
      if (slot.name != "id") required.push_back(slot.name);
    }
  }
  std::string names;
  for (std::size_t i = 0; i < required.size() && i < kMost; ++i)
    names += (i == 0 ? "" : ", ") + shorten(std::string(required[i]), kMostName);
  return "no column of the header is an input of the rubric: the first line names them, such as " + names +
         (required.size() > kMost ? " …" : "");
}

}  // namespace

CsvRow read_csv_row(char* begin, char* end, char separator, std::vector<std::string_view>& cells) {
  CsvRow row;
  cells.clear();
  char* p = begin;
  for (;;) {
    char* const first = p;
    while (*p != separator && !ends_plain(*p)) ++p;  // the newline at the end stops the loop
    if (p < end && (*p == '"' || *p == '\r')) {
      p = read_quoted(first, p, end, separator, cells.emplace_back(), row);
    } else {
      cells.emplace_back(first, static_cast<std::size_t>(p - first));
    }
    if (p >= end) break;
    if (*p++ == '\n') {
      ++row.newlines;
      break;
    }
  }
  row.next = p;
  return row;
}

std::shared_ptr<const CsvTable> CsvTable::make(const Model& model, int rubric, std::vector<std::string> header,
                                               InputError& problem, bool strict, const Limits& limits, char separator) {
  auto table = std::make_shared<CsvTable>();
  table->separator_ = separator;
  if (separator == ',' && header.size() == 1 && header[0].find(';') != std::string::npos) {
    table->separator_ = ';';
    header = split(header[0], ';');
  }
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (is_utf8(header[i])) continue;
    problem = {"", "syntax", "the name of column " + std::to_string(i + 1) + " is not valid UTF-8"};
    return nullptr;
  }
  constexpr std::size_t kMostColumns = 100'000;
  if (header.size() > kMostColumns) {
    problem = {"", "limit", limit_message("the header has", kMostColumns, "columns", {})};
    return nullptr;
  }
  // Checked before the columns are taken apart, so that a deeply nested one costs only its bytes.
  const auto most = static_cast<std::size_t>(std::clamp(limits.nesting, 0, kMostNesting));
  for (const std::string& column : header) {
    if (static_cast<std::size_t>(std::count(column.begin(), column.end(), '.')) < most)
      continue;  // the record itself counts as one
    const std::string name = shorten(column, kMostName);
    problem = {name, "limit",
               limit_message("the column '" + name + "' is in", most, "objects within each other", "nesting")};
    return nullptr;
  }
  if (strict) {
    for (UnknownKey& first : unknown_columns(model, rubric, header, 1)) {
      problem = {std::move(first.path), "unknown", std::move(first.message)};
      return nullptr;
    }
  }
  if (std::string wrong = header_problem(model.types, model.rubrics[static_cast<std::size_t>(rubric)].slots, header);
      !wrong.empty()) {
    problem = {"", "required", std::move(wrong)};
    return nullptr;
  }
  std::unordered_map<std::string_view, TypeId> slots;
  for (const Slot& slot : model.rubrics[static_cast<std::size_t>(rubric)].slots) slots.emplace(slot.name, slot.type);
  std::unordered_set<std::string_view> names, needed;
  std::map<std::pair<int, std::string>, int> groups;  // by the group around it (-1: none) and the key
  for (const Slot& slot : model.rubrics[static_cast<std::size_t>(rubric)].slots) {
    table->requires_ = table->requires_ || slot.presence == Presence::required;
    table->inputs_.emplace(slot.name);
    if (slot.presence == Presence::required && slot.name != "id") needed.emplace(slot.name);
  }
  table->header_ = header;
  for (std::size_t i = 0; i < header.size(); ++i) {
    if (!names.insert(header[i]).second) {
      const std::string name = shorten(header[i], kMostName);
      problem = {name, "duplicate", "two columns have the header '" + name + "': rename or leave out one"};
      return nullptr;
    }
    std::vector<std::string> path;
    if (slots.count(header[i]) > 0) path = {header[i]};  // a name may hold dots
    else path = split(header[i], '.');
    Column column;
    column.cell = i;
    column.type = type_at(model, slots, path);
    column.kind = model.types.kind(column.type);
    if (table->telling_ == kNone && (column.kind == TypeKind::number || column.kind == TypeKind::boolean))
      table->telling_ = i;
    std::string key;
    write_json_bytes(path.back(), key);
    column.key.set(key + ':');
    for (std::size_t depth = 0; depth + 1 < path.size(); ++depth) {
      const int around = column.groups.empty() ? -1 : column.groups.back();
      const auto [at, fresh] = groups.emplace(std::pair(around, path[depth]), static_cast<int>(table->groups_.size()));
      if (fresh) {
        std::string open;
        write_json_bytes(path[depth], open);
        table->groups_.emplace_back().set(open + ":{");
        table->fixed_ += open.size() + 4;
      }
      column.groups.push_back(at->second);
    }
    table->fixed_ += column.key.size + 8;
    std::size_t lists = 0;
    for (TypeId type = column.type; model.types.kind(type) == TypeKind::list; type = model.types[type].element) ++lists;
    table->growth_ = std::max(table->growth_, 6 + 2 * lists);
    table->types_.push_back(column.type);
    table->paths_.push_back(std::move(path));
    table->columns_.push_back(std::move(column));
    if (needed.count(header[i]) > 0) table->needs_.push_back(i);
  }
  // Moves the columns of one object next to each other, to its first column. Groups are numbered by first appearance.
  std::vector<std::size_t> first(table->groups_.size(), header.size());
  for (const Column& column : table->columns_) {
    for (const int group : column.groups) {
      std::size_t& at = first[static_cast<std::size_t>(group)];
      at = std::min(at, column.cell);
    }
  }
  // positions of the first columns of the enclosing groups, then its own
  std::vector<std::vector<std::size_t>> places(header.size());
  for (const Column& column : table->columns_) {
    std::vector<std::size_t>& place = places[column.cell];
    for (const int group : column.groups) place.push_back(first[static_cast<std::size_t>(group)]);
    place.push_back(column.cell);
  }
  std::stable_sort(table->columns_.begin(), table->columns_.end(),
                   [&](const Column& a, const Column& b) { return places[a.cell] < places[b.cell]; });
  std::string text(table->fixed_, '\0');
  for (std::size_t i = 1; i < table->columns_.size(); ++i) {
    Column& column = table->columns_[i];
    char* const end = table->between(&table->columns_[i - 1], column, text.data());
    column.next.set({text.data(), static_cast<std::size_t>(end - text.data())});
  }
  return table;
}

char* CsvTable::between(const Column* last, const Column& column, char* out) const {
  std::size_t shared = 0;
  if (last != nullptr) {
    const std::size_t most = std::min(last->groups.size(), column.groups.size());
    while (shared < most && last->groups[shared] == column.groups[shared]) ++shared;
    for (std::size_t depth = last->groups.size(); depth > shared; --depth) *out++ = '}';
    *out++ = ',';
  }
  for (; shared < column.groups.size(); ++shared) {
    const Fragment& open = groups_[static_cast<std::size_t>(column.groups[shared])];
    out = copy(open.text.data(), open.size, out);
  }
  return copy(column.key.text.data(), column.key.size, out);
}

namespace {

// "Total", "Average": what stands before the last row of a sheet.
bool is_summary(std::string_view cell) {
  static constexpr std::string_view kWords[] = {"total",  "totals",     "grand total", "subtotal", "sum",
                                                "summe",  "gesamt",     "average",     "averages", "mean",
                                                "median", "mittelwert", "overall",     "all"};
  constexpr std::size_t kShortest = 3, kLongest = 11;
  if (cell.size() < kShortest || cell.size() > kLongest + 1) return false;
  if (cell.back() == ':') cell.remove_suffix(1);
  const auto same = [cell](std::string_view word) {
    return std::equal(cell.begin(), cell.end(), word.begin(), word.end(),
                      [](char a, char b) { return to_lower(a) == b; });
  };
  return std::any_of(std::begin(kWords), std::end(kWords), same);
}

}  // namespace

// Whether most cells are the names of their columns.
bool CsvTable::nearly_header(const std::vector<std::string_view>& cells) const {
  std::size_t same = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) same += cells[i] == header_[i] ? 1 : 0;
  return same > 1 && 2 * same > cells.size();
}

bool CsvTable::names_columns(const std::vector<std::string_view>& cells) const {
  std::unordered_set<std::string_view> names;
  return std::all_of(cells.begin(), cells.end(), [&](std::string_view cell) {
    if (cell.data() == cells[0].data()) cell = without_mark(cell);
    const bool known = inputs_.count(std::string(cell.substr(0, cell.find_first_of(".[")))) > 0 ||
                       std::find(header_.begin(), header_.end(), cell) != header_.end();
    return known && names.insert(cell).second;
  });
}

CsvTable::NoRecord CsvTable::no_record(const std::vector<std::string_view>& cells) const {
  // Nearly all rows have a number or a truth, or nothing, where this looks for a name.
  const std::string_view tells = telling_ == kNone ? std::string_view() : cells[telling_];
  const bool value = tells.empty() || tells.front() == '-' || (tells.front() >= '0' && tells.front() <= '9') ||
                     tells == "true" || tells == "false";
  const bool name = !value && (names_columns(cells) || nearly_header(cells));
  if (name && without_mark(cells[0]) == header_[0] &&
      std::equal(cells.begin() + 1, cells.end(), header_.begin() + 1, header_.end()))
    return {"the row repeats the header: leave it out"};
  if (name) {
    const auto known = [this](std::string_view cell) {
      return std::find(header_.begin(), header_.end(), cell) != header_.end();
    };
    const bool same = known(without_mark(cells[0])) && std::all_of(cells.begin() + 1, cells.end(), known);
    return {same ? "the row is another header, with its columns in another order: nothing after it is read, because "
                   "it belongs in a file of its own"
                 : "the row is another header, with other columns: nothing after it is read, because it belongs in a "
                   "file of its own",
            true};
  }
  if (requires_ && std::all_of(cells.begin(), cells.end(), [](std::string_view cell) { return cell.empty(); }))
    return {"every cell of the row is empty: leave the row out"};
  const auto lacks = [&](std::size_t column) { return cells[column].empty(); };
  if (std::any_of(needs_.begin(), needs_.end(), lacks) && is_summary(cells[0]))
    return {"the row sums up the others, as its first cell says: leave it out"};
  return {};
}

char* CsvTable::write(const std::vector<std::string_view>& cells, const Model& model, int nesting, char* out) const {
  const Column* last = nullptr;
  *out++ = '{';
  for (const Column& column : columns_) {
    const std::string_view cell = cells[column.cell];
    if (cell.empty()) continue;
    const bool adjacent = last != nullptr && last + 1 == &column;
    out = adjacent ? copy(column.next.text.data(), column.next.size, out) : between(last, column, out);
    out = write_cell(cell, column.type, column.kind, model, nesting, out);
    last = &column;
  }
  if (last != nullptr) {
    for (std::size_t depth = last->groups.size(); depth > 0; --depth) *out++ = '}';
  }
  *out++ = '}';
  return out;
}

char* CsvTable::write_one(std::size_t column, std::string_view cell, const Model& model, int nesting, char* out) const {
  return write_cell(cell, types_[column], model, nesting, out);
}

}  // namespace assay
