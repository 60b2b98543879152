// From a name to its declaration and uses, in all known files; and renaming, which is tried before it is offered.
#include "runtime/service/service_impl.hpp"

#include "lang/model/builtin_rows.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/syntax/foreign_words.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/key.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_set>

namespace assay {

namespace {

// Identifies a symbol across analyses: by the place of its declaration.
struct Identity {
  std::string file;
  std::uint32_t begin = 0;
};

Identity identity(const TextAnalysis& analysis, const Symbol& symbol) {
  return {analysis.sources().file(symbol.at.file).name, symbol.at.begin};
}

int symbol_with(const TextAnalysis& analysis, const Identity& wanted) {
  for (std::size_t i = 0; i < analysis.names().symbols.size(); ++i) {
    const Span at = analysis.names().symbols[i].at;
    if (at.begin == wanted.begin && analysis.sources().file(at.file).name == wanted.file) return static_cast<int>(i);
  }
  return -1;
}

bool only_within(NameKind kind) { return kind == NameKind::local || kind == NameKind::parameter; }

struct Used {
  Place place;
  bool declares = false, shorthand = false;
};

// A file that may not be held: it is read for the search, and kept until it changes.
Document* document_of(Service::Impl& impl, const std::string& name) {
  if (Document* known = impl.find(name)) return known;
  std::optional<std::string> text = impl.options.read ? impl.options.read(name) : std::nullopt;
  if (!text) return nullptr;
  Document& document = impl.documents[name];
  document.text = std::move(*text);
  document.held = false;
  return &document;
}

TextAnalysis* analysis_of(Service::Impl& impl, const std::string& name) {
  return document_of(impl, name) != nullptr ? impl.analysis(name) : nullptr;
}

std::vector<Used> all_uses(Service::Impl& impl, const std::string& name, const NameUse& use) {
  TextAnalysis& own = *impl.analysis(name);
  const Symbol& symbol = own.names().of(use);
  const Identity wanted = identity(own, symbol);
  std::vector<std::string> files{name};
  if (!only_within(symbol.kind)) {
    for (const std::string& file : impl.known_files()) {
      if (file != name) files.push_back(file);
    }
  }
  std::map<std::tuple<std::string, std::size_t, std::size_t>, Used> found;
  for (const std::string& file : files) {
    TextAnalysis* analysis = analysis_of(impl, file);
    if (analysis == nullptr || (file != wanted.file && analysis->read.count(wanted.file) == 0)) continue;
    const int index = symbol_with(*analysis, wanted);
    if (index < 0) continue;
    for (const NameUse* one : analysis->names().uses_of(index)) {
      Used used{{analysis->sources().file(one->at.file).name, range_of(one->at)}, one->declares, one->shorthand};
      found.emplace(std::tuple(used.place.file, used.place.range.begin, used.place.range.end), used);
    }
  }
  std::vector<Used> list;
  for (auto& entry : found) list.push_back(std::move(entry.second));
  return list;
}

const NameUse* use_at(TextAnalysis* analysis, std::size_t at) {
  return analysis == nullptr
             ? nullptr
             : analysis->names().find(0, static_cast<std::uint32_t>(std::min(at, analysis->text().size())));
}

// A judged dimension and an input of its name are one key of the record, and are renamed together.
std::vector<Used> uses_to_rename(Service::Impl& impl, const std::string& name, const NameUse& use) {
  const Names& names = impl.analysis(name)->names();
  const Symbol& symbol = names.of(use);
  std::vector<Used> all = all_uses(impl, name, use);
  const auto is_judged = [](const Symbol& s) {
    return s.dimension != nullptr && !s.dimension->body.expr && s.dimension->parts.empty();
  };
  for (std::size_t i = 0; i < names.symbols.size(); ++i) {
    const Symbol& other = names.symbols[i];
    if (other.name != symbol.name || other.rubric != symbol.rubric || names.first_of[i] == names.first_of[i + 1])
      continue;
    const bool both =
        (symbol.kind == NameKind::input && is_judged(other)) || (is_judged(symbol) && other.kind == NameKind::input);
    if (!both) continue;
    for (Used& used : all_uses(impl, name, names.uses[names.by_symbol[names.first_of[i]]])) {
      const auto same = [&used](const Used& one) {
        return one.place.file == used.place.file && one.place.range.begin == used.place.range.begin;
      };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(std::move(used));
    }
  }
  std::sort(all.begin(), all.end(), [](const Used& a, const Used& b) {
    return std::tie(a.place.file, a.place.range.begin) < std::tie(b.place.file, b.place.range.begin);
  });
  return all;
}

}  // namespace

std::optional<Place> Service::definition(const std::string& name, std::size_t at) {
  TextAnalysis* analysis = impl_->analysis(name);
  const NameUse* use = use_at(analysis, at);
  if (use != nullptr) {
    const Symbol& symbol = analysis->names().of(*use);
    return Place{analysis->sources().file(symbol.at.file).name, range_of(symbol.at)};
  }
  for (const Link& link : links(name)) {
    if (link.range.begin <= at && at <= link.range.end) return Place{link.file, {}};
  }
  return std::nullopt;
}

std::vector<Place> Service::references(const std::string& name, std::size_t at, bool with_declaration, bool within) {
  TextAnalysis* analysis = impl_->analysis(name);
  const NameUse* use = use_at(analysis, at);
  std::vector<Place> places;
  if (use == nullptr) return places;
  if (within) {
    for (const NameUse* one : analysis->names().uses_of(use->symbol)) {
      if (one->at.file == 0 && (with_declaration || !one->declares)) places.push_back({name, range_of(one->at)});
    }
    return places;
  }
  for (Used& used : all_uses(*impl_, name, *use)) {
    if (with_declaration || !used.declares) places.push_back(std::move(used.place));
  }
  return places;
}

std::optional<TextRange> Service::can_rename(const std::string& name, std::size_t at) {
  const NameUse* use = use_at(impl_->analysis(name), at);
  if (use == nullptr) return std::nullopt;
  return range_of(use->at);
}

namespace {

// Translates a place of a text to its position after sorted edits.
struct Shift {
  struct Edit {
    std::size_t begin, end, size, lead;  // lead: bytes before the name in its replacement
  };
  std::vector<Edit> edits;

