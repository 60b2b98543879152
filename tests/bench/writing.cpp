// Measures writing whole verdicts. `assay-writing [ROUNDS]` scores records of the three workloads and of rubrics/judge
// with all fields, and also writes the same text by hand, from a list of its constant pieces, copied with memcpy, and
// its numbers, printed with std::to_chars. Both are measured alternately in processor time, and the texts are compared.
// Only the engine reads and scores; the third figure is the same records with three fields, so that the difference is
// the cost of the other fields.
#include "tests/bench/records.hpp"
#include "tests/bench/workload.hpp"

#include <charconv>
#include <cstring>

namespace {

using bench::fail;

// A piece of text and the number after it.
struct Fragment {
  std::uint32_t begin = 0, size = 0;
  bool number = false;
  double value = 0;
};

class ByHand {
 public:
  explicit ByHand(const std::string& text) : text_(text), out_(text.size() + 64, '\0') {
    bool inside = false;  // a text
    Fragment piece;
    std::size_t i = 0;
    const auto end = [&](std::size_t at, bool number, double value) {
      fragment.size = static_cast<std::uint32_t>(at) - piece.begin;
      piece.number = number;
      piece.value = value;
      pieces_.push_back(piece);
    };
    while (i < text.size()) {
      if (text[i] == '"') inside = !inside;
      if (inside && text[i] == '\\') ++i;
      const bool digit = (text[i] >= '0' && text[i] <= '9') || text[i] == '-';
      if (inside || !digit) {
        ++i;
        continue;
      }
      double value = 0;
      const char* const behind = std::from_chars(text.data() + i, text.data() + text.size(), value).ptr;
      end(i, true, value);
      i = static_cast<std::size_t>(behind - text.data());
      piece.begin = static_cast<std::uint32_t>(i);
    }
    end(i, false, 0);
    write();
    if (out_.substr(0, size_) != text_) fail("the text by hand differs");
  }

  void write() {
    char* p = out_.data();
    for (const Fragment& fragment : pieces_) {
      std::memcpy(p, text_.data() + piece.begin, fragment.size);
      p += fragment.size;
      if (piece.number) p = std::to_chars(p, p + 32, piece.value).ptr;
    }
    size_ = static_cast<std::size_t>(p - out_.data());
  }

 private:
  const std::string& text_;
  std::vector<Fragment> pieces_;
  std::string out_;
  std::size_t size_ = 0;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) all.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

void measure(const char* name, const assay::Rubric& rubric, std::vector<std::string> records, int rounds) {
  for (const std::vector<std::string> few = records; records.size() < 2000;)
    records.insert(records.end(), few.begin(), few.end());
  assay::Evaluator whole(rubric), fields(rubric, {{"id", "score", "grade"}, {}});
  std::string text;
  const auto score = [&](assay::Evaluator& evaluator) {
    text.clear();
    for (const std::string& record : records) {
      const assay::Verdict& verdict = evaluator.score(record);
      if (verdict.error() != nullptr) fail(verdict.error()->path + ": " + verdict.error()->message);
      text += verdict.json();
      text += '\n';
    }
  };
  score(whole);
  const std::string all = text;
  ByHand hand(all);
  std::vector<double> times[3];
  for (int i = 0; i < rounds; ++i) {
    double start = bench::cpu_seconds();
    hand.write();
    times[0].push_back(bench::cpu_seconds() - start);
    start = bench::cpu_seconds();
    score(whole);
    times[1].push_back(bench::cpu_seconds() - start);
    start = bench::cpu_seconds();
    score(fields);
    times[2].push_back(bench::cpu_seconds() - start);
  }
  const double by_hand = bench::median(times[0]), ours = bench::median(times[1]), few = bench::median(times[2]);
  const double megabytes = static_cast<double>(all.size()) / 1e6;
  std::printf("%-16s %7.0f %10.0f %10.0f %8.1fx %10.0f %8.1fx\n", name,
              static_cast<double>(all.size()) / static_cast<double>(records.size()), megabytes / by_hand,
              megabytes / ours, ours / by_hand, megabytes / (ours - few), (ours - few) / by_hand);
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 21;
  std::printf("%-16s %7s %10s %10s %9s %10s %9s\n", "", "bytes", "by hand", "whole", "ratio", "but few", "ratio");
  std::printf("%-16s %7s %10s %10s %9s %10s %9s\n", "", "each", "MB/s", "MB/s", "", "MB/s", "");
  measure("judge", bench::workload("judge"), split(bench::lines(bench::judged(2000))), rounds);
  measure("skill", bench::workload("skill"), split(bench::lines(bench::skills(2000))), rounds);
  measure("patch", bench::workload("patch"), split(bench::lines(bench::patches(2000))), rounds);
  const std::string root = ASSAY_SOURCE_DIR;
  measure("rubrics/judge", bench::rubric_at(root + "/rubrics/judge/judge.rubric"),
          split(bench::file_text(root + "/rubrics/judge/sample.ndjson")), rounds);
  return 0;
}
