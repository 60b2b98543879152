// Types to JSON Schema 2020-12. Named record types become definitions, so that trees are possible. Conditions that a
// schema cannot express (between inputs, checks) are listed in sentences.
#include "runtime/authoring/judged.hpp"

#include "lang/text/budget.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace assay {
namespace {

// Compact JSON, indented by two spaces.
std::string indented(std::string_view json) {
  std::string out;
  std::size_t depth = 0;
  const auto line = [&] {
    out += '\n';
    out.append(2 * depth, ' ');
  };
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (c == '"') {
      const std::size_t begin = at;
      for (++at; json[at] != '"'; ++at) at += json[at] == '\\' ? 1 : 0;
      out += json.substr(begin, at + 1 - begin);
    } else if (c == '{' || c == '[') {
      out += c;
      if (json[at + 1] == '}' || json[at + 1] == ']') {
        out += json[++at];
        continue;
      }
      ++depth;
      line();
    } else if (c == '}' || c == ']') {
      --depth;
      line();
      out += c;
    } else {
      out += c;
      if (c == ',') line();
      if (c == ':') out += ' ';
    }
  }
  return out + "\n";
}

class SchemaWriter {
 public:
  SchemaWriter(const Rubric::Impl& impl, const SchemaOptions& options)
      : impl_(impl), model_(*impl.model), rubric_(impl.rubric()), options_(options), budget_(impl.options.limits) {}

  Schema run() {
    Schema result;
    const std::vector<const Slot*> too = judged_too(impl_, options_.judged_too, options_.only, result.problem);
    if (!result.problem.empty()) return result;
    try {
      std::string body = options_.of == SchemaOptions::Of::record ? record(too) : verdict();
      std::string out = options_.strict_subset ? "{" : R"({"$schema":"https://json-schema.org/draft/2020-12/schema",)";
      out += body.substr(1, body.size() - 2);
      if (!definitions_.empty()) {
        out += R"(,"$defs":{)";
        std::size_t count = 0;
        for (const auto& [type, definition] : definitions_) {
          if (count++ > 0) out += ',';
          write_json_text(definition.name, out);
          out += ":" + definition.schema;
        }
        out += "}";
      }
      result.json = indented(out + "}");
    } catch (const OutOfBudget&) {
      result.problem =
          "the types of '" + rubric_.name + "' make a schema that takes more than the limits of compiling allow";
    }
    result.not_expressed = std::move(not_expressed_);
    return result;
  }

 private:
  void say(std::string sentence) { not_expressed_.emplace_back(std::move(sentence)); }

  // ---- the record

  std::string record(const std::vector<const Slot*>& too) {
    const std::vector<Judged> judged_ones = judged_dimensions(impl_);
    std::vector<const Slot*> slots;
    if (options_.judged) {
      for (const Judged& judged : judged_ones) {
        const auto& only = options_.only;
        if (only.empty() || std::find(only.begin(), only.end(), judged.slot->name) != only.end())
          slots.push_back(judged.slot);
      }
      slots.insert(slots.end(), too.begin(), too.end());
    } else {
      for (const Slot& slot : rubric_.slots) slots.push_back(&slot);
    }
    Members members;
    for (const Slot* slot : slots) {
      const bool of_dimension = std::any_of(judged_ones.begin(), judged_ones.end(),
                                            [slot](const Judged& judged) { return judged.slot == slot; });
      const std::string& prose = of_dimension ? prose_of(rubric_, *slot) : slot->prose;
      const auto needed = [&](const RequiredWhen& one) {
        return &rubric_.slots[static_cast<std::size_t>(one.slot)] == slot && required_of_judge(impl_, one, slots);
      };
      const auto& conditional = rubric_.required_when;
      const bool required = options_.judged && std::any_of(conditional.begin(), conditional.end(), needed);
      member(members, slot->name, slot->type, required ? Presence::required : slot->presence, slot->fallback, prose);
    }
    if (!options_.judged) {
      conditions();
    } else {
      for (const std::string& rule : rules_of_judge(impl_, slots)) say(rule);
    }
    std::string title = rubric_.prose.empty() ? rubric_.name : rubric_.prose;
    return object(members, title);
  }

  void conditions() {
    for (const RequiredWhen& one : rubric_.required_when)
      say("'" + rubric_.slots[static_cast<std::size_t>(one.slot)].name +
          "' is required when the rubric's condition for it holds");
    if (!rubric_.checks.empty())
      say(std::to_string(rubric_.checks.size()) + (rubric_.checks.size() == 1 ? " check" : " checks") +
          " of the rubric between values");
    if (!rubric_.embedded.empty())
      say("what the checks of other rubrics say of the records that this one hands to them");
  }

  // ---- the verdict

