// The main function of the unit tests, and the one place where Catch2 itself is compiled.
#define CATCH_CONFIG_MAIN
#include "tests/unit/catch.hpp"

#if __has_include(<catch2/catch_all.hpp>)  // version 3 has a library for it, but a main is as short
int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
#endif
