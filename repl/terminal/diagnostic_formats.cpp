// Each format is written as text, member by member, in a fixed order.
#include "repl/terminal/diagnostic_formats.hpp"

#include "repl/terminal/json_text.hpp"

#include <algorithm>
#include <set>

namespace assay::cli {
namespace {

std::string number(std::size_t n) { return std::to_string(n); }

// Joins nonempty parts with commas.
class Joined {
 public:
  void add(const std::string& piece) { text_ += (text_.empty() ? "" : ",") + piece; }
  std::string in(const char* open, const char* close) const { return open + text_ + close; }

 private:
  std::string text_;
};

const char* level(const Diagnostic& d) { return d.severity == Severity::error ? "error" : "warning"; }

std::string place(const Location& at) {
  return "\"file\":" + quoted(at.file) + ",\"line\":" + std::to_string(at.line) +
         ",\"column\":" + std::to_string(at.column) + ",\"length\":" + std::to_string(at.length) +
         ",\"begin\":" + number(at.offset) + ",\"end\":" + number(at.offset + at.bytes);
}

std::string suggestions(const Diagnostic& d) {
  Joined all;
  for (const Suggestion& suggestion : d.suggestions) {
    Joined edits;
    for (const Edit& edit : suggestion.edits) {
      edits.add("{\"file\":" + quoted(edit.file) + ",\"begin\":" + number(edit.begin) + ",\"end\":" + number(edit.end) +
                ",\"text\":" + quoted(edit.text) + "}");
    }
    all.add("{\"title\":" + quoted(suggestion.title.str()) + ",\"certain\":" + (suggestion.certain ? "true" : "false") +
            ",\"edits\":" + edits.in("[", "]") + "}");
  }
  return all.in("[", "]");
}

// The line and column, from 1 and in characters, of a byte of a text.
std::string position(const std::string& text, std::size_t at, const char* line_key, const char* column_key) {
  at = std::min(at, text.size());
  const auto here = text.begin() + static_cast<std::ptrdiff_t>(at);
  const auto line = static_cast<std::size_t>(std::count(text.begin(), here, '\n')) + 1;
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  const auto column = static_cast<std::size_t>(std::count_if(text.begin() + static_cast<std::ptrdiff_t>(begin), here,
                                                             [&](char c) { return !continues(c); })) +
                      1;
  return std::string("\"") + line_key + "\":" + number(line) + ",\"" + column_key + "\":" + number(column);
}

// A path as a URI, with %XX for characters that a URI cannot contain.
std::string uri(std::string_view path) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (plain) {
      out += c;
      continue;
    }
    out += '%';
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
  return out;
}

std::string artifact(std::string_view file) { return "\"artifactLocation\":{\"uri\":" + quoted(uri(file)) + "}"; }

std::string sarif_location(const Location& at, const std::string& message) {
  std::string out = "{\"physicalLocation\":{" + artifact(at.file.str());
  if (at.line > 0) {
    out += ",\"region\":{\"startLine\":" + std::to_string(at.line) + ",\"startColumn\":" + std::to_string(at.column) +
           ",\"endColumn\":" + std::to_string(at.column + at.length) + "}";
  }
  out += "}";
  if (!message.empty()) out += ",\"message\":{\"text\":" + quoted(message) + "}";
  return out + "}";
}

std::string sarif_fix(const Suggestion& suggestion, const FileTexts& texts) {
  std::vector<std::string> files;
  for (const Edit& edit : suggestion.edits) {
    if (texts.find(edit.file) == texts.end()) return {};
    if (std::find(files.begin(), files.end(), edit.file) == files.end()) files.push_back(edit.file);
  }
  Joined changes;
  for (const std::string& file : files) {
    const std::string& text = texts.find(file)->second;
    Joined replacements;
    for (const Edit& edit : suggestion.edits) {
      if (edit.file != file) continue;
      replacements.add("{\"deletedRegion\":{" + position(text, edit.begin, "startLine", "startColumn") + "," +
                       position(text, edit.end, "endLine", "endColumn") +
                       "},\"insertedContent\":{\"text\":" + quoted(edit.text) + "}}");
    }
    changes.add("{" + artifact(file) + ",\"replacements\":" + replacements.in("[", "]") + "}");
  }
  return "{\"description\":{\"text\":" + quoted(suggestion.title.str()) +
         "},\"artifactChanges\":" + changes.in("[", "]") + "}";
}

// Escaped as the value of a property of a command, or as its message.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%') out += "%25";
    else if (c == '\r') out += "%0D";
    else if (c == '\n') out += "%0A";
    else if (property && c == ':') out += "%3A";
    else if (property && c == ',') out += "%2C";
    else out += c;
  }
  return out;
}

}  // namespace

