// Imports in the forms of other languages: 'from std.stats import mean', 'use normalise', 'import { area } from "x"'.
#include "lang/mend/mend.hpp"
#include "lang/mend/statements/items.hpp"
#include "lang/text/ascii.hpp"

#include <utility>

namespace assay::mending {

void imports(const Window& window, Proposals& out) {
  if (window.problem.code.substr(0, 3) != "E01") return;
  const Tokens& tokens = window.tokens;
  const std::size_t i = line_first(tokens, window.at);
  std::size_t last = line_last(tokens, i), at = tokens.is(i, "@") ? i + 1 : i;
  if (tokens.is(last, ":")) {  // imports: and a list below it
    while (tokens.is(last + 1, "-") && tokens[last + 1].first && tokens[last + 2].is_text())
      last = line_last(tokens, last + 1);
  }
  if (!among(in_lower_case(tokens[at].shown),
             {"imports", "import", "use", "include", "load", "require", "source", "using", "from"}))
    return;
  std::vector<std::string> paths;
  std::vector<std::string> texts;  // import "a", "b"
  bool foreign = false;            // a module of another language, which has no counterpart
  for (std::size_t k = at + 1; k <= last; ++k) {
    // require a > 0 "…", require at least 3 photos: a gate
    if (k > at + 1 &&
        (tokens[k].kind == Token::Kind::number || among(tokens[k].shown, {"<", ">", "<=", ">=", "==", "!="})))
      return;
    if (tokens[k].is_text()) texts.push_back(without_quotes(tokens, k));
  }
  if (!texts.empty()) paths = {texts[0]};
  if (paths.empty()) {  // std.stats, std::stats, std/stats; several with ',' between
    const bool several = !tokens.is(at, "from");
    std::string path;
    std::vector<std::string> names;
    const auto close = [&] {
      constexpr std::string_view kEnding = "/rubric";
      if (path.ends_with(kEnding)) path.resize(path.size() - kEnding.size());
      if (!path.empty()) names.push_back(std::exchange(path, {}));
    };
    for (++at; at <= last && !(at > i + 1 && tokens[at].value() && tokens[at - 1].value()); ++at) {
      if (several && (tokens.is(at, "and") || among(tokens[at].shown, {",", "+", "&"}))) close();
      else if (tokens[at].kind == Token::Kind::word) path += tokens[at].shown;
      else if (among(tokens[at].shown, {".", "/", "::"}) && !path.empty()) path += '/';
      else if (!among(tokens[at].shown, {"<", ">", "(", ")", ";", ":", "="})) return;
    }
    close();
    if (names.empty()) return;
    const bool bare = names[0].find('/') == names[0].npos;
    for (const std::string& one : names) texts.push_back((bare && names.size() > 1 ? "std/" : "") + one + ".rubric");
    paths.push_back(names[0] + ".rubric");
    if (bare) paths.push_back("std/" + paths[0]);
  }
  const std::string name = paths[0].substr(0, paths[0].find_first_of("./"));
  foreign = among(name, {"math", "numpy", "pandas", "statistics", "json", "os", "re", "sys", "datetime", "random",
                         "typing", "dataclasses", "pydantic", "decimal", "yaml", "lodash", "moment", "enum", "zod"});
  if (foreign) {
    const std::size_t end = std::min(tokens.text().find('\n', tokens[last].end) + 1, tokens.text().size());
    return out.add(tokens[i].begin, end == 0 ? tokens[last].end : end, "", true);
  }
  if (texts.size() > 1) {
    std::string all, own;  // of the standard library, or files beside this one
    for (const std::string& path : texts) {
      all += (all.empty() ? "import \"" : "\nimport \"") + path + '"';
      own += (own.empty() ? "import \"" : "\nimport \"") + path.substr(path.starts_with("std/") ? 4 : 0) + '"';
    }
    out.add(tokens[i].begin, tokens[last].end, all, true);
    return out.add(tokens[i].begin, tokens[last].end, own, true);
  }
  for (const std::string& path : paths) out.add(tokens[i].begin, tokens[last].end, "import \"" + path + "\"", true);
}

}  // namespace assay::mending
