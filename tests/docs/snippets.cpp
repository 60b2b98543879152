// Runs the examples of the documentation, and compares its statements about the code with the code.
// Usage: assay-docs ASSAY FILE.md… [--update]
//
// The word after a fence says what the block contains and what the test checks:
//
//   assay [NAME]       a whole rubric file: it checks without diagnostics, its examples pass
//   assay-part         declarations of a rubric: they check without errors, their examples pass
//   assay-expr         expressions, one per line: each is true
//   assay-error CODE [NAME] [LIMIT=N] [cancelled]  a whole file, or declarations of a rubric: they give only this
//                      diagnostic, with that limit, or if the host has cancelled
//                      (all of these have the layout of `assay fmt` if their syntax is valid)
//   lua                as one of these words: only in builds whose rubrics may use Lua
//   console            commands after '$ ' and their whole output; a line "…" matches any lines, "…" at the end of a
//                      line any rest of it
//   json, ndjson [NAME]  JSON; csv, lua, text [NAME]
//   cpp, c, cmake FILE lines that this file of the project contains, which other tests compile and run
//   ebnf               a grammar: every name in it is defined
//   pycon              a session of Python, which tests/python/test_docs.py runs
//   sh                 commands for the reader's machine: bash can read them
//
// Links to files and headings of the project must have a target.
//
// A block with a NAME is written to a file of that name, for the blocks after it on the page. A comment <!-- with … -->
// before a block holds declarations that the test puts around it and readers need not see. --update replaces the output
// of commands and the generated parts: read the diff before you commit it.
#include "tests/case_file.hpp"
#include "tests/child_process.hpp"
#include "tests/docs/document.hpp"

#include <assay/assay.hpp>
#include <assay/format.hpp>
#include <assay/library.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <set>
#include <string_view>

namespace fs = std::filesystem;
using namespace assay_tests;

namespace {

// Diagnostics that are ignored for a part of a rubric: unused declarations.
constexpr std::string_view kUnfinished[] = {"W0701", "W0704"};

// `expected` as a pattern: see "console" above.
bool matches(const std::vector<std::string>& expected, std::size_t e, const std::vector<std::string>& got,
             std::size_t g) {
  constexpr std::string_view kAny = "…";
  for (; e < expected.size(); ++e, ++g) {
    if (expected[e] == kAny) {
      for (std::size_t skip = g; skip <= got.size(); ++skip) {
        if (matches(expected, e + 1, got, skip)) return true;
      }
      return false;
    }
    if (g == got.size()) return false;
    const bool open = expected[e].ends_with(kAny);
    const std::string_view beginning = std::string_view(expected[e]).substr(0, expected[e].size() - kAny.size() * open);
    if (open ? !got[g].starts_with(beginning) : got[g] != expected[e]) return false;
  }
  return g == got.size();
}

// A command continues on the next line after a backslash, and up to END in a here-document.
bool continues(const std::string& line, const std::string& command) {
  return line.ends_with('\\') || (command.find("<<'END'") != std::string::npos && line != "END");
}

class Page {
 public:
  Page(const fs::path& path, bool update) : document_(read_document(path)), update_(update) {
    fs::create_directory(directory_);
    fs::create_directory_symlink(ASSAY_SOURCE_DIR "/rubrics", directory_ / "rubrics");
  }

  int run() {
    std::vector<std::string> texts;
    for (const Fence& fence : document_.fences) {
      fence_ = &fence;
      texts.push_back(fence.text);
      const bool lua = std::find(fence.words.begin(), fence.words.end(), "lua") != fence.words.end();
      if (lua && !ASSAY_LUA) continue;
      const auto handler = kHandlers.find(fence.language);
      if (handler == kHandlers.end()) {
        fail(fence.language.empty() ? "a fence needs a word that says what it holds"
                                    : "'" + fence.language + "' is not known here");
      } else {
        (this->*handler->second)(texts.back());
      }
    }
    fence_ = nullptr;
    check_links();
    if (update_) write_file(document_.path, with_fences(document_, texts));
    compare_generated();
    std::printf("%s: %zu blocks, %d failed\n", document_.path.filename().c_str(), document_.fences.size(), failures_);
    return failures_;
  }

 private:
  using Handler = void (Page::*)(std::string& text);
  static const std::map<std::string_view, Handler> kHandlers;

