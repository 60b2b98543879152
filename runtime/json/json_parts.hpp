// The members of a JSON object, or the items of a list, one after the other, without a tree: for values that are looked
// into where they stand. The text is well-formed; of one that is not, any part may be left out, and nothing is read
// beyond its end.
#pragma once

#include <string>
#include <string_view>

namespace assay {

class JsonParts {
 public:
  // `whole` has to outlive it. Anything but an object or a list has no parts.
  explicit JsonParts(std::string_view whole);
  bool object() const { return object_; }
  bool next();                                   // false behind the last part
  std::string_view key() const { return key_; }  // of a member, as it is written, without its quotes
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

// What a JSON text, written without its quotes, says. False: an escape in it is none. `scratch` holds the result where
// there are escapes; otherwise it is a view of `written`.
bool unescape_json(std::string_view written, std::string& scratch, std::string_view& result);

}  // namespace assay
