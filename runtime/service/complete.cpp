// What may be written at a place. Where the text is broken, as it is while somebody writes, tokens tell more than a syntax
// tree: the context is read off those before the place. Types come from the last text that could be read, and those of
// what stands before a dot from the text with a name put in behind it.
#include "runtime/service/service_impl.hpp"

#include "lang/model/builtin_rows.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/syntax/syntax.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace assay {

namespace {

using Tag = RoughToken::Tag;

struct BuiltinDoc {
  std::string_view name, signature, doc, example;
};
constexpr BuiltinDoc kBuiltinDocs[] = {
#define ASSAY_BUILTIN(id, name, group, signature, parameters, result, doc, example) {name, signature, doc, example},
#include "lang/model/builtins.def"
#undef ASSAY_BUILTIN
};

// Snippets of declarations. Those without one are proposed as bare words.
struct Snippet {
  std::string_view word, text;
};
constexpr Snippet kSnippets[] = {
    {"version", "version \"${1:1.0}\""},
    {"scale", "scale ${1:0..100} decimals ${2:2}"},
    {"weights", "weights ${1:exact}"},
    {"history", "history by ${1:id}"},
    {"type", "type ${1:name} = { ${2:field}: ${3:number} }"},
    {"input", "input ${1:name}: ${2:number} \"${3:meaning}\""},
    {"check", "check ${1:condition} at ${2:path} \"${3:reason}\""},
    {"let", "let ${1:name} = ${2:value}"},
    {"fn", "fn ${1:name}(${2:a}) = ${3:value}"},
    {"table", "table ${1:name}(${2:key}) {\n  | ${2:key} | ${3:value} |\n  | ${4:1} | ${5:1} |\n}"},
    {"hook", "hook ${1:name}(${2:a}: ${3:text}): ${4:number} from \"${5:file.lua}\""},
    {"gate", "gate ${1:name} = ${2:condition} \"${3:meaning}\""},
    {"dimension", "dimension ${1:name} weight ${2:25%} \"${3:meaning}\""},
    {"criterion", "criterion ${1:name} weight ${2:10} \"${3:meaning}\""},
    {"composite", "composite = ${1:value}"},
    {"cap", "cap ${1:name} at ${2:1} when ${3:condition} \"${4:reason}\""},
    {"incomplete", "incomplete when ${1:condition} \"${2:reason}\""},
    {"deduction", "deduction ${1:name} = ${2:value} \"${3:reason}\""},
    {"bonus", "bonus ${1:name} = ${2:value} \"${3:reason}\""},
    {"bands",
     "bands ${1:grade}(${2:score}) {\n  | ${2:score} | ${1:grade} |\n  | >= ${3:50} | \"${4:pass}\" |\n  | otherwise | "
     "\"${5:fail}\" |\n}"},
    {"output", "output ${1:name} = ${2:value}"},
    {"flag", "flag ${1:name} when ${2:condition} \"${3:meaning}\""},
    {"advice", "advice \"${1:text}\" when ${2:condition}"},
    {"rank", "rank by higher ${1:score}"},
    {"cohort", "cohort {\n  output ${1:name} = ${2:value}\n}"},
    {"context", "context ${1:name} \"${2:meaning}\" { weight ${3:dimension} ${4:30%} }"},
    {"example", "example \"${1:name}\" {\n  given { ${2} }\n  expect { ${3} }\n}"},
    {"rubric", "rubric ${1:name} \"${2:meaning}\" {\n  ${3}\n}"},
    {"import", "import \"${1:file.rubric}\""},
    {"level", "level ${1:5} \"${2:descriptor}\""},
};

constexpr std::string_view kPlaceholder = "assay_completion_here";

class Completion {
 public:
  Completion(Service::Impl& impl, const std::string& name, std::size_t at)
      : impl_(impl), name_(name), now_(*impl.analysis(name)), best_(*impl.best(name)), text_(now_.text()) {
    at_ = std::min(at, text_.size());
    begin_ = at_;
    while (begin_ > 0 && name_character(text_[begin_ - 1])) --begin_;
    declaration_ = declaration_begin(text_, begin_);
  }

