// Builds expressions, texts and loops from syntax nodes. Operators come as flat runs; this unit applies their
// precedence from lang/syntax/operators.def. The height of every tree is limited by kMaxSyntaxDepth, whatever makes it
// high (brackets, prefixes, long chains), so that later stages may walk trees recursively.
#include "lang/parse/parse_build.hpp"

#include <algorithm>

namespace assay::build {

using ast::Expr;
using ast::ExprKind;
using ast::ExprPtr;

namespace {

enum class Form { binary, prefix, postfix };
enum class Association { left, right, none };
struct OperatorRow {
  std::string_view spelling;
  Form form;
  int level;
  Association association;
};
constexpr OperatorRow kOperators[] = {
#define ASSAY_OPERATOR(spelling, form, level, association) {spelling, Form::form, level, Association::association},
#include "lang/syntax/operators.def"
#undef ASSAY_OPERATOR
};
constexpr int kMinusLevel = 10;

const OperatorRow& find(std::string_view spelling, Form form) {
  return *std::find_if(std::begin(kOperators), std::end(kOperators),
                       [&](const OperatorRow& row) { return row.form == form && row.spelling == spelling; });
}

Span join(Span a, Span b) { return {a.file, a.begin, b.end}; }

int height(const ExprPtr& expr) { return expr ? expr->height : 0; }

int height(const ast::Loop& loop) {
  int result = std::max(height(loop.start), height(loop.next));
  for (const ast::Clause& clause : loop.clauses) result = std::max(result, height(clause.expr));
  for (const ast::OrderKey& key : loop.order) result = std::max(result, height(key.expr));
  return result;
}

}  // namespace

// ---- small parts

ExprPtr ExprBuilder::make(ExprKind kind, Span span) const {
  auto result = std::make_unique<Expr>();
  result->kind = kind;
  result->span = span;
  result->word = span;
  return result;
}

ExprPtr ExprBuilder::seal(ExprPtr expr) {
  int highest = expr->loop ? height(*expr->loop) : 0;
  for (const ExprPtr& arg : expr->args) highest = std::max(highest, height(arg));
  for (const ast::TextPart& part : expr->literal.parts) highest = std::max(highest, height(part.expr));
  expr->height = highest + 1;
  if (expr->height > kMaxSyntaxDepth) too_deep(expr->word);
  return expr;
}

void ExprBuilder::too_deep(Span at) {
  problem({Code::syntax_too_deep, at,
           "this expression has more than " + std::to_string(kMaxSyntaxDepth) + " levels of operators and brackets",
           "too deep from here on", "name parts of it with 'let' or 'where'; a long chain of alternatives is a table"});
  throw TooDeep();
}

Budget& ExprBuilder::one_level_more(std::uint32_t node) {
  if (!Nesting::fits(syntax_.budget(), Budget::kCheckLevels)) too_deep(span(node));
  return syntax_.budget();
}

ast::Text ExprBuilder::text(std::uint32_t node) {
  ast::Text result;
  result.span = span(node);
  result.given = true;
  const auto literal = [&](std::uint32_t at, auto append) {
    if (result.parts.empty() || result.parts.back().expr) {
      result.parts.emplace_back();
      result.parts.back().span = span(at);
    }
    append(result.parts.back().literal);
    result.parts.back().span.end = this->at(at).end;
  };
  for (Children c = children(node); !c.done();) {
    const std::uint32_t piece = c.take();
    if (at(piece).kind == Syn::chars) {
      literal(piece, [&](std::string& out) { out += source(piece); });
    } else if (at(piece).kind == Syn::escape) {
      const std::string escape = source(piece);
      std::uint32_t code = static_cast<unsigned char>(escape[1]);
      if (escape[1] == 'n') code = '\n';
      if (escape[1] == 't') code = '\t';
      if (escape[1] == 'u') code = static_cast<std::uint32_t>(std::stoul(escape.substr(3), nullptr, 16));
      if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
        problem({Code::syntax_escape, span(piece), "'" + escape + "' is not a character", "",
                 "code points are 1..D7FF and E000..10FFFF, in hexadecimal"});
        code = '?';
      }
      literal(piece, [&](std::string& out) { append_utf8(out, code); });
    } else {
      ast::TextPart part;
      part.span = span(piece);
      Children inner = children(piece);
      part.expr = expr(inner.take());
      if (!inner.done()) part.decimals = decimals(inner.take());
      result.parts.push_back(std::move(part));
    }
  }
  return result;
}

