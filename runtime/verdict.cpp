// Reading a verdict: fields by name, as they are shown.
#include "runtime/evaluator.hpp"

#include <charconv>

namespace assay {

void write_error(const InputError& error, std::string& out) {
  out += "{\"error\":{\"path\":";
  write_json_text(error.path, out);
  out += ",\"code\":";
  write_json_text(error.code, out);
  out += ",\"message\":";
  write_json_text(error.message, out);
  out += "}}";
}

void put_before(const std::string& prefix, std::string& path) {
  if (!path.empty() && path.front() != '[') path.insert(0, 1, '.');
  path.insert(0, prefix);
}

namespace {

// The position of a field that was computed, or -1.
int position(const Verdict::State* state, std::string_view field) {
  return state == nullptr || state->failed ? -1 : state->writer->find(field);
}

}  // namespace

const InputError* Verdict::error() const { return state_ != nullptr && state_->failed ? &state_->error : nullptr; }

std::optional<double> Verdict::number(std::string_view field) const {
  const int at = position(state_, field);
  if (at < 0 || state_->writer->kind(static_cast<std::size_t>(at)) != TypeKind::number) return std::nullopt;
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
    return state_->writer->kind(i) == TypeKind::text ? state_->values[i].text.view() : std::string_view();
  }
  if (state_ == nullptr || state_->failed) return {};
  if (field == "rubric") return state_->rubric->name;
  if (field == "version") return state_->rubric->version;
  return {};
}

std::optional<bool> Verdict::boolean(std::string_view field) const {
  const int at = position(state_, field);
  if (at < 0) return std::nullopt;
  const auto i = static_cast<std::size_t>(at);
  if (state_->writer->kind(i) != TypeKind::boolean || state_->values[i].missing()) return std::nullopt;
  return state_->values[i].boolean.truth != 0;
}

std::string_view Verdict::json(std::string_view field) const {
  const int at = position(state_, field);
  if (at >= 0) {
    const FieldSpan span = state_->spans[static_cast<std::size_t>(at)];
    return std::string_view(state_->json).substr(span.begin, span.end - span.begin);
  }
  if (state_ == nullptr || state_->failed) return {};
  if (field == "rubric") return state_->writer->name_json();
  if (field == "version") return state_->writer->version_json();
  return {};
}

std::string_view Verdict::json() const { return state_ == nullptr ? std::string_view() : std::string_view(state_->json); }

std::string_view Verdict::id() const { return state_ == nullptr ? std::string_view() : state_->id; }

bool Verdict::eligible() const { return state_ != nullptr && !state_->failed && state_->eligible; }

}  // namespace assay
