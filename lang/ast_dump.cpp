// The text form of a syntax tree: one node a line, two spaces a level, parts that are absent left out. Places are not
// shown, so that two files that differ in layout only have the same text.
#include "lang/ast.hpp"

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

class Dumper {
 public:
  std::string take() { return std::move(out_); }

  void file(const File& file) {
    line("file");
    const Level level(*this);
    for (const Import& import : file.imports) text("import", import.path);
    items(file.items);
    for (const Rubric& rubric : file.rubrics) {
      line("rubric " + rubric.name.text + (rubric.extends.text.empty() ? "" : " extends " + rubric.extends.text));
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

  void line(const std::string& content) {
    out_ += std::string(static_cast<std::size_t>(level_) * 2, ' ') + content + "\n";
  }

  void text(const std::string& role, const Text& text) {
    if (!text.given) return;
    if (text.plain()) return line(role + " " + escaped(text.str()));
    line(role);
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
    const std::string head = role.empty() ? "" : role + ": ";
    switch (e->kind) {
      case ExprKind::number: return line(head + "number " + e->text);
      case ExprKind::boolean: return line(head + (e->flag ? "true" : "false"));
      case ExprKind::missing: return line(head + "missing");
      case ExprKind::name: return line(head + "name " + e->text);
      case ExprKind::text:
        if (e->literal.plain()) return line(head + "text " + escaped(e->literal.str()));
        line(head + "text");
        {
          const Level level(*this);
          parts(e->literal);
        }
        return;
      case ExprKind::record: {
        line(head + "record");
        const Level level(*this);
        for (std::size_t i = 0; i < e->args.size(); ++i) expr(escaped(e->fields[i].text), e->args[i]);
        return;
      }
      case ExprKind::field: line(head + "field " + e->text); break;
      case ExprKind::index: line(head + "index"); break;
      case ExprKind::call: line(head + "call " + e->text); break;
      case ExprKind::list: line(head + "list"); break;
      case ExprKind::list_loop: line(head + "list for"); break;
      case ExprKind::map_loop: line(head + e->text + " for"); break;
      case ExprKind::unary: line(head + "unary " + e->text); break;
      case ExprKind::binary: line(head + "binary " + e->text); break;
      case ExprKind::range: line(head + "range"); break;
      case ExprKind::is_missing: line(head + "is missing"); break;
      case ExprKind::is_given: line(head + "is given"); break;
      case ExprKind::choice: line(head + "choice"); break;
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
      }
    }
    expr("with " + loop->state.text, loop->start);
    expr("then", loop->next);
    order(loop->order);
  }

  void order(const std::vector<OrderKey>& order) {
    for (const OrderKey& key : order) expr(key.higher ? "by higher" : "by lower", key.expr);
  }

  void body(const Body& body) {
    expr("=", body.expr);
    for (const Where& where : body.where) expr("where " + where.name.text, where.expr);
  }

  void bounds(const std::vector<std::pair<Bound, ExprPtr>>& bounds) {
    for (const auto& bound : bounds) expr(sign(bound.first), bound.second);
  }

  void kind(const std::string& role, const KindPtr& k) {
    if (!k) return;
    static constexpr const char* kTags[] = {"number",  "whole",  "bool",   "text",   "one of",
                                            "list of", "set of", "map of", "record", "any"};
    line(role + ": " + (k->tag == KindTag::named ? k->name : kTags[static_cast<std::size_t>(k->tag)]));
    const Level level(*this);
    expr("low", k->low);
    expr("high", k->high);
    bounds(k->bounds);
    for (const Text& choice : k->choices) text("choice", choice);
    kind("element", k->element);
    for (const KindField& field : k->fields) {
      kind("field " + field.name.text, field.kind);
      const Level inner(*this);
      policy(field.policy);
      text("prose", field.prose);
    }
  }

  void policy(const Policy& policy) {
    switch (policy.tag) {
      case PolicyTag::required: break;
      case PolicyTag::optional: line("optional"); break;
      case PolicyTag::default_: expr("default", policy.expr); break;
      case PolicyTag::missing: expr("missing", policy.expr); break;
      case PolicyTag::skip: line("missing skip"); break;
      case PolicyTag::required_when: expr("required when", policy.expr); break;
    }
  }

  void params(const std::vector<Param>& params) {
    for (const Param& param : params) {
      if (param.kind) {
        kind("param " + param.name.text, param.kind);
        optional(param.optional);
      } else {
        line("param " + param.name.text);
      }
    }
  }

  void optional(bool is) {
    const Level level(*this);
    if (is) line("optional");
  }

  static std::string list(const std::vector<Name>& names) {
    std::string out;
    for (const Name& name : names) out += (out.empty() ? "" : ", ") + name.text;
    return out;
  }

  void rows(const Rows& rows) {
    if (rows.columns.empty()) return;
    line("columns " + list(rows.columns));
    for (const auto& row : rows.rows) {
      line("row");
      const Level level(*this);
      for (const Cell& cell : row) {
        line("cell");
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
    for (const Item& item : items) std::visit([this](const auto& node) { show(node); }, item.node);
  }

  // ---- one overload a declaration

  void show(const Version& n) { text("version", n.text); }
  void show(const Scale& n) {
    line(std::string("scale") + (n.open ? " open" : "") +
         (n.decimals < 0 ? "" : " decimals " + std::to_string(n.decimals)));
    const Level level(*this);
    expr("low", n.low);
    expr("high", n.high);
    bounds(n.bounds);
  }
  void show(const Weights& n) { line(n.rescaled ? "weights rescaled" : "weights exact"); }
  void show(const HistoryBy& n) { line("history by " + n.name.text); }
  void show(const TypeDecl& n) { kind("type " + n.name.text, n.kind); }
  void show(const Input& n) {
    kind("input " + list(n.names), n.kind);
    const Level level(*this);
    policy(n.policy);
    text("prose", n.prose);
  }
  void show(const Check& n) {
    line("check");
    const Level level(*this);
    expr("condition", n.condition);
    loop(n.loop);
    expr("at", n.path);
    text("prose", n.prose);
  }
  void defined(const std::string& head, const Body& of, const Text& prose) {
    line(head);
    const Level level(*this);
    text("prose", prose);
    body(of);
  }
  void show(const Let& n) { defined("let " + n.name.text, n.body, n.prose); }
  void show(const Gate& n) { defined("gate " + n.name.text, n.body, n.prose); }
  void show(const Composite& n) { defined("composite", n.body, {}); }
  void show(const Output& n) {
    defined("output " + n.name.text + (n.decimals < 0 ? "" : " decimals " + std::to_string(n.decimals)), n.body,
            n.prose);
  }
  void show(const Fn& n) {
    line("fn " + n.name.text);
    const Level level(*this);
    params(n.params);
    kind("result", n.result);
    text("prose", n.prose);
    body(n.body);
  }
  void show(const Table& n) {
    line("table " + n.name.text + (n.keyed ? " (" + list(n.params) + ")" : ""));
    const Level level(*this);
    text("from", n.from);
    text("prose", n.prose);
    rows(n.rows);
  }
  void show(const Hook& n) {
    line("hook " + n.name.text);
    const Level level(*this);
    params(n.params);
    kind("result", n.result);
    optional(n.optional);
    text("from", n.from);
    if (!n.from.given) line("lua " + escaped(n.source));
    text("prose", n.prose);
  }
  void show(const Dimension& n) {
    line((n.criterion ? "criterion " : "dimension ") + n.name.text + (n.advisory ? " advisory" : ""));
    const Level level(*this);
    kind("kind", n.kind);
    expr("weight", n.weight);
    expr("points", n.points);
    policy(n.policy);
    text("prose", n.prose);
    body(n.body);
    for (const ast::Level& l : n.levels) {
      expr("level", l.number);
      const Level inner(*this);
      text("prose", l.prose);
    }
    for (const Dimension& part : n.parts) show(part);
  }
  void show(const Cap& n) {
    line("cap " + n.target.text);
    const Level level(*this);
    expr("at", n.at);
    expr("when", n.when);
    text("prose", n.prose);
  }
  void show(const Incomplete& n) {
    line("incomplete");
    const Level level(*this);
    expr("when", n.when);
    text("reason", n.prose);
  }
  void show(const Adjustment& n) {
    line(n.bonus ? "bonus" : "deduction");
    const Level level(*this);
    text("label", n.label);
    text("prose", n.prose);
    body(n.body);
    loop(n.loop);
  }
  void show(const Bands& n) {
    line("bands " + n.name.text + " (" + list(n.params) + ")");
    const Level level(*this);
    rows(n.rows);
  }
  void show(const Flag& n) {
    line("flag");
    const Level level(*this);
    text("label", n.label);
    loop(n.loop);
    expr("when", n.when);
    text("prose", n.prose);
  }
  void show(const Advice& n) {
    line("advice");
    const Level level(*this);
    text("text", n.text);
    loop(n.loop);
    expr("when", n.when);
  }
  void show(const Rank& n) {
    line("rank");
    const Level level(*this);
    order(n.keys);
  }
  void show(const Cohort& n) {
    line("cohort");
    const Level level(*this);
    items(n.items);
  }
  void show(const Context& n) {
    line("context " + n.name.text);
    const Level level(*this);
    text("prose", n.prose);
    for (const ContextWeight& weight : n.weights) expr("weight " + weight.name.text, weight.weight);
  }
  void show(const Example& n) {
    text("example", n.name);
    const Level level(*this);
    expr("given", n.given);
    expr("history", n.history);
    expr("context", n.context);
    expr("weights", n.weights);
    expr("expect", n.expect);
    if (n.error) text("error at", n.error_path);
  }

  std::string out_;
  int level_ = 0;
};

}  // namespace

std::string dump(const File& file) {
  Dumper dumper;
  dumper.file(file);
  return dumper.take();
}

}  // namespace assay::ast