ast::Text ExprBuilder::plain_text(std::uint32_t node, const char* what) {
  ast::Text result = text(node);
  if (!result.plain()) {
    const auto part =
        std::find_if(result.parts.begin(), result.parts.end(), [](const auto& p) { return p.expr != nullptr; });
    problem({Code::syntax_plain_text, part->span,
             std::string(what) + " is a plain text and cannot hold a value in braces", "", "write \\{ for a brace"});
    std::string literal;
    for (const ast::TextPart& p : result.parts) literal += p.literal;
    result.parts.clear();
    result.parts.emplace_back();
    result.parts[0].literal = std::move(literal);
    result.parts[0].span = result.span;
  }
  return result;
}

int ExprBuilder::decimals(std::uint32_t node) {
  Children c = children(node);
  const std::uint32_t number = c.take();
  const std::string digits = source(number);
  if (digits.size() > 3) {
    problem({Code::syntax_number, span(number), "'decimals " + digits + "' is too large", "",
             "decimals are a small whole number, such as 2"});
    return 0;
  }
  return std::stoi(digits);
}

// ---- expressions

ExprPtr ExprBuilder::expr(std::uint32_t node) {
  const Nesting nesting(one_level_more(node), Budget::kCheckLevels);
  return at(node).kind == Syn::choice ? choice(node) : flat(node);
}

bool ExprBuilder::has_default(std::uint32_t run) const {
  for (Children c = children(run); !c.done();) {
    const std::uint32_t part = c.take();
    if (at(part).kind == Syn::op && source(part) == "default") return true;
  }
  return false;
}

// v when c else w, chained to the right: the branches are collected first and joined from the last.
ExprPtr ExprBuilder::choice(std::uint32_t node) {
  Children c = children(node);
  struct Arm {
    std::uint32_t value, when;  // runs
    Span word;
  };
  std::vector<Arm> arms;
  std::uint32_t last = c.take();
  bool open = false;  // the last branch has no else yet
  while (!c.done()) {
    const std::uint32_t arm = c.take();
    Children inner = children(arm);
    const Span word{syntax_.file(), at(arm).begin, at(arm).begin + 4};  // 'when' and 'else'
    const std::uint32_t run = inner.take();
    if (at(arm).kind == Syn::arm_else) {
      last = run;
      open = false;
      continue;
    }
    if (open) {
      problem({Code::syntax_choice, word, "a second 'when' without an 'else' between", "",
               "chain with else: a when c else b when d else e; both conditions: a when c and d", arms.back().word,
               "the first 'when'"});
    }
    if (has_default(last)) {
      problem({Code::syntax_choice, word, "'a default b when c' can be read in two ways", "",
               "put parentheses: (a default b) when c, or a default (b when c)", span(last),
               "this value holds 'default'"});
    }
    arms.push_back({last, run, word});
    open = true;
  }
  if (arms.empty()) return expr(last);
  if (arms.size() > static_cast<std::size_t>(kMaxSyntaxDepth))
    too_deep(arms[static_cast<std::size_t>(kMaxSyntaxDepth)].word);
  ExprPtr result = open ? nullptr : expr(last);
  for (std::size_t i = arms.size(); i-- > 0;) {
    ExprPtr choice = make(ExprKind::choice, span(arms[i].value));
    choice->span.end = result ? result->span.end : at(arms[i].when).end;
    choice->word = arms[i].word;
    choice->args.reserve(result ? 3 : 2);
    choice->args.push_back(expr(arms[i].value));
    choice->args.push_back(expr(arms[i].when));
    if (result) choice->args.push_back(std::move(result));
    result = seal(std::move(choice));
  }
  return result;
}

class ExprBuilder::Climber {
 public:
  Climber(ExprBuilder& builder, std::uint32_t run) : builder_(builder), parts_(builder.children(run)) {}

