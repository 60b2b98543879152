// The C interface: compiling with importers and hooks of a C host, diagnostics, and descriptions of a rubric as JSON.
#include "runtime/c/c_api.hpp"

#include "runtime/json/json_out.hpp"
#include "runtime/json/json_tree.hpp"

#include <assay/diff.hpp>

#include <fmt/format.h>

#include <charconv>
#include <optional>

struct assay_diagnostics {
  std::vector<assay::Diagnostic> list;
  std::string rendered;
};

struct assay_import {
  std::optional<std::string> text;
  std::string name;
};

struct assay_hook_call {
  assay::HookValue result;
};

namespace assay::c {

namespace {

void write_dimensions(const std::vector<DimensionInfo>& dimensions,
                      JsonOut& out) {  // recursion bounded by the parser's depth
  out.list();
  for (const DimensionInfo& dimension : dimensions) {
    out.object().key("name").text(dimension.name).key("prose").text(dimension.prose);
    if (!dimension.weight.empty()) out.key("weight").text(dimension.weight);
    if (!dimension.parts.empty()) write_dimensions(dimension.parts, out.key("parts"));
    out.end_object();
  }
  out.end_list();
}

void write_value(const HookValue& value, JsonOut& out) {
  using Kind = HookValue::Kind;
  switch (value.kind) {
    case Kind::number: out.raw(fmt::format("{}", value.number)); break;
    case Kind::boolean: out.truth(value.boolean); break;
    case Kind::text: out.text(value.text); break;
    case Kind::list:
      out.list();
      for (const HookValue& item : value.items) write_value(item, out);
      out.end_list();
      break;
    case Kind::record:
      out.object();
      for (const auto& [name, member] : value.members) write_value(member, out.key(name));
      out.end_object();
      break;
    case Kind::missing:
    case Kind::error: out.raw("null"); break;
  }
}

HookValue read_value(const JsonNode& node) {  // recursion bounded by the JSON parser
  using Kind = JsonNode::Kind;
  switch (node.kind) {
    case Kind::null: return {};
    case Kind::boolean: return node.truth();
    case Kind::number: {
      double number = 0;
      std::from_chars(node.raw.data(), node.raw.data() + node.raw.size(), number);
      return number;
    }
    case Kind::text: return node.text;
    case Kind::list: {
      std::vector<HookValue> items;
      for (const JsonNode& item : node.items) items.push_back(read_value(item));
      return HookValue::list(std::move(items));
    }
    case Kind::object: {
      std::vector<std::pair<std::string, HookValue>> members;
      for (const JsonMember& member : node.members) members.emplace_back(member.first, read_value(member.second));
      return HookValue::record(std::move(members));
    }
  }
  return {};
}

bool compile_options(const assay_compile_options* given, CompileOptions& into) {
  if (given == nullptr) return true;
  assay_compile_options options{};
  if (!read_options(given, options) || !set_limits(options.limits, options.limit_count, into.limits)) return false;
  if (options.hooks == nullptr && options.hook_count > 0) return false;
  into.lua = options.without_lua == 0;
  into.interrupt = options.interrupt == nullptr ? nullptr : &options.interrupt->value;
  if (options.importer != nullptr) {
    into.importer = [importer = options.importer, context = options.importer_context](
                        std::string_view path, std::string_view from, std::string& name) {
      assay_import import;
      importer(context, view(path), view(from), &import);
      if (import.text) name = std::move(import.name);
      return std::move(import.text);
    };
  }
  for (std::size_t i = 0; i < options.hook_count; ++i) {
    const assay_hook& hook = options.hooks[i];
    if (hook.name == nullptr || hook.function == nullptr) return false;
    into.hooks[hook.name] = [function = hook.function,
                             context = hook.context](const std::vector<HookValue>& arguments) {
      JsonOut out;
      write_value(HookValue::list(arguments), out);
      const std::string text = out.take();
      assay_hook_call call{HookValue::error("the hook of the host returned nothing")};
      function(context, view(text), &call);
      return std::move(call.result);
    };
  }
  return true;
}

const char* word(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::changed: return "changed";
    case Change::Kind::added: return "added";
    case Change::Kind::removed: return "removed";
    case Change::Kind::renamed: return "renamed";
    case Change::Kind::moved: return "moved";
  }
  return "";
}

const char* word(Effect effect) {
  switch (effect) {
    case Effect::prose: return "prose";
    case Effect::bands: return "bands";
    case Effect::scores: return "scores";
  }
  return "";
}

}  // namespace

