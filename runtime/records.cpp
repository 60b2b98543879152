// Cutting a stream into records: lines, one JSON value, or the rows of a CSV table. NDJSON holds one line in memory,
// JSON the file, CSV one row. A CSV cell becomes JSON by the type of the input that its header names.
#include "runtime/json_tree.hpp"
#include "runtime/rubric_impl.hpp"

#include <assay/assay.hpp>

#include <algorithm>

namespace assay {

struct RecordReader::Impl {
  Format format;
  Read read;
  const Model& model;
  std::shared_ptr<const Model> owner;
  Limits limits;

  std::string buffer;    // what was read and not yet used, from `at`
  std::size_t at = 0;
  bool started = false;  // something was read
  bool ended = false;    // nothing more to read
  bool failed = false;   // reading failed
  bool finished = false;
  std::uint64_t line = 0;
  std::string text;      // of the current record

  JsonNode document;  // JSON
  std::size_t next_item = 0;
  bool loaded = false;

  struct Column {
    std::vector<std::string> path;
    TypeId type = kUnknown;  // unknown: not an input of the rubric
    std::string name;
  };
  std::vector<Column> columns;  // CSV
  bool has_header = false;
  char separator = ',';

  Impl(Format the_format, Read the_read, const Rubric& rubric, Limits the_limits)
      : format(the_format), read(std::move(the_read)), model(*rubric.impl().model), owner(rubric.impl().model), limits(the_limits) {}

  bool fill() {  // reads more; false at the end
    if (ended) return false;
    if (at > 0) {
      buffer.erase(0, at);
      at = 0;
    }
    const bool first = !started && buffer.empty();
    started = true;
    const std::size_t old = buffer.size();
    constexpr std::size_t chunk = std::size_t{1} << 18;  // a pipe gives less, however much is asked for
    buffer.resize(old + chunk);
    const long got = read(buffer.data() + old, chunk);
    buffer.resize(old + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got <= 0) {
      ended = true;
      failed = got < 0;
      return false;
    }
    if (first && buffer.compare(0, 3, "\xEF\xBB\xBF") == 0) at = 3;  // a byte order mark
    return true;
  }

  Status end(InputError& problem) {
    finished = true;
    if (!failed) return Status::end;
    failed = false;
    problem = {"", "read", "the input could not be read"};
    return Status::error;
  }
  Status stop(InputError& problem, InputError what) {
    finished = true;
    problem = std::move(what);
    return Status::error;
  }
  InputError too_long() const { return {"", "limit", "the record is longer than " + std::to_string(limits.record_bytes) + " bytes"}; }

  // The next line without its newline; false at the end. `fits`: it is within the limit (the rest is passed over).
  bool next_line(std::string_view& result, bool& fits) {
    std::size_t searched = at;
    fits = true;
    while (true) {
      const std::size_t newline = buffer.find('\n', searched);
      if (newline != std::string::npos) {
        result = std::string_view(buffer).substr(at, newline - at);
        at = newline + 1;
        break;
      }
      if (buffer.size() - at > limits.record_bytes + 1) {
        fits = false;
        buffer.clear();
        at = searched = 0;
        if (fill()) continue;
        result = {};
        break;
      }
      const std::size_t pending = buffer.size() - at;
      const bool more = fill();
      searched = at + pending;
      if (more) continue;
      if (pending == 0 && fits) return false;
      result = std::string_view(buffer).substr(at);
      at = buffer.size();
      break;
    }
    ++line;
    if (!result.empty() && result.back() == '\r') result.remove_suffix(1);
    if (result.size() > limits.record_bytes) fits = false;
    return true;
  }

