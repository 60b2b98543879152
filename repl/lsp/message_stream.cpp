#include "repl/lsp/message_stream.hpp"

#include <poll.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string_view>

namespace assay::cli {

namespace {

constexpr std::string_view kHeaderEnd = "\r\n\r\n";

// The length in the headers; nothing if there is none, or more than one.
std::optional<std::size_t> content_length(std::string_view headers) {
  std::optional<std::size_t> length;
  while (!headers.empty()) {
    const std::size_t end = std::min(headers.find("\r\n"), headers.size());
    const std::string_view line = headers.substr(0, end);
    headers.remove_prefix(std::min(end + 2, headers.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    std::string name(line.substr(0, colon));
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (name != "content-length") continue;
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
    while (!value.empty() && value.back() == ' ') value.remove_suffix(1);
    std::size_t number = 0;
    const auto [stop, status] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (status != std::errc() || stop != value.data() + value.size() || length) return std::nullopt;
    length = number;
  }
  return length;
}

// The nesting of lists and objects. The parsed value is copied and destroyed recursively.
bool too_deep(std::string_view json) {
  constexpr int kMostDepth = 200;
  int depth = 0;
  bool text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (text) {
      if (c == '\\') ++i;
      if (c == '"') text = false;
    } else if (c == '"') {
      text = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMostDepth) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

}  // namespace

bool MessageStream::fill(int milliseconds) {
  pollfd descriptor{in_, POLLIN, 0};
  const int ready = ::poll(&descriptor, 1, milliseconds);
  if (ready <= 0) return ready < 0 && errno == EINTR && milliseconds < 0;
  constexpr std::size_t kAtOnce = std::size_t{1} << 16;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kAtOnce);
  const ssize_t count = ::read(in_, buffer_.data() + before, kAtOnce);
  buffer_.resize(before + (count > 0 ? static_cast<std::size_t>(count) : 0));
  if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) ended_ = true;
  return count > 0;
}

void MessageStream::cut(std::deque<Received>& messages) {
  std::size_t at = 0;  // of the first message that has not been cut
  const auto stop = [&](const char* problem) {
    messages.push_back({{}, problem, false, true});
    at = buffer_.size();
    ended_ = true;
  };
  while (at < buffer_.size() && messages.size() < kMostWaiting) {
    const std::size_t end = buffer_.find(kHeaderEnd, at);
    if (end == std::string::npos) {
      if (buffer_.size() - at > kMostHeader) stop("a message has no end of its headers within 8192 bytes");
      break;
    }
    const std::optional<std::size_t> length = content_length(std::string_view(buffer_).substr(at, end - at));
    if (!length) {
      stop("a message has no valid Content-Length");
      break;
    }
    if (*length > kMostBody) {
      stop("a message is longer than 256 MiB");
      break;
    }
    const std::size_t begin = end + kHeaderEnd.size();
    if (buffer_.size() - begin < *length) break;
    Received received;
    const std::string_view body = std::string_view(buffer_).substr(begin, *length);
    if (too_deep(body)) {
      received.problem = "a message is nested deeper than 200 levels";
    } else try {
        received.message = Json::parse(body);
      } catch (const Json::exception& error) {
        received.problem = "the message is not JSON: " + json_fault(error.what());
      }
    at = begin + *length;
    messages.push_back(std::move(received));
  }
  buffer_.erase(0, at);
}

std::string json_fault(std::string_view what) {
  const std::size_t kind = what.starts_with('[') ? what.find("] ") : what.npos;
  return std::string(what.substr(kind == what.npos ? 0 : kind + 2));
}

bool MessageStream::wait(std::deque<Received>& messages) {
  cut(messages);  // what was read while an answer was sent
  while (messages.empty()) {
    if (ended_) return false;
    fill(-1);
    cut(messages);
  }
  poll(messages);
  return true;
}

bool MessageStream::poll(std::deque<Received>& messages, int milliseconds) {
  const std::size_t before = messages.size();
  cut(messages);
  while (!ended_ && messages.size() < kMostWaiting && fill(messages.size() > before ? 0 : milliseconds)) cut(messages);
  return messages.size() > before;
}

void MessageStream::send(const Json& message) {
  send_text(message.dump(-1, ' ', false, Json::error_handler_t::replace));
}

void MessageStream::send_text(const std::string& body) {
  std::string text = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  std::string_view rest = text;
  // A client may send many requests before it reads an answer: while nobody takes the answer, requests are read.
  constexpr std::size_t kAtOnce = 4096;  // never waits after POLLOUT
  while (!rest.empty() && !broken_) {
    const bool listens = !ended_ && buffer_.size() < kMostAhead;
    pollfd ends[] = {{out_, POLLOUT, 0}, {in_, POLLIN, 0}};
    if (::poll(ends, listens ? 2 : 1, -1) < 0 && errno != EINTR) broken_ = true;
    if (listens && ends[1].revents != 0 && ends[0].revents == 0) fill(0);  // or notes its end
    if (ends[0].revents == 0) continue;
    const ssize_t count = ::write(out_, rest.data(), std::min(rest.size(), kAtOnce));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) broken_ = true;
    if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace assay::cli