  void fail(const std::string& why) {
    ++failures_;
    std::printf("%s:%d: %s\n", document_.path.c_str(), fence_ == nullptr ? 1 : fence_->line(), why.c_str());
  }

  std::string name() const { return fence_->words.empty() ? std::string() : fence_->words.front(); }

  void keep(const std::string& text, std::size_t word = 0) {
    if (fence_->words.size() <= word) return;
    const fs::path file = directory_ / fence_->words[word];
    fs::create_directories(file.parent_path());
    write_file(file, text);
  }

  assay::Compiled compile(const std::string& file, const std::string& text) const {
    assay::CompileOptions options;
    options.importer = [this](std::string_view path, std::string_view,
                              std::string& shown) -> std::optional<std::string> {
      const fs::path wanted = directory_ / path;
      if (!fs::is_regular_file(wanted)) return std::nullopt;
      shown = path;
      return read_file(wanted);
    };
    assay::Interrupt interrupt;
    const std::vector<std::string> words = fence_ == nullptr ? std::vector<std::string>() : fence_->words;
    for (const std::string& word : words) {
      const std::size_t equals = word.find('=');
      const assay::LimitInfo* limit = equals == word.npos ? nullptr : assay::find_limit(word.substr(0, equals));
      if (limit != nullptr) limit->set(options.limits, std::stoull(word.substr(equals + 1)));
      if (word == "cancelled") interrupt.cancel();
    }
    options.interrupt = &interrupt;
    return assay::compile(file, text, options);
  }

  std::string wrapped(const std::string& text) const {
    return "rubric snippet {\n" + fence_->with + "\n" + text + "}\n";
  }

  void check(const assay::Compiled& compiled, bool part) {
    std::vector<assay::Diagnostic> problems;
    for (const assay::Diagnostic& d : compiled.diagnostics) {
      const bool expected =
          part && std::find(std::begin(kUnfinished), std::end(kUnfinished), d.code) != std::end(kUnfinished);
      if (!expected) problems.push_back(d);
    }
    if (!problems.empty()) return fail("it does not check:\n" + assay::render(problems));
    if (!compiled.rubric) return;
    for (const assay::ExampleResult& example : compiled.rubric->test()) {
      if (example.passed) continue;
      std::string why = "the example \"" + example.name + "\" fails:";
      for (const std::string& difference : example.differences) why += "\n  " + difference;
      fail(why);
    }
  }

  // Rubrics must have the layout of the formatter if their syntax is valid.
  void format(std::string& text, bool whole) {
    const std::string inner = whole ? text : "rubric snippet {\n" + moved(text, 2) + "}\n";
    const assay::Formatted result = assay::format_rubric("snippet.rubric", inner);
    if (!result.problem.empty()) return fail(result.problem);
    if (!result.text || *result.text == inner) return;
    std::string formatted = *result.text;
    if (!whole) {
      formatted.erase(0, formatted.find('\n') + 1);
      formatted.erase(formatted.rfind('}'));
      formatted = moved(formatted, -2);
    }
    if (update_) {
      text = formatted;
    } else {
      fail("it is not formatted");
      print_difference("the block", formatted, text);
    }
  }

  // The text with each line indented by that many more spaces.
  static std::string moved(const std::string& text, int by) {
    std::vector<std::string> lines = split_lines(text);
    for (std::string& line : lines) {
      if (by > 0 && !line.empty()) line.insert(0, static_cast<std::size_t>(by), ' ');
      if (by < 0) line.erase(0, std::min(line.find_first_not_of(' '), static_cast<std::size_t>(-by)));
    }
    return join_lines(lines);
  }

  void rubric(std::string& text) {
    format(text, true);
    keep(text);
    check(compile(name().empty() ? "snippet.rubric" : name(), text), false);
  }

  void part(std::string& text) {
    format(text, false);
    check(compile("snippet.rubric", wrapped(text)), true);
  }

  void expressions(std::string& text) {
    const assay::Compiled compiled = compile("snippet.rubric", wrapped(""));
    if (!compiled.rubric)
      return fail("what stands in the comment does not check:\n" + assay::render(compiled.diagnostics));
    hold(compiled, split_lines(text));
  }

