// Child processes, with fork and exec; see child_process.hpp.
#include "tests/child_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace assay_tests {

namespace {

bool redirect(int stream, const char* path, int flags) {
  const int file = open(path, flags, 0600);
  return file >= 0 && dup2(file, stream) >= 0;
}

}  // namespace

int run_child(const std::vector<std::string>& command, const Streams& streams) {
  std::vector<char*> arguments;
  for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  const pid_t child = fork();
  if (child < 0) return 127;
  if (child == 0) {
    constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC;
    if (redirect(0, streams.in.c_str(), O_RDONLY) && redirect(1, streams.out.c_str(), kWrite) &&
        redirect(2, streams.err.c_str(), kWrite) &&
        (streams.directory.empty() || chdir(streams.directory.c_str()) == 0)) {
      execvp(arguments[0], arguments.data());
    }
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return 127;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TemporaryDirectory::TemporaryDirectory() {
  std::string name = (std::filesystem::temp_directory_path() / "assay-test-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary directory");
  path_ = name;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace assay_tests
