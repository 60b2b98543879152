// What the series of structure.hpp leave out. What they should exercise is never written down twice: productions come from
// the grammar itself, which counts the rules that match; builtins from their table; functions of hooks from the sandbox,
// which is asked; those of the standard library from its modules.
#include "tests/property/structure.hpp"

#include "lang/parse/grammar.hpp"
#include "runtime/hooks/stdlib.hpp"

#include <assay/assay.hpp>

#include <tao/pegtl.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <type_traits>

namespace assay::grammar {

// As in lang/parse/parse.cpp, without depth, recovery and trees: rubrics that compile need none of them.
template <typename Rule>
template <p::apply_mode A, p::rewind_mode M, template <typename...> class Action, template <typename...> class Control,
          typename Input, typename State>
bool nested<Rule>::match(Input& in, State& state) {
  return Control<Rule>::template match<A, M, Action, Control>(in, state);
}
template <typename Rule>
template <p::apply_mode A, p::rewind_mode M, template <typename...> class Action, template <typename...> class Control,
          typename Input, typename State>
bool guarded<Rule>::match(Input& in, State& state) {
  return Control<Rule>::template match<A, M, Action, Control>(in, state);
}
template <p::apply_mode A, p::rewind_mode M, template <typename...> class Action, template <typename...> class Control,
          typename Input, typename State>
bool unclosed::match(Input&, State&) {
  return false;
}

}  // namespace assay::grammar

namespace assay_tests {

namespace {

namespace p = tao::pegtl;

// Which rules matched, and which words as an alternative of which choice. PEGTL's own coverage says the same and more, but takes
// minutes to compile for a grammar of this size; here, all that is instantiated for a rule are three calls and its name.
class Productions {
 public:
  void add(std::string_view rule) { matched_[rule]; }
  void add_word(std::string_view choice, std::string_view word) { words_[{choice, word}]; }
  void enter(std::string_view rule) { entered_.push_back(rule); }
  void leave(bool matched) {
    const std::string_view rule = entered_.back();
    entered_.pop_back();
    if (!matched) return;
    matched_[rule] = true;
    if (entered_.empty()) return;
    const auto word = words_.find({entered_.back(), rule});
    if (word != words_.end()) word->second = true;
  }
  void begin() { entered_.clear(); }  // of a text; the one before may have ended within a rule

  const std::map<std::string_view, bool>& rules() const { return matched_; }
  const std::map<std::pair<std::string_view, std::string_view>, bool>& words() const { return words_; }

 private:
  std::map<std::string_view, bool> matched_;
  std::map<std::pair<std::string_view, std::string_view>, bool> words_;  // choice and keyword
  std::vector<std::string_view> entered_;
};

Productions& productions() {
  static Productions all;
  return all;
}

template <typename Choice, typename... Rules>
void add_words(p::type_list<Rules...>) {
  for (const std::string_view rule : {p::demangle<Rules>()...}) {
    if (rule.find("keyword<") != std::string_view::npos) productions().add_word(p::demangle<Choice>(), rule);
  }
}

template <typename Rule>
inline constexpr bool is_choice = false;  // between rules, and not a rule with a name of its own
template <typename... Rules>
inline constexpr bool is_choice<p::internal::sor<Rules...>> = true;

template <typename Rule>
struct Watched : p::normal<Rule> {
  template <typename Input>
  static void start(const Input&, Productions& state) {
    (void)known;
    state.enter(p::demangle<Rule>());
  }
  template <typename Input>
  static void success(const Input&, Productions& state) {
    state.leave(true);
  }
  template <typename Input>
  static void failure(const Input&, Productions& state) {
    state.leave(false);
  }

