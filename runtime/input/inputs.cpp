// The complete reader of records, the only unit that uses simdjson. It makes one pass over the record in its own order.
// A key is first compared with the expected next one and looked up in a hash table only if it differs, so records in
// the usual order cost one comparison per key, and wide records in any order stay linear.
#include "runtime/input/inputs.hpp"

#include "lang/value/equality.hpp"
#include "lang/value/limit_message.hpp"
#include "runtime/input/meant_value.hpp"
#include "runtime/input/plain_reader.hpp"
#include "runtime/input/record_plan.hpp"
#include "runtime/input/unknown_keys.hpp"
#include "runtime/json/json_parts.hpp"
#include "runtime/json/json_tree.hpp"

#include <simdjson.h>
#include <algorithm>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace assay {

namespace {

namespace ondemand = simdjson::ondemand;

// The reader's place in the record: frames on the call stack, converted to text only for an error.
struct Place {
  const Place* up = nullptr;
  std::string_view key;     // a field, when index < 0
  std::int64_t index = -1;  // an item of a list
  bool required = false;    // nothing may stand there instead

  void write(std::string& out) const {
    if (up != nullptr) up->write(out);
    if (index >= 0) {
      out += '[' + std::to_string(index) + ']';
    } else {
      constexpr std::size_t kMostKey = 200;  // bytes of a key in a message: keys of maps can be long
      if (!out.empty()) out += '.';
      out += key.size() <= kMostKey ? std::string(key) : shorten(std::string(key.substr(0, kMostKey + 1)), kMostKey);
    }
  }
};

std::string_view trim(std::string_view token) {
  while (!token.empty() && std::string_view(" \t\n\r").find(token.back()) != std::string_view::npos)
    token.remove_suffix(1);
  return token;
}

}  // namespace

struct InputReader::State {
  const Model& model;
  Limits limits;
  RecordPlans plans;
  PlainReader plain;
  bool try_plain = true;
  bool strict;
  ondemand::parser parser;
  std::vector<char> buffer;
  std::vector<Value> items;  // items of the lists being read, innermost last
  const Interrupt* interrupt = nullptr;
  std::uint32_t parts = 0;  // records, lists and maps read so far: the interrupt is checked from time to time

  // of the record being read
  TypeId several = kUnknown;  // the type of the current value, if that is one of several types
  ondemand::document document;
  std::string_view text;
  Arena* arena = nullptr;
  InputError* error = nullptr;
  bool keep = false;
  bool broken = false;                                  // invalid JSON: the error is located afterwards
  const std::set<std::string>* known_faults = nullptr;  // paths of known faults: their values are skipped

  State(const Model& the_model, int rubric, const Limits& the_limits, bool is_strict)
      : model(the_model),
        limits(bounded(the_limits)),
        plans(the_model, rubric),
        plain(limits, is_strict),
        strict(is_strict) {}

  static Limits bounded(Limits limits) {
    limits.nesting = std::min(limits.nesting, kMostNesting);
    limits.number_digits = std::min(limits.number_digits, kMostNumberDigits);
    return limits;
  }
  template <class Count>
  static Count sum(Count a, std::uint64_t b) {
    return b < std::numeric_limits<Count>::max() - a ? a + static_cast<Count>(b) : std::numeric_limits<Count>::max();
  }
  static std::size_t digits(std::string_view token) {  // without those of the exponent
    const std::string_view mantissa = token.substr(0, token.find_first_of("eE"));
    return static_cast<std::size_t>(
        std::count_if(mantissa.begin(), mantissa.end(), [](char c) { return c >= '0' && c <= '9'; }));
  }

