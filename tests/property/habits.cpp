// Applies habits to the shipped rubrics and measures the results.
#include "tests/property/habits.hpp"

#include <assay/mend.hpp>
#include <assay/text.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace fs = std::filesystem;

namespace assay_tests {
namespace {

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// The start of the comment in a line, or its size without one.
std::size_t comment_of(const std::string& line) {
  bool within = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) within = !within;
    if (line[i] == '#' && !within) return i;
  }
  return line.size();
}

const std::regex& compiled(const Habit& habit) {
  static std::map<const Habit*, std::regex> cache;
  return cache.try_emplace(&habit, habit.pattern).first->second;
}

// Whether this position is inside a text, where most habits do not apply.
bool in_text(const std::string& line, std::size_t at) {
  return std::count(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(at), '"') % 2 == 1;
}

struct Subject {
  std::string name, text, hash;
};

assay::CompileOptions options_of() {
  assay::CompileOptions options;
  options.importer = [](std::string_view path, std::string_view from, std::string& name) -> std::optional<std::string> {
    name = (fs::path(from).parent_path() / fs::path(path)).lexically_normal().string();
    if (!fs::is_regular_file(name)) return std::nullopt;
    return read(name);
  };
  return options;
}

std::string hash_of(const assay::Compiled& compiled) {
  return compiled.rubric ? std::string(compiled.rubric->scoring_hash()) : std::string();
}

const std::vector<Subject>& subjects() {
  static const std::vector<Subject> kSubjects = [] {
    std::vector<Subject> all;
    std::vector<fs::path> paths;
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(ASSAY_SOURCE_DIR) / "rubrics")) {
      if (entry.path().extension() == ".rubric") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    for (const fs::path& path : paths) {
      const std::string text = read(path);
      const assay::Compiled compiled = assay::compile(path.string(), text, options_of());
      if (compiled.rubric) all.push_back({path.string(), text, hash_of(compiled)});
    }
    return all;
  }();
  return kSubjects;
}

}  // namespace

std::optional<std::string> with_habit(const std::string& text, const Habit& habit, Random& random) {
  std::vector<std::string> lines = lines_of(text);
  const std::regex& pattern = compiled(habit);
  const bool of_texts = std::string_view(habit.group) == "texts";
  struct Place {
    std::size_t line, at;
  };
  std::vector<Place> places;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t end = of_texts && habit.everywhere ? lines[i].size() : comment_of(lines[i]);
    std::string code = lines[i].substr(0, end);
    while (!code.empty() && code.back() == ' ') code.pop_back();
    for (auto it = std::sregex_iterator(code.begin(), code.end(), pattern); it != std::sregex_iterator(); ++it) {
      const auto at = static_cast<std::size_t>(it->position());
      if (of_texts || !in_text(code, at)) places.push_back({i, at});
    }
  }
  if (places.empty()) return std::nullopt;
  if (!habit.everywhere) places = {places[random.below(places.size())]};
  std::set<std::size_t> done;
  for (const Place& place : places) {
    std::string& line = lines[place.line];
    if (habit.everywhere) {
      if (done.insert(place.line).second) line = std::regex_replace(line, pattern, habit.replacement);
      continue;
    }
    const std::size_t end = comment_of(line);
    std::string code = line.substr(0, end), comment = line.substr(end);
    std::size_t blanks = 0;
    while (!code.empty() && code.back() == ' ') code.pop_back(), ++blanks;
    std::smatch match;
    const auto begin = code.cbegin() + static_cast<std::ptrdiff_t>(place.at);
    if (!std::regex_search(begin, code.cend(), match, pattern,
                           place.at > 0 ? std::regex_constants::match_prev_avail : std::regex_constants::match_default))
      return std::nullopt;
    line = code.substr(0, place.at) + std::string(match.prefix()) + match.format(habit.replacement) +
           std::string(match.suffix()) + std::string(comment.empty() ? 0 : blanks, ' ') + comment;
  }
  std::string result;
  for (const std::string& line : lines) result += line + "\n";
  if (result == text) return std::nullopt;
  // A piece of an expression with unmatched brackets was cut in the wrong place; nobody writes such.
  const auto open = [](const std::string& t, char a, char b) {
    return std::count(t.begin(), t.end(), a) - std::count(t.begin(), t.end(), b);
  };
  if (std::string_view(habit.group) == "choices") {
    const std::size_t at = places.front().line;
    int depth = 0;
    const std::size_t begin = lines[at].find(habit.name[0] == '(' ? "(" : "=");
    for (std::size_t i = begin == std::string::npos ? 0 : begin; i < lines[at].size(); ++i) {
      const char c = lines[at][i];
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
      if (depth < 0) return std::nullopt;
      if (depth > 0 && (lines[at].compare(i, 5, " else") == 0 || lines[at].compare(i, 5, " then") == 0) &&
          habit.name[0] != '(')
        return std::nullopt;
      if (depth > 0 && (c == '?' || (c == ':' && depth > 0 && habit.name[0] == '?'))) return std::nullopt;
    }
    if (depth != 0 || open(lines[at], '(', ')') != 0) return std::nullopt;
  }
  return result;
}

std::map<std::string, Share> measure_habits(std::uint64_t seed, std::size_t count,
                                            std::vector<HabitFailure>& failures) {
  Random random(seed);
  std::map<std::string, Share> shares;
  const assay::CompileOptions options = options_of();
  for (std::size_t tries = 0, done = 0; done < count && tries < 20 * count; ++tries) {
    const Habit& habit = random.pick(habits());
    const Subject& subject = random.pick(subjects());
    const std::optional<std::string> text = with_habit(subject.text, habit, random);
    if (!text) continue;
    const assay::Compiled compiled = assay::compile(subject.name, *text, options);
    if (compiled.rubric && hash_of(compiled) == subject.hash) continue;  // also valid in the language
    ++done;
    Share share;
    share.tried = 1;
    share.found = compiled.rubric && compiled.diagnostics.empty() ? 0 : 1;
    // The differing lines.
    const std::vector<std::string> a = lines_of(subject.text), b = lines_of(*text);
    std::size_t first = 0, last = b.size();
    while (first < a.size() && first < b.size() && a[first] == b[first]) ++first;
    for (std::size_t end = a.size(); end > first && last > first && a[end - 1] == b[last - 1]; --end) --last;
    for (const assay::Diagnostic& d : compiled.diagnostics) {
      const auto line = static_cast<std::size_t>(d.at.line);
      if (line > first && line <= std::max(last, first + 1)) share.placed = 1;
    }
    const assay::Mended mended = assay::mend(subject.name, *text, options);
    share.mended = hash_of(mended.compiled) == subject.hash ? 1 : 0;
    if (share.mended == 0 || share.placed == 0 || share.found == 0) {
      HabitFailure failure{subject.name,
                           habit.group,
                           habit.name,
                           first < a.size() ? a[first] : "",
                           first < b.size() ? b[first] : "",
                           {}};
      failure.message = share.found == 0 ? "not found" : share.placed == 0 ? "not placed: " : "";
      failure.message += share.mended == 0 ? " NOT MENDED " : "";
      const auto& left = mended.compiled.diagnostics;
      if (!left.empty()) failure.message += assay::render(left.front());
      for (const assay::MendedFile& file : mended.files)
        failure.message += assay::unified_diff(file.name, file.before, file.after);
      failures.push_back(std::move(failure));
    }
    shares[habit.group].add(share);
  }
  return shares;
}

}  // namespace assay_tests