  // Set before main() for every rule that the grammar leads to.
  inline static const bool known = [] {
    productions().add(p::demangle<Rule>());
    if constexpr (is_choice<Rule>) add_words<Rule>(typename Rule::subs_t());
    return true;
  }();
};

// Rules that only rubrics with errors match, or no text at all.
constexpr std::string_view kNeverMatched[] = {"unclosed", "bom", "item_word", "any_word", "next_rubric", "reserved"};

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// "assay::grammar::item_let" → "item_let"; empty for what has no name of its own.
std::string_view short_name(std::string_view rule) {
  constexpr std::string_view kRoom = "assay::grammar::";
  if (!rule.starts_with(kRoom)) return {};
  rule.remove_prefix(kRoom.size());
  return rule.find_first_of("<:") == std::string_view::npos ? rule : std::string_view{};
}

// The functions that stand in a module of the standard library.
std::vector<std::string> functions_of(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    for (const std::string_view word : {"fn ", "function ", "hook "}) {
      if (!line.starts_with(word)) continue;
      line.remove_prefix(word.size());
      names.emplace_back(line.substr(0, line.find('(')));
    }
    at = end + 1;
  }
  return names;
}

constexpr const char* kSandbox = R"(rubric sandbox { hook names(): text lua """
  function names()
    local found = {}
    for name, value in pairs(_G) do
      if type(value) == 'function' and name ~= 'names' then found[#found + 1] = name
      elseif type(value) == 'table' and name ~= '_G' then
        for key, inner in pairs(value) do
          if type(inner) == 'function' then found[#found + 1] = name .. '.' .. key end
        end
      end
    end
    return table.concat(found, ' ')
  end """ output names = names() })";

std::string functions_of_hooks() {
  const assay::Compiled compiled = assay::compile("sandbox.rubric", kSandbox);
  if (!compiled.rubric) return "the sandbox does not compile: " + assay::render(compiled.diagnostics);
  assay::Evaluator evaluator(*compiled.rubric);
  return std::string(evaluator.score("{}").text("names"));
}

bool calls(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name + "("); at != std::string::npos; at = text.find(name + "(", at + 1)) {
    if (at == 0 || !is_name(text[at - 1])) return true;
  }
  return false;
}

}  // namespace

std::vector<Growth> all_growths() {
  std::vector<Growth> all;
  add_grammar(all);
  add_library(all);
  add_hooks(all);
  add_records(all);
  for (Growth& growth : all) {
    if (!growth.stages) growth.stages = compile_and_score;
  }
  return all;
}

std::vector<std::string> uncovered_productions(const std::vector<std::string>& rubrics) {
  for (const std::string& text : rubrics) {
    p::memory_input in(text, "grown.rubric");
    productions().begin();
    try {
      (void)p::parse<assay::grammar::file, p::nothing, Watched>(in, productions());
    } catch (const p::parse_error&) { continue; }
  }
  std::vector<std::string> missing;
  for (const auto& [name, matched] : productions().rules()) {
    const std::string_view rule = short_name(name);
    if (rule.empty() || std::find(std::begin(kNeverMatched), std::end(kNeverMatched), rule) != std::end(kNeverMatched))
      continue;
    if (!matched) missing.push_back("no series has the production '" + std::string(rule) + "'");
  }
  // Every word: alternatives that are keywords themselves have no rule of their own.
  for (const auto& [word, matched] : productions().words()) {
    if (!matched)
      missing.push_back("no series has the word " + std::string(word.second) + " of " + std::string(word.first));
  }
  return missing;
}

std::vector<std::string> uncovered(const std::vector<Growth>& all) {
  std::vector<std::string> missing, rubrics;
  std::string everything;
  for (const Growth& growth : all) {
    const Subject subject = growth.subject(2);
    everything += subject.rubric + "\n" + subject.file + "\n";
    if (subject.rubric.empty()) continue;
    rubrics.push_back(subject.rubric);
    if (growth.name.starts_with("declaration/error/") || growth.name.find("/unknown") != std::string::npos) continue;
    Stages stages(Stages::By::bytes);
    growth.stages(subject, stages);
    if (stages.was_refused()) missing.push_back("the smallest rubric of " + growth.name + " does not compile");
  }
  for (const std::string& line : uncovered_productions(rubrics)) missing.push_back(line);
#define ASSAY_BUILTIN(enumerator, name, ...) \
  if (!calls(everything, name)) missing.push_back("no series calls the builtin '" name "'");
#include "lang/model/builtins.def"
#undef ASSAY_BUILTIN
  for (const std::string_view module : assay::stdlib_names()) {
    for (const std::string& name : functions_of(assay::stdlib_module(module))) {
      if (!calls(everything, name)) missing.push_back("no series calls '" + name + "' of " + std::string(module));
    }
  }
  std::set<std::string> series;
  for (const Growth& growth : all) series.insert(growth.name);
  const std::string names = functions_of_hooks();
  for (std::size_t at = 0; at < names.size();) {
    const std::size_t end = std::min(names.find(' ', at), names.size());
    const std::string name = names.substr(at, end - at);
    if (series.count("lua/" + name) == 0) missing.push_back("no series calls '" + name + "' of the hooks' sandbox");
    at = end + 1;
  }
  return missing;
}

}  // namespace assay_tests
