// Examines the beginning of a file without consuming it.
#include <assay/files.hpp>

#include "runtime/files/unpack.hpp"

#include <algorithm>
#include <utility>

namespace assay {

namespace {

constexpr std::size_t kRaw = std::size_t{1} << 16;
constexpr std::size_t kSniffed = std::size_t{1} << 20;  // bytes read to detect the format
constexpr std::string_view kBlank = " \t\r\n\xef\xbb\xbf";

constexpr std::pair<std::string_view, Format> kFormats[] = {
    {"ndjson", Format::ndjson}, {"jsonl", Format::ndjson}, {"json", Format::json},
    {"csv", Format::csv},       {"tsv", Format::tsv},      {"npy", Format::npy},
};

bool names_packed(std::string_view name) { return name.ends_with(".gz") || name.ends_with(".zst"); }

// The ending, without that of a compressed file: for "records.csv.gz" it is "csv".
std::string_view ending(std::string_view name) {
  name = name.substr(name.find_last_of("/\\") + 1);
  if (names_packed(name)) name = name.substr(0, name.rfind('.'));
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? std::string_view() : name.substr(dot + 1);
}

constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
    {"yaml", "YAML is not read: make JSON of it, as yq -o json does"},
    {"yml", "YAML is not read: make JSON of it, as yq -o json does"},
    {"xlsx", "a workbook is not read: save its sheet as CSV"},
    {"xls", "a workbook is not read: save its sheet as CSV"},
    {"ods", "a workbook is not read: save its sheet as CSV"},
    {"xml", "XML is not read: make JSON or CSV of it"},
    {"parquet", "Parquet is not read: make CSV or NDJSON of it"},
    {"feather", "Arrow files are not read: make CSV or NDJSON of them"},
    {"arrow", "Arrow files are not read: make CSV or NDJSON of them"},
    {"pkl", "pickled objects are not read: make CSV or NDJSON of them"},
    {"npz", "archives of arrays are not read: save one array of records as .npy"},
};

std::string unknown_ending(std::string_view name) {
  const std::string_view written = ending(name);
  for (const auto& [other, problem] : kOthers) {
    if (written == other) return std::string(problem);
  }
  std::string problem = "the ending of its name does not say how its records are written; known are ";
  for (const auto& [known, format] : kFormats)
    problem += (known == kFormats[0].first ? "." : ", .") + std::string(known);
  return problem + ", also with .gz or .zst; --from says it whatever the name";
}

}  // namespace

std::optional<Format> format_named(std::string_view name) {
  for (const auto& [known, format] : kFormats) {
    if (known == name) return format;
  }
  return std::nullopt;
}

struct RecordSource::Impl {
  Bytes source;
  SourceOptions options;
  Beginning start;
  Format format = Format::ndjson;
  Unpack unpack;    // empty: the file is not compressed
  std::string raw;  // read from the file, used up to `used`
  std::size_t used = 0;
  bool ended = false;   // the file has ended
  bool failed = false;  // reading it failed
  bool sniffing_failed = false;
  std::string sniffed;  // bytes decompressed to find the format, or the header
  NpyTable table;
  std::vector<NpyInput> inputs;
  std::string problem;
  std::uint64_t bytes = 0;

  std::string_view unread() const { return std::string_view(raw).substr(used); }

  long read_source(char* buffer, std::size_t size) {
    const long count = source.read(buffer, size);
    ended = count <= 0;
    failed = count < 0;
    return count;
  }

  // Reads more of the file. False: its end, or a failure.
  bool more(std::size_t size) {
    if (ended) return false;
    raw.erase(0, used);
    used = 0;
    const std::size_t old = raw.size();
    raw.resize(old + size);
    const long count = read_source(raw.data() + old, size);
    raw.resize(old + static_cast<std::size_t>(std::max(count, 0L)));
    return count > 0;
  }

  bool detect_packing() {
    const auto begins = [this](std::string_view magic) { return unread().substr(0, magic.size()) == magic; };
    const auto may_begin = [this](std::string_view magic) {
      return unread().size() < magic.size() && magic.substr(0, unread().size()) == unread();
    };
    while (may_begin(kGzip) || may_begin(kZstd)) {
      if (!more(kRaw)) break;
    }
    if (begins(kGzip)) unpack = unpack_gzip();
    if (begins(kZstd)) unpack = unpack_zstd();
    return !failed;
  }

  // Reads on until find(sniffed) is a position. npos: it never is.
  template <class Find>
  std::size_t sniff(Find&& find) {
    char buffer[4096];
    for (;;) {
      const std::size_t at = find(std::string_view(sniffed));
      if (at != std::string::npos || sniffed.size() >= kSniffed) return at;
      const long count = unpacked(buffer, sizeof buffer);
      sniffing_failed = count < 0;
      if (count <= 0) return std::string::npos;
      sniffed.append(buffer, static_cast<std::size_t>(count));
    }
  }

  // Whether the object at `first` goes over several lines, as programs that indent JSON write it: its line leaves it
  // open, and the next one goes on with a key or its end. A record that was cut off has another record below it.
  bool over_lines(std::size_t first) {
    const std::size_t end = sniff([first](std::string_view text) { return text.find('\n', first); });
    if (end == std::string::npos) return false;
    int open = 0;
    bool quoted = false;
    for (std::size_t i = first; i < end; ++i) {
      const char c = sniffed[i];
      if (c == '"') quoted = !quoted;
      else if (c == '\\') ++i;
      else if (!quoted) open += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    }
    if (quoted || open <= 0) return false;
    const std::size_t next = sniff([end](std::string_view text) { return text.find_first_not_of(kBlank, end); });
    return next != std::string::npos && (sniffed[next] == '"' || sniffed[next] == '}');
  }

