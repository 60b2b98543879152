// Any text as a rubric file: it compiles or is refused with diagnostics; what compiles can be shown, tested, scored and
// explained.
#include "tests/fuzz/fuzz.hpp"

using namespace assay;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  CompileOptions options;
  options.limits = assay_tests::tight_limits();
  options.importer = [](std::string_view path, std::string_view, std::string& name) -> std::optional<std::string> {
    name = path;
    if (path.ends_with(".csv")) return "key,value\na,1\nb,2\n";
    if (path.ends_with(".rubric"))
      return "rubric base { version \"1\" scale 0..10 decimals 1 dimension quality weight 100% }";
    return std::nullopt;
  };
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  const Compiled compiled = compile("fuzzed.rubric", text, options);
  const std::string rendered = render(compiled.diagnostics);
  assay_tests::insist(rendered == printable_lines(rendered));
  bool errors = false;
  for (const Diagnostic& diagnostic : compiled.diagnostics) errors = errors || diagnostic.severity == Severity::error;
  if (!compiled.rubric) return 0;
  assay_tests::insist(!errors);  // a rubric with errors does not run
  const Rubric& rubric = *compiled.rubric;
  for (const View view : {View::ast, View::model, View::bytecode, View::kernel})
    assay_tests::insist(is_utf8(rubric.show(view)));
  (void)rubric.scoring_hash();
  (void)rubric.test();
  std::string record = "{\"id\":\"x\"";
  for (const InputInfo& input : rubric.inputs()) {
    if (input.presence == "required" && input.type.starts_with("number")) record += ",\"" + input.name + "\":5";
    if (input.presence == "required" && input.type.starts_with("list")) record += ",\"" + input.name + "\":[]";
  }
  record += "}";
  Evaluator evaluator(rubric, {{}, options.limits});
  const Verdict& verdict = evaluator.score(record);
  assay_tests::insist(!verdict.json().empty() && is_utf8(verdict.json()));
  const std::string explained = evaluator.explain(record);
  assay_tests::insist(explained == printable_lines(explained));
  return 0;
}