  ExprPtr climb(int least) {
    const Nesting nesting(builder_.one_level_more(next_operator()), Budget::kCheckLevels);
    ExprPtr left = first(least);
    while (!parts_.done()) {
      const std::uint32_t node = next_operator();
      const std::string spelling = operator_spelling(node);
      const bool postfix = builder_.at(node).kind == Syn::is_test;
      const OperatorRow& row = find(spelling, postfix ? Form::postfix : Form::binary);
      if (row.level < least) break;
      if (row.association == Association::none && unchainable_ == left.get()) report_chain(*left, node, row);
      parts_.take();
      ExprPtr joined;
      if (postfix) {
        joined = builder_.make(spelling == "is given"     ? ExprKind::is_given
                               : spelling == "is missing" ? ExprKind::is_missing
                                                          : ExprKind::is_kind,
                               join(left->span, builder_.span(node)));
        joined->args.push_back(std::move(left));
      } else {
        ExprPtr right = climb(row.association == Association::right ? row.level : row.level + 1);
        joined = builder_.make(spelling == ".." ? ExprKind::range : ExprKind::binary, join(left->span, right->span));
        joined->args.reserve(2);
        joined->args.push_back(std::move(left));
        joined->args.push_back(std::move(right));
      }
      joined->text = spelling;
      joined->word = builder_.span(node);
      left = builder_.seal(std::move(joined));
      if (row.association == Association::none) unchainable_ = left.get(), chain_level_ = row.level;
    }
    return left;
  }

 private:
  ExprPtr first(int least) {
    if (!parts_.is(Syn::prefix) && !parts_.is(Syn::sum_prefix)) return builder_.operand(parts_.take());
    const std::uint32_t node = parts_.take();
    const OperatorRow& row = find(builder_.source(node), Form::prefix);
    if (row.level < least && row.level < kMinusLevel) {
      builder_.problem({Code::syntax_chain, builder_.span(node), "'not' binds looser than the operator before it", "",
                        "put parentheses around the 'not': (not x)"});
    }
    ExprPtr operand = climb(row.level);
    ExprPtr result = builder_.make(ExprKind::unary, join(builder_.span(node), operand->span));
    result->text = row.spelling;
    result->word = builder_.span(node);
    result->args.push_back(std::move(operand));
    return builder_.seal(std::move(result));
  }

  std::uint32_t next_operator() const {
    Children copy = parts_;
    return copy.take();
  }

  std::string operator_spelling(std::uint32_t node) const {
    switch (builder_.at(node).kind) {
      case Syn::not_in: return "not in";
      case Syn::is_test: {  // blanks and comments may separate the two words
        const std::string words = builder_.source(node);
        return "is " + words.substr(words.find_last_not_of("abcdefghijklmnopqrstuvwxyz") + 1);
      }
      default: return builder_.source(node);
    }
  }

  void report_chain(const Expr& left, std::uint32_t node, const OperatorRow& row) {
    if (row.level != chain_level_) return;
    const auto shown = [&](const ExprPtr& e) {
      const std::string_view s = builder_.syntax_.text().substr(e->span.begin, e->span.end - e->span.begin);
      return s.size() <= 30 && s.find('\n') == s.npos ? std::string(s) : std::string("…");
    };
    Problem problem{Code::syntax_chain,
                    builder_.span(node),
                    "'" + left.text + "' and '" + std::string(row.spelling) + "' cannot be chained",
                    "",
                    "",
                    left.word,
                    "the first of the two"};
    if (row.level == 5 && left.args.size() == 2 && row.form == Form::binary) {
      const std::string a = shown(left.args[0]), b = shown(left.args[1]);
      Children copy = parts_;
      copy.take();
      while (copy.is(Syn::prefix)) copy.take();
      const std::uint32_t next = copy.done() ? node : copy.take();
      std::string c = builder_.source(next);
      if (c.size() > 30 || c.find('\n') != c.npos) c = "…";
      const bool range = left.text == row.spelling && (left.text == "<=" || left.text == ">=");
      problem.help =
          range ? "write " + b + " in " + (left.text == "<=" ? a + ".." + c : c + ".." + a)
                : "write " + a + " " + left.text + " " + b + " and " + b + " " + std::string(row.spelling) + " " + c;
    } else {
      problem.help = "put one of them in parentheses";
    }
    builder_.problem(std::move(problem));
  }

