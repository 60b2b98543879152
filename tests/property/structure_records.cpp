// Records, streams, settings, requests and expressions that grow: what a host hands over besides rubrics.
#include "tests/property/structure.hpp"

#include <assay/assay.hpp>
#include <assay/diff.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

namespace assay_tests {

namespace {

constexpr const char* kRubric = R"(rubric grown "Grown" {
  scale 0..100 decimals 2
  weights rescaled
  type node = { v: number default 0, name: text default "n", parts: list of node default [] }
  input x: number default 3
  input t: text default ""
  input xs: list of number default []
  input ts: list of text default []
  input m: map of number default {}
  input tree: node default {}
  input other: any optional
  input who: text default "a"
  dimension d: number 0..100 weight 60% missing 50
  dimension e: number 0..100 weight 40% missing 50
  output total = sum(xs) + x
  output length = count(t) + count(ts) + sum(m) + (number(t) default 0)
  output shown = tree
  output any_other = other
  rank by higher score, lower total
  cohort { output typical = median(r.score for r in records) }
}
)";

constexpr const char* kSeries = R"(rubric series { scale 0..100 input who: text history by who
  dimension d: number 0..100 weight 100% output last = last(history).score output mean = mean(h.score for h in history) })";

struct Text {
  const char* name;
  const char* record;  // a whole JSON object
  const char* because = "";
};
constexpr Text kRecords[] = {
    {"numbers", "{\"xs\":[«,¦$i»]}"},
    {"decimals", "{\"xs\":[«,¦0.$i»]}", "the sum of decimals of different lengths has the digits of the longest"},
    {"exponents", "{\"xs\":[«,¦1e-3»]}"},
    {"digits", "{\"x\":1«¦7»}"},
    {"fraction", "{\"x\":0.«¦7»}"},
    {"zeros", "{\"x\":0.«¦0»1}"},
    {"big_exponent", "{\"x\":1e$n}"},
    {"small_exponent", "{\"x\":1e-$n}"},
    {"exponent_digits", "{\"x\":1e«¦9»}"},
    {"leading_zeros", "{\"t\":\"«¦0»1\"}"},
    {"text", "{\"t\":\"«¦text »\"}"},
    {"text_digits", "{\"t\":\"«¦7»\"}"},
    {"text_escapes", "{\"t\":\"«¦\\n\\u20AC\\\"»\"}"},
    {"text_invalid", "{\"t\":\"«¦\xff»\"}"},
    {"texts", "{\"ts\":[«,¦\"text $i\"»]}"},
    {"map", "{\"m\":{«,¦\"k$i\":$i»}}"},
    {"map_equal_keys", "{\"m\":{«,¦\"k\":$i»}}"},
    {"map_long_key", "{\"m\":{\"«¦key»\":1}}"},
    {"unknown_keys", "{«,¦\"u$i\":$i»}"},
    {"unknown_equal_keys", "{«,¦\"u\":$i»}"},
    {"unknown_long_key", "{\"«¦key»\":1}"},
    {"near_keys", "{«,¦\"xs$i\":$i»}"},
    {"equal_keys", "{«,¦\"x\":$i»}"},
    {"tree_deep", "{\"tree\":‹{\"parts\":[¦{}¦]}›}"},
    {"tree_wide", "{\"tree\":{\"parts\":[«,¦{\"v\":$i}»]}}"},
    {"tree_wide_wrong", "{\"tree\":{\"parts\":[«,¦{\"v\":\"a\"}»]}}"},
    {"any_deep_list", "{\"other\":‹[¦1¦]›}"},
    {"any_deep_object", "{\"other\":‹{\"a\":¦1¦}›}"},
    {"any_wide", "{\"other\":[«,¦{\"a\":$i}»]}"},
    {"ignored_deep", "{\"ignored\":‹[¦1¦]›}"},
    {"ignored_wide", "{\"ignored\":[«,¦[$i]»]}"},
    {"blanks", "{«¦ \\t»\"x\":1«¦ »}"},
    {"wrong_type_long", "{\"x\":\"«¦long »\"}"},
    {"wrong_number", "{\"d\":1«¦7»}"},
    {"unclosed_lists", "{\"x\":«¦[»}"},
    {"unclosed_text", "{\"t\":\"«¦text »}"},
    {"id", "{\"id\":\"«¦long »\"}"},
};