std::string to_json(const std::vector<CheckedFile>& files) {
  Joined all;
  for (const CheckedFile& file : files) {
    Joined diagnostics;
    for (const Diagnostic& d : file.diagnostics) {
      Joined notes;
      for (const Note& note : d.notes)
        notes.add("{\"message\":" + quoted(note.message.str()) + "," + place(note.at) + "}");
      diagnostics.add(std::string("{\"severity\":\"") + level(d) + "\",\"code\":" + quoted(d.code) +
                      ",\"message\":" + quoted(d.message.str()) + "," + place(d.at) +
                      ",\"label\":" + quoted(d.label.str()) + ",\"help\":" + quoted(d.help.str()) +
                      ",\"notes\":" + notes.in("[", "]") + ",\"suggestions\":" + suggestions(d) + "}");
    }
    const auto or_null = [](const std::string& text) { return text.empty() ? std::string("null") : quoted(text); };
    all.add("{\"file\":" + quoted(file.label) + ",\"ok\":" + (file.ok ? "true" : "false") +
            ",\"rubric\":" + or_null(file.rubric) + ",\"version\":" + or_null(file.version) +
            ",\"diagnostics\":" + diagnostics.in("[", "]") + "}");
  }
  return "{\"files\":" + all.in("[", "]") + "}\n";
}

std::string to_sarif(const std::vector<CheckedFile>& files, const FileTexts& texts) {
  Joined results, rules;
  std::set<std::string> codes;
  for (const CheckedFile& file : files) {
    for (const Diagnostic& d : file.diagnostics) {
      std::string message = d.message.str();
      if (!d.label.empty()) message += " (" + d.label.str() + ")";
      if (!d.help.empty()) message += ". Help: " + d.help.str();
      std::string result = "{";
      if (!d.code.empty()) {
        codes.insert(d.code);
        result += "\"ruleId\":" + quoted(d.code) + ",";
      }
      result += std::string("\"level\":\"") + level(d) + "\",\"message\":{\"text\":" + quoted(message) + "}";
      if (!d.at.file.empty()) result += ",\"locations\":[" + sarif_location(d.at, {}) + "]";
      Joined related, fixes;
      for (const Note& note : d.notes) {
        if (note.at.line > 0) related.add(sarif_location(note.at, note.message));
      }
      if (!related.in("", "").empty()) result += ",\"relatedLocations\":" + related.in("[", "]");
      for (const Suggestion& suggestion : d.suggestions) {
        if (const std::string fix = sarif_fix(suggestion, texts); !fix.empty()) fixes.add(fix);
      }
      if (!fixes.in("", "").empty()) result += ",\"fixes\":" + fixes.in("[", "]");
      results.add(result + "}");
    }
  }
  for (const std::string& code : codes) rules.add("{\"id\":" + quoted(code) + "}");
  return "{\"$schema\":\"https://json.schemastore.org/"
         "sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{"
         "\"name\":\"assay\",\"version\":" +
         quoted(version()) + ",\"rules\":" + rules.in("[", "]") +
         "}},\"columnKind\":\"unicodeCodePoints\",\"results\":" + results.in("[", "]") + "}]}\n";
}

std::string to_github(const std::vector<CheckedFile>& files) {
  std::string out;
  for (const CheckedFile& file : files) {
    for (const Diagnostic& d : file.diagnostics) {
      out += std::string("::") + level(d) + " ";
      if (!d.at.file.empty()) out += "file=" + escaped(d.at.file.str(), true) + ",";
      if (d.at.line > 0) {
        out += "line=" + std::to_string(d.at.line) + ",col=" + std::to_string(d.at.column) +
               ",endColumn=" + std::to_string(d.at.column + d.at.length) + ",";
      }
      out += "title=" + escaped(d.code.empty() ? "assay" : d.code, true) +
             "::" + escaped(d.message.str() + (d.help.empty() ? "" : "\nhelp: " + d.help.str()), false) + "\n";
    }
  }
  return out;
}

}  // namespace assay::cli
