// Finds an example for a row that no example exercises. Coverage supplies the row's condition. The search for a record
// that satisfies it starts from one that can be scored: first one value at a time takes the bounds of its type and the
// constants of the row, then all numbers move together through their ranges. The result is carried out on trial, like
// every rewrite.
#include "runtime/service/service_impl.hpp"

#include "lang/text/ascii.hpp"
#include "lang/text/key.hpp"
#include "runtime/json/json_tree.hpp"

#include <algorithm>
#include <chrono>

namespace assay {

namespace {

std::string quoted_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u{" + std::to_string(c / 16) + "0123456789abcdef"[c % 16] + "}";
    } else {
      if (c == '"' || c == '\\' || c == '{' || c == '}') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

// JSON as a literal of the rubric language.
void write_literal(const JsonNode& node, std::string& out) {
  switch (node.kind) {
    case JsonNode::Kind::null: out += "missing"; return;
    case JsonNode::Kind::boolean:
    case JsonNode::Kind::number: out += node.raw; return;
    case JsonNode::Kind::text: out += quoted_text(node.text); return;
    case JsonNode::Kind::list:
      out += '[';
      for (const JsonNode& item : node.items) {
        if (&item != node.items.data()) out += ", ";
        write_literal(item, out);
      }
      out += ']';
      return;
    case JsonNode::Kind::object:
      if (node.members.empty()) {
        out += "{}";
        return;
      }
      out += "{ ";
      for (const JsonMember& member : node.members) {
        if (&member != node.members.data()) out += ", ";
        out += as_key(member.first) + ": ";
        write_literal(member.second, out);
      }
      out += " }";
  }
}

std::string json_text(std::string_view text) {
  std::string out;
  write_json_text(text, out);
  return out;
}

class Search {
 public:
  Search(TextAnalysis& analysis, const CoveragePoint& point, const Interrupt& interrupt)
      : model_(*analysis.model()), rubric_(*analysis.main()), point_(point), interrupt_(interrupt) {
    EvaluatorOptions options;
    options.interrupt = &interrupt;
    evaluator_.emplace(Rubric(analysis.impl), options);
  }

  // Nothing: no record was found.
  std::optional<std::string> record() {
    for (const ExampleModel& example : rubric_.examples) {
      const bool alone =
          example.context.empty() && example.weights.empty() && example.history.empty() && !example.error;
      JsonNode given;
      JsonProblem problem;
      if (alone && parse_json(example.given, given, problem) && given.is(JsonNode::Kind::object))
        bases_.push_back(given);
    }
    if (bases_.empty()) bases_.push_back(smallest());
    for (const JsonNode& base : bases_) {
      fields_of(base);
      if (one_by_one() || together()) return found_;
      if (stopped()) break;
    }
    return std::nullopt;
  }

 private:
  struct Value {
    std::string key, json;
  };
  using Record = std::vector<Value>;

  bool stopped() const { return interrupt_.state() != Interrupt::State::none; }

  JsonNode smallest() {
    std::string text = "{";
    for (const Slot& slot : rubric_.slots) {
      if (slot.presence != Presence::required) continue;
      const std::vector<std::string> values = values_of(slot.type);
      if (!values.empty()) text += (text.size() > 1 ? "," : "") + json_text(slot.name) + ":" + values.front();
    }
    smallest_ = text + "}";
    JsonNode node;
    JsonProblem problem;
    parse_json(smallest_, node, problem);
    return node;
  }

  void fields_of(const JsonNode& base) {
    record_.clear();
    for (const JsonMember& member : base.members) {
      std::string json;
      write_json(member.second, json);
      record_.push_back({member.first, std::move(json)});
    }
  }

  static std::string text_of(const Record& record) {
    std::string text = "{";
    for (const Value& value : record) text += (text.size() > 1 ? "," : "") + json_text(value.key) + ":" + value.json;
    return text + "}";
  }

  static void set(Record& record, const std::string& key, std::string json) {
    const auto at = std::find_if(record.begin(), record.end(), [&](const Value& v) { return v.key == key; });
    if (at == record.end()) record.push_back({key, std::move(json)});
    else at->json = std::move(json);
  }

  bool holds(const Record& record) {
    if (stopped()) return false;
    std::string text = text_of(record);
    const Evaluator::Evaluated evaluated = evaluator_->evaluate(point_.condition, text);
    if (evaluated.error || evaluated.value != "true") return false;
    found_ = std::move(text);
    return true;
  }

  // Values to try, for the types at the top level of a record.
  std::vector<std::string> values_of(TypeId id) {
    const Type& type = model_.types[id];
    std::vector<std::string> values;
    const auto fits = [&](Number n) {
      const Interval& range = type.range;
      const bool above = range.low.missing() || compare(n, range.low) > (range.low_open ? 0 : -1);
      const bool below = range.high.missing() || compare(n, range.high) < (range.high_open ? 0 : 1);
      return above && below && (!type.whole || is_whole(n));
    };
    switch (type.kind) {
      case TypeKind::boolean: return {"true", "false"};
      case TypeKind::text:
        for (const std::string& choice : type.choices) values.push_back(json_text(choice));
        if (type.choices.empty()) values.push_back("\"text\"");
        for (const std::string& text : texts()) {
          if (type.allows(text)) values.push_back(json_text(text));
        }
        return values;
      case TypeKind::number: {
        std::vector<Number> numbers = constants();
        for (const Number n : constants()) {
          for (const Number step : {whole(1), div(whole(1), whole(100), pool_)}) {
            numbers.push_back(add(n, step, pool_));
            numbers.push_back(sub(n, step, pool_));
          }
        }
        for (const Number end : {type.range.low, type.range.high}) {
          if (!end.missing()) numbers.push_back(end);
        }
        numbers.push_back(whole(0));
        numbers.push_back(whole(1));
        for (const Number n : numbers) {
          if (fits(n)) values.push_back(shortest_text(n));
        }
        return values;
      }
      case TypeKind::list: return {"[]"};
      case TypeKind::map: return {"{}"};
      default: return values;
    }
  }

  // Constants in the condition of the row.
  std::vector<Number> constants() {
    std::vector<Number> numbers;
    const std::string& text = point_.condition;
    for (std::size_t at = 0; at < text.size() && numbers.size() < kMostConstants;) {
      const std::size_t end = text.find_first_not_of("0123456789._%", at);
      const std::size_t size = std::min(end, text.size()) - at;
      const bool begins = text[at] >= '0' && text[at] <= '9' && (at == 0 || !is_name_character(text[at - 1]));
      std::string digits = text.substr(at, size);
      if (const std::size_t range = digits.find(".."); range != std::string::npos) digits.resize(range);
      const bool percent = !digits.empty() && digits.back() == '%';
      if (percent) digits.pop_back();
      Number n;
      if (begins && parse_decimal(digits, n, pool_, true)) {
        if (percent) n = div(n, whole(100), pool_);
        const bool negative = at > 0 && text[at - 1] == '-';
        numbers.push_back(negative ? neg(n, pool_) : n);
      }
      at += std::max<std::size_t>(digits.size() + (percent ? 1 : 0), 1);
    }
    return numbers;
  }

  std::vector<std::string> texts() const {
    std::vector<std::string> found;
    const std::string& text = point_.condition;
    for (std::size_t open = text.find('"'); open != std::string::npos && found.size() < kMostConstants;) {
      const std::size_t close = text.find('"', open + 1);
      if (close == std::string::npos) break;
      found.push_back(text.substr(open + 1, close - open - 1));
      open = text.find('"', close + 1);
    }
    return found;
  }

  bool one_by_one() {
    for (const Slot& slot : rubric_.slots) {
      if (&slot == rubric_.slots.data()) continue;  // the id
      for (std::string& value : values_of(slot.type)) {
        Record trial = record_;
        set(trial, slot.name, std::move(value));
        if (holds(trial)) return true;
        if (stopped()) return false;
      }
    }
    return false;
  }

  // Sets all bounded numbers to the same share of their range, which brings a score to any band.
  bool together() {
    constexpr int kSteps = 40;
    for (int step = kSteps; step >= 0; --step) {
      Record trial = record_;
      for (const Slot& slot : rubric_.slots) {
        const Type& type = model_.types[slot.type];
        const bool given =
            std::any_of(record_.begin(), record_.end(), [&](const Value& v) { return v.key == slot.name; });
        const bool bounded = type.kind == TypeKind::number && !type.range.low.missing() && !type.range.high.missing();
        if (!bounded || (slot.presence != Presence::required && !given)) continue;
        const Number width = sub(type.range.high, type.range.low, pool_);
        Number at = add(type.range.low, div(mul(width, whole(step), pool_), whole(kSteps), pool_), pool_);
        at = round_to(at, type.whole ? 0 : 4, Rounding::half_away, pool_);
        set(trial, slot.name, shortest_text(at));
      }
      if (holds(trial)) return true;
      if (stopped()) return false;
    }
    return false;
  }

  static constexpr std::size_t kMostConstants = 12;
  const Model& model_;
  const RubricModel& rubric_;
  const CoveragePoint& point_;
  const Interrupt& interrupt_;
  std::optional<Evaluator> evaluator_;
  NumberPool pool_;
  std::vector<JsonNode> bases_;
  std::string smallest_;
  Record record_;
  std::string found_;
};

// The expectation of the example: the band of the row, otherwise the score, otherwise the first output.
std::string expectation(const TextAnalysis& analysis, std::size_t at, std::string_view verdict) {
  JsonNode node;
  JsonProblem problem;
  if (!parse_json(verdict, node, problem)) return {};
  std::vector<std::string> keys;
  const ast::Item* item = analysis.item_around(at);
  const auto* bands = item != nullptr ? std::get_if<ast::Bands>(&item->node) : nullptr;
  if (bands != nullptr) keys.push_back(bands->name.text);
  keys.emplace_back("score");
  for (const ast::Item& one : analysis.rubric_around(at)->items) {
    if (const auto* output = std::get_if<ast::Output>(&one.node)) keys.push_back(output->name.text);
  }
  for (const std::string& key : keys) {
    const JsonNode* value = node.find(key);
    if (value == nullptr || value->is(JsonNode::Kind::null)) continue;
    std::string text = as_key(key) + ": ";
    write_literal(*value, text);
    return text;
  }
  const JsonNode* status = node.find("status");
  return "status: " + quoted_text(status != nullptr ? status->text : std::string());
}

}  // namespace

std::optional<Rewrite> example_for_row(Service::Impl& impl, const std::string& name, TextAnalysis& analysis,
                                       TextRange range, bool later) {
  if (!analysis.good || analysis.main() == nullptr) return std::nullopt;
  const ast::Item* item = analysis.item_around(range.begin);
  const ast::Rubric* around = analysis.rubric_around(range.begin);
  const bool has_rows = item != nullptr && (std::holds_alternative<ast::Bands>(item->node) ||
                                            std::holds_alternative<ast::Table>(item->node));
  if (!has_rows || around == nullptr || around->name.text != analysis.main()->name) return std::nullopt;
  constexpr auto kLongest = std::chrono::seconds(1);  // a user is waiting
  Interrupt interrupt;
  interrupt.set_deadline(Interrupt::Clock::now() + kLongest);
  const std::string& text = analysis.text();
  const std::size_t line = line_begin(text, range.begin), end = line + line_at(text, range.begin).size();
  const Printable shown(name);
  const auto here = [&](const CoveragePoint& p) {
    return p.kind == CoveragePoint::Kind::row && p.at.offset >= line && p.at.offset < end && p.at.file == shown;
  };
  const Coverage coverage = coverage_of(Rubric(analysis.impl), &interrupt, here);
  if (interrupt.state() != Interrupt::State::none) return std::nullopt;  // not all examples were run
  const auto open = std::find_if(coverage.points.begin(), coverage.points.end(), [&](const CoveragePoint& p) {
    return here(p) && !p.exercised && p.measured && !p.condition.empty();
  });
  if (open == coverage.points.end()) return std::nullopt;
  Rewrite rewrite;
  rewrite.kind = Rewrite::Kind::rewrite;
  rewrite.title = "Add an example for this row, which none exercises";
  if (later) return rewrite;
  const std::optional<std::string> record = Search(analysis, *open, interrupt).record();
  if (!record) return std::nullopt;
  Evaluator evaluator{Rubric(analysis.impl)};
  const Verdict& verdict = evaluator.score(*record);
  if (verdict.error() != nullptr) return std::nullopt;

  JsonNode given;
  JsonProblem problem;
  if (!parse_json(*record, given, problem)) return std::nullopt;
  std::string values;
  write_literal(given, values);
  const std::string& called = open->what.str();
  const std::string indent = indent_at(text, item->span.begin);
  // After the last example, or as the last declaration.
  std::size_t place = around->span.end - 1;
  for (const ast::Item& one : around->items) {
    if (std::holds_alternative<ast::Example>(one.node) && one.span.file == 0) place = one.span.end;
  }
  const bool last = text[place] == '}' && place == around->span.end - 1;
  std::string example = "example " + quoted_text(called) + " {\n" + indent + "  given " + values + "\n" + indent +
                        "  expect { " + expectation(analysis, range.begin, verdict.json()) + " }\n" + indent + "}";
  example = last ? indent + example + "\n" : "\n" + indent + example;
  if (last) place = line_begin(text, place) == 0 ? place : line_begin(text, place);

  std::string after = text;
  after.insert(place, example);
  const auto tried = impl.analyse(name, after);
  const std::vector<ExampleResult>& results = run_examples(*tried);
  const bool holds = tried->good && !results.empty() &&
                     std::all_of(results.begin(), results.end(),
                                 [&](const ExampleResult& r) { return r.passed || r.name != Printable(called); });
  if (!holds) return std::nullopt;
  rewrite.edits.push_back({name, {place, place}, std::move(example)});
  return rewrite;
}

}  // namespace assay
