// What many unit tests are given: a rubric that compiles, and a text that is read like a stream.
#pragma once

#include "tests/unit/catch.hpp"

#include <assay/assay.hpp>

#include <algorithm>
#include <string_view>

// A rubric that has to compile.
inline assay::Rubric rubric_of(std::string_view text, const assay::CompileOptions& options = {}) {
  assay::Compiled compiled = assay::compile("test.rubric", text, options);
  INFO(text.substr(0, 4000) << '\n' << assay::render(compiled.diagnostics));
  REQUIRE(compiled.rubric);
  return *compiled.rubric;
}

// Reads a text, which must outlive it, in pieces of at most so many bytes.
inline assay::RecordReader::Read reader_of(std::string_view text, std::size_t piece = std::string_view::npos) {
  return [text, piece](char* buffer, std::size_t size) mutable {
    const std::size_t count = text.copy(buffer, std::min(size, piece));
    text.remove_prefix(count);
    return static_cast<long>(count);
  };
}
