// A JSON document → its records, which are the items of a list or the one object. One pass finds where they are and
// sees that all of the document is well-formed, but keeps nothing of what is in them. It is a fast path of parse_json
// (runtime/json/json_tree.hpp), which says what is wrong with a document.
#pragma once

#include <assay/interrupt.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace assay {

struct JsonItem {
  std::string_view text;
  std::uint64_t line = 0;  // where it begins; the first is 1
};

// `text` is followed by a line feed and kBlock (runtime/json/bytes.hpp) zeros or more. `nesting` as for parse_json. False:
// nothing is known about the document, or the interrupt asks for the end.
bool cut_json(std::string_view text, int nesting, std::vector<JsonItem>& items, const Interrupt* interrupt = nullptr);

// Writes a well-formed JSON text, behind which a line feed or a zero stands, without the white space between its parts
// and returns where it ends. kBlock bytes have to be readable behind the text, and as many writable behind what is
// written, which is no longer than the text.
char* compact_json(std::string_view text, char* out);

}  // namespace assay
