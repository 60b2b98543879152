// Names that are keys: of records and verdicts in examples, of paths, and the fields of types.
#include "lang/names/resolver.hpp"

#include <algorithm>

namespace assay {

int Resolver::declared_at(Span at) const {
  const int* symbol = declared_.find(place(at));
  return symbol != nullptr ? *symbol : -1;
}

Span Resolver::within_quotes(const ast::Text& text) const {
  Span at = text.span;
  while (at.end > at.begin && sources_.text({at.file, at.end - 1, at.end}) != "\"") --at.end;
  if (at.end < at.begin + 2) return {at.file, at.begin, at.begin};
  return {at.file, at.begin + 1, at.end - 1};
}

TypeId Resolver::type_at(const ast::Expr& e) const {
  const CheckNotes::Noted* noted = notes_ != nullptr ? notes_->find(e.span) : nullptr;
  return noted != nullptr ? noted->type : kUnknown;
}

// The meaning of a record's key: an input, or a judged dimension.
int Resolver::input_of_record(std::string_view name) const {
  const int input = look(&RubricNames::inputs, name);
  return input >= 0 ? input : look(&RubricNames::dimensions, name);
}

int Resolver::field_of(TypeId type, std::string_view field) {
  if (model_ == nullptr || type == kUnknown) return -1;
  const Type& of = model_->types[type];
  if (of.kind != TypeKind::record) return -1;
  if (of.rubric >= 0) {
    const int rubric = rubric_named(model_->rubrics[static_cast<std::size_t>(of.rubric)].name);
    if (rubric < 0) return -1;
    if (!of.verdict) {
      const int input = look_in(rubric, &RubricNames::inputs, field);
      return input >= 0 ? input : look_in(rubric, &RubricNames::dimensions, field);
    }
    return look_in(rubric, &RubricNames::values, field);
  }
  auto known = kinds_.find(type);
  if (known == kinds_.end() && notes_ != nullptr) {
    // A type derived from a written one (without its ranges, for a function) has the same fields.
    const auto same = [&of](const ast::Kind& kind) {
      return kind.fields.size() == of.fields.size() &&
             std::equal(kind.fields.begin(), kind.fields.end(), of.fields.begin(),
                        [](const ast::KindField& a, const Field& b) { return a.name.text == b.name; });
    };
    const ast::Kind* only = nullptr;
    bool several = false;
    for (const auto& [id, kind] : notes_->records) {
      if (!same(*kind)) continue;
      several = several || (only != nullptr && place(only->span) != place(kind->span));
      only = kind;
    }
    if (several) only = nullptr;
    known = kinds_.emplace(type, only).first;
  }
  if (known == kinds_.end() || known->second == nullptr) return -1;
  for (const ast::KindField& f : known->second->fields) {
    if (f.name.text == field) return declared_at(f.name.span);
  }
  return -1;  // no test: a field that its type lacks has been reported, and its record has no type
}

const ast::Kind* Resolver::kind_of_symbol(int symbol) const {
  if (symbol < 0) return nullptr;
  const Symbol& s = names_.symbols[static_cast<std::size_t>(symbol)];
  if (s.field != nullptr) return s.field->kind.get();
  if (s.dimension != nullptr) return s.dimension->kind.get();
  if (s.item == nullptr) return nullptr;
  if (const auto* input = std::get_if<ast::Input>(&s.item->node)) return input->kind.get();
  const auto* type = std::get_if<ast::TypeDecl>(&s.item->node);
  return type != nullptr ? type->kind.get() : nullptr;
}

// Follows lists, maps and type names to the written record type; null if there is none.
const ast::Kind* Resolver::record_kind(const ast::Kind* kind, int depth) const {
  constexpr int kMostNames = 20;
  if (kind == nullptr || depth > kMostNames) return nullptr;
  switch (kind->tag) {
    case ast::KindTag::record: return kind;
    case ast::KindTag::list:
    case ast::KindTag::set:
    case ast::KindTag::map: return record_kind(kind->element.get(), depth);
    case ast::KindTag::either:
      for (const ast::KindPtr& one : kind->alternatives) {
        if (const ast::Kind* found = record_kind(one.get(), depth)) return found;
      }
      return nullptr;
    case ast::KindTag::named: return record_kind(kind_of_symbol(look(&RubricNames::types, kind->name)), depth + 1);
    default: return nullptr;
  }
}

void Resolver::visit_keys_of_kind(const ast::Expr& value, const ast::Kind* kind, int depth) {
  if (value.kind == ast::ExprKind::list) {
    for (const ast::ExprPtr& item : value.args) visit_keys_of_kind(*item, kind, depth);
    return;
  }
  if (value.kind != ast::ExprKind::record) return;
  const ast::Kind* record = record_kind(kind);
  if (record == nullptr) {
    // A list of a rubric's records, or a map, whose keys are data.
    if (kind != nullptr && kind->tag == ast::KindTag::map) {
      for (const ast::ExprPtr& item : value.args) visit_keys_of_kind(*item, kind->element.get(), depth);
    }
    return;
  }
  const bool map = kind->tag == ast::KindTag::map;
  for (std::size_t i = 0; i < value.args.size(); ++i) {
    if (map) {
      visit_keys_of_kind(*value.args[i], kind->element.get(), depth);
      continue;
    }
    for (const ast::KindField& field : record->fields) {
      if (field.name.text != value.fields[i].text) continue;
      use(value.fields[i].span, declared_at(field.name.span));
      visit_keys_of_kind(*value.args[i], field.kind.get(), depth + 1);
      break;
    }
  }
}

void Resolver::visit_given(const ast::Expr* record) {
  if (record == nullptr) return;
  if (record->kind == ast::ExprKind::list) {
    for (const ast::ExprPtr& one : record->args) visit_given(one.get());
    return;
  }
  if (record->kind != ast::ExprKind::record) return;
  for (std::size_t i = 0; i < record->args.size(); ++i) {
    const int symbol = input_of_record(record->fields[i].text);
    use(record->fields[i].span, symbol);
    visit_keys_of_kind(*record->args[i], kind_of_symbol(symbol), 0);
  }
}

void Resolver::visit_expected(const ast::Expr* record) {
  if (record == nullptr || record->kind != ast::ExprKind::record) return;
  const std::function<void(const ast::Expr&, NameSpace RubricNames::*)> names = [&](const ast::Expr& inner,
                                                                                    NameSpace RubricNames::*space) {
    if (inner.kind != ast::ExprKind::record) return;
    for (std::size_t i = 0; i < inner.args.size(); ++i) {
      use(inner.fields[i].span, look(space, inner.fields[i].text));
      if (space != &RubricNames::dimensions || inner.args[i]->kind != ast::ExprKind::record) continue;
      for (std::size_t k = 0; k < inner.args[i]->args.size(); ++k) {
        if (inner.args[i]->fields[k].text == "parts") names(*inner.args[i]->args[k], space);
      }
    }
  };
  for (std::size_t i = 0; i < record->args.size(); ++i) {
    const std::string& key = record->fields[i].text;
    if (key == "dimensions") {
      names(*record->args[i], &RubricNames::dimensions);
    } else if (key == "gates") {
      names(*record->args[i], &RubricNames::gates);
    } else {
      use(record->fields[i].span, look(&RubricNames::values, key));
    }
  }
}

// "components[2].weight": the first name is an input.
void Resolver::visit_path_text(const ast::Text& text) {
  if (!text.given || !text.plain()) return;
  Span at = text.span;
  if (sources_.text(at).starts_with("\"")) at = within_quotes(text);
  const std::string_view path = sources_.text(at);
  const std::size_t size = std::min(path.find_first_of(".[ \t\n"), path.size());
  at.end = at.begin + static_cast<std::uint32_t>(size);
  use(at, input_of_record(path.substr(0, size)));
}

void Resolver::visit_example(const ast::Example& node) {
  visit_given(node.given.get());
  visit_given(node.history.get());
  if (node.weights && node.weights->kind == ast::ExprKind::record) {
    for (const ast::Name& name : node.weights->fields) use(name.span, look(&RubricNames::dimensions, name.text));
  }
  const auto context = [this](const ast::Expr& e) {
    if (e.kind == ast::ExprKind::name) use(e.span, look(&RubricNames::contexts, e.text));
    if (e.kind == ast::ExprKind::text && e.literal.plain())
      use(within_quotes(e.literal), look(&RubricNames::contexts, e.literal.str()));
  };
  if (node.context) {
    context(*node.context);
    for (const ast::ExprPtr& e : node.context->args) context(*e);
  }
  visit_expected(node.expect.get());
  if (node.error) visit_path_text(node.error_path);
}

}  // namespace assay
