// Cuts a text into tokens and comments. The syntax gives the ends of numbers and quoted texts; the first character
// decides everything else.
#include "lang/format/tokens.hpp"

#include "lang/text/ascii.hpp"
#include "lang/text/utf8.hpp"

#include <assay/text.hpp>

#include <algorithm>

namespace assay::format {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// The length of "|---|:-:|" at the beginning of the text; 0: it is an ordinary bar.
std::size_t rule_length(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t at = 1; at < text.size();) {
    while (at < text.size() && is_blank(text[at])) ++at;
    if (at < text.size() && text[at] == ':') ++at;
    const std::size_t dashes = at;
    while (at < text.size() && text[at] == '-') ++at;
    if (at == dashes) break;
    if (at < text.size() && text[at] == ':') ++at;
    while (at < text.size() && is_blank(text[at])) ++at;
    if (at >= text.size() || text[at] != '|') break;
    end = ++at;
  }
  return end;
}

class Lexer {
 public:
  Lexer(std::string_view text, const std::vector<Node>& nodes, Budget& budget) : nodes_(nodes), budget_(budget) {
    result_.text = text;
    result_.list.reserve(text.size() / 4 + 1);
  }

  Tokens take() {
    at_ = result_.text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    while (true) {
      Token token;
      blanks(token);
      budget_.step();
      token.begin = at_;
      if (at_ >= result_.text.size()) {
        token.end = at_;
        token.tag = Token::Tag::end;
        result_.list.push_back(token);
        return std::move(result_);
      }
      cut(token);
      result_.list.push_back(token);
    }
  }

 private:
  // Blanks and comments before a token.
  void blanks(Token& token) {
    const std::string_view text = result_.text;
    std::uint32_t lines = result_.list.empty() ? 1 : 0;
    token.first_comment = static_cast<std::uint32_t>(result_.comments.size());
    while (at_ < text.size()) {
      if (is_white_space(text[at_])) {
        lines += text[at_] == '\n' ? 1 : 0;
        ++at_;
      } else if (text[at_] == '#') {
        const auto line_end = static_cast<std::uint32_t>(std::min(text.find('\n', at_), text.size()));
        std::uint32_t end = line_end;
        while (is_white_space(text[end - 1])) --end;
        result_.comments.push_back({at_, end, lines > 0, lines > 1});
        at_ = line_end;
        lines = 0;
      } else {
        break;
      }
    }
    token.comments = static_cast<std::uint32_t>(result_.comments.size()) - token.first_comment;
    token.newline = lines > 0 || token.comments > 0;
    token.blank = lines > 1;
  }

  // The end of a number or of a quoted text, which are syntax nodes; 0: the token is of another kind.
  std::uint32_t end_of_node() {
    while (node_ < nodes_.size() && nodes_[node_].begin < at_) ++node_;
    for (std::size_t i = node_; i < nodes_.size() && nodes_[i].begin == at_; ++i) {
      const Syn kind = nodes_[i].kind;
      if (kind == Syn::number || kind == Syn::integer || kind == Syn::text || kind == Syn::raw) return nodes_[i].end;
    }
    return 0;  // no test: a digit or quote begins one of these
  }

  void cut(Token& token) {
    const std::string_view text = result_.text;
    const char first = text[at_];
    if (first == '"' || is_digit(first)) {
      token.tag = first == '"' ? Token::Tag::text : Token::Tag::number;
      token.end = std::max(end_of_node(), at_ + 1);
    } else if (is_name_character(first)) {
      token.tag = Token::Tag::word;
      token.end = at_ + 1;
      while (token.end < text.size() && is_name_character(text[token.end])) ++token.end;
    } else {
      token.end = at_ + 1;
      const std::size_t rule = first == '|' ? rule_length(text.substr(at_)) : 0;
      if (rule > 0) {
        token.tag = Token::Tag::rule;
        token.end = at_ + static_cast<std::uint32_t>(rule);
        token.statement = true;
        token.last = static_cast<std::uint32_t>(result_.list.size());
        token.written = static_cast<std::uint32_t>(result_.written.size());
        result_.written.push_back(rule_text(rule_cells(text.substr(at_, rule)), {}));
      } else if (token.end < text.size()) {
        const char next = text[token.end];
        if ((next == '=' && (first == '=' || first == '!' || first == '<' || first == '>')) ||
            (next == '.' && first == '.'))
          ++token.end;
      }
    }
    at_ = token.end;
    measure(token);
  }

