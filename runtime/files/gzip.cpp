// The only unit that uses zlib.
#include "runtime/files/unpack.hpp"

#include <zlib.h>
#include <algorithm>
#include <climits>
#include <memory>
#include <new>

namespace assay {

namespace {

struct Inflater {
  z_stream stream{};
  bool within = true;  // inside a member
  Inflater() {
    constexpr int kGzipOnly = 16;
    if (::inflateInit2(&stream, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { ::inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  long unpack(std::string_view& input, bool last, char* out, std::size_t room, std::string& problem) {
    const auto capacity = static_cast<uInt>(std::min<std::size_t>(room, INT_MAX));
    stream.next_out = reinterpret_cast<Bytef*>(out);
    stream.avail_out = capacity;
    while (stream.avail_out > 0) {
      if (!within) {  // another member, or the zero padding of tapes and archives
        while (!input.empty() && input.front() == '\0') input.remove_prefix(1);
        if (input.empty()) break;
        ::inflateReset(&stream);
        within = true;
      }
      if (input.empty() && !last) break;
      const auto given = static_cast<uInt>(std::min<std::size_t>(input.size(), INT_MAX));
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));  // zlib's header predates const
      stream.avail_in = given;
      const int status = ::inflate(&stream, Z_NO_FLUSH);
      input.remove_prefix(given - stream.avail_in);
      if (status == Z_STREAM_END) {
        within = false;
      } else if (status == Z_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (status != Z_OK) {  // zlib repeats a refusal, so existing output is returned first
        if (stream.avail_out < capacity) break;
        problem = status == Z_BUF_ERROR ? kTruncated : kCorrupt;  // no progress is possible without more input
        return -1;
      }
    }
    return static_cast<long>(capacity - stream.avail_out);
  }
};

}  // namespace

Unpack unpack_gzip() {
  return [inflater = std::make_shared<Inflater>()](std::string_view& input, bool last, char* out, std::size_t room,
                                                   std::string& problem) {
    return inflater->unpack(input, last, out, room, problem);
  };
}

}  // namespace assay
