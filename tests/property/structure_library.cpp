// What the language and its standard library bring: every function as an expression that grows (tests/property/
// structure_grammar.cpp puts it into its surroundings), and with the list, the text or the number that it is given growing.
#include "tests/property/structure.hpp"

namespace assay_tests {

namespace {

struct Builtin {
  const char* name;
  const char* number;     // around a number, '@'; gives a number
  const char* list = "";  // over xs, ts, t or m of a growing record
  const char* because = "";
};

constexpr Builtin kBuiltins[] = {
    {"abs", "abs(@)", "sum(abs(v) for v in xs)"},
    {"sign", "sign(@)", "sum(sign(v) for v in xs)"},
    {"min", "min(@, 9)", "min(xs)"},
    {"max", "max(@, 9)", "max(xs)"},
    {"clamp", "clamp(@, 0..10)", "sum(clamp(v, 0..10) for v in xs)"},
    {"round", "round(@, 2)", "sum(round(v / 3, 2) for v in xs)"},
    {"floor", "floor(@)", "sum(floor(v / 3) for v in xs)"},
    {"ceil", "ceil(@)", "sum(ceil(v / 3) for v in xs)"},
    {"trunc", "trunc(@)", "sum(trunc(v / 3, 1) for v in xs)"},
    {"round_even", "round_even(@)", "sum(round_even(v / 3) for v in xs)"},
    {"mod", "mod(@, 7)", "sum(mod(v, 7) for v in xs)"},
    {"sqrt", "sqrt(@)", "sum(sqrt(v) for v in xs)"},
    {"ln", "ln(@)", "sum(ln(v) for v in xs)"},
    {"log10", "log10(@)", "sum(log10(v) for v in xs)"},
    {"exp", "exp(clamp(@, 0..3))", "sum(exp(clamp(v, 0..30)) for v in xs)"},
    {"erf", "erf(@)", "sum(erf(clamp(v, 0..3)) for v in xs)"},
    {"interpolate", "interpolate(@, [[0, 0], [10, 100]])", "interpolate(x, [[v, v] for v in xs])"},
    {"interpolate_each", "(interpolate(@, [[0, 0], [10, 100]]) default 1)",
     "sum(interpolate(v, [[w, w] for w in xs]) for v in xs)"},
    {"count", "count([@])", "count(xs)"},
    {"count_text", "count(\"{@}\")", "count(t)"},
    {"sum", "sum([@, 1])", "sum(xs)"},
    {"sum_of_fractions", "sum([@, 1 / 3])", "sum(1 / v for v in xs)", "the sum has a denominator of n digits"},
    {"product", "product([@, 1])", "product(xs)", "the product has n digits"},
    {"mean", "mean([@, 1])", "mean(xs)"},
    {"median", "median([@, 1])", "median(xs)"},
    {"geomean", "geomean([@, 1])", "geomean(xs)", "the product has n digits"},
    {"harmonic", "harmonic([@, 1])", "harmonic(xs)", "the sum of 1/v has n digits"},
    {"stdev", "stdev([@, 1])", "stdev(xs)"},
    {"variance", "variance([@, 1])", "variance(xs)"},
    {"slope", "slope([@, 1])", "slope(xs)"},
    {"any", "(1 when any([@ > 1]) else 2)", "any(v < 0 for v in xs)"},
    {"all", "(1 when all([@ > 1]) else 2)", "all(v > 0 for v in xs)"},
    {"first", "first([@])", "first(3, xs)"},
    {"first_all", "first(1, [@])[0]", "first(count(xs), xs)"},
    {"last", "last([@])", "last(count(xs), xs)"},
    {"distinct", "distinct([@])[0]", "count(distinct(xs))"},
    {"distinct_texts", "count(distinct([\"{@}\"]))", "count(distinct(ts))"},
    {"distinct_lists", "count(distinct([[@]]))", "count(distinct([[v, v + 1] for v in xs]))"},
    {"whole_numbers", "(count(whole_numbers(1, floor(clamp(@, 1..3)))) default 1)",
     "count(whole_numbers(1, count(xs)))"},
    {"reverse", "reverse([@])[0]", "count(reverse(xs))"},
    {"flatten", "flatten([[@]])[0]", "count(flatten([[v, v] for v in xs]))"},
    {"position", "(position(@, [1, 2]) default 1)", "(position(x, xs) default 1)"},
    {"rank", "rank(@, [1, 2])", "rank(x, xs)"},
    {"percentile", "percentile(50, [@, 1])", "percentile(50, xs)"},
    {"keys", "count(keys({ a: @ }))", "count(keys(m))"},
    {"values", "values({ a: @ })[0]", "count(values(m))"},
    {"lookup", "{ a: @ }[\"a\"]", "sum(m[k] for k in keys(m))"},
    {"split", "count(split(\"{@}\", \"/\"))", "count(split(t, \"b\"))"},
    {"split_chars", "count(split(\"{@}\", \"\"))", "count(split(t, \"\"))"},
    {"characters", "count(characters(\"{@}\"))", "count(characters(t))"},
    {"words", "count(words(\"{@}\"))", "count(words(t))"},
    {"join", "count(join([\"{@}\"], \"-\"))", "count(join(ts, \"-\"))"},
    {"trim", "count(trim(\" {@}\"))", "count(trim(t))"},
    {"lowercase", "count(lowercase(\"{@}\"))", "count(lowercase(t))"},
    {"number", "(number(\"{@}\") default 1)", "number(t)"},
    {"number_digits", "(number(\"0{@}\") default 1)", "number(digits)"},
    {"duration", "(duration(\"{@}s\") default 1)", "duration(t)"},
    {"duration_digits", "(duration(\"{@}h\") default 1)", "duration(digits + \"s\")"},
    {"starts_with", "(1 when starts_with(\"{@}\", \"1\") else 2)", "starts_with(t, t)"},
    {"ends_with", "(1 when ends_with(\"{@}\", \"1\") else 2)", "ends_with(t, t)"},
    {"contains", "(1 when contains(\"{@}\", \"1\") else 2)", "contains(t, t + \"c\")"},
    {"contains_half", "(1 when contains(\"{@}\", \"1\") else 2)", "contains(t + t, t + \"c\")"},
    {"glob", "(1 when glob(\"{@}\", \"*\") else 2)", "glob(t, \"**/a*b*c*d*e\")"},
    {"glob_pattern", "(1 when glob(\"{@}\", \"*\") else 2)", "glob(t + \"x\", globs)",
     "patterns of n stars over n letters, charged by steps"},
    {"in_order", "(1 when in_order([@], [1, 2]) else 2)", "in_order(xs, xs)"},
    {"in_order_texts", "(1 when in_order([@], [1, 2]) else 2)", "in_order(ts, ts)"},
    // operators over what a record brings
    {"text_equality", "(1 when \"{@}\" == \"1\" else 2)", "t == t + \"\""},
    {"text_order", "(1 when \"{@}\" < \"1\" else 2)", "t < t + \"a\""},
    {"text_each", "(1 when \"{@}\" < \"1\" else 2)", "count(v for v in xs when t == t + \"\")"},
    {"list_equality", "(1 when [@] == [1] else 2)", "xs == [v for v in xs]"},
    {"list_each", "(1 when [@] == [1] else 2)", "count(v for v in xs when xs == xs + [])"},
    {"list_in", "(1 when @ in [1] else 2)", "x in xs"},
    {"list_in_each", "(1 when @ in [1] else 2)", "count(v for v in xs when v in xs)"},
    {"list_sum", "count([@] + [1])", "count(xs + xs)"},
    {"list_sum_each", "count([@] + [1])", "sum(count(xs + [v]) for v in xs)"},
    {"text_sum_each", "count(\"{@}\" + \"a\")", "sum(count(t + \"a\") for v in xs)"},
    {"text_of_list", "count(\"{[@]}\")", "count(\"{xs}\")"},
    {"text_of_fraction", "count(\"{@ / 3}\")", "sum(count(\"{v / 7}\") for v in xs)"},
    {"record_each", "{ a: @ }.a", "count([{ a: v, b: xs } for v in xs])"},
    {"order", "first(v for v in [@] by higher v)", "count([v for v in xs by lower v])"},
    {"order_texts", "count([v for v in [\"{@}\"] by higher v])", "count([v for v in ts by higher v])"},
    {"order_equal_texts", "count([v for v in [\"{@}\"] by higher v])", "count([v for v in ts by higher t + \"\"])"},
    {"group_texts", "count(group(\"{v}\": v for v in [@]))", "count(group(v: v for v in ts))"},
    {"map_texts", "count(map(\"{v}\": v for v in [@]))", "count(map(v: v for v in ts))"},
    {"power_each", "(@ ^ 2)", "sum(v ^ 2 for v in xs)"},
    {"root_each", "(@ ^ 0.5)", "sum(v ^ 0.37 for v in xs)"},
    {"power_of_count", "(@ ^ 2)", "1.7 ^ count(xs)", "the power has n digits"},
    {"quotient_each", "(@ / 7)", "sum(round(v / 7 / 11 / 13, 3) for v in xs)"},
    {"digits_product", "(@ * 1)", "(x + number(digits)) * number(digits)"},
    {"digits_power", "(@ * 1)", "sqrt(number(digits))"},
};

struct Module {
  const char* name;
  const char* import_;
  const char* number;
  const char* list;
  const char* because = "";
};
constexpr Module kModules[] = {
    {"ramp", "import \"std/normalise.rubric\"", "ramp(@, 0, 10)", "sum(ramp(v, 0, 10) for v in xs)"},
    {"inverse_ratio", "import \"std/normalise.rubric\"", "inverse_ratio(@, 3)", "sum(inverse_ratio(v, 3) for v in xs)"},
    {"log_normal", "import \"std/normalise.rubric\"", "log_normal(@, 10, 30)",
     "sum(log_normal(v, 10, 30) for v in xs)"},
    {"logistic", "import \"std/normalise.rubric\"", "logistic(@, 3, 2)", "sum(logistic(v, 3, 2) for v in xs)"},
    {"piecewise", "import \"std/normalise.rubric\"", "piecewise(@, [[0, 0], [9, 1]])",
     "piecewise(x, [[v, v] for v in xs])"},
    {"penalty_per_unit", "import \"std/normalise.rubric\"", "penalty_per_unit(@, 2, 0.1)",
     "sum(penalty_per_unit(v, 2, 0.1) for v in xs)"},
    {"penalty_per_full_unit", "import \"std/normalise.rubric\"", "penalty_per_full_unit(@, 2, 0.1)",
     "sum(penalty_per_full_unit(v, 2, 0.1) for v in xs)"},
    {"diminishing", "import \"std/normalise.rubric\"", "diminishing(@, 10)",
     "sum(round(diminishing(v, 10), 3) for v in xs)"},
    {"soft_cap", "import \"std/normalise.rubric\"", "soft_cap(@, 5, 10)",
     "sum(round(soft_cap(v, 5, 10), 3) for v in xs)"},
    {"z_score", "import \"std/statistics.rubric\"", "z_score(@, [1, 2])", "z_score(x, xs)"},
    {"trimmed_mean", "import \"std/statistics.rubric\"", "trimmed_mean([@, 1], 0.2)", "trimmed_mean(xs, 0.2)"},
    {"weighted_mean", "import \"std/statistics.rubric\"", "weighted_mean([@], [1])", "weighted_mean(xs, xs)"},
    {"weighted_quantile", "import \"std/statistics.rubric\"", "weighted_quantile([@], [1], 0.5)",
     "weighted_quantile(xs, xs, 0.5)"},
    {"mean_interval", "import \"std/statistics.rubric\"", "mean_interval([@, 1], 2).low", "mean_interval(xs, 2).low"},
    {"wilson_interval", "import \"std/statistics.rubric\"", "wilson_interval(@, 100, 2).low",
     "wilson_interval(x, count(xs), 2).low"},
    {"percent_agreement", "import \"std/agreement.rubric\"", "percent_agreement([@], [1])",
     "percent_agreement(xs, xs)"},
    {"cohen_kappa", "import \"std/agreement.rubric\"", "(cohen_kappa([@, 1], [1, 2]) default 1)",
     "cohen_kappa(xs, xs)"},
    {"krippendorff_alpha", "import \"std/agreement.rubric\"", "(krippendorff_alpha([[@, 1], [1, 2]]) default 1)",
     "krippendorff_alpha([[v, v] for v in xs])"},
    {"confidence_level", "import \"std/agreement.rubric\"", "count(confidence_level(@))",
     "sum(count(confidence_level(v)) for v in xs)"},
    {"baseline", "hook baseline(c: text): { tokens, calls, time: number } from \"std/efficiency.lua\"",
     "(baseline(\"{@}\").tokens)", "baseline(t).tokens"},
    {"ratio", "hook ratio(e: number, u: number): number from \"std/efficiency.lua\"", "ratio(3, @)",
     "sum(ratio(3, v) for v in xs)"},
    {"efficiency",
     "hook efficiency(c: text, o: number, f: number, k: number, l: number, m: number): number from "
     "\"std/efficiency.lua\"",
     "efficiency(\"design\", 1, 1, @, 1, 1)", "efficiency(t, 1, 1, 1, 1, 1)"},
    {"reading_ease", "hook reading_ease(t: text): number from \"std/readability.lua\"", "reading_ease(\"a {@}\")",
     "reading_ease(t)"},
    {"reading_grade", "hook reading_grade(t: text): number from \"std/readability.lua\"", "reading_grade(\"a {@}\")",
     "reading_grade(t + t)"},
    {"churn", "hook churn(a: text, b: text): number from \"std/churn.lua\"", "churn(\"a {@}\", \"b\")",
     "churn(t, t + \"b\")"},
};

}  // namespace

// A record whose list, texts, text, map and number grow.
static const char* const kGrowing =
    "\"x\":3,\"xs\":[«,¦$i»],\"ts\":[«,¦\"t$i\"»],\"t\":\"«¦a/b "
    "»\",\"digits\":\"1«¦7»\",\"globs\":\"«¦*a»\",\"m\":{«,¦\"k$i\":$i»}";

void add_list(std::vector<Growth>& all, const std::string& name, const std::string& needs,
              const std::string& expression, const std::string& because) {
  const std::string body =
      "@" + needs +
      "\n$rubric\ninput digits: text default \"1\"\ninput globs: text default \"*\"\noutput r = " + expression +
      "\n}\n";
  all.push_back({name, because, [body](std::size_t n) { return subject_of(body, kGrowing, "", n); }, nullptr, 16});
}

void add_library(std::vector<Growth>& all) {
  for (const Builtin& builtin : kBuiltins) {
    add_form(all, std::string("builtin_") + builtin.name, builtin.number, "");
    add_list(all, std::string("builtin/") + builtin.name, "", builtin.list, builtin.because);
  }
  for (const Module& module : kModules) {
    add_form(all, std::string("module_") + module.name, module.number, module.import_);
    add_list(all, std::string("module/") + module.name, module.import_, module.list, module.because);
  }
  add_standard_library(all);
}

}  // namespace assay_tests
