// The evaluation protocol: one JSON request in, one JSON answer out, for any request. A request has its own settings
// and history; those of the evaluator do not change.
#include "lang/value/limit_message.hpp"
#include "runtime/engine/evaluator.hpp"

namespace assay {

namespace {

using Kind = JsonNode::Kind;

bool is_set(const JsonNode* node) { return node != nullptr && !node->is(Kind::null); }

std::vector<std::string_view> raw_items(const JsonNode& list) {
  std::vector<std::string_view> items;
  for (const JsonNode& item : list.items) items.push_back(item.raw);
  return items;
}

}  // namespace

void Evaluator::Impl::answer_request(std::string_view text) {
  JsonNode asked;
  JsonProblem wrong;
  InputError stopped;
  if (!parse_json(text, asked, wrong, 2, options.limits.nesting + 8, options.interrupt)) {
    if (interrupted(stopped)) return answer_error(stopped);
    return answer_error(wrong.too_deep ? too_deep_error("the request", options.limits.nesting)
                                       : syntax_error(text, options.limits.nesting + 8, "the request"));
  }
  if (!asked.is(Kind::object)) {
    return answer_error({"", "type", "the request is " + describe_json(asked.raw) + ", expected an object"});
  }
  if (const std::string* key = asked.repeated()) {
    const std::string path = shorten(*key, kMostQuoted);
    return answer_error({path, "duplicate", path + " is given twice"});
  }
  const JsonNode* op = asked.find("op");
  const auto asks = [op](std::string_view name) { return is_set(op) && op->is(Kind::text) && op->text == name; };
  const bool ranks = asks("rank"), whole = asks("cohort");
  if (is_set(op) && !ranks && !whole && !asks("score")) {
    return answer_error(
        {"op", "request", "op is " + describe_json(op->raw) + ", expected \"score\", \"rank\" or \"cohort\""});
  }
  if (whole && rubric.cohort.rubric < 0) {
    return answer_error({"op", "request", "the rubric '" + rubric.name + "' has no cohort block"});
  }
  Settings settings;
  request.numbers.clear();
  std::optional<InputError> error = read_settings(asked.find("context"), asked.find("weights"), settings);
  const bool own = !settings.contexts.empty() || !settings.weights.empty();
  if (!error && own) error = apply_settings(rubric, settings, request.numbers, request.weights);
  if (error) return answer_error(*error);
  const std::vector<Number>& with = own ? request.weights : weights.values;

  const JsonNode* inputs = asked.find("inputs");
  if ((ranks || whole) && (inputs == nullptr || !inputs->is(Kind::list))) {
    return answer_error(
        {"inputs", "type",
         "inputs is " + describe_json(inputs == nullptr ? "" : inputs->raw) + ", expected a list of records"});
  }
  if (ranks) {
    Ranking ranking;
    error = rank_all(raw_items(*inputs), with, ranking);
    if (error) return answer_error(*error);
    answer = ranking.json();
    return;
  }
  request.history.clear();
  if (const JsonNode* earlier = asked.find("history"); is_set(earlier)) {
    if (!earlier->is(Kind::list)) {
      return answer_error(
          {"history", "type", "history is " + describe_json(earlier->raw) + ", expected a list of records"});
    }
    if (!history.read(raw_items(*earlier), request.history)) return answer_error(*request.history.error);
  }
  if (whole) return answer_cohort(raw_items(*inputs), with);
  const JsonNode* input = asked.find("input");
  if (input == nullptr) return answer_error({"", "required", "the request has no 'input'"});
  Earlier earlier{request.history.value(), nullptr};  // used by this request alone, so nothing is cached
  if (earlier.records.missing()) earlier.records = make_list(nullptr, 0);
  score_one(input->raw, with, earlier);
  answer = result.state.json;
}

// A separate run, in which records see the earlier ones of their series unless the request supplies a history.
void Evaluator::Impl::answer_cohort(const std::vector<std::string_view>& inputs, const std::vector<Number>& with) {
  Evaluator run(owner, options);
  Impl& inside = *run.impl_;
  run.start_cohort();
  const Earlier given{request.history.value(), nullptr};
  std::vector<std::string> verdicts;
  InputError error;
  std::size_t size = 0;
  const auto fits = [&](const std::string& text) {
    size += text.size() + 1;
    if (size <= options.limits.output_bytes) return true;
    error = {"", "limit", limit_message("the answer takes", options.limits.output_bytes, "bytes", "output_bytes")};
    return false;
  };
  for (const std::string_view input : inputs) {
    const Earlier earlier = given.records.missing() ? inside.history.earlier() : given;
    inside.score_one(input, with, earlier);
    inside.add_to_series(earlier);
    if (interrupted(error) || !fits(inside.result.state.json)) return answer_error(error);
    verdicts.push_back(inside.result.state.json);
  }
  const bool good = inside.freeze_cohort();
  if (good) inside.use(inside.cohort.frozen);
  std::size_t kept = 0, rejected = 0;
  const CohortStore& store = *inside.cohort.store;
  for (std::size_t i = 0; i < verdicts.size() && good && inside.second_pass(); ++i) {
    if (rejected < store.rejections().size() && store.rejections()[rejected].position == i) {
      ++rejected;
      continue;
    }
    InputError wrong;
    if (!inside.complete(store.verdicts()[kept++], verdicts[i], wrong)) {
      verdicts[i].clear();
      write_error(wrong, verdicts[i]);
    }
    if (interrupted(error) || !fits(verdicts[i])) return answer_error(error);
  }
  statistics += inside.statistics;
  if (!good) return answer_error(*inside.cohort.error);
  answer = "{\"verdicts\":[";
  for (std::size_t i = 0; i < verdicts.size(); ++i) (answer += i > 0 ? "," : "") += verdicts[i];
  (answer += "],\"cohort\":") += inside.cohort.frozen->outputs;
  answer += '}';
}

std::string_view Evaluator::eval(std::string_view request) {
  if (request.size() > impl_->options.limits.record_bytes) {
    impl_->answer_error(
        {"", "limit", limit_message("the request takes", impl_->options.limits.record_bytes, "bytes", "record_bytes")});
  } else {
    impl_->answer_request(request);
  }
  return impl_->answer;
}

}  // namespace assay
