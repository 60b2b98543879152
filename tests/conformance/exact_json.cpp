// Uses the events of nlohmann's reader, because they give the text of a number; see exact_json.hpp.
#include "tests/conformance/exact_json.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>

namespace assay_tests {

namespace {

using Library = nlohmann::json;

// Builds the tree from the reader's events.
class Builder {
 public:
  Json root;
  std::string problem;

  bool null() { return add({}); }
  bool boolean(bool value) {
    Json json;
    json.kind = Json::Kind::boolean;
    json.boolean = value;
    return add(std::move(json));
  }
  bool number_integer(std::int64_t value) { return number(std::to_string(value)); }
  bool number_unsigned(std::uint64_t value) { return number(std::to_string(value)); }
  bool number_float(double, const std::string& written) { return number(written); }
  bool string(std::string& value) {
    Json json;
    json.kind = Json::Kind::text;
    json.text = std::move(value);
    return add(std::move(json));
  }
  bool binary(Library::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::Kind::object); }
  bool key(std::string& name) {
    key_ = std::move(name);
    return true;
  }
  bool end_object() { return close(); }
  bool start_array(std::size_t) { return open(Json::Kind::list); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) {
    problem = error.what();
    return false;
  }

 private:
  bool number(std::string written) {
    Json json;
    json.kind = Json::Kind::number;
    json.text = std::move(written);
    return add(std::move(json));
  }

  // A value's address is valid until its container gets the next value: only the innermost open container grows.
  Json* place(Json json) {
    if (open_.empty()) {
      root = std::move(json);
      return &root;
    }
    Json& parent = *open_.back();
    if (parent.kind == Json::Kind::list) return &parent.items.emplace_back(std::move(json));
    parent.members.push_back({std::move(key_), std::move(json)});
    return &parent.members.back().value;
  }
  bool add(Json json) {
    place(std::move(json));
    return true;
  }
  bool open(Json::Kind kind) {
    Json json;
    json.kind = kind;
    open_.push_back(place(std::move(json)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::vector<Json*> open_;
  std::string key_;
};

std::string quoted(const std::string& text) { return Library(text).dump(); }

std::string shortened(const Json* value) {
  if (!value) return "nothing";
  std::string text = to_text(*value);
  constexpr std::size_t kShown = 300;
  if (text.size() > kShown) text.replace(kShown, std::string::npos, "…");
  return text;
}

std::string differs(const std::string& path, const Json& expected, const Json* actual) {
  return (path.empty() ? "the verdict" : path) + ": expected " + shortened(&expected) + ", got " + shortened(actual);
}

}  // namespace

const Json* Json::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::optional<Json> parse_json(std::string_view text, std::string& problem) {
  Builder builder;
  if (Library::sax_parse(text.begin(), text.end(), &builder)) return std::move(builder.root);
  problem = builder.problem;
  return std::nullopt;
}

std::string to_text(const Json& value) {
  std::string out;
  switch (value.kind) {
    case Json::Kind::null: return "null";
    case Json::Kind::boolean: return value.boolean ? "true" : "false";
    case Json::Kind::number: return value.text;
    case Json::Kind::text: return quoted(value.text);
    case Json::Kind::list:
      for (const auto& item : value.items) out.append(out.empty() ? "" : ", ").append(to_text(item));
      return "[" + out + "]";
    case Json::Kind::object:
      for (const auto& [name, member] : value.members) {
        out.append(out.empty() ? "" : ", ").append(quoted(name)).append(": ").append(to_text(member));
      }
      return "{" + out + "}";
  }
  return out;
}

std::string normalised_decimal(std::string_view number) {
  const bool negative = number.starts_with('-');
  if (negative) number.remove_prefix(1);
  long exponent = 0;
  if (const auto e = number.find_first_of("eE"); e != std::string_view::npos) {
    exponent = std::stol(std::string(number.substr(e + 1)));
    number = number.substr(0, e);
  }
  std::string digits;
  bool fraction = false;
  for (const char c : number) {
    if (c == '.') {
      fraction = true;
    } else {
      digits += c;
      if (fraction) --exponent;
    }
  }
  while (digits.ends_with('0')) {
    digits.pop_back();
    ++exponent;
  }
  digits.erase(0, digits.find_first_not_of('0'));
  if (digits.empty()) return "0";
  return (negative ? "-" : "") + digits + "e" + std::to_string(exponent);
}

std::string difference(const Json& expected, const Json& actual, const std::string& path) {
  if (expected.kind != actual.kind) return differs(path, expected, &actual);
  switch (expected.kind) {
    case Json::Kind::null: return {};
    case Json::Kind::boolean:
      return expected.boolean == actual.boolean ? std::string() : differs(path, expected, &actual);
    case Json::Kind::number:
      if (normalised_decimal(expected.text) == normalised_decimal(actual.text)) return {};
      return differs(path, expected, &actual);
    case Json::Kind::text: return expected.text == actual.text ? std::string() : differs(path, expected, &actual);
    case Json::Kind::list:
      if (expected.items.size() != actual.items.size()) return differs(path, expected, &actual);
      for (std::size_t i = 0; i < expected.items.size(); ++i) {
        auto found = difference(expected.items[i], actual.items[i], path + "[" + std::to_string(i) + "]");
        if (!found.empty()) return found;
      }
      return {};
    case Json::Kind::object:
      for (const auto& [name, value] : expected.members) {
        const std::string inner = path.empty() ? name : path + "." + name;
        const Json* found = actual.find(name);
        if (!found) return differs(inner, value, nullptr);
        auto inside = difference(value, *found, inner);
        if (!inside.empty()) return inside;
      }
      return {};
  }
  return {};
}

}  // namespace assay_tests
