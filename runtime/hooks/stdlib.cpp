// See stdlib.hpp.
#include "runtime/hooks/stdlib.hpp"

#include <assay/text.hpp>

namespace assay {

std::vector<std::string> stdlib_paths_like(std::string_view path) {
  constexpr std::string_view kEnding = ".rubric";
  constexpr std::size_t kBeginning = 4;  // bytes: 'stats', for 'statistics'
  std::string_view stem = path.substr(path.rfind('/') + 1);
  if (stem.ends_with(kEnding)) stem.remove_suffix(kEnding.size());
  std::vector<std::string> paths;
  const auto add = [&](std::string_view module) {
    std::string other = "std/" + std::string(module) + std::string(kEnding);
    if (other != path) paths.push_back(std::move(other));
  };
  std::vector<std::string_view> modules;
  for (std::string_view module : stdlib_names()) {
    if (!module.ends_with(kEnding)) continue;
    module.remove_suffix(kEnding.size());
    modules.push_back(module);
    if (stem.size() >= kBeginning && module.starts_with(stem.substr(0, kBeginning))) add(module);
  }
  if (const std::string_view near = nearest(stem, modules); !near.empty()) add(near);
  return paths;
}

}  // namespace assay