  std::string verdict() {
    computed_ = true;
    const RubricModel* each =
        rubric_.cohort.each >= 0 ? &model_.rubrics[static_cast<std::size_t>(rubric_.cohort.each)] : nullptr;
    std::size_t all = 0;
    for (const RubricModel* of : {&rubric_, each}) {
      if (of == nullptr) continue;
      for (const VerdictField& field : of->verdict.fields)
        all = std::min(kMany, all + expanded(of->items[static_cast<std::size_t>(field.item)].type));
    }
    shared_ = all >= kMany;
    Members members;
    for (const char* name : {"rubric", "version", "scoring_hash"}) {
      members.required.emplace_back(name);
      members.properties.emplace_back(name, R"({"type":"string"})");
    }
    for (const VerdictField& field : rubric_.verdict.fields) {
      const Item& item = rubric_.items[static_cast<std::size_t>(field.item)];
      if (options_.strict_subset && unusable(item.type)) {
        say("'" + field.name + "' of the verdict: an open map or any value");
        continue;
      }
      members.required.push_back(field.name);
      members.properties.emplace_back(field.name, described(nullable(type(item.type)), item.prose));
    }
    if (each != nullptr) {  // for a second pass; a single verdict has none of them
      for (const VerdictField& field : each->verdict.fields) {
        const Item& item = each->items[static_cast<std::size_t>(field.item)];
        if (options_.strict_subset) {
          say("'" + field.name + "', which only a verdict of a whole run has");
          continue;
        }
        members.properties.emplace_back(field.name, described(nullable(type(item.type)), item.prose));
      }
    }
    const std::string verdict = object(members, "");
    if (options_.strict_subset) {
      say("a record with an error, whose verdict is {\"error\": …}");
      return verdict;
    }
    const std::string error =
        R"({"type":"object","properties":{"id":{},"error":{"type":"object","properties":{"path":{"type":"string"},)"
        R"("code":{"type":"string"},"message":{"type":"string"}},"required":["path","code","message"]}},)"
        R"("required":["error"]})";
    return R"({"oneOf":[)" + verdict + "," + error + "]}";
  }

  // ---- objects

  struct Members {
    std::vector<std::pair<std::string, std::string>> properties;
    std::vector<std::string> required;
  };

  void member(Members& members, const std::string& name, TypeId id, Presence presence, const Value& fallback,
              const std::string& prose) {
    if (options_.strict_subset && unusable(id)) {
      if (presence == Presence::required) say("'" + name + "', which is required: an open map or any value");
      return;
    }
    const bool absent = presence != Presence::required;
    std::string schema = type(id);
    if (absent || computed_) schema = nullable(std::move(schema));
    else if (schema == "{}") schema = R"({"type":["object","array","string","number","boolean"]})";  // not null
    schema = described(std::move(schema), prose);
    if (presence == Presence::defaulted && !options_.strict_subset) add_default(schema, id, fallback);
    if (!absent || options_.strict_subset) members.required.push_back(name);
    members.properties.emplace_back(name, std::move(schema));
  }

  std::string object(const Members& members, const std::string& title) {
    std::string out = "{";
    if (!title.empty()) {
      out += options_.strict_subset ? R"("description":)" : R"("title":)";
      write_json_text(title, out);
      out += ',';
    }
    out += R"("type":"object","properties":{)";
    for (const auto& [name, schema] : members.properties) {
      if (out.back() != '{') out += ',';
      write_json_text(name, out);
      out += ":" + schema;
    }
    out += R"(},"required":[)";
    for (const std::string& name : members.required) {
      if (out.back() != '[') out += ',';
      write_json_text(name, out);
    }
    budget_.take(out.size());
    return out + (options_.strict_subset ? R"(],"additionalProperties":false})" : "]}");
  }

  static std::string described(std::string schema, const std::string& prose) {
    if (prose.empty()) return schema;
    std::string out = R"({"description":)";
    write_json_text(prose, out);
    if (schema.starts_with(R"({"$ref")")) return out + R"(,"anyOf":[)" + schema + "]}";  // vendors: nothing beside it
    return schema == "{}" ? out + "}" : out + "," + schema.substr(1);
  }

  static std::string nullable(std::string schema) {
    if (schema == "{}") return schema;
    constexpr std::string_view kOneOf = R"({"anyOf":[)", kEnd = "]}";
    if (schema.starts_with(kOneOf)) schema = schema.substr(kOneOf.size(), schema.size() - kOneOf.size() - kEnd.size());
    return R"({"anyOf":[)" + schema + R"(,{"type":"null"}]})";
  }

  void add_default(std::string& schema, TypeId id, const Value& value) const {
    std::string text;
    if (value.missing()) return;
    id = model_.types.actual(id, value);
    switch (model_.types.kind(id)) {
      case TypeKind::number:
        if (!write_json_number(value.number, text)) return;
        break;
      case TypeKind::boolean: text = value.boolean.truth != 0 ? "true" : "false"; break;
      case TypeKind::text: write_json_text(value.text.view(), text); break;
      case TypeKind::list:
        if (value.list.size > 0) return;
        text = "[]";
        break;
      default: return;
    }
    schema.insert(schema.size() - 1, R"(,"default":)" + text);
  }

  // ---- types

