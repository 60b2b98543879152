// The structure of a text: outline, tokens, folds, enclosing ranges, links.
#include "runtime/service/service_impl.hpp"

#include "lang/parse/syntax.hpp"

#include <algorithm>
#include <functional>

namespace assay {

namespace {

Outline::Kind kind_of(const ast::AnyItem& node) {
  return std::visit(
      [](const auto& n) {
        using T = std::decay_t<decltype(n)>;
        using K = Outline::Kind;
        if constexpr (std::is_same_v<T, ast::TypeDecl>) return K::type;
        if constexpr (std::is_same_v<T, ast::Input>) return K::input;
        if constexpr (std::is_same_v<T, ast::Fn> || std::is_same_v<T, ast::Hook>) return K::function;
        if constexpr (std::is_same_v<T, ast::Table> || std::is_same_v<T, ast::Bands>) return K::table;
        if constexpr (std::is_same_v<T, ast::Gate>) return K::gate;
        if constexpr (std::is_same_v<T, ast::Dimension>) return K::dimension;
        if constexpr (std::is_same_v<T, ast::Output>) return K::output;
        if constexpr (std::is_same_v<T, ast::Example>) return K::example;
        if constexpr (std::is_same_v<T, ast::Let>) return K::value;
        return K::rule;
      },
      node);
}

class Outliner {
 public:
  explicit Outliner(const Sources& sources) : sources_(sources) {}

  Outline rubric(const ast::Rubric& node) const {
    Outline all{Outline::Kind::rubric, node.name.text,           node.prose.str(),
                range_of(node.span),   range_of(node.name.span), {}};
    items(node.items, all.parts);
    return all;
  }

  void items(const std::vector<ast::Item>& list, std::vector<Outline>& out) const {
    for (const ast::Item& item : list) add(item, out);
  }

 private:
  void add(const ast::Item& item, std::vector<Outline>& out) const {
    const Outline::Kind kind = kind_of(item.node);
    std::visit(
        [&](const auto& n) {
          using T = std::decay_t<decltype(n)>;
          if constexpr (std::is_same_v<T, ast::Version> || std::is_same_v<T, ast::Scale> ||
                        std::is_same_v<T, ast::Weights> || std::is_same_v<T, ast::HistoryBy>) {
            return;
          } else if constexpr (std::is_same_v<T, ast::Input>) {
            for (const ast::Name& name : n.names) {
              Outline one{kind, name.text, n.kind ? text(n.kind->span) : "", range_of(item.span), range_of(name.span),
                          {}};
              // Names of one declaration must not overlap, so each gets its own range.
              if (n.names.size() > 1) one.whole = one.at;
              out.push_back(std::move(one));
            }
          } else if constexpr (std::is_same_v<T, ast::Dimension>) {
            out.push_back(dimension(n));
          } else {
            Outline one{kind, std::string(text(item.word)), {}, range_of(item.span), range_of(item.word), {}};
            if constexpr (requires { n.name.span; }) {
              one.name = name_of(n.name);
              one.at = range_of(n.name.span);
            } else if constexpr (requires { n.label; }) {
              one.name = text(n.label.span);
              one.detail = text(item.word);
              one.at = range_of(n.label.span);
            } else if constexpr (std::is_same_v<T, ast::Cap>) {
              one.name = "cap " + n.target.text;
            }
            if constexpr (std::is_same_v<T, ast::TypeDecl>) {
              if (n.kind) fields(*n.kind, one.parts);
            }
            if constexpr (std::is_same_v<T, ast::Cohort>) items(n.items, one.parts);
            if constexpr (requires { n.prose; }) {
              if (one.detail.empty() && n.prose.plain()) one.detail = n.prose.str();
            }
            if (one.name.empty()) one.name = text(item.word);
            out.push_back(std::move(one));
          }
        },
        item.node);
  }

  static std::string name_of(const ast::Name& name) { return name.text; }
  static std::string name_of(const ast::Text& name) { return name.str(); }

