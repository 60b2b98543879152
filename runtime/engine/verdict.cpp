// Reads a verdict: fields by name, as shown.
#include "lang/value/limit_message.hpp"
#include "runtime/engine/evaluator.hpp"

#include <charconv>

namespace assay {

void write_error(const InputError& error, std::string& out) {
  out += "{\"error\":{\"path\":";
  write_json_text(error.path, out);
  out += ",\"code\":";
  write_json_text(error.code, out);
  out += ",\"message\":";
  write_json_text(error.message, out);
  for (std::size_t i = 0; i < error.others.size(); ++i) {
    out += i == 0 ? ",\"others\":[{\"path\":" : ",{\"path\":";
    write_json_text(error.others[i].path, out);
    out += ",\"code\":";
    write_json_text(error.others[i].code, out);
    out += ",\"message\":";
    write_json_text(error.others[i].message, out);
    out += '}';
  }
  if (!error.others.empty()) out += ']';
  out += '}';
  if (!error.id.empty()) (out += ",\"id\":") += error.id;
  out += '}';
}

InputError interrupt_error(Interrupt::State state) { return {"", interrupt_code(state), interrupt_message(state)}; }

std::string_view id_text(const TypeTable& types, TypeId type, const Value& id, std::string& digits) {
  if (types.kind(type) != TypeKind::number || id.missing()) return id.text.view();
  digits.clear();
  write_exact(id.number, digits);
  return digits;
}

void put_before(const std::string& prefix, Printable& path) {
  path = prefix + (path.empty() || path.front() == '[' ? "" : ".") + path;
}

int Verdict::State::find(std::string_view field) const {
  const int at = writer->find(field);
  if (at >= 0 || each == nullptr) return at;
  const std::vector<VerdictField>& more = each->fields();
  for (std::size_t i = 0; i < more.size(); ++i) {
    if (more[i].name == field) return static_cast<int>(writer->fields().size() + i);
  }
  return -1;
}
std::size_t Verdict::State::count() const {
  return writer->fields().size() + (each != nullptr ? each->fields().size() : 0);
}
const VerdictField& Verdict::State::field(std::size_t at) const {
  const std::size_t own = writer->fields().size();
  return at < own ? writer->fields()[at] : each->fields()[at - own];
}
TypeKind Verdict::State::kind(std::size_t at) const {
  const std::size_t own = writer->fields().size();
  return at < own ? writer->kind(at) : each->writer().kind(at - own);
}
const Value& Verdict::State::value(std::size_t at) const {
  const std::size_t own = writer->fields().size();
  return at < own ? values[at] : each->results()[at - own];
}

namespace {

// The position of a computed field, or -1.
int position(const Verdict::State* state, std::string_view field) {
  return state == nullptr || state->failed ? -1 : state->find(field);
}

}  // namespace

const InputError* Verdict::error() const { return state_ != nullptr && state_->failed ? &state_->error : nullptr; }

std::optional<double> Verdict::number(std::string_view field) const {
  const int at = position(state_, field);
  if (at < 0 || state_->kind(static_cast<std::size_t>(at)) != TypeKind::number) return std::nullopt;
  const std::string_view shown = json(field);
  double value = 0;
  const auto [end, status] = std::from_chars(shown.data(), shown.data() + shown.size(), value);
  if (status != std::errc() || end != shown.data() + shown.size()) return std::nullopt;
  return value;
}

std::string_view Verdict::text(std::string_view field) const {
  const int at = position(state_, field);
  if (at >= 0) {
    const auto i = static_cast<std::size_t>(at);
    return state_->kind(i) == TypeKind::text ? state_->value(i).text.view() : std::string_view();
  }
  if (state_ == nullptr || state_->failed) return {};
  if (field == "rubric") return state_->rubric->name;
  if (field == "version") return state_->rubric->version;
  if (field == "scoring_hash") return state_->rubric->scoring_hash;
  return {};
}

std::optional<bool> Verdict::boolean(std::string_view field) const {
  const int at = position(state_, field);
  if (at < 0) return std::nullopt;
  const auto i = static_cast<std::size_t>(at);
  if (state_->kind(i) != TypeKind::boolean || state_->value(i).missing()) return std::nullopt;
  return state_->value(i).boolean.truth != 0;
}

std::string_view Verdict::json(std::string_view field) const {
  const int at = position(state_, field);
  if (at >= 0) {
    if (!state_->ready()) return {};
    const FieldSpan span = state_->spans[static_cast<std::size_t>(at)];
    return std::string_view(state_->json).substr(span.begin, span.end - span.begin);
  }
  if (state_ == nullptr || state_->failed) return {};
  if (field == "rubric") return state_->writer->name_json();
  if (field == "version") return state_->writer->version_json();
  if (field == "scoring_hash") return state_->writer->hash_json();
  return {};
}

std::string_view Verdict::json() const {
  if (state_ == nullptr) return {};
  state_->ready();
  return state_->json;
}

// ---- by handle

namespace {

// The value of a field if it has this kind, otherwise null.
const Value* given(const Verdict::State* state, FieldHandle field, TypeKind kind) {
  const auto at = static_cast<std::size_t>(field);
  if (state == nullptr || state->failed || at >= state->count()) return nullptr;
  return state->kind(at) == kind && !state->value(at).missing() ? &state->value(at) : nullptr;
}

// The number as shown. Usually a rule has rounded it to the decimals shown; a fraction that no rule has rounded is
// shown with 12 digits.
Number as_shown(Verdict::State* state, FieldHandle field, const Value& value, NumberPool& pool) {
  const int decimals = state->field(static_cast<std::size_t>(field)).decimals;
  const Number n = value.number;
  if (n.den == 1) return n;
  if (decimals >= 0) {
    if (decimals <= kPlainDigits && n.den == kPowersOfTen[decimals]) return n;
    return round_to(n, decimals, Rounding::half_away, pool);
  }
  state->shown.clear();
  write_number(n, decimals, state->shown);
  Number result;
  parse_decimal(state->shown, result, pool);
  return result;
}

}  // namespace

std::optional<double> Verdict::number(FieldHandle field) const {
  const Value* value = given(state_, field, TypeKind::number);
  if (value == nullptr) return std::nullopt;
  NumberPool pool;
  return to_double(as_shown(state_, field, *value, pool));
}

std::optional<std::int64_t> Verdict::scaled(FieldHandle field, int decimals) const {
  const Value* value = given(state_, field, TypeKind::number);
  if (value == nullptr || decimals < 0 || decimals > kPlainDigits) return std::nullopt;
  NumberPool pool;
  const Number n = as_shown(state_, field, *value, pool);
  if (n.den == kPowersOfTen[decimals]) return n.num;
  std::int64_t result = 0;
  if (!to_int64(mul(n, whole(kPowersOfTen[decimals]), pool), result)) return std::nullopt;
  return result;
}

std::string_view Verdict::text(FieldHandle field) const {
  const Value* value = given(state_, field, TypeKind::text);
  return value == nullptr ? std::string_view() : value->text.view();
}

std::optional<bool> Verdict::boolean(FieldHandle field) const {
  const Value* value = given(state_, field, TypeKind::boolean);
  if (value == nullptr) return std::nullopt;
  return value->boolean.truth != 0;
}

std::string_view Verdict::id() const { return state_ == nullptr ? std::string_view() : state_->id; }

bool Verdict::eligible() const { return state_ != nullptr && !state_->failed && state_->eligible; }

}  // namespace assay
