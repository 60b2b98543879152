// The functions of the standard library, read from its modules, for reference pages, an editor's hover and completion,
// and `?name` at the prompt. Neither compiling nor scoring needs them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay {

struct LibraryFunction {
  std::string name;  // "rouge_l"
  std::string
      signature;  // as a rubric calls it, with the types that the module declares: "rouge_l(t: text, reference: text)"
  std::string result;                 // its type where the module declares it, as for functions in C++; otherwise empty
  std::string prose;                  // Markdown, in one line
  std::string units, range, source;   // one line each; empty: nothing documented
  std::vector<std::string> examples;  // conditions that are true
};

struct LibraryModule {
  std::string name;   // "std/text.rubric": what `import` takes
  std::string prose;  // Markdown, in one line
  std::vector<LibraryFunction> functions;
};

// The modules written in the language of rubrics, by name, with their documented functions in order. Functions in Lua
// are declared by the rubric that uses them and are not listed. Built by the first call and kept; any thread.
const std::vector<LibraryModule>& library_modules();

// All functions of this name, with their modules; empty if there are none. Pointers stay valid for ever.
std::vector<std::pair<const LibraryModule*, const LibraryFunction*>> find_library_functions(std::string_view name);

}  // namespace assay