struct Stream {
  const char* name;
  assay::Format format;
  const char* text;
  const char* because = "";
};
constexpr Stream kStreams[] = {
    {"ndjson", assay::Format::ndjson, "«¦{\"id\":\"r$i\",\"x\":$i}\n»"},
    {"ndjson_blank_lines", assay::Format::ndjson, "«¦\n»"},
    {"ndjson_blanks", assay::Format::ndjson, "«¦   \r\n»"},
    {"ndjson_malformed", assay::Format::ndjson, "«¦{\"x\":\n»"},
    {"ndjson_malformed_long", assay::Format::ndjson, "{\"x\":\"«¦long »\n"},
    {"ndjson_one_long_line", assay::Format::ndjson, "{\"t\":\"«¦long »\"}\n"},
    {"json_array", assay::Format::json, "[«,¦{\"id\":\"r$i\",\"x\":$i}»]"},
    {"json_malformed", assay::Format::json, "[«,¦{\"x\":$i}»"},
    {"json_not_objects", assay::Format::json, "[«,¦$i»]"},
    {"json_deep", assay::Format::json, "«¦[»"},
    {"json_deep_objects", assay::Format::json, "[«¦{\"a\":»"},
    {"json_blanks", assay::Format::json, "[«¦ \n»{}]"},
    {"csv", assay::Format::csv, "id,x\n«¦r$i,$i\n»"},
    {"csv_columns", assay::Format::csv, "x«¦,u$i»\n1«¦,2»\n"},
    {"csv_equal_columns", assay::Format::csv, "x«¦,u»\n1«¦,2»\n"},
    {"csv_deep_header", assay::Format::csv, "x,other«¦.a»\n1,2\n"},
    {"csv_deep_unknown_header", assay::Format::csv, "x,a«¦.a»\n1,2\n"},
    {"csv_many_deep_headers", assay::Format::csv, "x«¦,other.k$i.a.b.c.d»\n1«¦,2»\n"},
    {"csv_shared_headers", assay::Format::csv, "x«¦,m.k$i»\n1«¦,2»\n"},
    {"csv_map_rows", assay::Format::csv, "x«¦,m.k$i»\n1«¦,»\n2«¦,3»\n"},
    {"csv_long_header", assay::Format::csv, "x,«¦long»\n1,2\n"},
    {"csv_list_cell", assay::Format::csv, "x,xs\n1,«;¦$i»\n"},
    {"csv_text_cell", assay::Format::csv, "x,t\n1,\"«¦a\"\"»\"\n"},
    {"csv_number_cell", assay::Format::csv, "x\n1«¦7»\n"},
    {"csv_empty_rows", assay::Format::csv, "x,t\n«¦,\n»"},
    {"csv_blank_lines", assay::Format::csv, "x,t\n«¦\n»"},
    {"csv_long_rows", assay::Format::csv, "x,t\n«¦1,2,3\n»"},
    {"csv_unclosed_quote", assay::Format::csv, "x,t\n1,\"«¦text\n»"},
    {"csv_quotes", assay::Format::csv, "x,t\n«¦\"1\",\"a\"\n»"},
};

const assay::Rubric& rubric_of(const char* text) {
  static std::optional<assay::Rubric> grown, series;
  std::optional<assay::Rubric>& kept = text == kRubric ? grown : series;
  if (!kept) kept = assay::compile("grown.rubric", text).rubric;
  if (!kept) std::abort();  // the rubrics above do not compile
  return *kept;
}

assay::EvaluatorOptions options() { return {{}, structure_limits()}; }

assay::BatchOptions batch_options() {
  assay::BatchOptions result;
  result.evaluator = options();
  return result;
}

assay::RecordReader::Read reading(std::string_view text) {
  return [rest = text](char* buffer, std::size_t room) mutable {
    const std::size_t count = std::min(room, rest.size());
    std::memcpy(buffer, rest.data(), count);
    rest.remove_prefix(count);
    return static_cast<long>(count);
  };
}

