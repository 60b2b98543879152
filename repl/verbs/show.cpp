// assay show: a summary of a rubric, or a stage of its compilation as text for comparing.
#include "repl/files/output.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"
#include "repl/verdicts/formats.hpp"

namespace assay::cli {

namespace {

void add_dimensions(TextTable& table, const std::vector<DimensionInfo>& dimensions, const std::string& indent) {
  for (const DimensionInfo& dimension : dimensions) {
    table.rows.push_back(
        {indent + dimension.name, dimension.weight.empty() ? "advisory" : dimension.weight, dimension.prose});
    add_dimensions(table, dimension.parts, indent + "  ");
  }
}

void add_section(std::string& text, TextTable table) {
  if (table.rows.empty()) return;
  const std::string first = table.header.front();
  table.drop_empty(first);
  text += "\n" + table.text(table_width());
}

std::string summarise(const Rubric& rubric) {
  std::string text = rubric.name();
  if (!rubric.version().empty()) text += " " + rubric.version();
  if (!rubric.prose().empty()) text += ": " + printable(rubric.prose());
  text += "\nscoring hash " + rubric.scoring_hash() + "\n";

  TextTable inputs{{"input", "type", "presence", "meaning"}, {}};
  for (const InputInfo& input : rubric.inputs()) {
    inputs.rows.push_back({input.name, input.type, input.presence, input.prose});
  }
  add_section(text, std::move(inputs));

  TextTable dimensions{{"dimension", "weight", "meaning"}, {}};
  add_dimensions(dimensions, rubric.dimensions(), {});
  add_section(text, std::move(dimensions));

  TextTable contexts{{"context", "meaning"}, {}};
  for (const ContextInfo& context : rubric.contexts()) contexts.rows.push_back({context.name, context.prose});
  add_section(text, std::move(contexts));

  TextTable fields{{"verdict", "type"}, {}};
  for (const FieldInfo& field : rubric.fields()) fields.rows.push_back({field.name, field.type});
  add_section(text, std::move(fields));

  TextTable each{{"verdict of a run", "type"}, {}};
  for (const FieldInfo& field : rubric.each_fields()) each.rows.push_back({field.name, field.type});
  add_section(text, std::move(each));

  if (rubric.ranked() || rubric.has_cohort()) text += "\n";
  if (rubric.ranked()) text += "ranks records (assay rank)\n";
  if (rubric.has_cohort()) text += "sums up all records of a run (assay score --cohort)\n";
  return text;
}

}  // namespace

int show(const ShowOptions& options) {
  const std::optional<Loading> loading = read_loading(options.load);
  if (!loading) return kRefused;
  const std::optional<Rubric> rubric = load_rubric(options.rubric, *loading, false);
  if (!rubric) return kRefused;
  std::string text;
  if (options.ast) text += rubric->show(View::ast, interrupt());
  if (options.model) text += rubric->show(View::model, interrupt());
  if (options.bytecode) text += rubric->show(View::bytecode, interrupt());
  if (options.kernel) text += rubric->show(View::kernel, interrupt());
  if (interrupted()) return kRefused;
  if (!options.ast && !options.model && !options.bytecode && !options.kernel) text = summarise(*rubric);
  if (text.empty() || text.back() != '\n') text += '\n';
  std::string problem;
  std::optional<Output> output = Output::open({}, problem);
  output->write_lines(text);
  return output->finish(kDone);
}

}  // namespace assay::cli
