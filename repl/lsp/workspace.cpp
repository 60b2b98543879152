// Diagnostics that a client pulls: of one text, and of all rubrics in its folders.
#include "repl/lsp/lsp.hpp"
#include "repl/lsp/server.hpp"

#include <filesystem>
#include <functional>

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

// Names a list of diagnostics: an equal list has the same name while the server runs.
std::string result_id(const Json& items) {
  return std::to_string(std::hash<std::string>()(items.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

// The whole list, or only that it is the one that the client has.
Json report(const Json& items, const Json& previous) {
  std::string id = result_id(items);
  if (previous == id) return {{"kind", "unchanged"}, {"resultId", std::move(id)}};
  return {{"kind", "full"}, {"resultId", std::move(id)}, {"items", items}};
}

}  // namespace

Json LspServer::pull(const Json& params) {
  std::string name;
  held(params, name);
  return report(diagnostics(name), params.value("previousResultId", Json()));
}

// Changes whenever one of the files does.
std::string LspServer::state_of(const std::string& name, const std::set<std::string>& read) const {
  std::string state;
  const auto add = [&](const std::string& file) {
    if (const std::string* text = service_.text(file)) {
      state += std::to_string(std::hash<std::string>()(*text)) + "o";
    } else {
      std::error_code failed;
      const auto written = fs::last_write_time(file, failed).time_since_epoch().count();
      state += failed ? "-" : std::to_string(written) + ":" + std::to_string(fs::file_size(file, failed));
    }
    state += ';';
  };
  add(name);
  for (const std::string& file : read) add(file);
  return state;
}

// The diagnostics of a file that is not open; null: it cannot be read.
const Json& LspServer::told_of_file(const std::string& name) {
  Told& told = told_[name];
  std::string state = state_of(name, told.read);
  if (!told.state.empty() && told.state == state) return told.items;
  told.items = nullptr;
  std::optional<FileFindings> found = service_.findings_of_file(name);
  if (found) {
    told.items = Json::array();
    for (const Finding& finding : found->findings) told.items.push_back(diagnostic(name, finding));
    told.read = std::move(found->read);
    state = state_of(name, told.read);
  }
  lines_.erase(name);  // nothing else asks for the places of this file soon
  told.state = std::move(state);
  return told.items;
}

// All rubrics of a workspace may take a while. The answer stops for a cancellation and for any other message, and then
// asks to be asked again: what was found is kept.
Json LspServer::pull_workspace(const Json& params) {
  struct Previous {
    std::string uri;  // as the client writes it
    Json result;      // the name of what it has
  };
  std::map<std::string, Previous> previous;  // by file
  for (const Json& one : params.value("previousResultIds", Json::array())) {
    const std::string uri = one.at("uri");
    previous[name_of_uri(uri)] = {uri, one.at("value")};
  }
  const auto had = [&](const std::string& name) {
    const auto found = previous.find(name);
    return found == previous.end() ? Previous{uri_of(name), Json()} : found->second;
  };
  Json items = Json::array();
  for (const std::string& name : service_.opened()) {
    Json one = report(diagnostics(name), had(name).result);
    one["uri"] = uri_of(name);
    one["version"] = open_[name].version.is_number_integer() ? open_[name].version : Json();
    items.push_back(std::move(one));
    previous.erase(name);
  }
  for (const std::string& name : project_) {
    if (service_.text(name) != nullptr) continue;
    note_cancellations();
    if (requests_.cancelled) throw LspFault{kRequestCancelled, "cancelled"};
    const bool known = told_.count(name) != 0;
    const Json& told = told_of_file(name);
    if (told.is_null()) continue;
    Previous before = had(name);
    Json one = report(told, before.result);
    one["uri"] = std::move(before.uri);
    one["version"] = nullptr;
    items.push_back(std::move(one));
    previous.erase(name);
    if (!known && !requests_.waiting.empty()) {
      throw LspFault{kServerCancelled, "other requests go first", {{"retriggerRequest", true}}};
    }
  }
  for (const auto& [name, gone] : previous) {  // that are gone
    items.push_back({{"uri", gone.uri}, {"version", nullptr}, {"kind", "full"}, {"items", Json::array()}});
    told_.erase(name);
  }
  return {{"items", std::move(items)}};
}

}  // namespace assay::cli
