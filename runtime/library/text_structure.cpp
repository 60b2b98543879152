// The structure of a text: words, sentences and syllables for readability formulas; JSON, and code between fences.
#include "lang/number/number.hpp"
#include "lang/text/characters.hpp"
#include "runtime/json/json_tree.hpp"
#include "runtime/library/tokens.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace assay::library {

namespace {

constexpr int kMostJsonDepth = 200;         // depth of values to compare or to search
constexpr std::uint64_t kJsonByteWork = 4;  // bytes of JSON read per step

// Adjacent vowels are one syllable; a silent 'e' at the end of an English word is not counted. A word has at least one.
std::uint64_t syllables_of(std::string_view word) {
  std::uint64_t groups = 0;
  bool inside = false;
  for (std::size_t at = 0; at < word.size();) {
    const bool vowel = is_vowel(next_character(word, at));
    groups += vowel && !inside;
    inside = vowel;
  }
  if (groups > 1 && word.size() > 2 && word.ends_with('e') && !word.ends_with("le")) {
    const char before = word[word.size() - 2];
    if (std::string_view("aeiouy").find(before) == std::string_view::npos && static_cast<unsigned char>(before) < 128)
      --groups;
  }
  return std::max<std::uint64_t>(groups, 1);
}

bool parse(ExecutionContext& m, std::string_view text, JsonNode& node) {
  m.charge(text.size() / kJsonByteWork);
  if (text.size() > m.room() / 32) m.out_of_memory();  // a node of the tree takes more memory than its text
  JsonProblem problem;
  return parse_json(text, node, problem, kMostJsonDepth, kMostJsonDepth, m.limits->interrupt);
}

// Numbers are compared by value: 1, 1.0 and 1e0 are equal. `covers`: allows members that `a` does not name.
bool same(ExecutionContext& m, const JsonNode& a, const JsonNode& b, bool covers) {
  m.charge(1);
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case JsonNode::Kind::null: return true;
    case JsonNode::Kind::boolean: return a.raw == b.raw;
    case JsonNode::Kind::number: {
      Number x, y;
      if (!parse_decimal(a.raw, x, *m.pool) || !parse_decimal(b.raw, y, *m.pool)) return a.raw == b.raw;
      return m.compare(x, y) == 0;
    }
    case JsonNode::Kind::text: return a.text == b.text;
    case JsonNode::Kind::list:
      if (a.items.size() != b.items.size()) return false;
      for (std::size_t i = 0; i < a.items.size(); ++i) {
        if (!same(m, a.items[i], b.items[i], covers)) return false;
      }
      return true;
    case JsonNode::Kind::object: break;
  }
  if (covers ? a.members.size() > b.members.size() : a.members.size() != b.members.size()) return false;
  const auto find = [&](const JsonNode& in, const std::string& key) {
    m.charge(1 + in.members.size() / 8);
    return in.find(key);
  };
  return std::all_of(a.members.begin(), a.members.end(), [&](const JsonMember& member) {
    const JsonNode* other = find(b, member.first);
    return other != nullptr && same(m, member.second, *other, covers);
  });
}

Value compare_json(ExecutionContext& m, const Value* args, bool covers) {
  JsonNode a, b;
  if (!parse(m, args[0].text.view(), a) || !parse(m, args[1].text.view(), b)) return make_bool(false);
  return make_bool(same(m, a, b, covers));
}

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

struct Block {
  std::string_view language, code;
};

// The blocks between fences of three or more backticks or tildes, as in CommonMark; an unclosed one ends with the text.
// `language`: the first word after the fence.
std::vector<Block> blocks_of(ExecutionContext& m, std::string_view text) {
  m.charge(text.size() / 8);
  std::vector<Block> blocks;
  std::size_t open = 0, begin = 0;
  char sign = 0;
  std::string_view language;
  const auto finish = [&](std::size_t end) {
    std::string_view code = text.substr(std::min(begin, end), end - std::min(begin, end));
    if (code.ends_with('\n')) code.remove_suffix(1);
    if (code.ends_with('\r')) code.remove_suffix(1);
    if (blocks.size() > m.room() / sizeof(Block)) m.out_of_memory();
    blocks.push_back({language, code});
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    std::size_t indent = 0;
    while (indent < line.size() && line[indent] == ' ') ++indent;
    line.remove_prefix(indent);
    std::size_t marks = 0;
    if (!line.empty() && (line[0] == '`' || line[0] == '~')) {
      while (marks < line.size() && line[marks] == line[0]) ++marks;
    }
    const std::string_view behind = trimmed(line.substr(marks));
    if (open == 0 && marks >= 3 && indent < 4 && (line[0] == '~' || behind.find('`') == std::string_view::npos)) {
      open = marks;
      sign = line[0];
      language = behind.substr(0, behind.find_first_of(" \t{"));
      begin = std::min(end + 1, text.size());
    } else if (open != 0 && marks >= open && line[0] == sign && behind.empty() && indent < 4) {
      finish(at);
      open = 0;
    }
    at = end + 1;
  }
  if (open != 0) finish(text.size());
  return blocks;
}

