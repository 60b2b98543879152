// Any text as a rubric file: it compiles or is refused with diagnostics; what compiles can be shown, tested, scored and
// explained. An input does one of these things, which its bytes choose, under limits so small that none takes long: many
// inputs a second find more than few that do everything.
//
// The mutator knows tokens and declarations: it deletes, doubles, swaps and replaces them, takes words from the tables
// of operators and builtins, and splices declarations of the series that the fuzzer of structure grows.
#include "tests/fuzz/fuzz.hpp"
#include "tests/property/random.hpp"
#include "tests/property/structure.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

using namespace assay;

extern "C" __attribute__((weak)) std::size_t LLVMFuzzerMutate(std::uint8_t* bytes, std::size_t size, std::size_t most);

namespace {

constexpr std::size_t kLongest = 4096;

constexpr const char* kWords[] = {
#define ASSAY_BUILTIN(enumerator, name, ...) name,
#include "lang/model/builtins.def"
#undef ASSAY_BUILTIN
    "and",       "or",      "xor",       "not",     "in",         "is",      "when",      "else",     "for",
    "default",   "missing", "otherwise", "true",    "false",      "given",   "where",     "while",    "with",
    "then",      "by",      "higher",    "lower",   "decimals",   "at",      "from",      "lua",      "of",
    "one",       "list",    "set",       "map",     "extends",    "weight",  "points",    "required", "optional",
    "number",    "whole",   "bool",      "text",    "any",        "skip",    "advisory",  "level",    "rubric",
    "import",    "type",    "fn",        "table",   "hook",       "input",   "let",       "output",   "flag",
    "gate",      "version", "scale",     "weights", "history",    "check",   "composite", "cap",      "incomplete",
    "deduction", "bonus",   "bands",     "advice",  "rank",       "context", "example",   "cohort",   "dimension",
    "criterion", "expect",  "error",     "score",   "dimensions", "gates",   "flags",     "coverage", "status",
    "id",        "records", "open",      "exact",   "rescaled",   "==",      "!=",        "<=",       ">=",
    "<",         ">",       "..",        "+",       "-",          "*",       "/",         "^",        "(",
    ")",         "[",       "]",         "{",       "}",          "|",       ",",         ":",        "=",
    "0",         "1",       "-1",        "0.5",     "50%",        "1e30",    "1e-30",     "\"\"",     "\"a\"",
    "\"{x}\"",   "x",       "a",         "\n"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where each token of a text begins, and its end: words with the digits in them, blanks, single signs.
std::vector<std::size_t> token_starts(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size();) {
    starts.push_back(at);
    const bool word = is_word(text[at]), blank = std::isspace(static_cast<unsigned char>(text[at])) != 0;
    ++at;
    while (at < text.size() &&
           ((word && is_word(text[at])) || (blank && std::isspace(static_cast<unsigned char>(text[at])) != 0)))
      ++at;
  }
  starts.push_back(text.size());
  return starts;
}

// Lines of small rubrics that together use every kind of declaration.
const std::vector<std::string>& declarations() {
  static const std::vector<std::string> kLines = [] {
    std::vector<std::string> lines;
    std::vector<assay_tests::Growth> all;
    assay_tests::add_grammar(all);
    assay_tests::add_library(all);
    for (const assay_tests::Growth& growth : all) {
      const std::string text = growth.subject(2).rubric;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        if (end > at + 3) lines.push_back(text.substr(at, end - at) + "\n");
        at = end + 1;
      }
    }
    std::sort(lines.begin(), lines.end());
    lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
    return lines;
  }();
  return kLines;
}

void change(std::string& text, assay_tests::Random& random) {
  const std::vector<std::size_t> starts = token_starts(text);
  const auto token = [&](std::size_t i) { return text.substr(starts[i], starts[i + 1] - starts[i]); };
  const std::size_t count = starts.size() - 1;
  if (count == 0 || random.one_in(4)) {  // insert a declaration at the start of a line
    std::size_t at = text.find('\n', random.below(text.size() + 1));
    at = at == std::string::npos ? text.size() : at + 1;
    text.insert(at, random.pick(declarations()));
    return;
  }
  const std::size_t here = random.below(count), there = random.below(count);
  const std::size_t begin = starts[here], size = starts[here + 1] - starts[here];
  switch (random.below(7)) {
    case 0: text.erase(begin, size); break;
    case 1: text.insert(begin, token(here)); break;
    case 2: text.replace(begin, size, token(there)); break;
    case 3: text.replace(begin, size, kWords[random.below(std::size(kWords))]); break;
    case 4: text.insert(begin, std::string(" ") + kWords[random.below(std::size(kWords))] + " "); break;
    case 5: {  // copy a run of tokens elsewhere
      const std::size_t last = std::min(count, there + 1 + random.below(12));
      text.insert(begin, text.substr(starts[there], starts[last] - starts[there]));
      break;
    }
    default: {  // delete a run of tokens
      const std::size_t last = std::min(count, here + 1 + random.below(12));
      text.erase(begin, starts[last] - begin);
    }
  }
}

