// See register_pair.hpp.
#include "tests/property/register_pair.hpp"

#include "runtime/dispatch/kernel_tuner.hpp"
#include "runtime/input/inputs.hpp"
#include "runtime/rubric/rubric_impl.hpp"
#include "tests/property/random.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace assay_tests {

using namespace assay;

std::string project_text(std::string_view path) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR "/") + std::string(path), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Rubric known_rubric(std::string_view name, std::string_view text) {
  Compiled compiled = compile(name, text);
  if (!compiled.rubric) {
    std::fputs(render(compiled.diagnostics).c_str(), stderr);
    std::abort();
  }
  return *compiled.rubric;
}

RegisterPair::RegisterPair(Rubric rubric, std::vector<std::string> fields, const Limits& limits, bool strict)
    : rubric_(std::move(rubric)),
      evaluator_(rubric_, EvaluatorOptions{fields, limits, 1024, strict}),
      limits_(limits),
      strict_(strict),
      names_(std::move(fields)) {
  for (const VerdictField& field : model().verdict.fields) {
    if (names_.empty() || std::find(names_.begin(), names_.end(), field.name) != names_.end()) fields_.push_back(field);
  }
}

const RubricModel& RegisterPair::model() const { return rubric_.impl().rubric(); }

bool RegisterPair::teach(const std::vector<std::string>& records) {
  const Model& all = *rubric_.impl().model;
  KernelCache cache;
  KernelTuner fast(all, rubric_.impl().index(), fields_, Limits(), cache);
  InputReader reader(all, rubric_.impl().index(), Limits());
  std::vector<Value> slots(model().slots.size(), missing_value());
  Arena arena;
  InputError error;
  for (const std::string& record : records) {
    arena.reset();
    if (reader.read(record, slots.data(), arena, false, error)) fast.learn(slots.data());
  }
  why_ = fast.why_not();
  if (fast.kernel() == nullptr) return false;
  EvaluatorOptions options{names_, limits_, EvaluatorOptions::kNever, strict_};
  for (auto& path : paths_) {
    auto kernel = std::make_shared<SharedKernel>(std::make_shared<const Kernel>(*fast.kernel()->kernel()));
    path = std::make_unique<KernelStream>(all, rubric_.impl().index(), fields_, std::move(kernel), options);
    options.jit_threshold = 0;
  }
  return paths_[0]->usable();
}

// Both buffers have exactly the promised size, so that a sanitizer detects accesses beyond it.
std::optional<std::string> RegisterPair::fast(std::string_view line) {
  const auto padded = std::make_unique<char[]>(line.size() + KernelStream::kPadding);
  if (!line.empty()) std::memcpy(padded.get(), line.data(), line.size());
  std::memset(padded.get() + line.size(), '"', KernelStream::kPadding);
  padded[line.size()] = line.size() % 2 == 0 ? '\n' : '\0';
  KernelStream& path = *paths_[++calls_ % 2];
  const std::size_t space = path.room(line.size() + 2) + 1;
  const auto written = std::make_unique<char[]>(space);
  char* out = written.get();
  std::optional<std::string> verdict;
  if (path.score_line({padded.get(), line.size()}, out)) verdict.emplace(written.get(), out);
  // Reads the record as a line of a block: the same line must be accepted, with the same verdict.
  const char* p = padded.get();
  out = written.get();
  if (path.score_lines(p, p + line.size(), out, space) == 0) return verdict;
  const bool all = p == padded.get() + line.size() && out[-1] == '\n';
  const std::string got(written.get(), out - 1);
  return all && (!verdict || *verdict == got) ? got : "not the same";
}

std::shared_ptr<const CsvTable> RegisterPair::table(std::vector<std::string> header) const {
  InputError problem;
  return CsvTable::make(*rubric_.impl().model, rubric_.impl().index(), std::move(header), problem);
}

