// The commands that editors run on the server: choosing the example whose values are shown, and the verdict of one
// record from an example, a file or the request.
#include "repl/lsp/lsp.hpp"
#include "repl/lsp/server.hpp"

#include <chrono>
#include <filesystem>

namespace assay::cli {

namespace fs = std::filesystem;

Json LspServer::execute(const Json& params) {
  const std::string command = params.at("command");
  const Json arguments = params.value("arguments", Json::array());
  if (!arguments.is_array()) throw LspFault{kInvalidParams, "arguments is a list"};
  if (command == kChooseExample) return choose_example(arguments);
  if (command == kVerdict) return verdict(arguments);
  if (command == kApplyRewrite) return apply_rewrite(arguments);
  throw LspFault{kInvalidParams, "there is no command '" + command + "'"};
}

Json LspServer::choose_example(const Json& arguments) {
  if (arguments.size() != 2 || !arguments[0].is_string() || !arguments[1].is_string())
    throw LspFault{kInvalidParams, std::string(kChooseExample) + " takes a URI and the name of an example"};
  service_.choose_example(name_of_uri(arguments[0].get<std::string>()), arguments[1].get<std::string>());
  if (supports("/workspace/inlayHint/refreshSupport")) ask("workspace/inlayHint/refresh", nullptr);
  if (supports("/workspace/codeLens/refreshSupport")) ask("workspace/codeLens/refresh", nullptr);
  return nullptr;
}

// A code action for clients that know commands only: sends the edits back, unless the text has changed since.
Json LspServer::apply_rewrite(const Json& arguments) {
  if (arguments.size() != 1 || !arguments[0].is_object())
    throw LspFault{kInvalidParams, std::string(kApplyRewrite) + " takes the arguments of the code action"};
  const Json& change = arguments[0];
  const std::string name = unchanged_since(change);
  Json edit = change.contains("row") ? rewrite_for_row(name, change["row"]) : change.at("edit");
  ask("workspace/applyEdit", {{"label", change.at("title")}, {"edit", std::move(edit)}});
  return nullptr;
}

// The record of a file with this number; nothing and `problem` if there is none.
std::optional<std::string> LspServer::record_of_file(const std::string& rubric, const std::string& path,
                                                     std::size_t number, std::string& problem) {
  std::error_code failed;
  if (!path.starts_with("/") || !fs::is_regular_file(path, failed)) {
    problem = "'" + path + "' is not a file";
    return std::nullopt;
  }
  const std::optional<Rubric> compiled = service_.rubric(rubric);
  if (!compiled) {
    problem = "the rubric has errors, so it cannot score";
    return std::nullopt;
  }
  RecordStream stream(*compiled, {path}, {}, limits_);
  if (!stream.check(problem)) return std::nullopt;
  constexpr std::chrono::seconds kLongest(2);  // a user is waiting
  const auto late = std::chrono::steady_clock::now() + kLongest;
  for (std::size_t seen = 1;; ++seen) {
    if (std::chrono::steady_clock::now() > late) {
      problem = "record " + std::to_string(number) + " is too far down '" + path + "' to be read within two seconds";
      return std::nullopt;
    }
    const RecordStream::Status status = stream.next();
    if (status == RecordStream::Status::end) {
      problem = "'" + path + "' holds " + std::to_string(seen - 1) + (seen == 2 ? " record" : " records");
      return std::nullopt;
    }
    const bool failing = status == RecordStream::Status::failed;
    if (!failing && seen < number) continue;
    if (status == RecordStream::Status::record) return std::string(stream.json());
    problem = failing ? stream.problem().message.str() : stream.place() + ": " + stream.problem().message.str();
    return std::nullopt;
  }
}

Json LspServer::verdict(const Json& arguments) {
  constexpr const char* kTakes =
      " takes a URI and an object with one of 'example' (a name), 'file' (a URI, with 'number' from 1) and 'record' "
      "(an "
      "object); without it, the example that was chosen";
  const auto text = [&](const Json& value) {
    if (!value.is_string()) throw LspFault{kInvalidParams, kVerdict + std::string(kTakes)};
    return value.get<std::string>();
  };
  if (arguments.empty() || arguments.size() > 2 || (arguments.size() == 2 && !arguments[1].is_object()))
    throw LspFault{kInvalidParams, kVerdict + std::string(kTakes)};
  const std::string name = name_of_uri(text(arguments[0]));
  if (service_.text(name) == nullptr) throw LspFault{kInvalidParams, "'" + name + "' is not open"};
  const Json which = arguments.size() == 2 ? arguments[1] : Json::object();
  ScoredRecord scored;
  if (which.contains("file")) {
    const Json number = which.value("number", Json(1));
    if (!number.is_number_integer() || number.get<std::int64_t>() < 1)
      throw LspFault{kInvalidParams, "the number of a record is a whole number from 1"};
    const std::optional<std::string> record =
        record_of_file(name, name_of_uri(text(which["file"])), number.get<std::size_t>(), scored.problem);
    if (record) scored = service_.score_record(name, *record);
  } else if (which.contains("record")) {
    scored = service_.score_record(name, which["record"].dump());
  } else {
    scored = service_.score_example(name, which.contains("example") ? text(which["example"]) : std::string());
  }
  // Verdicts and records are inserted unchanged: their numbers and the order of their keys are exact. A line of a file
  // may be invalid JSON.
  if (!scored.record.empty() && !Json::accept(scored.record)) scored.record.clear();
  raw_ = "{\"example\":" + (scored.example.empty() ? "null" : Json(scored.example).dump()) +
         ",\"record\":" + (scored.record.empty() ? "null" : scored.record) +
         ",\"verdict\":" + (scored.verdict.empty() ? "null" : scored.verdict) +
         ",\"explanation\":" + Json(scored.explanation).dump(-1, ' ', false, Json::error_handler_t::replace) +
         ",\"problem\":" +
         (scored.problem.empty() ? "null" : Json(scored.problem).dump(-1, ' ', false, Json::error_handler_t::replace)) +
         ",\"earlier\":" + (scored.earlier ? "true" : "false") + "}";
  return nullptr;
}

}  // namespace assay::cli
