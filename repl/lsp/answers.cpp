// The answers: converts requests of the protocol to calls of the service, and the results back.
#include "repl/lsp/lsp.hpp"
#include "repl/lsp/server.hpp"

#include <assay/format.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>

namespace assay::cli {

// ---- between the protocol and the library

std::string LspServer::read_text(const std::string& name) {
  std::string shown;
  return read_(name, "", shown).value_or("");
}

const Lines& LspServer::lines(const std::string& name) {
  Indexed& indexed = lines_[name];
  if (!indexed.lines) {
    const std::string* text = service_.text(name);
    if (text == nullptr) indexed.text = name.starts_with("/") ? read_text(name) : std::string();
    indexed.lines = std::make_unique<Lines>(text != nullptr ? *text : indexed.text);
  }
  return *indexed.lines;
}

const std::string& LspServer::held(const Json& params, std::string& name) {
  name = name_of_uri(params.at("textDocument").at("uri").get<std::string>());
  const std::string* text = service_.text(name);
  if (text == nullptr) throw LspFault{kInvalidParams, "'" + name + "' is not open"};
  return *text;
}

namespace {

std::size_t number(const Json& value) {
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0)
    throw LspFault{kInvalidParams, "a line and a character are whole numbers from 0"};
  return value.get<std::size_t>();
}

}  // namespace

std::size_t LspServer::offset(const std::string& name, const Json& position) {
  return lines(name).offset({number(position.at("line")), number(position.at("character"))}, encoding_);
}

std::string LspServer::uri_of(const std::string& name) const {
  const auto open = open_.find(name);
  return open != open_.end() ? open->second.uri : uri_of_name(name);
}

Json LspServer::position(const std::string& name, std::size_t offset) {
  const Lines::Position place = lines(name).position(offset, encoding_);
  return {{"line", place.line}, {"character", place.character}};
}

Json LspServer::range(const std::string& name, TextRange range) {
  return {{"start", position(name, range.begin)}, {"end", position(name, range.end)}};
}

TextRange LspServer::bytes(const std::string& name, const Json& range) {
  const std::size_t begin = offset(name, range.at("start"));
  return {begin, std::max(begin, offset(name, range.at("end")))};
}

Json LspServer::location(const Place& place) {
  return {{"uri", uri_of(place.file)}, {"range", range(place.file, place.range)}};
}

Json LspServer::workspace_edit(const std::vector<Replacement>& edits) {
  Json changes = Json::object();
  for (const Replacement& edit : edits) {
    changes[uri_of(edit.file)].push_back({{"range", range(edit.file, edit.range)}, {"newText", edit.text}});
  }
  return {{"changes", changes}};
}

// ---- diagnostics

Json LspServer::diagnostic(const std::string& name, const Finding& finding) {
  Json one = {{"range", range(name, finding.range)},
              {"severity", finding.severity == Severity::error ? 1 : 2},
              {"code", finding.code},
              {"source", "assay"},
              {"message", finding.message}};
  if (finding.unused) one["tags"] = Json::array({1});
  if (!finding.related.empty() && supports("/textDocument/publishDiagnostics/relatedInformation")) {
    for (const auto& [place, message] : finding.related)
      one["relatedInformation"].push_back({{"location", location(place)}, {"message", message}});
  }
  return one;
}

Json LspServer::diagnostics(const std::string& name) {
  Json list = Json::array();
  for (const Finding& finding : service_.findings(name)) list.push_back(diagnostic(name, finding));
  return list;
}

// ---- at a place

namespace {

int completion_kind(Proposal::Kind kind) {
  switch (kind) {
    case Proposal::Kind::word: return 14;         // Keyword
    case Proposal::Kind::declaration: return 15;  // Snippet
    case Proposal::Kind::input: return 10;        // Property
    case Proposal::Kind::dimension: return 21;    // Constant
    case Proposal::Kind::value: return 6;         // Variable
    case Proposal::Kind::function: return 3;      // Function
    case Proposal::Kind::table: return 3;
    case Proposal::Kind::type: return 22;    // Struct
    case Proposal::Kind::field: return 5;    // Field
    case Proposal::Kind::choice: return 12;  // Value
    case Proposal::Kind::file: return 17;    // File
  }
  return 1;
}

// For clients without snippets: ${1:name} becomes the name alone.
std::string without_places(const std::string& snippet) {
  std::string text;
  for (std::size_t i = 0; i < snippet.size(); ++i) {
    if (snippet[i] != '$' || i + 1 >= snippet.size() || snippet[i + 1] != '{') {
      text += snippet[i];
      continue;
    }
    const std::size_t close = snippet.find('}', i), colon = snippet.find(':', i);
    if (colon < close) text += snippet.substr(colon + 1, close - colon - 1);
    i = close;
  }
  return text;
}

Json markup(const std::string& text) { return {{"kind", "markdown"}, {"value", text}}; }

}  // namespace