// Reads the record as the last row of a block, or as one before others.
std::optional<std::string> RegisterPair::fast_row(const std::shared_ptr<const CsvTable>& table, std::string_view row) {
  const bool last = ++calls_ % 4 < 2;
  const std::size_t size = row.size() + !last;
  std::vector<char> padded(size + KernelStream::kPadding, '"');
  std::copy(row.begin(), row.end(), padded.begin());
  padded[row.size()] = padded[size] = '\n';
  KernelStream& path = *paths_[calls_ % 2];
  const std::size_t space = path.room(size + 2) + 1;
  const auto written = std::make_unique<char[]>(space);
  const char* p = padded.data();
  char* out = written.get();
  const std::uint64_t count = path.score_rows(table, p, p + size, out, space);
  if (count == 0) return std::nullopt;
  if (count != 1 || p != padded.data() + size || out[-1] != '\n') return "not the same";
  return std::string(written.get(), out - 1);
}

std::string RegisterPair::complete_row(std::string_view header, std::string_view row) {
  const std::string text = std::string(header) + '\n' + std::string(row);
  std::string_view left = text;
  const auto read = [&left](char* buffer, std::size_t size) {
    const std::size_t count = left.copy(buffer, size);
    left.remove_prefix(count);
    return static_cast<long>(count);
  };
  RecordReader reader(Format::csv, read, rubric_, limits_);
  Record record;
  InputError problem;
  std::string verdict = "no record";
  for (int count = 0; reader.next(record, problem) != RecordReader::Status::end; ++count)
    verdict = count > 0 ? "several records" : record.json.empty() ? "a fault" : complete(record.json);
  return verdict;
}

// ---- records

namespace {

std::string decimal(Random& random, std::int64_t low, std::int64_t high, int decimals) {
  const std::int64_t n = random.within(low, high);
  if (decimals == 0) return std::to_string(n);
  std::int64_t unit = 1;
  for (int i = 0; i < decimals; ++i) unit *= 10;
  std::string fraction = std::to_string(unit + (n < 0 ? -n : n) % unit).substr(1);
  if (random.one_in(2)) {
    while (fraction.size() > 1 && fraction.back() == '0') fraction.pop_back();
  }
  return (n < 0 ? "-" : "") + std::to_string((n < 0 ? -n : n) / unit) + '.' + fraction;
}

std::string truth(Random& random) { return random.one_in(2) ? "true" : "false"; }

std::string names(Random& random, std::uint64_t most, std::vector<std::string> from) {
  std::string out = "[";
  for (std::uint64_t left = random.below(most + 1); left > 0; --left)
    out += (out.size() > 1 ? ",\"" : "\"") + random.pick(from) + '"';
  return out + ']';
}

// Adds `"key":value` to an object being written; sometimes it is null or absent.
struct Writer {
  Random& random;
  std::string out = "{";
  void add(std::string_view key, std::string_view value) {
    if (out.size() > 1) out += ',';
    out.append("\"").append(key).append("\":").append(value);
  }
  void may(std::string_view key, std::string_view value) {
    const std::uint64_t draw = random.below(12);
    if (draw == 0) add(key, "null");
    else if (draw != 1) add(key, value);
  }
  std::string end() { return out + '}'; }
};

const std::vector<std::string> kWords = {
    "a", "bb", "hallucinated_api", "no_tests", "", "a text of more than sixteen bytes", "ä", "r1"};

}  // namespace

std::string judge_record(std::uint64_t seed) {
  Random random(seed);
  Writer record{random}, scores{random};
  for (const char* name :
       {"correctness", "completeness", "adherence", "actionability", "efficiency", "safety", "consistency"}) {
    scores.add(name, decimal(random, 100, 1000, 2));
  }
  record.add("id", "\"r" + std::to_string(seed) + '"');
  record.add("scores", scores.end());
  record.may("red_flags", names(random, random.one_in(50) ? 60 : 6, kWords));
  record.may("bonuses", names(random, 6, kWords));
  return record.end();
}

