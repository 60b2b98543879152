#include "repl/lsp/server.hpp"

#include "repl/lsp/lsp.hpp"

#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

ServiceOptions service_options(const Loading& loading, const Importer& read) {
  ServiceOptions options;
  options.limits = loading.compile.limits;
  options.lua = loading.compile.lua;
  options.resolve = [](std::string_view path, std::string_view from) {
    return (fs::path(from).parent_path() / fs::path(path)).lexically_normal().string();
  };
  options.read = [read](const std::string& name) -> std::optional<std::string> {
    if (name.empty() || name.front() != '/') return std::nullopt;
    std::string shown;
    return read(name, "", shown);
  };
  // A few folder levels, because a user is waiting.
  options.beside = [](const std::string& name) {
    constexpr std::size_t kMostFiles = 500, kMostEntries = 5000;
    constexpr int kMostDepth = 3;
    std::vector<std::string> files;
    if (name.empty() || name.front() != '/') return files;
    std::error_code failed, unknown;
    std::size_t entries = 0;
    fs::recursive_directory_iterator at(fs::path(name).parent_path(), fs::directory_options::skip_permission_denied,
                                        failed);
    for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
      if (++entries > kMostEntries || files.size() >= kMostFiles) break;
      const std::string entry = at->path().filename().string();
      if (at->is_directory(unknown)) {
        if (entry.starts_with(".") || entry == "node_modules" || entry == "build" || at.depth() >= kMostDepth)
          at.disable_recursion_pending();
      } else if (at->path().extension() == ".csv" || at->path().extension() == ".lua") {
        files.push_back(at->path().lexically_normal().string());
      }
    }
    std::sort(files.begin(), files.end());
    return files;
  };
  return options;
}

}  // namespace

const LspServer::Method LspServer::kMethods[] = {
    {"initialize", &LspServer::initialize, true},
    {"initialized", &LspServer::initialized, false},
    {"shutdown", &LspServer::shutdown, true},
    {"exit", &LspServer::leave, false},
    {"$/cancelRequest", &LspServer::ignored, false},
    {"$/setTrace", &LspServer::ignored, false},
    {"workspace/didChangeConfiguration", &LspServer::ignored, false},
    {"workspace/didChangeWatchedFiles", &LspServer::did_change_files, false},
    {"workspace/didChangeWorkspaceFolders", &LspServer::did_change_folders, false},
    {"workspace/symbol", &LspServer::workspace_symbols, true},
    {"workspace/executeCommand", &LspServer::execute, true},
    {"workspace/diagnostic", &LspServer::pull_workspace, true},
    {"textDocument/didOpen", &LspServer::did_open, false},
    {"textDocument/didChange", &LspServer::did_change, false},
    {"textDocument/didClose", &LspServer::did_close, false},
    {"textDocument/didSave", &LspServer::did_save, false},
    {"textDocument/completion", &LspServer::completion, true},
    {"textDocument/hover", &LspServer::hover, true},
    {"textDocument/definition", &LspServer::definition, true},
    {"textDocument/references", &LspServer::references, true},
    {"textDocument/documentHighlight", &LspServer::highlight, true},
    {"textDocument/prepareRename", &LspServer::prepare_rename, true},
    {"textDocument/rename", &LspServer::rename, true},
    {"textDocument/signatureHelp", &LspServer::signature_help, true},
    {"textDocument/documentSymbol", &LspServer::document_symbols, true},
    {"textDocument/semanticTokens/full", &LspServer::semantic_tokens, true},
    {"textDocument/semanticTokens/range", &LspServer::semantic_tokens, true},
    {"textDocument/foldingRange", &LspServer::folding, true},
    {"textDocument/selectionRange", &LspServer::selection, true},
    {"textDocument/documentLink", &LspServer::links, true},
    {"textDocument/codeLens", &LspServer::lenses, true},
    {"textDocument/inlayHint", &LspServer::hints, true},
    {"textDocument/codeAction", &LspServer::actions, true},
    {"codeAction/resolve", &LspServer::resolve_action, true},
    {"textDocument/diagnostic", &LspServer::pull, true},
    {"textDocument/formatting", &LspServer::format, true},
    {"textDocument/rangeFormatting", &LspServer::format_range, true},
};

