// Measures how cost grows. `assay-growth [SERIES…] [--rounds N]` generates rubrics and records of growing size, and
// prints for each series the cost of compiling, scoring and memory, in total and per element, so that linear costs stay
// constant. The last line of a series is the growth exponent between its last but one and its last size: 1 is linear, 2
// quadratic, 0 constant. Every size is measured in a separate process, for its peak memory. Times are processor time,
// medians of rounds. docs/performance.md has the table and explains the curves.
#include "tests/bench/workload.hpp"

#include <assay/batch.hpp>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>

namespace {

using bench::fail;

int rounds = 5;

std::string s(std::size_t i) { return std::to_string(i); }

std::string decimal(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.15g", value);
  return text;
}

// "f(0),f(1),f(2)"
std::string listed(std::size_t count, const char* between, const std::function<std::string(std::size_t)>& item) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += between;
    out += item(i);
  }
  return out;
}

// The step of an interval divided into n parts, as a decimal whose n-fold does not exceed the interval.
double step(double whole, std::size_t n, std::size_t i) {
  return std::floor(whole * static_cast<double>(i) / static_cast<double>(n) * 1e6) / 1e6;
}

// The measurements at one size.
struct Subject {
  std::string rubric;
  std::string record;
  std::vector<std::string> fields = {"id", "score"};  // the requested fields
  std::size_t records = 0;                            // of a stream; 0: limited by the time
};

struct Figures {
  double compile = -1, prepare = -1, whole = -1, fields = -1;  // seconds; negative: not measured
  double bytes = -1;
};

// The seconds of one call: the median of rounds of some milliseconds.
double timed(const std::function<void()>& work) {
  work();
  double start = bench::cpu_seconds();
  work();
  const double once = bench::cpu_seconds() - start;
  const auto calls = static_cast<std::size_t>(std::max(1.0, 0.004 / std::max(once, 1e-8)));
  std::vector<double> times;
  for (int r = 0; r < rounds; ++r) {
    start = bench::cpu_seconds();
    for (std::size_t i = 0; i < calls; ++i) work();
    times.push_back((bench::cpu_seconds() - start) / static_cast<double>(calls));
    if (times.back() > 5) break;
  }
  return bench::median(times);
}

std::string with_id(const std::string& record, std::size_t i) {
  return "{\"id\":\"r" + s(i) + "\"" + (record == "{}" ? "}" : "," + record.substr(1));
}

// The seconds per record of a stream.
double streamed(const assay::Rubric& rubric, const Subject& subject, std::size_t count, bool few) {
  assay::BatchOptions options;
  if (few) options.evaluator.fields = subject.fields;
  assay::Batch batch(rubric, options);
  if (batch.error() != nullptr) fail(batch.error()->message);
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, 1000) && text.size() < (1u << 20); ++i) {
    text += with_id(subject.record, i) + "\n";
  }
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  const auto run = [&](std::size_t times) {  // repeats the lines
    std::size_t at = 0;
    assay::BatchInput input;
    input.read = [&](char* buffer, std::size_t size) -> long {
      if (at == text.size()) {
        if (--times == 0) return 0;
        at = 0;
      }
      const std::size_t n = text.copy(buffer, size, at);
      at += n;
      return static_cast<long>(n);
    };
    assay::BatchOutput output;
    std::size_t written = 0;
    output.write = [&](std::string_view block) {
      written += block.size();
      return true;
    };
    output.rejected = [](std::uint64_t, const assay::InputError& error) { fail(error.path + ": " + error.message); };
    batch.run(input, output);
    if (written == 0) fail("nothing was written");
  };
  const std::size_t passes = (count + lines - 1) / lines;
  return timed([&] { run(passes); }) / static_cast<double>(passes * lines);
}