  // Whether the subset of JSON Schema has no schema for the type.
  bool unusable(TypeId id) const {
    const Type* type = &model_.types[id];
    while (type->kind == TypeKind::list) type = &model_.types[type->element];
    if (type->kind == TypeKind::either)
      return std::any_of(type->alternatives.begin(), type->alternatives.end(),
                         [this](TypeId one) { return unusable(one); });
    return type->kind == TypeKind::map || type->kind == TypeKind::any || type->kind == TypeKind::unknown;
  }

  // How many types the schema of a value names if it says each time what a record holds; kMany for a record in itself.
  std::size_t expanded(TypeId id) {
    const Nesting nesting(budget_);
    const auto [known, fresh] = expanded_.try_emplace(id, kMany);
    if (!fresh) return known->second;
    const Type& t = model_.types[id];
    std::size_t all = 1;
    const auto add = [&](TypeId part) { all = std::min(kMany, all + expanded(part)); };
    if (t.kind == TypeKind::list || t.kind == TypeKind::map) add(t.element);
    for (const TypeId one : t.alternatives) add(one);
    for (const Field& field : t.fields) add(field.type);
    return expanded_[id] = all;
  }

  std::string type(TypeId id) {
    const Nesting nesting(budget_);
    budget_.step(10);
    const Type& t = model_.types[id];
    switch (t.kind) {
      case TypeKind::number: return number(t);
      case TypeKind::boolean: return R"({"type":"boolean"})";
      case TypeKind::text: return text(t);
      case TypeKind::list:
        return R"({"type":"array","items":)" + (t.gaps || computed_ ? nullable(type(t.element)) : type(t.element)) +
               "}";
      case TypeKind::map: return R"({"type":"object","additionalProperties":)" + nullable(type(t.element)) + "}";
      case TypeKind::record: return record_type(id, t);
      case TypeKind::either: {
        std::string all;
        for (const TypeId one : model_.types.alternatives(id)) all += (all.empty() ? "" : ",") + type(one);
        return R"({"anyOf":[)" + all + "]}";
      }
      default: return "{}";
    }
  }

  std::string number(const Type& t) {
    std::string out = std::string(R"({"type":)") + (t.whole && !computed_ ? R"("integer")" : R"("number")");
    if (computed_) return out + "}";  // displayed values are rounded
    const auto bound = [&](const Number& value, const char* key) {
      if (value.missing()) return;
      out += ",\"" + std::string(key) + "\":";
      std::string written;
      if (!write_json_number(value, written)) say("a bound that is not a decimal: " + written + " is rounded");
      out += written;
    };
    bound(t.range.low, t.range.low_open ? "exclusiveMinimum" : "minimum");
    bound(t.range.high, t.range.high_open ? "exclusiveMaximum" : "maximum");
    return out + "}";
  }

  static std::string text(const Type& t) {
    if (t.choices.empty()) return R"({"type":"string"})";
    std::string out = R"({"type":"string","enum":[)";
    for (const std::string& choice : t.choices) {
      if (out.back() != '[') out += ',';
      write_json_text(choice, out);
    }
    return out + "]}";
  }

  std::string record_type(TypeId id, const Type& t) {
    if (computed_ ? !shared_ : t.name.empty()) return fields(t);
    const auto [at, fresh] = definitions_.try_emplace(id);
    if (fresh) {
      const std::string name = t.name.empty() ? "record" : t.name;
      std::size_t& count = named_[name];
      do at->second.name = name + (++count > 1 ? "_" + std::to_string(count) : "");
      while (!names_.insert(at->second.name).second);
      at->second.schema = fields(t);
    }
    return R"({"$ref":"#/$defs/)" + at->second.name + "\"}";
  }

  std::string fields(const Type& t) {
    Members members;
    const RubricModel* of = rubric_of(model_, t);
    for (std::size_t i = 0; i < t.fields.size(); ++i) {
      const Field& field = t.fields[i];
      if (options_.judged && of != nullptr && i == 0 && field.presence != Presence::required) continue;  // the id
      member(members, field.name, field.type, field.presence, field.fallback,
             of != nullptr ? prose_of(*of, of->slots[i]) : std::string());
    }
    return object(members, of != nullptr ? of->prose : std::string());
  }

  const Rubric::Impl& impl_;
  const Model& model_;
  const RubricModel& rubric_;
  const SchemaOptions& options_;
  Budget budget_;
  static constexpr std::size_t kMany = 5000;
  bool computed_ = false;  // describing verdicts: anything may be missing, and numbers are rounded
  bool shared_ = false;    // verdicts whose types are definitions, because they are many or in themselves
  std::map<TypeId, std::size_t> expanded_;
  struct Definition {
    std::string name, schema;
  };
  std::map<TypeId, Definition> definitions_;
  std::map<std::string, std::size_t> named_;  // how many definitions have tried to take a name
  std::set<std::string> names_;               // of definitions
  std::vector<Printable> not_expressed_;
};

}  // namespace

Schema json_schema(const Rubric& rubric, const SchemaOptions& options) {
  return SchemaWriter(rubric.impl(), options).run();
}

}  // namespace assay
