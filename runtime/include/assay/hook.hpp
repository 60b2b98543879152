// Hooks implemented by the host: C++ functions that a rubric declares and calls like hooks in Lua.
//
//   assay::CompileOptions options;
//   options.hooks["similarity"] = [](const std::vector<assay::HookValue>& args) {
//     return assay::HookValue(trigram_similarity(args[0].text, args[1].text));
//   };
//   // in the rubric:  hook similarity(a: text, b: text): number 0..1 from "host:similarity"
//
// Arguments have the declared types; results are checked against the declared type and range, like those of Lua. An
// argument declared `optional` may be missing, and so may a result declared `optional`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace assay {

// A value, copied. Numbers are doubles: a result means the shortest decimal that reads back as the same double.
struct HookValue {
  enum class Kind : std::uint8_t { missing, number, boolean, text, list, record, error };

  Kind kind = Kind::missing;
  double number = 0;
  bool boolean = false;
  std::string text;                                        // for an error: the message
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
  // Makes the evaluation of the record fail with this message.
  static HookValue error(std::string message) {
    HookValue value(std::move(message));
    value.kind = Kind::error;
    return value;
  }
};

// Every evaluating thread may call it; it must return the same result for the same arguments and must not throw.
using HookFunction = std::function<HookValue(const std::vector<HookValue>& arguments)>;
using HookFunctions = std::map<std::string, HookFunction, std::less<>>;

}  // namespace assay
