// The same records as rows of a .npy file and as lines of NDJSON: every verdict and every message has to be the same, by
// way of records (the whole verdict) and by way of columns (the verdicts as rows of a .npy file, read back here).
// Usage: assay-npy-pair ASSAY
#include "runtime/jit/jit.hpp"
#include "tests/case_file.hpp"
#include "tests/child_process.hpp"
#include "tests/property/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fs = std::filesystem;
using namespace assay_tests;

namespace {

constexpr std::size_t kRows = 6000;  // enough for machine code to be generated

Random random_numbers(7);

std::uint64_t below(std::uint64_t count) { return random_numbers.below(count); }

// A builder of rows: each field is written both as bytes and as JSON.
class Rows {
 public:
  void begin() { json_ += '{'; }
  void end() {
    json_.back() = '}';  // replaces a comma
    json_ += '\n';
    ++count_;
  }
  void open(const std::string& name) { json_ += '"' + name + "\":{"; }
  void close() { json_.back() = '}', json_ += ','; }

  // digits / 10^decimals; `missing`: NaN.
  void number(const std::string& name, const std::string& type, std::int64_t digits, int decimals,
              bool missing = false) {
    std::string text = std::to_string(digits < 0 ? -digits : digits);
    if (decimals > 0) {
      while (text.size() <= static_cast<std::size_t>(decimals)) text.insert(text.begin(), '0');
      text.insert(text.size() - static_cast<std::size_t>(decimals), ".");
    }
    if (digits < 0) text.insert(text.begin(), '-');
    member(name, missing ? "null" : text);
    const double real = missing ? std::numeric_limits<double>::quiet_NaN() : std::strtod(text.c_str(), nullptr);
    if (type == "<f8") return value(name, type, real);
    if (type == "<f4") return value(name, type, static_cast<float>(real));
    if (type == "|i1") return value(name, type, static_cast<std::int8_t>(digits));
    if (type == "<i2") return value(name, type, static_cast<std::int16_t>(digits));
    if (type == "<i4") return value(name, type, static_cast<std::int32_t>(digits));
    if (type == "<i8") return value(name, type, digits);
    if (type == "|u1") return value(name, type, static_cast<std::uint8_t>(digits));
    if (type == "<u2") return value(name, type, static_cast<std::uint16_t>(digits));
    if (type == "<u4") return value(name, type, static_cast<std::uint32_t>(digits));
    return value(name, type, static_cast<std::uint64_t>(digits));
  }
  void truth(const std::string& name, bool is) {
    member(name, is ? "true" : "false");
    value(name, "|b1", static_cast<std::uint8_t>(is));
  }
  void text(const std::string& name, const std::string& text, std::size_t width, bool unicode = false) {
    std::string json;
    for (const char c : text) {
      if (c == '"' || c == '\\') json += '\\';
      if (c == '\t') json += "\\t";
      else json += c;
    }
    member(name, text.empty() ? "null" : '"' + json + '"');
    field(name, type_of(width, unicode));
    put(text, width, unicode);
  }
  void texts(const std::string& name, const std::vector<std::string>& texts, std::size_t room, std::size_t width,
             bool unicode = false) {
    std::string list;
    for (const std::string& text : texts) list += (list.empty() ? "\"" : ",\"") + text + '"';
    member(name, '[' + list + ']');
    field(name, type_of(width, unicode) + "', (" + std::to_string(room) + ",)");
    const std::size_t gap = below(room - texts.size() + 1);  // empty texts are placed on either side
    for (std::size_t i = 0; i < room; ++i)
      put(i >= gap && i < gap + texts.size() ? texts[i - gap] : "", width, unicode);
  }

  const std::string& json() const { return json_; }
  std::string npy() const {
    std::string header =
        "{'descr': [" + fields_ + "], 'fortran_order': False, 'shape': (" + std::to_string(count_) + ",), }\n";
    std::string out = "\x93NUMPY";
    out += std::string("\1\0", 2) + static_cast<char>(header.size() & 0xff) + static_cast<char>(header.size() >> 8);
    return out + header + rows_;
  }

