// Changed weights. A context gives its dimensions new weights, and the weights of a request override it; then the
// policy of the rubric adjusts the others. All quotients are exact.
#include "runtime/engine/settings.hpp"

#include "lang/text/source.hpp"

#include <algorithm>
#include <unordered_set>

namespace assay {

namespace {

constexpr std::size_t kMostName = 200;  // bytes that a message quotes

InputError problem(std::string path, const char* code, std::string message) {
  return {std::move(path), code, std::move(message)};
}

std::string hint(std::string_view name, const std::vector<std::string_view>& known) {
  const std::string_view near = nearest(name, known);
  if (!near.empty()) return "; did you mean '" + std::string(near) + "'?";
  if (known.empty()) return "";
  std::string all = "; there are ";
  for (std::size_t i = 0; i < known.size(); ++i) all += (i > 0 ? ", " : "") + std::string(known[i]);
  return all;
}

// "; write 0.6" for 0,6. Empty: it is not a number with a decimal comma either.
std::string with_point(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos || comma == 0 || comma + 1 == text.size()) return {};
  std::string point = text;
  point[comma] = '.';
  return point.find_first_not_of("0123456789.%") == point.npos && point.rfind('.') == comma &&
                 point.find('%') >= point.size() - 1
             ? "; write " + point
             : std::string();
}

class Changes {
 public:
  Changes(const RubricModel& rubric, NumberPool& pool)
      : rubric_(rubric), pool_(pool), weights_(rubric.weighting.weights.size(), kMissing) {
    total_ = rubric.weighting.total.missing() ? whole(1) : rubric.weighting.total;
  }

  std::optional<InputError> contexts(const std::vector<std::string>& names) {
    std::vector<std::string_view> known;
    for (const ContextModel& context : rubric_.weighting.contexts) known.push_back(context.name);
    std::vector<bool> in_force(known.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto found = std::find(known.begin(), known.end(), names[i]);
      if (found == known.end()) {
        return problem("context[" + std::to_string(i) + "]", "context",
                       "the rubric has no context '" + shorten(names[i], kMostName) + "'" + hint(names[i], known));
      }
      const auto at = static_cast<std::size_t>(found - known.begin());
      if (in_force[at]) continue;
      in_force[at] = true;
      const ContextModel& context = rubric_.weighting.contexts[at];
      for (const auto& [weight, value] : context.weights) weights_[static_cast<std::size_t>(weight)] = value;
    }
    return std::nullopt;
  }

  std::optional<InputError> weights(const std::vector<std::pair<std::string, std::string>>& given) {
    std::vector<std::string_view> known;
    for (const WeightModel& weight : rubric_.weighting.weights) {
      if (weight.settable) known.push_back(weight.name);
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
      const auto& [name, text] = given[i];
      const std::string path = "weights." + shorten(name, kMostName);
      for (std::size_t k = 0; k < i; ++k) {
        if (given[k].first == name) return problem(path, "duplicate", path + " is given twice");
      }
      if (rubric_.weighting.policy == WeightPolicy::fixed) {
        return problem(
            path, "weights",
            "the weights of this rubric cannot be set ('weights exact' or 'weights rescaled' would allow it)");
      }
      std::size_t at = 0;
      while (at < rubric_.weighting.weights.size() &&
             (!rubric_.weighting.weights[at].settable || rubric_.weighting.weights[at].name != name))
        ++at;
      if (at == rubric_.weighting.weights.size()) {
        return problem(
            path, "weights",
            "the rubric has no dimension '" + shorten(name, kMostName) + "' with a weight" + hint(name, known));
      }
      Number value;
      std::string_view digits = text;
      const bool percent = !digits.empty() && digits.back() == '%';
      if (percent) digits.remove_suffix(1);
      if (!parse_decimal(digits, value, pool_)) {
        return problem(path, "weights",
                       path + " is '" + shorten(text, kMostName) + "', expected a number 0.." + shortest_text(total_) +
                           with_point(text));
      }
      if (percent) value = div(value, whole(100), pool_);
      if (sign(value) < 0 || compare(value, total_) > 0) {
        const bool share = !percent && compare(total_, whole(1)) == 0 && compare(value, whole(100)) <= 0;
        return problem(path, "weights",
                       path + " is " + shorten(text, kMostName) + ", expected a number 0.." + shortest_text(total_) +
                           (share && compare(value, whole(5)) >= 0 ? "; " + shorten(text, kMostName) + " percent is " +
                                                                         shortest_text(div(value, whole(100), pool_))
                                                                   : ""));
      }
      weights_[at] = value;
    }
    return std::nullopt;
  }

