// Iterates over the members of a JSON object, or the items of a list, in place and without a tree. The text should be
// well-formed; otherwise any part may be skipped, but nothing beyond its end is read.
#pragma once

#include <string>
#include <string_view>

namespace assay {

class JsonParts {
 public:
  // `whole` must outlive it. A value that is neither an object nor a list has no parts.
  explicit JsonParts(std::string_view whole);
  bool object() const { return object_; }
  bool next();                                   // false after the last part
  std::string_view key() const { return key_; }  // of a member, as written, without its quotes
  std::string_view value() const { return value_; }

 private:
  void skip_space();
  bool skip_text();
  bool skip_value();

  std::string_view text_;
  std::size_t at_ = 0;
  bool object_ = false;
  std::string_view key_, value_;
};

// Resolves the escapes of a JSON text written without its quotes. False: an escape is invalid. The result is in
// `scratch` if there are escapes; otherwise it is a view of `written`.
bool unescape_json(std::string_view written, std::string& scratch, std::string_view& result);

}  // namespace assay
