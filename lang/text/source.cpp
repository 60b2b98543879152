// Sources, places in them, and the collection of diagnostics.
#include "lang/text/source.hpp"

#include "lang/text/utf8.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <utility>

namespace assay {
namespace {

struct CodeRow {
  const char* code;
  Severity severity;
};
constexpr CodeRow kCodes[] = {
#define ASSAY_DIAGNOSTIC(code, name, severity, title) {code, Severity::severity},
#include "lang/text/diagnostics.def"
#undef ASSAY_DIAGNOSTIC
};

constexpr std::size_t kBlock = 1024;  // bytes of a text between two counts of its characters

std::size_t characters(std::string_view text) {
  // Eight bytes at a time: a byte 10xxxxxx continues a character.
  constexpr std::uint64_t kEach = 0x0101010101010101;
  std::size_t count = text.size(), at = 0;
  for (; text.size() - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + at, sizeof eight);
    count -= static_cast<std::size_t>((((eight >> 7) & ~(eight >> 6) & kEach) * kEach) >> 56);  // the sum of its bytes
  }
  for (; at < text.size(); ++at) count -= continues_character(text[at]) ? 1 : 0;
  return count;
}

// The size in bytes of the first `count` characters.
std::size_t bytes_of(std::string_view text, int count) {
  std::size_t i = 0;
  for (; count > 0 && i < text.size(); --count) {
    do ++i;
    while (i < text.size() && continues_character(text[i]));
  }
  return i;
}

// The same sentence with "…" for each text in double quotes.
std::string without_texts(std::string_view sentence) {
  std::string result;
  bool within = false;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    if (within && sentence[i] == '\\') ++i;
    else if (sentence[i] == '"') result += std::exchange(within, !within) ? "\"" : "\"…";
    else if (!within) result += sentence[i];
  }
  return result;
}

}  // namespace

std::uint32_t Sources::add(std::string name, std::string text, bool rubric) {
  SourceFile& file = files_.emplace_back();
  file.name = std::move(name);
  file.text = std::move(text);
  file.rubric = rubric;
  file.lines.push_back(0);
  for (std::size_t at = 0; (at = file.text.find('\n', at)) != std::string::npos;) {
    file.lines.push_back(static_cast<std::uint32_t>(++at));
  }
  std::size_t before = 0;
  for (std::size_t at = 0; at <= file.text.size(); at += kBlock) {
    file.characters.push_back(static_cast<std::uint32_t>(before));
    before += characters(std::string_view(file.text).substr(at, kBlock));
  }
  return static_cast<std::uint32_t>(files_.size() - 1);
}

std::string_view Sources::text(Span span) const {
  const std::string& text = files_[span.file].text;
  const std::size_t begin = std::min<std::size_t>(span.begin, text.size());
  return std::string_view(text).substr(begin, std::max<std::size_t>(span.end, begin) - begin);
}

std::size_t Sources::count(const SourceFile& source, std::size_t begin, std::size_t end) {
  const auto before = [&source](std::size_t at) {
    const std::size_t block = at / kBlock;
    return source.characters[block] +
           characters(std::string_view(source.text).substr(block * kBlock, at - block * kBlock));
  };
  return before(end) - before(begin);
}

int Sources::line_of(Span span) const {
  if (span.file >= files_.size()) return 0;
  const std::vector<std::uint32_t>& lines = files_[span.file].lines;
  const std::size_t begin = std::min<std::size_t>(span.begin, files_[span.file].text.size());
  return static_cast<int>(std::upper_bound(lines.begin(), lines.end(), begin) - lines.begin());
}

Location Sources::locate(Span span) const {
  Location result;
  if (span.file >= files_.size()) return result;
  const SourceFile& source = files_[span.file];
  const std::string_view text = source.text;
  const std::size_t begin = std::min<std::size_t>(span.begin, text.size());
  const auto line = static_cast<std::size_t>(line_of(span));
  const std::size_t line_begin = source.lines[line - 1];
  std::size_t line_end = line < source.lines.size() ? source.lines[line] - 1 : text.size();
  if (line_end > line_begin && text[line_end - 1] == '\r') --line_end;
  result.file = source.name;
  result.line = static_cast<int>(line);
  result.column = static_cast<int>(count(source, line_begin, begin)) + 1;
  result.offset = begin;
  result.bytes = std::clamp<std::size_t>(span.end, begin, text.size()) - begin;
  const std::size_t end = std::clamp<std::size_t>(span.end, begin, std::max(line_end, begin));
  result.length = std::max(1, static_cast<int>(count(source, begin, end)));
  // Nobody reads all of a very long line.
  constexpr int kLongest = 240, kBefore = 80;
  std::size_t shown_begin = line_begin;
  if (result.column - 1 > kBefore && count(source, line_begin, line_end) > std::size_t{kLongest}) {
    shown_begin = std::min(begin, line_end);
    result.line_text_column = static_cast<int>(count(source, line_begin, shown_begin)) - kBefore + 1;
    for (int back = kBefore; back > 0 && shown_begin > line_begin; --back) {
      do --shown_begin;
      while (shown_begin > line_begin && continues_character(text[shown_begin]));
    }
  }
  const std::string_view rest = text.substr(shown_begin, line_end - shown_begin);
  const std::size_t shown = bytes_of(rest, kLongest);
  result.line_goes_on = shown < rest.size();
  result.line_text = displayable(rest.substr(0, shown));
  return result;
}