Figures measure(const Subject& subject, bool compiling) {
  Figures f;
  if (compiling) f.compile = timed([&] { bench::compiled("growth.rubric", subject.rubric); });
  const assay::Rubric rubric = bench::compiled("growth.rubric", subject.rubric);
  if (compiling) f.prepare = timed([&] { assay::Evaluator evaluator(rubric); });
  if (subject.record.empty()) return f;
  const std::size_t most = (std::size_t{1} << 21) / (subject.record.size() + 1);
  const std::size_t count =
      subject.records > 0 ? subject.records : std::min<std::size_t>(std::max<std::size_t>(most, 64), 2000);
  f.fields = streamed(rubric, subject, count, true);
  f.whole = streamed(rubric, subject, std::min<std::size_t>(count, 1'000'000), false);
  return f;
}

struct Series {
  const char* name;
  const char* what;  // the growing element
  std::vector<std::size_t> sizes;
  std::function<Figures(std::size_t)> figures;
};

// ---- rubrics and records

Subject around(const std::string& items, const std::string& record = "\"d\":50") {
  return {"rubric growth \"Growth\" {\n  scale 0..100 decimals 2\n  dimension d weight 100%\n" + items + "}\n",
          "{" + record + "}"};
}

Subject each(std::size_t n, const std::function<std::string(std::size_t)>& line) {
  return around(listed(n, "", [&](std::size_t i) { return "  " + line(i) + "\n"; }));
}

std::string above(std::size_t n, std::size_t i) { return " when d > " + decimal(step(100, n, i)); }

Subject judge(std::size_t records) {
  Subject subject;
  subject.rubric = bench::file_text(std::string(ASSAY_SOURCE_DIR) + "/tests/bench/workloads/judge.rubric");
  subject.record = R"({"scores":{"correctness":8.25,"completeness":9,"adherence":7.5,"actionability":6,"efficiency":8,)"
                   R"("safety":9.75,"consistency":5},"red_flags":["missing_tests"],"bonuses":["minimal_diff"]})";
  subject.fields = {"id", "score", "grade"};
  subject.records = records;
  return subject;
}

Subject dimensions(std::size_t n, bool shuffled) {
  Subject subject;
  subject.rubric = "rubric growth {\n  scale 0..100 decimals 2\n";
  for (std::size_t i = 0; i < n; ++i)
    subject.rubric += "  dimension d" + s(i) + " weight " + decimal(100.0 / static_cast<double>(n)) + "%\n";
  subject.rubric += "}\n";
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::uint64_t random = 7;
  for (std::size_t i = n; shuffled && i > 1; --i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    std::swap(order[i - 1], order[(random >> 33) % i]);
  }
  subject.record =
      "{" + listed(n, ",", [&](std::size_t i) { return "\"d" + s(order[i]) + "\":" + s(order[i] % 100) + ".5"; }) + "}";
  return subject;
}

Subject criteria(std::size_t n) {
  Subject subject;
  subject.rubric = "rubric growth {\n  scale 0..100 decimals 2\n  dimension whole weight 100 {\n";
  for (std::size_t i = 0; i < n; ++i)
    subject.rubric +=
        "    criterion d" + s(i) + ": number 0..1 weight " + decimal(100.0 / static_cast<double>(n)) + "\n";
  subject.rubric += "  }\n}\n";
  subject.record = "{" + listed(n, ",", [](std::size_t i) { return "\"d" + s(i) + "\":0." + s(i % 10); }) + "}";
  return subject;
}

Subject levels(std::size_t n) {
  std::string text = "rubric growth {\n  scale 0..100 decimals 2\n";
  for (std::size_t i = 0; i < n; ++i)
    text +=
        (i == 0 ? "dimension d" : "criterion d") + s(i) + (i + 1 < n ? " weight 100 {\n" : ": number 0..1 weight 100");
  for (std::size_t i = 0; i < n; ++i) text += "}";
  return {text + "\n", "{\"d" + s(n - 1) + "\":0.5}"};
}