  // ---- errors
  bool syntax() {
    broken = true;
    return false;
  }
  bool fail(const Place* at, const char* code, const std::string& what) {
    std::string path;
    if (at != nullptr) at->write(path);
    *error = {path, code, (path.empty() ? "the record" : path) + " " + what};
    return false;
  }
  bool past_limit(const Place* at, std::string_view verb, std::uint64_t value, std::string_view unit,
                  std::string_view limit) {
    fail(at, "limit", std::string(verb));
    error->message = limit_message(error->message, value, unit, limit);
    return false;
  }
  bool is_ignored(const Place& place) const {
    if (known_faults == nullptr) return false;
    std::string path;
    place.write(path);
    return known_faults->count(path) > 0;
  }
  // False: the interrupt is due.
  bool next_part() { return (++parts & 0xff) != 0 || !interrupted(interrupt) || stopped(); }
  bool stopped() {
    const Interrupt::State state = interrupt_state(interrupt);
    *error = {"", interrupt_code(state), interrupt_message(state)};
    return false;
  }
  bool wrong(const Place* at, std::string_view token, TypeId expected, const char* code = "type") {
    if (several != kUnknown) expected = several;
    std::string path;
    if (at != nullptr) at->write(path);
    return fail(at, code,
                "is " + describe_json(trim(token)) + ", expected " + describe_type(model.types, expected) +
                    meant_value(model.types, expected, trim(token), path, at != nullptr && at->required));
  }
  bool unknown(const Place* at, std::string_view key, const RecordPlan& plan) {
    std::string object;
    if (at != nullptr) at->write(object);
    std::vector<std::string_view> known;
    for (const FieldPlan& field : plan.fields) known.push_back(field.name);
    *error = unknown_key(object, key, nearest(key, known));
    return false;
  }
  bool too_deep(const Place* at) {
    return past_limit(at, "holds", static_cast<std::uint64_t>(std::max(limits.nesting, 0)),
                      "lists and objects within each other", "nesting");
  }

  // ---- scalars. `token` begins at the value and may be followed by white space.
  // The characters of a text: a view if it has no escapes.
  bool characters(ondemand::value& value, std::string_view token, std::string_view& result) {
    const char* begin = token.data() + 1;
    const char* p = begin;
    constexpr std::size_t kLong = 1024;  // bytes, from which on the library's search is faster
    if (token.size() < kLong) {
      while (*p != '"' && *p != '\\') ++p;  // stage 1 has found the closing quote
    } else {
      p = static_cast<const char*>(std::memchr(begin, '"', token.size() - 1));
      const void* const escape = std::memchr(begin, '\\', static_cast<std::size_t>(p - begin));
      if (escape != nullptr) p = static_cast<const char*>(escape);
    }
    if (*p == '"') {
      result = {begin, static_cast<std::size_t>(p - begin)};
      // Consumed here, because simdjson would take a skipped text before a ':' for a key, even in a list.
      return value.get_raw_json_string().error() == simdjson::SUCCESS || syntax();
    }
    return value.get_string().get(result) == simdjson::SUCCESS || syntax();
  }

  bool number(std::string_view token, const Type& type, TypeId id, const Place* at, Value& out) {
    token = trim(token);
    if (!is_json_number(token)) return syntax();
    Number n;
    NumberPool& pool = arena->numbers();
    if (token.size() > limits.number_digits && digits(token) > limits.number_digits)
      return past_limit(at, "has", limits.number_digits, "digits", "number_digits");
    if (!parse_decimal(token, n, pool, false, limits.number_digits)) {
      if (pool.end() == NumberPool::End::work)
        return past_limit(nullptr, "takes", limits.steps, "steps to read its numbers", "steps");
      if (pool.end() == NumberPool::End::memory)
        return past_limit(nullptr, "takes", limits.memory_bytes, "bytes of memory for its numbers", "memory_bytes");
      if (pool.end() == NumberPool::End::interrupted) return stopped();
      return fail(at, "range",
                  "is " + describe_json(token) + ", whose exponent is beyond -400..400; no limit allows more");
    }
    if (type.whole && !is_whole(n)) return wrong(at, token, id);
    if (!inside(n, type.range)) return wrong(at, token, id, "range");
    out = make_number(n);
    return true;
  }