std::string skill_record(std::uint64_t seed) {
  Random random(seed);
  Writer record{random};
  record.add("id", "\"r" + std::to_string(seed) + '"');
  record.may("skill_category", random.pick<std::string>(
                                   {"\"code_generation\"", "\"analysis\"", "\"design\"", "\"research\"", "\"other\""}));
  record.may("errors", names(random, 3, kWords));
  for (const char* name : {"recovered", "partial_completion", "workaround_used", "failure_explained"})
    record.may(name, truth(random));
  record.add("tokens_used", decimal(random, 0, 60'000, 0));
  record.may("output_size", decimal(random, 0, 500, 0));
  record.may("tool_calls", names(random, 12, kWords));
  record.may("files_changed", decimal(random, 0, 20, 0));
  record.add("duration_ms", decimal(random, 0, 1'000'000, 0));
  record.may("output_validated", truth(random));
  record.may("requested_items", decimal(random, 0, 9, 0));
  record.may("delivered_items", decimal(random, 0, 9, 0));
  record.may("output_type", random.one_in(2) ? "\"code\"" : "\"report\"");
  Writer quality{random}, feedback{random};
  for (const char* name : {"linter_passed", "types_valid", "tests_passed"}) quality.may(name, truth(random));
  for (const char* name : {"accurate", "mostly_accurate", "partially_accurate"}) feedback.may(name, truth(random));
  record.may("code_quality", quality.end());
  record.may("user_accepted", truth(random));
  record.may("user_used_output", truth(random));
  record.may("user_edit_ratio", decimal(random, 0, 100, 2));
  record.may("feedback", feedback.end());
  std::string follow_ups = "[";
  for (std::uint64_t left = random.below(4); left > 0; --left) {
    Writer one{random};
    one.may("resolved", truth(random));
    follow_ups += (follow_ups.size() > 1 ? "," : "") + one.end();
  }
  record.may("follow_ups", follow_ups + ']');
  return record.end();
}

std::string patch_record(std::uint64_t seed) {
  Random random(seed);
  Writer record{random}, gates{random}, metrics{random};
  for (const char* name :
       {"applies_cleanly", "paths_allowed", "no_destructive_git", "security_clean", "functional_viable"}) {
    gates.add(name, random.one_in(10) ? "false" : "true");
  }
  for (const char* name :
       {"test_pass_ratio", "static_health", "intent_match", "blast_radius", "risky_change", "dependency_risk",
        "complexity_delta", "readability", "added_docs_tests", "runtime", "token_cost", "historical_fit"}) {
    metrics.may(name, decimal(random, 0, 1000, 3));
  }
  record.add("id", "\"r" + std::to_string(seed) + '"');
  record.add("gates", gates.end());
  record.add("has_tests", truth(random));
  record.may("metrics", metrics.end());
  return record.end();
}

std::string kernel_inputs_record(std::uint64_t seed) {
  Random random(seed);
  const auto inner = [&] {
    Writer one{random};
    one.may("deep", truth(random));
    one.may("note", '"' + random.pick(kWords) + '"');
    one.may("ratio", decimal(random, 0, 100, 2));
    return one.end();
  };
  Writer record{random};
  record.add("id", "\"r" + std::to_string(seed) + '"');
  record.add("amount", decimal(random, -5000, 5000, 2));
  record.may("ratio", decimal(random, 1, 100'000, 2));
  record.may("points", decimal(random, -5, 1000, 0));
  record.may("level", random.pick<std::string>({"\"low\"", "\"high\"", "\"middle\""}));
  record.may("kind", random.pick<std::string>({"\"plain\"", "\"other\"", "\"a longer text than a block has\""}));
  record.may("names", names(random, 6, kWords));
  record.may("words", names(random, 6, kWords));
  record.may("picks", names(random, 5, {"a", "b", "a longer choice than a block"}));
  record.may("flag", truth(random));
  record.may("extra",
             random.pick<std::string>({"[]", "[1,\"x\",{\"y\":[null,-0.5e3]}]", "[[[]],{}]", "[\"a\",\"a\",true]"}));
  std::string items = "[";
  for (std::uint64_t left = random.below(4); left > 0; --left) {
    Writer one{random}, more{random};
    more.may("fine", truth(random));
    one.may("ok", truth(random));
    one.may("more", more.end());
    one.may("size", decimal(random, 0, 10, 0));
    one.may("tags", names(random, 3, kWords));
    items += (items.size() > 1 ? "," : "") + one.end();
  }
  record.may("items", items + ']');
  record.may("part", inner());
  Writer whole{random}, unused{random};
  whole.add("kept", inner());
  whole.add("level", decimal(random, 0, 1000, 1));
  record.may("whole_part", whole.end());
  record.may("a_name_that_is_longer_than_two_blocks_of_bytes", decimal(random, 0, 100, 1));
  unused.may("size", decimal(random, -500, 499, 2));
  unused.may("list", random.pick<std::string>({"[]", "[[1,2],[],[-3]]"}));
  unused.may("named", random.one_in(2) ? "\"x\"" : "\"y\"");
  record.may("unused", unused.end());
  record.may("free", random.pick<std::string>({"1", "\"x\"", "{\"a\":[1,2]}", "false"}));
  if (random.one_in(4)) record.add("unknown to the rubric", "[1,{\"a\":\"b\"},1e400,null]");
  record.may("remark", '"' + random.pick(kWords) + '"');
  return record.end();
}

const std::vector<RegisterCase>& register_cases() {
  static const std::vector<RegisterCase> cases = {
      {"tests/bench/workloads/judge.rubric", {"id", "score", "grade"}, judge_record},
      {"tests/bench/workloads/skill.rubric", {"id", "score", "grade"}, skill_record},
      {"tests/bench/workloads/patch.rubric",
       {"rubric", "version", "scoring_hash", "id", "score", "grade"},
       patch_record},
      {"tests/property/kernel_inputs.rubric",
       {"id", "sum", "share", "words_given", "word_count", "all_ok", "any_fine", "chosen", "deep", "part_given", "kept",
        "free_given", "note", "band"},
       kernel_inputs_record},
  };
  return cases;
}

RegisterPair taught(const RegisterCase& from, const Limits& limits, bool strict) {
  RegisterPair pair(known_rubric(from.path, project_text(from.path)), from.fields, limits, strict);
  std::vector<std::string> records;
  for (std::uint64_t i = 0; i < 64; ++i) records.push_back(from.record(i));
  if (!pair.teach(records)) {
    std::fprintf(stderr, "%s: no kernel: %s\n", from.path, pair.why_not().c_str());
    std::abort();
  }
  return pair;
}

// ---- other spellings

namespace {

// The end of the value that starts at `at`.
std::size_t value_end(std::string_view json, std::size_t at) {
  int depth = 0;
  bool inside = false;
  for (; at < json.size(); ++at) {
    const char c = json[at];
    if (inside) {
      inside = c != '"';
      continue;
    }
    inside = c == '"';
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) break;
    depth += (c == '{' || c == '[') - (c == '}' || c == ']');
  }
  return at;
}

std::string with_spaces(std::string_view json, bool everywhere, Random& random) {
  static const std::vector<std::string> kSpaces = {"", "", " ", "\t", "  ", "\r"};
  std::string out;
  bool inside = false;
  for (const char c : json) {
    const bool sign = !inside && std::strchr("{}[],:", c) != nullptr;
    if (sign && everywhere) out += random.pick(kSpaces);
    out += c;
    if (sign && everywhere) out += random.pick(kSpaces);
    if (!everywhere && sign && (c == ',' || c == ':')) out += ' ';
    if (c == '"') inside = !inside;
  }
  return out;
}

}  // namespace

std::string shuffled(std::string_view json, std::uint64_t seed) {
  if (json.size() < 3 || (json[0] != '{' && json[0] != '[')) return std::string(json);
  Random random(seed);
  std::vector<std::string> parts;
  for (std::size_t at = 1; at < json.size() && json[at] != '}' && json[at] != ']'; ++at) {
    std::string part;
    if (json[0] == '{') {
      const std::size_t colon = json.find("\":", at + 1) + 2;
      part = json.substr(at, colon - at);
      at = colon;
    }
    const std::size_t end = value_end(json, at);
    parts.push_back(part + shuffled(json.substr(at, end - at), random.next()));
    at = end;
    if (at < json.size() && json[at] != ',') break;
  }
  if (json[0] == '{') {
    for (std::size_t i = parts.size(); i > 1; --i) std::swap(parts[i - 1], parts[random.below(i)]);
  }
  std::string out(1, json[0]);
  for (const std::string& part : parts) out += (out.size() > 1 ? "," : "") + part;
  return out + (json[0] == '{' ? '}' : ']');
}

std::string spaced(std::string_view json) {
  Random random(0);
  return with_spaces(json, false, random);
}

std::string spread(std::string_view json, std::uint64_t seed) {
  Random random(seed);
  return with_spaces(json, true, random);
}

std::string with_stranger(std::string text, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::size_t> objects;
  for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1)) objects.push_back(at + 1);
  if (objects.empty()) return text;
  const std::size_t at = random.pick(objects);
  const std::string key = random.pick<std::string>({"zz", "scor", "levell", "", "a longer key than a block of bytes"});
  const std::string value = random.pick<std::string>({"1", "null", "{}", "[{\"id\":1}]", "\"x\""});
  const std::size_t next = text.find_first_not_of(" \t\r", at);
  return text.insert(at, '"' + key + "\":" + value + (next != std::string::npos && text[next] == '}' ? "" : ","));
}

std::string damaged(std::string text, std::uint64_t seed) {
  static const std::vector<std::string> kPieces = {"{",
                                                   "}",
                                                   "[",
                                                   "]",
                                                   ":",
                                                   ",",
                                                   "\"",
                                                   "\\",
                                                   " ",
                                                   "0",
                                                   "1",
                                                   "9",
                                                   "-",
                                                   "+",
                                                   ".",
                                                   "e",
                                                   "E",
                                                   "null",
                                                   "true",
                                                   "false",
                                                   "\x80",
                                                   "\xc3",
                                                   "\xa9",
                                                   "\xc3\xa9",
                                                   "\xed\xa0\x80",
                                                   "\xf0\x9f\x8e\x89",
                                                   "\x01",
                                                   "\t",
                                                   "\r",
                                                   "00",
                                                   "0.",
                                                   "\\u00e9",
                                                   "\"id\":",
                                                   "1e1",
                                                   "0.10",
                                                   "-0",
                                                   "12345678901234567890",
                                                   "\"\":{},",
                                                   "[[[[[[[[",
                                                   "1.0e0",
                                                   std::string(1, '\0')};
  Random random(seed);
  for (std::uint64_t changes = 1 + random.below(3); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random.below(text.size());
    switch (random.below(8)) {
      case 0: text[at] = static_cast<char>(random.below(256)); break;
      case 1: text[at] = static_cast<char>(text[at] ^ (1 << random.below(8))); break;
      case 2: text.insert(at, random.pick(kPieces)); break;
      case 3: text.replace(at, 1, random.pick(kPieces)); break;
      case 4: text.erase(at, 1 + random.below(3)); break;
      case 5: text.resize(at); break;
      case 6: text.insert(at, text.substr(random.below(text.size()), random.below(20))); break;
      default: {  // duplicate a field, or replace one by another
        const std::size_t comma = text.find(',', at),
                          next = comma == std::string::npos ? comma : text.find(',', comma + 1);
        if (next != std::string::npos)
          text.insert(text.find(',', random.below(text.size())) == std::string::npos ? at : comma,
                      text.substr(comma, next - comma));
        break;
      }
    }
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace assay_tests