  ExprBuilder& builder_;
  Children parts_;
  const Expr* unchainable_ = nullptr;
  int chain_level_ = 0;
};

ExprPtr ExprBuilder::flat(std::uint32_t node) { return Climber(*this, node).climb(0); }

ExprPtr ExprBuilder::operand(std::uint32_t node) {
  switch (at(node).kind) {
    case Syn::number: {
      ExprPtr result = make(ExprKind::number, span(node));
      result->text = source(node);
      return result;
    }
    case Syn::text: {
      ExprPtr result = make(ExprKind::text, span(node));
      result->literal = text(node);
      return seal(std::move(result));
    }
    case Syn::boolean: {
      ExprPtr result = make(ExprKind::boolean, span(node));
      result->flag = source(node) == "true";
      return result;
    }
    case Syn::missing: return make(ExprKind::missing, span(node));
    case Syn::paren: {
      Children c = children(node);
      ExprPtr result = expr(c.take());
      result->span = span(node);
      return result;
    }
    case Syn::list: {
      ExprPtr result = make(ExprKind::list, span(node));
      for (Children c = children(node); !c.done();) {
        const std::uint32_t part = c.take();
        if (at(part).kind == Syn::loop) {
          if (result->args.size() != 1) {
            problem({Code::syntax_loop, span(part),
                     "a list made by 'for' has one value before it, not " + std::to_string(result->args.size())});
          }
          result->kind = ExprKind::list_loop;
          result->loop = std::make_unique<ast::Loop>(loop(part));
        } else {
          result->args.push_back(expr(part));
        }
      }
      return seal(std::move(result));
    }
    case Syn::record: return record(node);
    case Syn::reference: return reference(node);
    default: return based(node);
  }
}

ExprPtr ExprBuilder::based(std::uint32_t node) {
  Children c = children(node);
  ExprPtr result = operand(c.take());
  while (!c.done()) {
    const std::uint32_t suffix = c.take();
    Children inner = children(suffix);
    const Syn kind = at(suffix).kind;
    ExprPtr outer = make(kind == Syn::field   ? ExprKind::field
                         : kind == Syn::index ? ExprKind::index
                                              : ExprKind::as_kind,
                         join(result->span, span(suffix)));
    outer->args.push_back(std::move(result));
    if (outer->kind == ExprKind::as_kind) {
      const std::uint32_t word = inner.take();
      outer->text = source(word);
      outer->word = span(word);
    } else if (outer->kind == ExprKind::field) {
      const std::uint32_t field = inner.take();
      outer->text = source(field);
      outer->word = span(field);
    } else {
      outer->args.push_back(expr(inner.take()));
      outer->word = span(suffix);
    }
    result = seal(std::move(outer));
  }
  return result;
}

ExprPtr ExprBuilder::path(std::uint32_t node) {
  // A path has the form of a based operand whose first part is a bare name.
  Children c = children(node);
  const std::uint32_t first = c.take();
  ExprPtr result = make(ExprKind::name, span(first));
  result->text = source(first);
  while (!c.done()) {
    const std::uint32_t suffix = c.take();
    Children inner = children(suffix);
    ExprPtr outer =
        make(at(suffix).kind == Syn::field ? ExprKind::field : ExprKind::index, join(result->span, span(suffix)));
    const std::uint32_t part = inner.take();
    outer->args.push_back(std::move(result));
    if (outer->kind == ExprKind::field) {
      outer->text = source(part);
      outer->word = span(part);
    } else {
      outer->args.push_back(expr(part));
    }
    result = seal(std::move(outer));
  }
  return result;
}