Subject bands(std::size_t n) {
  std::string text = "  bands grade(score) {\n    | score | grade |\n";
  for (std::size_t i = 0; i < n; ++i)
    text += "    | >= " + decimal(i + 1 == n ? 0 : 100 - step(100, n, i + 1)) + " | \"g" + s(i) + "\" |\n";
  Subject subject = around(text + "  }\n");
  subject.fields = {"id", "score", "grade"};
  return subject;
}

enum class Rows { values, bounds, overlapping };

Subject rows(std::size_t n, Rows kind) {
  std::string text = kind == Rows::values ? "  input k: text\n" : "  input k: number 0..100\n";
  text += "  table t(k) {\n    | k | v |\n";
  for (std::size_t i = 0; i < n; ++i) {
    const double low = step(100, n, n - 1 - i);
    text += "    | " +
            (kind == Rows::values   ? "\"k" + s(i) + "\""
             : kind == Rows::bounds ? ">= " + decimal(low)
                                    : decimal(low) + ".." + decimal(low + 0.000001 + step(200, n, 1))) +
            " | " + s(i) + " |\n";
  }
  Subject subject = around(text + "  }\n  output v = t(k)\n",
                           kind == Rows::values ? "\"d\":50,\"k\":\"k" + s(n / 2) + "\"" : "\"d\":50,\"k\":50");
  subject.fields = {"id", "score", "v"};
  return subject;
}

// Rows with three keys: a cube cut along its sides, so that almost all bounds differ.
Subject regions(std::size_t n) {
  struct Box {
    double low[3], high[3];
  };
  std::vector<Box> all{{{0, 0, 0}, {100, 100, 100}}};
  std::uint64_t random = 7;
  while (all.size() < n) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const std::size_t side = (random >> 33) % 3, at = (random >> 48) % all.size();
    Box other = all[at];
    const double part = 0.3 + 0.4 * static_cast<double>((random >> 36) % 1000) / 1000;
    const double cut = other.low[side] + part * (other.high[side] - other.low[side]);
    all[at].high[side] = other.low[side] = std::floor(cut * 1e9) / 1e9;
    all.push_back(other);
  }
  std::string text = "  input x, y, z: number 0..100\n  bands b(x, y, z) {\n    | x | y | z | b |\n";
  for (std::size_t i = 0; i < n; ++i) {
    text += "    |";
    for (std::size_t k = 0; k < 3; ++k) {
      const bool last = all[i].high[k] == 100;
      text += " >= " + decimal(all[i].low[k]) + (last ? " <= " : " < ") + decimal(all[i].high[k]) + " |";
    }
    text += " \"b" + s(i) + "\" |\n";
  }
  Subject subject = around(text + "  }\n", "\"d\":50,\"x\":50,\"y\":20,\"z\":70");
  subject.fields = {"id", "score", "b"};
  return subject;
}

// A list of n numbers, texts or records, and computations on it.
Subject list(std::size_t n, const char* type, const char* expression,
             const std::function<std::string(std::size_t)>& item) {
  Subject subject = around(std::string("  input xs: ") + type + "\n  output v = " + expression + "\n",
                           "\"d\":50,\"xs\":[" + listed(n, ",", item) + "]");
  subject.fields = {"id", "score", "v"};
  return subject;
}

std::string some_number(std::size_t i) { return s(i * 7919 % 1000) + "." + s(i % 10); }
std::string some_text(std::size_t i) { return "\"t" + s(i) + "\""; }

Subject tree(std::size_t depth, std::size_t width) {
  std::string node = "{\"met\":true}";
  for (std::size_t i = 0; i < depth; ++i)
    node = "{\"parts\":[" + listed(i == 0 ? width : 1, ",", [&](std::size_t) { return node; }) + "]}";
  Subject subject{
      "type goal = { weight: number >= 0 default 1, met: bool default false, parts: list of goal default [] }\n"
      "rubric growth {\n  scale 0..1 decimals 4\n  input goal: goal\n"
      "  fn grade(g: goal) = (1 when g.met else 0) when count(g.parts) == 0\n"
      "    else sum(p.weight * grade(p) for p in g.parts) / sum(p.weight for p in g.parts) default 0\n"
      "  composite = clamp(grade(goal) default 0, 0..1)\n}\n",
      "{\"goal\":" + node + "}"};
  return subject;
}

