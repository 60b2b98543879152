// Messages of the base protocol: headers with a Content-Length, then JSON. Takes all messages that have arrived without
// waiting for more than one, so that a cancellation after a request is seen before the request is answered.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace assay::cli {

using Json = nlohmann::json;

// What nlohmann::json says of a fault, without its own name for it: "[json.exception.out_of_range.403] key 'q' not found".
std::string json_fault(std::string_view what);

class MessageStream {
 public:
  MessageStream(int in, int out) : in_(in), out_(out) {}

  struct Received {
    Json message;
    std::string problem;  // not empty: the text is not JSON, or the message cannot be delimited
    bool cancelled = false;
    bool fatal = false;  // with `problem`: nothing after it can be read
  };

  // Waits until a message has arrived, and takes all that have. False: the input has ended.
  bool wait(std::deque<Received>& messages);
  // The same, waiting at most `milliseconds`. False: nothing has arrived.
  bool poll(std::deque<Received>& messages, int milliseconds = 0);
  void send(const Json& message);
  void send_text(const std::string& body);  // JSON
  bool broken() const { return broken_; }   // nobody reads the output any more

 private:
  bool fill(int milliseconds);  // negative: until something arrives
  void cut(std::deque<Received>& messages);

  // More than these stay where the client wrote them, until some are answered.
  static constexpr std::size_t kMostWaiting = 20'000;               // messages
  static constexpr std::size_t kMostAhead = std::size_t{64} << 20;  // bytes, read while an answer is sent
  static constexpr std::size_t kMostHeader = 8192, kMostBody = std::size_t{256} << 20;
  int in_, out_;
  std::string buffer_;
  bool ended_ = false, broken_ = false;
};

}  // namespace assay::cli