 private:
  static std::string type_of(std::size_t width, bool unicode) {
    return (unicode ? "<U" : "|S") + std::to_string(width);
  }
  void member(const std::string& name, const std::string& json) {
    json_ += '"' + name.substr(name.rfind('.') + 1) + "\":" + json + ',';
  }
  void field(const std::string& name, const std::string& type) {
    if (count_ > 0) return;
    const bool closed = type.ends_with(")");
    fields_ += "('" + name + "', '" + type + (closed ? "), " : "'), ");
  }
  template <class T>
  void value(const std::string& name, const std::string& type, T value) {
    field(name, type);
    rows_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  // ASCII only.
  void put(const std::string& text, std::size_t width, bool unicode) {
    for (std::size_t i = 0; i < width; ++i) {
      rows_ += i < text.size() ? text[i] : '\0';
      if (unicode) rows_ += std::string(3, '\0');
    }
  }

  std::string fields_, rows_, json_;
  std::size_t count_ = 0;
};

const std::vector<std::string> kWords = {"hardcoded_secret", "sql_injection", "missing_tests", "licence", "ignored"};

std::vector<std::string> some_words() {
  std::vector<std::string> words(below(4));
  for (std::string& word : words) word = random_numbers.pick(kWords);
  return words;
}

Rows judge() {
  Rows rows;
  for (std::size_t i = 0; i < kRows; ++i) {
    rows.begin();
    rows.text("id", i % 50 == 7 ? "" : "r" + std::to_string(i), 8);
    rows.open("scores");
    for (const char* name : {"correctness", "completeness", "adherence", "actionability"}) {
      const bool wrong = below(400) == 0;
      rows.number(std::string("scores.") + name, "<f8", wrong ? 1001 : 100 + static_cast<std::int64_t>(below(901)), 2,
                  below(400) == 0);
    }
    rows.number("scores.efficiency", "<f4", 100 + static_cast<std::int64_t>(below(901)), 2, below(400) == 0);
    rows.number("scores.safety", "|i1", static_cast<std::int64_t>(below(400) == 0 ? -3 : 1 + below(10)), 0);
    rows.number("scores.consistency", "<u4", static_cast<std::int64_t>(1 + below(10)), 0);
    rows.close();
    rows.texts("red_flags", some_words(), 6, 16);
    rows.texts("bonuses", some_words(), 4, 20, true);
    rows.end();
  }
  return rows;
}

Rows patch() {
  Rows rows;
  for (std::size_t i = 0; i < kRows; ++i) {
    rows.begin();
    rows.text("id", "r" + std::to_string(i), 8, true);
    rows.open("gates");
    for (const char* name :
         {"applies_cleanly", "paths_allowed", "no_destructive_git", "security_clean", "functional_viable"})
      rows.truth(std::string("gates.") + name, below(50) != 0);
    rows.close();
    rows.truth("has_tests", below(10) != 0);
    rows.open("metrics");
    for (const char* name :
         {"test_pass_ratio", "static_health", "intent_match", "blast_radius", "risky_change", "dependency_risk",
          "complexity_delta", "readability", "added_docs_tests", "runtime", "token_cost", "historical_fit"})
      rows.number(std::string("metrics.") + name, "<f8", below(2000) == 0 ? -1 : static_cast<std::int64_t>(below(1001)),
                  3, below(100) < 6);
    rows.close();
    rows.end();
  }
  return rows;
}

Rows skill() {
  Rows rows;
  for (std::size_t i = 0; i < kRows; ++i) {
    const auto number = [&](const char* name, const char* type, std::uint64_t most) {
      rows.number(name, type, static_cast<std::int64_t>(below(most)), 0);
    };
    rows.begin();
    rows.text("id", "r" + std::to_string(i), 8);
    rows.text("skill_category", below(20) == 0 ? "" : random_numbers.pick<std::string>({"design", "research", "other"}),
              12, true);
    for (const char* name : {"code", "failed", "recovered", "partial_completion", "workaround_used",
                             "failure_explained", "output_validated", "user_accepted", "user_used_output",
                             "follow_ups_resolved", "linter_passed", "types_valid", "tests_passed"})
      rows.truth(name, below(2) != 0);
    number("tokens_used", "<i8", 30000);
    number("duration_ms", "<u8", 200000);
    number("output_size", "<i2", 60);
    number("files_changed", "|u1", 5);
    number("requested_items", "<u2", 12);
    number("delivered_items", "<i4", 13);
    number("tool_calls", "<f4", 12);
    rows.number("user_edit_ratio", "<f8", static_cast<std::int64_t>(below(110)), 2, below(10) == 0);
    rows.text("feedback",
              below(500) == 0 ? "never" : random_numbers.pick<std::string>({"", "none", "partially", "accurate"}), 9);
    rows.text("follow_ups", random_numbers.pick<std::string>({"", "none", "one", "more"}), 4, true);
    rows.end();
  }
  return rows;
}

// Numbers of every size and number of digits, booleans, texts, missing values, and ids that JSON must escape. When
// scoring by columns, the lines of these must be assembled from doubles and codes, which is not always possible.
constexpr std::string_view kOutputs = R"(rubric outputs "Values of every kind" {
  scale 0..1000 decimals 3
  input a, b: number -1000000000..1000000000
  input c: number 0..1000 optional
  input far: number -9223372036854775808..9223372036854775807 optional
  input mood: one of ("calm", "it's \"odd\"", "naïve") optional
  dimension d weight 100% = clamp(abs(a), 0..1000)
  output third = a / 3
  output ratio = a / b when b != 0 else missing
  output product = a * b
  output hundredths = a / 7 decimals 2
  output most = b / 9 decimals 9
  output tiny = a / 1000000000
  output huge = a * a * a
  output is_more = a > b
  output maybe = c > 10
  output same_mood = mood
  output same_c = c
  output away = far
}
)";

