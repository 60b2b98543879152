// The pager is a child process that owns the terminal: while it runs, it handles Ctrl-C itself.
#include "repl/prompt/pager.hpp"

#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

namespace assay::cli {

namespace {

// Ignores a signal during its lifetime.
class Ignored {
 public:
  explicit Ignored(int signal) : signal_(signal) {
    struct sigaction none {};
    none.sa_handler = SIG_IGN;
    sigemptyset(&none.sa_mask);
    ::sigaction(signal, &none, &before_);
  }
  ~Ignored() { ::sigaction(signal_, &before_, nullptr); }
  Ignored(const Ignored&) = delete;
  Ignored& operator=(const Ignored&) = delete;

 private:
  int signal_;
  struct sigaction before_ {};
};

}  // namespace

ScreenSize screen_size() {
  winsize size{};
  ScreenSize screen;
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) {
    if (size.ws_row > 0) screen.rows = size.ws_row;
    if (size.ws_col > 0) screen.columns = size.ws_col;
  }
  return screen;
}

bool paged(const std::string& text) {
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  if (lines + 1 < screen_size().rows) return false;
  const char* chosen = std::getenv("PAGER");
  const std::string command = chosen != nullptr && *chosen != '\0' ? chosen : "less -FRX";
  constexpr int kNotFound = 127;
  const Ignored interrupts(SIGINT), broken_pipes(SIGPIPE);
  const std::string name = command.substr(0, command.find(' '));
  if (std::system(("command -v '" + name + "' >/dev/null 2>&1").c_str()) != 0) return false;
  FILE* const pipe = ::popen(command.c_str(), "w");
  if (pipe == nullptr) return false;
  std::fwrite(text.data(), 1, text.size(), pipe);
  const int status = ::pclose(pipe);
  return !(WIFEXITED(status) && WEXITSTATUS(status) == kNotFound);
}

}  // namespace assay::cli