Json LspServer::completion(const Json& params) {
  constexpr std::size_t kMostProposals = 400;
  std::string name;
  held(params, name);
  const bool snippets = supports("/textDocument/completion/completionItem/snippetSupport");
  Json items = Json::array();
  std::size_t place = 0;
  for (const Proposal& proposal : service_.complete(name, offset(name, params.at("position")))) {
    if (items.size() >= kMostProposals) break;
    const bool snippet = proposal.snippet && snippets;
    char order[8];
    std::snprintf(order, sizeof order, "%05zu", place++ % 100000);
    Json item = {{"label", proposal.label},
                 {"kind", completion_kind(proposal.kind)},
                 {"sortText", order},
                 {"insertTextFormat", snippet ? 2 : 1},
                 {"textEdit",
                  {{"range", range(name, proposal.range)},
                   {"newText", proposal.snippet && !snippets ? without_places(proposal.insert) : proposal.insert}}}};
    if (!proposal.detail.empty()) item["detail"] = proposal.detail;
    if (!proposal.prose.empty()) item["documentation"] = markup(proposal.prose);
    items.push_back(std::move(item));
  }
  // Only proposals that match the letters typed so far are included.
  Json result = Json::object();
  result["isIncomplete"] = true;
  result["items"] = std::move(items);
  return result;
}

Json LspServer::hover(const Json& params) {
  std::string name;
  held(params, name);
  const std::optional<Explanation> found = service_.explain(name, offset(name, params.at("position")));
  if (!found) return nullptr;
  return {{"contents", markup(found->markdown)}, {"range", range(name, found->range)}};
}

Json LspServer::definition(const Json& params) {
  std::string name;
  held(params, name);
  const std::optional<Place> place = service_.definition(name, offset(name, params.at("position")));
  if (!place || !place->file.starts_with("/")) {
    if (!place || service_.text(place->file) == nullptr) return nullptr;  // inside the standard library
  }
  return location(*place);
}

Json LspServer::references(const Json& params) {
  std::string name;
  held(params, name);
  const bool declaration = params.value("context", Json::object()).value("includeDeclaration", true);
  Json list = Json::array();
  for (const Place& place : service_.references(name, offset(name, params.at("position")), declaration)) {
    if (place.file.starts_with("/") || service_.text(place.file) != nullptr) list.push_back(location(place));
  }
  return list;
}

Json LspServer::highlight(const Json& params) {
  std::string name;
  held(params, name);
  Json list = Json::array();
  for (const Place& place : service_.references(name, offset(name, params.at("position")), true, true))
    list.push_back({{"range", range(name, place.range)}});
  return list;
}

Json LspServer::prepare_rename(const Json& params) {
  std::string name;
  const std::string& text = held(params, name);
  const std::optional<TextRange> found = service_.can_rename(name, offset(name, params.at("position")));
  if (!found) return nullptr;
  return {{"range", range(name, *found)}, {"placeholder", text.substr(found->begin, found->end - found->begin)}};
}

Json LspServer::rename(const Json& params) {
  std::string name;
  held(params, name);
  const Renaming renaming =
      service_.rename(name, offset(name, params.at("position")), params.at("newName").get<std::string>());
  if (!renaming.problem.empty()) throw LspFault{kRequestFailed, renaming.problem};
  return workspace_edit(renaming.edits);
}

Json LspServer::signature_help(const Json& params) {
  std::string name;
  held(params, name);
  const std::optional<CallHelp> help = service_.call(name, offset(name, params.at("position")));
  if (!help) return nullptr;
  Json parameters = Json::array();
  for (const auto& [begin, end] : help->parameters)
    parameters.push_back({{"label", help->label.substr(begin, end - begin)}});
  Json signature = {{"label", help->label}, {"parameters", parameters}};
  if (!help->prose.empty()) signature["documentation"] = markup(help->prose);
  return {{"signatures", {signature}},
          {"activeSignature", 0},
          {"activeParameter", parameters.empty() ? 0 : std::min(help->active, parameters.size() - 1)}};
}

// ---- of a whole text

