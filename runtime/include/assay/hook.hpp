// Hooks that the host supplies: functions in C++ that a rubric declares and calls as if they were written in Lua.
//
//   assay::CompileOptions options;
//   options.hooks["similarity"] = [](const std::vector<assay::HookValue>& args) {
//     return assay::HookValue(trigram_similarity(args[0].text, args[1].text));
//   };
//   // in the rubric:  hook similarity(a: text, b: text): number 0..1 from "host:similarity"
//
// Arguments have the declared types; results are checked against the declared type and range, as those of Lua are. A
// missing value is passed for an argument that is declared `optional`, and may be returned for such a result.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace assay {

// A value by value. Numbers are doubles: a result is taken as the shortest decimal that reads back as the same double.
struct HookValue {
  enum class Kind : std::uint8_t { missing, number, boolean, text, list, record, error };

  Kind kind = Kind::missing;
  double number = 0;
  bool boolean = false;
  std::string text;                                        // of an error: what went wrong
  std::vector<HookValue> items;                            // list
  std::vector<std::pair<std::string, HookValue>> members;  // record and map

  HookValue() = default;
  HookValue(double n) : kind(Kind::number), number(n) {}
  HookValue(int n) : kind(Kind::number), number(n) {}
  HookValue(bool b) : kind(Kind::boolean), boolean(b) {}
  HookValue(std::string t) : kind(Kind::text), text(std::move(t)) {}
  HookValue(const char* t) : kind(Kind::text), text(t) {}
  static HookValue list(std::vector<HookValue> items) {
    HookValue value;
    value.kind = Kind::list;
    value.items = std::move(items);
    return value;
  }
  static HookValue record(std::vector<std::pair<std::string, HookValue>> members) {
    HookValue value;
    value.kind = Kind::record;
    value.members = std::move(members);
    return value;
  }
  // Ends the record's evaluation with this message.
  static HookValue error(std::string message) {
    HookValue value(std::move(message));
    value.kind = Kind::error;
    return value;
  }
};

// Called from every thread that evaluates; must give the same result for the same arguments. Must not throw.
using HookFunction = std::function<HookValue(const std::vector<HookValue>& arguments)>;
using HookFunctions = std::map<std::string, HookFunction, std::less<>>;

}  // namespace assay