  bool text_value(ondemand::value& value, std::string_view token, const Type& type, TypeId id, const Place* at,
                  Value& out) {
    std::string_view s;
    if (!characters(value, token, s)) return false;
    if (s.size() > limits.text_bytes) { return past_limit(at, "takes", limits.text_bytes, "bytes", "text_bytes"); }
    if (!type.choices.empty() && !plans.value(id).allows(s)) {
      std::vector<std::string_view> candidates(type.choices.begin(), type.choices.end());
      const std::string near = meant_choice(s, candidates);
      std::string shown;
      write_json_text(s, shown);
      std::string what =
          "is " + describe_json(shown) + ", expected " + describe_type(model.types, several != kUnknown ? several : id);
      std::string path;
      if (at != nullptr) at->write(path);
      const std::string list = path.ends_with(']') ? meant_list(type, s) : "";  // of an item
      what += list.empty() ? near : list;
      return fail(at, "choice", what);
    }
    out = make_text(keep ? arena->copy(s) : s);
    return true;
  }

  // ---- values by type
  bool read_value(ondemand::value value, TypeId id, const Place* at, int depth, Value& out) {
    const Type& type = model.types[id];
    const std::string_view token = value.raw_json_token();
    const char first = token.empty() ? '\0' : token.front();
    switch (type.kind) {
      case TypeKind::number:
        if (first == '-' || (first >= '0' && first <= '9')) return number(token, type, id, at, out);
        break;
      case TypeKind::text:
        if (first == '"') return text_value(value, token, type, id, at, out);
        break;
      case TypeKind::boolean:
        if (first == 't' || first == 'f') {
          const std::string_view word = trim(token);
          if (word != "true" && word != "false") return syntax();
          out = make_bool(first == 't');
          return true;
        }
        break;
      case TypeKind::list:
        if (first == '[') return read_list(value, type, at, depth, out);
        break;
      case TypeKind::map:
        if (first == '{') return read_map(value, type, at, depth, out);
        break;
      case TypeKind::record:
        if (first == '{') {
          ondemand::object object;
          if (value.get_object().get(object) != simdjson::SUCCESS) return syntax();
          const RecordPlan& plan = plans.of(id);
          Value* fields = arena->array<Value>(plan.fields.size());
          if (!read_record(object, plan, at, depth, fields)) return false;
          out = make_record(fields, static_cast<std::uint32_t>(plan.fields.size()));
          return true;
        }
        break;
      case TypeKind::either: {
        const TypeId one = alternative_of(model.types, id, first);
        if (one == kUnknown) break;
        const bool outermost = several == kUnknown && first != '[' && first != '{';
        if (outermost) several = id;  // a bad value of one type may have been meant as another
        const bool good = read_value(value, one, at, depth, out);
        if (outermost) several = kUnknown;
        return good;
      }
      case TypeKind::any:
      case TypeKind::unknown:
      case TypeKind::range: return read_any(value, token, at, depth, out);
    }
    if (!skip(value, at, depth)) return false;  // a malformed value is not a value of the wrong type
    return wrong(at, token, id);
  }

  bool read_any(ondemand::value& value, std::string_view token, const Place* at, int depth, Value& out) {
    const bool scalar = token.empty() || (token.front() != '{' && token.front() != '[');
    if (!skip(value, at, depth)) return false;
    std::string_view raw = token;
    if (!scalar) {
      const char* end = nullptr;
      if (document.current_location().get(end) != simdjson::SUCCESS) return syntax();
      raw = {token.data(), static_cast<std::size_t>(end - token.data())};
    }
    raw = trim(raw);
    out = make_text(keep ? arena->copy(raw) : raw);
    return true;
  }

