// Completion inside something: fields after a dot, texts, and examples.
#include "runtime/service/completion.hpp"

#include "lang/text/key.hpp"
#include "runtime/input/csv.hpp"

namespace assay {

namespace {

using Tag = RoughToken::Tag;

constexpr std::string_view kPlaceholder = "assay_completion_here";

}  // namespace

std::size_t Completion::operand_begin(std::size_t end) const {
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

std::vector<Completion::Member> Completion::members(const Model& model, TypeId id) {
  std::vector<Member> found;
  const Type& type = model.types[id];
  if (type.kind == TypeKind::record && type.rubric >= 0) {
    const RubricModel& rubric = model.rubrics[static_cast<std::size_t>(type.rubric)];
    if (type.verdict) {
      for (const VerdictField& field : rubric.verdict.fields)
        found.push_back({field.name, rubric.items[static_cast<std::size_t>(field.item)].type, false, {}});
    } else {
      for (const Slot& slot : rubric.slots) found.push_back({slot.name, slot.type, false, slot.prose});
    }
  }
  for (const Field& field : type.fields)
    found.push_back({field.name, field.type, field.presence == Presence::optional, {}});
  for (const TypeId one : type.alternatives) {
    for (Member& member : members(model, one)) found.push_back(std::move(member));
  }
  return found;
}

void Completion::fields_of(const TextAnalysis& analysis, TypeId id, bool keys) {
  for (const Member& member : members(*analysis.model(), id))
    add({Proposal::Kind::field,
         member.name,
         analysis.model()->types.str(member.type) + (member.optional && !keys ? ", may be missing" : ""),
         member.prose,
         keys ? member.name + ": " : std::string(),
         false,
         {}});
}

std::string Completion::closers() const {
  std::vector<char> open;
  for (const RoughToken& token : tokens_) {
    const char c = text_[token.begin];
    if (token.tag != Tag::sign) continue;
    if (c == '(' || c == '[' || c == '{') open.push_back(c == '(' ? ')' : c == '[' ? ']' : '}');
    if ((c == ')' || c == ']' || c == '}') && !open.empty()) open.pop_back();
  }
  return {open.rbegin(), open.rend()};
}

std::size_t Completion::next_declaration(std::size_t from) const {
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

void Completion::fields() {
  const std::size_t dot = begin_ - 1;
  const std::size_t base = operand_begin(dot);
  if (base >= dot) return;
  const std::string_view name = std::string_view(text_).substr(base, dot - base);
  if (name == "input") return inputs_of_record();
  if (name == "gates") return symbols([](const Symbol& s) { return s.kind == NameKind::gate; });
  if (name == "dimensions") return symbols([](const Symbol& s) { return s.kind == NameKind::dimension; });
  const Span at{0, static_cast<std::uint32_t>(base), static_cast<std::uint32_t>(dot)};
  const auto known = [&](const TextAnalysis& analysis) {
    const CheckNotes::Noted* noted = analysis.model() != nullptr ? analysis.notes.find(at) : nullptr;
    if (noted == nullptr || noted->type == kUnknown) return false;
    fields_of(analysis, noted->type);
    return true;
  };
  if (const TextAnalysis* current = impl_.find(name_)->current.get(); current != nullptr && known(*current)) return;
  // First the text as it is, with the brackets closed, then the whole declaration up to here.
  std::size_t end = at_;
  while (end < text_.size() && is_name_character(text_[end])) ++end;
  const std::size_t next = next_declaration(end);
  const std::string head = text_.substr(0, begin_) + std::string(kPlaceholder);
  const std::string variants[] = {head + text_.substr(end), head + closers() + "\n" + text_.substr(next)};
  for (const std::string& variant : variants) {
    if (known(*impl_.analyse(name_, variant))) return;
  }
  // The value may be bound further on (x.name for x in xs): what stood here in the last text without errors, or else
  // the fields of everything.
  if (same_until(dot) && known(best())) return;
  symbols([](const Symbol& s) { return s.kind == NameKind::field || s.kind == NameKind::column; });
}

bool Completion::same_until(std::size_t end) const {
  return best().text().compare(0, end, text_, 0, end) == 0 && best().text().size() >= end;
}

void Completion::inputs_of_record() {
  inputs();
  symbols(
      [](const Symbol& s) { return s.dimension != nullptr && !s.dimension->body.expr && s.dimension->parts.empty(); });
}

void Completion::choices_of(const TextAnalysis& analysis, TypeId id) {
  if (analysis.model() == nullptr) return;
  const TypeTable& types = analysis.model()->types;
  while (types.kind(id) == TypeKind::list || types.kind(id) == TypeKind::map) id = types[id].element;
  for (const TypeId one : types[id].alternatives) choices_of(analysis, one);
  for (const std::string& choice : types[id].choices)
    add({Proposal::Kind::choice, choice, "one of", {}, {}, false, {}});
}

void Completion::choices_of(const ast::Kind* kind) {
  for (int depth = 0; kind != nullptr && depth < 20; ++depth) {
    for (const ast::Text& choice : kind->choices)
      add({Proposal::Kind::choice, choice.str(), "one of", {}, {}, false, {}});
    for (const ast::KindPtr& one : kind->alternatives) choices_of(one.get());
    if (kind->tag == ast::KindTag::named) {
      kind = named_kind(kind->name);
    } else {
      kind = kind->element.get();
    }
  }
}

const ast::Kind* Completion::named_kind(std::string_view name) const {
  for (const Symbol& symbol : best().names().symbols) {
    if (symbol.kind != NameKind::type || symbol.name != name || symbol.item == nullptr) continue;
    return std::get<ast::TypeDecl>(symbol.item->node).kind.get();
  }
  return nullptr;
}

void Completion::in_text() {
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
    if (const CheckNotes::Noted* noted = now().notes.find(at); noted != nullptr) return choices_of(now(), noted->type);
    const std::string closed = text_.substr(0, at_) + "\"" + closers() + "\n" + text_.substr(next_declaration(at_));
    const auto patched = impl_.analyse(name_, closed);
    const CheckNotes::Noted* left_noted = patched->model() != nullptr ? patched->notes.find(at) : nullptr;
    if (left_noted != nullptr) return choices_of(*patched, left_noted->type);
    const std::string left(text_.substr(at.begin, at.end - at.begin));
    for (std::size_t i = 0; i < best().names().symbols.size(); ++i) {
      if (best().names().symbols[i].name == left && best().names().symbols[i].item != nullptr) {
        if (const auto* input = std::get_if<ast::Input>(&best().names().symbols[i].item->node))
          return choices_of(input->kind.get());
      }
    }
    return;
  }
  if (word_ == "table" || word_ == "bands") cell_choices();
}

void Completion::cell_choices() {
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
  if (best().model() == nullptr) return;
  const std::string_view table = tokens_.size() > 1 ? shown(tokens_[1]) : std::string_view();
  for (const LookupTable& one : best().model()->tables) {
    if (one.name == table && columns <= one.keys.size()) choices_of(best(), one.keys[columns - 1].type);
  }
  if (!found_.empty()) return;
  // An argument may have a narrower type than the cells: that of an input with the key's name.
  for (const Symbol& symbol : best().names().symbols) {
    if (symbol.name != key || symbol.kind != NameKind::input || symbol.item == nullptr) continue;
    choices_of(std::get<ast::Input>(symbol.item->node).kind.get());
  }
}

bool Completion::csv_columns() {
  const auto is = [this](std::string_view sign) {
    return [this, sign](const RoughToken& token) { return shown(token) == sign; };
  };
  const bool at_key = tokens_.size() > 2 && shown(tokens_[2]) == "(" && (before(0) == "(" || before(0) == ",") &&
                      std::none_of(tokens_.begin(), tokens_.end(), is(")"));
  if (!at_key) return false;
  std::string file;
  bool from = false;
  for (auto place = static_cast<std::uint32_t>(at_); file.empty();) {
    const RoughToken token = rough_token(text_, place);
    const bool declares = first_in_line(text_, token.begin) && begins_declaration(text_, token);
    if (token.tag == Tag::end || shown(token) == "{" || (token.tag == Tag::word && declares)) return false;
    if (from && token.tag == Tag::text && token.end - token.begin > 2)
      file = text_.substr(token.begin + 1, token.end - token.begin - 2);
    from = shown(token) == "from";
    place = token.end;
  }
  const std::string name = impl_.resolve(file, name_);
  std::optional<std::string> text;
  if (const Document* held = impl_.find(name); held != nullptr && held->held) text = held->text;
  else if (impl_.options.read) text = impl_.options.read(name);
  if (!text) return true;
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text->starts_with(kMark)) text->erase(0, kMark.size());
  const std::size_t end = text->size();
  text->push_back('\n');
  text->append(CsvTable::kAhead, '\0');
  std::vector<std::string_view> columns;
  read_csv_row(text->data(), text->data() + end, ',', columns);
  for (const std::string_view column : columns) {
    const bool taken = std::any_of(tokens_.begin() + 3, tokens_.end(), is(column));
    if (is_name(column) && !taken)
      add({Proposal::Kind::field, std::string(column), "column of '" + file + "'", {}, {}, false, {}});
  }
  return true;
}

void Completion::files() {
  const std::string ending = before(0) == "import" ? ".rubric" : word_ == "hook" ? ".lua" : ".csv";
  const std::size_t slash = name_.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : name_.substr(0, slash + 1);
  std::vector<std::string> all = impl_.known_files();
  if (impl_.options.beside) {
    for (std::string& file : impl_.options.beside(name_)) all.push_back(std::move(file));
  }
  for (const std::string& file : all) {
    if (file == name_ || !file.starts_with(folder) || !file.ends_with(ending)) continue;
    add({Proposal::Kind::file, file.substr(folder.size()), "file", {}, {}, false, {}});
  }
}

std::vector<Completion::Level> Completion::path(std::string& key) const {
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

const ast::Kind* Completion::kind_of_input(std::string_view name) const {
  for (const Symbol& symbol : best().names().symbols) {
    if (symbol.name != name || symbol.item == nullptr) continue;
    if (symbol.dimension != nullptr) return symbol.dimension->kind.get();
    if (const auto* input = std::get_if<ast::Input>(&symbol.item->node)) return input->kind.get();
  }
  return nullptr;
}

const ast::Kind* Completion::record_of(const ast::Kind* kind) const {
  for (int depth = 0; kind != nullptr && depth < 20; ++depth) {
    if (kind->tag == ast::KindTag::record) return kind;
    for (const ast::KindPtr& one : kind->alternatives) {
      if (const ast::Kind* found = record_of(one.get())) return found;
    }
    kind = kind->tag == ast::KindTag::named ? named_kind(kind->name) : kind->element.get();
  }
  return nullptr;
}

std::vector<std::string> Completion::keys_of_record() const {
  std::string key;
  const std::vector<Level> open = path(key);
  std::vector<std::string> keys;
  for (std::size_t i = 2; i < open.size(); ++i) {
    if (!open[i].key.empty()) keys.push_back(open[i].key);
  }
  if (!key.empty()) keys.push_back(key);
  return keys;
}

TypeId Completion::type_of_keys(bool expected) const {
  const RubricModel* rubric = best().main();
  const std::vector<std::string> keys = keys_of_record();
  if (rubric == nullptr || keys.empty()) return kUnknown;
  const Model& model = *best().model();
  std::vector<Member> list;
  for (const VerdictField& field : rubric->verdict.fields) {
    if (expected) list.push_back({field.name, rubric->items[static_cast<std::size_t>(field.item)].type, false, {}});
  }
  for (const Slot& slot : rubric->slots) {
    if (!expected) list.push_back({slot.name, slot.type, false, {}});
  }
  TypeId type = kUnknown;
  for (const std::string& key : keys) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const Member& member) { return member.name == key; });
    if (found == list.end()) {
      // The keys of a map are data, which lead to its values.
      if (type == kUnknown || model.types.kind(type) != TypeKind::map) return kUnknown;
      type = model.types[type].element;
    } else {
      type = found->type;
    }
    while (model.types.kind(type) == TypeKind::list) type = model.types[type].element;
    list = members(model, type);
  }
  return type;
}

