// Nests everything that can nest far too deep: chains of every kind of element that an author, a record or a host can
// nest, of sizes around the limits and far beyond, processed by a thread with a small stack. Each must work or end with
// a diagnostic; an unbounded recursion overflows the stack and crashes the test. tests/recursion searches the code for
// the same fault.
#include <assay/assay.hpp>
#include <assay/diff.hpp>

#include "tests/unit/catch.hpp"

#include <pthread.h>

#include <functional>
#include <string>
#include <vector>

using namespace assay;

namespace {

// A host can rely on a megabyte of stack with an optimised library. Frames are larger without optimisation or with
// sanitizers.
#if defined(__OPTIMIZE__) && !ASSAY_TEST_SANITIZE
constexpr std::size_t kStack = 1 << 20;
#else
constexpr std::size_t kStack = 16 << 20;
#endif

void on_small_stack(std::function<void()> work) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, kStack) == 0);
  pthread_t thread;
  const auto run = [](void* of) -> void* {
    (*static_cast<std::function<void()>*>(of))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, run, &work) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

std::string n(int i) { return std::to_string(i); }

std::string repeated(const std::string& text, int count) {
  std::string all;
  all.reserve(text.size() * static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

std::string rubric(const std::string& items) {
  return "rubric r {\n  input x: number 0..10\n  input b: bool default true\n  input texts: list of text default []\n"
         "  input nums: list of number default []\n" +
         items + "\n}\n";
}

// "<first>" where i is 0, else `rest` with the name before in place of @; as many lines, in this order or backwards, with
// `name` in front and the index of the line in place of #.
std::string chain(int count, const std::string& line, const std::string& first, const std::string& rest,
                  bool backwards) {
  std::string text;
  for (int k = 0; k < count; ++k) {
    const int i = backwards ? count - 1 - k : k;
    for (const char c : line + (i == 0 ? first : rest)) {
      if (c == '#') text += n(i);
      else if (c == '@') text += n(i - 1);
      else text += c;
    }
    text += '\n';
  }
  return text;
}

struct Nest {
  const char* name;
  std::function<std::string(int)> text;
  int most = 100'000;  // declarations take long to compile: fewer, beyond every limit all the same
};

// Declarations that use the previous one.
struct Declared {
  const char* name;
  const char *line, *first, *rest;
  const char* use;  // # is the number of the last one
  bool whole_rubrics = false;
};

const Declared kDeclared[] = {
    {"sums", "let a# = ", "x", "a@ + 1", "output o = a#"},
    {"choices", "let a# = ", "x", "1 when b else a@ when x > 3 else a@", "output o = a#"},
    {"lists", "let a# = ", "x", "[a@]", "output o = a#"},
    {"constant lists", "let a# = ", "1", "[a@]", "output o = a#"},
    {"constant records", "let a# = ", "1", "{ f: a@ }", "output o = a#"},
    {"records", "let a# = ", "x", "{ f: a@ }", "output o = a#\noutput e = a# == a#"},
    {"loops", "let a# = ", "x", "sum(a@ for t in nums)", "output o = a#"},
    {"states", "let a# = ", "x", "last([s for t in nums with s = a@ then s + a@])", "output o = a#"},
    {"texts", "let a# = ", "\"x\"", "\"{a@}!\"", "output o = a#"},
    {"conditions", "let a# = ", "b", "not (a@ and x > 3)", "gate g = a#\noutput o = a#"},
    {"parts of definitions", "let a# = ", "x", "w where w = a@ + 1", "output o = a#"},
    {"functions", "fn f#(a) = ", "a", "f@(a) + 1", "output o = f#(x)"},
    {"functions with types", "fn f#(a: number): number = ", "a", "f@(a) + 1", "output o = f#(x)"},
    {"functions of lists", "fn f#(a) = ", "a", "f@([a])", "output o = f#(x)"},
    {"functions of records", "fn f#(a) = ", "a", "f@({ f: a })", "output o = f#(x)"},
    {"names of types", "type t# = ", "number", "t@", "input y: t# optional\noutput o = y"},
    {"types of lists", "type t# = ", "number", "list of t@", "input y: t# optional\noutput o = y"},
    {"types of maps", "type t# = ", "number", "map of t@", "input y: t# optional\noutput o = y"},
    {"types of records", "type t# = ", "number", "{ a: t@ optional }", "input y: t# optional\noutput o = y"},
    {"types of trees", "type t# = ", "number", "{ a: list of t@ default [] }", "input y: t# optional\noutput o = y"},
    {"defaults of types", "type t# = ", "{ a: number default 1 }", "{ b: t@ default {} }",
     "input y: t# default {}\noutput o = y"},
    {"defaults of inputs", "input i#: number ", "default 1", "default i@", "output o = i#"},
    {"required inputs", "input i#: number ", "optional", "required when i@ > 3", "output o = i#"},
    {"caps", "cap score at # / 4 when q > 3", "", "", "scale 0..10\ndimension q weight 100%\noutput o = x"},
    {"dimensions of dimensions", "dimension d# advisory = ", "x", "d@ / 2 + 1",
     "scale 0..10\ndimension q weight 100%\noutput o = x"},
    {"histories", "let h# = ", "[h.score for h in history]", "[h.h@ for h in history]",
     "scale 0..10\ndimension q weight 100%\noutput o = h#"},
    {"rubrics that apply rubrics", "rubric r# { input x: number 0..10 output o = ", "x }", "r@({ x: x }).o }", "",
     true},
    {"rubrics in records", "rubric r# { input x: number 0..10 default 1 ", "output o = x }",
     "input y: list of r@ default [] output o = sum(r@(l).o for l in y) }", "", true},
    {"rubrics that extend", "rubric r# ", "{ input x: number 0..10 output o = x }", "extends r@ { version \"1\" }", "",
     true},
};

// Nested brackets and operators.
struct Written {
  const char *before, *open, *middle, *close, *after;
};

const Written kWritten[] = {
    {"output o = ", "(", "x", ")", ""},
    {"output o = ", "[", "x", "]", ""},
    {"output o = ", "{a: ", "x", "}", ""},
    {"output o = ", "-", "x", "", ""},
    {"output o = ", "not ", "b", "", ""},
    {"output o = ", "x ^ ", "x", "", ""},
    {"output o = ", "x + ", "x", "", ""},
    {"output o = ", "b and ", "b", "", ""},
    {"output o = ", "x default ", "x", "", ""},
    {"output o = ", "1 when x == 1 else ", "x", "", ""},
    {"output o = ", "(", "1", " when b)", ""},
    {"let a = { a: x }\noutput o = a", ".a", "", "", ""},
    {"output o = nums", "[0]", "", "", ""},
    {"output o = ", "nums[", "0", "]", ""},
    {"output o = ", "\"{", "x", "}\"", ""},
    {"output o = ", "[1 for a in ", "texts", "]", ""},
    {"output o = ", "[", "1", " for a in texts]", ""},
    {"output o = [1", " for a in texts when b", "", "", "]"},
    {"output o = ", "(w where w = ", "x", ")", ""},
    {"fn f(a) = a + 1\noutput o = ", "f(", "x", ")", ""},
    {"table t(k) { | k | v | | < 5 | 1 | | otherwise | 2 | }\noutput o = ", "t(", "x", ")", ""},
    {"output o = ", "max(", "x", ", 1)", ""},
    {"output o = ", "count(", "x", ")", ""},
    {"output o = ", "[1] + ", "[2]", "", ""},
    {"output o = x\n", "cohort { ", "output q = 1", " }", ""},
    {"input y: ", "list of ", "number", "", " optional\noutput o = y"},
    {"input y: ", "{ a: ", "number", " }", " optional\noutput o = y"},
    {"input y: number ", "-", "1", "", "..10 optional\noutput o = y"},
    {"input y: number 0", " + 1", "", "", "..10000000 optional\noutput o = y"},
    {"input y: any optional\ncheck x > 1 at y", "[x]", "", "", " \"r\"\noutput o = x"},
    {"input y: any optional\ncheck x > 1 at y", ".a", "", "", " \"r\"\noutput o = x"},
    {"scale 0..10\ndimension d weight 100% { ", "criterion c weight 100% { ", "criterion l weight 100% ", "}", " }"},
    {"scale 0..10\ndimension q weight 100%\ncomposite = ", "min(", "q", ", 1)", ""},
    {"output o = x\nadvice \"", "{", "x", "}", "\" when x > 1"},
    {"output o = x\nexample \"e\" { given { x: 1, y: ", "[", "", "]", " } expect { o: 1 } }"},
};

std::vector<Nest> nests() {
  std::vector<Nest> all;
  for (const Declared& d : kDeclared) {
    for (const bool backwards : {false, true}) {
      all.push_back({d.name,
                     [&d, backwards](int count) {
                       std::string text = chain(count, d.line, d.first, d.rest, backwards);
                       if (d.whole_rubrics)
                         return text + "rubric last extends r" + n(count - 1) + " { version \"2\" }\n";
                       for (const char* c = d.use; *c != '\0'; ++c)
                         text += *c == '#' ? n(count - 1) : std::string(1, *c);
                       return rubric(text);
                     },
                     5000});
    }
  }
  for (const Written& w : kWritten) {
    all.push_back({w.open, [&w](int count) {
                     return rubric(w.before + repeated(w.open, count) + w.middle + repeated(w.close, count) + w.after);
                   }});
  }
  // The name of the part before is the list of the loop after.
  all.push_back({"for",
                 [](int count) {
                   std::string clauses;
                   for (int i = 0; i < count; ++i)
                     clauses += " for a" + n(i) + " in " + (i == 0 ? "texts" : "[a" + n(i - 1) + "]");
                   return rubric("output o = [1" + clauses + "]");
                 },
                 5000});
  for (const bool backwards : {false, true}) {
    all.push_back({"where",
                   [backwards](int count) {
                     std::string parts;
                     for (int k = 0; k < count; ++k) {
                       const int i = backwards ? count - 1 - k : k;
                       parts += (k == 0 ? "w" : ", w") + n(i) + " = " + (i == 0 ? "x" : "w" + n(i - 1) + " + 1");
                     }
                     return rubric("output o = w" + n(count - 1) + " where " + parts);
                   },
                   5000});
  }
  return all;
}

// Types that another rubric declared, step by step; the last rubric sees all of their chain at once. Each type `a` holds the
// end of the chain before and is held by the first type of the next chain while it is still being declared.
std::string chains_of_types(int chains, int length) {
  std::string types, inputs, end;
  for (int c = 0; c < chains; ++c) {
    const std::string of = n(c) + "_";
    types += "type a" + of + " = { a: list of b" + of + "0 default []" +
             (end.empty() ? std::string() : ", b: list of " + end + " default []") + " }\n";
    types += "type b" + of + "0 = { p: list of a" + of + " default [] }\n";
    inputs += "input i" + of + ": a" + of + " optional\n";
    for (int i = 1; i < length; ++i)
      types += "type b" + of + n(i) + " = { x: list of b" + of + n(i - 1) + " default [] }\n";
    for (int i = 0; i < length; i += 50) inputs += "input i" + of + n(i) + ": b" + of + n(i) + " optional\n";
    end = "b" + of + n(length - 1);
  }
  return types + "rubric first {\n" + inputs + "output o = 1\n}\nrubric last { input y: " + end +
         " optional\noutput o = 1 when y is given else 0\n}\n";
}

// Whether it compiled. Calls every function that a host can call on a rubric.
bool everything(const std::string& text) {
  CompileOptions options;
  options.limits.compile_steps = 20'000'000;
  const Compiled compiled = compile("r.rubric", text, options);
  render(compiled.diagnostics);
  if (!compiled.rubric) return false;
  for (const View view : {View::ast, View::model, View::bytecode, View::kernel}) compiled.rubric->show(view);
  Evaluator evaluator(*compiled.rubric);
  const std::string record = R"({"x": 3, "q": 5, "l": 5, "nums": [1, 2]})";
  evaluator.score(record).json();
  evaluator.explain(record);
  differences(*compiled.rubric, *compiled.rubric);
  return true;
}

}  // namespace

TEST_CASE("every kind of thing that can nest, far too deep", "[limits]") {
  for (const Nest& nest : nests()) {
    INFO(nest.name);
    on_small_stack([&] { everything(nest.text(nest.most)); });
    SUCCEED();
  }
}

TEST_CASE("every kind of thing that can nest, around the limits of depth", "[limits]") {
  int compiled = 0;
  for (const Nest& nest : nests()) {
    bool shallow = false;
    on_small_stack([&] {
      shallow = everything(nest.text(1));
      for (const int count : {195, 290, 590}) everything(nest.text(count));
    });
    compiled += shallow ? 1 : 0;
  }
  CHECK(compiled > 40);
}

TEST_CASE("types that reach each other in chains longer than any of them is deep", "[limits]") {
  on_small_stack([] {
    for (const int chains : {2, 40}) everything(chains_of_types(chains, 200));
  });
  SUCCEED();
}

TEST_CASE("records 100,000 deep", "[limits]") {
  const char* const kTypes[] = {"any", "list of any", "map of any", "tree", "list of tree", "number"};
  for (const char* type : kTypes) {
    INFO(type);
    const Compiled compiled = compile(
        "r.rubric", "type tree = { parts: list of tree default [], next: tree optional }\nrubric r { input y: " +
                        std::string(type) + " optional\noutput o = y\nhistory by z input z: text default \"\" }");
    REQUIRE(compiled.rubric);
    int refused = 0;
    on_small_stack([&] {
      Limits limits;
      limits.nesting = 1'000'000'000;
      EvaluatorOptions options;
      options.limits = limits;
      Evaluator evaluator(*compiled.rubric, options);
      for (const int count : {490, 100'000}) {
        for (const auto& [open, close] :
             {std::pair{"[", "]"}, {"{\"a\":", "}"}, {"{\"parts\":[", "]}"}, {"{\"next\":", "}"}}) {
          const std::string value =
              repeated(open, count) + (std::string(open).back() == ':' ? "null" : "") + repeated(close, count);
          for (const std::string& record : {"{\"y\":" + value + "}", "{\"z\":" + value + "}",
                                            "{\"unknown\":" + value + "}", value, repeated(open, count)}) {
            refused += evaluator.score(record).json().empty() ? 0 : 1;
            evaluator.explain(record);
          }
        }
      }
    });
    CHECK(refused > 0);
  }
}

TEST_CASE("names and paths of 100,000 steps", "[limits]") {
  const Compiled compiled = compile("r.rubric",
                                    "type chain = { value: number default 1, next: chain optional }\n"
                                    "rubric r { input c: chain optional\ninput x: number default 1\noutput o = x }");
  REQUIRE(compiled.rubric);
  bool found = true, near = false, explained = false;
  on_small_stack([&] {
    Evaluator evaluator(*compiled.rubric);
    Inputs& inputs = evaluator.inputs();
    found = inputs.find("c" + repeated(".next", 100'000)).has_value();
    const auto handle = inputs.find("c" + repeated(".next", 400) + ".value");
    near = handle.has_value();
    if (near) inputs.set_number(*handle, 2);
    evaluator.score_inputs();
    bool unknown = false;
    evaluator.explain("{}", repeated("dimensions.", 100'000) + "o", &unknown);
    explained = !unknown;
    evaluator.explain("{}", repeated("o.", 100'000));
  });
  CHECK(!found);
  CHECK(near);
  CHECK(explained);
}
