// Braces in other notations: a block that a colon opens and indentation holds, a block that the word 'end' closes, texts of
// several lines in three quotation marks.
#include "lang/mend/blocks/readers.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/mend/statements/items.hpp"
#include "lang/text/ascii.hpp"

#include <map>

namespace assay::mending {
namespace {

// cohort:
//   output typical = …
void blocks_of_indentation(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  std::map<std::size_t, std::string> closes;  // by byte; inner blocks first
  for (std::size_t i = 0; i + 1 < tokens.size() && edits.size() < 200; ++i) {
    if (!tokens[i].first ||
        !among(in_lower_case(tokens[i].shown), {"rubric", "cohort", "example", "given", "expect", "context"}))
      continue;
    const std::size_t last = line_last(tokens, i);
    if (tokens.is(last, "{") || !tokens[last + 1].first || column_of(tokens, last + 1) <= column_of(tokens, i))
      continue;
    const bool alone = last == i && (tokens.is(i, "given") || tokens.is(i, "expect"));
    if (!tokens.is(last, ":") && !tokens.is(i, "cohort") && !tokens.is(i, "example") && !alone) continue;
    const Block block = block_behind(tokens, last + 1, column_of(tokens, i));
    if (block.inside.empty() || block.bracket) continue;
    const bool colon = tokens.is(last, ":");
    edits.push_back(out.edit(tokens[colon ? last - 1 : last].end, tokens[last].end, " {"));
    std::string& close = closes[tokens[block.last].end];
    close = "\n" + indent_before(tokens, i) + "}" + close;
    if (!tokens.is(i, "cohort")) continue;
    for (std::size_t k = block.inside.begin; k < block.inside.end; ++k) {  // its values are outputs
      if (tokens[k].first && tokens[k].kind == Token::Kind::word && (tokens.is(k + 1, "=") || tokens.is(k + 1, ":")))
        edits.push_back(out.edit(tokens[k].begin, tokens[k + 1].end, "output " + std::string(tokens[k].shown) + " ="));
    }
  }
  for (const auto& [at, close] : closes) edits.push_back(out.edit(at, at, close));
  if (!edits.empty()) out.add(std::move(edits), true);
}

// let factors =
//   plane: 0.25
//   train: 0.03
// and a list with dashes: braces, brackets and commas
void values_of_indentation(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (const std::size_t i : lines_upwards(tokens, line_first(tokens, window.at), 20)) {
    const std::size_t last = line_last(tokens, i);
    if (!among(tokens[i].shown, {"let", "output"}) || !among(tokens[last].shown, {"=", ":"}) || last < i + 2) continue;
    const Block block = block_behind(tokens, last + 1, column_of(tokens, i));
    if (block.inside.empty() || block.bracket || block.last < window.at) return;
    std::string items;
    std::size_t keys = 0, count = 0;
    for (const BlockItem& item : read_block(tokens, block.inside)) {
      if (item.value.empty() || !item.inside.empty()) return;
      keys += item.key.empty() ? 0 : 1;
      const bool name = as_name(item.key) == item.key;
      items += (count++ == 0 ? "" : ", ") +
               (item.key.empty() ? "" : (name ? item.key : as_text("'" + item.key + "'")) + ": ") +
               raw(tokens, item.value);
    }
    if (count == 0 || (keys > 0 && keys < count)) return;
    const bool record = keys > 0;
    const std::size_t sign = tokens[last].begin;
    out.add(sign, tokens[block.last].end, (record ? "= { " : "= [") + items + (record ? " }" : "]"), true);
    return;
  }
}

// Levels or criteria on the lines below a dimension: into its braces.
void parts_in_lines(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  const auto part = [&tokens](std::size_t i) {
    return tokens[i].first && (tokens.is(i, "level") || tokens.is(i, "criterion")) && tokens[i + 1].value();
  };
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].first || !(tokens.is(i, "dimension") || tokens.is(i, "criterion"))) continue;
    const std::size_t last = line_last(tokens, i);
    std::size_t end = last + 1;
    while (part(end) && column_of(tokens, end) > column_of(tokens, i)) end = line_last(tokens, end) + 1;
    if (end == last + 1 || tokens.opens(last)) continue;
    edits.push_back(out.edit(tokens[last].end, tokens[last].end, " {"));
    edits.push_back(out.edit(tokens[end - 1].end, tokens[end - 1].end, "\n" + indent_before(tokens, i) + "}"));
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

// Lines with nothing but 'end'.
void ends(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  std::ptrdiff_t open = 0;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    open += tokens.is(i, "{") ? 1 : tokens.is(i, "}") ? -1 : 0;
    if (among(tokens[i].shown, {"begin", "do"}) && tokens[i + 1].first && i > 0) {
      edits.push_back(out.edit(tokens[i].begin, tokens[i].end, "{"));
      ++open;
    }
    if (!tokens[i].first ||
        !among(in_lower_case(tokens[i].shown), {"end", "endrubric", "end_rubric", "done", "fi", "endif"}))
      continue;
    const std::size_t last = line_last(tokens, i);
    if (last > i + 1) continue;
    edits.push_back(out.edit(tokens[i].begin, tokens[last].end, open > 0 ? "}" : ""));
    if (open > 0) --open;
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

// The tags of templates: '{% for x in xs %} … {% endfor %}' are statements with braces, '{{ x }}' in a text is '{x}'.
void tags(const Window& window, Proposals& out) {
  constexpr std::size_t kMost = 500;
  const std::string_view text = window.tokens.text();
  if (text.find("{%") == text.npos) return;
  struct Statement {  // the outermost: its place here, and in the text with braces
    std::size_t begin, end, at;
  };
  std::vector<Statement> statements;
  std::string braces;
  std::size_t done = 0, count = 0;
  int depth = 0;
  for (std::size_t at = text.find('{'); at != text.npos && count < kMost; at = text.find('{', at + 1)) {
    const char kind = at + 1 < text.size() ? text[at + 1] : ' ';
    const std::string_view close = kind == '%' ? "%}" : kind == '{' ? "}}" : kind == '#' ? "#}" : "";
    const std::size_t end = close.empty() ? text.npos : text.find(close, at + 2);
    if (end == text.npos) continue;
    std::string_view inner = text.substr(at + 2, end - at - 2);
    while (!inner.empty() && (inner.front() == ' ' || inner.front() == '-')) inner.remove_prefix(1);
    while (!inner.empty() && (inner.back() == ' ' || inner.back() == '-')) inner.remove_suffix(1);
    const std::string_view word = inner.substr(0, inner.find(' '));
    braces += text.substr(done, at - done);
    done = end + 2;
    ++count;
    if (kind == '{') {
      braces += window.tokens[window.tokens.at(at)].is_text() ? "{" + std::string(inner) + "}" : std::string(inner);
    } else if (kind == '#') {
      braces += "# " + std::string(inner);
    } else if (word.substr(0, 3) == "end") {
      braces += "}";
      if (--depth == 0 && !statements.empty()) statements.back().end = done;
    } else if (among(word, {"else", "elif"})) {
      braces += "} " + std::string(inner) + " {";
    } else if (among(word, {"for", "if"})) {
      if (depth++ == 0) statements.push_back({at, 0, braces.size()});
      braces += std::string(inner) + " {";
    }
  }
  braces += text.substr(done);
  const Tokens read(braces);
  std::vector<Edit> edits;
  for (const Statement& one : statements) {
    std::size_t last = 0;
    const std::string declarations = one.end == 0 ? std::string() : statements_at(read, read.at(one.at), last);
    if (!declarations.empty()) edits.push_back(out.edit(one.begin, one.end, declarations));
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

// {{ … }}
void doubled(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  for (std::size_t i = 0; i + 2 < tokens.size() && edits.size() < 100; ++i) {
    if (!tokens.is(i, "{") || !tokens.is(i + 1, "{") || tokens[i].partner == kNone ||
        tokens[i + 1].partner + 1 != tokens[i].partner)
      continue;
    edits.push_back(out.edit(tokens[i].begin, tokens[i].end, ""));
    edits.push_back(out.edit(tokens[tokens[i].partner].begin, tokens[tokens[i].partner].end, ""));
    ++i;
  }
  if (!edits.empty()) out.add(std::move(edits), true);
}

// input signs: list of, and its fields below, or fields without colons
void fields(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t at = tokens.is(window.at, "@") ? line_last(tokens, window.at) + 1 : window.at;  // @dataclass
  for (const std::size_t i : lines_upwards(tokens, at, 12)) {
    const std::size_t last = line_last(tokens, i);
    const bool opens = tokens.is(last, "{");
    const bool classes = among(tokens[i].shown, {"class", "struct", "interface", "dataclass", "schema", "model"}) &&
                         tokens[i + 1].kind == Token::Kind::word && !opens;
    const bool typed =
        classes || tokens.is(i, "input") || tokens.is(i, "type") || tokens.is(i + 1, ":") || tokens.is(i + 1, "=");
    const bool heads = typed && last > i &&
                       (opens || among(tokens[last].shown, {"of", ":", "=", "record", "object", "list", "->", "records",
                                                            "objects", "dicts", "structs", "array"}));
    if (!heads || !tokens[last + 1].first || column_of(tokens, last + 1) <= column_of(tokens, i)) continue;
    const Block block = opens ? block_behind(tokens, last, 0) : block_behind(tokens, last + 1, column_of(tokens, i));
    if (block.inside.empty() || block.last < at) continue;
    std::vector<Edit> edits;
    bool good = true;
    std::size_t dashes = 0;
    for (std::size_t k = block.inside.begin; k < block.inside.end && good; k = line_last(tokens, k) + 1) {
      const std::size_t name = tokens.is(k, "-") || tokens.is(k, "*") ? k + 1 : k;
      if (name > k) edits.push_back(out.edit(tokens[k].begin, tokens[name].begin, "")), ++dashes;
      good = tokens[name].kind == Token::Kind::word &&
             (tokens.is(name + 1, ":") || tokens[name + 1].kind == Token::Kind::word);
      if (good && !tokens.is(name + 1, ":")) edits.push_back(out.edit(tokens[name].end, tokens[name].end, ":"));
    }
    if (!good) continue;
    if (classes) {
      const std::size_t begin = at != window.at ? line_first(tokens, window.at) : i;
      edits.push_back(
          out.edit(tokens[begin].begin, tokens[last].end, "type " + std::string(tokens[i + 1].shown) + " = {"));
    } else if (!opens) {
      std::size_t keep = last;  // the last token of the head that stays
      while (keep > i &&
             among(tokens[keep].shown, {":", "record", "object", "->", "records", "objects", "dicts", "structs"}))
        --keep;
      const bool array = tokens.is(keep, "]") && tokens.is(keep - 1, "[");  // input readers[]:
      if (array) keep -= 2;
      const bool list = tokens.is(keep, "of") || tokens.is(keep, "list");
      for (const std::size_t word : {keep, keep - 1}) {
        if (tokens.is(word, "array")) edits.push_back(out.edit(tokens[word].begin, tokens[word].end, "list"));
      }
      const bool bare = keep == i + 1 && !tokens.is(keep, ":") && !tokens.is(keep, "=");  // input author:
      const std::string sign = tokens.is(i, "type") ? " = " : ": ";
      const std::string head = array                                   ? ": list of {"
                               : tokens.is(keep, "list")               ? " of {"
                               : list || tokens.is(keep, "=")          ? " {"
                               : bare && dashes == 1 && !edits.empty() ? sign + "list of {"  // an item of YAML
                               : bare                                  ? sign + "{"
                                                                       : ": {";
      edits.push_back(out.edit(tokens[keep].end, tokens[last].end, head));
    }
    if (!opens)
      edits.push_back(out.edit(tokens[block.last].end, tokens[block.last].end, "\n" + indent_before(tokens, i) + "}"));
    if (!edits.empty()) out.add(std::move(edits), true);
  }
}

// cap score at 50 if:
//   frame == "carbon"
//   age > 10
void conditions_of_lines(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (const std::size_t i : lines_upwards(tokens, window.at, 8)) {
    const std::size_t last = line_last(tokens, i);
    std::size_t word = last;
    bool any = false;
    while (word > i &&
           among(tokens[word].shown, {":", "all", "any", "of", "the", "following", "both", "either", "these", "("}))
      any = any || among(tokens[word].shown, {"any", "either"}), --word;
    if (word <= i || !among(tokens[word].shown, {"if", "when", "where", "="}) || !tokens[last + 1].first ||
        column_of(tokens, last + 1) <= column_of(tokens, i))
      continue;
    const Block block = block_behind(tokens, last + 1, column_of(tokens, i));
    if (block.inside.empty() || block.last < window.at) continue;
    std::string all;
    for (std::size_t k = block.inside.begin; k < block.inside.end; k = line_last(tokens, k) + 1) {
      Span one{k, std::min(line_last(tokens, k) + 1, block.inside.end)};
      while (!one.empty() && among(tokens[one.begin].shown, {"-", "*", "and", "or", "•"})) ++one.begin;
      while (!one.empty() && among(tokens[one.end - 1].shown, {",", ";", "and", "or"})) --one.end;
      const std::string part = raw(tokens, one);
      if (part.empty()) continue;
      const bool wide = !any && part.find(" or ") != part.npos;
      all += (all.empty() ? "" : any ? " or " : " and ") + (wide ? "(" + part + ")" : part);
    }
    const std::string sign = tokens.is(word, "=") ? "= " : "when ";
    out.add(tokens[word].begin, tokens[block.last].end, sign + all, true);
  }
}

// one of, and a list of texts below
void choices_of_lines(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  for (const std::size_t i : lines_upwards(tokens, window.at, 8)) {
    const std::size_t last = line_last(tokens, i);
    std::size_t word = tokens.is(last, ":") ? last - 1 : last;
    const bool one = tokens.is(word, "of") && tokens.is(word - 1, "one");
    const bool other =
        among(in_lower_case(tokens[word].shown), {"enum", "choice", "choices", "options", "one_of", "oneof"});
    if (word <= i + 1 || (!one && !other) || !tokens[last + 1].first) continue;
    const Block block = block_behind(tokens, last + 1, column_of(tokens, i));
    if (block.inside.empty() || block.last < window.at) continue;
    std::string all;
    for (std::size_t k = block.inside.begin; k < block.inside.end; k = line_last(tokens, k) + 1) {
      Span text{k, std::min(line_last(tokens, k) + 1, block.inside.end)};
      while (!text.empty() && among(tokens[text.begin].shown, {"-", "*", "•"})) ++text.begin;
      while (!text.empty() && tokens.is(text.end - 1, ",")) --text.end;
      if (text.empty()) return;
      const std::string written = raw(tokens, text);
      all += (all.empty() ? "" : ", ") + as_text(tokens[text.begin].is_text() ? written : "'" + written + "'");
    }
    out.add(tokens[one ? word - 1 : word].begin, tokens[block.last].end, "one of (" + all + ")", true);
  }
}

// """ … """ over several lines: one text.
void long_texts(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  for (const std::string_view marks : {"\"\"\"", "'''"}) {
    const std::size_t near = tokens[window.at].end;
    std::size_t open = text.find(marks, tokens[window.begin].begin);
    while (open != text.npos && open <= near) {
      const std::size_t close = text.find(marks, open + 3);
      if (close == text.npos) break;
      std::string one = "\"";
      for (const char c : text.substr(open + 3, close - open - 3)) {
        const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (blank && (one.back() == ' ' || one.size() == 1)) continue;
        if (c == '"') one += '\\';
        one += blank ? ' ' : c;
      }
      while (one.back() == ' ') one.pop_back();
      out.add(open, close + 3, one + "\"", true);
      open = text.find(marks, close + 3);
    }
  }
}

}  // namespace

void frames(const Window& window, Proposals& out) {
  if (window.problem.code == "E0401") values_of_indentation(window, out);  // dashes that are signs
  if (window.problem.code.substr(0, 3) != "E01") return;
  blocks_of_indentation(window, out);
  values_of_indentation(window, out);
  parts_in_lines(window, out);
  ends(window, out);
  tags(window, out);
  doubled(window, out);
  fields(window, out);
  conditions_of_lines(window, out);
  choices_of_lines(window, out);
  long_texts(window, out);
}

}  // namespace assay::mending