namespace {

int symbol_kind(Outline::Kind kind) {
  switch (kind) {
    case Outline::Kind::rubric: return 5;      // Class
    case Outline::Kind::type: return 23;       // Struct
    case Outline::Kind::input: return 7;       // Property
    case Outline::Kind::value: return 13;      // Variable
    case Outline::Kind::function: return 12;   // Function
    case Outline::Kind::table: return 18;      // Array
    case Outline::Kind::gate: return 17;       // Boolean
    case Outline::Kind::dimension: return 14;  // Constant
    case Outline::Kind::rule: return 24;       // Event
    case Outline::Kind::output: return 8;      // Field
    case Outline::Kind::example: return 6;     // Method
    case Outline::Kind::field: return 8;
  }
  return 13;
}

constexpr const char* kTokenTypes[] = {"keyword",   "type",     "property", "enumMember", "variable",
                                       "parameter", "function", "property", "enumMember", "string",
                                       "number",    "operator", "comment"};
constexpr const char* kLegend[] = {"keyword",  "type",   "property", "enumMember", "variable", "parameter",
                                   "function", "string", "number",   "operator",   "comment"};

std::size_t legend_index(TokenKind kind) {
  static const std::vector<std::size_t> kIndices = [] {
    std::vector<std::size_t> indices;
    for (const std::string_view name : kTokenTypes)
      indices.push_back(static_cast<std::size_t>(std::find(std::begin(kLegend), std::end(kLegend), name) - kLegend));
    return indices;
  }();
  return kIndices[static_cast<std::size_t>(kind)];
}

}  // namespace

Json token_legend() {
  return {{"tokenTypes", std::vector<std::string>(std::begin(kLegend), std::end(kLegend))},
          {"tokenModifiers", {"declaration", "defaultLibrary"}}};
}

namespace {

void append_number(std::string& out, std::size_t number) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void append_place(std::string& out, Lines::Position place) {
  out += "{\"line\":";
  append_number(out, place.line);
  out += ",\"character\":";
  append_number(out, place.character);
  out += '}';
}

void append_range(std::string& out, const Lines& lines, TextRange range, Encoding encoding) {
  out += "{\"start\":";
  append_place(out, lines.position(range.begin, encoding));
  out += ",\"end\":";
  append_place(out, lines.position(range.end, encoding));
  out += '}';
}

void append_symbol_name(std::string& out, const Outline& outline) {
  out += "{\"name\":";
  write_json_text(outline.name.empty() ? "-" : outline.name, out);
  out += ",\"kind\":";
  append_number(out, static_cast<std::size_t>(symbol_kind(outline.kind)));
}

// There may be thousands, so they are written as text directly.
void append_symbol(std::string& out, const Lines& lines, const Outline& outline, Encoding encoding) {
  append_symbol_name(out, outline);
  out += ",\"range\":";
  append_range(out, lines, outline.whole, encoding);
  out += ",\"selectionRange\":";
  append_range(out, lines, outline.at, encoding);
  if (!outline.detail.empty()) {
    out += ",\"detail\":";
    write_json_text(outline.detail, out);
  }
  if (!outline.parts.empty()) {
    out += ",\"children\":[";
    for (const Outline& part : outline.parts) {
      if (&part != outline.parts.data()) out += ',';
      append_symbol(out, lines, part, encoding);
    }
    out += ']';
  }
  out += '}';
}

}  // namespace

Json LspServer::document_symbols(const Json& params) {
  std::string name;
  held(params, name);
  const Lines& places = lines(name);
  const std::string uri = uri_of(name);
  const std::function<void(const Outline&, const std::string&)> flat = [&](const Outline& outline,
                                                                           const std::string& in) {
    if (raw_.size() > 1) raw_ += ',';
    append_symbol_name(raw_, outline);
    raw_ += ",\"location\":{\"uri\":";
    write_json_text(uri, raw_);
    raw_ += ",\"range\":";
    append_range(raw_, places, outline.whole, encoding_);
    raw_ += '}';
    if (!in.empty()) {
      raw_ += ",\"containerName\":";
      write_json_text(in, raw_);
    }
    raw_ += '}';
    for (const Outline& part : outline.parts) flat(part, outline.name);
  };
  const bool nested = supports("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport");
  raw_ = "[";
  for (const Outline& outline : service_.outline(name)) {
    if (!nested) {
      flat(outline, "");
      continue;
    }
    if (raw_.size() > 1) raw_ += ',';
    append_symbol(raw_, places, outline, encoding_);
  }
  raw_ += ']';
  return nullptr;
}

Json LspServer::workspace_symbols(const Json& params) {
  Json list = Json::array();
  for (const auto& [place, outline] : service_.search(params.at("query").get<std::string>())) {
    list.push_back({{"name", outline.name.empty() ? "-" : outline.name},
                    {"kind", symbol_kind(outline.kind)},
                    {"location", location(place)}});
  }
  return list;
}

