// assay new: writes a rubric to start from into a new file. Never overwrites a file.
#include "repl/files/output.hpp"
#include "repl/starters/starters.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"
#include "repl/verbs/verbs.hpp"

#include <assay/assay.hpp>

#include <unistd.h>
#include <algorithm>
#include <cctype>

namespace assay::cli {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Whether a rubric can have this name, by the rules of the language.
bool is_name(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), is_word) &&
         compile("name", "rubric " + name + " {\n  output x = 1\n}\n").rubric.has_value();
}

// "Release notes" for "release_notes".
std::string title_of(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
  return name;
}

void replace_all(std::string& text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// A valid name similar to an invalid one.
std::string nearest_name(const std::string& wrong) {
  if (std::any_of(wrong.begin(), wrong.end(), [](unsigned char c) { return c >= 0x80; })) return {};
  std::string name;
  for (const char c : wrong) name += is_word(c) ? c : '_';
  if (!name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) != 0) name.insert(0, "_");
  return is_name(name) ? name : is_name(name + "_rubric") ? name + "_rubric" : std::string();
}

}  // namespace

int begin_new(const NewOptions& options) {
  std::string name = options.name;
  constexpr std::string_view kEnding = ".rubric";
  if (name.ends_with(kEnding)) name.resize(name.size() - kEnding.size());
  if (const std::size_t slash = name.rfind('/'); slash != std::string::npos)
    return refuse("a rubric is begun in the current folder: 'assay new " + printable(name.substr(slash + 1)) +
                  "' in the folder '" + printable(name.substr(0, std::max<std::size_t>(slash, 1))) + "'");
  if (!is_name(name)) {
    const std::string near = nearest_name(name);
    complain("'" + printable(name) +
             "' cannot be the name of a rubric: letters, digits and '_', and no word of the language" +
             (near.empty() ? "" : "; '" + printable(near) + "' can"));
    return kRefused;
  }
  const auto kinds = starters();
  const auto* starter = std::find_if(kinds.data(), kinds.data() + kinds.size(),
                                     [&](const Starter& one) { return one.name == options.like; });
  if (starter == kinds.data() + kinds.size()) starter = kinds.data();
  std::string text(starter->text);
  if (starter->own.empty()) {
    replace_all(text, "TITLE", title_of(name));
    replace_all(text, "NAME", name);
  } else {
    const std::string header = "rubric " + std::string(starter->own) + " ";
    text.replace(text.rfind(header), header.size(), "rubric " + name + " ");
    if (!compile(name, text).rubric)
      return refuse("'" + printable(name) + "' is the name of something else in such a rubric: choose another name");
  }

  const std::string file = name + std::string(kEnding);
  if (::access(file.c_str(), F_OK) == 0) return refuse("'" + file + "' is there already");
  std::string problem;
  std::optional<Output> output = Output::open(file, problem);
  if (!output) return refuse(problem);
  output->write(text);
  const int code = output->finish(kDone);
  if (code != kDone) return code;
  std::optional<Output> shown = Output::open({}, problem);
  shown->write(file + ": " + std::string(starter->meaning) + "; try 'assay test " + file + "'\n");
  return shown->finish(kDone);
}

}  // namespace assay::cli
