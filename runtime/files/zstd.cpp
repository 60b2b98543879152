// The only unit that uses libzstd.
#include "runtime/files/unpack.hpp"

#include <zstd.h>
#include <zstd_errors.h>
#include <memory>
#include <new>

namespace assay {

namespace {

struct Decoder {
  ZSTD_DStream* stream = ::ZSTD_createDStream();
  const char* wrong = nullptr;  // reported after the bytes that could be decompressed
  std::size_t wanted = 1;       // 0: a frame has ended, and no other has begun
  Decoder() {
    if (stream == nullptr) throw std::bad_alloc();
  }
  ~Decoder() { ::ZSTD_freeDStream(stream); }
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  long unpack(std::string_view& input, bool last, char* out, std::size_t room, std::string& problem) {
    ZSTD_outBuffer written{out, room, 0};
    while (wrong == nullptr && written.pos < room) {
      if (input.empty() && (wanted == 0 || !last)) break;
      ZSTD_inBuffer given{input.data(), input.size(), 0};
      const std::size_t before = written.pos;
      const std::size_t status = ::ZSTD_decompressStream(stream, &written, &given);
      input.remove_prefix(given.pos);
      if (::ZSTD_isError(status) != 0) {
        const bool large = ::ZSTD_getErrorCode(status) == ZSTD_error_frameParameter_windowTooLarge;
        wrong = large ? "its compressed data need a window of more than 128 MB" : kCorrupt;
        break;
      }
      wanted = status;
      if (given.pos > 0 || written.pos > before || wanted == 0) continue;
      wrong = kTruncated;
      break;
    }
    if (written.pos > 0 || wrong == nullptr) return static_cast<long>(written.pos);
    problem = wrong;
    return -1;
  }
};

}  // namespace

Unpack unpack_zstd() {
  return [decoder = std::make_shared<Decoder>()](std::string_view& input, bool last, char* out, std::size_t room,
                                                 std::string& problem) {
    return decoder->unpack(input, last, out, room, problem);
  };
}

}  // namespace assay