  std::size_t operator()(std::size_t at) const {
    std::ptrdiff_t moved = 0;
    for (const Edit& edit : edits) {
      if (edit.begin > at) break;
      if (edit.begin == at) return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + moved) + edit.lead;
      moved += static_cast<std::ptrdiff_t>(edit.size) - static_cast<std::ptrdiff_t>(edit.end - edit.begin);
    }
    return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + moved);
  }
};

// The meaning of every name in a file, as places: of the use, and of the declaration (file number and place).
using Meaning = std::vector<std::tuple<std::size_t, std::size_t, std::size_t>>;
using FileNumbers = std::map<std::string, std::size_t>;

Meaning meaning(const TextAnalysis& analysis, const std::map<std::string, Shift>& shifts, FileNumbers& numbers) {
  struct File {
    std::size_t number;
    const Shift* shift;
    std::size_t operator()(std::size_t at) const { return shift == nullptr ? at : (*shift)(at); }
  };
  std::vector<File> files;
  for (std::uint32_t i = 0; i < analysis.sources().size(); ++i) {
    const std::string& file = analysis.sources().file(i).name;
    const auto shift = shifts.find(file);
    files.push_back(
        {numbers.emplace(file, numbers.size()).first->second, shift == shifts.end() ? nullptr : &shift->second});
  }
  Meaning all;
  for (const NameUse& use : analysis.names().uses) {
    if (use.at.file != 0) continue;
    const Symbol& symbol = analysis.names().of(use);
    const File& declared = files[symbol.at.file];
    all.emplace_back(files[0](use.at.begin), declared.number, declared(symbol.at.begin));
  }
  std::sort(all.begin(), all.end());
  return all;
}

// ---- renaming without a trial
// If the old word stands only where the symbol is used, and the new one stands nowhere and has no meaning of its own,
// then every word of the files keeps its meaning. This covers most renames, and needs no analysis of the new texts.

