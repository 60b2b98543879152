// The text form of a syntax tree: one node per line, two spaces per level, without absent parts. Places are not shown,
// so files that only differ in layout have the same text. The same lines, with their places and the role of each in its
// declaration, are used to compare two files.
#include "lang/syntax/ast.hpp"

#include "lang/number/number.hpp"
#include "lang/text/key.hpp"

#include <algorithm>
#include <deque>
#include <iterator>

namespace assay::ast {
namespace {

std::string escaped(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      if (c == '"' || c == '\\' || c == '{' || c == '}') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

const char* sign(Bound bound) {
  switch (bound) {
    case Bound::less: return "<";
    case Bound::less_equal: return "<=";
    case Bound::greater: return ">";
    default: return ">=";
  }
}

// A number by its value: "25%" and "0.250" are equal.
std::string value_of(const std::string& written) {
  std::string_view digits = written;
  const bool percent = !digits.empty() && digits.back() == '%';
  if (percent) digits.remove_suffix(1);
  NumberPool pool;
  Number n;
  if (!parse_decimal(digits, n, pool, true)) return written;
  std::string out;
  write_exact(percent ? div(n, whole(100), pool) : n, out);
  return out;
}

// A text as a name: values in it are shown by their names.
std::string label(const Text& text) {
  std::string out;
  for (const TextPart& part : text.parts)
    out += part.expr ? "{" + (part.expr->kind == ExprKind::name ? part.expr->text : "…") + "}" : part.literal;
  return out;
}

class Dumper {
 public:
  // `apart`: declarations that share a statement are separate.
  Dumper(bool apart, Budget& budget) : apart_(apart), budget_(budget) {}
  std::deque<Line> take() { return std::move(lines_); }

  void file(const File& file) {
    line("file");
    const Level level(*this);
    for (const Import& import : file.imports) text("import", import.path);
    items(file.items);
    for (const Rubric& rubric : file.rubrics) {
      declare("rubric", rubric.name.text, rubric.name.span,
              rubric.extends.text.empty() ? "" : "extends " + rubric.extends.text);
      const Level inner(*this);
      text("prose", rubric.prose);
      items(rubric.items);
    }
  }

 private:
  class Level {
   public:
    explicit Level(Dumper& dumper) : dumper_(dumper) { ++dumper_.level_; }
    ~Level() { --dumper_.level_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Dumper& dumper_;
  };

  void line(std::string content, const std::string& role = {}, Span span = {}) {
    budget_.step(kStepsALine);
    Line& made = lines_.emplace_back();
    made.level = level_;
    made.text = std::move(content);
    made.role = role;
    made.span = span;
  }

  // `extra`: further text of the line.
  void declare(const std::string& kind, const std::string& name, Span span, const std::string& extra = {},
               Span extra_span = {}) {
    line(kind + (name.empty() ? "" : " " + name) + (extra.empty() ? "" : " " + extra), "", span);
    Line& made = lines_.back();
    made.kind = kind;
    made.name = name;
    made.extra = extra;
    made.extra_span = extra_span;
  }

  // Makes all lines from `first` on, which are parts of the declaration there, one part of it.
  void one_part(std::size_t first, const std::string& role, Span span) {
    for (; first < lines_.size(); ++first) {
      if (lines_[first].level != level_) continue;
      lines_[first].role = role;
      lines_[first].span = span;
    }
  }

  void text(const std::string& role, const Text& text) {
    if (!text.given) return;
    if (text.plain()) return line(role + " " + escaped(text.str()), role, text.span);
    line(role, role, text.span);
    const Level level(*this);
    parts(text);
  }

  void parts(const Text& text) {
    for (const TextPart& part : text.parts) {
      if (!part.expr) {
        line("text " + escaped(part.literal));
      } else {
        expr(part.decimals < 0 ? "value" : "value decimals " + std::to_string(part.decimals), part.expr);
      }
    }
  }

  void expr(const std::string& role, const ExprPtr& e) {
    if (!e) return;
    const auto node = [&](const std::string& what) { line(role.empty() ? what : role + ": " + what, role, e->span); };
    switch (e->kind) {
      case ExprKind::number:
        node("number " + e->text);
        if (apart_) lines_.back().text = "number " + value_of(e->text);
        return;
      case ExprKind::boolean: return node(e->flag ? "true" : "false");
      case ExprKind::missing: return node("missing");
      case ExprKind::name: return node("name " + e->text);
      case ExprKind::text:
        if (e->literal.plain()) return node("text " + escaped(e->literal.str()));
        node("text");
        {
          const Level level(*this);
          parts(e->literal);
        }
        return;
      case ExprKind::record: {
        node("record");
        const Level level(*this);
        for (std::size_t i = 0; i < e->args.size(); ++i) expr(escaped(e->fields[i].text), e->args[i]);
        return;
      }
      case ExprKind::field: node("field " + e->text); break;
      case ExprKind::index: node("index"); break;
      case ExprKind::call: node("call " + e->text); break;
      case ExprKind::list: node("list"); break;
      case ExprKind::list_loop: node("list for"); break;
      case ExprKind::map_loop: node(e->text + " for"); break;
      case ExprKind::unary: node("unary " + e->text); break;
      case ExprKind::binary: node("binary " + e->text); break;
      case ExprKind::range: node("range"); break;
      case ExprKind::is_missing: node("is missing"); break;
      case ExprKind::is_given: node("is given"); break;
      case ExprKind::is_kind: node(e->text); break;
      case ExprKind::as_kind: node("as " + e->text); break;
      case ExprKind::choice: node("choice"); break;
    }
    const Level level(*this);
    static constexpr const char* kChoice[] = {"value", "when", "else"};
    for (std::size_t i = 0; i < e->args.size(); ++i) expr(e->kind == ExprKind::choice ? kChoice[i] : "", e->args[i]);
    loop(e->loop);
  }

  void loop(const std::unique_ptr<Loop>& loop) {
    if (!loop) return;
    for (const Clause& clause : loop->clauses) {
      switch (clause.kind) {
        case ClauseKind::for_in:
          expr("for " + clause.first.text + (clause.second.text.empty() ? "" : ", " + clause.second.text) + " in",
               clause.expr);
          break;
        case ClauseKind::when: expr("when", clause.expr); break;
        case ClauseKind::while_: expr("while", clause.expr); break;
        case ClauseKind::where: expr("where " + clause.first.text, clause.expr); break;
      }
    }
    expr("with " + loop->state.text, loop->start);
    expr("then", loop->next);
    order(loop->order);
  }

  void order(const std::vector<OrderKey>& order) {
    const std::size_t first = lines_.size();
    for (const OrderKey& key : order) expr(key.higher ? "by higher" : "by lower", key.expr);
    if (!order.empty()) one_part(first, "by", over(order.front().span, order.back().span));
  }

  void body(const Body& body) {
    expr("=", body.expr);
    for (const Where& where : body.where) expr("where " + where.name.text, where.expr);
  }

  static Span over(Span first, Span last) { return {first.file, first.begin, last.end}; }

  void bounds(const std::vector<std::pair<Bound, ExprPtr>>& bounds) {
    for (const auto& bound : bounds) expr(sign(bound.first), bound.second);
  }

  void kind(const std::string& role, const KindPtr& k) {
    if (!k) return;
    static constexpr const char* kTags[] = {"number", "whole",  "bool",   "text", "one of", "list of",
                                            "set of", "map of", "record", "any",  "either"};
    line(role + ": " + (k->tag == KindTag::named ? k->name : kTags[static_cast<std::size_t>(k->tag)]), role, k->span);
    kind_parts(k);
  }

  // The children of a kind.
  void kind_parts(const KindPtr& k) {
    const Level level(*this);
    const std::size_t first = lines_.size();
    expr("low", k->low);
    expr("high", k->high);
    bounds(k->bounds);
    for (const Text& choice : k->choices) text("choice", choice);
    optional(k->optional_items);
    kind("element", k->element);
    for (const KindPtr& one : k->alternatives) kind("or", one);
    for (const KindField& field : k->fields) {
      kind("field " + as_key(field.name.text), field.kind);
      const Level inner(*this);
      policy(field.policy);
      text("prose", field.prose);
    }
    one_part(first, "type", k->span);
  }

  // A declaration with a kind.
  void of_kind(const std::string& what, const std::string& name, Span span, const KindPtr& k) {
    const std::size_t first = lines_.size();
    kind(what + " " + name, k);
    if (lines_.size() == first) line(what + " " + name);
    Line& made = lines_[first];
    made.kind = what;
    made.name = name;
    made.role.clear();
    made.extra = made.text.substr(std::min(made.text.size(), what.size() + name.size() + 3));
    made.extra_role = "type";
    if (k) made.extra_span = k->span;
    made.span = span;
  }

  void policy(const Policy& policy) {
    const std::size_t first = lines_.size();
    switch (policy.tag) {
      case PolicyTag::required: return;
      case PolicyTag::optional: line("optional"); break;
      case PolicyTag::default_: expr("default", policy.expr); break;
      case PolicyTag::missing: expr("missing", policy.expr); break;
      case PolicyTag::skip: line("missing skip"); break;
      case PolicyTag::required_when: expr("required when", policy.expr); break;
    }
    one_part(first, "policy", policy.span);
  }

  void params(const std::vector<Param>& params) {
    for (const Param& param : params) {
      if (param.kind) {
        kind("param " + param.name.text, param.kind);
        optional(param.optional);
      } else {
        line("param " + param.name.text, "param " + param.name.text, param.name.span);
      }
    }
  }

  void optional(bool is) {
    const Level level(*this);
    if (is) line("optional", "optional");
  }

  static std::string list(const std::vector<Name>& names) {
    std::string out;
    for (const Name& name : names) out += (out.empty() ? "" : ", ") + as_key(name.text);
    return out;
  }

  void rows(const Rows& rows, std::size_t keys) {
    if (rows.columns.empty()) return;
    line("columns " + list(rows.columns), "columns", over(rows.columns.front().span, rows.columns.back().span));
    for (const auto& row : rows.rows) {
      declare("row", "", row.empty() ? rows.span : over(row.front().span, row.back().span));
      const Level level(*this);
      for (std::size_t c = 0; c < row.size(); ++c) {
        const Cell& cell = row[c];
        line("cell", c < rows.columns.size() ? rows.columns[c].text : "", cell.span);
        if (c < keys) lines_.back().extra = "key";
        const Level inner(*this);
        for (const CellPattern& pattern : cell.patterns) {
          if (pattern.tag == CellPattern::Tag::otherwise) line("otherwise");
          for (const CellBound& bound : pattern.bounds) expr(sign(bound.bound), bound.expr);
          expr("", pattern.expr);
        }
      }
    }
  }

  void items(const std::vector<Item>& items) {
    for (const Item& item : items) {
      const std::size_t first = lines_.size();
      std::visit([this](const auto& node) { show(node); }, item.node);
      if (first == lines_.size()) continue;
      Line& made = lines_[first];
      if (made.span.end == made.span.begin) made.span = item.word;
      for (std::size_t i = first; i < lines_.size(); ++i) {
        if (lines_[i].level == level_ && !lines_[i].kind.empty()) lines_[i].whole = item.span;
      }
    }
  }

  // A declaration whose name is a text.
  void labelled(const std::string& kind, const std::string& role, const Text& name) {
    declare(kind, "", name.span);
    lines_.back().name = label(name);
    const Level level(*this);
    const std::size_t first = lines_.size();
    text(role, name);
    if (name.plain() && first < lines_.size()) lines_[first].role.clear();  // its name contains it
  }

  // ---- one overload per declaration

  void show(const Version& n) { declare("version", "", {}, escaped(n.text.str()), n.text.span); }
  void show(const Scale& n) {
    declare("scale", "", {},
            n.decimals < 0 ? (n.open ? "open" : "")
                           : std::string(n.open ? "open " : "") + "decimals " + std::to_string(n.decimals));
    const Level level(*this);
    expr("low", n.low);
    expr("high", n.high);
    bounds(n.bounds);
    if (n.digits >= 0) line("digits " + std::to_string(n.digits), "digits");
  }
  void show(const Weights& n) { declare("weights", "", {}, n.rescaled ? "rescaled" : "exact"); }
  void show(const HistoryBy& n) { declare("history", "", {}, "by " + n.name.text); }
  void show(const TypeDecl& n) { of_kind("type", n.name.text, n.name.span, n.kind); }
  void show(const Input& n) {
    for (std::size_t i = 0; i < (apart_ ? n.names.size() : std::min<std::size_t>(n.names.size(), 1)); ++i) {
      of_kind("input", apart_ ? as_key(n.names[i].text) : list(n.names), n.names[i].span, n.kind);
      const Level level(*this);
      policy(n.policy);
      if (n.provenance != Provenance::unsaid)
        line(n.provenance == Provenance::judged ? "judged" : "measured", "provenance", n.provenance_span);
      text("prose", n.prose);
    }
  }
  void show(const Check& n) {
    declare("check", "", {});
    const Level level(*this);
    expr("condition", n.condition);
    loop(n.loop);
    expr("at", n.path);
    text("prose", n.prose);
  }
  void defined(const Body& of, const Text& prose) {
    const Level level(*this);
    text("prose", prose);
    body(of);
  }
  void show(const Let& n) {
    declare("let", n.name.text, n.name.span);
    defined(n.body, n.prose);
  }
  void show(const Gate& n) {
    declare("gate", n.name.text, n.name.span);
    defined(n.body, n.prose);
  }
  void show(const Composite& n) {
    declare("composite", "", {});
    defined(n.body, {});
  }
  void show(const Output& n) {
    declare(n.each ? "each" : "output", as_key(n.name.text), n.name.span,
            n.digits >= 0    ? "digits " + std::to_string(n.digits)
            : n.decimals < 0 ? ""
                             : "decimals " + std::to_string(n.decimals));
    defined(n.body, n.prose);
  }
  void show(const Fn& n) {
    declare("fn", n.name.text, n.name.span);
    const Level level(*this);
    params(n.params);
    kind("result", n.result);
    text("prose", n.prose);
    body(n.body);
  }
  void show(const Table& n) {
    std::string keys;
    for (std::size_t i = 0; i < n.params.size(); ++i)
      keys += (i > 0 ? ", " : "") + n.params[i].text + (i < n.texts.size() && n.texts[i] ? ": text" : "");
    declare("table", n.name.text, n.name.span, n.keyed ? "(" + keys + ")" : "");
    const Level level(*this);
    text("from", n.from);
    text("prose", n.prose);
    rows(n.rows, n.params.size());
  }
  void show(const Hook& n) {
    declare("hook", n.name.text, n.name.span);
    const Level level(*this);
    params(n.params);
    kind("result", n.result);
    optional(n.optional);
    text("from", n.from);
    if (!n.from.given) line("lua " + escaped(n.source), "lua", n.source_span);
    text("prose", n.prose);
  }
  void show(const Dimension& n) {
    declare(n.criterion ? "criterion" : "dimension", n.name.text, n.name.span, n.advisory ? "advisory" : "");
    lines_.back().whole = n.span;
    const Level level(*this);
    const std::size_t first = lines_.size();
    kind("kind", n.kind);
    if (first < lines_.size()) lines_[first].role = "type";
    expr("weight", n.weight);
    expr("points", n.points);
    policy(n.policy);
    text("prose", n.prose);
    body(n.body);
    for (const ast::Level& l : n.levels) {
      const std::size_t at = lines_.size();
      expr("level", l.number);
      lines_[at].kind = "level";
      lines_[at].name = l.number->kind == ExprKind::number ? l.number->text : "";
      lines_[at].whole = l.span;
      const Level inner(*this);
      text("prose", l.prose);
    }
    for (const Dimension& part : n.parts) show(part);
  }
  void show(const Cap& n) {
    declare("cap", n.target.text, n.target.span);
    const Level level(*this);
    expr("at", n.at);
    expr("when", n.when);
    text("prose", n.prose);
  }
  void show(const Incomplete& n) {
    declare("incomplete", "", {});
    const Level level(*this);
    expr("when", n.when);
    text("reason", n.prose);
  }
  void show(const Adjustment& n) {
    labelled(std::string(row_of(n.kind).word), "label", n.label);
    const Level level(*this);
    text("prose", n.prose);
    body(n.body);
    loop(n.loop);
  }
  void show(const Bands& n) {
    declare("bands", n.name.text, n.name.span, "(" + list(n.params) + ")");
    const Level level(*this);
    expr("within", n.within);
    rows(n.rows, n.params.size());
  }
  void show(const Flag& n) {
    labelled("flag", "label", n.label);
    const Level level(*this);
    loop(n.loop);
    expr("when", n.when);
    text("prose", n.prose);
  }
  void show(const Advice& n) {
    labelled("advice", "text", n.text);
    const Level level(*this);
    loop(n.loop);
    expr("when", n.when);
  }
  void show(const Rank& n) {
    declare("rank", "", {});
    const Level level(*this);
    order(n.keys);
  }
  void show(const Cohort& n) {
    declare("cohort", "", {});
    const Level level(*this);
    items(n.items);
  }
  void show(const Context& n) {
    declare("context", n.name.text, n.name.span);
    const Level level(*this);
    text("prose", n.prose);
    for (const ContextWeight& weight : n.weights) expr("weight " + weight.name.text, weight.weight);
  }
  void show(const Example& n) {
    declare("example", escaped(n.name.str()), n.name.span);
    const Level level(*this);
    expr("given", n.given);
    expr("history", n.history);
    expr("context", n.context);
    expr("weights", n.weights);
    expr("expect", n.expect);
    if (n.error) text("error at", n.error_path);
  }

  std::deque<Line> lines_;  // many and large, so that they are not moved as their number grows
  static constexpr std::uint64_t kStepsALine = 8;
  bool apart_;
  Budget& budget_;
  int level_ = 0;
};

}  // namespace

std::vector<Line> lines(const File& file, Budget& budget) {
  Dumper dumper(true, budget);
  dumper.file(file);
  std::deque<Line> lines = dumper.take();
  return {std::make_move_iterator(lines.begin()), std::make_move_iterator(lines.end())};
}

std::string dump(const File& file, Budget budget) {
  Dumper dumper(false, budget);
  dumper.file(file);
  const std::deque<Line> lines = dumper.take();
  std::size_t size = 0;
  for (const Line& line : lines) size += static_cast<std::size_t>(line.level) * 2 + line.text.size() + 1;
  std::string out;
  out.reserve(size);
  for (const Line& line : lines) out.append(static_cast<std::size_t>(line.level) * 2, ' ').append(line.text) += '\n';
  return out;
}

}  // namespace assay::ast
