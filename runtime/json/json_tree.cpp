// A strict recursive JSON parser of bounded depth. It is hand-written because no library both keeps the spelling of
// numbers and reports the byte of an error.
#include "runtime/json/json_tree.hpp"

#include "lang/text/ascii.hpp"
#include "lang/value/limit_message.hpp"

#include <cstdint>
#include <unordered_set>

namespace assay {

namespace {

class Parser {
 public:
  Parser(std::string_view text, JsonProblem& problem, int nesting, const Interrupt* interrupt)
      : text_(text), problem_(problem), nesting_(nesting), interrupt_(interrupt) {}

  bool document(JsonNode& result, int levels) {
    skip_space();
    if (at_ == text_.size()) return fail("there is no JSON value");
    if (!value(&result, levels, 0)) return false;
    skip_space();
    return at_ == text_.size() || fail("there is something after the end of the JSON value");
  }

 private:
  bool fail(std::string message) { return fail_at(at_, std::move(message)); }
  bool fail_at(std::size_t offset, std::string message) {
    problem_.offset = offset;
    problem_.message = std::move(message);
    return false;
  }
  // At the end of the text, which is cut off there, or elsewhere.
  bool fail_without(const std::string& expected, const std::string& place = {}) {
    return fail((at_ >= text_.size() ? "the text ends where " + expected + " is expected" : "expected " + expected) +
                place);
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }

  bool value(JsonNode* out, int levels, int depth) {
    const std::size_t begin = at_;
    if ((++values_ & 0xff) == 0 && interrupted(interrupt_)) return fail("stopped");
    const bool ok = value_inside(out, levels, depth);
    if (ok && out != nullptr) out->raw = text_.substr(begin, at_ - begin);
    return ok;
  }

  bool value_inside(JsonNode* out, int levels, int depth) {
    switch (peek()) {
      case '{': return object(out, levels, depth);
      case '[': return list(out, levels, depth);
      case '"':
        if (out != nullptr) out->kind = JsonNode::Kind::text;
        return string(out != nullptr ? &out->text : nullptr);
      case 't': return word(out, "true", JsonNode::Kind::boolean);
      case 'f': return word(out, "false", JsonNode::Kind::boolean);
      case 'n': return word(out, "null", JsonNode::Kind::null);
      default: break;
    }
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '-' || text_[at_] == '+' || text_[at_] == '.' ||
                                  text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
    }
    if (at_ == begin) return fail_without("a value");
    if (!is_json_number(text_.substr(begin, at_ - begin)))
      return fail_at(begin, "this is not a number as JSON writes it");
    if (out != nullptr) out->kind = JsonNode::Kind::number;
    return true;
  }

  bool word(JsonNode* out, std::string_view expected, JsonNode::Kind kind) {
    const std::string_view written = text_.substr(at_, expected.size());
    if (written != expected) {
      if (expected.starts_with(written)) at_ = text_.size();
      return fail_without("a value");
    }
    at_ += expected.size();
    if (out != nullptr) out->kind = kind;
    return true;
  }

  bool enter(int depth) {
    if (depth < nesting_) return true;
    problem_.too_deep = true;
    return fail("lists and objects are nested too deeply");
  }

  bool list(JsonNode* out, int levels, int depth) {
    if (!enter(depth)) return false;
    if (out != nullptr) out->kind = JsonNode::Kind::list;
    ++at_;
    skip_space();
    if (peek() == ']') return ++at_, true;
    while (true) {
      JsonNode* item = nullptr;
      if (out != nullptr && levels > 0) item = &out->items.emplace_back();
      if (!value(item, levels - 1, depth + 1)) return false;
      skip_space();
      if (peek() == ']') return ++at_, true;
      if (peek() != ',') return fail_without("',' or ']'", " after an item of a list");
      ++at_;
      skip_space();
    }
  }

  bool object(JsonNode* out, int levels, int depth) {
    if (!enter(depth)) return false;
    if (out != nullptr) out->kind = JsonNode::Kind::object;
    ++at_;
    skip_space();
    if (peek() == '}') return ++at_, true;
    while (true) {
      if (peek() != '"') return fail_without("a key in double quotes");
      std::string key;
      if (!string(&key)) return false;
      skip_space();
      if (peek() != ':') return fail_without("':'", " after the key");
      ++at_;
      skip_space();
      JsonNode* member = nullptr;
      if (out != nullptr && levels > 0) {
        out->members.push_back({std::move(key), JsonNode()});
        member = &out->members.back().second;
      }
      if (!value(member, levels - 1, depth + 1)) return false;
      skip_space();
      if (peek() == '}') return ++at_, true;
      if (peek() != ',') return fail_without("',' or '}'", " after a member of an object");
      ++at_;
      skip_space();
    }
  }

  bool string(std::string* out) {
    const std::size_t begin = at_++;
    while (true) {
      if (at_ >= text_.size()) return fail_at(begin, "this text has no closing quote");
      const unsigned char c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') return ++at_, true;
      if (c < 0x20) return fail("a control character must be written as an escape");
      if (c == '\\') {
        if (!escape(out)) return false;
        continue;
      }
      const std::size_t length = utf8_length(text_.substr(at_, 4));
      if (length == 0) return fail("this is not valid UTF-8");
      if (out != nullptr) out->append(text_.substr(at_, length));
      at_ += length;
    }
  }

