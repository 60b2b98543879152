// From a name to its declaration and uses, in all known files; and renaming, which is tried before it is offered.
#include "runtime/service/service_impl.hpp"

#include "lang/text/key.hpp"

#include <algorithm>
#include <tuple>

namespace assay {

namespace {

// Identifies a symbol across analyses: by the place of its declaration.
struct Identity {
  std::string file;
  std::uint32_t begin = 0;
  friend bool operator==(const Identity&, const Identity&) = default;
};

Identity identity(const TextAnalysis& analysis, const Symbol& symbol) {
  return {analysis.sources().file(symbol.at.file).name, symbol.at.begin};
}

int symbol_with(const TextAnalysis& analysis, const Identity& wanted) {
  for (std::size_t i = 0; i < analysis.names.symbols.size(); ++i) {
    if (identity(analysis, analysis.names.symbols[i]) == wanted) return static_cast<int>(i);
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
  const Symbol& symbol = own.names.of(use);
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
    for (const NameUse* one : analysis->names.uses_of(index)) {
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
             : analysis->names.find(0, static_cast<std::uint32_t>(std::min(at, analysis->text().size())));
}

}  // namespace

std::optional<Place> Service::definition(const std::string& name, std::size_t at) {
  TextAnalysis* analysis = impl_->analysis(name);
  const NameUse* use = use_at(analysis, at);
  if (use != nullptr) {
    const Symbol& symbol = analysis->names.of(*use);
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
    for (const NameUse* one : analysis->names.uses_of(use->symbol)) {
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
  for (const NameUse& use : analysis.names.uses) {
    if (use.at.file != 0) continue;
    const Symbol& symbol = analysis.names.of(use);
    const File& declared = files[symbol.at.file];
    all.emplace_back(files[0](use.at.begin), declared.number, declared(symbol.at.begin));
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::map<std::string, int> complaints(TextAnalysis& analysis) {
  std::map<std::string, int> counts;
  for (const Diagnostic& d : analysis.diagnostics()) ++counts[d.code];
  for (const ExampleResult& result : run_examples(analysis)) counts["example"] += result.passed ? 0 : 1;
  return counts;
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
  const std::string from = analysis->names.of(*use).name;
  if (!is_name(to)) {
    result.problem =
        "'" + printable(to) + "' cannot be a name: write letters, digits and _, no digit first, no reserved word";
    return result;
  }
  if (to == from) return result;
  const std::vector<Used> uses = all_uses(*impl_, name, *use);
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
    const bool touched = std::any_of(shifts.begin(), shifts.end(), [&](const auto& shift) {
      return shift.first == file || before->read.count(shift.first) > 0;
    });
    if (!touched) continue;
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
