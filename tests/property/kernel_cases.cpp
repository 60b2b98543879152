// See kernel_cases.hpp.
#include "tests/property/kernel_cases.hpp"

#include <cstdlib>
#include <sstream>

namespace assay_tests {

using Fix = KernelCase::Fix;

namespace {

struct Known {
  const char* name;
  const char* declaration;
  std::vector<RigInput> inputs;
};

const std::vector<Known>& known_inputs() {
  static const std::vector<std::string> kTruths = {"true", "false"}, kMaybe = {"", "null", "true", "false"};
  static const std::vector<Known> kInputs = {
      // bounded, with ties of both signs, more decimals than two, both bounds, one beyond, and null, which is rejected
      {"x", "input x: number -100..100", {{"x", {"0",         "1",     "-1",     "0.5",  "-0.5",   "1.5", "-1.5", "2.5",
                                                 "-2.5",      "2.675", "-2.675", "0.05", "-0.05",  "15",  "-15",  "25",
                                                 "33.333333", "99.99", "100",    "-100", "100.01", "null"}}}},
      {"y", "input y: number optional", {{"y", {"", "null", "0", "7", "-3", "0.25", "-12.345", "1000000", "-0.0001"}}}},
      {"d", "input d: number 0..20 optional", {{"d", {"", "0", "1", "3", "0.5", "7.25", "20", "-0.5"}}}},
      {"e", "input e: number -5..5 optional", {{"e", {"null", "0", "2", "-4.5", "5"}}}},
      {"p", "input p: number > 0", {{"p", {"0.01", "1", "3", "7", "250.5", "0"}}}},
      {"h", "input h: number 0..1 missing 0.5", {{"h", {"", "0", "0.3", "1", "0.5"}}}},
      {"z", "input z: number 0..10 default 2.5", {{"z", {"", "null", "0", "2.5", "2.49", "10", "10.5"}}}},
      {"w", "input w: whole 0..12 default 4", {{"w", {"", "0", "1", "2", "5", "11", "12", "13"}}}},
      {"k", "input k: whole -9..9 optional", {{"k", {"", "-9", "-5", "-2", "-1", "0", "3", "4", "9"}}}},
      {"n", "input n: whole >= 0", {{"n", {"0", "1", "2", "3", "10", "999999999", "-1"}}}},
      {"a", "input a: bool", {{"a", kTruths}}},
      {"b", "input b: bool optional", {{"b", kMaybe}}},
      {"c", "input c: bool optional", {{"c", kMaybe}}},
      {"f", "input f: bool default true", {{"f", kMaybe}}},
      {"s",
       "input s: one of (\"low\", \"mid\", \"high\") optional",
       {{"s", {"", "null", "\"low\"", "\"mid\"", "\"high\""}}}},
      {"g", "input g: one of (\"a\", \"b\", \"c\") default \"b\"", {{"g", {"", "\"a\"", "\"b\"", "\"c\""}}}},
      {"t",
       "input t: text optional",
       {{"t", {"", "\"\"", "\"red\"", "\"blue\"", "\"green and of more than sixteen bytes\"", "\"else\""}}}},
      {"v", "input v: text default \"red\"", {{"v", {"", "\"red\"", "\"blue\"", "\"else\""}}}},
      {"l",
       "input l: list of text default []",
       {{"l", {"", "[]", "[\"a\"]", "[\"a\",\"b\",\"a\"]", "[\"a\",\"a\",\"a\",\"a\"]"}}}},
      {"m",
       "input m: set of text optional",
       {{"m", {"", "[]", "[\"a\"]", "[\"a\",\"b\",\"a\"]", "[\"x\",\"y\",\"z\",\"\"]"}}}},
      {"u",
       "input u: set of one of (\"a\", \"b\", \"c\") default []",
       {{"u", {"", "[]", "[\"c\"]", "[\"a\",\"b\",\"a\"]", "[\"c\",\"b\",\"a\"]"}}}},
      {"q",
       "input q: list of { ok: bool, deep: { fine: bool default true } default {} } default []",
       {{"q",
         {"", "[]", "[{\"ok\":true}]", "[{\"ok\":false,\"deep\":{\"fine\":false}}]",
          "[{\"ok\":true},{\"ok\":false,\"deep\":{}}]", "[{\"ok\":true},{\"ok\":true,\"deep\":{\"fine\":false}}]"}}}},
      {"r",
       "input r: { a: number 0..10, b: number -5..5 optional, c: bool default true, d: number 0..3 default 1.5, e: "
       "text optional } optional",
       {{"r.a", {"0", "9.75", "10"}},
        {"r.b", {"", "null", "-5", "2.5"}},
        {"r.c", {"", "true", "false"}},
        {"r.d", {"", "0", "3"}},
        {"r.e", {"", "\"red\""}}}},
      {"i",
       "input i: { a: number 0..10 default 3, b: number 0..10 default 7 } default { a: 1 }",
       {{"i.a", {"", "0", "4"}}, {"i.b", {"", "5"}}}},
      {"act",
       "input est: number 0..50 optional\n  input act: number 0..50 default est",
       {{"est", {"", "0", "4.5", "50"}}, {"act", {"", "null", "0", "7.5"}}}},
      {"mm", "input mm: map of number optional", {{"mm", {"", "{}", "{\"a\":1}"}}}},
      {"any", "input any: any optional", {{"any", {"", "null", "1", "\"x\"", "[]"}}}},
  };
  return kInputs;
}

}  // namespace

void kernel_input(const std::string& name, std::string& declarations, std::vector<RigInput>& inputs) {
  for (const Known& known : known_inputs()) {
    if (known.name != name) continue;
    declarations += std::string("  ") + known.declaration + "\n";
    inputs.insert(inputs.end(), known.inputs.begin(), known.inputs.end());
    return;
  }
  std::abort();
}

std::string rubric_of(const KernelCase& one, std::vector<RigInput>& inputs) {
  std::string declarations;
  std::istringstream names(one.inputs);
  for (std::string name; names >> name;) kernel_input(name, declarations, inputs);
  return "rubric r {\n  version \"1\"\n" + declarations + one.body + "\n}\n";
}

const std::vector<KernelCase>& kernel_cases() {
  static const std::string kLong = [] {
    std::string text = "output o = t in [\"red\"";
    for (int i = 0; i < 260; ++i) text += ", \"t" + std::to_string(i) + '"';
    return text + "]";
  }();
  static const std::vector<KernelCase> kCases = {
      // ---- arithmetic
      {"constants", Fix::all, "x",
       "output o = 3 * 0.5 + 2 ^ 3 output p = 1 / 8 output t = \"fixed\" output b = 1 < 2 output m = 1 when 1 > 2"},
      {"add and subtract a constant", Fix::all, "x y",
       "output o = x + 1.5 decimals 2 output p = 3.25 - x decimals 3 output q = x - 100 + y decimals 2"},
      {"add inputs", Fix::all, "x y d",
       "output o = x + y - d decimals 3 output p = x - (y - d) decimals 2 output q = x + x - x decimals 2"},
      {"the same reg twice", Fix::all, "x",
       "output o = x - x decimals 2 output p = x + x decimals 2 output q = 2 * x - x * 2 decimals 2"},
      {"negate", Fix::all, "x k", "output o = -x decimals 2 output p = -(-k) output q = -(x + k) decimals 1"},
      {"multiply by constants", Fix::all, "x k",
       "output o = x * 3 decimals 2 output p = k * -0.125 decimals 3 output q = x * 0 decimals 2 output r = 1/3 * k "
       "decimals 4"},
      {"multiply inputs", Fix::all, "x k d",
       "output o = x * k decimals 2 output p = x * x * k decimals 3 output q = k * (x + d) decimals 1"},
      {"divide by a constant", Fix::all, "x k",
       "output o = x / 3 decimals 2 output p = k / -7 decimals 9 output q = x / 8 decimals 3 output r = k / 0.3 "
       "decimals 2"},
      {"divide by an input that may be 0", Fix::all, "x d",
       "output o = x / d decimals 2 output p = (x / d) is missing output q = x / d / 3 decimals 4"},
      {"divide by an input above 0", Fix::all, "x p",
       "output o = x / p decimals 2 output q = 100 / p decimals 0 output r = 1 / p / p decimals 5"},
      {"divide by what may be negative", Fix::none, "x k", "output o = x / k decimals 2"},
      {"nested quotients", Fix::all, "d w p",
       "output o = d / (w / p) decimals 3 output q = (d / p) / (w / p) decimals 3 output r = (d / w) * (w / p) "
       "decimals 2"},
      {"sums of quotients", Fix::all, "d w p",
       "output o = d / p + w / p decimals 3 output q = d / w - w / p decimals 3 output r = 1 - d / (d + w) decimals 4"},
      {"a share of a sum", Fix::all, "d w n",
       "output o = d / (d + w + n) decimals 4 output p = 100 * w / (w + n) decimals 1"},
      {"a quotient of constants and 0", Fix::all, "x",
       "output o = x / (1 - 1 + 0 * x) decimals 2 output p = 0 / 3 + x * 0 decimals 2"},
      {"a power", Fix::none, "x", "output o = x ^ 2"},
      {"an expression as it is", Fix::all, "x k",
       "output o = k output p = k + 1 output q = k / 4 output r = k * 0.125"},
      {"a fraction as it is", Fix::none, "x", "output o = x / 3"},
      // ---- rounding
      {"round", Fix::all, "x",
       "output o = round(x) output p = round(x, 1) output q = round(x, 2) output r = round(x, -1) output s = round(x / "
       "2) output t = round(-x / 4, 1)"},
      {"floor", Fix::all, "x",
       "output o = floor(x) output p = floor(x, 1) output q = floor(x, -1) output r = floor(x / 3) output s = floor(x "
       "* 2, 5)"},
      {"ceil", Fix::all, "x",
       "output o = ceil(x) output p = ceil(x, 1) output q = ceil(x, -1) output r = ceil(x / 3) output s = ceil(-x, 2)"},
      {"trunc", Fix::all, "x",
       "output o = trunc(x) output p = trunc(x, 1) output q = trunc(x, -1) output r = trunc(x / 3) output s = trunc(x "
       "* 10, 1)"},
      {"round_even", Fix::all, "x",
       "output o = round_even(x) output p = round_even(x, 1) output q = round_even(x, 2) output r = round_even(x, -1) "
       "output s = round_even(x / 2)"},
      {"round a quotient", Fix::all, "x p",
       "output o = round(x / p, 1) output q = floor(x / p) output r = ceil(x / p, 2) output s = trunc(x / p) output t "
       "= round_even(x / p)"},
      {"round a quotient by tens", Fix::all, "n w",
       "output o = round(n / w, -2) decimals 0 output p = floor(n / (w + 1), -1) decimals 0 output q = round_even(n / "
       "w) decimals 0"},
      {"round a quotient that is not negative", Fix::all, "d p",
       "output o = trunc(d / p, 1) output q = floor(d / p, 3) output r = ceil(d / p)"},
      {"round constants", Fix::all, "x",
       "output o = round(-2.5) + x decimals 2 output p = round_even(3.5) + floor(-0.1) + ceil(0.1) + trunc(-1.9) + x "
       "decimals 2"},
      {"decimals of outputs", Fix::all, "x",
       "output o = x / 7 decimals 0 output p = x / 7 decimals 5 output q = x * 0.001 decimals 2 output r = -x / 200 "
       "decimals 2"},
      {"abs", Fix::all, "x k",
       "output o = abs(x) decimals 2 output p = abs(k) output q = abs(k - 3) output r = abs(-x * 2) decimals 1 output "
       "s = abs(k * k)"},
      {"min and max", Fix::all, "x y k",
       "output o = min(x, y) decimals 3 output p = max(x, y, k) decimals 3 output q = min(k, 3) output r = max(k, -2, "
       "0.5) decimals 1 output s = min(x, 1000) decimals 2"},
      {"min and max of quotients", Fix::all, "x p d",
       "output o = min(x / p, 2) decimals 3 output q = max(x / p, d / p) decimals 3 output r = min(x / p, d) decimals "
       "3"},
      {"clamp", Fix::all, "x k y",
       "output o = clamp(x, 0..10) decimals 2 output p = clamp(k, -3..3) output q = clamp(y, 0.5..7.25) decimals 3 "
       "output r = clamp(x, -1000..1000) decimals 2"},
      {"clamp a quotient", Fix::all, "x p",
       "output o = clamp(x / p, 0..1) decimals 3 output q = clamp(clamp(x, -10..10) * 2, -5..15) decimals 2 output r = "
       "clamp(x, -10..-5) decimals 1"},
      {"a square root", Fix::none, "d", "output o = sqrt(d) decimals 2"},
      {"a remainder", Fix::none, "n", "output o = mod(n, 3)"},
      // ---- comparisons
      {"compare with constants", Fix::all, "x k",
       "output o = x < 2.5 output p = x <= 2.5 output q = x > 2.5 output r = x >= 2.5 output s = k < -2 output t = 3 "
       "<= k output u = x < 1000 output v = -101 >= x"},
      {"compare with more decimals", Fix::all, "x k",
       "output o = x < 2.6755 output p = x >= 2.67500001 output q = k > 2.5 output r = -0.5 < k output s = k == 2.5 "
       "output t = k != 0.1 output u = k <= -1.5"},
      {"compare fractions", Fix::all, "x k w",
       "output o = x / 3 < 0.5 output p = x / 3 >= 0.5 output q = k / 7 == 3 / 7 output r = 1 / 3 <= w / 9 output s = "
       "k / 3 != 1 output t = x / 3 > k / 7"},
      {"compare quotients", Fix::all, "d w p",
       "output o = d / w > 0.5 output q = d / w <= w / p output r = d / p == w output s = d / p != 3 output t = 2 >= d "
       "/ w output u = 1 == d / w"},
      {"compare inputs", Fix::all, "x y d",
       "output o = x < y output p = x <= y output q = y > d output r = y >= x output s = x == y output t = d != y "
       "output u = x == x output v = d < d"},
      {"compare ranges that do not meet", Fix::all, "x d",
       "output o = d > x - 200 output p = d < -1 output q = d == 21 output r = x + 300 <= d output s = d >= 0 output t "
       "= d != -3"},
      {"compare truths", Fix::all, "a b c",
       "output o = a == b output p = b != c output q = a == true output r = b == false output s = b != true output t = "
       "(b == c) == a"},
      {"compare texts", Fix::all, "s t v",
       "output o = s == \"mid\" output p = s != \"low\" output q = t == \"red\" output r = t != \"\" output u = v == "
       "\"red\" output w = \"blue\" == v"},
      {"compare two texts of the record", Fix::none, "t v", "output o = t == v"},
      {"order texts", Fix::none, "t", "output o = t < \"m\""},
      {"compare chosen texts", Fix::all, "a b",
       "let one = \"x\" when a else \"y\" let two = \"y\" when b else \"x\" when a output o = one == \"y\" output p = "
       "two == \"x\" output q = two != \"y\""},
      {"compare sums of truths", Fix::all, "a b f",
       "let n = count(t for t in [a, b default false, f] when t) output o = n == 0 output p = n == 1 output q = n >= 2 "
       "output r = n == 3 output s = n != 0"},
      // ---- logic
      {"and", Fix::all, "a b c",
       "output o = b and c output p = a and b output q = b and false output r = a and true and c output s = a and b "
       "and c and (a or b)"},
      {"or", Fix::all, "a b c",
       "output o = b or c output p = a or b output q = b or true output r = a or false or c output s = a or b or c or "
       "(a and b)"},
      {"xor", Fix::all, "a b c",
       "output o = b xor c output p = a xor b output q = b xor true output r = a xor a output s = b xor b xor false"},
      {"not", Fix::all, "a b c",
       "output o = not b output p = not (b and c) output q = not (a or not b) output r = not not c output s = not (not "
       "a and not b)"},
      {"contradictions", Fix::all, "a b",
       "output o = a and not a output p = b or not b output q = a and b and not a output r = (not a or b) and (a or "
       "not b)"},
      {"many conditions", Fix::all, "x k a b",
       "output o = x > 1 and k < 3 and a and b and x < 50 and k > -5 output p = x < -1 or k > 3 or a or b or x > 50 or "
       "k < -5"},
      {"conditions on missing numbers", Fix::all, "y d",
       "output o = y > 3 and d > 1 output p = y > 3 or d > 1 output q = not (y > 3) output r = (y > 3) xor (d > 1) "
       "output s = (y > 3) is missing"},
      // ---- choices
      {"choices", Fix::all, "x a b",
       "output o = 1 when a else 2 output p = x when b else -x decimals 2 output q = 5 when b output r = 1 when a else "
       "0 output s = 0 when a else 1"},
      {"chains", Fix::all, "x k b",
       "output o = 1 when x < 0 else 2 when x < 10 else 3 when b else 4 output p = 10 when k > 3 else 20 when k > 0 "
       "else x decimals 2 output q = 1 when b else 2 when k == 3"},
      {"choices of truths", Fix::all, "a b c",
       "output o = b when a else c output p = true when b else false output q = false when b else true output r = b "
       "when c output s = true when a else b output t = b when a else false"},
      {"choices of texts", Fix::all, "x a b",
       "output o = \"neg\" when x < 0 else \"pos\" output p = \"a\" when a else \"b\" when b else \"c\" output q = "
       "\"a\" when b output r = (\"u\" when a else \"v\") when b else (\"w\" when a else \"u\")"},
      {"choices of missing", Fix::all, "a b y",
       "output o = y when a else 3 decimals 2 output p = (y when b) is missing output q = (1 when a else y) decimals 1 "
       "output r = (\"a\" when b else \"b\" when a) default \"c\""},
      {"a chosen constant with a gap", Fix::all, "a b x",
       "let v = 5 when a output o = v + x decimals 2 output p = v > 3 output q = v == 5 output r = v is given output s "
       "= (v default 9) + 1"},
      {"choices of fractions", Fix::all, "a x p",
       "output o = x / 3 when a else x / 7 decimals 4 output q = x / p when a else p decimals 4 output r = 1 / 3 when "
       "a else 1 / 7 decimals 5"},
      {"choices of the same", Fix::all, "a x",
       "output o = x when a else x decimals 2 output p = 4 when a else 4 output q = \"k\" when a else \"k\""},
      // ---- missing
      {"default", Fix::all, "y d z",
       "output o = y default 3 decimals 2 output p = d default y default 1 decimals 3 output q = (y + d) default -1 "
       "decimals 2 output r = z"},
      {"default of a part of it", Fix::all, "d",
       "output o = d default 7 decimals 2 output p = (d * 0.1) default 7 decimals 3 output q = d decimals 2 output r = "
       "d is missing output s = d > 6"},
      {"default of a condition", Fix::all, "b y",
       "output o = b default true output p = (y > 3) default false output q = (b default false) or y > 0"},
      {"default where it may be hidden", Fix::all, "d a",
       "output o = (d when a) default 5 decimals 2 output p = d default 6 decimals 2"},
      {"default that may be out of range", Fix::all, "d",
       "output o = d default 100 decimals 2 output p = d default -3 decimals 2"},
      {"two defaults of one input", Fix::all, "d",
       "output o = d default 1 decimals 2 output p = d default 2 decimals 2 output q = (d default 1) + (d default 3) "
       "decimals 2"},
      {"is missing and is given", Fix::all, "y d b s t",
       "output o = y is missing output p = d is given output q = b is missing output r = (y + d) is given output u = s "
       "is missing output w = t is given"},
      {"lists that are missing or given", Fix::all, "l m",
       "output o = m is missing output p = l is given output q = (m is missing) or count(m) > 1"},
      {"loops over a missing list", Fix::all, "m",
       "output o = [f for f in m] is missing output p = count([f for f in m]) is missing"},
      {"anything is given", Fix::all, "any r",
       "output o = any is given output p = r is missing output q = r.b is given"},
      {"a map is given", Fix::some, "mm", "output o = mm is missing"},
      {"inputs with defaults", Fix::all, "z w f g h",
       "output o = z + w + h decimals 2 output p = f output q = g == \"b\" output r = w"},
      {"another input in its place", Fix::all, "act",
       "output o = act + 1 decimals 1 output p = act is missing output q = est decimals 1"},
      // ---- ranges and lists
      {"in range", Fix::all, "x y k",
       "output o = x in 0..2.5 output p = y in -3..0.25 output q = k not in -1..3 output r = x / 3 in 0.5..10 output s "
       "= k in 2.5..3.5"},
      {"a type with open bounds", Fix::all, "p x",
       "output o = p in 1..3 output q = p < 0.01 output r = p > 0 output s = x + p decimals 2"},
      {"in list", Fix::all, "k s t x",
       "output o = k in [3, -1, 9] output p = s in [\"low\", \"high\"] output q = t in [\"red\", \"blue\"] output r = "
       "x not in [0.5, -2.5] output u = k in [0.5]"},
      {"aggregates of what is written out", Fix::all, "x y d",
       "output o = sum([x, y, d]) decimals 2 output p = mean([x, d]) decimals 4 output q = min([x, y, d]) decimals 2 "
       "output r = max([x, 3]) decimals 2 output s = count([x, y])"},
      {"aggregates of nothing", Fix::all, "x",
       "output o = sum([]) + x decimals 2 output p = mean([]) output q = count([]) + x decimals 1 output r = any([]) "
       "output s = all([])"},
      {"any and all", Fix::all, "a b c",
       "output o = any([a, b, c]) output p = all([a, b, c]) output q = any([b]) output r = all([b, true]) output s = "
       "all([not a, b or c]) output t = any([b, c, false])"},
      {"loops with conditions", Fix::all, "x y d",
       "let xs = [x, y, d] output o = sum(v for v in xs when v is given) decimals 3 output p = mean(v for v in xs when "
       "v > 0) decimals 4 output q = count(v for v in xs when v > 1) output r = any(v > 5 for v in xs) output s = "
       "all(v > 0 for v in xs when v is given)"},
      {"in long lists", Fix::all, "k s t x",
       "let colours = [\"red\", \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\", \"red\"] let steps = [\"low\", "
       "\"a\", \"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"high\"] output o = t in colours output p = t not in colours "
       "output q = t in [\"blue\", \"a\", \"1\", \"2\", \"3\", \"4\", \"5\", "
       "\"6\", \"7\"] output r = t == \"blue\" or t in colours output u = s in steps "
       "output v = k in [3, -1, 9, 10, 11, 12, 13, 14, 15, 16] output w = x in [0.5, "
       "-2.5, 3, -1, 9, 10, 11, 12, 13, 14] output n = 2 when t in colours else 3 output m = count(i for i in [t, s] "
       "when i in colours)"},
      {"in a list of more values than a kernel has", Fix::none, "t", kLong.c_str()},
      {"loops with their place", Fix::all, "x d",
       "output o = sum(i * v for i, v in [x, d, 3]) decimals 2 output p = sum(i for i, v in [x, d] when v > 0) output "
       "q = count(v for i, v in [x, d, x] when i != 1)"},
      {"loops within conditions", Fix::all, "a b x",
       "output o = sum(1 for t in [a, b] when t) output p = mean(x for t in [a, b, true] when t) decimals 3 output q = "
       "min(v for v in [x, 1, 2]) decimals 2 output r = max(-v for v in [x, 0]) decimals 2"},
      {"loops over chosen lists", Fix::all, "x a",
       "let xs = [x, 1] when a else [2, x, 3] output o = sum(xs) decimals 2 output p = count(xs) output q = mean(xs) "
       "decimals 3 output r = any(v > 2 for v in xs)"},
      {"the least of a filtered list", Fix::none, "x d", "output o = min(v for v in [x, d] when v > 0) decimals 2"},
      {"lists in one", Fix::all, "x d",
       "output o = sum([x] + [d, 1]) decimals 2 output p = count([x] + []) + count([] + [d])"},
      {"how many items", Fix::all, "l m u",
       "output o = count(l) output p = count(m) output q = count(u) > 1 output r = count(l) * 0.5 + count(u) decimals "
       "1 output s = count(v for v in l)"},
      {"all and any of a list", Fix::all, "q",
       "output o = all(i.ok for i in q) output p = any(i.ok for i in q) output r = any(i.deep.fine for i in q) output "
       "s = all(i.deep.fine for i in q) output t = count(q)"},
      {"a filtered list of the record", Fix::none, "q", "output o = count(i for i in q when i.ok)"},
      {"a list that is shown", Fix::none, "l", "output o = l"},
      {"a text that is shown", Fix::all, "t a", "output o = t output p = a"},
      {"a text with a default that is shown", Fix::all, "v x", "output o = v output p = x decimals 2"},
      // ---- names, functions, records
      {"let and where", Fix::all, "x d",
       "let a1 = x + b1 where b1 = d * 2 let c1 = a1 * a1 where unused = 1 output o = c1 decimals 2 output p = a1 when "
       "x > 0 else c1 decimals 3"},
      {"functions", Fix::all, "x k d",
       "fn half(v) = v / 2 fn twice(v) = half(v) * 4 where w = 1 fn pick_one(u, v) = twice(u) when u > v else half(v) "
       "fn deep(u, v, w) = pick_one(u, pick_one(v, w))\n"
       "output o = twice(x) decimals 2 output p = pick_one(k, d) decimals 3 output q = deep(x, k, d) decimals 3"},
      {"functions of texts and truths", Fix::all, "s b",
       "fn is_low(v) = v == \"low\" fn both(u, v) = u and v output o = is_low(s) output p = both(is_low(s), b) output "
       "q = both(b, not b)"},
      {"functions over lists", Fix::all, "x d k",
       "fn total(vs) = sum(v * 2 for v in vs) fn best(vs) = max(vs) output o = total([x, d]) decimals 2 output p = "
       "best([x, d, k]) decimals 2 output q = total([k])"},
      {"records", Fix::all, "x d a",
       "let rec = { u: x, v: d, w: a } output o = rec.u + rec.v decimals 2 output p = rec.w output q = ({ u: 1, v: 2 } "
       "when a else { u: 3, v: x }).v decimals 2"},
      {"a record that may be missing", Fix::all, "x b",
       "let rec = { u: x, v: 2 } when b output o = rec.u decimals 2 output p = rec.v output q = rec.v default 7 output "
       "r = (rec.u > 1) is missing"},
      {"fields of a record of the record", Fix::all, "r",
       "output o = r.a decimals 2 output p = r.b decimals 1 output q = r.c output s = r.d decimals 1 output t = r.e == "
       "\"red\" output u = r.a + r.d decimals 2 output v = r.b is missing output w = r is given"},
      {"defaults within records", Fix::all, "i x",
       "output o = i.a + i.b decimals 1 output p = i.a > 2 output q = i is given"},
      // ---- tables
      {"bands with otherwise", Fix::all, "x y",
       "bands v1(x) { | x | g | l | | >= 50 | \"A\" | 1 | | >= 2.675 | \"B\" | 2.5 | | >= -2.5 | \"C\" | 3 | | "
       "otherwise | \"D\" | 4 | }\n"
       "bands v2(y) { | y | g | | >= 5 | \"A\" | | >= 0 | \"B\" | | otherwise | \"none\" | }"},
      {"bands without otherwise", Fix::all, "d e",
       "bands v1(d) { | d | g | n | | >= 10.5 | \"A\" | 10 | | >= 3 | \"B\" | -0.5 | | >= 0 | \"C\" | 0.125 | }\nbands "
       "v2(e) { | e | g | | > 2 | \"up\" | | >= -5 | \"down\" | }"},
      {"bands of fractions", Fix::all, "d w",
       "table t1(v) { | v | r | | >= 0.5 | 1 | | >= 1/3 | 2 | | otherwise | 3 | } output o = t1(d / 30) output p = "
       "t1(d / w) output q = t1(1 / 2) output r = t1(w / 36)"},
      {"a band of a chosen constant", Fix::all, "a b",
       "table t1(v) { | v | r | | >= 5 | \"A\" | | >= 0 | \"B\" | } table t2(v) { | v | r | | >= 5 | \"A\" | | "
       "otherwise | \"B\" | }\n"
       "let v = 5 when a output o = t1(v) output p = t1(3 when b) output q = t2(v) output r = t2(3 when b) output s = "
       "t1(7) output t = t1(-1)"},
      {"a table by text", Fix::all, "s t",
       "table t1(v) { | v | n | l | | \"low\" | 1 | \"L\" | | \"high\" | 2.5 | \"H\" | } table t2(v) { | v | n | | "
       "\"red\", \"blue\" | 5 | | missing | 6 | | otherwise | 7 | }\n"
       "output o = t1(s).n output p = t1(s).l output q = t2(t) output r = t1(s).n is missing"},
      {"a table by text with otherwise", Fix::all, "s t v",
       "table t1(v) { | v | n | | \"low\" | 1 | | \"high\" | 2 | | otherwise | 9 | } output o = t1(s) output p = t1(t) "
       "output q = t1(v) + 0.5"},
      {"a table by a chosen text", Fix::all, "a b x",
       "table t1(v) { | v | n | | \"p\" | 1 | | \"q\" | 2 | | \"r\" | missing | } let w = \"p\" when a else \"q\" when "
       "b else \"r\" when x > 0 else \"s\" output o = t1(w) output p = t1(\"q\") output q = t1(\"z\")"},
      {"a table by truth", Fix::all, "a b",
       "table t1(v) { | v | n | | true | 1 | | false | 2 | } table t2(v) { | v | n | | true | 1 | | missing | 3 | | "
       "otherwise | 4 | } output o = t1(b) output p = t2(b) output q = t1(a)"},
      {"a table of ranges", Fix::all, "x k",
       "table t1(v) { | v | n | | -1..1 | \"near\" | | < -50 | \"low\" | | > 2 <= 25 | \"mid\" | | 33.333333, 99.99 | "
       "\"odd\" | } table t2(v) { | v | n | | 3, 4 | 1 | | >= -2 | 2 | }\n"
       "output o = t1(x) output p = t2(k) output q = t1(k) output r = t1(x / 2)"},
      {"a table of two keys", Fix::all, "s x b",
       "table t1(v, w) { | v | w | n | | \"low\" | < 0 | 1 | | \"low\" | otherwise | 2 | | otherwise | 0..10 | 3 | | "
       "missing | otherwise | 4 | }\n"
       "table t2(v, w) { | v | w | n | | true | > 1 | \"a\" | | false, missing | otherwise | \"b\" | } output o = "
       "t1(s, x) output p = t2(b, x)"},
      {"a table with columns of all kinds", Fix::all, "k",
       "table t1(v) { | v | n | t | b | m | | >= 3 | 1.5 | \"a\" | true | missing | | >= 0 | -2 | missing | false | 4 "
       "| | otherwise | missing | \"c\" | missing | 5 | }\n"
       "output o = t1(k).n output p = t1(k).t output q = t1(k).b output r = t1(k).m"},
      {"a table with formulas", Fix::all, "x d",
       "table t1(v) { | v | n | | < 0 | missing | | 0..2 | 4.99 | | otherwise | 4.99 + 1.5 * (v - 2) | } output o = "
       "t1(x) decimals 2 output p = t1(d) decimals 3"},
      {"a table with many rows", Fix::all, "w g",
       "table t1(v) { | v | n | | 0 | 3 | | 1 | 1 | | 2 | 4 | | 3 | 1 | | 4 | 5 | | 5 | 9 | | 6 | 2 | | 7 | 6 | | 8 | "
       "5 | | 9 | 3 | | 10 | 5 | | 11 | 8 | }\n"
       "table t2(v) { | v | n | | \"a\" | 3 | | \"b\" | 1 | | \"c\" | 4 | } output o = t1(w) output p = t2(g) + t1(w)"},
      {"a band that every number reaches", Fix::all, "d x",
       "bands v1(d) { | d | g | n | | >= 0 | \"A\" | 10 | } table t1(v) { | v | r | | >= -100 | 3 | | otherwise | 4 | "
       "} table t2(v) { | v | r | | >= 200 | 3 | | >= 101 | 4 | }\n"
       "output o = t1(d) output p = t1(x) output q = t2(x) output r = t2(d)"},
      {"sums of large and of cancelling parts", Fix::all, "w z",
       "output o = (w + 1000000000) * 1000 + (z - 1000000000000) decimals 2 output p = (z + 5000000000) - (w + "
       "5000000000) decimals 2 output q = (w * 1000000 - 2000000) / 1000000 decimals 1"},
      {"comparisons that the bounds decide", Fix::all, "y l w",
       "output o = y < 100000000 output p = y == 0.00000005 output q = count(l) < 3000 output r = w < 100 output s = "
       "max(y, -100000000) > -7 output t = y > -90000000"},
      {"inputs that no field needs", Fix::all, "x d w b g t l r", "output o = x decimals 2"},
      {"a cap on a band", Fix::all, "d a b",
       "bands mark(d) { | d | g | | >= 7 | \"A\" | | >= 4 | \"B\" | | >= 0 | \"C\" | } cap mark at \"B\" when a cap "
       "mark at \"C\" when b"},
      // ---- the pipeline
      {"weighted dimensions", Fix::all, "a",
       "scale 0..10 decimals 2 dimension u weight 50% dimension v weight 30% missing 4 dimension w weight 20% = 7.5 "
       "when a else 2.25 input u, v: number 0..10 optional"},
      {"points", Fix::all, "k d",
       "scale 0..20 decimals 1 dimension u points 8 = clamp(k, 0..8) dimension v points 12 = min(d, 12)"},
      {"criteria", Fix::all, "d e a",
       "scale 0..100 decimals 2 dimension u weight 60 { criterion u1 weight 45 = clamp(d / 20, 0..1) criterion u2 "
       "weight 15 = 1 when a else 0.3 } dimension v weight 40 = clamp(e / 5, 0..1)"},
      {"left out dimensions", Fix::all, "d e",
       "scale 0..10 decimals 3 dimension u weight 40% missing skip = clamp(d, 0..10) dimension v weight 40% missing "
       "skip = clamp(e, 0..10) dimension w weight 20% missing 5 = 3 when e > 0 incomplete when coverage < 50% "
       "\"little\""},
      {"gates", Fix::all, "x b c",
       "scale -100..100 decimals 1 dimension u weight 100% = x gate g1 = b gate g2 = x > 0 or c output o = gates.g1 "
       "and gates.g2 output p = gates.g1 output q = any([gates.g1, gates.g2])"},
      {"caps", Fix::all, "d a b",
       "scale 0..20 decimals 2 dimension u weight 50% = d dimension v weight 50% = 12.5 cap u at 10 when a cap "
       "composite at 11 cap score at 9.5 when b cap score at 15 when a"},
      {"deductions and bonuses", Fix::all, "d a b",
       "scale 0..20 decimals 2 dimension t weight 100% = d deduction late = 2.5 when a deduction early = d / 7 bonus "
       "kind = 0.25 when b bonus quick = 0.8 when d > 3 cap deductions at 3 cap bonuses at 0.9"},
      {"a deduction for each item", Fix::all, "d u",
       "scale 0..20 decimals 2 dimension t weight 100% = d deduction \"{c}\" = 0.75 for c in u cap deductions at 2"},
      {"deductions of both sorts", Fix::none, "d a u",
       "scale 0..20 decimals 2 dimension t weight 100% = d deduction late = 2.5 when a deduction \"{c}\" = 0.5 for c "
       "in u"},
      {"gates as a list", Fix::none, "a b", "gate g1 = a gate g2 = b output o = all(gates)"},
      {"a deduction for each item of a list", Fix::none, "d l",
       "scale 0..20 decimals 2 dimension t weight 100% = d deduction \"{c}\" = 0.75 for c in l"},
      {"a composite by hand", Fix::all, "d e",
       "scale 0..100 decimals 2 dimension u: number 0..20 = d dimension v: number 0..5 = clamp(e, 0..5) composite = u "
       "* v"},
      {"a root of dimensions", Fix::none, "d",
       "scale 0..10 decimals 2 dimension u: number 0..20 = d composite = sqrt(u)"},
      {"how many inputs are missing", Fix::all, "h z", "output o = count(degraded) output p = h + z decimals 2"},
      {"counts of gates", Fix::all, "a b x",
       "gate g1 = a gate g2 = b gate g3 = x > 1 output o = count(g for g in [gates.g1, gates.g2, gates.g3] when g) "
       "output p = sum(1 when g else 0.5 for g in [gates.g1, gates.g3])"},
      {"checks", Fix::all, "x d",
       "check x < 50 at x \"large\" check d > x - 10 at d \"far\" check all(v > -90 for v in [x, 3]) at x \"low\" "
       "output o = x + d decimals 2"},
      {"required when", Fix::all, "a x b",
       "input n1: number optional\n input n2: number 0..5 required when a and x > 0 input n3: text required when b "
       "output o = x + (n2 default 0) decimals 2"},
      {"a check of a list", Fix::all, "l x", "check count(l) < 4 at l \"many\" output o = x decimals 2"},
      {"adjustments that may have one name", Fix::none, "d l",
       "scale 0..20 decimals 2 dimension t weight 100% = d deduction \"{c}\" = 1 for c in l + [\"a\"]"},
      {"texts with values", Fix::none, "x", "output o = \"{x}\""},
      {"a text of one text", Fix::all, "a x",
       "let u = \"p\" when a else \"q\" output o = \"{u}\" output p = x decimals 2"},
      {"a hook-free whole rubric", Fix::all, "d e a u",
       "scale 0..100 decimals 1 weights rescaled dimension p1 weight 60% = clamp(d * 5, 0..100) dimension p2 weight "
       "40% = clamp(e * 20, 0..100) gate ok = a deduction \"{c}\" = 3 for c in u\n"
       "bands grade(score) { | score | grade | label | | >= 90 | \"A\" | \"top\" | | >= 50 | \"B\" | \"fine\" | | >= 0 "
       "| \"C\" | \"low\" | }"},
  };
  return kCases;
}

}  // namespace assay_tests
