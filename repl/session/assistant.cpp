// The service sees the whole rubric with the entry inserted, so it knows every name. The rubric alone is opened first:
// for a text with errors the service uses its last version without errors.
#include "repl/session/assistant.hpp"

#include <assay/draft.hpp>
#include <assay/library.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <utility>

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kBefore = "\nlet typed_here = ";
constexpr int kMostLevels = 5;
constexpr std::size_t kMostItems = 20, kMostPaths = 2000;

ServiceOptions service_options(const Loading& loading,
                               const std::shared_ptr<std::map<std::string, std::string>>& imported) {
  ServiceOptions options;
  options.limits = loading.compile.limits;
  options.lua = loading.compile.lua;
  const Importer importer = loading.compile.importer;
  options.resolve = [importer, imported](std::string_view path, std::string_view from) {
    std::string shown;
    std::optional<std::string> text = importer(path, from, shown);
    if (!text) return std::string(path);
    (*imported)[shown] = std::move(*text);
    return shown;
  };
  options.read = [imported](const std::string& name) -> std::optional<std::string> {
    const auto found = imported->find(name);
    return found == imported->end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  return options;
}

// Markdown for a terminal: without fences and emphasis.
std::string plain(std::string_view markdown) {
  std::string out;
  for (std::size_t at = 0; at < markdown.size();) {
    const std::size_t end = std::min(markdown.find('\n', at), markdown.size());
    const std::string_view line = markdown.substr(at, end - at);
    at = end + 1;
    // The count of uses includes the entry itself.
    if (line.starts_with("```") || line.starts_with("Used ")) continue;
    if (line.empty() && (out.empty() || out.ends_with("\n\n"))) continue;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '`') continue;
      if (line[i] == '\\' && i + 1 < line.size() && std::ispunct(static_cast<unsigned char>(line[i + 1])) != 0) {
        out += line[++i];
        continue;
      }
      if (line.substr(i, 2) == "**") {
        ++i;
        continue;
      }
      out += line[i];
    }
    out += '\n';
  }
  while (out.size() > 1 && out[out.size() - 2] == '\n') out.pop_back();
  return out;
}

const char* colour_of(TokenKind kind) {
  switch (kind) {
    case TokenKind::keyword: return "1;34";
    case TokenKind::type: return "36";
    case TokenKind::input: return "36";
    case TokenKind::dimension: return "1;36";
    case TokenKind::function: return "34";
    case TokenKind::choice:
    case TokenKind::text: return "32";
    case TokenKind::number: return "33";
    case TokenKind::comment: return "2";
    case TokenKind::value:
    case TokenKind::parameter:
    case TokenKind::field:
    case TokenKind::sign: break;
  }
  return "";
}

bool name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// A member that is a text; empty: it is not.
std::string member_text(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : "";
}

std::string type_of(const Json& schema) {
  if (schema.contains("enum")) {
    std::string text = "one of (";
    for (const Json& one : schema["enum"]) text += (text.back() == '(' ? "" : ", ") + one.dump();
    return text + ")";
  }
  std::string text = schema.contains("title") ? member_text(schema, "title") : member_text(schema, "type");
  static constexpr std::pair<const char*, const char*> kBounds[] = {
      {"minimum", ">= "}, {"exclusiveMinimum", "> "}, {"maximum", "<= "}, {"exclusiveMaximum", "< "}};
  for (const auto& [key, sign] : kBounds) {
    if (schema.contains(key)) text += std::string(" ") + sign + schema[key].dump();
  }
  return text;
}

}  // namespace

Assistant::Assistant(const Loading& loading)
    : imported_(std::make_shared<std::map<std::string, std::string>>()),
      service_(service_options(loading, imported_)) {}

void Assistant::set_rubric(const Rubric& rubric, const std::string& name, const std::string& text) {
  imported_->clear();
  if (!name_.empty()) service_.close(name_);
  name_ = name;
  text_ = text;
  names_ = rubric.names();
  schema_ = json_schema(rubric).json;
  end_ = text_.rfind('}');
  service_.open(name_, text_);
  opened_ = text_;
  for (const Outline& one : service_.outline(name_)) {
    if (one.kind == Outline::Kind::rubric && one.whole.end > 0 && one.whole.end <= text_.size())
      end_ = one.whole.end - 1;
  }
  (void)service_.findings(name_);  // makes the service analyse the rubric without errors
  if (end_ == std::string::npos) end_ = text_.size();
}

