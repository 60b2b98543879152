// Runs a fuzz target on files: directories are searched recursively, other arguments are inputs. For builds without a
// fuzzer. Usage: assay-fuzz-… PATH… [--mutate COUNT SEED]. With --mutate, COUNT random mutations of these inputs
// follow; the current one is in the file assay-fuzz-input, in case it crashes the program.
#include "tests/fuzz/fuzz.hpp"
#include "tests/property/random.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

// Defined by a target that can mutate its inputs.
extern "C" __attribute__((weak)) std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size,
                                                                     std::size_t most, unsigned seed);

namespace {

std::string changed(std::string input, const std::vector<std::string>& seeds, assay_tests::Random& random) {
  if (LLVMFuzzerCustomMutator != nullptr) {
    const std::size_t size = input.size(), most = size + 4096;
    input.resize(most);
    input.resize(LLVMFuzzerCustomMutator(reinterpret_cast<std::uint8_t*>(input.data()), size, most,
                                         static_cast<unsigned>(random.next())));
    return input;
  }
  for (std::uint64_t changes = 1 + random.below(4); changes > 0; --changes) {
    const std::size_t at = random.below(input.size() + 1);
    const std::string& other = random.pick(seeds);
    const std::size_t from = random.below(other.size() + 1);
    switch (random.below(5)) {
      case 0: input.erase(at, random.below(8)); break;
      case 1: input.insert(at, 1, static_cast<char>(random.below(256))); break;
      case 2: input.insert(at, other, from, random.below(40)); break;  // insert a piece of another input
      case 3: input.replace(at, random.below(20), other, from, random.below(20)); break;
      default: input.insert(at, input.substr(at, random.below(60))); break;  // duplicate a piece
    }
  }
  return input;
}

void mutate(const std::vector<std::string>& seeds, std::uint64_t count, std::uint64_t seed) {
  assay_tests::Random random(seed);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string input = changed(random.pick(seeds), seeds, random);
    std::ofstream("assay-fuzz-input", std::ios::binary) << input;
    const std::vector<std::uint8_t> bytes(input.begin(), input.end());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  }
  std::remove("assay-fuzz-input");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<fs::path> files;
  std::uint64_t mutations = 0, seed = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--mutate" && i + 2 < argc) {
      mutations = std::strtoull(argv[i + 1], nullptr, 10);
      seed = std::strtoull(argv[i + 2], nullptr, 10);
      i += 2;
      continue;
    }
    if (!fs::is_directory(argv[i])) {
      files.emplace_back(argv[i]);
      continue;
    }
    for (const auto& file : fs::recursive_directory_iterator(argv[i])) {
      if (file.is_regular_file()) files.push_back(file.path());
    }
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) {
    std::fputs("no inputs: name files or directories\n", stderr);
    return 2;
  }
  std::vector<std::string> seeds;
  for (const fs::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file) {
      std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
      return 2;
    }
    const std::string input = text.str();
    // A copy of exactly this size, so that a sanitizer detects a read beyond it.
    const std::vector<std::uint8_t> bytes(input.begin(), input.end());
    std::printf("%s\n", path.c_str());
    std::fflush(stdout);
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    seeds.push_back(input);
  }
  mutate(seeds, mutations, seed);
  std::printf("%zu inputs\n", files.size());
  return 0;
}
