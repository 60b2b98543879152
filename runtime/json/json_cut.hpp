// A JSON document → its records, which are the items of a list, or the objects that follow each other. One pass finds
// their positions and checks that the whole document is well-formed, but keeps no contents. It is a fast path of
// parse_json (runtime/json/json_tree.hpp), which describes the errors of a document.
#pragma once

#include <assay/interrupt.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay {

struct JsonItem {
  std::string_view text;
  std::uint64_t line = 0;  // its first line, from 1
};

// `text` must be followed by a line feed and at least kBlock (runtime/json/bytes.hpp) zeros. `nesting` as for
// parse_json. False: use parse_json instead, or the interrupt is due; the items are then those above the wrong place,
// and the one that holds it, if any, is empty.
bool cut_json(std::string_view text, int nesting, std::vector<JsonItem>& items, const Interrupt* interrupt = nullptr);

// Writes a well-formed JSON text, which is followed by a line feed or a zero, without the white space between its
// parts, and returns the end of the output. kBlock bytes after the text must be readable, and as many after the output
// writable; the output is not longer than the text.
char* compact_json(std::string_view text, char* out);

}  // namespace assay