std::size_t Assistant::place(std::string_view entry, bool expression) {
  const std::string_view before = expression ? kBefore : "\n";
  std::string text = text_.substr(0, end_) + std::string(before) + std::string(entry) + "\n" + text_.substr(end_);
  if (text != opened_) {
    service_.open(name_, text);
    opened_ = std::move(text);
  }
  return end_ + before.size();
}

std::vector<Paint> Assistant::colours(std::string_view entry) {
  std::vector<Paint> paints;
  std::size_t skip = 0;
  if (entry.starts_with(":") || entry.starts_with("?")) {
    skip = std::min(entry.find_first_of(" \t\n"), entry.size());
    if (entry.front() == '?') skip = entry.size();
    paints.push_back({0, skip, "35"});
    return paints;
  }
  if (kind_of_typed(entry) == Typed::rubric) return paints;
  const std::size_t begin = place(entry, kind_of_typed(entry) == Typed::expression);
  for (const TextToken& token : service_.tokens(name_)) {
    if (token.range.begin < begin || token.range.end > begin + entry.size()) continue;
    const char* colour = colour_of(token.kind);
    if (*colour != '\0') paints.push_back({token.range.begin - begin, token.range.end - begin, colour});
  }
  return paints;
}

Candidates Assistant::complete(std::string_view entry, std::size_t at) {
  Candidates result;
  const std::size_t begin = place(entry, kind_of_typed(entry.substr(0, at)) != Typed::declarations);
  std::vector<Proposal> proposals = service_.complete(name_, begin + at);
  const bool start = entry.substr(0, at).find_first_not_of(" \t") == std::string_view::npos ||
                     std::all_of(entry.begin(), entry.begin() + static_cast<std::ptrdiff_t>(at), name_character);
  if (start) {  // declarations are possible here
    const std::size_t other = place(entry, false);
    for (Proposal& one : service_.complete(name_, other + at)) {
      if (one.kind != Proposal::Kind::declaration) continue;
      one.range = {one.range.begin - other + begin, one.range.end - other + begin};
      proposals.push_back(std::move(one));
    }
  }
  std::set<std::string> seen;
  result.begin = at;
  while (result.begin > 0 && name_character(entry[result.begin - 1])) --result.begin;
  const std::string_view typed = entry.substr(result.begin, at - result.begin);
  for (Proposal& one : proposals) {
    if (one.range.begin < begin || one.range.begin > begin + at) continue;
    std::string insert = one.snippet ? one.label : one.insert;
    const std::size_t from = one.range.begin - begin;
    // A completion that does not begin at the word: a text in its quotes, a path.
    if (from < result.begin) insert.erase(0, std::min(result.begin - from, insert.size()));
    if (from > result.begin || !std::string_view(insert).starts_with(typed) || one.label == "typed_here") continue;
    if (!seen.insert(insert).second) continue;
    result.all.push_back({std::move(insert), std::move(one.label), std::move(one.detail), plain(one.prose)});
  }
  std::stable_sort(result.all.begin(), result.all.end(),
                   [](const Candidate& a, const Candidate& b) { return a.label < b.label; });
  if (!result.all.empty() && !typed.empty()) return result;
  place(entry, kind_of_typed(entry) != Typed::declarations);
  if (const std::optional<CallHelp> call = service_.call(name_, begin + at)) {
    result.hint = call->label + (call->prose.empty() ? "" : "  " + plain(call->prose));
    result.hint.erase(std::min(result.hint.find('\n'), result.hint.size()));
  }
  return result;
}

