// Runs the `example` blocks of a rubric: each is a request, answered by an ordinary evaluator. Results are compared as
// in the conformance contract: every expected key must be present with an equal value, numbers are compared as exact
// decimals, other keys may have any value.
#include "runtime/json/json_tree.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <algorithm>

namespace assay {

namespace {

using Kind = JsonNode::Kind;

std::string shown(const JsonNode& node) {
  std::string json;
  write_json(node, json);
  return shorten(std::move(json), 200);
}

class Comparison {
 public:
  std::vector<std::string> differences;

  void compare_nodes(const JsonNode& expected, const JsonNode& got, const std::string& path) {
    if (expected.kind != got.kind) return differ(expected, got, path);
    switch (expected.kind) {
      case Kind::object:
        for (const auto& [key, value] : expected.members) {
          const std::string inner = path.empty() ? key : path + "." + key;
          const JsonNode* found = got.find(key);
          if (found == nullptr) {
            differences.push_back(inner + ": expected " + shown(value) + ", but it is not there");
          } else {
            compare_nodes(value, *found, inner);
          }
        }
        return;
      case Kind::list:
        if (expected.items.size() != got.items.size()) return differ(expected, got, path);
        for (std::size_t i = 0; i < expected.items.size(); ++i) {
          compare_nodes(expected.items[i], got.items[i], path + "[" + std::to_string(i) + "]");
        }
        return;
      case Kind::number: {
        Number a, b;
        const bool equal =
            parse_decimal(expected.raw, a, pool_) && parse_decimal(got.raw, b, pool_) && compare(a, b) == 0;
        if (!equal) differ(expected, got, path);
        return;
      }
      case Kind::text:
        if (expected.text != got.text) differ(expected, got, path);
        return;
      default:
        if (expected.raw != got.raw) differ(expected, got, path);
    }
  }

 private:
  void differ(const JsonNode& expected, const JsonNode& got, const std::string& path) {
    differences.push_back((path.empty() ? "the verdict" : path) + ": expected " + shown(expected) + ", got " +
                          shown(got));
  }

  NumberPool pool_;
};

std::string request_of(const ExampleModel& example, const std::string& given, const char* op) {
  std::string request = std::string("{\"op\":\"") + op + (given.front() == '[' ? "\",\"inputs\":" : "\",\"input\":");
  request += given;
  if (!example.history.empty()) request += ",\"history\":" + example.history;
  if (!example.context.empty()) request += ",\"context\":" + example.context;
  if (!example.weights.empty()) request += ",\"weights\":" + example.weights;
  return request + '}';
}

// Whether the cohort block reads the rejected records.
bool answers_for_rejected(const Rubric& rubric) {
  const Model& model = *rubric.impl().model;
  return model.rubrics[static_cast<std::size_t>(rubric.impl().rubric().cohort.rubric)].slots.size() > 1;
}

// Scores a record; a list of records is ranked, and treated as a run whose cohort is computed.
std::string answer_of(const ExampleModel& example, const Rubric& rubric, Evaluator& evaluator) {
  const std::string given = example.given.empty() ? "{}" : example.given;
  if (given.front() != '[') return std::string(evaluator.eval(request_of(example, given, "score")));
  std::string ranking;
  if (rubric.ranked()) ranking = evaluator.eval(request_of(example, given, "rank"));
  if (!rubric.has_cohort()) return ranking;
  const std::string run(evaluator.eval(request_of(example, given, "cohort")));
  const auto rejected = [](std::string_view answer) { return answer.starts_with("{\"error\":{\"path\":"); };
  if (rejected(run)) return run;
  JsonNode answer, expected, records;
  JsonProblem problem;
  parse_json(run, answer, problem);
  parse_json(given, records, problem);
  const std::vector<JsonNode>& verdicts = answer.find("verdicts")->items;
  // A rejected record fails the example, unless the example expects something of such a record.
  const bool told = parse_json(example.expect, expected, problem) && expected.find("verdicts") != nullptr;
  std::string good;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    const bool without = rejected(verdicts[i].raw);
    if (without && !told && !answers_for_rejected(rubric)) return std::string(verdicts[i].raw);
    if (!without) (good += good.empty() ? '[' : ',') += records.items[i].raw;
  }
  if (rejected(ranking) && example.error) return ranking;
  if (rejected(ranking) && !good.empty())
    ranking = evaluator.eval(request_of(example, good + "]", "rank"));  // of the others
  if (rejected(ranking)) return run;
  return ranking.size() > 2 ? run.substr(0, run.size() - 1) + "," + ranking.substr(1) : run;
}

std::vector<Printable> differences(const ExampleModel& example, std::string_view answer) {
  JsonNode got, expected;
  JsonProblem problem;
  if (!parse_json(answer, got, problem)) return {"the answer is not JSON: " + problem.message};
  const JsonNode* error = got.find("error");
  const JsonNode* path = error != nullptr ? error->find("path") : nullptr;
  const JsonNode* message = error != nullptr ? error->find("message") : nullptr;
  const bool rejected =
      path != nullptr && message != nullptr && got.members.size() == (got.find("id") != nullptr ? 2 : 1);
  if (example.error) {
    if (!rejected) return {"expected an error at '" + example.error_path + "', but the record was scored"};
    if (path->text != example.error_path) {
      return {"expected an error at '" + example.error_path + "', got one at '" + path->text + "': " + message->text};
    }
    return {};
  }
  if (rejected) return {"the record was rejected at '" + path->text + "': " + message->text};
  if (example.expect.empty()) return {};
  if (!parse_json(example.expect, expected, problem)) return {"what is expected is not JSON: " + problem.message};
  Comparison comparison;
  comparison.compare_nodes(expected, got, "");
  return {comparison.differences.begin(), comparison.differences.end()};
}

// ---- updating an example to its actual result

std::string literal_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
      case '\\':
      case '{':
      case '}': out += {'\\', c}; break;
      case '\n': out += "\\n"; break;
      case '\t': out += "\\t"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          constexpr char kHex[] = "0123456789abcdef";
          const auto byte = static_cast<unsigned char>(c);
          out += {'\\', 'u', '{', kHex[byte >> 4], kHex[byte & 15], '}'};
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

bool plain_key(std::string_view key) {
  static constexpr std::string_view kReserved[] = {"and",  "or",  "xor",     "not",     "in",        "is",   "when",
                                                   "else", "for", "default", "missing", "otherwise", "true", "false"};
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !key.empty() && letter(key[0]) &&
         std::all_of(key.begin(), key.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); }) &&
         std::find(std::begin(kReserved), std::end(kReserved), key) == std::end(kReserved);
}