  void measure(Token& token) const {
    std::string_view shown = result_.shown(token);
    token.width = static_cast<std::uint32_t>(token.written == kNone ? shown.size() : result_.written.back().size());
    if (token.tag == Token::Tag::number) token.whole = number_widths(shown).whole;
    if (token.tag != Token::Tag::text) return;
    const std::size_t line = shown.rfind('\n');
    if (line != shown.npos) {
      token.multiline = true;
      shown.remove_prefix(line + 1);
    }
    token.width = static_cast<std::uint32_t>(display_width(shown));
  }

  const std::vector<Node>& nodes_;
  Budget& budget_;
  Tokens result_;
  std::uint32_t at_ = 0;
  std::size_t node_ = 1;
};

bool same_rule(std::string_view a, std::string_view b) {
  const std::vector<RuleCell> left = rule_cells(a), right = rule_cells(b);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const RuleCell& x, const RuleCell& y) { return x.left == y.left && x.right == y.right; });
}

}  // namespace

Tokens tokens_of(std::string_view text, const std::vector<Node>& nodes, Budget& budget) {
  budget.take(text.size() / 4 * sizeof(Token));
  return Lexer(text, nodes, budget).take();
}

bool same(const Tokens& a, const Tokens& b) {
  return std::equal(a.list.begin(), a.list.end(), b.list.begin(), b.list.end(), [&](const Token& x, const Token& y) {
    if (x.tag != y.tag || x.comments != y.comments) return false;
    for (std::uint32_t i = 0; i < x.comments; ++i) {
      if (a.shown(a.comments[x.first_comment + i]) != b.shown(b.comments[y.first_comment + i])) return false;
    }
    return x.tag == Token::Tag::rule ? same_rule(a.shown(x), b.shown(y)) : a.shown(x) == b.shown(y);
  });
}

std::vector<RuleCell> rule_cells(std::string_view rule) {
  std::vector<RuleCell> cells;
  bool dashes = false;
  for (const char c : rule.substr(1)) {
    if (c == '|') {
      dashes = false;
      continue;
    }
    if (c == ':' && dashes) cells.back().right = true;
    if ((c == ':' || c == '-') && !dashes) {
      cells.push_back({c == ':', false});
      dashes = true;
    }
  }
  return cells;
}

std::string rule_text(const std::vector<RuleCell>& cells, const std::vector<std::uint32_t>& widths) {
  constexpr std::uint32_t kLeast = 3;
  std::string text = "|";
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::uint32_t inner = std::max(i < widths.size() ? widths[i] + 2 : 0, kLeast);
    text += cells[i].left ? ":" : "-";
    text.append(inner - 2, '-');
    text += cells[i].right ? ":|" : "-|";
  }
  return text;
}

NumberWidths number_widths(std::string_view number) {
  std::size_t whole = 0;
  while (whole < number.size() && (is_digit(number[whole]) || number[whole] == '_')) ++whole;
  return {static_cast<std::uint32_t>(whole), static_cast<std::uint32_t>(number.size() - whole)};
}

bool has_trailing_comment(const Tokens& tokens, std::uint32_t token) {
  const Token& at = tokens.list[token];
  return at.comments > 0 && !tokens.comments[at.first_comment].own_line;
}

Widths::Widths(const Tokens& tokens) : tokens_(&tokens.list) {
  sums_.reserve(tokens.list.size() + 1);
  std::uint64_t sum = 0;
  sums_.push_back(0);
  for (const Token& token : tokens.list) sums_.push_back(sum += token.gap.space + std::uint64_t{token.width});
}

}  // namespace assay::format
