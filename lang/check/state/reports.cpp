// Decides which mistakes to report, and which follow from text that could not be read.
#include "lang/check/state/reports.hpp"
#include "lang/parse/syntax.hpp"

#include <cstdint>
#include <map>

namespace assay {

namespace {

bool is_warning(Code code) {
  static constexpr Severity kSeverities[] = {
#define ASSAY_DIAGNOSTIC(code, name, severity, title) Severity::severity,
#include "lang/text/diagnostics.def"
#undef ASSAY_DIAGNOSTIC
  };
  return kSeverities[static_cast<std::size_t>(code)] == Severity::warning;
}

}  // namespace

Diagnostic& Reports::error(Code code, Span span, std::string message, std::string label, FixIt fix) {
  // Nor errors on a line that could not be read.
  if (partial_ && (is_unread(span) || follows_from_syntax(code, span))) return swallowed_;
  const auto place =
      (static_cast<std::uint64_t>(span.file) << 56) ^ (static_cast<std::uint64_t>(span.begin) << 28) ^ span.end;
  if (!reported_.insert({place, static_cast<int>(code)}).second) return swallowed_;
  Diagnostic& d = diagnostics_->report(code, span, std::move(message), std::move(label), std::move(fix));
  // In a function, a value may be wrong because of a call's argument: name the call.
  if (code == Code::wrong_type || code == Code::types_differ || code == Code::unknown_field) {
    for (auto it = calls.rbegin(); it != calls.rend(); ++it)
      d.notes.push_back(diagnostics_->note(it->first, it->second));
    if (d.notes.size() > 3) d.notes.resize(3);
  }
  return d;
}

// Whether it is on a line with a syntax error.
bool Reports::is_unread(Span span) const { return partial_ && unread_.count({span.file, sources_.line_of(span)}) != 0; }

// flags: of each flag
static std::string_view one_of_list(std::string_view list) {
  return list.ends_with("es") && !list.ends_with("ates") ? list.substr(0, list.size() - 2)
         : list.ends_with("s")                           ? list.substr(0, list.size() - 1)
                                                         : list;
}

// Whether a declaration that could not be read may be the only cause: reporting it would blame the author twice. An
// unknown name has this cause if the declaration contains the word.
bool Reports::follows_from_syntax(Code code, Span span) const {
  if (code == Code::unknown_name && unread_words_.count("cohort") != 0 &&
      (sources_.text(span) == "records" || sources_.text(span) == "rejected"))
    return true;
  switch (code) {
    case Code::unknown_name:
    case Code::unknown_function:
    case Code::unknown_type:
    case Code::bad_path: return unread_import_ || unread_words_.find(sources_.text(span)) != unread_words_.end();
    case Code::unknown_in_example:  // without the scale a verdict has few keys
      return unread_import_ || unread_words_.count("scale") != 0 ||
             unread_words_.find(sources_.text(span)) != unread_words_.end() ||
             unread_words_.find(one_of_list(sources_.text(span))) != unread_words_.end();
    case Code::misplaced: return unread_words_.count("cohort") != 0;
    case Code::wrong_type:
    case Code::types_differ: return !calls.empty();  // in a function, because of a call's argument
    case Code::recursion:
    case Code::cycle:
    case Code::unbounded_dimension:
    case Code::dimension_off_scale:
    case Code::out_of_range:
    case Code::weights_do_not_add_up:
    case Code::parts_do_not_add_up:
    case Code::no_scale:
    case Code::band_gap:
    case Code::bad_cap:
    case Code::bad_cell:
    case Code::bad_weight:
    case Code::context_without_policy:
    case Code::unknown_field:
    case Code::unknown_rubric:
    case Code::incomplete_example:
    case Code::no_rubric:
    case Code::no_dimensions:
    case Code::unused: return true;
    // Warnings are proofs about the whole rubric, except the one about a key's own text.
    default: return is_warning(code) && code != Code::range_as_difference;
  }
}

// The unreadable lines, and the words of the declarations to which they belong: from the declaration before the place
// to the one after it.
void Reports::note_unread() {
  partial_ = diagnostics_->has_errors();
  using Tag = RoughToken::Tag;
  // Several places may lie in one declaration, whose words are read once: how far it was read, by where it begins.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> read;
  const auto note_place = [&](const Location& place) {
    for (std::uint32_t i = 0; i < sources_.size(); ++i) {
      const SourceFile& file = sources_.file(i);
      if (place.file.str() != file.name || place.line == 0) continue;
      unread_.emplace(i, place.line);
      const std::string_view text = file.text;
      std::uint32_t begin = 0;
      for (std::size_t line = std::min(static_cast<std::size_t>(place.line), file.lines.size()); line-- > 0;) {
        budget_.step();
        begin = file.lines[line];
        // A line of blanks or a comment has no token of its own, and the way to the next one may be long.
        const std::size_t at = text.find_first_not_of(" \t\r", begin);
        if (at >= place.offset || text[at] == '\n' || text[at] == '#') continue;
        if (begins_declaration(text, rough_token(text, begin))) break;
      }
      std::uint32_t& until = read.try_emplace({i, begin}, begin).first->second;
      if (until > place.offset) continue;
      for (RoughToken t = rough_token(text, until);; t = rough_token(text, t.end)) {
        budget_.step();
        until = t.begin;
        if (t.tag == Tag::end) break;
        if (t.begin > place.offset && first_in_line(text, t.begin) && begins_declaration(text, t)) break;
        if (t.tag == Tag::word) unread_words_.emplace(text.substr(t.begin, t.end - t.begin));
        if (t.tag == Tag::text && t.end - t.begin > 2)
          unread_words_.emplace(text.substr(t.begin + 1, t.end - t.begin - 2));
      }
    }
  };
  for (const Diagnostic& d : diagnostics_->list()) {
    unread_import_ = unread_import_ || d.code.substr(0, 3) != "E01";  // a file that cannot be read at all
    note_place(d.at);
    for (const Note& note : d.notes) note_place(note.at);  // the next declaration, whose word was taken for a value
  }
  // Any name may come from a file that was to be imported.
  for (const char* word : {"import", "include", "require", "use", "load", "extends"})
    unread_import_ = unread_import_ || unread_words_.count(word) != 0;
}

}  // namespace assay
