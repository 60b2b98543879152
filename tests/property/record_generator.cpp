// See record_generator.hpp. Works on the rubric's model, where ranges and choices are resolved.
#include "tests/property/record_generator.hpp"

#include "lang/number/number.hpp"
#include "runtime/json/json_tree.hpp"
#include "runtime/rubric/rubric_impl.hpp"

#include <algorithm>
#include <cctype>

namespace assay_tests {

using namespace assay;

namespace {

constexpr std::int64_t kMost = 999'999'999'999'999;  // 15 digits

// The decimal n / 10^decimals.
std::string decimal(std::int64_t n, int decimals) {
  std::string digits = std::to_string(n < 0 ? -n : n);
  if (decimals > 0) {
    if (digits.size() <= static_cast<std::size_t>(decimals))
      digits.insert(0, static_cast<std::size_t>(decimals) + 1 - digits.size(), '0');
    digits.insert(digits.size() - static_cast<std::size_t>(decimals), 1, '.');
  }
  return n < 0 ? "-" + digits : digits;
}

}  // namespace

struct RecordGenerator::State {
  Rubric rubric;
  const Model& model;
  Random random;
  std::vector<std::string> words{"a", "b", "c", "d", "x", "", "ä ö", "a/b.c", "\"quoted\"\n"};
  std::vector<std::string> numbers{"0", "1"};
  NumberPool pool;
  bool short_numbers = false;

  State(const Rubric& the_rubric, std::string_view source, std::uint64_t seed)
      : rubric(the_rubric), model(*rubric.impl().model), random(seed) {
    for (std::size_t i = 0; i < source.size();) {
      const char c = source[i];
      if (c == '#') {
        i = std::min(source.find('\n', i), source.size());
      } else if (c == '"') {
        const std::size_t end = std::min(source.find('"', i + 1), source.size());
        const std::string word(source.substr(i + 1, end - i - 1));
        if (word.size() < 40 && word.find_first_of("{\\\n") == std::string::npos) words.push_back(word);
        i = end + 1;
      } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
        std::size_t end = source.find_first_not_of("0123456789._", i);
        end = std::min(end, source.find("..", i));
        std::string number(source.substr(i, end - i));
        std::erase(number, '_');
        if (is_json_number(number) && number.size() < 12) numbers.push_back(number);
        i = std::min(std::max(end, i + 1), source.size());
      } else {
        ++i;
      }
    }
  }

  // In practice, numbers with bounds have decimals, and counts have none.
  int brief_decimals(const Type& type) {
    const bool bounded = !type.range.low.missing() && !type.range.high.missing();
    return bounded ? static_cast<int>(random.below(3)) : 0;
  }

  // A number of the range, or nothing if the range has none with this many decimals.
  std::optional<std::string> number(const Type& type, int decimals) {
    std::int64_t unit = 1;
    for (int i = 0; i < decimals; ++i) unit *= 10;
    std::int64_t low = -std::min<std::int64_t>(kMost, (short_numbers ? 5'000 : 100'000) * unit);
    std::int64_t high = -low;
    const auto bound = [&](Number n, Rounding mode, std::int64_t& result) {
      return to_int64(round_to(mul(n, whole(unit), pool), 0, mode, pool), result) && result >= -kMost &&
             result <= kMost;
    };
    if (!type.range.low.missing() && !bound(type.range.low, Rounding::ceil, low)) return std::nullopt;
    if (!type.range.high.missing() && !bound(type.range.high, Rounding::floor, high)) return std::nullopt;
    if (!type.range.low.missing() && type.range.low_open && compare(Number{low, unit}, type.range.low) == 0) ++low;
    if (!type.range.high.missing() && type.range.high_open && compare(Number{high, unit}, type.range.high) == 0) --high;
    if (type.range.low.missing() && !type.range.high.missing()) low = std::min(low, high - 100);
    if (type.range.high.missing()) high = std::max(high, low + 100);
    if (low > high) return std::nullopt;
    switch (random.below(8)) {
      case 0: return decimal(low, decimals);
      case 1: return decimal(high, decimals);
      case 2: return decimal(low + (high - low) / 2, decimals);
      case 3: return decimal(std::min(high, low + random.within(0, 20)), decimals);
      case 4: return decimal(std::max(low, high - random.within(0, 20)), decimals);
      case 5: {  // half of a coarser step, where rounding is decided
        const std::int64_t n = random.within(low, high);
        const std::int64_t half = n / 10 * 10 + 5;
        return decimal(half >= low && half <= high ? half : n, decimals);
      }
      default: return decimal(random.within(low, high), decimals);
    }
  }