Subject with_map(std::size_t n) {
  Subject subject = around(
      "  input m: map of number\n  output v = sum(m)\n",
      "\"d\":50,\"m\":{" + listed(n, ",", [](std::size_t i) { return "\"k" + s(i) + "\":" + s(i % 100); }) + "}");
  subject.fields = {"id", "score", "v"};
  return subject;
}

// ---- several rubrics or records

Figures rubrics(std::size_t n) {
  const std::string text = judge(0).rubric;
  Figures f;
  std::vector<assay::Rubric> all;
  std::vector<std::unique_ptr<assay::Evaluator>> evaluators;
  const double start = bench::cpu_seconds();
  for (std::size_t i = 0; i < n; ++i) all.push_back(bench::compiled("r" + s(i), text));
  f.compile = bench::cpu_seconds() - start;
  const double made = bench::cpu_seconds();
  for (const assay::Rubric& rubric : all) evaluators.push_back(std::make_unique<assay::Evaluator>(rubric));
  f.prepare = bench::cpu_seconds() - made;
  const std::string record = with_id(judge(0).record, 1);
  std::size_t at = 0;
  f.whole = timed([&] {  // each with a different one
              for (int i = 0; i < 1000; ++i) {
                if (evaluators[at++ % n]->score(record).error() != nullptr) fail("a record was rejected");
              }
            }) /
            1000;
  return f;
}

Figures ranking(std::size_t n) {
  const assay::Rubric rubric = bench::compiled("growth.rubric", around("  rank by higher score\n").rubric);
  std::vector<std::string> records;
  for (std::size_t i = 0; i < n; ++i) records.push_back(with_id("{\"d\":" + s(i * 7919 % 101) + "}", i));
  const std::vector<std::string_view> views(records.begin(), records.end());
  assay::Evaluator evaluator(rubric);
  Figures f;
  f.whole = timed([&] {
    assay::Ranking places;
    bench::must(evaluator.rank(views, places));
  });
  return f;
}

Figures history(std::size_t n) {
  const assay::Rubric rubric =
      bench::compiled("growth.rubric", around("  output v = mean(h.score for h in history) default 0\n").rubric);
  std::vector<std::string> records;
  for (std::size_t i = 0; i < n; ++i) records.push_back(with_id("{\"d\":" + s(i % 101) + "}", i));
  assay::Evaluator evaluator(rubric, {{"id", "score", "v"}, {}});
  evaluator.set_history(records);
  Figures f;
  f.fields = timed([&] {
    if (evaluator.score("{\"d\":50}").error() != nullptr) fail("a record was rejected");
  });
  return f;
}

// A stream of n records of one subject, each with the earlier ones as its history.
Figures series(std::size_t n, const char* items) {
  Subject subject = around(std::string("  input who: text\n  history by who\n") + items, "\"d\":50,\"who\":\"a\"");
  subject.fields = {"id", "score", "v"};
  const assay::Rubric rubric = bench::compiled("growth.rubric", subject.rubric);
  Figures f;
  const int kept = rounds;
  rounds = 1;
  f.fields = timed([&] {
    assay::Evaluator evaluator(rubric, {subject.fields, {}});
    for (std::size_t i = 0; i < n; ++i) {
      if (evaluator.score(with_id(subject.record, i)).error() != nullptr) fail("a record was rejected");
    }
  });
  rounds = kept;
  return f;
}

