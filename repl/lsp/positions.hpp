// Conversion between places of the protocol (line, character) and of the library (bytes), and between URIs and file
// names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

enum class Encoding : unsigned char { utf8, utf16 };

// The lines of a text, which has to stay as it is. Lines end with \n, \r\n or \r. For one thread at a time.
class Lines {
 public:
  explicit Lines(std::string_view text);
  struct Position {
    std::size_t line = 0, character = 0;
  };
  // A line beyond the last means the end of the text, a character beyond the line its end.
  std::size_t offset(Position position, Encoding encoding) const;
  Position position(std::size_t offset, Encoding encoding) const;
  // The characters of a range within one line.
  std::size_t characters(std::size_t begin, std::size_t end, Encoding encoding) const {
    return ascii_ ? end - begin : position(end, encoding).character - position(begin, encoding).character;
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> begins_;
  bool ascii_;                    // then a character is a byte in either encoding
  mutable std::size_t last_ = 0;  // the line of the last position: the next one is often near
};

// The path of a file: URI; any other URI unchanged.
std::string name_of_uri(std::string_view uri);
std::string uri_of_name(const std::string& name);

}  // namespace assay::cli
