// The C interface: compiling with importers and hooks of a C host, diagnostics, and descriptions of a rubric as JSON.
#include "runtime/c/c_api.hpp"

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

// Writes an object or list, with commas where they belong.
class JsonWriter {
 public:
  void open(char bracket) {
    comma();
    out_ += bracket;
    first_ = true;
  }
  void close(char bracket) {
    out_ += bracket;
    first_ = false;
  }
  void key(std::string_view name) {
    comma();
    write_json_text(name, out_);
    out_ += ':';
    first_ = true;
  }
  void text(std::string_view value) {
    comma();
    write_json_text(value, out_);
  }
  void raw(std::string_view json) {
    comma();
    out_ += json;
  }
  void member(std::string_view name, std::string_view value) {
    key(name);
    text(value);
  }
  void truth(std::string_view name, bool value) {
    key(name);
    raw(value ? "true" : "false");
  }
  void number(std::string_view name, long value) {
    key(name);
    raw(std::to_string(value));
  }
  std::string take() { return std::move(out_); }

 private:
  void comma() {
    if (!first_) out_ += ',';
    first_ = false;
  }
  std::string out_;
  bool first_ = true;
};

void write_dimensions(const std::vector<DimensionInfo>& dimensions,
                      JsonWriter& json) {  // recursion bounded by the parser's depth
  json.open('[');
  for (const DimensionInfo& dimension : dimensions) {
    json.open('{');
    json.member("name", dimension.name);
    json.member("prose", dimension.prose);
    if (!dimension.weight.empty()) json.member("weight", dimension.weight);
    if (!dimension.parts.empty()) {
      json.key("parts");
      write_dimensions(dimension.parts, json);
    }
    json.close('}');
  }
  json.close(']');
}

void write_value(const HookValue& value, JsonWriter& json) {
  using Kind = HookValue::Kind;
  switch (value.kind) {
    case Kind::number: json.raw(fmt::format("{}", value.number)); break;
    case Kind::boolean: json.raw(value.boolean ? "true" : "false"); break;
    case Kind::text: json.text(value.text); break;
    case Kind::list:
      json.open('[');
      for (const HookValue& item : value.items) write_value(item, json);
      json.close(']');
      break;
    case Kind::record:
      json.open('{');
      for (const auto& [name, member] : value.members) {
        json.key(name);
        write_value(member, json);
      }
      json.close('}');
      break;
    case Kind::missing:
    case Kind::error: json.raw("null"); break;
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
      JsonWriter json;
      write_value(HookValue::list(arguments), json);
      const std::string text = json.take();
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
  JsonWriter json;
  json.open('{');
  json.member("name", rubric.name());
  json.member("version", rubric.version());
  json.member("prose", rubric.prose());
  json.member("scoring_hash", rubric.scoring_hash());
  json.truth("ranked", rubric.ranked());
  json.truth("cohort", rubric.has_cohort());
  json.truth("serial", rubric.serial());
  json.truth("scored", rubric.scored());
  json.key("inputs");
  json.open('[');
  for (const InputInfo& input : rubric.inputs()) {
    json.open('{');
    json.member("name", input.name);
    json.member("type", input.type);
    json.member("presence", input.presence);
    json.member("prose", input.prose);
    json.close('}');
  }
  json.close(']');
  json.key("fields");
  json.open('[');
  for (const FieldInfo& field : rubric.fields()) {
    json.open('{');
    json.member("name", field.name);
    json.member("type", field.type);
    if (field.decimals >= 0) json.number("decimals", field.decimals);
    json.close('}');
  }
  json.close(']');
  json.key("dimensions");
  write_dimensions(rubric.dimensions(), json);
  json.key("contexts");
  json.open('[');
  for (const ContextInfo& context : rubric.contexts()) {
    json.open('{');
    json.member("name", context.name);
    json.member("prose", context.prose);
    json.close('}');
  }
  json.close(']');
  json.close('}');
  return json.take();
}

std::string evaluated_json(const Evaluator::Evaluated& result) {
  JsonWriter json;
  json.open('{');
  json.key("value");
  json.raw(result.value);
  json.member("type", result.type);
  json.close('}');
  return json.take();
}

std::string json_list(const std::vector<std::string>& texts) {
  JsonWriter json;
  json.open('[');
  for (const std::string& text : texts) json.text(text);
  json.close(']');
  return json.take();
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
    JsonWriter json;
    json.open('[');
    for (const ExampleResult& example : rubric->rubric.test()) {
      json.open('{');
      json.member("name", example.name);
      json.truth("passed", example.passed);
      json.member("file", example.at.file);
      json.number("line", example.at.line);
      json.key("differences");
      json.open('[');
      for (const Printable& difference : example.differences) json.text(difference);
      json.close(']');
      json.close('}');
    }
    json.close(']');
    return json.take();
  });
}

assay_status assay_rubric_differences(const assay_rubric* before, const assay_rubric* after, assay_answer** answer) {
  if (before == nullptr || after == nullptr) return ASSAY_INVALID_ARGUMENT;
  return answered(answer, [&] {
    JsonWriter json;
    json.open('[');
    for (const Change& change : differences(before->rubric, after->rubric)) {
      json.open('{');
      json.member("kind", word(change.kind));
      json.member("effect", word(change.effect));
      json.member("what", change.what);
      json.member("part", change.part);
      json.member("before", change.before);
      json.member("after", change.after);
      json.close('}');
    }
    json.close(']');
    return json.take();
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
