// JSON as a small tree that keeps the spelling of every number: for requests, examples, tables and places of errors,
// where speed does not matter. Records are read by runtime/input/inputs.hpp instead. The parser is strict (RFC 8259,
// UTF-8 checked, no lone surrogates) and reports the byte of an error.
#pragma once

#include "lang/text/utf8.hpp"

#include <assay/interrupt.hpp>
#include <assay/text.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct JsonMember;

struct JsonNode {
  enum class Kind : unsigned char { null, boolean, number, text, list, object } kind = Kind::null;
  std::string_view raw;  // as written; a view into the parsed text
  std::string text;      // text: with escapes resolved
  std::vector<JsonNode> items;
  std::vector<JsonMember> members;  // in their order

  JsonNode();  // special members in the .cpp: the type of `members` is complete only there
  JsonNode(const JsonNode&);
  JsonNode(JsonNode&&) noexcept;
  JsonNode& operator=(const JsonNode&);
  JsonNode& operator=(JsonNode&&) noexcept;
  ~JsonNode();

  bool is(Kind k) const { return kind == k; }
  bool truth() const { return raw == "true"; }
  const JsonNode* find(std::string_view key) const;  // the first member of that name, or null
  const std::string* repeated() const;               // the first key that an earlier member has, or null
};

struct JsonMember {
  std::string first;
  JsonNode second;
};

struct JsonProblem {
  std::size_t offset = 0;  // byte
  bool too_deep = false;   // more nesting than allowed
  std::string message;     // "expected ':' after the key"
};

// Parses `text`. Values nested deeper than `levels` are checked, but kept only as `raw`. False: see `problem`, which is
// meaningless if the interrupt, checked from time to time, is due.
bool parse_json(std::string_view text, JsonNode& result, JsonProblem& problem, int levels = 1'000'000,
                int nesting = 1000, const Interrupt* interrupt = nullptr);

// "a list", "the text "abc"", "7", "null" …: a value, for messages.
std::string describe_json(std::string_view raw);

// True when `text` is a number as JSON spells it.
bool is_json_number(std::string_view text);

// The compact text of a tree; numbers keep their spelling.
void write_json(const JsonNode& node, std::string& out);

}  // namespace assay