const LspServer::Method* LspServer::find(const std::string& name) {
  for (const Method& method : kMethods) {
    if (name == method.name) return &method;
  }
  return nullptr;
}

LspServer::LspServer(MessageStream& stream, const Loading& loading)
    : stream_(stream),
      limits_(loading.limits()),
      read_(file_importer(loading.roots, loading.limits().source_bytes)),
      service_(service_options(loading, read_)) {}

int LspServer::run() {
  while (state_ != State::ended && !stream_.broken()) {
    if (requests_.waiting.empty()) {
      if (!stream_.poll(requests_.waiting, settling())) publish();
      if (requests_.waiting.empty()) service_.tidy();
      if (requests_.waiting.empty() && !stream_.wait(requests_.waiting)) break;
    }
    note_cancellations();
    const Json& first = requests_.waiting.front().message;
    if (first.is_object() && first.contains("id")) {
      const auto known = requests_.by_id.find(first["id"].dump(-1, ' ', false, Json::error_handler_t::replace));
      if (known != requests_.by_id.end() && known->second == &requests_.waiting.front()) requests_.by_id.erase(known);
    }
    requests_.cancelled = requests_.waiting.front().cancelled;
    MessageStream::Received next = std::move(requests_.waiting.front());
    requests_.waiting.pop_front();
    --requests_.seen;
    handle(next);
    if (next.fatal) break;
  }
  return code_;
}

// Takes what has arrived, so that a request that is cancelled while it waits is never started. A cancellation concerns
// the requests before it: a later one may have the same id.
void LspServer::note_cancellations() {
  stream_.poll(requests_.waiting);
  for (; requests_.seen < requests_.waiting.size(); ++requests_.seen) {
    MessageStream::Received& received = requests_.waiting[requests_.seen];
    const Json& m = received.message;
    if (!m.is_object() || !m.contains("method")) continue;
    const auto text = [](const Json& id) { return id.dump(-1, ' ', false, Json::error_handler_t::replace); };
    if (m.contains("id")) {
      requests_.by_id[text(m["id"])] = &received;  // the elements of a deque stay where they are
    } else if (m["method"] == "$/cancelRequest" && m.contains("params") && m["params"].is_object()) {
      const Json id = m["params"].value("id", Json());
      const auto found = requests_.by_id.find(text(id));
      if (found != requests_.by_id.end()) found->second->cancelled = true;
      else if (!id.is_null() && id == requests_.answered) requests_.cancelled = true;
    }
  }
}

// Milliseconds to wait for another message before sending diagnostics: users go on typing, and editors send several
// requests after each edit. There is no wait for a new text, or if diagnostics are late already.
int LspServer::settling() {
  constexpr std::chrono::milliseconds kQuiet(15), kLatest(1000);
  const auto is_new = [this](const std::string& name) { return !open_[name].published; };
  const auto now = std::chrono::steady_clock::now();
  if (dirty_.empty() || std::any_of(dirty_.begin(), dirty_.end(), is_new)) return 0;
  if (!dirty_since_) dirty_since_ = now;
  return now - *dirty_since_ > kLatest ? 0 : static_cast<int>(kQuiet.count());
}

void LspServer::respond(const Json& id, const Json& result) {
  stream_.send({{"jsonrpc", "2.0"}, {"id", id}, {"result", result}});
}

void LspServer::fail(const Json& id, int code, const std::string& message, const Json& data) {
  Json error = {{"code", code}, {"message", message}};
  if (!data.is_null()) error["data"] = data;
  stream_.send({{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(error)}});
}