Limits small_limits() {
  Limits limits = assay_tests::tight_limits();
  limits.source_bytes = 2 * kLongest;
  limits.steps = 20'000;
  limits.memory_bytes = 1 << 20;
  limits.output_bytes = 1 << 18;
  limits.hook_steps = 20'000;
  limits.hook_memory_bytes = 1 << 20;
  return limits;
}

}  // namespace

// libFuzzer weighs inputs by how rare what they reach is. That takes most of the time in a target with so many branches
// as a grammar has, so it is switched off here.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  static std::vector<char*> arguments(*argv, *argv + *argc);
  static char option[] = "-entropic=0";
  arguments.insert(arguments.begin() + 1, option);
  *argc = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  *argv = arguments.data();
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* bytes, std::size_t size, std::size_t most, unsigned seed) {
  assay_tests::Random random(seed);
  if (LLVMFuzzerMutate != nullptr && random.one_in(8)) return LLVMFuzzerMutate(bytes, size, most);
  std::string text(reinterpret_cast<const char*>(bytes), size);
  for (std::uint64_t changes = 1 + random.below(3); changes > 0; --changes) change(text, random);
  const std::size_t result = std::min(text.size(), most);
  std::memcpy(bytes, text.data(), result);
  return result;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const Limits kLimits = small_limits();
  static const Limits kGenerous = assay_tests::tight_limits();
  CompileOptions options;
  // The shipped rubrics are seeds, and longer than generated inputs.
  options.limits = size > kLongest ? kGenerous : kLimits;
  options.importer = [](std::string_view path, std::string_view, std::string& name) -> std::optional<std::string> {
    name = path;
    if (path.ends_with(".csv")) return "key,value\na,1\nb,2\n";
    if (path.ends_with(".rubric"))
      return "rubric base { version \"1\" scale 0..10 decimals 1 dimension quality weight 100% }";
    return std::nullopt;
  };
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  const Compiled compiled = compile("fuzzed.rubric", text, options);
  bool errors = false;
  for (const Diagnostic& diagnostic : compiled.diagnostics) errors = errors || diagnostic.severity == Severity::error;
  std::uint64_t choice = 14695981039346656037u;
  for (const char c : text) choice = (choice ^ static_cast<unsigned char>(c)) * 1099511628211u;
  choice = (choice >> 32) % 8;
  if (!compiled.rubric) {
    if (choice == 0) {
      const std::string rendered = render(compiled.diagnostics);
      assay_tests::insist(rendered == printable_lines(rendered));
    }
    return 0;
  }
  assay_tests::insist(!errors);  // a rubric with errors does not run
  const Rubric& rubric = *compiled.rubric;
  if (choice < 4) {
    for (const View view : {View::ast, View::model, View::bytecode, View::kernel}) {
      if (static_cast<std::uint64_t>(view) == choice) assay_tests::insist(is_utf8(rubric.show(view)));
    }
    return 0;
  }
  if (choice == 4) {
    (void)rubric.scoring_hash();
    (void)rubric.test();
    return 0;
  }
  std::string record = "{\"id\":\"x\"";
  for (const InputInfo& input : rubric.inputs()) {
    if (input.presence == "required" && input.type.starts_with("number")) record += ",\"" + input.name + "\":5";
    if (input.presence == "required" && input.type.starts_with("list")) record += ",\"" + input.name + "\":[]";
  }
  record += "}";
  Evaluator evaluator(rubric, {{}, options.limits});
  const Verdict& verdict = evaluator.score(record);
  assay_tests::insist(!verdict.json().empty() && is_utf8(verdict.json()));
  if (choice == 5) {
    const std::string explained = evaluator.explain(record);
    assay_tests::insist(explained == printable_lines(explained));
  }
  return 0;
}
