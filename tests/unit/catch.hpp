// Includes Catch2, version 2 or 3, under one name for all unit tests.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <cstdlib>

// The number of rounds of a random test: all of them in a long run (ASSAY_TEST_LONG in the environment), otherwise a
// tenth.
inline std::size_t rounds(std::size_t all) { return std::getenv("ASSAY_TEST_LONG") != nullptr ? all : all / 10; }