  bool read_record(ondemand::object& object, const RecordPlan& plan, const Place* at, int depth, Value* out) {
    if (depth >= limits.nesting) return too_deep(at);
    const std::size_t count = plan.fields.size();
    for (std::size_t i = 0; i < count; ++i) out[i] = missing_value();
    Seen seen(count, *arena);
    std::string_view stranger;  // the first key that the rubric does not name
    bool named = false;         // a key is one of its inputs, and not the id alone
    std::size_t expected = 0;
    for (simdjson::simdjson_result<ondemand::field> step : object) {
      ondemand::field field;
      if (std::move(step).get(field) != simdjson::SUCCESS) return syntax();
      if (!next_part()) return false;
      std::int64_t found = -1;
      const char* raw = field.key().raw();
      if (expected < count) {
        const std::string_view name = plan.fields[expected].name;
        if (std::memcmp(raw, name.data(), std::min(name.size(), left(raw))) == 0 && raw[name.size()] == '"') {
          found = static_cast<std::int64_t>(expected);
        }
      }
      if (found < 0) {
        std::string_view name;
        if (!key(field, raw, name)) return false;
        found = plan.find(name);
        if (found < 0 && strict && !is_ignored({at, name, -1})) return unknown(at, name, plan);
        if (found < 0 && stranger.empty()) stranger = name;
      }
      if (found < 0) {
        if (!skip(field.value(), at, depth + 1)) return false;
        continue;
      }
      const FieldPlan& known = plan.fields[static_cast<std::size_t>(found)];
      const Place place{at, known.name, -1, known.presence == Presence::required};
      if (is_ignored(place)) {
        if (!skip(field.value(), at, depth + 1)) return false;
        continue;
      }
      if (!seen.add(static_cast<std::size_t>(found))) return fail(&place, "duplicate", "is given twice in one object");
      expected = static_cast<std::size_t>(found) + 1;
      named = named || known.name != "id";
      ondemand::value value = field.value();
      const std::string_view token = value.raw_json_token();
      if (!token.empty() && token.front() == 'n') {
        if (trim(token) != "null") return syntax();
        continue;
      }
      if (!read_value(value, known.type, &place, depth + 1, out[found])) return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (!out[i].missing()) continue;
      const FieldPlan& field = plan.fields[i];
      if (field.presence == Presence::required) {
        const Place place{at, field.name, -1};
        if (is_ignored(place)) continue;
        if (at == nullptr && !named && !stranger.empty() && known_faults == nullptr) {
          if (const std::string others = none_named(plan, stranger); !others.empty())
            return fail(at, "required", others);
        }
        return fail(&place, "required", "is missing: it is required, " + describe_type(model.types, field.type));
      }
      if (field.presence == Presence::defaulted) out[i] = field.fallback;
    }
    return true;
  }

  std::size_t left(const char* p) const { return static_cast<std::size_t>(text.data() + text.size() - p); }

  bool key(ondemand::field& field, const char* raw, std::string_view& name) {
    const char* p = raw;
    while (*p != '"' && *p != '\\') ++p;
    if (*p == '"') {
      name = {raw, static_cast<std::size_t>(p - raw)};
      return true;
    }
    return field.unescaped_key().get(name) == simdjson::SUCCESS || syntax();
  }

  bool read_list(ondemand::value& value, const Type& type, const Place* at, int depth, Value& out) {
    if (depth >= limits.nesting) return too_deep(at);
    ondemand::array array;
    if (value.get_array().get(array) != simdjson::SUCCESS) return syntax();
    const std::size_t base = items.size();
    bool ok = true;
    Place place{at, {}, 0};
    for (simdjson::simdjson_result<ondemand::value> step : array) {
      ondemand::value item;
      if (step.get(item) != simdjson::SUCCESS) {
        ok = syntax();
        break;
      }
      if (!next_part()) {
        ok = false;
        break;
      }
      if (static_cast<std::size_t>(place.index) >= limits.list_items) {
        ok = past_limit(at, "has", limits.list_items, "items", "list_items");
        break;
      }
      Value read = missing_value();
      const bool passed_over = is_ignored(place);
      const std::string_view token = type.gaps ? std::string_view(item.raw_json_token()) : std::string_view();
      const bool none = token.starts_with('n');
      if (passed_over ? !skip(item, &place, depth + 1)
          : none      ? trim(token) != "null" && !syntax()
                      : !read_value(item, type.element, &place, depth + 1, read)) {
        ok = false;
        break;
      }
      items.push_back(read);
      ++place.index;
    }
    if (ok) {
      const bool text_set = type.set && model.types.kind(type.element) == TypeKind::text;
      out = make_items(items.data() + base, items.size() - base, text_set, *arena);
    }
    items.resize(base);
    return ok;
  }

