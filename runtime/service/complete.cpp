// Completion: the context of a place, and the names visible there.
#include "runtime/service/completion.hpp"

#include "lang/model/builtin_rows.hpp"
#include "lang/syntax/declarations.hpp"

namespace assay {

namespace {

using Tag = RoughToken::Tag;

}  // namespace

std::vector<Proposal> Completion::all() {
  if (!read_tokens()) return {};
  if (quoted_) {
    begin_ = literal_ + 1;
    in_text();
    return std::move(found_);
  }
  if (begin_ < at_ && text_[begin_] >= '0' && text_[begin_] <= '9') return {};
  const std::string_view last = before(0), earlier = before(1);
  if (last == "." && begin_ > 0 && text_[begin_ - 1] == '.') {
    fields();
  } else if (last == "extends") {
    rubrics();
  } else if (after_declared_word(last)) {
    return {};
  } else if (word_ == "example" && example()) {
  } else if (word_ == "table" && csv_columns()) {
  } else if (last == "of" || (last == ":" && names_type(earlier)) || (word_ == "type" && last == "=")) {
    types();
  } else if (begins_here()) {
    declarations();
  } else if (word_ == "cap" && last == "cap") {
    dimensions();
    for (const std::string_view target : {"composite", "score"}) word(target, "the pipeline");
    for (const AdjustmentRow& row : kAdjustments) word(row.list, "all of them together");
  } else if (word_ == "context" && last == "weight") {
    dimensions();
  } else if (word_ == "history" && last == "by") {
    inputs();
  } else {
    values();
    clauses();
  }
  return std::move(found_);
}

bool Completion::read_tokens() {
  const std::size_t line = line_begin(text_, at_);
  for (auto place = static_cast<std::uint32_t>(declaration_); place < begin_;) {
    const RoughToken token = rough_token(text_, place);
    const bool typed = token.tag == Tag::word && token.begin >= begin_;  // the text to complete
    if (token.tag == Tag::end || token.begin >= at_ || typed) break;
    if (tokens_.empty() && token.tag == Tag::word) word_ = shown(token);
    if (token.tag == Tag::text && token.end >= at_ && token.begin < at_) {
      const bool closed = token.end == at_ && token.end > token.begin + 1 && text_[token.end - 1] == '"';
      if (!closed) {
        const std::string inside = text_.substr(token.begin, at_ - token.begin);
        const std::size_t open = inside.rfind('{'), close = inside.rfind('}');
        if (open != std::string::npos && (close == std::string::npos || close < open)) {  // {a value}
          tokens_.clear();
          return true;
        }
        quoted_ = true;
        literal_ = token.begin;
        return true;
      }
    }
    tokens_.push_back(token);
    place = token.end;
  }
  const std::size_t sign = text_.find('#', std::max<std::size_t>(line, tokens_.empty() ? line : tokens_.back().end));
  return sign == std::string::npos || sign >= at_;
}

std::string_view Completion::shown(const RoughToken& token) const {
  return std::string_view(text_).substr(token.begin, token.end - token.begin);
}

std::string_view Completion::before(std::size_t back) const {
  return back < tokens_.size() ? shown(tokens_[tokens_.size() - 1 - back]) : std::string_view();
}

bool Completion::after_declared_word(std::string_view last) const {
  static constexpr std::string_view kNamed[] = {
      "rubric", "type",  "input",   "let",  "fn",        "table", "hook",    "gate",  "dimension", "criterion",
      "output", "bands", "context", "flag", "deduction", "bonus", "version", "level", "decimals",  "scale"};
  const bool first =
      tokens_.size() == 1 || last == "criterion" || last == "dimension" || last == "level" || last == "decimals";
  if (first && std::find(std::begin(kNamed), std::end(kNamed), last) != std::end(kNamed)) return true;
  if (last == "for") return true;
  return word_ == "input" && last == "," &&
         std::none_of(tokens_.begin(), tokens_.end(), [this](const RoughToken& t) { return shown(t) == ":"; });
}

bool Completion::begins_here() const {
  if (!first_in_line(text_, static_cast<std::uint32_t>(begin_))) return false;
  if (tokens_.empty()) return true;
  const RoughToken& last = tokens_.back();
  if (last.tag == Tag::sign) {
    const std::string_view sign = shown(last);
    if (sign == "{") return word_ == "rubric" || word_ == "dimension" || word_ == "criterion" || word_ == "cohort";
    return sign == "}" || sign == ")" || sign == "]";
  }
  static constexpr std::string_view kGoesOn[] = {"and",  "or",    "xor", "not",  "in",      "is",
                                                 "when", "else",  "for", "by",   "with",    "while",
                                                 "then", "where", "at",  "from", "default", "weight"};
  return std::find(std::begin(kGoesOn), std::end(kGoesOn), shown(last)) == std::end(kGoesOn);
}

bool Completion::names_type(std::string_view) const {
  if (word_ == "type" || word_ == "hook" || word_ == "input" || word_ == "fn" || word_ == "dimension" ||
      word_ == "criterion") {
    return std::none_of(tokens_.begin(), tokens_.end(), [this](const RoughToken& t) {
      return word_ != "type" && (shown(t) == "=" || shown(t) == "default" || shown(t) == "missing");
    });
  }
  return false;
}

bool Completion::fits(std::string_view label) const {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::size_t at = begin_;
  for (const char c : label) at += at < at_ && lower(c) == lower(text_[at]) ? 1 : 0;
  return at == at_;
}

void Completion::add(Proposal proposal) {
  if (!fits(proposal.label)) return;
  proposal.range = {begin_, at_};
  if (proposal.insert.empty()) proposal.insert = proposal.label;
  if (there_.insert(proposal.label + static_cast<char>(proposal.kind)).second) found_.push_back(std::move(proposal));
}

void Completion::word(std::string_view text, std::string_view detail) {
  add({Proposal::Kind::word, std::string(text), std::string(detail), {}, {}, false, {}});
}

void Completion::declarations() {
  const bool part = inside_dimension();
  for (const DeclarationWord& row : kDeclarationWords) {
    const bool of_part = row.word == "criterion" || row.word == "dimension" || row.word == "level";
    const bool outside = now().rubric_around(begin_) == nullptr && open_blocks().empty();
    const bool of_file = !row.in_rubric
                             ? row.word != "level"
                             : row.word == "type" || row.word == "fn" || row.word == "table" || row.word == "hook";
    if (part ? !of_part : outside ? !of_file : !row.in_rubric) continue;
    Proposal p{Proposal::Kind::declaration, std::string(row.word), "declaration", {}, {}, false, {}};
    const std::string indent = indent_at(text_, begin_);
    for (const char c : row.snippet) {
      p.insert += c;
      if (c == '\n') p.insert += indent;
    }
    p.snippet = true;
    add(std::move(p));
  }
}

std::vector<std::string_view> Completion::open_blocks() const {
  std::vector<std::string_view> open;
  std::string_view word;
  for (std::uint32_t place = 0; place < begin_;) {
    const RoughToken token = rough_token(text_, place);
    if (token.tag == Tag::end || token.begin >= begin_) break;
    if (token.tag == Tag::word && begins_declaration(text_, token)) word = shown(token);
    if (shown(token) == "{") open.push_back(word);
    if (shown(token) == "}" && !open.empty()) open.pop_back();
    place = token.end;
  }
  return open;
}

bool Completion::inside_dimension() const {
  const std::vector<std::string_view> open = open_blocks();
  return !open.empty() && (open.back() == "dimension" || open.back() == "criterion");
}

Proposal Completion::of_symbol(std::size_t index) const {
  const Symbol& symbol = best().names().symbols[index];
  Proposal p;
  p.label = symbol.name;
  p.detail = type_of_symbol(best(), static_cast<int>(index));
  p.prose = prose_of_symbol(best(), static_cast<int>(index));
  switch (symbol.kind) {
    case NameKind::input: p.kind = Proposal::Kind::input; break;
    case NameKind::dimension:
    case NameKind::criterion:
    case NameKind::gate: p.kind = Proposal::Kind::dimension; break;
    case NameKind::type:
    case NameKind::rubric: p.kind = Proposal::Kind::type; break;
    case NameKind::field:
    case NameKind::column: p.kind = Proposal::Kind::field; break;
    case NameKind::function:
    case NameKind::hook:
    case NameKind::table: p.kind = Proposal::Kind::function; break;
    default: p.kind = Proposal::Kind::value; break;
  }
  return p;
}

bool Completion::visible(const Symbol& symbol) {
  if (symbol.rubric < 0) return true;
  if (!around_) {
    around_.emplace();
    const ast::Rubric* around = now().rubric_around(begin_);
    for (std::string_view name = around != nullptr ? around->name.text : std::string_view();
         !name.empty() && around_->insert(std::string(name)).second;) {
      std::string_view base;
      for (const ast::Rubric* rubric : best().names().rubrics) {
        if (rubric->name.text == name) base = rubric->extends.text;
      }
      name = base;
    }
  }
  return around_->empty() ||
         around_->count(best().names().rubrics[static_cast<std::size_t>(symbol.rubric)]->name.text) > 0;
}

void Completion::inputs() {
  symbols([](const Symbol& s) { return s.kind == NameKind::input; });
}

void Completion::dimensions() {
  symbols([](const Symbol& s) { return s.kind == NameKind::dimension || s.kind == NameKind::criterion; });
}

void Completion::rubrics() {
  symbols([](const Symbol& s) { return s.kind == NameKind::rubric; });
}

void Completion::types() {
  for (const char* kind : {"number", "whole", "bool", "text", "any"}) word(kind, "type");
  for (const auto& [label, insert] : {std::pair{"one of", "one of (\"${1}\")"},
                                      {"list of", "list of ${1:text}"},
                                      {"set of", "set of ${1:text}"},
                                      {"map of", "map of ${1:number}"}})
    add({Proposal::Kind::word, label, "type", {}, insert, true, {}});
  symbols([](const Symbol& s) { return s.kind == NameKind::type || s.kind == NameKind::rubric; });
}

void Completion::values() {
  locals();
  symbols([](const Symbol& s) {
    switch (s.kind) {
      case NameKind::input:
      case NameKind::dimension:
      case NameKind::criterion:
      case NameKind::let:
      case NameKind::output:
      case NameKind::bands: return true;
      default: return false;
    }
  });
  for (std::size_t i = 0; i < best().names().symbols.size(); ++i) {
    const Symbol& symbol = best().names().symbols[i];
    const bool called =
        symbol.kind == NameKind::function || symbol.kind == NameKind::hook || symbol.kind == NameKind::table;
    if (!called || !fits(symbol.name) || !visible(symbol)) continue;
    Proposal p = of_symbol(i);
    const auto* table = symbol.item != nullptr ? std::get_if<ast::Table>(&symbol.item->node) : nullptr;
    p.kind = table != nullptr ? Proposal::Kind::table : Proposal::Kind::function;
    p.detail = std::string(best().sources().text(symbol.whole));
    p.detail = shorten(p.detail.substr(0, p.detail.find_first_of("={\n")), 80);
    if (table == nullptr || table->keyed) {
      p.insert = symbol.name + "(${1})";
      p.snippet = true;
    }
    add(std::move(p));
  }
  for (const BuiltinRow& doc : kBuiltinRows) {
    add({Proposal::Kind::function,
         std::string(doc.name),
         std::string(doc.signature),
         std::string(doc.doc) + "\n\nExample: `" + std::string(doc.example) + "`",
         std::string(doc.name) + "(${1})",
         true,
         {}});
  }
  for (const VerdictKey& key : kVerdictKeys)
    add({Proposal::Kind::value, std::string(key.key), "of the verdict", {}, {}, false, {}});
  for (const char* name : {"input", "history"}) add({Proposal::Kind::value, name, "of the record", {}, {}, false, {}});
}

void Completion::clauses() {
  for (const char* text :
       {"map",     "when",    "else",      "and",    "or",       "not",      "in",        "is missing", "is given",
        "default", "for",     "where",     "by",     "decimals", "true",     "is number", "is text",    "as number",
        "false",   "missing", "otherwise", "weight", "points",   "optional", "required",  "judged",     "measured"})
    word(text, "word");
}

void Completion::locals() {
  for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
    const std::string_view text = shown(tokens_[i]);
    if (text == "for" || text == "with" || text == "where") {
      add_local(i + 1);
      if (text == "for" && i + 3 < tokens_.size() && shown(tokens_[i + 2]) == ",") add_local(i + 3);
    } else if (text == "," && i + 2 < tokens_.size() && shown(tokens_[i + 2]) == "=") {
      add_local(i + 1);
    }
  }
  // The value of a loop may come before the loop itself.
  int depth = 0;
  for (auto place = static_cast<std::uint32_t>(at_); place < text_.size();) {
    const RoughToken token = rough_token(text_, place);
    if (token.tag == Tag::end) break;
    if (token.tag == Tag::word && first_in_line(text_, token.begin) && begins_declaration(text_, token)) break;
    const std::string_view text = shown(token);
    if (text == "(" || text == "[" || text == "{") ++depth;
    if (text == ")" || text == "]" || text == "}") --depth;
    if (text == "for" || text == "where") {
      const RoughToken name = rough_token(text_, token.end), comma = rough_token(text_, name.end);
      if (name.tag == Tag::word) local(shown(name));
      if (shown(comma) == ",") local(shown(rough_token(text_, comma.end)));
    }
    place = token.end;
  }
  // One that is cut off has been there in the last text without errors.
  if (const ast::Item* item = same_until(declaration_) ? best().item_around(declaration_) : nullptr;
      item != nullptr && item->span.begin == declaration_) {
    for (const Symbol& symbol : best().names().symbols) {
      const bool bound = symbol.kind == NameKind::local || symbol.kind == NameKind::parameter;
      if (bound && symbol.at.file == 0 && symbol.at.begin >= item->span.begin && symbol.at.end <= item->span.end)
        local(symbol.name);
    }
  }
  const bool called = (word_ == "fn" || word_ == "table") && tokens_.size() > 3 && shown(tokens_[2]) == "(";
  for (std::size_t i = 3; called && i < tokens_.size() && shown(tokens_[i]) != ")"; ++i) {
    const std::string_view earlier = shown(tokens_[i - 1]);
    if (earlier == "(" || earlier == ",") add_local(i);
  }
}

void Completion::add_local(std::size_t i) {
  if (tokens_[i].tag == Tag::word) local(shown(tokens_[i]));
}

void Completion::local(std::string_view name) {
  std::string type;
  for (std::size_t i = 0; i < best().names().symbols.size() && type.empty(); ++i) {
    const Symbol& s = best().names().symbols[i];
    if ((s.kind == NameKind::local || s.kind == NameKind::parameter) && s.name == name && s.at.file == 0)
      type = type_of_symbol(best(), static_cast<int>(i));
  }
  add({Proposal::Kind::value, std::string(name), type, {}, {}, false, {}});
}

std::vector<Proposal> Service::complete(const std::string& name, std::size_t at) {
  if (impl_->find(name) == nullptr) return {};
  return Completion(*impl_, name, at).all();
}

}  // namespace assay
