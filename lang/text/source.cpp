// Sources, the collection of diagnostics and the search for near names.
#include "lang/text/source.hpp"

#include <algorithm>
#include <bit>
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

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

int characters(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char byte) { return !continues(byte); }));
}

// Of so many characters at its beginning.
std::size_t bytes_of(std::string_view text, int count) {
  std::size_t i = 0;
  for (; count > 0 && i < text.size(); --count) {
    do ++i;
    while (i < text.size() && continues(text[i]));
  }
  return i;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Edit distance with swaps of neighbours as one edit, letters compared without case.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + change});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, row);
  }
  return previous[b.size()];
}

constexpr std::size_t kLongestName = 64;  // longer names are not compared: nobody mistypes them by a letter or two

bool digit(char c) { return c >= '0' && c <= '9'; }

// Which characters occur, without case, as bits. An edit changes two of them at most, which tells most names apart
// without comparing them.
std::uint64_t characters_in(std::string_view name) {
  std::uint64_t bits = 0;
  for (const char c : name) bits |= std::uint64_t{1} << (static_cast<unsigned char>(lower(c)) % 64);
  return bits;
}

bool within_edits(std::uint64_t a, std::uint64_t b, std::size_t edits) {
  return static_cast<std::size_t>(std::popcount(a ^ b)) <= 2 * edits;
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

// In small letters. A word ends at what is no letter or digit, and before a capital behind a small letter.
std::vector<std::string> words(std::string_view name) {
  std::vector<std::string> result;
  bool within = false, small = false;
  for (const char c : name) {
    const bool capital = c >= 'A' && c <= 'Z';
    const bool part = capital || (c >= 'a' && c <= 'z') || digit(c) || static_cast<unsigned char>(c) >= 0x80;
    if (part && (!within || (capital && small))) result.emplace_back();
    if (part) result.back() += lower(c);
    within = part;
    small = part && !capital;
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
  return static_cast<std::uint32_t>(files_.size() - 1);
}

std::string_view Sources::text(Span span) const {
  const std::string& text = files_[span.file].text;
  const std::size_t begin = std::min<std::size_t>(span.begin, text.size());
  return std::string_view(text).substr(begin, std::max<std::size_t>(span.end, begin) - begin);
}

Location Sources::locate(Span span) const {
  Location result;
  if (span.file >= files_.size()) return result;
  const SourceFile& source = files_[span.file];
  const std::string_view text = source.text;
  const std::size_t begin = std::min<std::size_t>(span.begin, text.size());
  const auto line_after = std::upper_bound(source.lines.begin(), source.lines.end(), begin);
  const std::size_t line_begin = *(line_after - 1);
  const std::size_t line_end = std::min(text.find('\n', begin), text.size());
  std::string_view line = text.substr(line_begin, line_end - line_begin);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  result.file = source.name;
  result.line = static_cast<int>(line_after - source.lines.begin());
  result.column = characters(text.substr(line_begin, begin - line_begin)) + 1;
  const std::size_t end =
      std::clamp<std::size_t>(span.end, begin, line_begin + std::max(line.size(), begin - line_begin));
  result.length = std::max(1, characters(text.substr(begin, end - begin)));
  // Nobody looks at all of a very long line, and there may be thousands of places in it.
  constexpr int kLongest = 240, kBefore = 80;
  const int size = characters(line);
  if (size > kLongest && result.column - 1 > kBefore)
    result.line_text_column = std::min(result.column - 1, size) - kBefore + 1;
  line.remove_prefix(bytes_of(line, result.line_text_column - 1));
  const std::size_t shown = bytes_of(line, kLongest);
  result.line_goes_on = shown < line.size();
  result.line_text = std::string(line.substr(0, shown));
  return result;
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

void Diagnostics::adopt(std::vector<Diagnostic> others) {
  for (Diagnostic& other : others) {
    if (other.severity == Severity::error) ++errors_;
    list_.push_back(std::move(other));
  }
}

Diagnostic& Diagnostics::report(Code code, Span at, std::string message, std::string label, std::string help) {
  const CodeRow& row = kCodes[static_cast<std::size_t>(code)];
  Diagnostic diagnostic;
  diagnostic.severity = row.severity;
  diagnostic.code = row.code;
  diagnostic.message = std::move(message);
  diagnostic.at = place(at);
  diagnostic.label = std::move(label);
  diagnostic.help = std::move(help);
  if (!diagnostic.at.quoted) {
    for (std::string* text : {&diagnostic.message, &diagnostic.label, &diagnostic.help}) *text = without_texts(*text);
  }
  if (row.severity == Severity::error) ++errors_;
  list_.push_back(std::move(diagnostic));
  return list_.back();
}

std::string_view nearest(std::string_view name, const std::vector<std::string_view>& candidates) {
  if (name.empty() || name.size() > kLongestName) return {};
  const std::uint64_t bits = characters_in(name);
  const std::size_t allowed = name.size() <= 2 ? 1 : name.size() <= 5 ? 2 : (name.size() + 2) / 3;
  std::string_view best;
  std::size_t least = allowed + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t gap =
        candidate.size() > name.size() ? candidate.size() - name.size() : name.size() - candidate.size();
    if (gap >= least || candidate.size() > kLongestName || candidate == name) continue;
    if (!within_edits(bits, characters_in(candidate), least - 1)) continue;
    const std::size_t found = distance(name, candidate);
    // A name of which nothing is left is no suggestion.
    if (found < least && found < std::min(name.size(), candidate.size())) least = found, best = candidate;
  }
  // A word that was cut short says more than one that has other letters: 'out' is 'output' and not 'let'.
  if (least > 1 && name.size() >= 3) {
    std::string_view longer;
    for (const std::string_view candidate : candidates) {
      if (candidate.size() <= name.size() || candidate.substr(0, name.size()) != name) continue;
      if (longer.empty() || candidate.size() < longer.size()) longer = candidate;
    }
    if (!longer.empty()) return longer;
  }
  return best;
}

bool misspelt(std::string_view name, std::string_view known) {
  constexpr std::size_t kSame = 4, kLong = 6, kVeryLong = 10;  // letters
  if (name == known || name.size() > kLongestName || known.size() > kLongestName) return false;
  constexpr std::size_t kSeparators = 2;  // kinds of them, which count for nothing
  if (!within_edits(characters_in(name), characters_in(known), 2 + kSeparators)) return false;
  const std::vector<std::string> found = words(name), meant = words(known);
  const auto joined = [](const std::vector<std::string>& parts) {
    std::string all;
    for (const std::string& part : parts) all += part;
    return all;
  };
  const std::string letters = joined(found);
  if (letters == joined(meant)) return letters.size() >= kSame;
  if (found.size() != meant.size()) return false;
  const auto [one, other] = std::mismatch(found.begin(), found.end(), meant.begin());
  if (!std::equal(one + 1, found.end(), other + 1)) return false;
  const std::size_t size = std::max(one->size(), other->size());
  const bool digits = std::any_of(one->begin(), one->end(), digit) || std::any_of(other->begin(), other->end(), digit);
  if (digits || size < kLong || one->front() != other->front()) return false;
  return distance(*one, *other) <= (size >= kVeryLong ? 2u : 1u);
}

}  // namespace assay