std::string describe(const Rubric& rubric) {
  JsonOut out;
  out.object().key("name").text(rubric.name()).key("version").text(rubric.version()).key("prose").text(rubric.prose());
  out.key("scoring_hash").text(rubric.scoring_hash()).key("ranked").truth(rubric.ranked());
  out.key("cohort").truth(rubric.has_cohort()).key("serial").truth(rubric.serial());
  out.key("scored").truth(rubric.scored()).key("inputs").list();
  for (const InputInfo& input : rubric.inputs()) {
    out.object().key("name").text(input.name).key("type").text(input.type);
    out.key("presence").text(input.presence).key("prose").text(input.prose).end_object();
  }
  out.end_list().key("fields").list();
  for (const FieldInfo& field : rubric.fields()) {
    out.object().key("name").text(field.name).key("type").text(field.type);
    if (field.decimals >= 0) out.key("decimals").count(static_cast<std::size_t>(field.decimals));
    out.end_object();
  }
  write_dimensions(rubric.dimensions(), out.end_list().key("dimensions"));
  out.key("contexts").list();
  for (const ContextInfo& context : rubric.contexts())
    out.object().key("name").text(context.name).key("prose").text(context.prose).end_object();
  return out.end_list().end_object().take();
}

std::string evaluated_json(const Evaluator::Evaluated& result) {
  return JsonOut().object().key("value").raw(result.value).key("type").text(result.type).end_object().take();
}

std::string json_list(const std::vector<std::string>& texts) {
  JsonOut out;
  out.list();
  for (const std::string& text : texts) out.text(text);
  return out.end_list().take();
}

}  // namespace assay::c

using namespace assay;
using namespace assay::c;