void LspServer::notify(const char* method, Json params) {
  stream_.send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void LspServer::ask(const char* method, Json params) {
  Json message = {{"jsonrpc", "2.0"}, {"id", "assay-" + std::to_string(next_id_++)}, {"method", method}};
  if (!params.is_null()) message["params"] = std::move(params);
  stream_.send(message);
}

namespace {

// Clients write null for what they leave out.
void drop_nulls(Json& params) {
  std::vector<Json*> open{&params};
  while (!open.empty()) {
    Json& value = *open.back();
    open.pop_back();
    for (auto member = value.begin(); value.is_structured() && member != value.end();) {
      if (value.is_object() && member->is_null()) {
        member = value.erase(member);
        continue;
      }
      if (member->is_structured()) open.push_back(&*member);
      ++member;
    }
  }
}

}  // namespace

void LspServer::handle(MessageStream::Received& received) {
  if (!received.problem.empty()) return fail(nullptr, kParseError, received.problem);
  Json& message = received.message;
  if (!message.is_object()) return fail(nullptr, kInvalidRequest, "a message is an object");
  const Json id = message.value("id", Json());
  const bool request = message.contains("id");
  if (request && !id.is_string() && !id.is_number_integer() && !(id.is_null() && !message.contains("method")))
    return fail(nullptr, kInvalidRequest, "the id of a request is a text or a whole number");
  if (!message.contains("method")) {
    if (message.contains("result") || message.contains("error")) return;  // an answer to one of our requests
    return fail(id, kInvalidRequest, "a message has a method, a result or an error");
  }
  if (!message["method"].is_string()) return fail(id, kInvalidRequest, "a method is a text");
  if (message.contains("params")) drop_nulls(message["params"]);
  try {
    dispatch(message);
  } catch (const LspFault& fault) {
    if (request) fail(id, fault.code, fault.message, fault.data);
  } catch (const Json::exception& error) {
    if (request) fail(id, kInvalidParams, "params: " + json_fault(error.what()));
  } catch (const std::bad_alloc&) { throw; } catch (const std::exception& error) {
    if (request) fail(id, kInternalError, error.what());
  }
}

void LspServer::dispatch(const Json& message) {
  const std::string name = message["method"];
  const bool request = message.contains("id");
  const Method* method = find(name);
  if (request && requests_.cancelled) throw LspFault{kRequestCancelled, "cancelled"};
  if (state_ == State::fresh && name != "initialize" && name != "exit") {
    throw LspFault{kNotInitialized, "the session has not been initialized"};
  }
  if (state_ == State::shut && name != "exit") throw LspFault{kInvalidRequest, "the session has been shut down"};
  if (method == nullptr) throw LspFault{kMethodNotFound, "there is no method '" + name + "'"};
  if (method->request != request)
    throw LspFault{kInvalidRequest, "'" + name + (request ? "' is a notification" : "' is a request")};
  static const Json kNone = Json::object();
  const bool given = message.contains("params") && !message["params"].is_null();
  const Json& params = given ? message["params"] : kNone;
  if (!params.is_object()) throw LspFault{kInvalidParams, "params is an object"};
  raw_.clear();
  requests_.answered = request ? message["id"] : Json();
  const Json result = (this->*method->answer)(params);
  requests_.answered = nullptr;
  if (!request) return;
  if (raw_.empty()) return respond(message["id"], result);
  stream_.send_text("{\"jsonrpc\":\"2.0\",\"id\":" + message["id"].dump() + ",\"result\":" + raw_ + "}");
}

// ---- session

bool LspServer::supports(const char* pointer) const {
  const Json::json_pointer path(pointer);
  if (!client_.contains(path)) return false;
  const Json& value = client_[path];
  return value.is_boolean() ? value.get<bool>() : !value.is_null();
}

Json LspServer::initialize(const Json& params) {
  if (state_ != State::fresh) throw LspFault{kInvalidRequest, "the session is initialized already"};
  client_ = params.value("capabilities", Json::object());
  if (!client_.is_object()) throw LspFault{kInvalidParams, "capabilities is an object"};
  const Json::json_pointer encodings("/general/positionEncodings");
  if (client_.contains(encodings) && client_[encodings].is_array()) {
    for (const Json& encoding : client_[encodings]) {
      if (encoding == "utf-8") encoding_ = Encoding::utf8;
    }
  }
  pulls_ = supports("/textDocument/diagnostic");
  // Some editors send folders without a name: only the URI counts.
  if (params.contains("workspaceFolders") && params["workspaceFolders"].is_array()) {
    for (const Json& folder : params["workspaceFolders"])
      folders_.push_back(name_of_uri(folder.at("uri").get<std::string>()));
  } else if (params.contains("rootUri") && params["rootUri"].is_string()) {
    folders_.push_back(name_of_uri(params["rootUri"].get<std::string>()));
  }
  state_ = State::running;
  Json capabilities = {
      {"positionEncoding", encoding_ == Encoding::utf8 ? "utf-8" : "utf-16"},
      {"textDocumentSync", {{"openClose", true}, {"change", 2}, {"save", true}}},
      {"completionProvider", {{"triggerCharacters", {".", "\"", ":", "|"}}}},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"referencesProvider", true},
      {"documentHighlightProvider", true},
      {"signatureHelpProvider", {{"triggerCharacters", {"(", ","}}}},
      {"documentSymbolProvider", true},
      {"workspaceSymbolProvider", true},
      {"foldingRangeProvider", true},
      {"selectionRangeProvider", true},
      {"documentLinkProvider", Json::object()},
      {"codeLensProvider", Json::object()},
      {"inlayHintProvider", true},
      {"codeActionProvider",
       {{"codeActionKinds", {"quickfix", "refactor.extract", "refactor.inline", "refactor.rewrite"}},
        {"resolveProvider", true}}},
      {"executeCommandProvider", {{"commands", {kChooseExample, kVerdict, kApplyRewrite}}}},
      {"semanticTokensProvider", {{"legend", token_legend()}, {"full", true}, {"range", true}}},
      {"diagnosticProvider",
       {{"identifier", "assay"}, {"interFileDependencies", true}, {"workspaceDiagnostics", true}}},
      {"workspace", {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}},
  };
  capabilities["renameProvider"] =
      supports("/textDocument/rename/prepareSupport") ? Json{{"prepareProvider", true}} : Json(true);
  capabilities["documentFormattingProvider"] = true;
  capabilities["documentRangeFormattingProvider"] = true;
  return {{"capabilities", std::move(capabilities)},
          {"serverInfo", {{"name", "assay"}, {"version", std::string(assay::version())}}}};
}