  void hold(const assay::Compiled& compiled, const std::vector<std::string>& lines) {
    assay::Evaluator evaluator(*compiled.rubric);
    for (const std::string& line : lines) {
      const std::size_t begin = line.find_first_not_of(' ');
      if (begin == std::string::npos || line[begin] == '#') continue;
      const auto result = evaluator.evaluate(line, "{}");
      if (assay::has_errors(result.diagnostics)) {
        fail(line + "\n" + assay::render(result.diagnostics));
      } else if (result.error) {
        fail(line + "\n  " + result.error->message);
      } else if (result.value != "true") {
        fail(line + "\n  is " + result.value);
      }
    }
  }

  void error(std::string& text) {
    keep(text, 1);
    const bool whole = ("\n" + text).find("\nrubric ") != std::string::npos ||
                       ("\n" + text).find("\nimport ") != std::string::npos || text.starts_with('#');
    if (name() != "W0746") format(text, whole);  // that mistake is in the layout
    std::string source = whole ? text : wrapped(text);
    constexpr std::string_view kBell = "␇";  // stands for the character itself
    for (std::size_t at = source.find(kBell); at != std::string::npos; at = source.find(kBell))
      source.replace(at, kBell.size(), "\a");
    const assay::Compiled compiled = compile("snippet.rubric", source);
    const bool warning = name().starts_with('W');
    std::set<std::string> codes;
    for (const assay::Diagnostic& d : compiled.diagnostics) {
      if (warning || d.severity == assay::Severity::error) codes.insert(d.code);
    }
    if (codes == std::set<std::string>{name()}) return;
    fail("expected " + name() + " and nothing else, got " +
         (compiled.diagnostics.empty() ? "nothing" : "\n" + assay::render(compiled.diagnostics)));
  }

  void console(std::string& text) {
    const std::vector<std::string> lines = split_lines(text);
    std::string out;
    for (std::size_t i = 0; i < lines.size();) {
      if (!lines[i].starts_with("$ ")) return fail("a console begins with '$ '");
      std::string command;
      do {
        out += lines[i] + "\n";
        command += lines[i].substr(command.empty() ? 2 : 0) + "\n";
      } while (continues(lines[i++], command) && i < lines.size());
      std::vector<std::string> expected;
      while (i < lines.size() && !lines[i].starts_with("$ ")) expected.push_back(lines[i++]);
      const Streams streams{scratch_.path() / "in", scratch_.path() / "out", scratch_.path() / "err", directory_};
      write_file(streams.in, "");
      run_child({"bash", "-c", "{ " + command + "} 2>&1"}, streams);
      const std::string got = read_file(streams.out);
      if (matches(expected, 0, split_lines(got), 0)) {
        out += join_lines(expected);
        continue;
      }
      out += got;
      if (update_) continue;
      fail("$ " + command);
      print_difference("the output", join_lines(expected), got);
    }
    if (update_) text = out;
  }

  void json(std::string& text) {
    keep(text);
    const std::vector<std::string> texts =
        fence_->language == "json" ? std::vector<std::string>{text} : split_lines(text);
    for (const std::string& one : texts) {
      if (!one.empty() && !nlohmann::json::accept(one)) fail("this is not JSON: " + one);
    }
  }

  void file(std::string& text) { keep(text); }

  void excerpt(std::string& text) {
    if (name().empty()) return fail("name the file of the project that holds these lines");
    const std::vector<std::string> wanted = split_lines(text),
                                   all = split_lines(read_file(fs::path(ASSAY_SOURCE_DIR) / name()));
    const auto bare = [](const std::string& line) {
      const std::size_t begin = line.find_first_not_of(' ');
      return begin == std::string::npos ? std::string() : line.substr(begin);
    };
    for (std::size_t i = 0; i + wanted.size() <= all.size(); ++i) {
      std::size_t same = 0;
      while (same < wanted.size() && bare(wanted[same]) == bare(all[i + same])) ++same;
      if (same == wanted.size()) return;
    }
    fail("these lines do not stand so in " + name());
  }

  void grammar(std::string& text) {
    std::set<std::string> defined, used;
    std::string quote;
    std::string word;
    const std::vector<std::string> lines = split_lines(text);
    for (const std::string& line : lines) {
      const std::size_t comment = line.find(" #");
      const std::string rule = line.substr(0, comment);
      if (rule.empty() || rule[0] == '#') continue;
      if (rule[0] != ' ') defined.insert(rule.substr(0, rule.find(' ')));
      bool quoted = false;
      word.clear();
      char before = ' ';
      for (const char c : rule + " ") {
        if (c == '"' && before != '\\') quoted = !quoted;
        before = before == '\\' ? ' ' : c;
        if (!quoted && (std::islower(static_cast<unsigned char>(c)) != 0 || c == '_')) {
          word += c;
        } else {
          if (!word.empty()) used.insert(word);
          word.clear();
        }
      }
    }
    for (const std::string& one : used) {
      if (defined.count(one) == 0) fail("the grammar does not say what '" + one + "' is");
    }
  }