ExprPtr ExprBuilder::reference(std::uint32_t node) {
  Children c = children(node);
  const std::uint32_t name = c.take();
  ExprPtr result = make(c.done() ? ExprKind::name : ExprKind::call, span(node));
  result->text = source(name);
  result->word = span(name);
  if (c.done()) return result;
  std::uint32_t keyed = 0;
  const std::uint32_t arguments = c.take();
  for (Children a = children(arguments); !a.done();) {
    const std::uint32_t part = a.take();
    if (at(part).kind == Syn::loop) {
      if (result->args.size() > (keyed ? 2U : 1U)) {
        problem({Code::syntax_loop, span(part),
                 "'for' goes over the whole of what is before it, which is " + std::to_string(result->args.size()) +
                     " values",
                 "", "put the list in brackets: " + result->text + "(…, [v for …])"});
      }
      result->loop = std::make_unique<ast::Loop>(loop(part));
    } else if (at(part).kind == Syn::keyed) {
      keyed = part;
      Children inner = children(part);
      result->args.push_back(expr(inner.take()));
    } else {
      result->args.push_back(expr(part));
    }
  }
  if (keyed) {
    const bool maker = result->text == "map" || result->text == "group";
    if (!maker) {
      problem({Code::syntax_loop, Span{syntax_.file(), at(keyed).begin, at(keyed).begin + 1},
               "'" + result->text + "' takes no 'key: value'", "", "only map and group do: map(k: v for …)"});
    } else {
      if (!result->loop) result->loop = std::make_unique<ast::Loop>();  // without clauses: one entry
      result->kind = ExprKind::map_loop;
    }
  }
  return seal(std::move(result));
}

ExprPtr ExprBuilder::record(std::uint32_t node) {
  ExprPtr result = make(ExprKind::record, span(node));
  for (Children c = children(node); !c.done();) {
    Children entry = children(c.take());
    const std::uint32_t key = entry.take();
    if (at(key).kind == Syn::text) {
      result->fields.push_back({plain_text(key, "the name of a field").str(), span(key)});
    } else {
      result->fields.push_back(name(key));
    }
    if (entry.done()) {
      ExprPtr shorthand = make(ExprKind::name, span(key));
      shorthand->text = source(key);
      result->args.push_back(std::move(shorthand));
    } else {
      Children keyed = children(entry.take());
      result->args.push_back(expr(keyed.take()));
    }
  }
  return seal(std::move(result));
}

// ---- loops and bodies

ast::Loop ExprBuilder::loop(std::uint32_t node) {
  ast::Loop result;
  result.span = span(node);
  for (Children c = children(node); !c.done();) {
    const std::uint32_t part = c.take();
    Children inner = children(part);
    const Syn kind = at(part).kind;
    if (kind == Syn::with_clause) {
      result.state = name(inner.take());
      result.start = expr(inner.take());
      result.next = expr(inner.take());
    } else if (kind == Syn::order) {
      result.order = order(part);
    } else {
      ast::Clause clause;
      clause.span = span(part);
      clause.kind = kind == Syn::for_clause        ? ast::ClauseKind::for_in
                    : kind == Syn::when_clause     ? ast::ClauseKind::when
                    : kind == Syn::loop_where_part ? ast::ClauseKind::where
                                                   : ast::ClauseKind::while_;
      if (inner.is(Syn::name)) clause.first = name(inner.take());
      if (inner.is(Syn::name)) clause.second = name(inner.take());
      clause.expr = expr(inner.take());
      result.clauses.push_back(std::move(clause));
    }
  }
  return result;
}

std::vector<ast::OrderKey> ExprBuilder::order(std::uint32_t node) {
  std::vector<ast::OrderKey> result;
  for (Children c = children(node); !c.done();) {
    const std::uint32_t key = c.take();
    Children inner = children(key);
    result.emplace_back();
    result.back().span = span(key);
    result.back().higher = source(inner.take()) == "higher";
    result.back().expr = expr(inner.take());
  }
  return result;
}

ast::Body ExprBuilder::body(std::uint32_t node) {
  ast::Body result;
  Children c = children(node);
  result.expr = expr(c.take());
  if (!c.done()) {
    for (Children parts = children(c.take()); !parts.done();) {
      Children part = children(parts.take());
      result.where.emplace_back();
      result.where.back().name = name(part.take());
      result.where.back().expr = expr(part.take());
    }
  }
  return result;
}

ExprPtr ExprBuilder::range(std::uint32_t node, ExprPtr& low) {
  Children c = children(node);
  low = expr(c.take());
  return expr(c.take());
}

}  // namespace assay::build
