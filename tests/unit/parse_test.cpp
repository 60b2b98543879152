// Source text → syntax tree: shapes, precedence, diagnostics, limits, and that no broken text does harm.
#include "tests/unit/catch.hpp"

#include "lang/parse/parse.hpp"

#include <fstream>
#include <iterator>

using namespace assay;

namespace {

struct Parsed {
  Sources sources;
  ast::File file;
  std::vector<Diagnostic> diagnostics;
};

std::unique_ptr<Parsed> parsed(const std::string& text) {
  auto result = std::make_unique<Parsed>();
  const std::uint32_t id = result->sources.add("test.rubric", text);
  Diagnostics diagnostics(result->sources);
  Budget budget;
  result->file = parse(result->sources, id, diagnostics, budget);
  result->diagnostics = diagnostics.take();
  return result;
}

std::string codes(const std::string& text) {
  std::string out;
  const auto result = parsed(text);
  for (const Diagnostic& diagnostic : result->diagnostics) out += (out.empty() ? "" : " ") + diagnostic.code;
  return out;
}

std::string in_rubric(const std::string& items) { return "rubric r {\n" + items + "\n}\n"; }

// An expression with all its parentheses.
std::string show(const ast::ExprPtr& e) {
  using K = ast::ExprKind;
  switch (e->kind) {
    case K::number:
    case K::name: return e->text;
    case K::missing: return "missing";
    case K::boolean: return e->flag ? "true" : "false";
    case K::text: return "\"" + e->literal.str() + "\"";
    case K::unary: return "(" + e->text + " " + show(e->args[0]) + ")";
    case K::binary: return "(" + show(e->args[0]) + " " + e->text + " " + show(e->args[1]) + ")";
    case K::range: return "(" + show(e->args[0]) + " .. " + show(e->args[1]) + ")";
    case K::is_missing: return "(" + show(e->args[0]) + " is missing)";
    case K::is_given: return "(" + show(e->args[0]) + " is given)";
    case K::is_kind: return "(" + show(e->args[0]) + " " + e->text + ")";
    case K::as_kind: return "(" + show(e->args[0]) + " as " + e->text + ")";
    case K::choice:
      return "(" + show(e->args[0]) + " when " + show(e->args[1]) +
             (e->args.size() > 2 ? " else " + show(e->args[2]) : "") + ")";
    case K::field: return show(e->args[0]) + "." + e->text;
    case K::index: return show(e->args[0]) + "[" + show(e->args[1]) + "]";
    default: return e->text + "(…)";
  }
}

std::string expression(const std::string& text) {
  Sources sources;
  const std::uint32_t id = sources.add("e", text);
  Diagnostics diagnostics(sources);
  Budget budget;
  const ast::ExprPtr e = parse_expression(sources, id, diagnostics, budget);
  return e ? show(e) : "error " + diagnostics.list().at(0).code;
}

std::string repeat(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string model(const std::string& name) {
  for (const char* base : {"", "../", "../../", "../../../"}) {
    std::ifstream in(base + ("rubrics/" + name + "/" + name + ".rubric"), std::ios::binary);
    if (in) return std::string(std::istreambuf_iterator<char>(in), {});
  }
#ifdef ASSAY_SOURCE_DIR
  std::ifstream in(std::string(ASSAY_SOURCE_DIR) + "/rubrics/" + name + "/" + name + ".rubric", std::ios::binary);
  if (in) return std::string(std::istreambuf_iterator<char>(in), {});
#endif
  FAIL("no model " + name);
  return {};
}

const char* const kModels[] = {"judge", "patch", "phraseology_turn", "phraseology_session", "skill"};

}  // namespace

TEST_CASE("operators bind by their levels", "[parse]") {
  CHECK(expression("1 + 2 * 3 ^ 2 ^ x") == "(1 + (2 * (3 ^ (2 ^ x))))");
  CHECK(expression("-x ^ 2 * y") == "((- (x ^ 2)) * y)");
  CHECK(expression("2 ^ -x") == "(2 ^ (- x))");
  CHECK(expression("a - b - c") == "((a - b) - c)");
  CHECK(expression("a or b and not c == d xor e") == "((a or (b and (not (c == d)))) xor e)");
  CHECK(expression("a < b default c + 1") == "(a < (b default (c + 1)))");
  CHECK(expression("a default b default c") == "(a default (b default c))");
  CHECK(expression("x in -15..15 and y not in 1 .. 2") == "((x in ((- 15) .. 15)) and (y not in (1 .. 2)))");
  CHECK(expression("a.b is missing or c[1].d is given") == "((a.b is missing) or (c[1].d is given))");
  CHECK(expression("a when b else c when d else e") == "(a when b else (c when d else e))");
  CHECK(expression("a when b") == "(a when b)");
  CHECK(expression("0.50 + 30_000 - 10% + 1e3") == "(((0.50 + 30_000) - 10%) + 1e3)");
  CHECK(expression("order + notes") == "(order + notes)");
}

TEST_CASE("expressions that are wrong", "[parse]") {
  CHECK(expression("a < b < c") == "error E0109");
  CHECK(expression("1..2..3") == "error E0109");
  CHECK(expression("a == not b") == "error E0109");
  CHECK(expression("a default b when c") == "error E0110");
  CHECK(expression("a when b when c") == "error E0110");
  CHECK(expression("1 +") == "error E0102");
  CHECK(expression("5.") == "error E0106");
  CHECK(expression("1__0") == "error E0106");
  CHECK(expression("12kg") == "error E0106");
  CHECK(expression("x.when") == "error E0108");
  CHECK(expression("f(x: 1)") == "error E0117");
  CHECK(expression("sum(1, x for x in y)") == "error E0117");
  CHECK(expression("a && b") == "error E0118");
  CHECK(expression("\"a\\q\"") == "error E0105");
  CHECK(expression("\"a\\u{D800}\"") == "error E0105");
  CHECK(expression("\"abc") == "error E0104");
  CHECK(expression("(1 + 2") == "error E0103");
  CHECK(expression("") == "error E0102");
}

TEST_CASE("texts hold escapes and values", "[parse]") {
  const auto p = parsed(in_rubric(R"(flag "a\{\u{20AC}\n{x decimals 2}{"in {y default "z"}"}b")"
                                  " when true"));
  REQUIRE(p->diagnostics.empty());
  const ast::Text& label = std::get<ast::Flag>(p->file.rubrics.at(0).items.at(0).node).label;
  REQUIRE(label.parts.size() == 4);
  CHECK(label.parts[0].literal == "a{\xE2\x82\xAC\n");
  CHECK(label.parts[1].decimals == 2);
  CHECK(label.parts[2].expr->literal.parts.size() == 2);
  CHECK(label.parts[3].literal == "b");
}

TEST_CASE("the models parse without diagnostics", "[parse]") {
  for (const char* name : kModels) {
    INFO(name);
    const auto p = parsed(model(name));
    CHECK(render(p->diagnostics) == "");
    CHECK(p->file.rubrics.size() == 1);
    CHECK_FALSE(ast::dump(p->file).empty());
  }
}

TEST_CASE("words of declarations are names elsewhere", "[parse]") {
  CHECK(codes(in_rubric("let weight = score + level\nlet score = at * from\ninput at, from, level, rank: number")) ==
        "");
  CHECK(codes(in_rubric("type t = { a: text optional: bool required: text required when a == \"x\" }")) == "");
  CHECK(codes(in_rubric("let a = input\nlet b = check and output")) == "");
}

TEST_CASE("an inline hook keeps its source", "[parse]") {
  const auto p = parsed("hook h(a: number): number 0..1 lua \"\"\"return \"{\" # a\"\"\"");
  REQUIRE(p->diagnostics.empty());
  const ast::Hook& hook = std::get<ast::Hook>(p->file.items.at(0).node);
  CHECK(hook.source == "return \"{\" # a");
  CHECK(p->sources.text(hook.source_span) == hook.source);
}

TEST_CASE("several errors in one run, and what is between is kept", "[parse]") {
  const auto p =
      parsed(in_rubric("let a = (1\nlet b = 2\ndimenson c weight 1\nlet d = 3\ngate e == 1\nlet f = 4\ndimension g {\n "
                       "criterion h weihgt 1\n criterion i weight 1\n}\nlet j = 5 %\nlet k = 6"));
  std::string found;
  for (const Diagnostic& d : p->diagnostics) found += d.code + ":" + std::to_string(d.at.line) + " ";
  CHECK(found == "E0103:2 E0107:4 E0101:6 E0101:9 E0101:12 ");
  REQUIRE(p->file.rubrics.size() == 1);
  CHECK(p->file.rubrics[0].items.size() == 6);
}

TEST_CASE("the syntax tells which code", "[parse]") {
  CHECK(codes(in_rubric("let when = 1")) == "E0108");
  CHECK(codes(in_rubric("let a = b && c")) == "E0118");
  CHECK(codes(in_rubric("table t(a) {\n| a | b |\n| 1 |\n}")) == "E0113");
  CHECK(codes(in_rubric("table t(a) {\n| a | b |\n| 1 | |\n}")) == "E0113");
  CHECK(codes(in_rubric("table t(a) {\n| a | b + 1 |\n| 1 | 2 |\n}")) == "E0113");
  CHECK(codes("import \"a{b}\"") == "E0114");
  CHECK(codes(in_rubric("let a \"x\" = 1 \"y\"")) == "E0115");
  CHECK(codes(in_rubric("dimension a weight 1 weight 2")) == "E0116");
  CHECK(codes("rubric r {\n let a = 1") == "E0103");
  CHECK(codes("let a = 1") == "E0107");
  CHECK(codes(std::string("rubric r {\0}", 12)) == "E0112");
  CHECK(codes("rubric r \"\xFF\" {}") == "E0112");
  CHECK(codes("\xEF\xBB\xBFrubric r {}") == "");
}

TEST_CASE("a diagnostic shows its place", "[parse]") {
  CHECK(codes("rubric r {\n  let ä = 1\n}") == "E0101");
  const auto q = parsed("rubric r \"ä\" {\n  let a = \"ä\" = 1\n}");
  REQUIRE(q->diagnostics.size() == 1);
  CHECK(render(q->diagnostics[0]) ==
        "error[E0101]: expected an operator or the next declaration, found '='\n"
        "  ┌─ test.rubric:2:15\n"
        "2 │   let a = \"ä\" = 1\n"
        "  │               ^\n"
        "  = help: '=' defines; a comparison is written '=='\n");
}

TEST_CASE("names near enough are suggested", "[parse]") {
  CHECK(nearest("dimenson", {"dimension", "deduction"}) == "dimension");
  CHECK(nearest("wieght", {"weight", "height"}) == "weight");
  CHECK(nearest("xyz", {"weight", "score"}).empty());
}

TEST_CASE("nesting is limited, long chains too", "[parse]") {
  const std::size_t fits = 150;
  CHECK(codes(in_rubric("let a = " + repeat("(", fits) + "1" + repeat(")", fits))) == "");
  CHECK(codes(in_rubric("let a = " + repeat("[", fits) + "1" + repeat("]", fits))) == "");
  CHECK(codes(in_rubric("let a = " + repeat("{a:", fits) + "1" + repeat("}", fits))) == "");
  CHECK(codes(in_rubric("let a = " + repeat("f(", fits) + "1" + repeat(")", fits))) == "");
  CHECK(codes(in_rubric("let a = " + repeat("1 when x else ", fits) + "1")) == "");
  CHECK(codes(in_rubric("let a = " + repeat("\"{", fits) + "1" + repeat("}\"", fits))) == "");
  for (const std::size_t many : {std::size_t{300}, std::size_t{100000}}) {
    for (const char* unit :
         {"(", "[", "{a:", "f(", "- ", "not ", "1 + ", "1 ^ ", "a default ", "1 when x else ", "\"{", "a["}) {
      INFO(unit << " " << many);
      const std::string found = codes(in_rubric("let a = " + repeat(unit, many) + "1\nlet b = 1"));
      CHECK(found.substr(0, 5) == "E0111");
    }
    CHECK(codes(in_rubric("let a = x" + repeat(".a", many))) == "E0111");
    CHECK(codes(in_rubric("input a: " + repeat("list of ", many) + "text")) == "E0111");
    CHECK(codes(in_rubric(repeat("dimension a { ", many))).substr(0, 5) == "E0111");
    CHECK(codes(in_rubric(repeat("cohort { ", many))).substr(0, 5) == "E0111");
  }
}

TEST_CASE("no broken text does harm", "[parse][fuzz]") {
  for (const char* name : kModels) {
    const std::string text = model(name);
    for (std::size_t i = 0; i < text.size(); i += 37) parsed(text.substr(0, i));
    for (std::size_t i = 0; i < text.size(); i += 31) {
      std::string broken = text;
      broken.erase(i, 1);
      ast::dump(parsed(broken)->file);
    }
    for (std::size_t i = 0; i < text.size(); i += 41) {
      std::string broken = text;
      broken[i] = "\"{}()|=,\\#"[i % 10];
      parsed(broken);
    }
  }
}
