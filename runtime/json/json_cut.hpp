// A JSON document → its records, which are the items of a list, or the objects that follow each other. One pass finds
// their positions and checks that the whole document is well-formed, but keeps no contents. After a malformed item it
// goes on with the next one, if the structure shows where that begins; parse_json (runtime/json/json_tree.hpp) says what
// is wrong with the item.
#pragma once

#include <assay/interrupt.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay {

struct JsonItem {
  // Not `none`: the text is no value. Outside all items there is only white space, commas and the brackets of the list.
  enum class Fault : std::uint8_t {
    none,
    malformed,
    no_comma,  // stands after an item of a list, without a comma between them
    after,     // stands after the end of the document
  };
  std::string_view text;
  std::uint64_t line = 0;  // its first line, from 1
  Fault fault = Fault::none;
  bool last = false;  // nothing shows where the next item begins: the text is the rest of the document
};

// `text` must be followed by a line feed and at least kBlock (runtime/json/bytes.hpp) zeros. `nesting` as for
// parse_json. False: it is neither a list nor an object, or the interrupt is due.
bool cut_json(std::string_view text, int nesting, std::vector<JsonItem>& items, const Interrupt* interrupt = nullptr);

// Writes a well-formed JSON text, which is followed by a line feed or a zero, without the white space between its
// parts, and returns the end of the output. kBlock bytes after the text must be readable, and as many after the output
// writable; the output is not longer than the text.
char* compact_json(std::string_view text, char* out);

}  // namespace assay