Json LspServer::semantic_tokens(const Json& params) {
  std::string name;
  held(params, name);
  TextRange wanted{0, std::string::npos};
  if (params.contains("range")) wanted = bytes(name, params["range"]);
  const Lines& places = lines(name);
  std::size_t line = 0, character = 0;
  // Many numbers: as text at once.
  raw_ = "{\"data\":[";
  for (const TextToken& token : service_.tokens(name)) {
    if (token.range.end < wanted.begin || token.range.begin > wanted.end) continue;
    const Lines::Position at = places.position(token.range.begin, encoding_);
    const std::size_t length = places.characters(token.range.begin, token.range.end, encoding_);
    const std::size_t modifiers = (token.declares ? 1u : 0u) | (token.builtin ? 2u : 0u);
    char numbers[5 * 24];
    char* out = numbers;
    for (const std::size_t value : {at.line - line, at.line == line ? at.character - character : at.character, length,
                                    legend_index(token.kind), modifiers}) {
      if (out != numbers || raw_.back() != '[') *out++ = ',';
      if (value < 10) {
        *out++ = static_cast<char>('0' + value);
      } else {
        out = std::to_chars(out, numbers + sizeof numbers, value).ptr;
      }
    }
    raw_.append(numbers, out);
    line = at.line;
    character = at.character;
  }
  raw_ += "]}";
  return nullptr;
}

Json LspServer::folding(const Json& params) {
  std::string name;
  const std::string& text = held(params, name);
  Json list = Json::array();
  for (const TextRange& fold : service_.folds(name)) {
    const std::size_t first = lines(name).position(fold.begin, encoding_).line;
    std::size_t last = lines(name).position(fold.end, encoding_).line;
    const char closer = fold.end < text.size() ? text[fold.end] : '\0';
    if (last > first && (closer == '}' || closer == ']' || closer == ')')) --last;  // the closing line stays visible
    if (last <= first) continue;
    Json one = {{"startLine", first}, {"endLine", last}};
    if (fold.begin < text.size() && text[fold.begin] == '#') one["kind"] = "comment";
    if (text.compare(fold.begin, 6, "import") == 0) one["kind"] = "imports";
    list.push_back(std::move(one));
  }
  return list;
}

Json LspServer::selection(const Json& params) {
  std::string name;
  held(params, name);
  Json list = Json::array();
  for (const Json& place : params.at("positions")) {
    const std::size_t at = offset(name, place);
    const std::vector<TextRange> ranges = service_.around(name, at);
    Json chain = nullptr;
    for (auto one = ranges.rbegin(); one != ranges.rend(); ++one) {
      Json inner = {{"range", range(name, *one)}};
      if (!chain.is_null()) inner["parent"] = std::move(chain);
      chain = std::move(inner);
    }
    if (chain.is_null()) chain = {{"range", range(name, {at, at})}};
    list.push_back(std::move(chain));
  }
  return list;
}

Json LspServer::links(const Json& params) {
  std::string name;
  held(params, name);
  Json list = Json::array();
  for (const Link& link : service_.links(name))
    list.push_back({{"range", range(name, link.range)}, {"target", uri_of(link.file)}});
  return list;
}

Json LspServer::lenses(const Json& params) {
  std::string name;
  held(params, name);
  Json list = Json::array();
  for (const Lens& lens : service_.lenses(name)) {
    Json command = {{"title", lens.title}, {"command", ""}};
    if (lens.does == Lens::Does::choose_example)
      command = {{"title", lens.title}, {"command", kChooseExample}, {"arguments", {uri_of(name), lens.argument}}};
    list.push_back({{"range", range(name, lens.range)}, {"command", command}});
  }
  return list;
}

Json LspServer::hints(const Json& params) {
  std::string name;
  held(params, name);
  Json list = Json::array();
  for (const Hint& hint : service_.hints(name, bytes(name, params.at("range")))) {
    list.push_back(
        {{"position", position(name, hint.at)}, {"label", hint.text}, {"tooltip", hint.prose}, {"paddingLeft", false}});
  }
  return list;
}

namespace {

// Whether a client asks for the edits of an action when it is chosen.
bool resolves_edits(const Json& client) {
  const Json::json_pointer path("/textDocument/codeAction/resolveSupport/properties");
  if (!client.contains(path) || !client[path].is_array()) return false;
  return std::any_of(client[path].begin(), client[path].end(), [](const Json& one) { return one == "edit"; });
}

}  // namespace

