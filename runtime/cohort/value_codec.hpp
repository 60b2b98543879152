// Values as bytes and back: equal values give the same bytes on every machine. Bytes from elsewhere are not trusted: a
// value that does not belong to the type is refused.
#pragma once

#include "lang/value/arena.hpp"
#include "lang/value/type.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

void encode_count(std::uint64_t count, std::string& out);
void encode_text(std::string_view text, std::string& out);
void encode(const TypeTable& types, TypeId type, const Value& value, std::string& out, int depth = 0);

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : rest_(bytes) {}
  bool done() const { return rest_.empty(); }
  bool byte(std::uint8_t& out);
  bool count(std::uint64_t& out);
  bool text(std::string_view& out);  // a view of the bytes
  bool value(const TypeTable& types, TypeId type, Arena& arena, Value& out, int depth = 0);

 private:
  bool number(Arena& arena, std::uint8_t tag, Number& out);
  bool size(std::uint64_t& out);  // of a list; each item takes at least a byte
  std::string_view rest_;
};

}  // namespace assay