  bool read_map(ondemand::value& value, const Type& type, const Place* at, int depth, Value& out) {
    if (depth >= limits.nesting) return too_deep(at);
    ondemand::object object;
    if (value.get_object().get(object) != simdjson::SUCCESS) return syntax();
    const std::size_t base = items.size();
    const bool ok = read_entries(object, type, at, depth);
    if (ok) {
      const auto count = static_cast<std::uint32_t>((items.size() - base) / 2);
      auto* data = arena->array<MapData>(1);
      *data = {arena->array<Value>(count), arena->array<Value>(count), nullptr, 0};
      for (std::uint32_t i = 0; i < count; ++i) {
        data->keys[i] = items[base + 2 * i];
        data->values[i] = items[base + 2 * i + 1];
      }
      bool repeated = false;
      if (count >= kMapIndexFrom) {
        const std::uint32_t size = map_index_size(count);
        map_build_index(*data, 0, arena->array<std::uint32_t>(size), size);
      }
      for (std::uint32_t i = 0; i < count && !repeated; ++i) {
        const std::string_view name = data->keys[i].text.view();
        if (map_find(*data, i, name) >= 0) {
          const Place place{at, name, -1};
          repeated = true;
          fail(&place, "duplicate", "is given twice in one object");
        } else if (data->index != nullptr) {
          map_index_add(*data, i);
        }
      }
      items.resize(base);
      out = make_map(data, count);
      return !repeated;
    }
    items.resize(base);
    return ok;
  }

  bool read_entries(ondemand::object& object, const Type& type, const Place* at, int depth) {
    std::size_t count = 0;
    for (simdjson::simdjson_result<ondemand::field> step : object) {
      ondemand::field field;
      if (std::move(step).get(field) != simdjson::SUCCESS) return syntax();
      if (!next_part()) return false;
      std::string_view name;
      if (!key(field, field.key().raw(), name)) return false;
      if (++count > limits.list_items) return past_limit(at, "has", limits.list_items, "entries", "list_items");
      if (keep) name = arena->copy(name);
      const Place place{at, name, -1};
      ondemand::value value = field.value();
      const std::string_view token = value.raw_json_token();
      if (is_ignored(place)) {
        if (!skip(value, &place, depth + 1)) return false;
        continue;
      }
      if (!token.empty() && token.front() == 'n') {
        if (trim(token) != "null") return syntax();
        continue;  // null is absent
      }
      Value read = missing_value();
      if (!read_value(value, type.element, &place, depth + 1, read)) return false;
      items.push_back(make_text(name));
      items.push_back(read);
    }
    return true;
  }

  // Skips a value that nobody needs and checks that it is well-formed.
  bool skip(ondemand::value value, const Place* at, int depth) {
    const std::string_view token = value.raw_json_token();
    switch (token.empty() ? '\0' : token.front()) {
      case '{': {
        if (depth >= limits.nesting) return too_deep(at);
        ondemand::object object;
        if (value.get_object().get(object) != simdjson::SUCCESS) return syntax();
        for (simdjson::simdjson_result<ondemand::field> step : object) {
          ondemand::field field;
          if (std::move(step).get(field) != simdjson::SUCCESS) return syntax();
          if (!next_part()) return false;
          std::string_view name;
          if (!key(field, field.key().raw(), name) || !skip(field.value(), at, depth + 1)) return false;
        }
        return true;
      }
      case '[': {
        if (depth >= limits.nesting) return too_deep(at);
        ondemand::array array;
        if (value.get_array().get(array) != simdjson::SUCCESS) return syntax();
        for (simdjson::simdjson_result<ondemand::value> step : array) {
          ondemand::value item;
          if (step.get(item) != simdjson::SUCCESS) return syntax();
          if (!next_part()) return false;
          if (!skip(item, at, depth + 1)) return false;
        }
        return true;
      }
      case '"': {
        std::string_view ignored;
        return characters(value, token, ignored);
      }
      case 't': return trim(token) == "true" || syntax();
      case 'f': return trim(token) == "false" || syntax();
      case 'n': return trim(token) == "null" || syntax();
      default: return is_json_number(trim(token)) || syntax();
    }
  }