const ast::Kind* Completion::kind_of_key() const {
  std::string key;
  const std::vector<Level> open = path(key);
  if (open.size() < 2 || (open[1].key != "given" && open[1].key != "history")) return nullptr;
  const std::vector<std::string> keys = keys_of_record();
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

bool Completion::example() {
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
    for (std::size_t i = 0; i < best().names().symbols.size(); ++i) {
      if (wanted(best().names().symbols[i]) && visible(best().names().symbols[i])) keyed(of_symbol(i));
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
               field.kind ? std::string(best().sources().text(field.kind->span)) : "",
               field.prose.str(),
               {},
               false,
               {}});
    } else if (const TypeId type = type_of_keys(false); type != kUnknown) {
      fields_of(best(), type, true);
    }
  } else if (part == "expect") {
    const std::string& inner = open.back().key;
    if (open.size() > 2 && inner == "dimensions") {
      all([](const Symbol& s) { return s.kind == NameKind::dimension; });
    } else if (open.size() > 2 && inner == "gates") {
      all([](const Symbol& s) { return s.kind == NameKind::gate; });
    } else if (const RubricModel* rubric = best().main(); rubric != nullptr && open.size() == 2) {
      for (const VerdictField& field : rubric->verdict.fields)
        keyed({Proposal::Kind::field,
               field.name,
               best().model()->types.str(rubric->items[static_cast<std::size_t>(field.item)].type),
               {},
               {},
               false,
               {}});
    } else if (const TypeId type = type_of_keys(true); type != kUnknown) {
      fields_of(best(), type, true);
    }
  }
  return true;
}

}  // namespace assay