Json LspServer::initialized(const Json&) {
  scan_project();
  if (supports("/workspace/didChangeWatchedFiles/dynamicRegistration")) {
    ask("client/registerCapability",
        {{"registrations",
          {{{"id", "assay-files"},
            {"method", "workspace/didChangeWatchedFiles"},
            {"registerOptions", {{"watchers", {{{"globPattern", "**/*.{rubric,csv,lua}"}}}}}}}}}});
  }
  return {};
}

Json LspServer::shutdown(const Json&) {
  state_ = State::shut;
  return nullptr;
}

Json LspServer::leave(const Json&) {
  code_ = state_ == State::shut ? 0 : 1;
  state_ = State::ended;
  return {};
}

Json LspServer::ignored(const Json&) { return {}; }

// Finds rubrics below the folders, for references, renaming and symbols across files.
void LspServer::scan_project() {
  constexpr std::size_t kMostFiles = 2000, kMostEntries = 100'000;
  constexpr int kMostDepth = 12;
  std::vector<std::string> files;
  std::size_t entries = 0;
  for (const std::string& folder : folders_) {
    std::error_code failed;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, failed);
    for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
      if (++entries > kMostEntries || files.size() >= kMostFiles) break;
      const std::string name = at->path().filename().string();
      std::error_code unknown;
      if (at->is_directory(unknown)) {
        if (name.starts_with(".") || name == "node_modules" || name == "build" || at.depth() >= kMostDepth)
          at.disable_recursion_pending();
      } else if (at->path().extension() == ".rubric" && at->is_regular_file(unknown)) {
        files.push_back(at->path().lexically_normal().string());
      }
    }
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());  // folders may overlap
  project_ = files;
  for (auto one = told_.begin(); one != told_.end();)
    one = std::binary_search(files.begin(), files.end(), one->first) ? std::next(one) : told_.erase(one);
  service_.set_project(std::move(files));
}