  bool read(std::string_view json, Value* slots, bool padded) {
    if (json.size() > limits.record_bytes) {
      return past_limit(nullptr, "takes", limits.record_bytes, "bytes", "record_bytes");
    }
    NumberPool& pool = arena->numbers();
    pool.allow(sum(pool.work(), limits.steps), sum(pool.bytes(), limits.memory_bytes));
    pool.watch(interrupt);
    if (padded && try_plain && !keep && plain.read(json, plans.top(), slots, *arena)) return true;
    if (interrupted(interrupt)) return stopped();
    if (buffer.size() < json.size() + simdjson::SIMDJSON_PADDING)
      buffer.resize(2 * json.size() + simdjson::SIMDJSON_PADDING);
    if (!json.empty()) std::memcpy(buffer.data(), json.data(), json.size());
    std::memset(buffer.data() + json.size(), 0, simdjson::SIMDJSON_PADDING);
    text = {buffer.data(), json.size()};
    if (!padded && try_plain && !keep && plain.read(text, plans.top(), slots, *arena)) return true;
    if (interrupted(interrupt)) return stopped();
    items.clear();
    ondemand::object object;
    if (parser.iterate(buffer.data(), json.size(), buffer.size()).get(document) != simdjson::SUCCESS) return syntax();
    ondemand::json_type type;
    if (document.type().get(type) != simdjson::SUCCESS) return syntax();
    if (type != ondemand::json_type::object) {
      JsonNode node;
      JsonProblem problem;
      if (!parse_json(json, node, problem, 0, limits.nesting, interrupt)) return syntax();
      return fail(nullptr, "type", "is " + describe_json(node.raw) + ", expected an object");
    }
    if (document.get_object().get(object) != simdjson::SUCCESS) return syntax();
    if (!read_record(object, plans.top(), nullptr, 0, slots)) return false;
    const char* rest = nullptr;
    return document.current_location().get(rest) == simdjson::OUT_OF_BOUNDS || syntax();
  }
};

InputReader::InputReader(const Model& model, int rubric, const Limits& limits, bool plain, bool strict)
    : state_(std::make_unique<State>(model, rubric, limits, strict)) {
  state_->try_plain = plain && !state_->plans.has_maps();
}
InputReader::~InputReader() = default;

bool InputReader::read(std::string_view json, Value* slots, Arena& arena, bool keep, InputError& error, bool padded) {
  state_->arena = &arena;
  state_->error = &error;
  state_->keep = keep;
  state_->broken = false;
  const bool good = state_->read(json, slots, padded);
  arena.numbers().watch(nullptr);
  if (good) return true;
  const Interrupt* const interrupt = state_->interrupt;
  // A text that turns out not to be JSON is rejected for that, whatever was found before.
  JsonNode ignored;
  JsonProblem problem;
  const bool look = !state_->broken && error.code != "limit" && !interrupted(interrupt);
  if (look && !parse_json(json, ignored, problem, 0, state_->limits.nesting, interrupt))
    state_->broken = !problem.too_deep;
  if (state_->broken && !interrupted(interrupt)) error = syntax_error(json, state_->limits.nesting);
  if (interrupted(interrupt)) state_->stopped();
  return false;
}

namespace {

// Faults after which the record can be read on.
bool reads_on(const InputError& error) {
  static const std::set<std::string_view> kGoesOn = {"type", "range", "required", "choice", "duplicate", "unknown"};
  return kGoesOn.count(error.code) > 0;
}

}  // namespace

