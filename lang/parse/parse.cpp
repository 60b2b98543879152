// The PEGTL unit: runs the grammar, collects its nodes, turns failed commit points into problems and resumes after
// them. Everything that does not need PEGTL is elsewhere: messages in lang/parse/parse_explain.cpp, recovery in
// lang/parse/syntax.cpp, trees in lang/parse/parse_build.cpp and lang/parse/parse_expr.cpp.
#include "lang/parse/parse.hpp"

#include "lang/parse/grammar.hpp"
#include "lang/parse/parse_build.hpp"
#include "lang/parse/syntax.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <type_traits>

namespace assay {
namespace grammar {

// ---- which rules are nodes
template <typename Rule>
struct node_of {
  static constexpr Syn kind = Syn::root;
};
template <char C>
struct node_of<mark<C>> {
  static constexpr Syn kind = Syn::mark;
};
template <typename Keyword>
struct node_of<word_mark<Keyword>> {
  static constexpr Syn kind = Syn::mark;
};
template <>
struct node_of<text_end> {
  static constexpr Syn kind = Syn::mark;
};
template <>
struct node_of<interpolation_end> {
  static constexpr Syn kind = Syn::mark;
};
#define ASSAY_SYNTAX(rule)                 \
  template <>                              \
  struct node_of<rule> {                   \
    static constexpr Syn kind = Syn::rule; \
  };
#include "lang/parse/syntax.def"
#undef ASSAY_SYNTAX

// ---- the expectation of each commit point; a missing one does not compile
template <typename Rule>
struct expected;
#define ASSAY_EXPECTED(rule, what, words)                 \
  template <>                                             \
  struct expected<rule> {                                 \
    static constexpr Expected value{Wanted::what, words}; \
  }
ASSAY_EXPECTED(number_end, number_end, "the end of the number");
ASSAY_EXPECTED(escaped, escape, "an escape");
ASSAY_EXPECTED(unicode, escape, "a code point");
ASSAY_EXPECTED(text_end, text_end, "'\"'");
ASSAY_EXPECTED(raw_body, raw_end, "'\"\"\"'");
ASSAY_EXPECTED(raw_token, thing, "the Lua source between \"\"\" and \"\"\"");
ASSAY_EXPECTED(interpolation_end, closing, "'}' after the value in the text");
ASSAY_EXPECTED(expr, expression, "a value");
ASSAY_EXPECTED(run, expression, "a value");
ASSAY_EXPECTED(sum, expression, "a number");
ASSAY_EXPECTED(term, operand, "a value");
ASSAY_EXPECTED(sum_term, operand, "a number");
ASSAY_EXPECTED(operand, operand, "a value");
ASSAY_EXPECTED(body, expression, "a value");
ASSAY_EXPECTED(ident, name, "a name");
ASSAY_EXPECTED(key, name, "a name");
ASSAY_EXPECTED(label, thing, "a name or a text");
ASSAY_EXPECTED(text_token, thing, "a text in double quotes");
ASSAY_EXPECTED(integer_token, thing, "a whole number");
ASSAY_EXPECTED(in_after_not, in_after_not, "'in'");
ASSAY_EXPECTED(tested, after_is, "'missing', 'given' or what it may be, such as 'number'");
ASSAY_EXPECTED(asked_token, thing, "what to take it as, such as 'number' or 'text'");
ASSAY_EXPECTED(equals, equals, "'='");
ASSAY_EXPECTED(defined, equals, "'='");
ASSAY_EXPECTED(output_value, equals, "'='");
ASSAY_EXPECTED(colon, thing, "':' and a kind");
ASSAY_EXPECTED(result, thing, "':' and the kind of the result");
ASSAY_EXPECTED(dots, thing, "'..' and the upper limit");
ASSAY_EXPECTED(keyed, thing, "':' and a value");
ASSAY_EXPECTED(entry, thing, "the name of a field");
ASSAY_EXPECTED(open_paren, thing, "'('");
ASSAY_EXPECTED(open_brace, thing, "'{'");
ASSAY_EXPECTED(close_paren, closing, "')'");
ASSAY_EXPECTED(close_args, closing, "',' or ')'");
ASSAY_EXPECTED(close_bracket, closing, "']'");
ASSAY_EXPECTED(close_list, closing, "',' or ']'");
ASSAY_EXPECTED(record_end, closing, "',' or '}'");
ASSAY_EXPECTED(kind_end, closing, "another field or '}'");
ASSAY_EXPECTED(rows_end, closing, "another row, which begins with '|', or '}'");
ASSAY_EXPECTED(row_end, row_end, "'|' after the cell");
ASSAY_EXPECTED(row, thing, "a row, which begins with '|'");
ASSAY_EXPECTED(cell, expression, "a cell");
ASSAY_EXPECTED(pattern, expression, "another value for the cell");
ASSAY_EXPECTED(context_end, closing, "'weight', a name and its weight, or '}'");
ASSAY_EXPECTED(example_end, closing, "'given', 'history', 'context', 'weights', 'expect', 'error at' or '}'");
ASSAY_EXPECTED(kind, thing, "a kind, such as number, text or list of text");
ASSAY_EXPECTED(one_kind, thing, "a kind, such as number, text or list of text");
ASSAY_EXPECTED(skip_or_run, expression, "a value or 'skip'");
ASSAY_EXPECTED(where_part, name, "a name and '='");
ASSAY_EXPECTED(loop_where_part, name, "a name and '='");
ASSAY_EXPECTED(order, thing, "'higher' or 'lower'");
ASSAY_EXPECTED(order_key, thing, "'higher' or 'lower'");
ASSAY_EXPECTED(by_order, thing, "'by' with 'higher' or 'lower'");
ASSAY_EXPECTED(param, name, "the name of a parameter");
ASSAY_EXPECTED(params, thing, "'(' and the names of the parameters");
ASSAY_EXPECTED(rows, thing, "'{' and the rows of the table");
ASSAY_EXPECTED(rows_or_from, thing, "'{' and the rows of the table, or 'from' and a file");
ASSAY_EXPECTED(hook_source, thing, "'from' and a file, or 'lua' and the source between \"\"\" and \"\"\"");
ASSAY_EXPECTED(path, thing, "the path of a value, such as end or components[2].weight");
ASSAY_EXPECTED(error_path, thing, "the path of a value, such as end or components[2].weight");
ASSAY_EXPECTED(scale_limits, thing, "a range such as 1..10, a bound such as >= 0, or 'open'");
ASSAY_EXPECTED(token<weights_rule>, thing, "'exact' or 'rescaled'");
ASSAY_EXPECTED(loop_or_when, when_, "'when' and a condition");
ASSAY_EXPECTED(output_word, thing, "'output' and a name");
ASSAY_EXPECTED(kw_when, when_, "'when' and a condition");
ASSAY_EXPECTED(kw_in, thing, "'in' and the list to go through");
ASSAY_EXPECTED(kw_then, thing, "'then' and the next state");
ASSAY_EXPECTED(kw_of, thing, "'of'");
ASSAY_EXPECTED(kw_at, thing, "'at'");
ASSAY_EXPECTED(kw_by, thing, "'by'");
ASSAY_EXPECTED(part, part, "'dimension', 'criterion', 'level' or '}'");
ASSAY_EXPECTED(item, declaration, "a declaration");
ASSAY_EXPECTED(top, top, "'rubric', 'import', 'type', 'fn', 'table' or 'hook'");
ASSAY_EXPECTED(end_of_text, end_of_text, "the end");
#undef ASSAY_EXPECTED

template <typename Rule>
struct control : p::normal<Rule> {
  static constexpr bool enable = node_of<Rule>::kind != Syn::root;
  template <typename Input>
  static std::uint32_t offset(const Input& in) {
    return static_cast<std::uint32_t>(in.current() - in.begin());
  }
  template <typename Input>
  static void start(const Input& in, Syntax& syntax) {
    syntax.open(node_of<Rule>::kind, offset(in));
  }
  template <typename Input>
  static void success(const Input& in, Syntax& syntax) {
    syntax.close(offset(in));
  }
  template <typename Input>
  static void failure(const Input&, Syntax& syntax) {
    syntax.drop();
  }
  template <typename Input>
  [[noreturn]] static void raise(const Input& in, Syntax& syntax) {
    syntax.fail(expected<Rule>::value, offset(in));
    throw SyntaxFailure();
  }
};

template <typename Rule>
template <p::apply_mode A, p::rewind_mode M, template <typename...> class Action, template <typename...> class Control,
          typename Input, typename State>
bool nested<Rule>::match(Input& in, State& syntax) {
  if (!Nesting::fits(syntax.budget(), Budget::kSyntaxLevels)) {
    syntax.fail({Wanted::depth, ""}, control<Rule>::offset(in));
    throw SyntaxFailure();
  }
  const Nesting nesting(syntax.budget(), Budget::kSyntaxLevels);
  return Control<Rule>::template match<A, M, Action, Control>(in, syntax);
}

template <typename Rule>
template <p::apply_mode A, p::rewind_mode M, template <typename...> class Action, template <typename...> class Control,
          typename Input, typename State>
bool guarded<Rule>::match(Input& in, State& syntax) {
  const Syntax::State state = syntax.save();
  const std::uint32_t begin = control<Rule>::offset(in);
  const std::uint64_t steps = syntax.budget().steps();
  try {
    const bool matched = Control<Rule>::template match<A, M, Action, Control>(in, syntax);
    if constexpr (!std::is_same_v<Rule, part_or_raise>) {
      if (matched) syntax.note_item(state, begin, control<Rule>::offset(in), steps);
    }
    return matched;
  } catch (const SyntaxFailure&) {
    syntax.restore(state);
    in.restart();
    in.bump(syntax.resume(begin));
    return true;
  }
}

template <p::apply_mode A, p::rewind_mode M, template <typename...> class Action, template <typename...> class Control,
          typename Input, typename State>
bool unclosed::match(Input& in, State& syntax) {
  syntax.fail({Wanted::block_end, "'}'"}, control<unclosed>::offset(in));
  return true;
}

}  // namespace grammar

namespace {

using SourceInput = tao::pegtl::memory_input<tao::pegtl::tracking_mode::lazy, tao::pegtl::eol::lf_crlf, const char*>;

template <typename Rule>
bool match(const Sources& sources, std::uint32_t file, Syntax& syntax) {
  const SourceFile& source = sources.file(file);
  SourceInput in(source.text.data(), source.text.data() + source.text.size(), source.name.c_str());
  try {
    return tao::pegtl::parse<Rule, tao::pegtl::nothing, grammar::control>(in, syntax);
  } catch (const SyntaxFailure&) { return false; }
}

void report(std::vector<Problem>& problems, Diagnostics& diagnostics) {
  std::stable_sort(problems.begin(), problems.end(),
                   [](const Problem& a, const Problem& b) { return a.at.begin < b.at.begin; });
  for (Problem& problem : problems) {
    Diagnostic& diagnostic = diagnostics.report(problem.code, problem.at, std::move(problem.message),
                                                std::move(problem.label), std::move(problem.help));
    if (!problem.note.empty()) diagnostic.notes.push_back(diagnostics.note(problem.note_at, std::move(problem.note)));
  }
}

// ---- parsing again after an edit

// The part of a text in which another one differs, widened to whole declarations.
struct Changed {
  std::size_t first, last;       // declarations: those before `last`, at least one
  std::uint32_t begin, old_end;  // their text
  std::uint32_t new_end;
};

// Nothing: more than some declarations in a row may have to be read anew. A declaration that ends before the edit looks
// at most at the word of the one behind it, and at the character that ends this word; both have to stay.
std::optional<Changed> changed_items(const ParsedText& before, std::string_view text) {
  const std::string_view old = before.text;
  const auto [was, is] = std::mismatch(old.begin(), old.end(), text.begin(), text.end());
  const auto begin = static_cast<std::size_t>(was - old.begin());
  const std::size_t most = std::min(old.size(), text.size()) - begin;
  std::size_t same = 0;
  while (same < most && old[old.size() - 1 - same] == text[text.size() - 1 - same]) ++same;
  const std::size_t end = old.size() - same;  // of what was replaced
  const auto& items = before.items;
  auto first = std::upper_bound(items.begin(), items.end(), begin,
                                [](std::size_t at, const ItemNodes& item) { return at < item.begin; });
  const auto keeps_word = [&](const ItemNodes& item) { return before.nodes[item.node + 1].end < begin; };
  if (first == items.begin() || !keeps_word(*--first)) return std::nullopt;
  auto last = std::next(first);
  while (last != items.end() && std::prev(last)->end < end && std::prev(last)->end == last->begin) ++last;
  if (std::prev(last)->end < end) return std::nullopt;
  const std::uint32_t old_end = std::prev(last)->end;
  return Changed{static_cast<std::size_t>(first - items.begin()), static_cast<std::size_t>(last - items.begin()),
                 first->begin, old_end, static_cast<std::uint32_t>(old_end + text.size() - old.size())};
}

// Matches declarations from `begin` on, up to one that ends at `end` exactly. From there on the text is the same as
// before, so what follows would match in the same way. False: they do not, or have problems.
template <typename Rule>
bool match_items(const Sources& sources, std::uint32_t file, Syntax& syntax, std::uint32_t begin, std::uint32_t end) {
  const SourceFile& source = sources.file(file);
  SourceInput in(source.text.data(), source.text.data() + source.text.size(), source.name.c_str());
  in.bump(begin);
  using One = grammar::p::seq<grammar::p::not_at<grammar::p::sor<grammar::block_stop, grammar::next_rubric>>,
                              grammar::guarded<Rule>>;
  std::size_t items = 0;
  try {
    while (grammar::control<Rule>::offset(in) < end) {
      if (!tao::pegtl::parse<One, tao::pegtl::nothing, grammar::control>(in, syntax)) return false;
      if (!syntax.problems().empty() || syntax.items().size() != ++items) return false;
    }
  } catch (const SyntaxFailure&) { return false; }
  return grammar::control<Rule>::offset(in) == end;
}

// Fills `syntax` with the nodes of the text, from those of an earlier one. False: it has to be matched as a whole.
bool match_again(const Sources& sources, std::uint32_t file, Syntax& syntax, const ParsedText& before) {
  const std::string_view text = sources.file(file).text;
  if (before.nodes.empty()) return false;
  if (text == before.text) {
    syntax.budget().step(before.steps);
    syntax.adopt(before.nodes, before.items);
    return true;
  }
  const std::optional<Changed> changed = changed_items(before, text);
  if (!changed) return false;
  const std::vector<Node>& old = before.nodes;
  const std::uint32_t node = before.items[changed->first].node;
  const std::uint32_t old_next = old[before.items[changed->last - 1].node].next;
  std::uint32_t top = 1;  // the node around it, or itself
  while (old[top].next <= node) top = old[top].next;
  Budget apart;  // a failed attempt costs nothing
  Syntax part(sources, file, apart);
  try {
    const bool matched =
        top == node ? match_items<grammar::top_or_raise>(sources, file, part, changed->begin, changed->new_end)
                    : match_items<grammar::item_or_raise>(sources, file, part, changed->begin, changed->new_end);
    if (!matched) return false;
  } catch (const OutOfBudget&) { return false; }
  const std::uint32_t moved = changed->new_end - changed->old_end;  // modulo 2^32, as the next one
  const std::uint32_t added = static_cast<std::uint32_t>(part.nodes().size()) - 1 - (old_next - node);
  std::vector<Node> nodes;
  nodes.reserve(old.size() + part.nodes().size());
  nodes.insert(nodes.end(), old.begin(), old.begin() + node);
  for (Node& one : nodes) {
    if (one.next <= node) continue;
    one.end += moved;
    one.next += added;
  }
  for (std::size_t i = 1; i < part.nodes().size(); ++i) {
    nodes.push_back(part.nodes()[i]);
    nodes.back().next += node - 1;
  }
  for (std::size_t i = old_next; i < old.size(); ++i) {
    const Node& one = old[i];
    nodes.push_back({one.kind, one.begin + moved, one.end + moved, one.next + added});
  }
  std::uint64_t steps = before.steps;
  std::vector<ItemNodes> items(before.items.begin(),
                               before.items.begin() + static_cast<std::ptrdiff_t>(changed->first));
  for (ItemNodes item : part.items()) {
    steps += item.steps;
    item.node += node - 1;
    items.push_back(item);
  }
  for (std::size_t i = changed->first; i < changed->last; ++i) steps -= before.items[i].steps;
  for (std::size_t i = changed->last; i < before.items.size(); ++i) {
    const ItemNodes& item = before.items[i];
    items.push_back({item.node + added, item.begin + moved, item.end + moved, item.steps});
  }
  syntax.budget().step(steps);
  syntax.adopt(std::move(nodes), std::move(items));
  return true;
}

}  // namespace

ast::File parse(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics, Budget& budget,
                const ParsedText* before, ParsedText* now) {
  Syntax syntax(sources, file, budget);
  ast::File result;
  result.file = file;
  if (check_bytes(sources, file, syntax.problems(), budget)) {
    const std::uint64_t steps = budget.steps();
    if ((before != nullptr && match_again(sources, file, syntax, *before)) ||
        match<grammar::file>(sources, file, syntax)) {
      const std::uint64_t matching = budget.steps() - steps;
      result = build_file(syntax);
      if (now != nullptr && syntax.problems().empty())
        *now = {sources.file(file).text, syntax.take_nodes(), syntax.take_items(), matching};
    }
  }
  report(syntax.problems(), diagnostics);
  return result;
}

std::vector<Node> parse_nodes(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics, Budget& budget) {
  Syntax syntax(sources, file, budget);
  const bool matched =
      check_bytes(sources, file, syntax.problems(), budget) && match<grammar::file>(sources, file, syntax);
  const bool sound = matched && syntax.problems().empty();
  report(syntax.problems(), diagnostics);
  return sound ? syntax.nodes() : std::vector<Node>();
}

ast::ExprPtr parse_expression(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics, Budget& budget) {
  Syntax syntax(sources, file, budget);
  ast::ExprPtr result;
  if (check_bytes(sources, file, syntax.problems(), budget)) {
    if (match<grammar::lone_expr>(sources, file, syntax)) result = build_expression(syntax);
  }
  const bool sound = syntax.problems().empty();
  report(syntax.problems(), diagnostics);
  return sound ? std::move(result) : nullptr;
}

}  // namespace assay