  void shell(std::string& text) {
    const Streams streams{scratch_.path() / "in", scratch_.path() / "out", scratch_.path() / "err", directory_};
    write_file(streams.in, text);
    if (run_child({"bash", "-n"}, streams) != 0) fail("bash cannot read it: " + read_file(streams.err));
  }

  // [text](path#heading): checks that the file exists and has the heading.
  void check_links() {
    for (const Link& link : document_.links) {
      const std::size_t hash = link.target.find('#');
      const std::string file = link.target.substr(0, hash);
      const fs::path path = file.empty() ? document_.path : document_.path.parent_path() / file;
      bool good = fs::exists(path);
      if (good && hash != std::string::npos) {
        const std::vector<std::string> known = read_document(path).anchors;
        good = std::find(known.begin(), known.end(), link.target.substr(hash + 1)) != known.end();
      }
      if (!good) fail("line " + std::to_string(link.line) + ": nothing is at '" + link.target + "'");
    }
  }

  void compare_generated() {
    const Document now = read_document(document_.path);
    std::vector<std::string> problems;
    const std::string wanted = regenerate(now, problems);
    if (wanted.find("<!-- begin builtins -->") != std::string::npos) {
      hold(compile("builtins.rubric", "rubric builtins {\n}\n"), builtin_examples());
    }
    if (wanted.find("<!-- begin library -->") != std::string::npos) {
      for (const assay::LibraryModule& module : assay::library_modules()) {
        const std::string text = "import \"" + module.name + "\"\nrubric examples {\n}\n";
        std::vector<std::string> examples;
        for (const assay::LibraryFunction& function : module.functions) {
          if (function.examples.empty()) fail("'" + function.name + "' of " + module.name + " has no example");
          examples.insert(examples.end(), function.examples.begin(), function.examples.end());
        }
        hold(compile("examples.rubric", text), examples);
      }
    }
    for (const std::string& problem : problems) fail(problem);
    const std::string have = join_lines(now.lines);
    if (have == wanted) return;
    if (update_) return write_file(document_.path, wanted);
    fail("its generated parts are out of date: run assay-docs with --update");
    print_difference("the page", wanted, have);
  }

  Document document_;
  bool update_;
  const Fence* fence_ = nullptr;
  int failures_ = 0;
  TemporaryDirectory scratch_;
  fs::path directory_ = scratch_.path() / "page";
};

const std::map<std::string_view, Page::Handler> Page::kHandlers{
    {"assay", &Page::rubric},      {"assay-part", &Page::part}, {"assay-expr", &Page::expressions},
    {"assay-error", &Page::error}, {"console", &Page::console}, {"json", &Page::json},
    {"ndjson", &Page::json},       {"csv", &Page::file},        {"lua", &Page::file},
    {"text", &Page::file},         {"cpp", &Page::excerpt},     {"cmake", &Page::excerpt},
    {"c", &Page::excerpt},         {"ebnf", &Page::grammar},    {"sh", &Page::shell},
    {"pycon", &Page::file},
};

}  // namespace

int main(int argc, char** argv) try {
  std::vector<fs::path> paths;
  const bool update = take_arguments(argc, argv, paths);
  for (fs::path& path : paths) path = fs::absolute(path);
  if (paths.size() < 2) {
    std::fputs("usage: assay-docs ASSAY FILE.md… [--update]\n", stderr);
    return 2;
  }
  const std::string path = std::getenv("PATH") ? std::getenv("PATH") : "/usr/bin:/bin";
  setenv("PATH", (paths[0].parent_path().string() + ":" + path).c_str(), 1);
  setenv("LC_ALL", "C.UTF-8", 1);
  setenv("COLUMNS", "120", 1);
  unsetenv("CDPATH");

  int failures = 0;
  for (std::size_t i = 1; i < paths.size(); ++i) failures += Page(paths[i], update).run();
  return failures == 0 ? 0 : 1;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 2;
}