extern "C" {

void assay_import_found(assay_import* import, const char* name, const char* text, size_t size) {
  if (import == nullptr) return;
  guarded([&] {
    import->name = name == nullptr ? "" : name;
    import->text.emplace(text_of(text, size));
    return ASSAY_OK;
  });
}

void assay_hook_return(assay_hook_call* call, const char* json, size_t size) {
  if (call == nullptr) return;
  guarded([&] {
    JsonNode node;
    JsonProblem problem;
    if (parse_json(text_of(json, size), node, problem)) call->result = read_value(node);
    else call->result = HookValue::error("the hook of the host returned no JSON");
    return ASSAY_OK;
  });
}

void assay_hook_fail(assay_hook_call* call, const char* message) {
  if (call == nullptr) return;
  guarded([&] {
    call->result = HookValue::error(message == nullptr ? "" : message);
    return ASSAY_OK;
  });
}

assay_status assay_compile(const char* name, const char* text, size_t size, const assay_compile_options* options,
                           assay_rubric** rubric, assay_diagnostics** diagnostics) {
  if (rubric != nullptr) *rubric = nullptr;
  if (diagnostics != nullptr) *diagnostics = nullptr;
  if (name == nullptr || rubric == nullptr || (text == nullptr && size > 0)) return ASSAY_INVALID_ARGUMENT;
  return guarded([&] {
    CompileOptions chosen;
    if (!compile_options(options, chosen)) return ASSAY_INVALID_ARGUMENT;
    Compiled compiled = compile(name, text_of(text, size), chosen);
    std::unique_ptr<assay_rubric> made;
    if (compiled.rubric) made.reset(new assay_rubric{*compiled.rubric, describe(*compiled.rubric)});
    if (diagnostics != nullptr) {
      auto told = std::make_unique<assay_diagnostics>();
      told->rendered = render(compiled.diagnostics);
      told->list = std::move(compiled.diagnostics);
      *diagnostics = told.release();
    }
    *rubric = made.release();
    return *rubric == nullptr ? ASSAY_INVALID_RUBRIC : ASSAY_OK;
  });
}

size_t assay_diagnostics_count(const assay_diagnostics* diagnostics) {
  return diagnostics == nullptr ? 0 : diagnostics->list.size();
}

int assay_diagnostics_at(const assay_diagnostics* diagnostics, size_t index, assay_diagnostic* diagnostic) {
  if (diagnostic == nullptr || index >= assay_diagnostics_count(diagnostics)) return 0;
  const Diagnostic& d = diagnostics->list[index];
  *diagnostic = {d.severity == Severity::error ? 1 : 0,
                 view(d.code),
                 view(d.message),
                 view(d.label),
                 view(d.help),
                 view(d.at.file),
                 d.at.line,
                 d.at.column,
                 d.at.length};
  return 1;
}

assay_text assay_diagnostics_render(const assay_diagnostics* diagnostics) {
  return diagnostics == nullptr ? kNoText : view(diagnostics->rendered);
}

void assay_diagnostics_free(assay_diagnostics* diagnostics) { delete diagnostics; }

assay_text assay_rubric_name(const assay_rubric* rubric) {
  return rubric == nullptr ? kNoText : view(rubric->rubric.name());
}

assay_text assay_rubric_version(const assay_rubric* rubric) {
  return rubric == nullptr ? kNoText : view(rubric->rubric.version());
}

assay_text assay_rubric_scoring_hash(const assay_rubric* rubric) {
  return rubric == nullptr ? kNoText : view(rubric->rubric.scoring_hash());
}

assay_text assay_rubric_describe(const assay_rubric* rubric) {
  return rubric == nullptr ? kNoText : view(rubric->description);
}

assay_rubric* assay_rubric_share(const assay_rubric* rubric) {
  assay_rubric* shared = nullptr;
  if (rubric != nullptr) {
    guarded([&] {
      shared = new assay_rubric(*rubric);
      return ASSAY_OK;
    });
  }
  return shared;
}

void assay_rubric_free(assay_rubric* rubric) { delete rubric; }

assay_text assay_answer_text(const assay_answer* answer) { return answer == nullptr ? kNoText : view(answer->text); }

void assay_answer_free(assay_answer* answer) { delete answer; }

assay_status assay_rubric_test(const assay_rubric* rubric, assay_answer** answer) {
  if (rubric == nullptr) return ASSAY_INVALID_ARGUMENT;
  return answered(answer, [&] {
    JsonOut out;
    out.list();
    for (const ExampleResult& example : rubric->rubric.test()) {
      out.object().key("name").text(example.name).key("passed").truth(example.passed);
      out.key("file").text(example.at.file).key("line").count(example.at.line).key("differences").list();
      for (const Printable& difference : example.differences) out.text(difference);
      out.end_list().end_object();
    }
    return out.end_list().take();
  });
}

assay_status assay_rubric_differences(const assay_rubric* before, const assay_rubric* after, assay_answer** answer) {
  if (before == nullptr || after == nullptr) return ASSAY_INVALID_ARGUMENT;
  return answered(answer, [&] {
    JsonOut out;
    out.list();
    for (const Change& change : differences(before->rubric, after->rubric)) {
      out.object().key("kind").text(word(change.kind)).key("effect").text(word(change.effect));
      out.key("what").text(change.what).key("part").text(change.part);
      out.key("before").text(change.before).key("after").text(change.after).end_object();
    }
    return out.end_list().take();
  });
}

assay_status assay_rubric_show(const assay_rubric* rubric, const char* view_name, assay_answer** answer) {
  if (rubric == nullptr || view_name == nullptr) return ASSAY_INVALID_ARGUMENT;
  static constexpr std::pair<std::string_view, View> kViews[] = {
      {"ast", View::ast}, {"model", View::model}, {"bytecode", View::bytecode}, {"kernel", View::kernel}};
  for (const auto& [name, stage] : kViews) {
    if (name == view_name) return answered(answer, [&, stage = stage] { return rubric->rubric.show(stage); });
  }
  return ASSAY_INVALID_ARGUMENT;
}

}  // extern "C"
