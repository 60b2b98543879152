#include "repl/verbs/watch.hpp"

#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

#include <unistd.h>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

namespace assay::cli {

namespace fs = std::filesystem;

namespace {

// When each file was last written: the named files, and rubrics, tables and hooks beside and below them.
using Times = std::map<std::string, fs::file_time_type>;

void look(const fs::path& path, Times& times) {
  std::error_code failed;
  const fs::file_time_type time = fs::last_write_time(path, failed);
  if (!failed) times[path.string()] = time;
}

Times times_of(const std::vector<std::string>& files) {
  constexpr std::size_t kMostFiles = 10'000;
  constexpr int kMostDepth = 6;
  Times times;
  std::set<fs::path> folders;
  for (const std::string& file : files) {
    look(file, times);
    const fs::path folder = fs::path(file).parent_path();
    folders.insert(folder.empty() ? "." : folder);
  }
  for (const fs::path& folder : folders) {
    std::error_code failed;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, failed);
    for (; !failed && at != fs::recursive_directory_iterator() && times.size() < kMostFiles; at.increment(failed)) {
      const std::string name = at->path().filename().string();
      std::error_code unknown;
      if (at->is_directory(unknown)) {
        if (name.starts_with(".") || name == "build" || name == "node_modules" || at.depth() >= kMostDepth)
          at.disable_recursion_pending();
        continue;
      }
      const std::string ending = at->path().extension().string();
      if (ending == ".rubric" || ending == ".csv" || ending == ".lua") look(at->path(), times);
    }
  }
  return times;
}

}  // namespace

int watch(const std::vector<std::string>& files, const std::function<int()>& run) {
  if (std::find(files.begin(), files.end(), "-") != files.end())
    return refuse("--watch: standard input cannot be watched");
  // A verb closes standard output when it has written everything: each run gets one of its own.
  const int out = ::dup(STDOUT_FILENO);
  const auto once = [&] {
    if (out >= 0) (void)::dup2(out, STDOUT_FILENO);
    return run();
  };
  constexpr auto kBetween = std::chrono::milliseconds(200);
  Times seen = times_of(files);
  int code = once();
  note("watching; Ctrl-C ends");
  while (!interrupted()) {
    std::this_thread::sleep_for(kBetween);
    Times now = times_of(files);
    if (now == seen) continue;
    for (Times quiet; !interrupted() && quiet != now;) {  // an editor may write in several steps
      quiet = std::move(now);
      std::this_thread::sleep_for(kBetween / 4);
      now = times_of(files);
    }
    seen = std::move(now);
    if (interrupted()) break;
    code = once();
  }
  return code;
}

}  // namespace assay::cli