std::vector<InputFault> InputReader::others(std::string_view json, Value* slots, Arena& arena, const InputError& first,
                                            std::size_t most) {
  std::vector<InputFault> found;
  if (first.path.str().empty()) return found;  // it is about the whole record
  std::set<std::string> known;
  state_->known_faults = &known;
  InputError error = first;
  while (found.size() < most && reads_on(error) && known.insert(error.path.str()).second) {
    InputError next;
    if (read(json, slots, arena, false, next)) break;
    if (reads_on(next) && known.count(next.path.str()) == 0) found.push_back({next.path, next.code, next.message});
    error = std::move(next);
  }
  state_->known_faults = nullptr;
  return found;
}

bool InputReader::read_around(std::string_view json, Value* slots, Arena& arena, InputError& error,
                              std::vector<InputError>& faults) {
  constexpr std::size_t kMost = 100;  // each costs another pass over the record
  if (read(json, slots, arena, false, error)) return true;
  std::set<std::string> known;
  InputError next = error;
  bool good = false;
  state_->known_faults = &known;
  while (!good && known.size() < kMost && reads_on(next) && known.insert(next.path.str()).second) {
    faults.push_back(std::move(next));
    next = {};
    good = read(json, slots, arena, false, next);
  }
  state_->known_faults = nullptr;
  if (!good && interrupted(state_->interrupt)) error = std::move(next);
  return good;
}

void InputReader::watch(const Interrupt* interrupt) {
  state_->interrupt = interrupt;
  state_->plain.watch(interrupt);
}

InputError too_deep_error(std::string_view what, int nesting) {
  return {"", "limit",
          limit_message(std::string(what) + " holds", static_cast<std::uint64_t>(std::max(nesting, 0)),
                        "lists and objects within each other", "nesting")};
}

InputError syntax_error(std::string_view json, int nesting, std::string_view what) {
  JsonNode ignored;
  JsonProblem problem;
  if (parse_json(json, ignored, problem, 0, nesting)) problem.message = std::string(what) + " is not valid JSON";
  if (problem.too_deep) return too_deep_error(what, nesting);
  return {"", "syntax", problem.message + ", at byte " + std::to_string(problem.offset)};
}

namespace {

// The value of an id as JSON; nothing if it is neither a text nor an integer.
std::string id_of(std::string_view written) {
  constexpr std::size_t kMostDigits = 40;
  std::string scratch, shown;
  std::string_view text;
  if (written.size() > 1 && written.front() == '"') {
    if (unescape_json(written.substr(1, written.size() - 2), scratch, text)) write_json_text(text, shown);
  } else if (written.size() <= kMostDigits && written.find_first_not_of("-0123456789") == written.npos) {
    shown = written;
  }
  return shown;
}

}  // namespace

std::string written_id(std::string_view json) {
  JsonParts members(json);
  std::string scratch;
  std::string_view key;
  while (members.object() && members.next()) {
    if (unescape_json(members.key(), scratch, key) && key == "id") return id_of(members.value());
  }
  return {};
}

std::string id_before_fault(std::string_view json, int nesting, const Interrupt* interrupt) {
  JsonNode record;
  JsonProblem problem;
  parse_json(json, record, problem, 1, nesting, interrupt);
  const JsonNode* const id = record.find("id");
  return id != nullptr ? id_of(id->raw) : std::string();
}

std::string describe_type(const TypeTable& types, TypeId id) {
  const Type& type = types[id];
  switch (type.kind) {
    case TypeKind::number: {
      const std::string range = str(type.range, type.whole);
      return type.whole ? "a whole number" + range.substr(5) : "a " + range;
    }
    case TypeKind::boolean: return "true or false";
    case TypeKind::text: return type.choices.empty() ? "a text" : types.str(id);
    case TypeKind::list: return "a " + types.str(id);
    case TypeKind::map:
    case TypeKind::record: return "an object";
    case TypeKind::either: {
      std::string all;
      for (const TypeId one : type.alternatives) all += (all.empty() ? "" : " or ") + describe_type(types, one);
      return all;
    }
    default: return "any value";
  }
}

}  // namespace assay
