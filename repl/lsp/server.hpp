// A session of the Language Server Protocol. One thread takes messages as they come and answers requests in order;
// unsolicited messages (diagnostics) are sent when nothing else waits. A violation of the protocol is an error of
// JSON-RPC and never ends the session.
#pragma once

#include "repl/files/record_stream.hpp"
#include "repl/lsp/message_stream.hpp"
#include "repl/lsp/positions.hpp"

#include <assay/service.hpp>

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace assay::cli {

struct LspFault {  // an error of JSON-RPC, thrown by a handler and caught by its caller
  int code;
  std::string message;
  Json data = nullptr;  // null: none
};
inline constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601, kInvalidParams = -32602,
                     kInternalError = -32603, kNotInitialized = -32002, kRequestCancelled = -32800,
                     kContentModified = -32801, kServerCancelled = -32802, kRequestFailed = -32803;

class LspServer {
 public:
  LspServer(MessageStream& stream, const Loading& loading);
  int run();  // returns the exit code: 0 after shutdown and exit, 1 otherwise

 private:
  using Answer = Json (LspServer::*)(const Json&);
  struct Method {
    const char* name;
    Answer answer;
    bool request;
  };
  static const Method kMethods[];
  static const Method* find(const std::string& name);

  // ---- server.cpp: the session
  void handle(MessageStream::Received& received);
  void dispatch(const Json& message);
  void respond(const Json& id, const Json& result);
  void fail(const Json& id, int code, const std::string& message, const Json& data = nullptr);
  void notify(const char* method, Json params);
  void ask(const char* method, Json params);
  void note_cancellations();
  void publish();
  int settling();
  void scan_project();
  bool supports(const char* pointer) const;

  Json initialize(const Json& params);
  Json initialized(const Json& params);
  Json shutdown(const Json& params);
  Json leave(const Json& params);
  Json ignored(const Json& params);
  Json did_open(const Json& params);
  Json did_change(const Json& params);
  Json did_close(const Json& params);
  Json did_save(const Json& params);
  Json did_change_files(const Json& params);
  Json did_change_folders(const Json& params);

  // ---- answers.cpp
  Json completion(const Json& params);
  Json hover(const Json& params);
  Json definition(const Json& params);
  Json references(const Json& params);
  Json highlight(const Json& params);
  Json prepare_rename(const Json& params);
  Json rename(const Json& params);
  Json signature_help(const Json& params);
  Json document_symbols(const Json& params);
  Json workspace_symbols(const Json& params);
  Json semantic_tokens(const Json& params);
  Json folding(const Json& params);
  Json selection(const Json& params);
  Json links(const Json& params);
  Json lenses(const Json& params);
  Json hints(const Json& params);
  Json actions(const Json& params);
  Json resolve_action(const Json& params);
  Json format(const Json& params);
  Json format_range(const Json& params);

  // ---- workspace.cpp
  Json pull(const Json& params);
  Json pull_workspace(const Json& params);
  const Json& told_of_file(const std::string& name);
  std::string state_of(const std::string& name, const std::set<std::string>& read) const;

  // ---- commands.cpp
  Json execute(const Json& params);
  Json choose_example(const Json& arguments);
  Json apply_rewrite(const Json& arguments);
  Json verdict(const Json& arguments);
  std::optional<std::string> record_of_file(const std::string& rubric, const std::string& path, std::size_t number,
                                            std::string& problem);

  // ---- between the protocol and the library
  const Lines& lines(const std::string& name);
  const std::string& held(const Json& params, std::string& name);  // its text; throws if it is not open
  std::size_t offset(const std::string& name, const Json& position);
  std::string uri_of(const std::string& name) const;
  Json position(const std::string& name, std::size_t offset);
  Json range(const std::string& name, TextRange range);
  TextRange bytes(const std::string& name, const Json& range);
  Json location(const Place& place);
  Json diagnostics(const std::string& name);
  Json diagnostic(const std::string& name, const Finding& finding);
  std::string unchanged_since(const Json& offer);
  Json rewrite_for_row(const std::string& name, const Json& range);
  Json workspace_edit(const std::vector<Replacement>& edits);
  std::string read_text(const std::string& name);

  MessageStream& stream_;
  Limits limits_;
  Importer read_;
  Service service_;
  Encoding encoding_ = Encoding::utf16;
  Json client_;  // its capabilities
  std::vector<std::string> folders_;
  std::vector<std::string> project_;  // the rubrics found below them
  struct Indexed {
    std::string text;  // for a file that is not open
    std::unique_ptr<Lines> lines;
  };
  std::map<std::string, Indexed> lines_;
  struct OpenFile {
    std::string uri;  // as the client writes it: there are several ways
    Json version;
    std::optional<Json> published;  // the diagnostics that it has been sent
  };
  std::map<std::string, OpenFile> open_;
  struct Told {         // about a file that is not open
    std::string state;  // of all files that it was made from
    std::set<std::string> read;
    Json items;
  };
  std::map<std::string, Told> told_;
  struct Requests {
    std::deque<MessageStream::Received> waiting;
    std::size_t seen = 0;                                   // of those that wait: looked at for cancellations
    std::map<std::string, MessageStream::Received*> by_id;  // the requests that wait
    Json answered;                                          // the id of the one that is being answered; null: none
    bool cancelled = false;                                 // that one
  };
  Requests requests_;
  std::set<std::string> dirty_;
  std::optional<std::chrono::steady_clock::time_point> dirty_since_;  // when settling() was first called since then
  enum class State : unsigned char { fresh, running, shut, ended } state_ = State::fresh;
  bool pulls_ = false;
  std::string raw_;  // the JSON of an answer that was written directly
  int code_ = 1;
  std::int64_t next_id_ = 1;
};

}  // namespace assay::cli