// The literal of the rubric language. Its depth is that of a verdict, which is bounded.
std::string literal(const JsonNode& node) {
  switch (node.kind) {
    case Kind::null: return "missing";
    case Kind::text: return literal_text(node.text);
    case Kind::list: {
      std::string out = "[";
      for (const JsonNode& item : node.items) out += (out.size() > 1 ? ", " : "") + literal(item);
      return out + "]";
    }
    case Kind::object: {
      std::string out = "{";
      for (const auto& [key, value] : node.members) {
        out += (out.size() > 1 ? ", " : " ") + (plain_key(key) ? key : literal_text(key)) + ": " + literal(value);
      }
      return out + (out.size() > 1 ? " }" : "}");
    }
    default: return std::string(node.raw);
  }
}

void update_value(const ast::Expr& written, const JsonNode& expected, const JsonNode& got, const std::string& file,
                  std::vector<Edit>& edits) {
  if (written.kind == ast::ExprKind::record && expected.is(Kind::object) && got.is(Kind::object)) {
    for (std::size_t i = 0; i < written.fields.size() && i < written.args.size(); ++i) {
      const JsonNode* wanted = expected.find(written.fields[i].text);
      const JsonNode* found = got.find(written.fields[i].text);
      if (wanted != nullptr && found != nullptr) update_value(*written.args[i], *wanted, *found, file, edits);
    }
    return;
  }
  if (written.kind == ast::ExprKind::list && expected.is(Kind::list) && got.is(Kind::list) &&
      written.args.size() == got.items.size() && expected.items.size() == got.items.size()) {
    for (std::size_t i = 0; i < written.args.size(); ++i)
      update_value(*written.args[i], expected.items[i], got.items[i], file, edits);
    return;
  }
  Comparison comparison;
  comparison.compare_nodes(expected, got, "");
  if (!comparison.differences.empty()) edits.push_back({file, written.span.begin, written.span.end, literal(got)});
}

const ast::Example* written_example(const Rubric::Impl& impl, const ExampleModel& example) {
  const auto search = [&](const ast::File& file) -> const ast::Example* {
    for (const ast::Rubric& rubric : file.rubrics) {
      for (const ast::Item& item : rubric.items) {
        const auto* node = std::get_if<ast::Example>(&item.node);
        if (node != nullptr && node->name.span.file == example.span.file && node->name.span.begin == example.span.begin)
          return node;
      }
    }
    return nullptr;
  };
  return search(impl.file);
}

std::vector<Edit> update(const Rubric::Impl& impl, const ExampleModel& example, std::string_view answer) {
  std::vector<Edit> edits;
  const ast::Example* written = written_example(impl, example);
  JsonNode got, expected;
  JsonProblem problem;
  if (written == nullptr || !parse_json(answer, got, problem)) return edits;
  const std::string& file = impl.sources.file(example.span.file).name;
  const JsonNode* error = got.find("error");
  const JsonNode* path = error != nullptr ? error->find("path") : nullptr;
  const bool rejected = path != nullptr && got.members.size() == 1;
  if (example.error) {
    const Span at = written->error_path.span;
    if (rejected) edits.push_back({file, at.begin, at.end, literal_text(path->text)});
  } else if (!rejected && written->expect && parse_json(example.expect, expected, problem)) {
    update_value(*written->expect, expected, got, file, edits);
  }
  return edits;
}

}  // namespace

std::vector<ExampleResult> Rubric::test(const Interrupt* interrupt) const {
  std::vector<ExampleResult> results;
  EvaluatorOptions options;
  options.limits = impl_->options.limits;
  options.interrupt = interrupt;
  Evaluator evaluator(*this, options);
  for (const ExampleModel& example : impl_->rubric().examples) {
    ExampleResult result;
    result.name = example.name;
    result.at = impl_->sources.locate(example.span);
    const std::string answer = answer_of(example, *this, evaluator);
    result.differences = differences(example, answer);
    result.passed = result.differences.empty();
    if (!result.passed) result.update = update(*impl_, example, answer);
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace assay