Json LspServer::actions(const Json& params) {
  std::string name;
  held(params, name);
  constexpr const char* kKinds[] = {"quickfix", "refactor.extract", "refactor.inline", "refactor.rewrite"};
  std::vector<std::string> only;
  if (const Json context = params.value("context", Json::object());
      context.contains("only") && context["only"].is_array()) {
    for (const Json& kind : context["only"]) only.push_back(kind.get<std::string>());
  }
  const bool literals = supports("/textDocument/codeAction/codeActionLiteralSupport");
  // Others get commands, which send the edits back to them.
  if (!literals && !supports("/workspace/applyEdit")) return Json::array();
  const bool resolves = literals && resolves_edits(client_);
  Json list = Json::array();
  for (const Rewrite& rewrite : service_.rewrites(name, bytes(name, params.at("range")), !literals || resolves)) {
    const std::string kind = kKinds[static_cast<std::size_t>(rewrite.kind)];
    const bool wanted = only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& one) {
                          return kind == one || kind.starts_with(one + ".");
                        });
    if (!wanted) continue;
    Json change = {{"uri", uri_of(name)}, {"version", open_[name].version}, {"title", rewrite.title}};
    if (rewrite.edits.empty()) {
      change["row"] = params["range"];  // the edits take a search
    } else if (!literals) {
      change["edit"] = workspace_edit(rewrite.edits);
    }
    if (!literals) {
      list.push_back({{"title", rewrite.title}, {"command", kApplyRewrite}, {"arguments", {std::move(change)}}});
      continue;
    }
    Json action = {{"title", rewrite.title}, {"kind", kind}};
    if (rewrite.edits.empty()) {
      action["data"] = std::move(change);
    } else {
      action["edit"] = workspace_edit(rewrite.edits);
    }
    if (rewrite.preferred) action["isPreferred"] = true;
    if (rewrite.finding) action["diagnostics"] = Json::array({diagnostic(name, *rewrite.finding)});
    list.push_back(std::move(action));
  }
  return list;
}

Json LspServer::rewrite_for_row(const std::string& name, const Json& range) {
  const std::optional<Rewrite> found = service_.row_example(name, bytes(name, range));
  if (!found) throw LspFault{kRequestFailed, "no record was found that reaches this row within a second"};
  return workspace_edit(found->edits);
}

// The name of the text that an action was offered for.
std::string LspServer::unchanged_since(const Json& offer) {
  std::string name = name_of_uri(offer.at("uri").get<std::string>());
  if (service_.text(name) == nullptr) throw LspFault{kInvalidParams, "'" + name + "' is not open"};
  if (offer.value("version", Json()) != open_[name].version)
    throw LspFault{kContentModified, "the text has changed since the action was offered"};
  return name;
}

Json LspServer::resolve_action(const Json& params) {
  Json action = params;
  if (!action.contains("data")) return action;  // it is complete
  const Json& data = action["data"];
  action["edit"] = rewrite_for_row(unchanged_since(data), data.at("row"));
  return action;
}

// ---- formatting

namespace {

std::string why_not(const std::vector<Diagnostic>& diagnostics, const Printable& problem) {
  return diagnostics.empty() ? problem.str() : diagnostics.front().message.str();
}

}  // namespace

Json LspServer::format(const Json& params) {
  std::string name;
  const std::string& text = held(params, name);
  Formatted formatted = format_rubric(name, text);
  if (!formatted.text) throw LspFault{kRequestFailed, why_not(formatted.diagnostics, formatted.problem)};
  if (*formatted.text == text) return Json::array();
  // Equal text at both ends stays, so that positions there do not move.
  const std::string& to = *formatted.text;
  std::size_t begin = 0, end = 0;
  const std::size_t most = std::min(text.size(), to.size());
  while (begin < most && text[begin] == to[begin]) ++begin;
  while (begin > 0 && text[begin - 1] != '\n') --begin;
  while (end < most - begin && text[text.size() - 1 - end] == to[to.size() - 1 - end]) ++end;
  while (end > 0 && text[text.size() - end - 1] != '\n') --end;
  return {{{"range", range(name, {begin, text.size() - end})}, {"newText", to.substr(begin, to.size() - end - begin)}}};
}

Json LspServer::format_range(const Json& params) {
  std::string name;
  const std::string& text = held(params, name);
  const TextRange wanted = bytes(name, params.at("range"));
  const FormattedRange formatted = format_rubric_range(name, text, wanted.begin, wanted.end);
  if (!formatted.diagnostics.empty() || !formatted.problem.empty())
    throw LspFault{kRequestFailed, why_not(formatted.diagnostics, formatted.problem)};
  if (!formatted.edit) return Json::array();
  return {{{"range", range(name, {formatted.edit->begin, formatted.edit->end})}, {"newText", formatted.edit->text}}};
}

}  // namespace assay::cli
