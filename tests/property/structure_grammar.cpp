// Rubrics that grow, from every production of the grammar: expressions, which are put into nine surroundings each, and
// declarations, one row for each way in which they can grow. See structure.hpp for the templates.
#include "tests/property/structure.hpp"

namespace assay_tests {

namespace {

// An expression around a number, which gives a number. '@' is where the number stands, once.
struct Form {
  const char* name;
  const char* text;
  const char* needs = "";  // declarations, at the top of the file
};

constexpr Form kForms[] = {
    {"sum", "(@ + 1)"},
    {"difference", "(9 - @)"},
    {"product", "(@ * 0.5)"},
    {"quotient", "(@ / 3)"},
    {"power", "(@ ^ 1)"},
    {"minus", "(-@)"},
    {"paren", "(@)"},
    {"percent", "(@ * 25%)"},
    {"equal", "(1 when @ == 1 else 2)"},
    {"unequal", "(1 when @ != 1 else 2)"},
    {"below", "(1 when @ < 1 else 2)"},
    {"above", "(1 when @ > 1 else 2)"},
    {"at_most", "(1 when @ <= 1 else 2)"},
    {"at_least", "(1 when @ >= 1 else 2)"},
    {"in_range", "(1 when @ in 1..5 else 2)"},
    {"not_in_range", "(1 when @ not in 1..5 else 2)"},
    {"in_list", "(1 when @ in [1, 2, 3] else 2)"},
    {"is_given", "(1 when @ is given else 2)"},
    {"is_missing", "(1 when @ is missing else 2)"},
    {"is_kind", "(1 when [@, \"a\"][0] is number else 2)"},
    {"as_kind", "([@, \"a\"][0] as number default 1)"},
    {"answered", "sum(v for v in [@, \"a\"] when v is number and v > 0)"},
    {"mixed_choice", "((@ when b else \"a\") as number default 1)"},
    {"mixed_order", "count([v for v in [@, \"a\"] by lower [v, \"b\"]])"},
    {"not", "(1 when not (@ > 1) else 2)"},
    {"and", "(1 when b and @ > 1 else 2)"},
    {"or", "(1 when b or @ > 1 else 2)"},
    {"xor", "(1 when b xor @ > 1 else 2)"},
    {"default", "((@ when b) default 1)"},
    {"missing", "(missing default @)"},
    {"when", "(@ when b else 1)"},
    {"when_chain", "(1 when b else 2 when x > 3 else @)"},
    {"condition", "(1 when (true when @ > 1 else false) else 2)"},
    {"list", "[1, @][1]"},
    {"empty_list", "(@ + count([]))"},
    {"list_sum", "count([1] + [@])"},
    {"record", "{ a: @, b: 1 }.a"},
    {"record_text_key", "{ \"a\": @ }.a"},
    {"record_index", "{ a: @ }[\"a\"]"},
    {"record_join", "({ a: 1 } + { a: @ }).a"},
    {"empty_record", "(@ + count(keys(map(k: v for k, v in m))))"},
    {"index", "(xs[@] default 1)"},
    {"interpolation", "count(\"a{@}b\")"},
    {"interpolation_decimals", "count(\"{@ decimals 2}\")"},
    {"escape", "(@ + count(\"\\n\\t\\{\\}\\\"\\\\\\u{20AC}\"))"},
    {"text_sum", "count(\"a\" + \"{@}\")"},
    {"loop", "sum(v for v in [@])"},
    {"loop_place", "sum([v + i for i, v in [@] when v > 0])"},
    {"loop_while", "(first([v for v in [@] while v > 0]) default 1)"},
    {"loop_state", "last([s for v in [@] with s = 0 then s + v])"},
    {"loop_where", "sum(d for v in [@] where d = v + 1)"},
    {"loop_order_list", "first(v for v in [@] by higher [v, -v])"},
    {"map_join", "sum(map(\"k\": 1 for v in [1]) + map(\"k\": v for v in [@]))"},
    {"record_union", "([{ a: 1, b: 2 }, { a: @ }][1].a default 1)"},
    {"loop_order", "first(v for v in [@] by higher v, lower -v)"},
    {"loop_twice", "sum(v for u in [[@]] when b for v in u)"},
    {"map", "sum(map(\"k\": v for v in [@]))"},
    {"group", "count(group(\"k\": v for v in [@]))"},
    {"function", "f(@)", "fn f(a) = a + 1"},
    {"typed_function", "f(@)", "fn f(a: number): number = a + 1"},
    {"function_where", "f(@)", "fn f(a) \"Prose\" = c + d where c = a, d = c + 1"},
    {"table", "tab(@)",
     "table tab(k) { | k | v | |---|:-:| | 0..5, 7 | 1 | | >= 8 < 9 | 3 | | missing | 2 | | otherwise | 2 | }"},
    {"table_record", "tab(@).v",
     "table tab(k) \"Prose\" { | k | v | w | | < 5 | k + 1 | \"a\" | | otherwise | 2 | \"b\" | }"},
    {"table_file", "tab(@)", "table tab(k) from \"t.csv\""},
    {"rubric", "other({ y: @ }).v", "rubric other { input y: number default 1 output v = y + 1 }"},
    {"hook", "h(@)", "hook h(a: number): number lua \"\"\"function h(a) return a end\"\"\""},
    {"optional_hook", "(h(@) default 1)",
     "hook h(a: number optional): number optional \"Prose\" lua \"\"\"function h(a) return a end\"\"\""},
};

std::string filled(const std::string& form, const std::string& with) {
  std::string text = form;
  const std::size_t at = text.find('@');
  return text.replace(at, 1, with);
}

// Where a form can grow.
struct Surroundings {
  const char* name;
  const char* body;  // '@x@' is the form around x
  const char* record = "\"x\":3";
  const char* because = "";
};
constexpr Surroundings kSurroundings[] = {
    {"width", "output r = « + ¦@x@»"},
    {"repetition", "«\n¦output o$i = @x@»"},
    {"chain", "let a0 = x\n«\n¦let a$i = @a$p@»\noutput r = a$n"},
    {"sharing", "let a0 = x\n«\n¦let a$i = @a$p@ + 1 / (1 + a$p)»\noutput r = a$n > 3", "\"x\":3",
     "exact fractions double their digits with each level; they are charged as memory"},
    {"functions", "fn f0(a) = a\n«\n¦fn f$i(a) = @f$p(a)@»\noutput r = f$n(x)"},
    {"where", "output r = w$n where w0 = x, «, ¦w$i = @w$p@»"},
    {"records", "output r = sum(@v@ for v in xs)", "\"x\":3,\"xs\":[«,¦$i»]"},
    {"cells", "table tt(k) { | k | v | «¦| $i | @x@ |\n» }\noutput r = tt(x)"},
    {"dimensions",
     "!scale 0..$n\ninput x: number 0..1\ninput b: bool default true\ninput xs: list of number default []\n"
     "input m: map of number default {}\n«\n¦dimension d$i weight 1 = clamp(@x@, 0..1)»"},
};

std::string placed(std::string body, const std::string& form) {
  for (std::size_t at = body.find('@'); at != std::string::npos; at = body.find('@', at)) {
    const std::size_t end = body.find('@', at + 1);
    const std::string with = filled(form, body.substr(at + 1, end - at - 1));
    body.replace(at, end - at + 1, with);
    at += with.size();
  }
  return body;
}

// A way in which something else than an expression grows.
struct Row {
  const char* name;
  const char* body;
  const char* record = "\"x\":3";
  const char* file = "";
  const char* because = "";
};
constexpr Row kRows[] = {
    // tokens
    {"comment/width", "# «¦comment»\noutput r = x"},
    {"comment/repetition", "«\n¦# a comment»\noutput r = x"},
    {"blank/width", "«¦ \t\n»output r = x"},
    {"name/length", "let a«¦n» = x\noutput r = a«¦n» + a«¦n»"},
    {"name/unknown", "«\n¦output o$i = unknown$i»"},
    {"name/unknown_function", "«\n¦output o$i = unknown$i(x)»"},
    {"name/unknown_field", "let r = { «, ¦f$i: x» }\n«\n¦output o$i = r.unknown$i»"},
    {"name/unknown_type", "«\n¦input i$i: unknown$i»"},
    {"name/unknown_path", "«\n¦check x > 0 at unknown$i \"No\"»"},
    {"name/unknown_cap", "«\n¦cap unknown$i at 3»"},
    {"name/unknown_long", "output r = unknown«¦n»"},
    {"error/behind_blank_lines", "output r = x\n«¦\n»)"},
    {"error/behind_comments", "output r = x\n«¦# a comment\n»)"},
    {"error/many_on_a_line", "output r = x« ¦ is missing»"},
    {"error/among_names_on_a_line", "input «, ¦v$i»: number\noutput r = )"},
    {"error/name_twice", "«\n¦let a = x»\noutput r = a"},
    {"name/field_long", "let r = { a«¦n»: x }\noutput o = r.a«¦n»"},
    {"number/digits", "output r = 1«¦7» + x"},
    {"number/grouped_digits", "output r = 1«¦_000» + x"},
    {"number/fraction", "output r = 0.«¦7» + x"},
    {"number/exponent", "output r = x * 1e$n"},
    {"number/negative_exponent", "output r = x * 1e-$n"},
    {"number/percent", "output r = x + «¦7»%"},
    {"number/constants", "«\n¦output r$i = (1/3)^2000 + (1/7)^2000 + $i»"},
    {"number/fractions", "output r = « + ¦1/(x + $i)»", "\"x\":3", "", "the sum has a denominator of n digits"},
    {"number/products", "output r = « * ¦(x + 0.1)»", "\"x\":3", "", "the product has n digits"},
    {"number/powers", "output r = x ^ $n", "\"x\":1.7", "", "the power has n digits"},
    {"number/rounded", "output r = round(«¦7».5, 0)"},
    {"integer/digits", "output r = x decimals «¦1»"},
    {"text/length", "output r = \"«¦letters »\""},
    {"text/escapes", "output r = \"«¦\\n\\u{20AC}»\""},
    {"text/wide", "output r = \"«¦\xe5\xad\x97»\""},
    {"text/interpolations", "output r = \"«¦{x}»\""},
    {"text/interpolation_nesting", "output r = ‹\"{¦x¦}\"›"},
    {"text/prose", "output r = x \"«¦prose »\""},
    {"text/sharing", "let a0 = t\n«\n¦let a$i = a$p + a$p»\noutput r = count(a$n)", "\"x\":3,\"t\":\"a\"", "",
     "a text doubles with each level, up to the limit of memory"},
    {"raw/length",
     "hook h(a: number): number lua \"\"\"-- «¦comment »\nfunction h(a) return a end\"\"\"\noutput r = h(x)"},
    {"list/width", "output r = sum([«, ¦$i»])"},
    {"list/texts", "output r = t in [«, ¦\"t$i\"»]", "\"x\":3,\"t\":\"t$n\""},
    {"list/nesting", "output r = count(‹[¦x¦]›)"},
    {"list/sharing", "let a0 = [x]\n«\n¦let a$i = a$p + a$p»\noutput r = count(a$n)", "\"x\":3", "",
     "a list doubles with each level, up to the limit of memory"},
    {"list/shared_nesting", "let a0 = [x]\n«\n¦let a$i = flatten([a$p, [x]])»\noutput r = count(a$n)", "\"x\":3", "",
     "each level copies the list before it"},
    {"record/width", "output r = { «, ¦f$i: x» }.f$n"},
    {"record/nesting", "output r = ‹{ a: ¦x¦ }›"},
    {"record/sharing", "let a0 = { v: x }\n«\n¦let a$i = { l: a$p, r: a$p }»\noutput r = a$n.l.r is given"},
    {"record/shared_output", "let a0 = { v: x }\n«\n¦let a$i = { l: a$p, r: a$p }»\noutput r = a$n", "\"x\":3", "",
     "the verdict doubles with each level, up to the limit of output"},
    {"record/shared_equality",
     "let a0 = { v: x }\n«\n¦let a$i = { l: a$p, r: a$p }»\nlet b0 = { v: x }\n«\n¦let b$i = { l: b$p, r: b$p "
     "}»\noutput r = a$n == b$n"},
    {"record/joins", "output r = (« + ¦{ f$i: x }»).f1", "\"x\":3", "", "each sum copies the fields before it"},
    {"field/chain", "let r = ‹{ a: ¦x¦ }›\noutput o = r«¦.a»", "\"x\":3", "",
     "a kernel copies what is within each field; the number of its values is bounded"},
    {"index/chain", "output o = ‹[¦x¦]›«¦[0]»"},
    {"map/keys", "output r = sum(map(\"k{v}\": v for v in xs))", "\"x\":3,\"xs\":[«,¦$i»]"},
    {"map/equal_keys", "output r = sum(map(\"k\": v for v in xs))", "\"x\":3,\"xs\":[«,¦$i»]"},
    {"map/groups", "output r = count(group(\"k{v}\": v for v in xs))", "\"x\":3,\"xs\":[«,¦$i»]"},
    {"map/many_groups", "output r = count(group(ts: v for v in xs))", "\"x\":3,\"xs\":[1,2],\"ts\":[«,¦\"t$i\"»]"},
    {"choice/width", "output r = « else ¦$i when x == $i» else 0", "\"x\":3", "",
     "a kernel keeps the condition of each arm; the number of its instructions is bounded"},
    {"loop/clauses", "output r = count(1 « ¦for v$i in [x]»)"},
    {"loop/conditions", "output r = count(v for v in xs « ¦when v > $i»)", "\"x\":3,\"xs\":[1,2,3]"},
    {"loop/wheres", "output r = sum(d$n for v in xs « ¦where d$i = v + $i»)", "\"x\":3,\"xs\":[1,2,3]"},
    {"loop/list_orders", "output r = first(v for v in [xs, xs] by higher v)[0]", "\"x\":3,\"xs\":[«,¦$i»]"},
    {"map/joins", "output r = count(« + ¦map(\"k$i\": v for v in xs)»)", "\"x\":3,\"xs\":[1,2]", "",
     "each sum copies the entries before it"},
    {"loop/whiles", "output r = count(v for v in xs « ¦while v > $i»)", "\"x\":3,\"xs\":[1,2,3]"},
    {"loop/orders", "output r = first(v for v in xs by «, ¦higher v + $i»)", "\"x\":3,\"xs\":[1,2,3]"},
    {"loop/order_ties", "output r = first(v for v in xs by higher 0, lower \"a\")", "\"x\":3,\"xs\":[«,¦$i»]"},
    {"loop/range", "output r = sum(i for i in 1..$n)"},
    {"loop/state", "output r = last([s for v in xs with s = { n: 0 } then { n: s.n + v }]).n",
     "\"x\":3,\"xs\":[«,¦$i»]"},
    {"loop/pairs", "output r = count(1 for v in xs for w in xs when v > w)", "\"x\":3,\"xs\":[«,¦$i»]"},
    {"where/width", "output r = x where «, ¦w$i = x»"},
    {"where/sharing", "output r = w$n where w0 = x, «, ¦w$i = min(w$p, w$p)»"},
    {"where/backwards", "output r = w0 where «, ¦w$p = w$i + 0», w$n = x"},
    {"args/width", "fn f(«, ¦a$i») = a1\noutput r = f(«, ¦x»)"},
    {"fn/kinds", "fn f(a: ‹{ a: ¦number¦ }›) = 1\noutput r = f(‹{ a: ¦x¦ }›)"},
    {"fn/sharing", "fn f0(a) = a\n«\n¦fn f$i(a) = min(f$p(a), f$p(a + 1))»\noutput r = f$n(x)", "\"x\":3", "",
     "calls double with each level, up to the limit of steps"},
    {"fn/instances", "fn f(a) = 1\n«\n¦output o$i = f({ k$i: x })»"},
    {"fn/backwards", "«\n¦fn f$p(a) = f$i(a)»\nfn f$n(a) = a\noutput r = f0(x)"},
    {"error/fn_circle", "«\n¦fn f$p(a) = f$i(a)»\nfn f$n(a) = f0(a)\noutput r = f0(x)"},
    {"error/let_circle", "«\n¦let a$p = a$i»\nlet a$n = a0\noutput r = a0"},
    {"let/backwards", "«\n¦let a$p = a$i + 0»\nlet a$n = x\noutput r = a0"},
    {"let/unused", "«\n¦let a$i = x»\noutput r = x"},
    // kinds and policies
    {"kind/list_nesting", "input i: ‹list of ¦number¦› default []"},
    {"kind/set_nesting", "input i: ‹list of optional ¦set of text¦› default []"},
    {"kind/map_nesting", "input i: ‹map of ¦number¦› default {}", "\"x\":3,\"i\":‹{\"a\":¦1¦}›"},
    {"kind/record_nesting", "input i: ‹{ a: ¦number¦ }›", "\"x\":3,\"i\":‹{\"a\":¦1¦}›"},
    {"kind/record_width", "input i: { «, ¦f$i: number default 1 \"Prose\"» }", "\"x\":3,\"i\":{«,¦\"f$i\":1»}"},
    {"kind/record_names", "input i: { «, ¦f$i»: number optional }", "\"x\":3,\"i\":{«,¦\"f$i\":1»}"},
    {"kind/quoted_keys", "input i: { «, ¦\"f $i\": number default 1 \"Prose\"» }", "\"x\":3,\"i\":{«,¦\"f $i\":1»}"},
    {"input/quoted", "«\n¦input \"i $i\": number default 1»"},
    {"kind/either_nesting", "input i: ‹list of (¦number or text¦)› default []"},
    {"kind/either_aliases", "type k0 = number or text\n«\n¦type k$i = bool or list of k$p»\ninput i: k$n default []"},
    {"kind/either_record", "input i: text or { «, ¦f$i»: number or text } optional",
     "\"x\":3,\"i\":{«,¦\"f$i\":\"t\"»}"},
    {"any/list", "input i: any optional\noutput r = sum(v as number default 0 for v in i as list)",
     "\"x\":3,\"i\":[«,¦$i»]"},
    {"any/map", "input i: any optional\noutput r = count(i as map when i is map) + (i[\"k1\"] as number)",
     "\"x\":3,\"i\":{«,¦\"k$i\":1»}"},
    {"kind/one_of", "input i: one of («, ¦\"t$i\"») default \"t1\"", "\"x\":3,\"i\":\"t$n\""},
    {"kind/bounds", "input i: whole >= 0 <= $n default 0\ninput j: any optional\ninput k: number > -(2/3) default 1"},
    {"kind/aliases", "type k0 = number\n«\n¦type k$i = k$p»\ninput i: k$n default 1"},
    {"kind/alias_lists", "type k0 = number\n«\n¦type k$i = list of k$p»\ninput i: k$n default []"},
    {"kind/alias_sharing",
     "type k0 = { v: number default 1 }\n«\n¦type k$i = { l: k$p, r: k$p }»\ninput i: k$n optional"},
    {"kind/alias_defaults",
     "type k0 = { v: number default 1 }\n«\n¦type k$i = { l: k$p default {}, r: k$p default {} }»\ninput i: k$n "
     "default {}"},
    {"error/alias_circle", "«\n¦type k$p = k$i»\ntype k$n = k0\ninput i: k0"},
    {"kind/alias_backwards", "«\n¦type k$p = { v: k$i }»\ntype k$n = number\ninput i: k0 optional"},
    {"kind/tree",
     "type k = { v: number default 1, parts: list of k default [] }\ninput i: k\n"
     "fn f(k: k) = k.v + sum(f(p) for p in k.parts)\noutput r = f(i)",
     "\"x\":3,\"i\":‹{\"v\":1,\"parts\":[¦{\"v\":2}¦]}›"},
    {"kind/wide_tree",
     "type k = { v: number default 1, parts: list of k default [] }\ninput i: k\n"
     "fn f(k: k) = k.v + sum(f(p) for p in k.parts)\noutput r = f(i)",
     "\"x\":3,\"i\":{\"v\":1,\"parts\":[«,¦{\"v\":2}»]}"},
    {"policy/default_list", "input i: list of number default [«, ¦$i»]"},
    {"policy/default_text", "input i: text default \"«¦text»\""},
    {"policy/default_chain", "input i0: number default 1\n«\n¦input i$i: number default i$p»\noutput r = i$n"},
    {"policy/required", "«\n¦input i$i: number required when x > 99»"},
    {"policy/required_when_width", "input i: number required when « or ¦x > 99»"},
    {"policy/missing", "«\n¦input i$i: number missing 0»"},
    {"policy/optional", "«\n¦input i$i: number optional»"},
    {"provenance/judged", "«\n¦input i$i: number default 1 judged»"},
    {"provenance/measured", "«\n¦input i$i: number measured default 1»"},
    // declarations
    {"version/length", "version \"«¦1.»\""},
    {"error/version_twice", "«\n¦version \"1\"»"},
    {"error/scale_twice", "!«\n¦scale 0..10 decimals 1»\ndimension d weight 100%", "\"d\":3"},
    {"scale/open", "!scale open\ninput x: number\n«\n¦dimension d$i weight 1 = x»"},
    {"scale/digits",
     "!scale 0..1 decimals 2 digits 17\ninput x: number 0..1\ndimension a weight 1 = x\n«\n¦output o$i = x»"},
    {"scale/bound", "!scale >= 0\ninput x: number 0..1\n«\n¦dimension d$i weight 1 = x»"},
    {"scale/run", "!scale 0..(« + ¦1»)\ninput x: number 0..1\n«\n¦dimension d$i weight 1 = x»"},
    {"weights/exact",
     "!scale 0..$n\nweights exact\ninput x: number 0..1\n«\n¦dimension d$i weight 1 = x»\n«\n¦context c$i { weight d$i "
     "1 }»"},
    {"weights/rescaled",
     "!scale 0..$n\nweights rescaled\ninput x: number 0..1\n«\n¦dimension d$i weight 1 = x»\n«\n¦context c$i \"Prose\" "
     "{ weight d1 1 }»"},
    {"context/width",
     "!scale 0..$n\nweights rescaled\ninput x: number 0..1\n«\n¦dimension d$i weight 1 = x»\ncontext c { « ¦weight d$i "
     "1» }"},
    {"history/by", "input who: text default \"a\"\nhistory by who\n«\n¦output o$i = last(history).score»"},
    {"type/width", "«\n¦type k$i = { f: number }»\n«\n¦input i$i: k$i optional»"},
    {"input/repetition", "«\n¦input i$i: number default $i \"Prose\"»", "\"x\":3,«,¦\"i$i\":1»"},
    {"input/names", "input «, ¦i$i»: number default 1", "\"x\":3,«,¦\"i$i\":1»"},
    {"input/unread", "output r = x", "\"x\":3,«,¦\"i$i\":1»"},
    {"input/required", "«\n¦input i$i: number»", "\"x\":3,«,¦\"i$i\":1»"},
    {"check/repetition", "«\n¦check x > -$i at x \"Number $i\"»"},
    {"check/loop", "check v > 0 for i, v in xs at xs[i] \"No\"", "\"x\":3,\"xs\":[«,¦$i»]"},
    {"check/path", "input r: ‹{ a: ¦number¦ }›\ncheck x > 0 at r«¦.a» \"No\"", "\"x\":3,\"r\":‹{\"a\":¦1¦}›"},
    {"table/rows", "table tt(k) { | k | v | «¦| $i | $i |\n» }\noutput r = tt(x)"},
    {"table/text_rows", "table tt(k) { | k | v | «¦| \"t$i\" | $i |\n» }\noutput r = tt(t)"},
    {"table/ranges", "table tt(k) { | k | v | «¦| $p..$i | $i |\n» }\noutput r = tt(x)"},
    {"table/bounds", "table tt(k) { | k | v | «¦| < $i | $i |\n» }\noutput r = tt(x)"},
    {"table/overlapping", "table tt(k) { | k | v | «¦| -$i..$i | $i |\n» }\noutput r = tt(x)"},
    {"error/equal_rows", "table tt(k) { | k | v | «¦| 1 | $i |\n» }\noutput r = tt(x)"},
    {"table/columns", "table tt(k) { | k | «¦ v$i |» | 1 |«¦ $i |» | otherwise |«¦ 0 |» }\noutput r = tt(x).v1"},
    {"table/keys", "table tt(«, ¦k$i») { |«¦ k$i |» v | |«¦ otherwise |» 1 | }\noutput r = tt(«, ¦x»)"},
    {"table/two_keys", "table tt(k, j) { | k | j | v | «¦| $i | < $i | $i |\n» }\noutput r = tt(x, x)"},
    {"table/patterns", "table tt(k) { | k | v | |«, ¦$i»| 1 | | otherwise | 2 | }\noutput r = tt(x)"},
    {"table/keyless", "table tt { | x | y | «¦| $i | $i |\n» }\noutput r = interpolate(x, tt)"},
    {"table/chain",
     "table t0(k) { | k | v | | otherwise | 1 | }\n«\n¦table t$i(k) { | k | v | | otherwise | t$p(k) | }»\noutput r = "
     "t$n(x)"},
    {"table/file_rows", "table tt(k) from \"t.csv\"\noutput r = tt(x)", "\"x\":3", "k,v\n«¦$i,$i\n»"},
    {"table/file_ranges", "table tt(k) from \"t.csv\"\noutput r = tt(x)", "\"x\":3", "k,v\n«¦$p..$i,$i\n»"},
    {"table/file_columns", "table tt(k) from \"t.csv\"\noutput r = tt(x).v1", "\"x\":3", "k«¦,v$i»\n1«¦,$i»\n"},
    {"table/file_cell", "table tt(k) from \"t.csv\"\noutput r = tt(x)", "\"x\":3", "k,v\n1,\"«¦cell\"\"»\"\n"},
    {"table/file_number", "table tt(k) from \"t.csv\"\noutput r = tt(x)", "\"x\":3", "k,v\n1,0.«¦7»\n"},
    {"table/file_keyless", "table tt from \"t.csv\"\noutput r = count(tt)", "\"x\":3", "k,v\n«¦$i,$i\n»"},
    {"table/files", "«\n¦table t$i(k) from \"t$i.csv\"»\n«\n¦output o$i = t$i(x)»", "\"x\":3", "k,v\n1,2\n"},
    {"hook/repetition",
     "«\n¦hook h$i(a: number): number lua \"\"\"function h$i(a) return a end\"\"\"»\n«\n¦output o$i = h$i(x)»"},
    {"hook/one_file", "«\n¦hook h$i(a: number): number from \"h.lua\"»\n«\n¦output o$i = h$i(x)»", "\"x\":3",
     "«\n¦function h$i(a) return a end»"},
    {"hook/files", "«\n¦hook h$i(a: number): number from \"h$i.lua\"»\n«\n¦output o$i = h$i(x)»", "\"x\":3",
     "function h$i(a) return a end"},
    {"hook/arguments",
     "hook h(«, ¦a$i: number»): number lua \"\"\"function h(...) return 1 end\"\"\"\noutput r = h(«, ¦x»)"},
    {"hook/calls",
     "hook h(a: number): number lua \"\"\"function h(a) return a end\"\"\"\noutput r = sum(h(v) for v in xs)",
     "\"x\":3,\"xs\":[«,¦$i»]"},
    {"hook/file_length", "hook h(a: number): number from \"h.lua\"\noutput r = h(x)", "\"x\":3",
     "«\n¦-- comment»\nfunction h(a) return a end"},
    {"gate/repetition", "«\n¦gate g$i = x > 0 \"Prose\"»"},
    {"error/gate_circle", "gate g0 = x > 0\n«\n¦gate g$i = gates.g$p and gates.g$p»"},
    {"gate/and", "gate g = « and ¦x > 0»"},
    {"gate/or", "gate g = « or ¦x > 0»"},
    {"gate/not", "gate g = «¦not »b"},
    {"dimension/repetition", "!scale 0..$n\n«\n¦dimension d$i: number 0..1 weight 1 \"Prose\"»", "«,¦\"d$i\":1»"},
    {"dimension/points", "!scale 0..$n\n«\n¦dimension d$i points 1»", "«,¦\"d$i\":1»"},
    {"dimension/advisory", "«\n¦dimension d$i: number 0..1 advisory missing 1»"},
    {"dimension/skip", "!scale 0..1\n«\n¦dimension d$i: number 0..1 weight 1/$n missing skip»", "\"d1\":1"},
    {"dimension/parts", "!scale 0..1\ndimension d weight 1 { «\n¦criterion c$i: number 0..1 weight 1/$n» }",
     "«,¦\"c$i\":1»"},
    {"dimension/deep_parts",
     "!scale 0..1\ndimension d0 weight 1 { «¦criterion d$i weight 1 { »criterion c: number 0..1 weight 1«¦ }» }",
     "\"c\":1", "", "the path of each part names all parts above it"},
    {"dimension/levels", "!scale 0..1\ndimension d: number 0..1 weight 1 { «\n¦level $i/$n \"Level\"» }", "\"d\":1"},
    {"dimension/weight_run", "!scale 0..1\ninput x: number 0..1\ndimension d weight « + ¦1/$n» = x"},
    {"dimension/shared_input", "!scale 0..$n\ninput x: number 0..1\n«\n¦dimension d$i weight 1 = x»"},
    {"dimension/unshared_range",
     "!scale 0..$n\ninput x: number 0..1\nlet a0 = x\n«\n¦let a$i = min(a$p, a$p * 1)»\n«\n¦dimension d$i weight 1 = "
     "a$i»"},
    {"composite/width",
     "!scale 0..100\ninput x: number 0..1\n«\n¦dimension d$i = x»\ncomposite = clamp(« + ¦d$i», 0..100)"},
    {"composite/all",
     "!scale 0..100\ninput x: number 0..1\n«\n¦dimension d$i = x»\ncomposite = min(d.score for d in dimensions)"},
    {"cap/score", "«\n¦cap score at 50 + $i when x > $i \"Prose\"»"},
    {"cap/dimension", "«\n¦cap d at 50 + $i when x > $i»"},
    {"cap/composite", "«\n¦cap composite at 50 + $i when x > $i»"},
    {"cap/deductions",
     "deduction e = 1\nbonus f = 1\n«\n¦cap deductions at $i when x > $i\ncap bonuses at $i when x > $i»"},
    {"cap/bands",
     "bands g(score) { | score | g | «¦| >= 100 - $i / 10 | \"b$i\" |\n»| >= 0 | \"c\" | }\n«\n¦cap g at \"b$i\" when "
     "x > $i»",
     "\"x\":3", "", "the kernel picks what each cap says from the names of all bands"},
    {"incomplete/repetition", "«\n¦incomplete when x > 99 + $i \"Prose {x}\"»"},
    {"deduction/repetition", "«\n¦deduction e$i = 0.1 when x > 2 else 0 \"Prose\"»"},
    {"bonus/repetition", "«\n¦bonus e$i = 0.1 when x > 2 else 0 \"Prose\"»"},
    {"deduction/loop", "deduction \"e {v}\" = 0.1 for v in xs \"Prose {v}\"", "\"x\":3,\"xs\":[«,¦$i»]"},
    {"deduction/equal_names", "deduction \"e\" = 0.1 for v in xs", "\"x\":3,\"xs\":[«,¦$i»]"},
    {"bands/rows",
     "bands g(score) { | score | g | label | «¦| >= 100 - $i / 10 | \"b$i\" | \"Label\" |\n»| >= 0 | \"c\" | \"Label\" "
     "| }"},
    {"bands/within",
     "bands g(score) within x / 3 { | score | g | «¦| >= 100 - $i / 10 | \"b$i\" |\n»| >= 0 | \"c\" | }"},
    {"bands/applied", "bands g(score) { | score | g | | >= 50 | 1 | | >= 0 | 2 | }\n«\n¦output o$i = g(x)»"},
    {"bands/repetition", "«\n¦bands g$i(score) { | score | g$i | | >= 50 | \"a\" | | >= 0 | \"b\" | }»"},
    {"bands/chain",
     "bands g0(x) { | x | g0 | | >= 50 | 2 | | otherwise | 1 | }\n«\n¦bands g$i(g$p) { | g$p | g$i | | >= 2 | 2 | | "
     "otherwise | 1 | }»",
     "\"x\":3", "", "the view of the kernel compiles each field by itself, with all that it needs"},
    {"bands/two_keys",
     "bands g(x, score) { | x | score | g | «¦| >= 100 - $i / 10 | >= $i / 10 | \"b$i\" |\n»| otherwise | otherwise | "
     "\"c\" | }"},
    {"output/repetition", "«\n¦output o$i = x decimals 2 \"Prose\"»"},
    {"output/big_text", "output o = join(ts, \"-\")", "\"x\":3,\"ts\":[«,¦\"text $i\"»]"},
    {"output/quoted", "«\n¦output \"o $i\" = x digits 17»"},
    {"output/shown", "«\n¦let a$i = x\noutput a$i»"},
    {"output/lists", "output o = xs\n«\n¦output o$i = count(xs)»", "\"x\":3,\"xs\":[1,2,3]"},
    {"flag/repetition", "«\n¦flag f$i when x > 2 \"Prose {x}\"»"},
    {"flag/loop", "flag \"f {v}\" for v in xs when v > 0", "\"x\":3,\"xs\":[«,¦$i»]"},
    {"flag/loop_condition", "flag \"f\" for v in xs when v > 0 by higher v when x > 0", "\"x\":3,\"xs\":[«,¦$i»]"},
    {"advice/repetition", "«\n¦advice \"Number $i {x}\" when x > 2»"},
    {"advice/loop", "advice \"v {v}\" for v in xs", "\"x\":3,\"xs\":[«,¦$i»]"},
    {"rank/keys", "rank by «, ¦higher score + $i»"},
    {"example/repetition", "«\n¦example \"e$i\" { given { x: 3 } expect { score: 3 } }»"},
    {"example/width",
     "example \"e\" { given { x: 3, xs: [«, ¦$i»] } history [] weights {} context [] expect { score: 3 } }"},
    {"example/nesting", "input i: any optional\nexample \"e\" { given { x: 3, i: ‹[¦1¦]› } expect { score: 3 } }"},
    {"example/error",
     "«\n¦example \"e$i\" { given { x: 300 } error at x }»\nexample \"p\" { given { x: 300 } error at \"x\" }"},
    {"cohort/outputs", "cohort { «\n¦output o$i = median(r.score for r in records)» }"},
    {"cohort/each",
     "rank by higher score\ncohort { let a = sum(r.score for r in records) «\n¦let b$i = a + $i\neach output o$i = b$i "
     "+ score "
     "+ place» }"},
    {"cohort/lets",
     "cohort { let a0 = [r.score for r in records]\ntype q = number\nfn f(a) = a\ntable u { | v | | 1 | }\n«\n¦let a$i "
     "= a$p»\noutput r = f(sum(a$n)) }"},
    // files
    {"rubric/repetition", "@«\n¦rubric r$i \"Prose\" { input x: number output v = x }»"},
    {"rubric/calls",
     "@rubric r0 { input x: number output v = x }\n«\n¦rubric r$i { input x: number output v = r$p({ x: x }).v }»"},
    {"rubric/shared_calls",
     "@rubric r0 { input x: number output v = x }\n«\n¦rubric r$i { input x: number output v = min(r$p({ x: x }).v, "
     "r$p({ x: x + 1 }).v) }»",
     "\"x\":3", "", "calls double with each level, up to the limit of steps"},
    {"rubric/inputs",
     "@rubric r0 { input x: number output v = x }\n«\n¦rubric r$i { input r: list of r$p output v = sum(r$p(q).v for q "
     "in r) }»",
     "\"r\":[]"},
    {"rubric/extends",
     "@rubric r0 { input x: number output v = x }\n«\n¦rubric r$i extends r$p { output v = x + $i output w$i = x }»",
     "\"x\":3", "", "each rubric has what those before it have"},
    {"rubric/extends_same",
     "@rubric r0 { input x: number output v = x }\n«\n¦rubric r$i extends r$p { output v = x + $i }»"},
    {"rubric/wide_base",
     "@rubric r0 { input x: number «\n¦output o$i = x» }\nrubric r1 extends r0 { «\n¦output o$i = x + 1» }",
     "\"x\":3", "", "the view of the kernel compiles each field by itself, with room for the items of both rubrics"},
    {"import/width", "@«\n¦import \"m$i.rubric\"»\nrubric r { input x: number output v = « + ¦f$i(x)» }", "\"x\":3",
     "fn f$i(a) = a"},
    {"import/same", "@«\n¦import \"m1.rubric\"»\nrubric r { input x: number output v = f1(x) }", "\"x\":3",
     "fn f$i(a) = a"},
    {"import/length", "@import \"m1.rubric\"\nrubric r { input x: number output v = f1(x) }", "\"x\":3",
     "«\n¦fn f$i(a) = a»"},
    {"import/chain", "@import \"m$n.rubric\"\nrubric r { input x: number output v = f$n(x) }", "\"x\":3",
     "$import fn f$i(a) = a"},
    {"error/unclosed", "!«\n¦output o = (1 »"},
    {"error/garbage", "«\n¦%& §»"},
    {"error/unclosed_texts", "«\n¦output o$i = \"abc»"},
    {"error/types", "«\n¦output o$i = 1 + \"a\"»"},
    {"error/type_of_shared", "let a0 = { v: x }\n«\n¦let a$i = { l: a$p, r: a$p }»\noutput r = a$n + 1"},
    {"error/long_lines", "output r = « + ¦unknown$i»"},
    {"error/weights", "!scale 0..100\n«\n¦dimension d$i: number 0..1 weight 1»"},
    {"error/foreign", "«\n¦gate g$i = x > 1 && b»"},
    {"error/missing_rows", "bands g(score) { | score | g | «¦| $i..$i.5 | \"b$i\" |\n»}"},
    {"error/open_braces", "‹{¦x¦›"},
    {"error/open_brackets", "output r = «¦[»"},
    {"error/open_parens", "output r = «¦(»"},
    {"error/else", "output r = x «¦ when b else (»"},
};

}  // namespace

void add_form(std::vector<Growth>& all, const std::string& name_of_form, const std::string& text,
              const std::string& needs) {
  const std::string head = "@" + needs + "\n";
  const std::string name = "expression/" + name_of_form + "/";
  const std::string file = "k,v\n0..5,1\notherwise,2\n";
  const auto add = [&](const std::string& dimension, const std::string& body, const std::string& record,
                       const std::string& because) {
    const bool bare = body.starts_with('!');
    const std::string whole = head + (bare ? "rubric grown {\n" : "$rubric\n") + body.substr(bare ? 1 : 0) + "\n}\n";
    all.push_back({name + dimension, because,
                   [whole, record, file](std::size_t n) { return subject_of(whole, record, file, n); }, nullptr, 8});
  };
  add("nesting", "output r = ‹" + text.substr(0, text.find('@')) + "¦x¦" + text.substr(text.find('@') + 1) + "›",
      "\"x\":3", "");
  for (const Surroundings& around : kSurroundings)
    add(around.name, placed(around.body, text), around.record, around.because);
}

void add_grammar(std::vector<Growth>& all) {
  for (const Form& form : kForms) add_form(all, form.name, form.text, form.needs);
  for (const Row& row : kRows) {
    all.push_back({std::string("declaration/") + row.name, row.because,
                   [&row](std::size_t n) { return subject_of(row.body, row.record, row.file, n); }, nullptr, 8});
  }
}

}  // namespace assay_tests