// ---- texts

Json LspServer::did_open(const Json& params) {
  const Json& document = params.at("textDocument");
  const std::string uri = document.at("uri");
  const std::string name = name_of_uri(uri);
  service_.open(name, document.at("text").get<std::string>());
  lines_.clear();
  OpenFile& file = open_[name];
  file.uri = uri;
  file.version = document.value("version", Json());
  dirty_.insert(name);
  for (const std::string& other : service_.opened()) dirty_.insert(other);
  return {};
}

Json LspServer::did_change(const Json& params) {
  const Json& document = params.at("textDocument");
  const std::string name = name_of_uri(document.at("uri").get<std::string>());
  if (service_.text(name) == nullptr) return {};
  for (const Json& change : params.at("contentChanges")) {
    if (change.contains("range") && !change["range"].is_null()) {
      const TextRange range = bytes(name, change["range"]);
      service_.edit(name, range, change.at("text").get<std::string>());
    } else {
      service_.open(name, change.at("text").get<std::string>());
    }
    lines_.erase(name);
  }
  open_[name].version = document.value("version", Json());
  for (const std::string& other : service_.opened()) dirty_.insert(other);
  return {};
}

Json LspServer::did_close(const Json& params) {
  const std::string name = name_of_uri(params.at("textDocument").at("uri").get<std::string>());
  if (service_.text(name) == nullptr) return {};
  service_.close(name);
  lines_.clear();
  dirty_.erase(name);
  if (!pulls_) notify("textDocument/publishDiagnostics", {{"uri", uri_of(name)}, {"diagnostics", Json::array()}});
  open_.erase(name);
  for (const std::string& other : service_.opened()) dirty_.insert(other);
  return {};
}

Json LspServer::did_save(const Json&) { return {}; }

Json LspServer::did_change_files(const Json& params) {
  for (const Json& change : params.at("changes")) {
    const std::string name = name_of_uri(change.at("uri").get<std::string>());
    if (service_.text(name) == nullptr) service_.changed(name);
  }
  lines_.clear();
  scan_project();
  for (const std::string& other : service_.opened()) dirty_.insert(other);
  return {};
}

Json LspServer::did_change_folders(const Json& params) {
  const Json& event = params.at("event");
  for (const Json& folder : event.value("removed", Json::array())) {
    const std::string name = name_of_uri(folder.at("uri").get<std::string>());
    folders_.erase(std::remove(folders_.begin(), folders_.end(), name), folders_.end());
  }
  for (const Json& folder : event.value("added", Json::array()))
    folders_.push_back(name_of_uri(folder.at("uri").get<std::string>()));
  scan_project();
  return {};
}

// Sends what has changed since the last time. Only analyses invalidated by a change are made anew.
void LspServer::publish() {
  dirty_since_.reset();
  if (state_ != State::running) {
    dirty_.clear();
    return;
  }
  std::set<std::string> dirty;
  dirty.swap(dirty_);
  if (pulls_) {
    if (!dirty.empty() && dirty.size() > 1 && supports("/workspace/diagnostics/refreshSupport"))
      ask("workspace/diagnostic/refresh", nullptr);
    return;
  }
  for (const std::string& name : dirty) {
    if (service_.text(name) == nullptr) continue;
    Json list = diagnostics(name);
    OpenFile& file = open_[name];
    if (file.published == list) continue;
    Json params = {{"uri", uri_of(name)}, {"diagnostics", list}};
    if (file.version.is_number_integer()) params["version"] = file.version;
    file.published = std::move(list);
    notify("textDocument/publishDiagnostics", std::move(params));
  }
}

int lsp(const LoadOptions& options) {
  const std::optional<Loading> loading = read_loading(options);
  if (!loading) return 2;
  MessageStream stream(STDIN_FILENO, STDOUT_FILENO);
  return LspServer(stream, *loading).run();
}

}  // namespace assay::cli
