// Lookups of declarations, quotations of the author's text, and reading imported files.
#include "lang/check/state/check_base.hpp"
#include "lang/model/library_prefix.hpp"
#include "lang/text/nearest.hpp"

#include <optional>

namespace assay {

int CheckBase::find(std::string_view name, NameMap DeclaredNames::*space, int rubric_index) {
  for (int r = rubric_index; r >= 0; r = rubric(r).cohort.parent) {
    const auto& names = rubric(r).names.*space;
    if (const auto it = names.find(name); it != names.end()) return it->second;
  }
  const auto& names = declared_.file_names.*space;
  const auto it = names.find(name);
  return it == names.end() ? -1 : it->second;
}

int CheckBase::find_rubric(std::string_view name) {
  const auto it = declared_.rubric_index.find(name);
  return it == declared_.rubric_index.end() ? -1 : it->second;
}

bool CheckBase::import_text(const ast::Text& from, std::string& shown, std::string& text) {
  std::optional<std::string> found;
  if (state_.importer) found = state_.importer(from.str(), sources_.file(from.span.file).name, shown);
  if (!found) {
    error(Code::file_not_found, from.span, "cannot read \"" + from.str() + "\"", "",
          is_library_path(from.str())
              ? "functions in C++ are declared by the modules of the standard library: import one, as "
                "in import \"std/text.rubric\""
          : from.str().find('.', from.str().rfind('/') + 1) == std::string::npos
              ? "a file is named with its ending, as in \"lib.rubric\""
              : "");
    return false;
  }
  constexpr std::uint64_t kOpening = 1000, kBytesOfStep = 8;  // steps; reading takes longer than opening
  budget_.step(kOpening + found->size() / kBytesOfStep);
  if (found->size() > state_.source_bytes) {
    error(Code::file_not_found, from.span,
          "\"" + from.str() + "\" is longer than " + std::to_string(state_.source_bytes) + " bytes");
    return false;
  }
  if (shown.empty()) shown = from.str();
  text = std::move(*found);
  return true;
}

bool CheckBase::read_number(const ast::Expr& literal, Number& n) {
  std::string_view digits = literal.text;
  const bool percent = !digits.empty() && digits.back() == '%';
  if (percent) digits.remove_suffix(1);
  if (!parse_decimal(digits, n, numbers(), true)) return false;
  if (percent) n = div(n, whole(100), numbers());
  return true;
}

std::string CheckBase::short_text(Span span) const {
  const std::string_view s = sources_.text(span);
  return s.size() <= 40 && s.find('\n') == s.npos ? std::string(s) : "…";
}

bool CheckBase::is_own(Span span, int rubric_index) const {
  if (span.file != state_.main_file) return false;
  if (rubric_index < 0) return true;
  const Span whole = declared_.rubrics[static_cast<std::size_t>(rubric_index)]->node->span;
  return span.file == whole.file && span.begin >= whole.begin && span.end <= whole.end;
}

void CheckBase::doubt(Code code, Span span, int rubric_index, std::string message, FixIt help) {
  if (is_own(span, rubric_index)) state_.noted.doubts.push_back({code, span, std::move(message), std::move(help)});
}

namespace {

FixIt meant(std::string_view name, std::string_view near) {
  if (near.empty() || near == name) return {};
  return {"did you mean '" + std::string(near) + "'?", std::string(near), misspelt(name, near)};
}

}  // namespace

FixIt CheckBase::near_or_all(std::string_view name, const std::vector<std::string_view>& candidates) const {
  FixIt fix = did_you_mean(name, candidates);
  if (!fix.empty() || candidates.empty() || candidates.size() > 12) return fix;
  std::string help = "it has ";
  for (std::size_t i = 0; i < candidates.size(); ++i)
    help += (i == 0 ? "" : i + 1 == candidates.size() ? " and " : ", ") + std::string(candidates[i]);
  return help;
}

FixIt CheckBase::did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates) const {
  constexpr std::size_t kMost = 200;  // whose words are compared
  if (diagnostics_->full()) return {};
  if (candidates.size() > kMost) return meant(name, nearest(name, candidates));
  if (const std::string_view same = in_other_order(name, candidates); !same.empty()) {
    FixIt fix = meant(name, same);
    fix.certain = true;
    return fix;
  }
  const std::string_view near = nearest(name, candidates);
  return meant(name, near.empty() ? with_same_words(name, candidates) : near);
}

// A record may have thousands of fields, and as many mistakes may name one, so no list is made for each of them.
FixIt CheckBase::field_meant(std::string_view name, const Type& record) const {
  constexpr std::size_t kListed = 12;  // as in near_or_all()
  std::vector<std::string_view> names;
  NearestName near(name);
  for (const Field& f : record.fields) {
    near.add(f.name);
    if (record.fields.size() <= kListed) names.push_back(f.name);
  }
  if (!names.empty() && names.size() == record.fields.size()) return near_or_all(name, names);
  return meant(name, near.best());
}

}  // namespace assay
