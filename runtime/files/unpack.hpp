// Streaming decompression; the format is recognised by the first bytes. One function for each library: gzip.cpp uses
// zlib, zstd.cpp uses libzstd.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace assay {

inline constexpr std::string_view kGzip = "\x1f\x8b";
inline constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";

// Consumes bytes at the front of `input` and writes up to `room` decompressed ones. `last`: no more input follows.
// Returns the number written; 0: more input is needed, or with `last` the end; negative: `problem` ends "cannot read
// 'x': ". Consecutive members or frames are one text.
using Unpack =
    std::function<long(std::string_view& input, bool last, char* out, std::size_t room, std::string& problem)>;

Unpack unpack_gzip();
Unpack unpack_zstd();

inline constexpr const char* kTruncated = "its compressed data end in the middle";
inline constexpr const char* kCorrupt = "its compressed data are damaged";

}  // namespace assay