std::vector<Assistant::FieldPath> Assistant::field_paths(std::string_view record) const {
  std::vector<FieldPath> paths;
  const Json schema = Json::parse(schema_, nullptr, false);
  const Json given = Json::parse(record, nullptr, false);
  if (schema.is_discarded()) return paths;
  const auto add = [&](const auto& self, const Json& what, const Json* value, const std::string& path,
                       int level) -> void {
    const Json* at = &what;
    for (int i = 0; i < kMostLevels && at->is_object() && at->contains("$ref"); ++i) {
      const std::string name = (*at)["$ref"].get<std::string>();
      const Json::json_pointer pointer(name.substr(std::min<std::size_t>(1, name.size())));
      if (!schema.contains(pointer)) return;
      at = &schema.at(pointer);
    }
    if (at->is_object() && at->contains("anyOf")) {  // a type, or null
      for (const Json& one : (*at)["anyOf"]) {
        if (member_text(one, "type") != "null") return self(self, one, value, path, level);
      }
    }
    if (!at->is_object() || paths.size() >= kMostPaths) return;
    if (!path.empty()) {
      FieldPath one{path,
                    type_of(*at),
                    at->contains("description") ? member_text(*at, "description") : member_text(what, "description"),
                    {}};
      if (at->contains("enum")) {
        for (const Json& choice : (*at)["enum"]) one.choices.push_back(choice.dump());
      }
      if (member_text(*at, "type") == "boolean") one.choices = {"false", "true"};
      paths.push_back(std::move(one));
    }
    if (level >= kMostLevels) return;
    if (at->contains("properties")) {
      for (const auto& [key, part] : (*at)["properties"].items()) {
        const Json* inner = value != nullptr && value->is_object() && value->contains(key) ? &(*value)[key] : nullptr;
        self(self, part, inner, path.empty() ? key : path + "." + key, level + 1);
      }
    }
    if (at->contains("items") && value != nullptr && value->is_array()) {
      for (std::size_t i = 0; i <= value->size() && i < kMostItems; ++i)
        self(self, (*at)["items"], i < value->size() ? &(*value)[i] : nullptr, path + "[" + std::to_string(i) + "]",
             level + 1);
    }
  };
  add(add, schema, given.is_discarded() ? nullptr : &given, "", 0);
  return paths;
}

Candidates Assistant::complete_field(std::string_view entry, std::size_t begin, std::size_t at,
                                     std::string_view record) {
  Candidates result;
  const std::string_view typed = entry.substr(begin, at - begin);
  const std::size_t equals = typed.find('=');
  result.begin = equals == std::string_view::npos ? begin : begin + equals + 1;
  const std::string_view start = entry.substr(result.begin, at - result.begin);
  for (FieldPath& one : field_paths(record)) {
    if (equals == std::string_view::npos) {
      if (std::string_view(one.path).starts_with(start))
        result.all.push_back({one.path, one.path, one.type, one.prose});
      continue;
    }
    if (one.path != typed.substr(0, equals)) continue;
    for (const std::string& choice : one.choices) {
      if (std::string_view(choice).starts_with(start)) result.all.push_back({choice, choice, "", ""});
    }
    result.hint = one.path + ": " + one.type + (one.prose.empty() ? "" : "  " + one.prose);
  }
  return result;
}

Candidates Assistant::complete_file(std::string_view entry, std::size_t begin, std::size_t at) {
  Candidates result;
  const std::string typed(entry.substr(begin, at - begin));
  const std::size_t slash = typed.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  const std::string word = typed.substr(folder.size());
  result.begin = begin + folder.size();
  std::error_code failed;
  fs::directory_iterator files(folder.empty() ? fs::path(".") : fs::path(folder), failed);
  for (; !failed && files != fs::directory_iterator() && result.all.size() < kMostPaths; files.increment(failed)) {
    std::string name = files->path().filename().string();
    if (!name.starts_with(word) || (name.starts_with(".") && word.empty())) continue;
    std::error_code unknown;
    if (files->is_directory(unknown)) name += '/';
    result.all.push_back({name, name, "", ""});
  }
  std::sort(result.all.begin(), result.all.end(),
            [](const Candidate& a, const Candidate& b) { return a.label < b.label; });
  return result;
}

std::string Assistant::explain(const std::string& name) {
  std::string text;
  const auto ask = [&](const std::string& entry, bool expression) {
    const std::size_t begin = place(entry, expression);
    // Uses the last name of a path: fields are explained by their object's type.
    const std::size_t dot = name.rfind('.');
    const std::optional<Explanation> found = service_.explain(name_, begin + (dot == std::string::npos ? 0 : dot + 1));
    return found ? plain(found->markdown) : std::string();
  };
  text = ask(name, true);
  if (text.empty()) text = ask(name + "()", true);
  if (text.empty() && name.find('.') == std::string::npos) text = ask(name + " x", false);
  return text;
}

std::vector<std::string> Assistant::known() const {
  std::vector<std::string> all = names_;
  for (const LibraryModule& module : library_modules()) {
    for (const LibraryFunction& function : module.functions) all.push_back(function.name);
  }
  return all;
}

}  // namespace assay::cli