  Status next_ndjson(Record& record, InputError& problem) {
    std::string_view one;
    bool fits = true;
    while (next_line(one, fits)) {
      if (fits && one.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      record = {one, line};
      if (fits) return Status::record;
      record.json = {};
      problem = too_long();
      return Status::error;
    }
    return end(problem);
  }

  Status next_json(Record& record, InputError& problem) {
    if (!loaded) {
      while (fill()) {
        if (buffer.size() > limits.record_bytes) return stop(problem, too_long());
      }
      loaded = true;
      record.line = 1;
      const std::string_view all = std::string_view(buffer).substr(at);
      if (all.find_first_not_of(" \t\r\n") == std::string_view::npos) return end(problem);
      JsonProblem wrong;
      if (!parse_json(all, document, wrong, 1, limits.nesting + 1)) {
        record.line = line_of(all.data() + wrong.offset);
        return stop(problem, {"", wrong.too_deep ? "limit" : "syntax", wrong.message + ", at byte " + std::to_string(wrong.offset)});
      }
      if (!document.is(JsonNode::Kind::list)) {
        finished = true;
        record = {document.raw, line_of(document.raw.data())};
        return Status::record;
      }
    }
    if (next_item >= document.items.size()) return end(problem);
    const std::string_view raw = document.items[next_item++].raw;
    record = {raw, line_of(raw.data())};
    return Status::record;
  }

  std::uint64_t counted_line = 1;
  std::size_t counted_to = 0;
  std::uint64_t line_of(const char* p) {  // asked for in rising order
    const auto offset = static_cast<std::size_t>(p - buffer.data());
    for (; counted_to < offset && counted_to < buffer.size(); ++counted_to) counted_line += buffer[counted_to] == '\n';
    return counted_line;
  }

  // ---- CSV (RFC 4180: quotes around a cell, doubled inside it)
  // False at the end.
  bool next_row(std::vector<std::string>& cells, InputError& problem, bool& broken) {
    cells.assign(1, {});
    bool inside = false, was_quoted = false, any = false;
    std::size_t size = 0;
    ++line;
    std::uint64_t extra = 0;
    while (true) {
      if (at >= buffer.size() && !fill()) break;
      const char c = buffer[at++];
      any = true;
      if (++size > limits.record_bytes) {
        problem = too_long();
        return broken = true;
      }
      if (inside) {
        if (c == '\n') ++extra;
        if (c != '"') {
          cells.back() += c;
        } else if ((at < buffer.size() || fill()) && buffer[at] == '"') {
          cells.back() += '"';
          ++at;
        } else {
          inside = false;
        }
      } else if (c == '"' && cells.back().empty() && !was_quoted) {
        inside = was_quoted = true;
      } else if (c == separator) {
        cells.emplace_back();
        was_quoted = false;
      } else if (c == '\n') {
        break;
      } else if (c != '\r') {
        cells.back() += c;
      }
    }
    row_line = line;
    line += extra;
    if (inside) {
      problem = {"", "syntax", "a cell in quotes has no closing quote"};
      return broken = true;
    }
    return any;
  }
  std::uint64_t row_line = 0;

  bool read_header(const std::vector<std::string>& cells, InputError& problem) {
    std::vector<std::string_view> names;
    const RubricModel& rubric = model.rubrics[static_cast<std::size_t>(model.main)];
    for (const std::string& cell : cells) {
      Column column;
      column.name = cell;
      for (std::size_t begin = 0; begin <= cell.size();) {
        const std::size_t dot = std::min(cell.find('.', begin), cell.size());
        column.path.push_back(cell.substr(begin, dot - begin));
        begin = dot + 1;
      }
      bool known = true;
      for (std::size_t i = 0; i < column.path.size() && known; ++i) {
        if (i == 0) {
          known = false;
          for (const Slot& slot : rubric.slots) {
            if (slot.name != column.path[0]) continue;
            column.type = slot.type;
            known = true;
          }
        } else {
          const TypeKind kind = model.types.kind(column.type);
          const int field = kind == TypeKind::record ? model.types.field(column.type, column.path[i]) : -1;
          known = field >= 0 || kind == TypeKind::map;
          if (kind == TypeKind::map) column.type = model.types[column.type].element;
          if (field >= 0) column.type = model.types[column.type].fields[static_cast<std::size_t>(field)].type;
        }
      }
      if (!known) column.type = kUnknown;
      if (std::find(names.begin(), names.end(), cell) != names.end()) {
        problem = {cell, "duplicate", "two columns have the header '" + cell + "'"};
        return false;
      }
      names.push_back(cell);
      columns.push_back(std::move(column));
    }
    return true;
  }

  bool is_json(std::string_view cell) const {
    JsonNode node;
    JsonProblem wrong;
    return parse_json(cell, node, wrong, 0, limits.nesting);
  }

  // A cell as JSON, by the type that is expected; a text that does not fit becomes a JSON text, for the reader of
  // records to refuse with its place.
  std::string cell_json(std::string_view cell, TypeId id) const {
    std::string json;
    const Type& type = model.types[id];
    const auto quote = [&] {
      write_json_text(cell, json);
      return json;
    };
    switch (type.kind) {
      case TypeKind::number: return is_json_number(cell) ? std::string(cell) : quote();
      case TypeKind::boolean: return cell == "true" || cell == "false" ? std::string(cell) : quote();
      case TypeKind::list: {
        if (cell.front() == '[' && is_json(cell)) return std::string(cell);
        json = "[";
        while (true) {
          const std::size_t end = cell.find(';');
          std::string_view item = cell.substr(0, end);
          while (!item.empty() && item.front() == ' ') item.remove_prefix(1);
          while (!item.empty() && item.back() == ' ') item.remove_suffix(1);
          if (json.size() > 1) json += ',';
          json += item.empty() ? "\"\"" : cell_json(item, type.element);
          if (end == std::string_view::npos) break;
          cell.remove_prefix(end + 1);
        }
        return json + ']';
      }
      case TypeKind::record:
      case TypeKind::map: return cell.front() == '{' && is_json(cell) ? std::string(cell) : quote();
      case TypeKind::any: return is_json(cell) ? std::string(cell) : quote();
      default: return quote();
    }
  }

  Status next_csv(Record& record, InputError& problem) {
    std::vector<std::string> row;
    bool broken = false;
    while (next_row(row, problem, broken)) {
      record.line = row_line;
      if (broken) return stop(problem, InputError(problem));
      if (row.size() == 1 && row[0].empty()) continue;
      if (!has_header) {
        has_header = true;
        if (row.size() == 1 && row[0].find(';') != std::string::npos) {  // the other usual separator
          separator = ';';
          const std::string header = row[0] + ';';
          row.clear();
          for (std::size_t begin = 0; begin < header.size();) {
            const std::size_t end = header.find(';', begin);
            row.push_back(header.substr(begin, end - begin));
            begin = end + 1;
          }
        }
        if (!read_header(row, problem)) return stop(problem, InputError(problem));
        continue;
      }
      if (row.size() != columns.size()) {  // the next one may be in order again
        problem = {"", "syntax", "the row has " + std::to_string(row.size()) + " cells, the header " + std::to_string(columns.size())};
        return Status::error;
      }
      text = row_json(row);
      record.json = text;
      return Status::record;
    }
    return end(problem);
  }

  std::string row_json(const std::vector<std::string>& row) const {
    std::string json = "{";
    write_members(row, {}, 0, json);
    return json + '}';
  }

  // The members whose path begins with `prefix`, in the order of their first column.
  void write_members(const std::vector<std::string>& row, const std::vector<std::string>& prefix, std::size_t depth, std::string& json) const {
    std::vector<std::string_view> done;
    bool first = true;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::vector<std::string>& path = columns[i].path;
      if (row[i].empty() || path.size() <= depth || !std::equal(prefix.begin(), prefix.end(), path.begin())) continue;
      const std::string& key = path[depth];
      if (std::find(done.begin(), done.end(), key) != done.end()) continue;
      if (!first) json += ',';
      first = false;
      write_json_text(key, json);
      json += ':';
      if (path.size() == depth + 1) {
        json += cell_json(row[i], columns[i].type);
        continue;
      }
      done.push_back(key);
      std::vector<std::string> inner = prefix;
      inner.push_back(key);
      json += '{';
      write_members(row, inner, depth + 1, json);
      json += '}';
    }
  }
};

RecordReader::RecordReader(Format format, Read read, const Rubric& rubric, Limits limits)
    : impl_(std::make_unique<Impl>(format, std::move(read), rubric, limits)) {}
RecordReader::~RecordReader() = default;
RecordReader::RecordReader(RecordReader&&) noexcept = default;

RecordReader::Status RecordReader::next(Record& record, InputError& problem) {
  record = Record();
  if (impl_->finished) return Status::end;
  switch (impl_->format) {
    case Format::ndjson: return impl_->next_ndjson(record, problem);
    case Format::json: return impl_->next_json(record, problem);
    case Format::csv: return impl_->next_csv(record, problem);
  }
  return Status::end;
}

}  // namespace assay
