// What the standard library offers, read from its modules: for reference pages, for hover and completion of an editor, and
// for `?name` at the prompt. Nothing of it is needed to compile or to score.
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
  std::string result;                 // its type where the module declares it, as for functions in C++; else empty
  std::string prose;                  // Markdown, in one line
  std::string units, range, source;   // in a line each; empty: nothing to say
  std::vector<std::string> examples;  // conditions that are true
};

struct LibraryModule {
  std::string name;   // "std/text.rubric": what `import` takes
  std::string prose;  // Markdown, in one line
  std::vector<LibraryFunction> functions;
};

// The modules in the language of rubrics, by name, and their documented functions in the order of the module. Those in Lua
// are declared by the rubric that uses them. Made at the first call and kept; safe from several threads.
const std::vector<LibraryModule>& library_modules();

// The functions of a name in any module, with their modules; none: an empty list. Pointers are valid for ever.
std::vector<std::pair<const LibraryModule*, const LibraryFunction*>> find_library_functions(std::string_view name);

}  // namespace assay