namespace {

// Cuts a message to a readable length: words longer than kLongestWord characters, which come from an author, and
// everything beyond kLongestMessage.
void cut_long_words(std::string& message) {
  constexpr int kLongestWord = 120, kLongestMessage = 1000;
  if (message.size() <= static_cast<std::size_t>(kLongestWord)) return;
  std::string result;
  for (std::size_t at = 0; at < message.size();) {
    const std::size_t end = std::min(message.find_first_of(" \n", at), message.size() - 1) + 1;
    const std::string_view word = std::string_view(message).substr(at, end - at);
    const std::size_t kept = bytes_of(word, kLongestWord);
    result += word.substr(0, kept);
    if (kept < word.size()) {  // keep the rest of the sentence after it: the quotation mark, punctuation
      std::size_t tail = word.size();
      while (tail > kept && word.size() - tail < 3 && static_cast<unsigned char>(word[tail - 1]) < 0x80 &&
             !std::isalnum(static_cast<unsigned char>(word[tail - 1])) && word[tail - 1] != '_')
        --tail;
      result += "…";
      result += word.substr(tail);
    }
    at = end;
  }
  if (const std::size_t kept = bytes_of(result, kLongestMessage); kept < result.size()) {
    result.resize(kept);
    result += "…";
  }
  message = std::move(result);
}

}  // namespace

Note Diagnostics::note(Span at, std::string message) const {
  // Notes belong to the last reported error. If that was left out, they are not needed, and locating a place in a very
  // long line takes time.
  if (errors_ > kMost) return {};
  cut_long_words(message);
  return Note{place(at), std::move(message)};
}

Suggestion Diagnostics::suggestion(Span at, std::string text, bool certain, std::string title) const {
  Suggestion result;
  if (title.empty()) {
    std::string_view before = sources_->text(at);
    if (before.find_first_not_of(' ') != before.npos) before.remove_prefix(before.find_first_not_of(' '));
    title = text.empty() ? "remove '" + std::string(before) + "'" : "write '" + text + "'";
    cut_long_words(title);
  }
  result.title = std::move(title);
  result.edits.push_back({sources_->file(at.file).name, at.begin, std::max(at.begin, at.end), std::move(text)});
  result.certain = certain;
  return result;
}

std::vector<Diagnostic> Diagnostics::take() {
  const auto left_out = [this](std::size_t count, Severity severity) {
    if (count <= kMost) return;
    Diagnostic& last = list_.emplace_back();
    last.severity = severity;
    last.message = "… and " + std::to_string(count - kMost) + " more";
  };
  left_out(errors_, Severity::error);
  left_out(warnings_, Severity::warning);
  return std::move(list_);
}

Location Diagnostics::place(Span at) const {
  Location place = sources_->locate(at);
  if (at.file < sources_->size() && !sources_->file(at.file).rubric) {
    place.quoted = false;
    place.line_text.clear();
    place.line_goes_on = false;
  }
  return place;
}

void Diagnostics::withdraw(Code code, Span at) {
  const CodeRow& row = kCodes[static_cast<std::size_t>(code)];
  const Location where = place(at);
  (row.severity == Severity::error ? errors_ : warnings_) -= std::erase_if(list_, [&](const Diagnostic& d) {
    return d.code == row.code && d.at.file.str() == where.file.str() && d.at.offset == where.offset;
  });
}

void Diagnostics::adopt(std::vector<Diagnostic> others) {
  for (Diagnostic& other : others) {
    std::size_t& count = other.severity == Severity::error ? errors_ : warnings_;
    if (++count <= kMost) list_.push_back(std::move(other));
  }
}

Diagnostic& Diagnostics::report(Code code, Span at, std::string message, std::string label, FixIt fix) {
  const CodeRow& row = kCodes[static_cast<std::size_t>(code)];
  std::size_t& count = row.severity == Severity::error ? errors_ : warnings_;
  if (++count > kMost) {
    left_out_ = {};
    return left_out_;
  }
  for (std::string* text : {&message, &label, &fix.words}) cut_long_words(*text);
  Diagnostic diagnostic;
  diagnostic.severity = row.severity;
  diagnostic.code = row.code;
  diagnostic.message = std::move(message);
  diagnostic.at = place(at);
  diagnostic.label = std::move(label);
  diagnostic.help = std::move(fix.words);
  if (fix.edits && diagnostic.at.quoted)
    diagnostic.suggestions.push_back(suggestion(at, std::move(fix.replacement), fix.certain));
  if (!diagnostic.at.quoted) {
    diagnostic.message = without_texts(diagnostic.message);
    diagnostic.label = without_texts(diagnostic.label);
    diagnostic.help = without_texts(diagnostic.help);
  }
  list_.push_back(std::move(diagnostic));
  return list_.back();
}

}  // namespace assay
