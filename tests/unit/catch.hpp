// Catch2, version 2 or 3, under one name: what a unit test includes.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <cstdlib>

// How many rounds a random test does: all of them in a long run, which has ASSAY_TEST_LONG in its environment, else a
// tenth.
inline std::size_t rounds(std::size_t all) { return std::getenv("ASSAY_TEST_LONG") != nullptr ? all : all / 10; }