  // Applies the policy to the weights of the top level, then adjusts the parts in proportion.
  std::optional<InputError> finish(const std::string& path, std::vector<Number>& result) {
    Number changed = whole(0), others = whole(0);
    std::size_t rest = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (!top(i)) continue;
      if (!weights_[i].missing()) {
        changed = add(changed, weights_[i], pool_);
      } else {
        others = add(others, rubric_.weighting.weights[i].value, pool_);
        ++rest;
      }
    }
    Number factor = whole(1);  // for the weights that are not set
    if (rubric_.weighting.policy == WeightPolicy::rescaled) {
      const Number left = sub(total_, changed, pool_);
      if (sign(left) < 0) {
        return problem(
            path, "weights",
            "the changed weights add up to " + shortest_text(changed) + ", more than " + shortest_text(total_));
      }
      if (sign(left) > 0 && (rest == 0 || sign(others) == 0)) {
        return problem(path, "weights",
                       "the weights add up to " + shortest_text(changed) + ", not to " + shortest_text(total_) +
                           ", and no other dimension can take the rest");
      }
      if (sign(others) > 0) factor = div(left, others, pool_);
    } else if (!rubric_.weighting.total.missing()) {
      const Number sum = add(changed, others, pool_);
      if (compare(sum, total_) != 0) {
        return problem(path, "weights",
                       "the weights add up to " + shortest_text(sum) + ", expected exactly " + shortest_text(total_) +
                           unchanged());
      }
    }
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (top(i) && weights_[i].missing()) weights_[i] = mul(rubric_.weighting.weights[i].value, factor, pool_);
    }
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (top(i) || !weights_[i].missing()) continue;
      const std::string& name = rubric_.weighting.weights[i].name;
      const std::string_view parent = std::string_view(name).substr(0, name.find('.'));
      weights_[i] = rubric_.weighting.weights[i].value;
      for (std::size_t p = 0; p < weights_.size(); ++p) {
        const Number before = rubric_.weighting.weights[p].value;
        if (!top(p) || rubric_.weighting.weights[p].name != parent || sign(before) == 0) continue;
        weights_[i] = div(mul(weights_[i], weights_[p], pool_), before, pool_);
      }
    }
    result = std::move(weights_);
    return std::nullopt;
  }

 private:
  // "; care is 0.3 and manner is 0.2 as before": the weights that could still be set.
  std::string unchanged() const {
    constexpr std::size_t kMost = 5;
    std::vector<std::string> all;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (!top(i) || !weights_[i].missing() || !rubric_.weighting.weights[i].settable) continue;
      all.push_back(shorten(rubric_.weighting.weights[i].name, kMostName) + " is " +
                    shortest_text(rubric_.weighting.weights[i].value));
    }
    std::string text;
    for (std::size_t i = 0; i < all.size() && i < kMost; ++i)
      text += (i == 0 ? "; " : i + 1 == all.size() ? " and " : ", ") + all[i];
    return text.empty() ? text : text + (all.size() > kMost ? " …" : "") + " as before";
  }

  bool top(std::size_t i) const { return rubric_.weighting.weights[i].name.find('.') == std::string::npos; }

  const RubricModel& rubric_;
  NumberPool& pool_;
  std::vector<Number> weights_;  // missing: not set
  Number total_;
};

}  // namespace

std::optional<InputError> apply_settings(const RubricModel& rubric, const Settings& settings, NumberPool& pool,
                                         std::vector<Number>& weights) {
  weights.clear();
  if (settings.contexts.empty() && settings.weights.empty()) return std::nullopt;
  Changes changes(rubric, pool);
  if (auto error = changes.contexts(settings.contexts)) return error;
  if (auto error = changes.weights(settings.weights)) return error;
  return changes.finish(settings.weights.empty() ? "context" : "weights", weights);
}

std::optional<InputError> read_settings(const JsonNode* context, const JsonNode* weights, Settings& settings) {
  using Kind = JsonNode::Kind;
  settings = Settings();
  if (context != nullptr && !context->is(Kind::null)) {
    if (!context->is(Kind::list)) {
      return problem("context", "type", "context is " + describe_json(context->raw) + ", expected a list of names");
    }
    for (std::size_t i = 0; i < context->items.size(); ++i) {
      const JsonNode& item = context->items[i];
      if (!item.is(Kind::text)) {
        const std::string path = "context[" + std::to_string(i) + "]";
        return problem(path, "type", path + " is " + describe_json(item.raw) + ", expected the name of a context");
      }
      settings.contexts.push_back(item.text);
    }
  }
  if (weights != nullptr && !weights->is(Kind::null)) {
    if (!weights->is(Kind::object)) {
      return problem("weights", "type", "weights is " + describe_json(weights->raw) + ", expected an object");
    }
    std::unordered_set<std::string_view> names;
    for (const auto& [name, value] : weights->members) {
      const std::string path = "weights." + shorten(name, kMostName);
      if (!value.is(Kind::number)) {
        return problem(path, "type", path + " is " + describe_json(value.raw) + ", expected a number");
      }
      if (!names.insert(name).second) return problem(path, "duplicate", path + " is given twice");
      settings.weights.emplace_back(name, std::string(value.raw));
    }
  }
  return std::nullopt;
}

}  // namespace assay