  bool detect_format(std::string_view name, const Rubric& rubric) {
    std::optional<Format> found = format_named(options.from);
    if (!found && name != "-") {
      const std::string_view last = ending(name);
      found = format_named(last);
      if (!found && !last.empty() && (!unpack || names_packed(name))) {
        problem = unknown_ending(name);
        return false;
      }
    }
    // The content decides where the name does not, and where it is no NDJSON whatever the name says.
    if (!found || (*found == Format::ndjson && options.from.empty())) {
      const std::size_t first = sniff([](std::string_view text) { return text.find_first_not_of(kBlank); });
      const char begin = first == std::string::npos ? ' ' : sniffed[first];
      if (begin == '[' || (begin == '{' && over_lines(first))) found = Format::json;
      else if (!found)
        found = begin == kNpyMagic.front() ? Format::npy : Format::ndjson;  // a text never begins like .npy
      if (sniffing_failed) return false;
    }
    format = start.format = *found;
    return format != Format::npy || open_npy(rubric);
  }

  // Reads the header and keeps it for the reader of the file.
  bool open_npy(const Rubric& rubric) {
    char buffer[4096];
    std::optional<std::size_t> wanted = npy_header_bytes(sniffed, problem);
    while (wanted && (*wanted == 0 || sniffed.size() < *wanted)) {
      const long count = unpacked(buffer, sizeof buffer);
      if (count == 0) problem = sniffed.empty() ? "it is empty" : "it ends within its header";
      if (count <= 0) return false;
      sniffed.append(buffer, static_cast<std::size_t>(count));
      if (*wanted == 0) wanted = npy_header_bytes(sniffed, problem);
    }
    if (!wanted) return false;
    std::optional<NpyTable> read = parse_npy_header(std::string_view(sniffed).substr(0, *wanted), problem);
    if (!read) return false;
    std::optional<std::vector<NpyInput>> meant = npy_inputs(*read, rubric, options.strict, problem);
    if (!meant) return false;
    table = std::move(*read);
    inputs = std::move(*meant);
    for (const NpyField& field : table.fields) start.fields.push_back(field.path);
    return true;
  }

  long unpacked(char* buffer, std::size_t size) {
    if (!unpack) {
      if (!unread().empty()) {
        const std::size_t count = unread().copy(buffer, size);
        used += count;
        return static_cast<long>(count);
      }
      if (ended) return failed ? -1 : 0;
      return read_source(buffer, size);
    }
    for (;;) {
      // A small compressed file may expand without end.
      if (options.interrupt != nullptr && options.interrupt->state() != Interrupt::State::none) return -1;
      std::string_view input = unread();
      const long count = unpack(input, ended, buffer, size, problem);
      used = raw.size() - input.size();
      if (count != 0) return count;
      if (failed) return -1;
      if (ended) return 0;
      (void)more(kRaw);
      if (failed) return -1;
    }
  }

  void keep(std::string_view read) {
    const std::size_t room = Beginning::kMost - start.text.size();
    start.whole = read.size() <= room;
    start.text.append(read.substr(0, room));
  }

  long read(char* buffer, std::size_t size) {
    long count = 0;
    if (!sniffed.empty()) {
      count = static_cast<long>(sniffed.copy(buffer, size));
      sniffed.erase(0, static_cast<std::size_t>(count));
    } else {
      count = unpacked(buffer, size);
    }
    if (count <= 0) return count;
    bytes += static_cast<std::uint64_t>(count);
    if (start.whole && !options.strict && format != Format::npy) keep({buffer, static_cast<std::size_t>(count)});
    return count;
  }
};

std::optional<RecordSource> RecordSource::open(Bytes bytes, std::string_view name, const Rubric& rubric,
                                               const SourceOptions& options, std::string& problem) {
  auto impl = std::make_unique<Impl>();
  impl->source = std::move(bytes);
  impl->options = options;
  impl->start.label = options.label;
  if (impl->detect_packing() && impl->detect_format(name, rubric)) return RecordSource(std::move(impl));
  problem = impl->problem;
  return std::nullopt;
}

RecordSource::RecordSource(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RecordSource::~RecordSource() = default;
RecordSource::RecordSource(RecordSource&&) noexcept = default;
RecordSource& RecordSource::operator=(RecordSource&&) noexcept = default;

Format RecordSource::format() const { return impl_->format; }
long RecordSource::read(char* buffer, std::size_t size) { return impl_->read(buffer, size); }
bool RecordSource::would_wait() const {
  return impl_->sniffed.empty() && impl_->unread().empty() && !impl_->ended && impl_->source.waits &&
         impl_->source.waits();
}
const std::string& RecordSource::problem() const { return impl_->problem; }
std::uint64_t RecordSource::bytes() const { return impl_->bytes; }
const Beginning& RecordSource::beginning() const { return impl_->start; }
const NpyTable& RecordSource::table() const { return impl_->table; }
const std::vector<NpyInput>& RecordSource::inputs() const { return impl_->inputs; }

}  // namespace assay
