// The C++ side of speed.py: the same rubric, record and columns, through the public headers. `reference RUBRIC RECORD COLUMNS`
// reads commands, a line each, and answers each with the seconds it took, and of columns the processor time: "record N" (processor time) scores the record N
// times as JSON and writes its verdict; "columns T" scores all rows by T threads, each a Columns of its own, the score and
// the position of the grade, into memory of the call, as a host does that hands the results on; "again T" the same into
// memory that is used again. COLUMNS: the number of rows (int64), then nine columns of doubles.
#include <assay/assay.hpp>
#include <assay/columns.hpp>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace {

const char* const kNames[] = {"scores.correctness",   "scores.completeness", "scores.adherence",
                              "scores.actionability", "scores.efficiency",   "scores.safety",
                              "scores.consistency",   "red_flags",           "bonus_marks"};

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) std::exit((std::cerr << path << " cannot be read\n", 2));
  return {std::istreambuf_iterator<char>(file), {}};
}

void must(bool good, const char* what) {
  if (!good) std::exit((std::cerr << "failed: " << what << '\n', 2));
}

struct Results {
  std::unique_ptr<double[]> scores;
  std::unique_ptr<std::uint8_t[]> grades;
  explicit Results(std::size_t count) : scores(new double[count]), grades(new std::uint8_t[count]) {}
};

struct Rows {
  assay::Columns columns;

  Rows(const assay::Rubric& rubric, const double* data, std::size_t count, Results& results) : columns(rubric) {
    for (std::size_t k = 0; k < std::size(kNames); ++k)
      must(!columns.bind(kNames[k], {data + k * count, assay::ColumnType::f64}), "bind");
    must(!columns.write("score", {results.scores.get(), assay::ColumnType::f64}), "score");
    must(!columns.write("grade", {results.grades.get(), assay::ColumnType::u8}), "grade");
  }
};

}  // namespace

int main(int argc, char** argv) {
  must(argc == 4, "arguments");
  const assay::Compiled compiled = assay::compile(argv[1], read_file(argv[1]));
  must(compiled.rubric.has_value(), "compile");
  const assay::Rubric& rubric = *compiled.rubric;
  const std::string record = read_file(argv[2]), bytes = read_file(argv[3]);
  const std::size_t count = *reinterpret_cast<const std::int64_t*>(bytes.data());
  const double* const data = reinterpret_cast<const double*>(bytes.data() + 8);
  must(bytes.size() == 8 + count * 8 * std::size(kNames), "columns");
  Results kept(count);

  assay::Evaluator evaluator(rubric);
  std::string command;
  long number = 0;
  std::size_t written = 0;
  while (std::cin >> command >> number) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t busy = std::clock();
    if (command == "record") {
      for (long i = 0; i < number; ++i) written += evaluator.score(record).json().size();
      std::cout << static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC << ' ' << written << std::endl;
      continue;
    }
    {
      std::optional<Results> fresh;
      if (command == "columns") fresh.emplace(count);
      Results& results = fresh ? *fresh : kept;
      std::vector<std::thread> threads;
      for (long t = 0; t < number; ++t) {
        threads.emplace_back([&, t] {
          Rows rows(rubric, data, count, results);
          const std::size_t from = count * static_cast<std::size_t>(t) / static_cast<std::size_t>(number);
          const std::size_t to = count * static_cast<std::size_t>(t + 1) / static_cast<std::size_t>(number);
          must(!rows.columns.score(from, to), "score");
        });
      }
      for (std::thread& thread : threads) thread.join();
      written += static_cast<std::size_t>(results.scores[0]);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::cout << took.count() << ' ' << static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC << ' ' << written
              << std::endl;
  }
}