  bool hex4(std::uint32_t& code) {
    code = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = at_ < text_.size() ? text_[at_] : '\0';
      std::uint32_t digit = 0;
      if (is_digit(c)) digit = static_cast<std::uint32_t>(c - '0');
      else if (c >= 'a' && c <= 'f') digit = static_cast<std::uint32_t>(c - 'a' + 10);
      else if (c >= 'A' && c <= 'F') digit = static_cast<std::uint32_t>(c - 'A' + 10);
      else return fail("expected four hexadecimal digits after \\u");
      code = code * 16 + digit;
      ++at_;
    }
    return true;
  }

  bool escape(std::string* out) {
    const std::size_t begin = at_;
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    at_ += 2;
    std::uint32_t code = 0;
    switch (c) {
      case '"':
      case '\\':
      case '/': code = static_cast<unsigned char>(c); break;
      case 'b': code = '\b'; break;
      case 'f': code = '\f'; break;
      case 'n': code = '\n'; break;
      case 'r': code = '\r'; break;
      case 't': code = '\t'; break;
      case 'u': {
        if (!hex4(code)) return false;
        if (code >= 0xDC00 && code <= 0xDFFF) return fail_at(begin, "half of a surrogate pair stands alone");
        if (code >= 0xD800 && code <= 0xDBFF) {
          std::uint32_t low = 0;
          if (text_.substr(at_, 2) != "\\u") return fail_at(begin, "half of a surrogate pair stands alone");
          at_ += 2;
          if (!hex4(low)) return false;
          if (low < 0xDC00 || low > 0xDFFF) return fail_at(begin, "half of a surrogate pair stands alone");
          code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        }
        break;
      }
      default: return fail_at(begin, "JSON knows no such escape");
    }
    if (out != nullptr) append_utf8(*out, code);
    return true;
  }

  std::string_view text_;
  JsonProblem& problem_;
  int nesting_;
  const Interrupt* interrupt_;
  std::uint32_t values_ = 0;
  std::size_t at_ = 0;
};

}  // namespace

JsonNode::JsonNode() = default;
JsonNode::JsonNode(const JsonNode&) = default;
JsonNode::JsonNode(JsonNode&&) noexcept = default;
JsonNode& JsonNode::operator=(const JsonNode&) = default;
JsonNode& JsonNode::operator=(JsonNode&&) noexcept = default;
JsonNode::~JsonNode() = default;

const JsonNode* JsonNode::find(std::string_view key) const {
  for (const auto& member : members) {
    if (member.first == key) return &member.second;
  }
  return nullptr;
}

const std::string* JsonNode::repeated() const {
  std::unordered_set<std::string_view> seen;
  for (const auto& member : members) {
    if (!seen.insert(member.first).second) return &member.first;
  }
  return nullptr;
}

bool parse_json(std::string_view text, JsonNode& result, JsonProblem& problem, int levels, int nesting,
                const Interrupt* interrupt) {
  result = JsonNode();
  problem = JsonProblem();
  return Parser(text, problem, nesting, interrupt).document(result, levels);
}

std::string describe_json(std::string_view raw) {
  if (raw.empty()) return "nothing";
  if (raw.front() == '{') return "an object";
  if (raw.front() == '[') return "a list";
  if (raw.front() != '"') return shorten(raw, kMostQuoted);
  if (prefix_size(raw, kMostQuoted) == raw.size()) return "the text " + std::string(raw);
  const std::string_view beginning = raw.substr(0, prefix_size(raw, kMostQuoted - 4));
  std::size_t end = 0;  // not within an escape
  while (end < beginning.size()) {
    std::size_t next = end + 1;
    if (raw[end] == '\\') next = end + (raw.substr(end + 1, 1) == "u" ? 6 : 2);
    if (next > beginning.size()) break;
    end = next;
  }
  return "the text " + std::string(beginning.substr(0, end)) + "…\"";
}

bool is_json_number(std::string_view s) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t begin = i;
    while (i < s.size() && is_digit(s[i])) ++i;
    return i > begin;
  };
  if (i < s.size() && s[i] == '-') ++i;
  if (i < s.size() && s[i] == '0') {
    ++i;
  } else if (!digits()) {
    return false;
  }
  if (i < s.size() && s[i] == '.') {
    ++i;
    if (!digits()) return false;
  }
  if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
    ++i;
    if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
    if (!digits()) return false;
  }
  return i == s.size();
}

void write_json(const JsonNode& node, std::string& out) {
  if (node.is(JsonNode::Kind::list) && !node.items.empty()) {
    char before = '[';
    for (const JsonNode& item : node.items) {
      out.push_back(before);
      write_json(item, out);
      before = ',';
    }
    out.push_back(']');
  } else if (node.is(JsonNode::Kind::object) && !node.members.empty()) {
    char before = '{';
    for (const auto& member : node.members) {
      out.push_back(before);
      write_json_text(member.first, out);
      out.push_back(':');
      write_json(member.second, out);
      before = ',';
    }
    out.push_back('}');
  } else if (node.is(JsonNode::Kind::text)) {
    write_json_text(node.text, out);
  } else {
    out.append(node.raw);  // a scalar, or a list or object without parts in the tree
  }
}

}  // namespace assay
