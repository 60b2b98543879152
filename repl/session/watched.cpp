// The modification times and sizes of files. See watched.hpp.
#include "repl/session/watched.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

namespace assay::cli {

namespace fs = std::filesystem;

Importer Watched::noting(Importer importer) const {
  return [seen = seen_, importer = std::move(importer)](std::string_view path, std::string_view from,
                                                        std::string& name) -> std::optional<std::string> {
    std::optional<std::string> text = importer(path, from, name);
    if (text) seen->try_emplace(name, stamp(name));
    return text;
  };
}

Watched::Stamp Watched::stamp(const std::string& file) {
  Stamp result;
  std::error_code failed;
  const fs::file_time_type time = fs::last_write_time(file, failed);
  if (failed) return result;
  result.there = true;
  result.time = static_cast<std::int64_t>(time.time_since_epoch().count());
  result.size = fs::file_size(file, failed);
  return result;
}

void Watched::begin(const std::string& file) {
  seen_->clear();
  if (!file.empty()) (*seen_)[file] = stamp(file);
}

void Watched::look() {
  for (auto& entry : *seen_) entry.second = stamp(entry.first);
}

bool Watched::changed() const {
  for (const auto& entry : *seen_) {
    const Stamp now = stamp(entry.first);
    if (now.there && !(now == entry.second)) return true;  // a missing file may be about to be replaced
  }
  return false;
}

}  // namespace assay::cli