// Words with a meaning in the language or in verdicts.
bool is_word_of_language(std::string_view word) {
  static const std::unordered_set<std::string_view> kWords = [] {
    // Of kinds, built-in records and heads, which no table lists; a word too many here costs only a trial.
    std::unordered_set<std::string_view> words{
        "all",    "any",      "as",     "bool",   "composite", "contribution", "decimals", "each",     "either",
        "enum",   "error",    "exact",  "input",  "item",      "key",          "lua",      "number",   "of",
        "open",   "optional", "place",  "points", "raw",       "record",       "rejected", "required", "rescaled",
        "rubric", "score",    "self",   "set",    "skip",      "state",        "text",     "then",     "type",
        "value",  "verdict",  "weight", "where",  "while",     "whole",        "with",     "within",   "it"};
    const auto add = [&words](std::string_view several) {  // separated by anything that is not part of a name
      for (std::size_t at = 0; at < several.size();) {
        std::size_t end = at;
        while (end < several.size() && is_name_character(several[end])) ++end;
        if (end > at) words.insert(several.substr(at, end - at));
        at = end + 1;
      }
    };
    for (const BuiltinRow& row : kBuiltinRows) add(row.name);
    for (const DeclarationWord& row : kDeclarationWords) {
      add(row.word);
      add(row.follows);
      add(row.foreign);
    }
    for (const ItemRow& row : kItemRows) add(row.inside);
    for (const AdjustmentRow& row : kAdjustments) {
      add(row.list);
      add(row.total);
    }
    for (const VerdictKey& row : kVerdictKeys) {
      add(row.key);
      add(row.only_with);
    }
    for (const ExplainedList& row : kExplainedLists) add(row.key);
    for (const auto& [foreign, help] : kForeignFunctions) add(foreign);
    for (const auto& [foreign, meant] : kForeignDeclarations) add(foreign);
    for (const std::string_view null : kNullWords) add(null);
    return words;
  }();
  return kWords.count(word) > 0;
}

// Calls `each` with every place where the word stands alone; ends and returns false if that does.
template <typename Each>
bool each_word(std::string_view text, std::string_view word, const Each& each) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool alone =
        (at == 0 || !is_name_character(text[at - 1])) && (end == text.size() || !is_name_character(text[end]));
    if (alone && !each(at)) return false;
  }
  return true;
}

// Whether a place of a line is in a comment, or in a text that is prose: it contains blanks, and no value in braces.
bool in_comment_or_prose(std::string_view text, std::size_t place) {
  const std::size_t begin = line_begin(text, place);
  const std::string_view line = line_at(text, place);
  if (line.find("\"\"\"") != line.npos) return false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '#') return begin + at < place;
    if (line[at] != '"') continue;
    std::size_t end = at + 1;
    while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
    if (end >= line.size()) return false;
    if (begin + end > place) {
      const std::string_view inside = line.substr(at + 1, end - at - 1);
      return begin + at < place && inside.find(' ') != inside.npos && inside.find('{') == inside.npos;
    }
    at = end;
  }
  return false;
}

// Raw texts may span lines, so the quotes on one line decide nothing.
bool has_raw_texts(std::string_view text) { return text.find("\"\"\"") != text.npos; }

// Whether every word of a file, and of what it imports, keeps its meaning. `shifts`: the edits, by file.
bool keeps_meaning(const Service::Impl& impl, const TextAnalysis& analysis, std::string_view from, std::string_view to,
                   const std::map<std::string, Shift>& shifts) {
  if (!analysis.good) return false;
  std::set<std::string_view> seen;
  for (std::uint32_t i = 0; i < analysis.sources().size(); ++i) {
    const SourceFile& source = analysis.sources().file(i);
    seen.insert(source.name);
    if (source.text.find("\\u") != source.text.npos) return false;  // a word may be written in escapes
    if (!each_word(source.text, to, [](std::size_t) { return false; })) return false;
    if (source.name.starts_with("std/")) continue;  // its functions see no names of other files
    const auto shift = shifts.find(source.name);
    const bool raw = has_raw_texts(source.text);
    const bool covered = each_word(source.text, from, [&](std::size_t at) {
      const auto is_here = [at](const Shift::Edit& edit) { return edit.begin == at; };
      if (shift != shifts.end() && std::any_of(shift->second.edits.begin(), shift->second.edits.end(), is_here))
        return true;
      return !raw && in_comment_or_prose(source.text, at);
    });
    if (!covered) return false;
  }
  // A file that is not among the sources, such as one in Lua, may use the name.
  return std::all_of(analysis.read.begin(), analysis.read.end(), [&](const std::string& name) {
    if (seen.count(name) > 0) return true;
    return impl.documents.count(name) == 0 && !(impl.options.read && impl.options.read(name).has_value());
  });
}

std::map<std::string, int> complaints(TextAnalysis& analysis) {
  std::map<std::string, int> counts;
  for (const Diagnostic& d : analysis.diagnostics()) ++counts[d.code];
  for (const ExampleResult& result : run_examples(analysis)) counts["example"] += result.passed ? 0 : 1;
  return counts;
}