// Follows a path like "a.b[0].c" in a tree; null if it leads nowhere.
const JsonNode* follow(ExecutionContext& m, const JsonNode& node, std::string_view path) {
  const JsonNode* at = &node;
  for (std::size_t p = 0; p < path.size();) {
    m.charge(1 + at->members.size() / 8);
    if (path[p] == '[') {
      const std::size_t close = path.find(']', p);
      if (close == std::string_view::npos || close == p + 1 || close - p > 10 || !at->is(JsonNode::Kind::list))
        return nullptr;
      std::size_t index = 0;
      for (const char c : path.substr(p + 1, close - p - 1)) {
        if (c < '0' || c > '9') return nullptr;
        index = index * 10 + static_cast<std::size_t>(c - '0');
      }
      if (index >= at->items.size()) return nullptr;
      at = &at->items[index];
      p = close + 1;
    } else {
      if (path[p] == '.' && p > 0) ++p;
      const std::size_t end = std::min(path.find_first_of(".[", p), path.size());
      if (end == p || !at->is(JsonNode::Kind::object)) return nullptr;
      at = at->find(path.substr(p, end - p));
      if (at == nullptr) return nullptr;
      p = end;
    }
  }
  return at;
}

}  // namespace

Value text_counts(ExecutionContext& m, const Value* args) {
  const std::string_view text = args[0].text.view();
  m.charge(text.size() / 2);
  std::uint64_t characters = 0, letters = 0, sentences = 0;
  bool open = false;  // a word has been seen since the last end of a sentence
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_character(text, at);
    ++characters;
    const bool part = is_word_character(c);
    letters += part;
    open = open || part;
    const bool stop = c == '.' || c == '!' || c == '?' || c == U'…' || c == U'。' || c == U'！' || c == U'？';
    if (!stop || !open) continue;
    std::size_t behind = at;  // "3.5" and "e.g.x" end no sentence: only a point before a blank, a quote or the end does
    const char32_t next = at < text.size() ? next_character(text, behind) : U' ';
    if (c < 128 && is_word_character(next)) continue;
    ++sentences;
    open = false;
  }
  sentences += open;
  std::uint64_t words = 0, syllables = 0, long_words = 0, complex_words = 0;
  WordReader reader(m, text);
  constexpr std::uint64_t kLongWord = 6, kComplexWord = 3;
  while (reader.next()) {
    const std::string& word = reader.word();
    ++words;
    const std::uint64_t parts = syllables_of(word);
    syllables += parts;
    complex_words += parts >= kComplexWord;
    std::uint64_t size = 0;
    for (const char c : word) size += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    long_words += size > kLongWord;
  }
  Number numbers[7];
  std::size_t i = 0;
  for (const std::uint64_t n : {characters, letters, words, sentences, syllables, long_words, complex_words})
    numbers[i++] = whole(static_cast<std::int64_t>(n));
  return make_fields(m, numbers, 7);
}

Value is_json(ExecutionContext& m, const Value* args) {
  JsonNode node;
  return make_bool(parse(m, args[0].text.view(), node));
}

// The value at a path: a text without its quotes, anything else as JSON. Missing: invalid JSON, no such path, or null.
Value json_value(ExecutionContext& m, const Value* args) {
  JsonNode node;
  if (!parse(m, args[0].text.view(), node)) return missing_value();
  const JsonNode* found = follow(m, node, args[1].text.view());
  if (found == nullptr || found->is(JsonNode::Kind::null)) return missing_value();
  return m.text(found->is(JsonNode::Kind::text) ? std::string_view(found->text) : found->raw);
}

// The JSON in an answer: the text itself, else the first fenced block that is JSON, else everything from the first '{'
// or '[' to the last closing bracket.
Value json_in(ExecutionContext& m, const Value* args) {
  const std::string_view text = trimmed(args[0].text.view());
  JsonNode node;
  if (parse(m, text, node)) return m.text(text);
  for (const Block& block : blocks_of(m, text)) {
    const std::string_view code = trimmed(block.code);
    if (parse(m, code, node)) return m.text(code);
  }
  const std::size_t begin = text.find_first_of("{["), end = text.find_last_of("}]");
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return missing_value();
  const std::string_view inner = text.substr(begin, end - begin + 1);
  return parse(m, inner, node) ? m.text(inner) : missing_value();
}

Value code_blocks(ExecutionContext& m, const Value* args) {
  const std::vector<Block> blocks = blocks_of(m, args[0].text.view());
  Value result = m.list(static_cast<std::uint32_t>(blocks.size()));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    Value* fields = m.array<Value>(2);
    fields[0] = m.text(blocks[i].language);
    fields[1] = m.text(blocks[i].code);
    result.list.items[i] = make_record(fields, 2);
  }
  return result;
}

// Whether round, square and curly brackets are closed in the right order, outside quoted texts.
Value brackets_balance(ExecutionContext& m, const Value* args) {
  const std::string_view text = args[0].text.view();
  m.charge(text.size() / 4);
  if (text.size() > m.room()) m.out_of_memory();
  std::string open;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote || c == '\n') quote = 0;  // an apostrophe in a comment has no effect beyond its line
      continue;
    }
    switch (c) {
      case '"':
      case '\'':
      case '`': quote = c; break;
      case '(': open += ')'; break;
      case '[': open += ']'; break;
      case '{': open += '}'; break;
      case ')':
      case ']':
      case '}':
        if (open.empty() || open.back() != c) return make_bool(false);
        open.pop_back();
        break;
      default: break;
    }
  }
  return make_bool(open.empty());
}

Value same_json(ExecutionContext& m, const Value* args) { return compare_json(m, args, false); }
Value covers_json(ExecutionContext& m, const Value* args) { return compare_json(m, args, true); }

}  // namespace assay::library
