// Messages of the base protocol: headers with a Content-Length, then JSON. Reads what has arrived without waiting for
// more than one message, so that a cancellation behind a request is seen before the request is answered.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <deque>
#include <string>

namespace assay::cli {

using Json = nlohmann::json;

class MessageStream {
 public:
  MessageStream(int in, int out) : in_(in), out_(out) {}

  struct Received {
    Json message;
    std::string problem;  // not empty: the text was no JSON, or no message can be cut out
    bool fatal = false;   // with `problem`: nothing can be read behind it
  };

  // Waits until a message has arrived, and takes all that have. False: the input has ended.
  bool wait(std::deque<Received>& messages);
  // The same, waiting at most so long. False: nothing has arrived.
  bool poll(std::deque<Received>& messages, int milliseconds = 0);
  void send(const Json& message);
  void send_text(const std::string& body);  // JSON
  bool broken() const { return broken_; }   // nobody reads what is sent

 private:
  bool fill(int milliseconds);  // negative: until something arrives
  void cut(std::deque<Received>& messages);

  static constexpr std::size_t kMostHeader = 8192, kMostBody = std::size_t{256} << 20;
  int in_, out_;
  std::string buffer_;
  bool ended_ = false, broken_ = false;
};

}  // namespace assay::cli