bool touches(const TextAnalysis& analysis, const std::string& file, const std::map<std::string, Shift>& shifts) {
  return std::any_of(shifts.begin(), shifts.end(),
                     [&](const auto& shift) { return shift.first == file || analysis.read.count(shift.first) > 0; });
}

bool needs_no_trial(Service::Impl& impl, std::string_view from, std::string_view to, const std::vector<Used>& uses,
                    const std::map<std::string, Shift>& shifts) {
  constexpr std::size_t kLongest = 64;
  if (to.size() > kLongest || is_word_of_language(from) || is_word_of_language(to)) return false;
  for (const Used& used : uses) {
    if (used.shorthand) return false;  // its key keeps the old name
    const Document* document = document_of(impl, used.place.file);
    if (document == nullptr) return false;
    if (document->text.size() + uses.size() * to.size() > impl.options.limits.source_bytes) return false;
  }
  for (const std::string& file : impl.known_files()) {
    const TextAnalysis* analysis = analysis_of(impl, file);
    if (analysis != nullptr && touches(*analysis, file, shifts) && !keeps_meaning(impl, *analysis, from, to, shifts))
      return false;
  }
  return true;
}

}  // namespace

Renaming Service::rename(const std::string& name, std::size_t at, std::string_view to) {
  Renaming result;
  TextAnalysis* analysis = impl_->analysis(name);
  const NameUse* use = use_at(analysis, at);
  if (use == nullptr) {
    result.problem = "there is no name here that this file or its imports declare";
    return result;
  }
  const std::string from = analysis->names().of(*use).name;
  if (!is_name(to)) {
    result.problem =
        "'" + printable(to) + "' cannot be a name: write letters, digits and _, no digit first, no reserved word";
    return result;
  }
  if (to == from) return result;
  const std::vector<Used> uses = uses_to_rename(*impl_, name, *use);
  std::map<std::string, Shift> shifts;
  for (const Used& used : uses) {
    std::string text(to);
    std::size_t lead = 0;
    if (used.shorthand) {
      lead = from.size() + 2;
      text = from + ": " + text;
    }
    const TextRange range = used.place.range;
    shifts[used.place.file].edits.push_back({range.begin, range.end, text.size(), lead});
    result.edits.push_back({used.place.file, range, std::move(text)});
  }
  if (needs_no_trial(*impl_, from, to, uses, shifts)) return result;
  // Carried out on a copy.
  Impl trial;
  trial.options = impl_->options;
  for (const auto& [file, document] : impl_->documents) {
    Document& copy = trial.documents[file];
    copy.text = document.text;
    copy.held = document.held;
  }
  for (auto edit = result.edits.rbegin(); edit != result.edits.rend(); ++edit) {
    Document* const document = document_of(trial, edit->file);
    if (document == nullptr) {
      result.problem = "'" + printable(edit->file) + "' declares or uses the name and cannot be changed";
      result.edits.clear();
      return result;
    }
    document->text.replace(edit->range.begin, edit->range.end - edit->range.begin, edit->text);
    document->held = true;  // what imports it sees the change
  }
  // What the trial has analysed is freed when nobody waits.
  struct Retiring {
    Impl &from, &to;
    ~Retiring() {
      for (auto& [file, document] : from.documents) {
        document.good = nullptr;
        to.retire(document.current);
      }
    }
  } retiring{trial, *impl_};
  FileNumbers numbers;
  for (const std::string& file : impl_->known_files()) {
    TextAnalysis* before = analysis_of(*impl_, file);
    if (before == nullptr) continue;
    if (!touches(*before, file, shifts)) continue;
    TextAnalysis* after = analysis_of(trial, file);
    if (after == nullptr || complaints(*before) != complaints(*after) ||
        meaning(*before, shifts, numbers) != meaning(*after, {}, numbers)) {
      result.problem = "'" + from + "' cannot be renamed to '" + std::string(to) + "': ";
      const auto error = after == nullptr
                             ? std::vector<Diagnostic>::const_iterator()
                             : std::find_if(after->diagnostics().begin(), after->diagnostics().end(),
                                            [](const Diagnostic& d) { return d.severity == Severity::error; });
      if (after != nullptr && error != after->diagnostics().end() && before->good)
        result.problem += error->message.str();
      else result.problem += "a name in '" + printable(file) + "' would come to mean something else";
      result.edits.clear();
      return result;
    }
  }
  return result;
}

}  // namespace assay