  Outline dimension(const ast::Dimension& node) const {
    Outline one{Outline::Kind::dimension, node.name.text, {}, range_of(node.span), range_of(node.name.span), {}};
    if (node.weight) one.detail = "weight " + text(node.weight->span);
    if (node.points) one.detail = "points " + text(node.points->span);
    for (const ast::Dimension& part : node.parts) one.parts.push_back(dimension(part));
    return one;
  }

  void fields(const ast::Kind& kind, std::vector<Outline>& out) const {
    if (kind.element) fields(*kind.element, out);
    for (const ast::KindField& field : kind.fields) {
      out.push_back({Outline::Kind::field,
                     field.name.text,
                     field.kind ? text(field.kind->span) : "",
                     range_of(field.name.span),
                     range_of(field.name.span),
                     {}});
    }
  }

  std::string text(Span at) const {
    const std::string_view all = sources_.text(at);
    return shorten(std::string(all.substr(0, all.find('\n'))), 80);
  }

  const Sources& sources_;
};

}  // namespace

std::vector<Outline> Service::outline(const std::string& name) {
  std::vector<Outline> all;
  const TextAnalysis* analysis = impl_->syntax(name);
  if (analysis == nullptr) return all;
  const Outliner outliner(analysis->sources());
  outliner.items(analysis->file().items, all);
  for (const ast::Rubric& rubric : analysis->file().rubrics) all.push_back(outliner.rubric(rubric));
  std::stable_sort(all.begin(), all.end(),
                   [](const Outline& a, const Outline& b) { return a.whole.begin < b.whole.begin; });
  return all;
}

std::vector<std::pair<Place, Outline>> Service::search(std::string_view query, std::size_t most) {
  std::vector<std::pair<Place, Outline>> found;
  const auto lower = [](std::string_view s) {
    std::string text(s);
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return text;
  };
  const std::string wanted = lower(query);
  // Matches the letters in order, as users of symbol search expect.
  const auto fits = [&](const std::string& name) {
    const std::string text = lower(name);
    std::size_t at = 0;
    for (const char c : text) at += at < wanted.size() && c == wanted[at] ? 1 : 0;
    return at == wanted.size();
  };
  for (const std::string& file : impl_->known_files()) {
    if (impl_->find(file) == nullptr) {
      std::optional<std::string> text = impl_->options.read ? impl_->options.read(file) : std::nullopt;
      if (!text) continue;
      Document& document = impl_->documents[file];
      document.text = std::move(*text);
      document.held = false;
    }
    const std::function<void(const std::vector<Outline>&)> add = [&](const std::vector<Outline>& list) {
      for (const Outline& one : list) {
        if (found.size() >= most) return;
        if (fits(one.name)) {
          Outline flat = one;
          flat.parts.clear();
          found.emplace_back(Place{file, one.at}, std::move(flat));
        }
        add(one.parts);
      }
    };
    add(outline(file));
  }
  return found;
}

// ---- tokens

namespace {

TokenKind token_kind(NameKind kind) {
  switch (kind) {
    case NameKind::rubric:
    case NameKind::type: return TokenKind::type;
    case NameKind::input: return TokenKind::input;
    case NameKind::dimension:
    case NameKind::criterion:
    case NameKind::gate:
    case NameKind::context: return TokenKind::dimension;
    case NameKind::function:
    case NameKind::table:
    case NameKind::hook: return TokenKind::function;
    case NameKind::parameter:
    case NameKind::local: return TokenKind::parameter;
    case NameKind::field:
    case NameKind::column: return TokenKind::field;
    default: return TokenKind::value;
  }
}

bool kind_word(std::string_view word) {
  static constexpr std::string_view kWords[] = {"number", "whole", "bool", "text", "any",
                                                "list",   "set",   "map",  "one",  "of"};
  constexpr std::string_view kFirst = "nwbtalsmo";  // of those words
  return kFirst.find(word.front()) != kFirst.npos &&
         std::find(std::begin(kWords), std::end(kWords), word) != std::end(kWords);
}

class Tokenizer {
 public:
  Tokenizer(const TextAnalysis& analysis) : text_(analysis.text()), names_(analysis.names()) {
    for (const NameUse& use : names_.uses) {
      if (use.at.file == 0) uses_.push_back(&use);
    }
  }

