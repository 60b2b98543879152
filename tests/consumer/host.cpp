// A typical host program: compiles a rubric file once and scores with it in several threads.
// Usage: host RUBRIC
#include <assay/assay.hpp>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::ifstream file(argv[1]);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto compiled = assay::compile(argv[1], text);
  if (!compiled.rubric) {
    std::fputs(assay::render(compiled.diagnostics).c_str(), stderr);
    return 1;
  }

  constexpr int kThreads = 4;
  constexpr int kRecords = 200;
  std::vector<int> right(kThreads, 0);
  std::vector<std::thread> threads;
  for (int& count : right) {
    threads.emplace_back([&compiled, &count] {
      assay::Evaluator evaluator(*compiled.rubric);  // one per thread; the rubric is shared
      for (int i = 0; i < kRecords; ++i) {
        const auto& verdict =
            evaluator.score(R"({"id": "r", "correctness": 9, "completeness": 9, "adherence": 9, "actionability": 9,)"
                            R"( "efficiency": 9, "safety": 9, "consistency": 9})");
        if (!verdict.error() && verdict.text("grade") == "A" && verdict.number("score") == 9.0) ++count;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const int count : right) {
    if (count != kRecords) {
      std::fprintf(stderr, "a thread got %d of %d verdicts right\n", count, kRecords);
      return 1;
    }
  }

  assay::Evaluator evaluator(*compiled.rubric);
  const auto& refused = evaluator.score(R"({"correctness": 11})");
  if (!refused.error() || refused.error()->path != "correctness") {
    std::fputs("a record that is wrong was not rejected\n", stderr);
    return 1;
  }
  std::printf("assay %s: %s %s\n", std::string(assay::version()).c_str(), compiled.rubric->name().c_str(),
              compiled.rubric->version().c_str());
  return 0;
}
