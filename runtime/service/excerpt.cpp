// Names decide what belongs together: a declaration remains if a word of one that remains is its name. Words in texts and
// comments count as well, so rather too much remains than too little.
#include "runtime/service/excerpt.hpp"

#include "lang/text/ascii.hpp"

#include <algorithm>
#include <unordered_map>
#include <variant>

namespace assay {

namespace {

// The names of a declaration that may be left out; false: it always remains.
bool names_of(const ast::Item& item, std::vector<std::string_view>& names) {
  if (const auto* input = std::get_if<ast::Input>(&item.node)) {
    for (const ast::Name& name : input->names) names.push_back(name.text);
    return true;
  }
  const bool unnamed = std::holds_alternative<ast::Flag>(item.node) || std::holds_alternative<ast::Advice>(item.node) ||
                       std::holds_alternative<ast::Check>(item.node) || std::holds_alternative<ast::Example>(item.node);
  if (unnamed) return true;
  const bool named = std::holds_alternative<ast::Let>(item.node) || std::holds_alternative<ast::Fn>(item.node) ||
                     std::holds_alternative<ast::Table>(item.node) || std::holds_alternative<ast::Output>(item.node) ||
                     std::holds_alternative<ast::TypeDecl>(item.node) || std::holds_alternative<ast::Hook>(item.node) ||
                     std::holds_alternative<ast::Gate>(item.node) || std::holds_alternative<ast::Bands>(item.node);
  if (!named) return false;
  std::visit(
      [&](const auto& node) {
        if constexpr (requires { std::string_view(node.name.text); }) names.push_back(node.name.text);
      },
      item.node);
  return true;
}

class Excerpt {
 public:
  explicit Excerpt(const TextAnalysis& analysis) : text_(analysis.text()) {
    add(analysis.file().items);
    for (const ast::Rubric& rubric : analysis.file().rubrics) add(rubric.items);
    std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.begin < b.begin; });
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (const std::string_view name : parts_[i].names) named_[name].push_back(i);
    }
  }

  // The declaration at a place, and those that use one of its names.
  void keep(TextRange place) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (parts_[i].begin > place.end || parts_[i].end < place.begin) continue;
      keep(i);
      for (const std::string_view name : parts_[i].names) keep_users(name);
    }
  }

  void keep_named(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      if (!is_name_character(text[at])) {
        ++at;
        continue;
      }
      std::size_t end = at;
      while (end < text.size() && is_name_character(text[end])) ++end;
      if (const auto found = named_.find(text.substr(at, end - at)); found != named_.end()) {
        for (const std::size_t part : found->second) keep(part);
      }
      at = end;
    }
  }

  std::string text() {
    std::size_t at = 0;
    const auto keep_between = [&](std::size_t end) { keep_named(text_.substr(at, end - at)); };
    for (const Part& part : parts_) {  // what always remains
      if (part.begin > at) keep_between(part.begin);
      at = std::max(at, part.end);
    }
    keep_between(text_.size());
    while (!open_.empty()) {
      const Part& part = parts_[open_.back()];
      open_.pop_back();
      keep_named(text_.substr(part.begin, part.end - part.begin));
    }
    std::string out(text_);
    for (const Part& part : parts_) {
      if (part.kept) continue;
      for (std::size_t i = part.begin; i < part.end; ++i) {
        if (out[i] != '\n') out[i] = ' ';
      }
    }
    return out;
  }

 private:
  struct Part {
    std::size_t begin, end;
    std::vector<std::string_view> names;
    bool kept = false;
  };

  void add(const std::vector<ast::Item>& items) {
    for (const ast::Item& item : items) {
      Part part{item.span.begin, item.span.end, {}};
      if (item.span.file == 0 && names_of(item, part.names)) parts_.push_back(std::move(part));
    }
  }

  void keep(std::size_t part) {
    if (!parts_[part].kept) open_.push_back(part);
    parts_[part].kept = true;
  }

  void keep_users(std::string_view name) {
    for (std::size_t at = text_.find(name); at != text_.npos; at = text_.find(name, at + name.size())) {
      const std::size_t end = at + name.size();
      if ((at > 0 && is_name_character(text_[at - 1])) || (end < text_.size() && is_name_character(text_[end])))
        continue;
      const auto after = std::upper_bound(parts_.begin(), parts_.end(), at,
                                          [](std::size_t place, const Part& part) { return place < part.begin; });
      if (after == parts_.begin()) continue;
      const auto part = static_cast<std::size_t>(std::prev(after) - parts_.begin());
      if (at < parts_[part].end) keep(part);
    }
  }

  std::string_view text_;
  std::vector<Part> parts_;  // in order; those that may be left out
  std::unordered_map<std::string_view, std::vector<std::size_t>> named_;
  std::vector<std::size_t> open_;  // kept, and their words not yet looked at
};

}  // namespace

std::string excerpt(const TextAnalysis& analysis, const std::vector<TextRange>& places,
                    const std::vector<std::string_view>& written) {
  const ast::File& file = analysis.file();
  const bool alone = file.rubrics.size() == 1 && file.rubrics[0].extends.text.empty();
  if (!alone) return analysis.text();
  Excerpt made(analysis);
  for (const TextRange& place : places) made.keep(place);
  for (const std::string_view text : written) made.keep_named(text);
  return made.text();
}

}  // namespace assay