  std::vector<TextToken> all() {
    tokens_.reserve(text_.size() / 4);
    next_token_ = rough_token(text_, 0);
    for (std::uint32_t at = 0;;) {
      const RoughToken token = next_token_;
      if (token.tag != RoughToken::Tag::end) next_token_ = rough_token(text_, token.end);
      comments(at, token.begin);
      if (token.tag == RoughToken::Tag::end) break;
      add(token);
      at = token.end;
    }
    return std::move(tokens_);
  }

 private:
  void comments(std::size_t begin, std::size_t end) {
    while (begin < end) {
      const std::size_t sign = begin + std::string_view(text_).substr(begin, end - begin).find('#');
      if (sign < begin || sign >= end) return;
      const std::size_t stop = std::min(text_.find('\n', sign), text_.size());
      piece(sign, stop, TokenKind::comment);
      begin = stop;
    }
  }

  void piece(std::size_t begin, std::size_t end, TokenKind kind, bool declares = false, bool builtin = false) {
    while (begin < end) {  // each line separately
      const std::size_t stop = std::min(text_.find('\n', begin), end);
      std::size_t shown = stop;
      while (shown > begin && text_[shown - 1] == '\r') --shown;
      if (shown > begin) tokens_.push_back({{begin, shown}, kind, declares, builtin});
      begin = stop + 1;
    }
  }

  // Of a token that is no text: they lie in one line.
  void short_piece(const RoughToken& token, TokenKind kind, bool declares = false, bool builtin = false) {
    tokens_.push_back({{token.begin, token.end}, kind, declares, builtin});
  }

  const NameUse* use_at(std::size_t begin) {
    while (next_ < uses_.size() && uses_[next_]->at.begin < begin) ++next_;
    return next_ < uses_.size() && uses_[next_]->at.begin == begin ? uses_[next_] : nullptr;
  }

  void add(const RoughToken& token) {
    switch (token.tag) {
      case RoughToken::Tag::word: return word(token);
      case RoughToken::Tag::number: return short_piece(token, TokenKind::number);
      case RoughToken::Tag::text: return quoted(token.begin, token.end);
      default: return short_piece(token, TokenKind::sign);
    }
  }

  void word(const RoughToken& token) {
    if (const NameUse* use = use_at(token.begin))
      return short_piece(token, token_kind(names_.of(*use).kind), use->declares);
    const std::string_view word = std::string_view(text_).substr(token.begin, token.end - token.begin);
    const RoughToken next = inside_text_ ? rough_token(text_, token.end) : next_token_;
    const char after = next.tag == RoughToken::Tag::sign ? text_[next.begin] : '\0';
    const bool field =
        token.begin > 0 && text_[token.begin - 1] == '.' && (token.begin < 2 || text_[token.begin - 2] != '.');
    if (field) return short_piece(token, TokenKind::field);
    const bool names = after == '(' || after == ':';  // unless a declaration begins here
    if (names && !begins_declaration(text_, token)) {
      if (after == ':') return short_piece(token, TokenKind::field);
      if (word != "of") return short_piece(token, TokenKind::function, false, true);
    }
    if (kind_word(word)) return short_piece(token, TokenKind::type, false, true);
    short_piece(token, TokenKind::keyword);
  }