void score_record(const Subject& subject, Stages& stages) {
  const assay::Rubric& rubric = rubric_of(kRubric);
  assay::Evaluator evaluator(rubric, options());
  const std::string& record = subject.record;
  const auto steps = [&evaluator](const std::function<void()>& work) {
    const std::uint64_t before = evaluator.statistics().steps;
    work();
    return evaluator.statistics().steps - before;
  };
  stages.run("score", record.size(), [&] { return steps([&] { (void)evaluator.score(record).json(); }); });
  stages.run("again", record.size(), [&] { return steps([&] { (void)evaluator.score(record).json(); }); });
  stages.run("explain", record.size(), [&] { return steps([&] { (void)evaluator.explain(record); }); });
  stages.run("unknown", record.size(), [&] { return std::uint64_t{0 * rubric.unknown_keys(record).size()}; });
  // Indentation grows with the depth, which the result shows.
  stages.run("pretty", record.size() + assay::pretty(record).size(),
             [&] { return std::uint64_t{0 * assay::pretty(record).size()}; });
  stages.run("cells", record.size(), [&] {
    return std::uint64_t{0 * assay::cells(record, {"x", "t", "other"}).size()};
  });
  stages.run("member", record.size(),
             [&] { return std::uint64_t{0 * assay::with_member(record, "x", "2").value_or("").size()}; });
  stages.run("request", record.size(), [&] {
    const std::string request = "{\"op\":\"score\",\"input\":" + record + "}";
    return steps([&] { (void)evaluator.eval(request); });
  });
  stages.run("expression", record.size(),
             [&] { return steps([&] { (void)evaluator.evaluate("x + sum(xs)", record); }); });
  assay::EvaluatorOptions strictly = options();
  strictly.strict = true;
  assay::Evaluator strict(rubric, strictly);
  stages.run("strict", record.size(), [&] {
    (void)strict.score(record).json();
    return strict.statistics().steps;
  });
  for (const int times : {3}) {  // enough for a kernel to be made
    const std::string line = record + "\n";
    std::string lines;
    for (int i = 0; i < times; ++i) lines += line;
    stages.run("batch", lines.size(), [&] {
      assay::Batch batch(rubric, batch_options());
      (void)batch.run({assay::Format::ndjson, reading(lines), {}}, {[](std::string_view) { return true; }, {}});
      return batch.statistics().steps;
    });
  }
}

void read_stream(const Subject& subject, assay::Format format, Stages& stages) {
  const assay::Rubric& rubric = rubric_of(kRubric);
  for (const bool strict : {false, true}) {
    stages.run(strict ? "read strictly" : "read", subject.file.size(), [&] {
      assay::RecordReader reader(format, reading(subject.file), rubric, structure_limits(), strict);
      assay::Record record;
      assay::InputError problem;
      while (reader.next(record, problem) != assay::RecordReader::Status::end) continue;
      return std::uint64_t{0 * reader.columns().size()};
    });
  }
  stages.run("batch", subject.file.size(), [&] {
    assay::Batch batch(rubric, batch_options());
    (void)batch.run({format, reading(subject.file), {}}, {[](std::string_view) { return true; }, {}});
    return batch.statistics().steps;
  });
}