Rows outputs() {
  Rows rows;
  for (std::size_t i = 0; i < kRows; ++i) {
    rows.begin();
    const std::uint64_t kind = below(40);
    rows.text("id",
              kind == 0 ? ""
                        : (kind == 1   ? "a\\ \"b\"\t"
                           : kind == 2 ? "7\x7f"
                                       : "row ") +
                              std::to_string(i),
              12);
    const auto any = [](std::int64_t limit) {
      return static_cast<std::int64_t>(below(2 * static_cast<std::uint64_t>(limit) + 1)) - limit;
    };
    const int decimals = static_cast<int>(below(7));
    std::int64_t most = 1;
    for (std::uint64_t digits = 1 + below(9); digits > 0; --digits) most *= 10;
    rows.number("a", "<f8", any(most), decimals);
    rows.number("b", "<i4", below(20) == 0 ? 0 : any(below(2) == 0 ? 99 : 999'999'999), 0);
    rows.number("c", "<f4", static_cast<std::int64_t>(below(2000)), 1, below(3) == 0);
    rows.number("far", "<i8", below(3) == 0 ? 1 - INT64_MAX + any(1000) / 1001 : any(1'000'000'000'000'000'000), 0);
    rows.text("mood", random_numbers.pick<std::string>({"calm", "", "calm"}), 12, true);
    rows.end();
  }
  return rows;
}

// The verdict rows as JSON lines with id, status, score and grade, or {"error"} for a rejected row.
std::string lines_of(const std::string& npy, std::size_t rows, bool unicode_id) {
  const std::size_t at = 10 + static_cast<unsigned char>(npy[8]) + 256u * static_cast<unsigned char>(npy[9]);
  const auto width = [&](std::string_view name) {  // of a text
    const std::size_t type = npy.find("('" + std::string(name) + "', ");
    if (type == std::string::npos || type > at) throw std::runtime_error("no field " + std::string(name));
    return std::stoul(npy.substr(npy.find_first_of("0123456789", type + name.size() + 4)));
  };
  const std::size_t id = width("id") * (unicode_id ? 4 : 1), status = width("status"), grade = width("grade");
  const std::size_t row = id + status + 8 + grade;
  if (npy.size() != at + rows * row) throw std::runtime_error("the file has another size than its rows");
  std::string out;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto text = [](std::string_view bytes, std::size_t step) {
      std::string result;
      for (std::size_t k = 0; k < bytes.size() && bytes[k] != '\0'; k += step) result += bytes[k];
      return result.empty() ? "null" : '"' + result + '"';
    };
    const std::string_view bytes = std::string_view(npy).substr(at + i * row, row);
    double score = 0;
    std::memcpy(&score, bytes.data() + id + status, sizeof score);
    char number[40];
    std::snprintf(number, sizeof number, "%.10g", score);
    const std::string state = text(bytes.substr(id, status), 1), letter = text(bytes.substr(id + status + 8), 1);
    if (state == "\"error\"") {
      out += std::isnan(score) && letter == "null" ? "error\n" : "half an error\n";
      continue;
    }
    out += "{\"id\":" + text(bytes.substr(0, id), unicode_id ? 4 : 1) + ",\"status\":" + state +
           ",\"score\":" + (std::isnan(score) ? "null" : number) + ",\"grade\":" + letter + "}\n";
  }
  return out;
}

// Removes the messages of errors: only their presence is compared.
std::string without_errors(std::string_view lines) {
  std::string out;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n') + 1);
    out += line.starts_with("{\"error\"") ? "error\n" : line;
    lines.remove_prefix(line.size());
  }
  return out;
}