  // A text in pieces: the contents of its braces are separate tokens.
  void quoted(std::size_t begin, std::size_t end) {
    if (std::string_view(text_).substr(begin, 3) == "\"\"\"") return piece(begin, end, TokenKind::text);
    std::size_t from = begin;
    for (std::size_t i = begin + 1; i < end; ++i) {
      if (text_[i] == '\\') {
        i += 1;
        if (i + 1 < end && text_[i] == 'u' && text_[i + 1] == '{') i = std::min(text_.find('}', i), end - 1);
        continue;
      }
      if (const NameUse* use = i == begin + 1 ? use_at(i) : nullptr; use != nullptr && use->at.end + 1 == end) {
        piece(begin, i, TokenKind::text);  // a quoted name
        piece(i, use->at.end, token_kind(names_.of(*use).kind), use->declares);
        return piece(use->at.end, end, TokenKind::text);
      }
      if (text_[i] != '{') continue;
      const std::size_t close = text_.find('}', i);
      if (close == std::string::npos || close >= end) break;
      piece(from, i + 1, TokenKind::text);
      for (auto at = static_cast<std::uint32_t>(i + 1); at < close;) {
        const RoughToken inner = rough_token(text_, at);
        if (inner.tag == RoughToken::Tag::end || inner.begin >= close) break;
        inside_text_ = true;
        if (inner.tag != RoughToken::Tag::text) add(inner);
        inside_text_ = false;
        at = inner.end;
      }
      from = close;
      i = close;
    }
    piece(from, end, TokenKind::text);
  }

