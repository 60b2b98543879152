// The comments of a rubric, as text: what stands above a declaration or beside it says as much as its own text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

// The comment in the lines above a place of a file; and with the one behind it in its last line.
std::string comment_above(std::string_view file, std::size_t begin);
std::string comment_at(std::string_view file, std::size_t begin, std::size_t end);
// All comments that stand on lines of their own.
std::string comments_of(std::string_view file);
// The sentences of a text: what stands between full stops, semicolons and the like.
std::vector<std::string> sentences_of(std::string_view text);

}  // namespace assay