// A series of its own: what is measured, for a size.
void add(std::vector<Growth>& all, const char* name, std::size_t least,
         void (*measured)(std::size_t n, const std::string& text, Stages& stages), const char* text,
         const char* because = "") {
  all.push_back({std::string("use/") + name, because,
                 [text](std::size_t n) {
                   return Subject{"", std::to_string(n), expanded(text, n)};
                 },
                 [measured](const Subject& subject, Stages& stages) {
                   measured(std::strtoull(subject.record.c_str(), nullptr, 10), subject.file, stages);
                 },
                 least});
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

void add_records(std::vector<Growth>& all) {
  for (const Text& text : kRecords) {
    all.push_back({std::string("record/") + text.name, text.because,
                   [&text](std::size_t n) {
                     return Subject{"", expanded(text.record, n), ""};
                   },
                   score_record, 64});
  }
  for (const Stream& stream : kStreams) {
    all.push_back({std::string("stream/") + stream.name, stream.because,
                   [&stream](std::size_t n) {
                     return Subject{"", "", expanded(stream.text, n)};
                   },
                   [&stream](const Subject& subject, Stages& stages) { read_stream(subject, stream.format, stages); },
                   64});
  }
  constexpr const char* kLines = "«\n¦{\"id\":\"r$i\",\"who\":\"a\",\"d\":3}»";
  add(
      all, "history", 64,
      [](std::size_t, const std::string& text, Stages& stages) {
        assay::Evaluator evaluator(rubric_of(kSeries), options());
        stages.run("set_history", text.size(), [&] {
          evaluator.set_history(lines_of(text));
          return std::uint64_t{0};
        });
        stages.run("score", text.size(), [&] {
          (void)evaluator.score("{\"who\":\"a\",\"d\":3}").json();
          return evaluator.statistics().steps;
        });
      },
      kLines);
  add(
      all, "series", 64,
      [](std::size_t, const std::string& text, Stages& stages) {
        stages.run("batch", text.size(), [&] {
          assay::Batch batch(rubric_of(kSeries), batch_options());
          (void)batch.run({assay::Format::ndjson, reading(text), {}}, {[](std::string_view) { return true; }, {}});
          return batch.statistics().steps;
        });
      },
      kLines, "every record sees all those before it, charged by steps");
  add(
      all, "many_series", 64,
      [](std::size_t, const std::string& text, Stages& stages) {
        stages.run("batch", text.size(), [&] {
          assay::Batch batch(rubric_of(kSeries), batch_options());
          (void)batch.run({assay::Format::ndjson, reading(text), {}}, {[](std::string_view) { return true; }, {}});
          return batch.statistics().steps;
        });
      },
      "«\n¦{\"id\":\"r$i\",\"who\":\"w$i\",\"d\":3}»");
  for (const auto& [name, ranked] : {std::pair<const char*, const char*>{"rank", kLines},
                                     {"rank_ties", "«\n¦{\"id\":\"r$i\",\"d\":3}»"},
                                     {"rank_rising", "«\n¦{\"id\":\"r$i\",\"d\":$i}»"},
                                     {"rank_equal_ids", "«\n¦{\"id\":\"r\",\"d\":3}»"}}) {
    add(
        all, name, 64,
        [](std::size_t, const std::string& text, Stages& stages) {
          assay::Evaluator evaluator(rubric_of(kRubric), options());
          const std::vector<std::string> lines = lines_of(text);
          const std::vector<std::string_view> records(lines.begin(), lines.end());
          stages.run("rank", text.size(), [&] {
            std::vector<std::pair<std::size_t, assay::InputError>> errors;
            const assay::Ranking ranking = evaluator.rank_valid(records, errors);
            return evaluator.statistics().steps + 0 * ranking.json().size();
          });
        },
        ranked);
  }
  add(
      all, "cohort", 64,
      [](std::size_t, const std::string& text, Stages& stages) {
        assay::Evaluator evaluator(rubric_of(kRubric), options());
        evaluator.start_cohort();
        for (const std::string& line : lines_of(text)) (void)evaluator.score(line);
        stages.run("cohort", text.size(), [&] {
          const std::uint64_t before = evaluator.statistics().steps;
          (void)evaluator.cohort();
          return evaluator.statistics().steps - before;
        });
      },
      kLines);
  add(
      all, "weights", 64,
      [](std::size_t n, const std::string&, Stages& stages) {
        assay::Evaluator evaluator(rubric_of(kRubric), options());
        assay::Settings settings;
        for (std::size_t i = 0; i < n; ++i)
          settings.weights.emplace_back(i % 2 == 0 ? "d" : "unknown" + std::to_string(i), "0.5");
        stages.run("configure", 32 * n, [&] {
          (void)evaluator.configure(settings);
          return std::uint64_t{0};
        });
      },
      "");
  add(
      all, "long_weight", 64,
      [](std::size_t, const std::string& text, Stages& stages) {
        assay::Evaluator evaluator(rubric_of(kRubric), options());
        stages.run("configure", text.size(), [&] {
          (void)evaluator.configure({{}, {{"d", text}}});
          return std::uint64_t{0};
        });
      },
      "0.«¦1»");
  add(
      all, "contexts", 64,
      [](std::size_t n, const std::string&, Stages& stages) {
        assay::Evaluator evaluator(rubric_of(kRubric), options());
        assay::Settings settings;
        for (std::size_t i = 0; i < n; ++i) settings.contexts.push_back("unknown" + std::to_string(i));
        stages.run("configure", 16 * n, [&] {
          (void)evaluator.configure(settings);
          return std::uint64_t{0};
        });
      },
      "");
  for (const auto& [name, request] :
       {std::pair<const char*, const char*>{"request_weights",
                                            "{\"op\":\"score\",\"input\":{},\"weights\":{«,¦\"w$i\":0.5»}}"},
        {"request_contexts", "{\"op\":\"score\",\"input\":{},\"context\":[«,¦\"c$i\"»]}"},
        {"request_history", "{\"op\":\"score\",\"input\":{},\"history\":[«,¦{\"d\":3}»]}"},
        {"request_rank", "{\"op\":\"rank\",\"inputs\":[«,¦{\"id\":\"r$i\",\"d\":3}»]}"},
        {"request_unknown_keys", "{\"op\":\"score\",\"input\":{},«,¦\"k$i\":1»}"},
        {"request_equal_keys", "{\"op\":\"score\",«,¦\"input\":{}»}"},
        {"request_long_op", "{\"op\":\"«¦op»\"}"},
        {"request_deep", "‹{\"op\":¦1¦}›"},
        {"request_long_weight", "{\"op\":\"score\",\"input\":{},\"weights\":{\"d\":0.«¦7»}}"},
        {"request_garbage", "«¦{]»"}}) {
    add(
        all, name, 64,
        [](std::size_t, const std::string& text, Stages& stages) {
          assay::Evaluator evaluator(rubric_of(kRubric), options());
          stages.run("request", text.size(), [&] {
            (void)evaluator.eval(text);
            return evaluator.statistics().steps;
          });
        },
        request);
  }
  for (const auto& [name, expression] : {std::pair<const char*, const char*>{"expression_width", "« + ¦x»"},
                                         {"expression_nesting", "‹(¦x¦)›"},
                                         {"expression_list", "count([«, ¦$i»])"},
                                         {"expression_unknown", "« + ¦unknown$i»"},
                                         {"expression_text", "\"«¦{x} »\""}}) {
    add(
        all, name, 16,
        [](std::size_t, const std::string& text, Stages& stages) {
          assay::Evaluator evaluator(rubric_of(kRubric), options());
          stages.run("evaluate", text.size(), [&] {
            (void)evaluator.evaluate(text, "{\"x\":3}");
            return evaluator.statistics().steps;
          });
        },
        expression);
  }
  add(
      all, "member_path", 64,
      [](std::size_t, const std::string& text, Stages& stages) {
        stages.run("with_member", text.size(),
                   [&] { return std::uint64_t{0 * assay::with_member("{}", text, "1").value_or("").size()}; });
      },
      "a«¦.a»");
  add(
      all, "member_value", 64,
      [](std::size_t, const std::string& text, Stages& stages) {
        stages.run("with_member", text.size(),
                   [&] { return std::uint64_t{0 * assay::with_member("{}", "a", text).value_or("").size()}; });
      },
      "«¦[»");
  add(
      all, "unknown_columns", 64,
      [](std::size_t n, const std::string&, Stages& stages) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < n; ++i) names.push_back("unknown" + std::to_string(i) + ".tree.parts");
        stages.run("columns", 24 * n,
                   [&] { return std::uint64_t{0 * rubric_of(kRubric).unknown_columns(names, n).size()}; });
      },
      "");
  add(
      all, "long_column", 64,
      [](std::size_t, const std::string& text, Stages& stages) {
        stages.run("columns", text.size(),
                   [&] { return std::uint64_t{0 * rubric_of(kRubric).unknown_columns({text}, 100).size()}; });
      },
      "a«¦.a»");
  add(
      all, "explain_name", 64,
      [](std::size_t, const std::string& text, Stages& stages) {
        assay::Evaluator evaluator(rubric_of(kRubric), options());
        stages.run("explain", text.size(), [&] {
          (void)evaluator.explain("{}", text);
          return evaluator.statistics().steps;
        });
      },
      "a«¦.a»");
  for (const auto& [name, body] : {std::pair<const char*, const char*>{"diff_outputs", "«\n¦output o$i = x + $i»"},
                                   {"diff_expression", "output o = « + ¦x»"},
                                   {"diff_names", "«\n¦input i$i: number default 1»"},
                                   {"diff_rows", "table t(k) { | k | v | «¦| $i | $i |\n» }\noutput o = t(x)"}}) {
    add(
        all, name, 16,
        [](std::size_t, const std::string& text, Stages& stages) {
          std::string other = text;
          for (char& letter : other) letter = letter == 'x' ? 'y' : letter == '1' ? '2' : letter;
          const std::string head = "rubric r { input x, y: number default 1 ";
          const assay::Compiled a = assay::compile("a.rubric", head + text + "}"),
                                b = assay::compile("b.rubric", head + other + "}");
          if (!a.rubric || !b.rubric) {
            stages.refused();
            return;
          }
          stages.run("diff", 2 * text.size(),
                     [&] { return std::uint64_t{0 * assay::differences(*a.rubric, *b.rubric).size()}; });
        },
        body);
  }
}

}  // namespace assay_tests