  const std::string& text_;
  const Names& names_;
  std::vector<const NameUse*> uses_;
  std::size_t next_ = 0;
  RoughToken next_token_{};   // behind the one that is added
  bool inside_text_ = false;  // the one that is added is a part of a text
  std::vector<TextToken> tokens_;
};

}  // namespace

std::vector<TextToken> Service::tokens(const std::string& name) {
  const TextAnalysis* analysis = impl_->analysis(name);
  return analysis == nullptr ? std::vector<TextToken>() : Tokenizer(*analysis).all();
}

// ---- folds and enclosing ranges: from brackets and declarations

std::vector<TextRange> Service::folds(const std::string& name) {
  std::vector<TextRange> found;
  const TextAnalysis* analysis = impl_->syntax(name);
  if (analysis == nullptr) return found;
  const std::string& text = analysis->text();
  std::vector<std::size_t> open;
  std::size_t comment = std::string::npos, comment_end = 0;
  const auto several = [&](std::size_t begin, std::size_t end) {
    if (text.find('\n', begin) < end) found.push_back({begin, end});
  };
  const auto end_comment = [&] {
    if (comment != std::string::npos) several(comment, comment_end);
    comment = std::string::npos;
  };
  for (std::uint32_t at = 0;;) {
    const RoughToken token = rough_token(text, at);
    const std::string_view gap = std::string_view(text).substr(0, token.begin);
    for (std::size_t sign = gap.find('#', at); sign < token.begin;) {
      const std::size_t stop = std::min(text.find('\n', sign), text.size());
      if (first_in_line(text, static_cast<std::uint32_t>(sign))) {
        const bool goes_on = comment != std::string::npos && text.find_first_not_of(" \t\r\n", comment_end) == sign &&
                             std::count(text.begin() + static_cast<std::ptrdiff_t>(comment_end),
                                        text.begin() + static_cast<std::ptrdiff_t>(sign), '\n') == 1;
        if (!goes_on) {
          end_comment();
          comment = sign;
        }
        comment_end = stop;
      }
      sign = gap.find('#', stop);
    }
    if (token.tag == RoughToken::Tag::end) break;
    if (comment != std::string::npos && token.begin > comment_end) end_comment();
    if (token.tag == RoughToken::Tag::sign) {
      const char c = text[token.begin];
      if (c == '{' || c == '(' || c == '[') open.push_back(token.begin);
      if ((c == '}' || c == ')' || c == ']') && !open.empty()) {
        several(open.back(), token.begin);
        open.pop_back();
      }
    } else if (token.tag == RoughToken::Tag::text) {
      several(token.begin, token.end);
    }
    at = token.end;
  }
  end_comment();
  const auto& imports = analysis->file().imports;
  if (imports.size() > 1) several(imports.front().span.begin, imports.back().span.end);
  std::sort(found.begin(), found.end(), [](const TextRange& a, const TextRange& b) { return a.begin < b.begin; });
  return found;
}

std::vector<TextRange> Service::around(const std::string& name, std::size_t at) {
  std::vector<TextRange> found;
  const TextAnalysis* analysis = impl_->analysis(name);
  if (analysis == nullptr) return found;
  const std::string& text = analysis->text();
  at = std::min(at, text.size());
  const auto add = [&](std::size_t begin, std::size_t end) {
    if (begin <= at && at <= end && end > begin) found.push_back({begin, end});
  };
  // The notes contain the place of every checked expression; declarations and brackets complete them.
  std::vector<std::size_t> open;
  for (std::uint32_t place = 0;;) {
    const RoughToken token = rough_token(text, place);
    if (token.tag == RoughToken::Tag::end) break;
    add(token.begin, token.end);
    if (token.tag == RoughToken::Tag::text && token.end > token.begin + 2) add(token.begin + 1, token.end - 1);
    if (token.tag == RoughToken::Tag::sign) {
      const char c = text[token.begin];
      if (c == '{' || c == '(' || c == '[') open.push_back(token.begin);
      if ((c == '}' || c == ')' || c == ']') && !open.empty()) {
        add(open.back() + 1, token.begin);
        add(open.back(), token.end);
        open.pop_back();
      }
    }
    place = token.end;
  }
  const ast::Item* item = analysis->item_around(at);
  if (item != nullptr) add(item->span.begin, item->span.end);
  const ast::Rubric* rubric = analysis->rubric_around(at);
  if (rubric != nullptr) add(rubric->span.begin, rubric->span.end);
  analysis->notes.types.each([&](std::uint64_t key, const CheckNotes::Noted&) {
    if ((key >> 56) != 0) return;
    // the inverse of CheckNotes::key(), for texts below 2^28 bytes
    add(static_cast<std::size_t>((key >> 28) & 0xfffffff), static_cast<std::size_t>(key & 0xfffffff));
  });
  add(0, text.size());
  std::sort(found.begin(), found.end(), [](const TextRange& a, const TextRange& b) {
    return std::pair(a.end - a.begin, a.begin) < std::pair(b.end - b.begin, b.begin);
  });
  std::vector<TextRange> nested;
  for (const TextRange& range : found) {
    if (nested.empty() ||
        (range != nested.back() && range.begin <= nested.back().begin && range.end >= nested.back().end))
      nested.push_back(range);
  }
  return nested;
}

std::vector<Link> Service::links(const std::string& name) {
  std::vector<Link> found;
  const TextAnalysis* analysis = impl_->syntax(name);
  if (analysis == nullptr) return found;
  const auto add = [&](const ast::Text& path) {
    if (!path.plain() || path.str().empty() || path.str().starts_with("host:")) return;
    std::string file = impl_->resolve(path.str(), name);
    const auto held = impl_->documents.find(file);
    const bool there = (held != impl_->documents.end() && held->second.held) ||
                       (impl_->options.read && impl_->options.read(file).has_value());
    if (there) found.push_back({range_of(path.span), std::move(file)});
  };
  const auto items = [&](const std::vector<ast::Item>& list) {
    for (const ast::Item& item : list) {
      if (const auto* table = std::get_if<ast::Table>(&item.node)) add(table->from);
      if (const auto* hook = std::get_if<ast::Hook>(&item.node)) add(hook->from);
    }
  };
  for (const ast::Import& import : analysis->file().imports) add(import.path);
  items(analysis->file().items);
  for (const ast::Rubric& rubric : analysis->file().rubrics) items(rubric.items);
  return found;
}

}  // namespace assay