// The same rows in files of both formats, and the output of the command for them.
class Pair {
 public:
  Pair(std::string assay, std::string name, const std::string& rubric, const Rows& rows)
      : assay_(std::move(assay)), name_(std::move(name)) {
    write_file(path() / "it.rubric", rubric);
    write_file(path() / "data.ndjson", rows.json());
    write_file(path() / "data.npy", rows.npy());
    write_file(path() / "none", "");
  }

  // The verdicts and messages, with the same file name in both.
  std::pair<std::string, std::string> run(const std::string& file, const std::vector<std::string>& options) {
    std::vector<std::string> command = {assay_, "score", "it.rubric", file};
    command.insert(command.end(), options.begin(), options.end());
    const Streams streams{path() / "none", path() / "out", path() / "err", path()};
    const int code = run_child(command, streams);
    std::string messages = read_file(path() / "err");
    for (std::size_t at = 0; (at = messages.find(file + ":", at)) != std::string::npos;)
      messages.replace(at, file.size(), "data");
    return {read_file(path() / "out"), messages + "exit " + std::to_string(code) + "\n"};
  }
  void compare(const std::string& what, const std::string& expected, const std::string& got) {
    if (expected == got) return;
    ++failures_;
    print_difference(name_ + ": " + what, expected, got);
  }
  // The lines for both files, and those for NDJSON.
  std::pair<std::string, std::string> compare_lines(const std::string& what, const std::vector<std::string>& options) {
    auto lines = run("data.ndjson", options);
    const auto [from_rows, told] = run("data.npy", options);
    compare(what, lines.first, from_rows);
    compare("messages of " + what, lines.second, told);
    return lines;
  }
  // Checks that the lines of these fields are made by columns: rows are scored in vectors, or by the row code.
  void expect_columns(const std::string& fields) {
    if (!assay::JitCode::available()) return;
    const std::string told = run("data.npy", {"--fields", fields, "--stats"}).second;
    const std::string counted = told.substr(std::min(told.find("\nrow code "), told.size()));
    if (counted.find_first_of("123456789") > counted.find("\nsteps")) compare("--stats of " + fields, "many", counted);
  }
  int failures() const {
    std::printf("%s: %d differences\n", name_.c_str(), failures_);
    return failures_;
  }

 private:
  const fs::path& path() const { return scratch_.path(); }

  TemporaryDirectory scratch_;
  std::string assay_, name_;
  int failures_ = 0;
};

int check(const std::string& assay, const std::string& name, const Rows& rows, bool unicode_id) {
  const std::string fields = "id,status,score,grade";
  Pair pair(assay, name, read_file(std::string(ASSAY_SOURCE_DIR) + "/tests/bench/workloads/" + name + ".rubric"), rows);
  pair.compare_lines("whole verdicts", {});
  const auto [lines, told] = pair.compare_lines("some fields", {"--fields", fields});
  pair.expect_columns(fields);
  const auto [by_three, three_told] = pair.run("data.npy", {"--fields", fields, "--threads", "3"});
  pair.compare("fields on three threads", lines, by_three);
  pair.compare("messages of three threads", told, three_told);
  const auto [columns, columns_told] = pair.run("data.npy", {"--fields", fields, "--to", "npy", "--threads", "1"});
  pair.compare("verdicts of columns", without_errors(lines), lines_of(columns, kRows, unicode_id));
  pair.compare("messages of columns", told, columns_told);
  const auto [columns_by_three, columns_three_told] =
      pair.run("data.npy", {"--fields", fields, "--to", "npy", "--threads", "3"});
  pair.compare("columns on three threads", columns, columns_by_three);
  pair.compare("messages of columns on three threads", told, columns_three_told);
  return pair.failures();
}

int check_outputs(const std::string& assay) {
  Pair pair(assay, "outputs", std::string(kOutputs), outputs());
  for (const char* fields :
       {"id,score", "third,id", "id,ratio", "product,tiny", "hundredths,most", "huge", "is_more,maybe", "same_mood,id",
        "same_c,away", "id,score,hundredths,is_more,same_mood,same_c"})
    pair.compare_lines(fields, {"--fields", fields});
  pair.expect_columns("id,score,hundredths,is_more");
  return pair.failures();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) {
    std::fputs("usage: assay-npy-pair ASSAY\n", stderr);
    return 2;
  }
  const std::string assay = fs::absolute(argv[1]).string();
  const int failures = check(assay, "judge", judge(), false) + check(assay, "patch", patch(), true) +
                       check(assay, "skill_counts", skill(), false) + check_outputs(assay);
  return failures == 0 ? 0 : 1;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 2;
}