  std::vector<Proposal> all() {
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

 private:
  // ---- tokens before the place, within its declaration

  // False: nothing is proposed here, as in a comment.
  bool read_tokens() {
    const std::size_t line = line_begin(text_, at_);
    for (auto place = static_cast<std::uint32_t>(declaration_); place < begin_;) {
      const RoughToken token = rough_token(text_, place);
      if (token.tag == Tag::end || token.begin >= at_) break;
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
    if (!tokens_.empty() && tokens_.front().tag == Tag::word) word_ = shown(tokens_.front());
    const std::size_t sign = text_.find('#', std::max<std::size_t>(line, tokens_.empty() ? line : tokens_.back().end));
    return sign == std::string::npos || sign >= at_;
  }

  std::string_view shown(const RoughToken& token) const {
    return std::string_view(text_).substr(token.begin, token.end - token.begin);
  }
  std::string_view before(std::size_t back) const {
    return back < tokens_.size() ? shown(tokens_[tokens_.size() - 1 - back]) : std::string_view();
  }

  // A name that is being given, or a text or a number that belongs here: nothing to choose from.
  bool after_declared_word(std::string_view last) const {
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

  bool begins_here() const {
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

  bool names_type(std::string_view) const {
    if (word_ == "type" || word_ == "hook" || word_ == "input" || word_ == "fn" || word_ == "dimension" ||
        word_ == "criterion") {
      return std::none_of(tokens_.begin(), tokens_.end(), [this](const RoughToken& t) {
        return word_ != "type" && (shown(t) == "=" || shown(t) == "default" || shown(t) == "missing");
      });
    }
    return false;
  }

  // ---- proposals

  // Whether the letters before the place are in the label, in their order.
  bool fits(std::string_view label) const {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    std::size_t at = begin_;
    for (const char c : label) at += at < at_ && lower(c) == lower(text_[at]) ? 1 : 0;
    return at == at_;
  }

  void add(Proposal proposal) {
    if (!fits(proposal.label)) return;
    proposal.range = {begin_, at_};
    if (proposal.insert.empty()) proposal.insert = proposal.label;
    if (there_.insert(proposal.label + static_cast<char>(proposal.kind)).second) found_.push_back(std::move(proposal));
  }

  void word(std::string_view text, std::string_view detail) {
    add({Proposal::Kind::word, std::string(text), std::string(detail), {}, {}, false, {}});
  }

  void declarations() {
    const bool part = inside_dimension();
    for (const DeclarationWord& row : kDeclarationWords) {
      const bool of_part = row.word == "criterion" || row.word == "dimension" || row.word == "level";
      const bool outside = now_.rubric_around(begin_) == nullptr && !open_rubric();
      const bool of_file = !row.in_rubric
                               ? row.word != "level"
                               : row.word == "type" || row.word == "fn" || row.word == "table" || row.word == "hook";
      if (part ? !of_part : outside ? !of_file : !row.in_rubric) continue;
      Proposal p{Proposal::Kind::declaration, std::string(row.word), "declaration", {}, {}, false, {}};
      for (const Snippet& snippet : kSnippets) {
        if (snippet.word != row.word) continue;
        const std::string indent = indent_at(text_, begin_);
        for (const char c : snippet.text) {
          p.insert += c;
          if (c == '\n') p.insert += indent;
        }
        p.snippet = true;
      }
      add(std::move(p));
    }
  }

  // How many blocks are open: of a rubric whose end is not written, too.
  bool open_rubric() const {
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
    return !open.empty();
  }

  bool inside_dimension() const {
    std::vector<std::string_view> open;
    std::string_view word;
    for (auto place = static_cast<std::uint32_t>(0); place < begin_;) {
      const RoughToken token = rough_token(text_, place);
      if (token.tag == Tag::end || token.begin >= begin_) break;
      if (token.tag == Tag::word && begins_declaration(text_, token)) word = shown(token);
      if (shown(token) == "{") open.push_back(word);
      if (shown(token) == "}" && !open.empty()) open.pop_back();
      place = token.end;
    }
    return !open.empty() && (open.back() == "dimension" || open.back() == "criterion");
  }

  Proposal of_symbol(std::size_t index) const {
    const Symbol& symbol = best_.names.symbols[index];
    Proposal p;
    p.label = symbol.name;
    p.detail = type_of_symbol(best_, static_cast<int>(index));
    p.prose = prose_of_symbol(best_, static_cast<int>(index));
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

  // Whether a symbol belongs to the rubric around the place, or to none, or to what that one extends.
  bool visible(const Symbol& symbol) {
    if (symbol.rubric < 0) return true;
    if (!around_) {
      around_.emplace();
      const ast::Rubric* around = now_.rubric_around(begin_);
      for (std::string_view name = around != nullptr ? around->name.text : std::string_view();
           !name.empty() && around_->insert(std::string(name)).second;) {
        std::string_view base;
        for (const ast::Rubric* rubric : best_.names.rubrics) {
          if (rubric->name.text == name) base = rubric->extends.text;
        }
        name = base;
      }
    }
    return around_->empty() ||
           around_->count(best_.names.rubrics[static_cast<std::size_t>(symbol.rubric)]->name.text) > 0;
  }

  template <typename Wanted>
  void symbols(const Wanted& wanted) {
    for (std::size_t i = 0; i < best_.names.symbols.size(); ++i) {
      const Symbol& symbol = best_.names.symbols[i];
      if (wanted(symbol) && fits(symbol.name) && visible(symbol)) add(of_symbol(i));
    }
  }

  void inputs() {
    symbols([](const Symbol& s) { return s.kind == NameKind::input; });
  }
  void dimensions() {
    symbols([](const Symbol& s) { return s.kind == NameKind::dimension || s.kind == NameKind::criterion; });
  }
  void rubrics() {
    symbols([](const Symbol& s) { return s.kind == NameKind::rubric; });
  }

  void types() {
    for (const char* kind : {"number", "whole", "bool", "text", "any"}) word(kind, "type");
    for (const auto& [label, insert] : {std::pair{"one of", "one of (\"${1}\")"},
                                        {"list of", "list of ${1:text}"},
                                        {"set of", "set of ${1:text}"},
                                        {"map of", "map of ${1:number}"}})
      add({Proposal::Kind::word, label, "type", {}, insert, true, {}});
    symbols([](const Symbol& s) { return s.kind == NameKind::type || s.kind == NameKind::rubric; });
  }

  void values() {
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
    for (std::size_t i = 0; i < best_.names.symbols.size(); ++i) {
      const Symbol& symbol = best_.names.symbols[i];
      const bool called =
          symbol.kind == NameKind::function || symbol.kind == NameKind::hook || symbol.kind == NameKind::table;
      if (!called || !fits(symbol.name) || !visible(symbol)) continue;
      Proposal p = of_symbol(i);
      const auto* table = symbol.item != nullptr ? std::get_if<ast::Table>(&symbol.item->node) : nullptr;
      p.kind = table != nullptr ? Proposal::Kind::table : Proposal::Kind::function;
      p.detail = std::string(best_.sources().text(symbol.whole));
      p.detail = shorten(p.detail.substr(0, p.detail.find_first_of("={\n")), 80);
      if (table == nullptr || table->keyed) {
        p.insert = symbol.name + "(${1})";
        p.snippet = true;
      }
      add(std::move(p));
    }
    for (const BuiltinDoc& doc : kBuiltinDocs) {
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
    for (const char* name : {"input", "history"})
      add({Proposal::Kind::value, name, "of the record", {}, {}, false, {}});
  }

  void clauses() {
    for (const char* text : {"when",     "else",    "and",       "or",     "not",    "in",       "is missing",
                             "is given", "default", "for",       "where",  "by",     "decimals", "true",
                             "false",    "missing", "otherwise", "weight", "points", "optional", "required"})
      word(text, "word");
  }

  // Names that the declaration itself binds: over-generous rather than missing one while the text is broken.
  void locals() {
    for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
      const std::string_view text = shown(tokens_[i]);
      if (text == "for" || text == "with" || text == "where") {
        add_local(i + 1);
        if (text == "for" && i + 3 < tokens_.size() && shown(tokens_[i + 2]) == ",") add_local(i + 3);
      } else if (text == "," && i + 2 < tokens_.size() && shown(tokens_[i + 2]) == "=") {
        add_local(i + 1);
      }
    }
    // A loop may be written behind its value.
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
    const bool called = (word_ == "fn" || word_ == "table") && tokens_.size() > 3 && shown(tokens_[2]) == "(";
    for (std::size_t i = 3; called && i < tokens_.size() && shown(tokens_[i]) != ")"; ++i) {
      const std::string_view earlier = shown(tokens_[i - 1]);
      if (earlier == "(" || earlier == ",") add_local(i);
    }
  }
  void add_local(std::size_t i) {
    if (tokens_[i].tag == Tag::word) local(shown(tokens_[i]));
  }
  void local(std::string_view name) {
    std::string type;
    for (std::size_t i = 0; i < best_.names.symbols.size() && type.empty(); ++i) {
      const Symbol& s = best_.names.symbols[i];
      if ((s.kind == NameKind::local || s.kind == NameKind::parameter) && s.name == name && s.at.file == 0)
        type = type_of_symbol(best_, static_cast<int>(i));
    }
    add({Proposal::Kind::value, std::string(name), type, {}, {}, false, {}});
  }

  // ---- fields

  // Where the operand that ends at `end` begins: names, fields, calls, indices.
  std::size_t operand_begin(std::size_t end) const {
    std::vector<RoughToken> list;
    for (auto place = static_cast<std::uint32_t>(declaration_); place < end;) {
      const RoughToken token = rough_token(text_, place);
      if (token.tag == Tag::end || token.begin >= end) break;
      list.push_back(token);
      place = token.end;
    }
    std::size_t i = list.size();
    while (i > 0) {
      const std::string_view text = shown(list[i - 1]);
      if (text == ")" || text == "]" || text == "}") {
        int depth = 0;
        do {
          --i;
          const std::string_view t = shown(list[i]);
          depth += t == ")" || t == "]" || t == "}" ? 1 : t == "(" || t == "[" || t == "{" ? -1 : 0;
        } while (i > 0 && depth > 0);
        const bool more = i > 0 &&
                          (list[i - 1].tag == Tag::word || shown(list[i - 1]) == ")" || shown(list[i - 1]) == "]") &&
                          list[i - 1].end == list[i].begin;
        if (more) continue;
        return list[i].begin;
      }
      if (list[i - 1].tag != Tag::word) break;
      --i;
      if (i > 0 && shown(list[i - 1]) == "." && i > 1) {
        --i;
        continue;
      }
      return list[i].begin;
    }
    return i < list.size() ? list[i].begin : end;
  }

  void fields_of(const Analysis& analysis, TypeId id) {
    const Model& model = *analysis.model();
    const Type* type = &model.types[id];
    if (type->kind == TypeKind::record && type->rubric >= 0) {
      const RubricModel& rubric = model.rubrics[static_cast<std::size_t>(type->rubric)];
      if (!type->verdict) {
        for (const Slot& slot : rubric.slots)
          add({Proposal::Kind::field, slot.name, model.types.str(slot.type), slot.prose, {}, false, {}});
      } else {
        for (const VerdictField& field : rubric.verdict)
          add({Proposal::Kind::field,
               field.name,
               model.types.str(rubric.items[static_cast<std::size_t>(field.item)].type),
               {},
               {},
               false,
               {}});
      }
      return;
    }
    for (const Field& field : type->fields)
      add({Proposal::Kind::field,
           field.name,
           model.types.str(field.type) + (field.presence == Presence::optional ? ", may be missing" : ""),
           {},
           {},
           false,
           {}});
  }

  // What closes the brackets that are open at the place.
  std::string closers() const {
    std::vector<char> open;
    for (const RoughToken& token : tokens_) {
      const char c = text_[token.begin];
      if (token.tag != Tag::sign) continue;
      if (c == '(' || c == '[' || c == '{') open.push_back(c == '(' ? ')' : c == '[' ? ']' : '}');
      if ((c == ')' || c == ']' || c == '}') && !open.empty()) open.pop_back();
    }
    return {open.rbegin(), open.rend()};
  }

  std::size_t next_declaration(std::size_t from) const {
    const std::size_t line = std::min(text_.find('\n', from), text_.size());
    for (std::size_t next = line; next < text_.size();) {
      const RoughToken token = rough_token(text_, static_cast<std::uint32_t>(next));
      if (token.tag == Tag::end) break;
      const bool declares =
          token.tag == Tag::word && first_in_line(text_, token.begin) && begins_declaration(text_, token);
      if (declares || (shown(token) == "}" && first_in_line(text_, token.begin))) return token.begin;
      next = token.end;
    }
    return text_.size();
  }

  void fields() {
    const std::size_t dot = begin_ - 1;
    const std::size_t base = operand_begin(dot);
    if (base >= dot) return;
    const std::string_view name = std::string_view(text_).substr(base, dot - base);
    if (name == "input") return inputs_of_record();
    if (name == "gates") return symbols([](const Symbol& s) { return s.kind == NameKind::gate; });
    if (name == "dimensions") return symbols([](const Symbol& s) { return s.kind == NameKind::dimension; });
    // As it stands, with the brackets closed, and as the whole declaration up to here.
    std::size_t end = at_;
    while (end < text_.size() && name_character(text_[end])) ++end;
    const std::size_t next = next_declaration(end);
    const std::string head = text_.substr(0, begin_) + std::string(kPlaceholder);
    const std::string variants[] = {head + text_.substr(end), head + closers() + "\n" + text_.substr(next)};
    const Span at{0, static_cast<std::uint32_t>(base), static_cast<std::uint32_t>(dot)};
    for (const std::string& variant : variants) {
      const auto patched = impl_.analyse(name_, variant);
      const CheckNotes::Noted* noted = patched->model() != nullptr ? patched->notes.find(at) : nullptr;
      if (noted == nullptr || noted->type == kUnknown) continue;
      return fields_of(*patched, noted->type);
    }
  }

  void inputs_of_record() {
    inputs();
    symbols([](const Symbol& s) {
      return s.dimension != nullptr && !s.dimension->body.expr && s.dimension->parts.empty();
    });
  }

  // ---- texts

  void choices_of(const Analysis& analysis, TypeId id) {
    if (analysis.model() == nullptr) return;
    const TypeTable& types = analysis.model()->types;
    while (types.kind(id) == TypeKind::list || types.kind(id) == TypeKind::map) id = types[id].element;
    for (const std::string& choice : types[id].choices)
      add({Proposal::Kind::choice, choice, "one of", {}, {}, false, {}});
  }

  void choices_of(const ast::Kind* kind) {
    for (int depth = 0; kind != nullptr && depth < 20; ++depth) {
      for (const ast::Text& choice : kind->choices)
        add({Proposal::Kind::choice, choice.str(), "one of", {}, {}, false, {}});
      if (kind->tag == ast::KindTag::named) {
        kind = named_kind(kind->name);
      } else {
        kind = kind->element.get();
      }
    }
  }

  const ast::Kind* named_kind(std::string_view name) const {
    for (const Symbol& symbol : best_.names.symbols) {
      if (symbol.kind != NameKind::type || symbol.name != name || symbol.item == nullptr) continue;
      return std::get<ast::TypeDecl>(symbol.item->node).kind.get();
    }
    return nullptr;
  }

  void in_text() {
    const std::string_view last = before(0);
    if (last == "import" || last == "from") return files();
    if (word_ == "example") {
      const ast::Kind* kind = kind_of_key();
      if (kind != nullptr) choices_of(kind);
      return;
    }
    if (last == "==" || last == "!=") {
      const std::size_t end = tokens_[tokens_.size() - 1].begin;
      std::size_t stop = end;
      while (stop > 0 && (text_[stop - 1] == ' ' || text_[stop - 1] == '\n')) --stop;
      const Span at{0, static_cast<std::uint32_t>(operand_begin(stop)), static_cast<std::uint32_t>(stop)};
      if (const CheckNotes::Noted* noted = now_.notes.find(at); noted != nullptr) return choices_of(now_, noted->type);
      const std::string closed = text_.substr(0, at_) + "\"" + closers() + "\n" + text_.substr(next_declaration(at_));
      const auto patched = impl_.analyse(name_, closed);
      const CheckNotes::Noted* left_noted = patched->model() != nullptr ? patched->notes.find(at) : nullptr;
      if (left_noted != nullptr) return choices_of(*patched, left_noted->type);
      const std::string left(text_.substr(at.begin, at.end - at.begin));
      for (std::size_t i = 0; i < best_.names.symbols.size(); ++i) {
        if (best_.names.symbols[i].name == left && best_.names.symbols[i].item != nullptr) {
          if (const auto* input = std::get_if<ast::Input>(&best_.names.symbols[i].item->node))
            return choices_of(input->kind.get());
        }
      }
      return;
    }
    if (word_ == "table" || word_ == "bands") cell_choices();
  }

  // The key of a table in whose column the place is: its texts.
  void cell_choices() {
    std::size_t bars = 0, columns = 0;
    std::vector<std::string_view> heads;
    bool first = true;
    std::uint32_t row = 0;
    for (const RoughToken& token : tokens_) {
      if (shown(token) != "|") {
        if (first && bars > 0 && token.tag == Tag::word) heads.push_back(shown(token));
        continue;
      }
      const bool begins = first_in_line(text_, token.begin);
      if (begins && bars > 0) {
        first = false;
        row = token.begin;
        columns = 0;
      }
      ++bars;
      ++columns;
    }
    (void)row;
    if (first || columns == 0 || columns > heads.size()) return;
    const std::string_view key = heads[columns - 1];
    if (best_.model() == nullptr) return;
    const std::string_view table = tokens_.size() > 1 ? shown(tokens_[1]) : std::string_view();
    for (const LookupTable& one : best_.model()->tables) {
      if (one.name == table && columns <= one.keys.size()) choices_of(best_, one.keys[columns - 1].type);
    }
    if (!found_.empty()) return;
    // What is handed over may be of a narrower type than the cells: that of an input of the key's name.
    for (const Symbol& symbol : best_.names.symbols) {
      if (symbol.name != key || symbol.kind != NameKind::input || symbol.item == nullptr) continue;
      choices_of(std::get<ast::Input>(symbol.item->node).kind.get());
    }
  }

  void files() {
    const std::string wanted = before(0) == "import" ? ".rubric" : "";
    const std::size_t slash = name_.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : name_.substr(0, slash + 1);
    for (const std::string& file : impl_.known_files()) {
      if (file == name_ || !file.starts_with(folder)) continue;
      if (!wanted.empty() && !file.ends_with(wanted)) continue;
      add({Proposal::Kind::file, file.substr(folder.size()), "file", {}, {}, false, {}});
    }
  }

  // ---- examples

  struct Level {
    std::string key;  // before the bracket
    bool record = false;
  };

  // The keys that lead to the place: "given", "components", …; the last is the key whose value stands here.
  std::vector<Level> path(std::string& key) const {
    std::vector<Level> open;
    std::string last;
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      const std::string_view text = shown(tokens_[i]);
      if (text == "{" || text == "[") {
        open.push_back({last, text == "{"});
        last.clear();
      } else if ((text == "}" || text == "]") && !open.empty()) {
        open.pop_back();
        last.clear();
      } else if (text == ",") {
        last.clear();
      } else if (tokens_[i].tag == Tag::word) {
        last = text;
      }
    }
    key = last;
    return open;
  }

  const ast::Kind* kind_of_input(std::string_view name) const {
    for (const Symbol& symbol : best_.names.symbols) {
      if (symbol.name != name || symbol.item == nullptr) continue;
      if (symbol.dimension != nullptr) return symbol.dimension->kind.get();
      if (const auto* input = std::get_if<ast::Input>(&symbol.item->node)) return input->kind.get();
    }
    return nullptr;
  }

  const ast::Kind* record_of(const ast::Kind* kind) const {
    for (int depth = 0; kind != nullptr && depth < 20; ++depth) {
      if (kind->tag == ast::KindTag::record) return kind;
      kind = kind->tag == ast::KindTag::named ? named_kind(kind->name) : kind->element.get();
    }
    return nullptr;
  }

  // The type of the field whose value stands here, within what is given.
  const ast::Kind* kind_of_key() const {
    std::string key;
    const std::vector<Level> open = path(key);
    if (open.size() < 2 || (open[1].key != "given" && open[1].key != "history")) return nullptr;
    std::vector<std::string> keys;
    for (std::size_t i = 2; i < open.size(); ++i) {
      if (!open[i].key.empty()) keys.push_back(open[i].key);
    }
    if (!key.empty()) keys.push_back(key);
    if (keys.empty()) return nullptr;
    const ast::Kind* kind = kind_of_input(keys[0]);
    for (std::size_t i = 1; i < keys.size() && kind != nullptr; ++i) {
      const ast::Kind* record = record_of(kind);
      kind = nullptr;
      if (record == nullptr) break;
      for (const ast::KindField& field : record->fields) {
        if (field.name.text == keys[i]) kind = field.kind.get();
      }
    }
    return kind;
  }

  bool example() {
    std::string key;
    const std::vector<Level> open = path(key);
    if (open.empty()) return false;
    if (open.size() == 1) {
      for (const char* part : {"given", "history", "context", "weights", "expect", "error at"})
        word(part, "part of an example");
      if (begins_here()) declarations();
      return true;
    }
    const std::string& part = open[1].key;
    const bool at_key = open.back().record && before(0) != ":" && (before(0) == "," || before(0) == "{");
    if (before(0) == ":") {
      const ast::Kind* kind = kind_of_key();
      if (kind != nullptr && kind->tag == ast::KindTag::boolean) {
        word("true", "bool");
        word("false", "bool");
      }
      for (int depth = 0; kind != nullptr && depth < 20; ++depth) {
        for (const ast::Text& choice : kind->choices)
          add({Proposal::Kind::choice, "\"" + choice.str() + "\"", "one of", {}, {}, false, {}});
        kind = kind->tag == ast::KindTag::named ? named_kind(kind->name) : nullptr;
      }
      return true;
    }
    if (!at_key) return true;
    const auto keyed = [this](Proposal p) {
      p.insert = p.label + ": ";
      add(std::move(p));
    };
    const auto all = [&](const auto& wanted) {
      for (std::size_t i = 0; i < best_.names.symbols.size(); ++i) {
        if (wanted(best_.names.symbols[i]) && visible(best_.names.symbols[i])) keyed(of_symbol(i));
      }
    };
    if (part == "weights") {
      all([](const Symbol& s) { return s.kind == NameKind::dimension; });
    } else if (part == "given" || part == "history") {
      const bool top = open.size() == 2 || (open.size() == 3 && !open[1].record);
      if (top) {
        all([](const Symbol& s) {
          const bool judged = s.dimension != nullptr && !s.dimension->body.expr && s.dimension->parts.empty();
          return s.kind == NameKind::input || judged;
        });
      } else if (const ast::Kind* record = record_of(kind_of_key())) {
        for (const ast::KindField& field : record->fields)
          keyed({Proposal::Kind::field,
                 field.name.text,
                 field.kind ? std::string(best_.sources().text(field.kind->span)) : "",
                 field.prose.str(),
                 {},
                 false,
                 {}});
      }
    } else if (part == "expect") {
      const std::string& inner = open.back().key;
      if (open.size() > 2 && inner == "dimensions") {
        all([](const Symbol& s) { return s.kind == NameKind::dimension; });
      } else if (open.size() > 2 && inner == "gates") {
        all([](const Symbol& s) { return s.kind == NameKind::gate; });
      } else if (const RubricModel* rubric = best_.main(); rubric != nullptr && open.size() == 2) {
        for (const VerdictField& field : rubric->verdict)
          keyed({Proposal::Kind::field,
                 field.name,
                 best_.model()->types.str(rubric->items[static_cast<std::size_t>(field.item)].type),
                 {},
                 {},
                 false,
                 {}});
      }
    }
    return true;
  }

  Service::Impl& impl_;
  const std::string& name_;
  Analysis& now_;
  Analysis& best_;
  const std::string& text_;
  std::size_t at_ = 0, begin_ = 0, declaration_ = 0, literal_ = 0;
  bool quoted_ = false;
  std::vector<RoughToken> tokens_;
  std::string_view word_;
  std::vector<Proposal> found_;
  std::set<std::string> there_;
  std::optional<std::set<std::string>> around_;  // the rubric around the place, and those it extends
};

}  // namespace

std::vector<Proposal> Service::complete(const std::string& name, std::size_t at) {
  if (impl_->analysis(name) == nullptr) return {};
  return Completion(*impl_, name, at).all();
}

}  // namespace assay