  std::string number(const Type& type) {
    if (random.one_in(3)) {  // a number of the rubric
      const std::string& own = random.pick(numbers);
      Number n;
      const bool brief = !short_numbers || own.find('.') == std::string::npos || own.size() - own.find('.') <= 3;
      if (brief && parse_decimal(own, n, pool) && (!type.whole || is_whole(n)) && inside(n, type.range)) return own;
    }
    const std::vector<int> decimals{0, 0, 0, 1, 1, 2, 2, 3, 4, 6, 9, 12};
    const std::optional<std::string> found = number(type, type.whole      ? 0
                                                          : short_numbers ? brief_decimals(type)
                                                                          : random.pick(decimals));
    return found ? *found : number(type, type.whole ? 0 : 2).value_or("0");
  }

  static bool inside(Number n, const Interval& range) {
    const int low = range.low.missing() ? 1 : compare(n, range.low);
    const int high = range.high.missing() ? -1 : compare(n, range.high);
    return (range.low_open ? low > 0 : low >= 0) && (range.high_open ? high < 0 : high <= 0);
  }

  void value(TypeId id, int depth, std::string& out) {
    const Type& type = model.types[id];
    switch (type.kind) {
      case TypeKind::number: out += number(type); return;
      case TypeKind::boolean: out += random.one_in(2) ? "true" : "false"; return;
      case TypeKind::text: write_json_text(random.pick(type.choices.empty() ? words : type.choices), out); return;
      case TypeKind::list: {
        const std::uint64_t size = depth > 4          ? 0
                                   : random.one_in(4) ? 0
                                   : random.one_in(6) ? random.below(14)
                                                      : random.below(5);
        out += '[';
        for (std::uint64_t i = 0; i < size; ++i) {
          if (i > 0) out += ',';
          value(type.element, depth + 1, out);
        }
        out += ']';
        return;
      }
      case TypeKind::map: {
        const std::uint64_t size = depth > 4 ? 0 : random.below(4);
        out += '{';
        for (std::uint64_t i = 0; i < size; ++i) {
          if (i > 0) out += ',';
          write_json_text("k" + std::to_string(i), out);
          out += ':';
          value(type.element, depth + 1, out);
        }
        out += '}';
        return;
      }
      case TypeKind::record: {
        out += '{';
        bool first = true;
        for (const Field& field : type.fields) member(field.name, field.type, field.presence, depth + 1, first, out);
        out += '}';
        return;
      }
      default: {
        const std::vector<std::string> any{"null", "true", "7", "\"x\"", "[]", "{}", "[1, {\"a\": []}]"};
        out += random.pick(any);
      }
    }
  }

  void member(std::string_view name, TypeId type, Presence presence, int depth, bool& first, std::string& out) {
    // An optional field is sometimes absent and sometimes null.
    const bool absent = presence != Presence::required && random.one_in(4);
    if (absent && random.one_in(2)) return;
    if (!first) out += ',';
    first = false;
    write_json_text(name, out);
    out += ':';
    if (absent) {
      out += "null";
    } else {
      value(type, depth, out);
    }
  }
};

RecordGenerator::RecordGenerator(const Rubric& rubric, std::string_view source, std::uint64_t seed)
    : state_(std::make_unique<State>(rubric, source, seed)) {}
RecordGenerator::~RecordGenerator() = default;

void RecordGenerator::set_short_numbers(bool on) { state_->short_numbers = on; }

Random& RecordGenerator::random() { return state_->random; }

std::string RecordGenerator::record(std::string_view id) {
  State& state = *state_;
  state.pool.clear();
  std::string out = "{\"id\":";
  write_json_text(id, out);
  bool first = false;
  for (const Slot& slot : state.model.rubrics[static_cast<std::size_t>(state.model.main)].slots) {
    if (slot.name != "id") state.member(slot.name, slot.type, slot.presence, 0, first, out);
  }
  return out + '}';
}

Settings RecordGenerator::settings() {
  State& state = *state_;
  const RubricModel& rubric = state.model.rubrics[static_cast<std::size_t>(state.model.main)];
  Settings settings;
  if (!rubric.weighting.contexts.empty() && state.random.one_in(2))
    settings.contexts.push_back(state.random.pick(rubric.weighting.contexts).name);
  std::vector<std::string> names;
  for (const WeightModel& weight : rubric.weighting.weights) {
    if (weight.settable) names.push_back(weight.name);
  }
  if (rubric.weighting.policy == WeightPolicy::fixed || names.empty()) return settings;
  if (rubric.weighting.policy == WeightPolicy::rescaled) {
    for (const std::string& name : names) {
      if (state.random.one_in(4)) settings.weights.emplace_back(name, decimal(state.random.within(0, 25), 2));
    }
  } else if (settings.contexts.empty()) {  // exact: all weights, which add up
    std::int64_t left = 100'000;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::int64_t share = i + 1 == names.size() ? left : state.random.within(0, left);
      left -= share;
      settings.weights.emplace_back(names[i], decimal(share, 5));
    }
  }
  return settings;
}

}  // namespace assay_tests