Figures cohort(std::size_t n) {
  const assay::Rubric rubric = bench::compiled(
      "growth.rubric", around("  cohort {\n    output typical = median(r.score for r in records)\n  }\n").rubric);
  std::vector<std::string> records;
  for (std::size_t i = 0; i < n; ++i) records.push_back(with_id("{\"d\":" + s(i * 7919 % 101) + "}", i));
  assay::Evaluator evaluator(rubric);
  Figures f;
  f.whole = timed([&] {
    evaluator.start_cohort();
    for (const std::string& record : records) {
      if (evaluator.score(record).error() != nullptr) fail("a record was rejected");
    }
    if (evaluator.cohort().find("typical") == std::string_view::npos) fail("no cohort");
  });
  return f;
}

std::vector<Series> all_series() {
  using Sizes = std::vector<std::size_t>;
  const Sizes thousand = {1, 10, 100, 1000};
  const Sizes items = {1, 10, 100, 1000, 10'000};
  std::vector<Series> all;
  const auto add = [&](const char* name, const char* what, Sizes sizes, std::function<Subject(std::size_t)> subject,
                       bool compiling = true) {
    all.push_back({name, what, std::move(sizes), [subject = std::move(subject), compiling](std::size_t n) {
                     return measure(subject(n), compiling);
                   }});
  };
  all.push_back(
      {"records", "records of a stream, judge", {1000, 10'000, 100'000, 1'000'000, 10'000'000}, [](std::size_t n) {
         Figures f = measure(judge(n), false);
         f.fields *= static_cast<double>(n);
         f.whole *= static_cast<double>(n);
         return f;
       }});
  add("dimensions", "dimensions", thousand, [](std::size_t n) { return dimensions(n, false); });
  add("shuffled", "dimensions, keys of the record in any order", thousand,
      [](std::size_t n) { return dimensions(n, true); });
  add("criteria", "criteria of one dimension", thousand, criteria);
  add("levels", "levels of criteria", {1, 5, 20, 60}, levels);
  add("bands", "bands", {2, 10, 100, 1000}, bands);
  add("values", "rows of a table, texts", items, [](std::size_t n) { return rows(n, Rows::values); });
  add("bounds", "rows of a table, bounds in order", items, [](std::size_t n) { return rows(n, Rows::bounds); });
  add("overlapping", "rows of a table, ranges that overlap", items,
      [](std::size_t n) { return rows(n, Rows::overlapping); });
  add("regions", "rows of bands over three keys", thousand, regions);
  add("gates", "gates", thousand, [](std::size_t n) {
    return each(n, [n](std::size_t i) { return "gate g" + s(i) + " = d >= " + decimal(step(100, n, i)); });
  });
  add("deductions", "deductions", thousand, [](std::size_t n) {
    return each(n, [n](std::size_t i) { return "deduction x" + s(i) + " = 0.01" + above(n, i); });
  });
  add("caps", "caps on the score", thousand, [](std::size_t n) {
    return each(n, [n](std::size_t i) { return "cap score at " + decimal(50 + step(10, n, i)) + above(n, i); });
  });
  add("flags", "flags", thousand,
      [](std::size_t n) { return each(n, [n](std::size_t i) { return "flag f" + s(i) + above(n, i); }); });
  add("checks", "checks", thousand, [](std::size_t n) {
    return each(n, [](std::size_t i) { return "check d >= -" + s(i) + " at d \"c" + s(i) + "\""; });
  });
  add("outputs", "outputs", thousand,
      [](std::size_t n) { return each(n, [](std::size_t i) { return "output o" + s(i) + " = d + " + s(i); }); });
  add("functions", "functions", thousand, [](std::size_t n) {
    return each(n, [](std::size_t i) {
      return "fn f" + s(i) + "(x) = x + " + s(i) + "\n  output o" + s(i) + " = f" + s(i) + "(d)";
    });
  });
  add("inputs", "inputs that nothing uses", thousand, [](std::size_t n) {
    return around(listed(n, "", [](std::size_t i) { return "  input i" + s(i) + ": number 0..10\n"; }),
                  "\"d\":50," + listed(n, ",", [](std::size_t i) { return "\"i" + s(i) + "\":" + s(i % 10); }));
  });
  add("choices", "texts of 'one of'", items, [](std::size_t n) {
    Subject subject = around("  input k: one of (" + listed(n, ", ", some_text) + ")\n  output v = k == \"t0\"\n",
                             "\"d\":50,\"k\":\"t" + s(n - 1) + "\"");
    subject.fields = {"id", "score", "v"};
    return subject;
  });
  add("literals", "texts of a list in the rubric, searched", items, [](std::size_t n) {
    Subject subject = around("  input k: text\n  output v = k in [" + listed(n, ", ", some_text) + "]\n",
                             "\"d\":50,\"k\":\"t" + s(n - 1) + "\"");
    subject.fields = {"id", "score", "v"};
    return subject;
  });
  add("contexts", "contexts", thousand, [](std::size_t n) {
    return Subject{
        "rubric growth {\n  scale 0..100\n  weights rescaled\n  dimension d weight 50%\n  dimension e weight 50%\n" +
            listed(n, "",
                   [n](std::size_t i) {
                     return "  context c" + s(i) + " { weight d " + decimal(step(100, n, i)) + "% }\n";
                   }) +
            "}\n",
        "{\"d\":50,\"e\":20}"};
  });
  add(
      "unknown", "keys of the record that the rubric does not name", items,
      [](std::size_t n) {
        return around("", listed(n, ",", [](std::size_t i) { return "\"u" + s(i) + "\":" + s(i); }) + ",\"d\":50");
      },
      false);
  add(
      "sum", "list items, summed", items,
      [](std::size_t n) { return list(n, "list of number", "sum(xs)", some_number); }, false);
  add(
      "count", "list items, counted by a condition", items,
      [](std::size_t n) { return list(n, "list of number", "count(x for x in xs when x > 500)", some_number); }, false);
  add(
      "distinct", "list items, texts, distinct", items,
      [](std::size_t n) { return list(n, "list of text", "count(distinct(xs))", some_text); }, false);
  add(
      "set", "items of a set of texts", items,
      [](std::size_t n) { return list(n, "set of text", "count(xs)", some_text); }, false);
  add(
      "sorted", "list items, sorted", items,
      [](std::size_t n) { return list(n, "list of number", "first(x for x in xs by higher x)", some_number); }, false);
  add(
      "median", "list items, median", items,
      [](std::size_t n) { return list(n, "list of number", "median(xs)", some_number); }, false);
  add(
      "grouped", "list items, grouped", items,
      [](std::size_t n) { return list(n, "list of text", "count(keys(group(x: x for x in xs)))", some_text); }, false);
  add(
      "nested", "list items, each looked up among all", {1, 10, 100, 1000},
      [](std::size_t n) { return list(n, "list of text", "count(x for x in xs when x in xs)", some_text); }, false);
  add(
      "pairs", "list items, each with each", {1, 10, 100, 1000},
      [](std::size_t n) {
        return list(n, "list of number", "count(x for x in xs for y in xs when x > y)", some_number);
      },
      false);
  add(
      "places", "list items, the rank of each", {1, 10, 100, 1000},
      [](std::size_t n) { return list(n, "list of number", "sum(rank(x, xs) for x in xs)", some_number); }, false);
  add("map", "keys of a map", items, with_map, false);
  add(
      "deep", "levels of a tree in the record", {1, 10, 40, 95}, [](std::size_t n) { return tree(n, 1); }, false);
  add(
      "wide", "leaves of a tree in the record", items, [](std::size_t n) { return tree(1, n); }, false);
  add(
      "text", "bytes of a text in the record", {10, 1000, 100'000, 1'000'000},
      [](std::size_t n) {
        Subject subject =
            around("  input t: text\n  output v = count(words(t))\n",
                   "\"d\":50,\"t\":\"" + listed(n / 5, "", [](std::size_t) { return std::string("word "); }) + "\"");
        subject.fields = {"id", "score", "v"};
        return subject;
      },
      false);
  all.push_back({"rubrics", "rubrics loaded, judge", thousand, rubrics});
  all.push_back({"ranking", "records ranked", {10, 100, 1000, 10'000, 100'000}, ranking});
  all.push_back({"history", "records of a history", {1, 10, 100, 1000, 10'000}, history});
  all.push_back(
      {"series", "records of one series, each seeing the last before it", {10, 100, 1000, 10'000}, [](std::size_t n) {
         return series(n, "  output v = (last(history).score default 0) + 1\n");
       }});
  all.push_back({"averaged",
                 "records of one series, each with the mean of those before it",
                 {10, 100, 1000, 10'000},
                 [](std::size_t n) { return series(n, "  output v = mean(h.score for h in history) default 0\n"); }});
  all.push_back({"cohort", "records of a cohort", {10, 100, 1000, 10'000, 100'000}, cohort});
  return all;
}

// ---- running

Figures in_child(const Series& of, std::size_t n) {
  int ends[2];
  if (pipe(ends) != 0) fail("no pipe");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child < 0) fail("no process");
  if (child == 0) {
    const Figures f = of.figures(n);
    const bool good = write(ends[1], &f, sizeof f) == static_cast<ssize_t>(sizeof f);
    _exit(good ? 0 : 2);
  }
  close(ends[1]);
  Figures f;
  const bool good = read(ends[0], &f, sizeof f) == static_cast<ssize_t>(sizeof f);
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (!good || status != 0) fail(std::string(of.name) + " " + s(n) + " could not be measured");
  f.bytes = static_cast<double>(usage.ru_maxrss) * 1024;
  return f;
}

std::string seconds(double value) {
  char text[32];
  const char* const units[] = {"ns", "us", "ms", "s"};
  double shown = value * 1e9;
  std::size_t u = 0;
  while (shown >= 1000 && u < 3) shown /= 1000, ++u;
  std::snprintf(text, sizeof text, "%.3g %s", shown, units[u]);
  return text;
}

void run(const Series& of) {
  std::printf("\n%s: %s\n%10s", of.name, of.what, "");
  for (const char* head : {"compile", "each", "prepare", "each", "whole", "each", "fields", "each", "peak"})
    std::printf(" %9s", head);
  std::printf("\n");
  std::vector<Figures> figures;
  for (const std::size_t n : of.sizes) {
    const Figures& f = figures.emplace_back(in_child(of, n));
    std::printf("%10zu", n);
    for (const double value : {f.compile, f.prepare, f.whole, f.fields}) {
      std::printf(" %9s %9s", value < 0 ? "" : seconds(value).c_str(),
                  value < 0 ? "" : seconds(value / static_cast<double>(n)).c_str());
    }
    std::printf(" %6.1f MB\n", f.bytes / 1e6);
  }
  const Figures &a = figures[figures.size() - 2], &b = figures.back();
  const double times = static_cast<double>(of.sizes.back()) / static_cast<double>(of.sizes[of.sizes.size() - 2]);
  std::printf("%10s", "exponent");
  for (const auto& [from, to] :
       {std::pair{a.compile, b.compile}, {a.prepare, b.prepare}, {a.whole, b.whole}, {a.fields, b.fields}}) {
    if (from <= 0) std::printf(" %9s %9s", "", "");
    else std::printf(" %9s %9.2f", "", std::log(to / from) / std::log(times));
  }
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> wanted;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--rounds") == 0 && i + 1 < argc) rounds = std::max(1, std::atoi(argv[++i]));
    else wanted.emplace_back(argv[i]);
  }
  const std::vector<Series> all = all_series();
  for (const std::string& name : wanted) {
    if (std::any_of(all.begin(), all.end(), [&](const Series& of) { return of.name == name; })) continue;
    std::string names;
    for (const Series& of : all) names += std::string(" ") + of.name;
    fail("usage: assay-growth [SERIES…] [--rounds N]; series:" + names);
  }
  for (const Series& of : all) {
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), of.name) != wanted.end()) run(of);
  }
  return 0;
}
