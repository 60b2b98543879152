// A file of records to a file of verdicts through runtime/lane_path.hpp alone, one thread: what the fast path of files
// costs, without the command around it. Usage: assay-bench-lanes RUBRIC FIELDS IN OUT, FIELDS as "id,score,grade".
// Prints the processor time, and how many records were left to the complete way.
#include "runtime/fast_path.hpp"
#include "runtime/inputs.hpp"
#include "runtime/lane_path.hpp"
#include "runtime/rubric_impl.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

using namespace assay;

namespace {

double seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

constexpr std::size_t kSpace = std::size_t{1} << 21;  // for one verdict

struct Scorer {
  Rubric rubric;
  Evaluator evaluator;
  std::vector<VerdictField> fields;
  std::optional<FastPath> fast;
  std::optional<InputReader> reader;
  std::unique_ptr<LanePath> path;
  std::vector<Value> slots;
  Arena arena;
  std::uint64_t generation = 0, records = 0, left = 0;

  Scorer(Rubric the_rubric, std::vector<std::string> names)
      : rubric(the_rubric), evaluator(rubric, EvaluatorOptions{names, {}}) {
    const RubricModel& model = rubric.impl().rubric();
    std::vector<int> roots, decimals;
    for (const VerdictField& field : model.verdict) {
      for (const std::string& name : names) {
        if (field.name != name) continue;
        fields.push_back(field);
        roots.push_back(field.item);
        decimals.push_back(field.decimals);
      }
    }
    slots.assign(model.slots.size(), missing_value());
    fast.emplace(*rubric.impl().model, rubric.impl().index(), roots, decimals);
    reader.emplace(*rubric.impl().model, rubric.impl().index(), Limits());
  }

  // The line at p, of whole lines up to `end`.
  void score(const char*& p, const char* end, char*& out) {
    ++records;
    if (!path || !path->score_next(p, end, out, kSpace)) {
      const char* line_end = static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end - p)));
      if (line_end == nullptr) line_end = end;
      const std::string_view line(p, static_cast<std::size_t>(line_end - p));
      p = line_end + (line_end != end);
      ++left;
      arena.reset();
      InputError error;
      if (reader->read(line, slots.data(), arena, false, error)) fast->learn(slots.data());
      if (fast->generation() != generation) {
        generation = fast->generation();
        path = std::make_unique<LanePath>(*rubric.impl().model, rubric.impl().index(), fields,
                                          std::make_shared<const Kernel>(fast->machine()->kernel()), Limits(), false,
                                          false);
      }
      const std::string_view json = evaluator.score(line).json();
      std::memcpy(out, json.data(), json.size());
      out += json.size();
    }
    *out++ = '\n';
  }
};

std::string text_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  Compiled compiled = compile(argv[1], text_of(argv[1]));
  if (!compiled.rubric) return 2;
  std::vector<std::string> names;
  std::istringstream list(argv[2]);
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  const double start = seconds();
  Scorer scorer(*compiled.rubric, names);
  const int in = open(argv[3], O_RDONLY), to = open(argv[4], O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (in < 0 || to < 0) return 2;
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  const std::unique_ptr<char[]> buffer_memory(new char[2 * kChunk + LanePath::kPadding]),
      results_memory(new char[4 * kChunk]);
  char* const buffer = buffer_memory.get();
  char* const results = results_memory.get();
  std::size_t have = 0, bytes = 0;
  for (;;) {
    const ssize_t got = read(in, buffer + have, kChunk);
    if (got < 0) return 2;
    have += static_cast<std::size_t>(got);
    bytes += static_cast<std::size_t>(got);
    const char* p = buffer;
    const char* end = p + have;
    while (got > 0 && end > p && end[-1] != '\n') --end;  // what is left of the last line comes with the next block
    char* out = results;
    if (got == 0) buffer[have] = '\0';
    while (p < end) scorer.score(p, end, out);
    for (const char* q = results; q < out;) {
      const ssize_t done = write(to, q, static_cast<std::size_t>(out - q));
      if (done <= 0) return 2;
      q += done;
    }
    if (got == 0) break;
    have -= static_cast<std::size_t>(end - buffer);
    std::memmove(buffer, p, have);
  }
  const double time = seconds() - start;
  const std::string& why = scorer.fast->why_not();
  std::printf("%8.1f MB/s  %6.1f ns a record  left %llu of %llu %s\n", static_cast<double>(bytes) / time / 1e6,
              time / static_cast<double>(scorer.records) * 1e9, static_cast<unsigned long long>(scorer.left),
              static_cast<unsigned long long>(scorer.records), why.c_str());
}
