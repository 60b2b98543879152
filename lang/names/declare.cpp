// The declarations of a file and its imports. A rubric that extends another shares the symbols that it redeclares: such
// a name is one symbol, wherever it is written.
#include "lang/names/resolver.hpp"

#include <algorithm>

namespace assay {

int Resolver::add(NameKind kind, const ast::Name& name, Span whole, int parent) {
  if (const int known = declared_at(name.span); known >= 0) return known;
  const int symbol = static_cast<int>(names_.symbols.size());
  names_.symbols.push_back({kind, name.text, name.span, whole, current_ != nullptr ? current_->index : -1, parent});
  declares(name.span, symbol);
  return symbol;
}

void Resolver::declares(Span at, int symbol) {
  bool added = false;
  int& known = declared_.at(place(at), added);
  if (added) known = symbol;
  use(at, symbol);
  if (const int* use = used_.find(place(at))) names_.uses[static_cast<std::size_t>(*use)].declares = true;
}

int Resolver::declare(NameSpace RubricNames::*space, NameKind kind, const ast::Name& name, Span whole, int parent) {
  if (name.text.empty()) return -1;
  RubricNames& rubric = current_ != nullptr ? *current_ : file_;
  int symbol = -1;
  for (const int base : rubric.bases) {
    const NameSpace& names = rubrics_[static_cast<std::size_t>(base)].*space;
    if (const auto found = names.find(name.text); found != names.end()) symbol = found->second;
  }
  if (symbol >= 0) {
    declares(name.span, symbol);
  } else {
    symbol = add(kind, name, whole, parent);
  }
  (rubric.*space).emplace(name.text, symbol);
  return symbol;
}

int Resolver::rubric_named(std::string_view name) const {
  for (const RubricNames& rubric : rubrics_) {
    if (rubric.node->name.text == name) return rubric.index;
  }
  return -1;
}

void Resolver::declare_file(const ast::File& file) {
  current_ = nullptr;
  declare_items(file.items);
  for (const ast::Rubric& node : file.rubrics) {
    if (node.name.text.empty()) continue;
    RubricNames& rubric = rubrics_.emplace_back();
    rubric.node = &node;
    rubric.index = static_cast<int>(rubrics_.size() - 1);
    names_.rubrics.push_back(&node);
    rubric.symbol = add(NameKind::rubric, node.name, node.span);
    names_.symbols[static_cast<std::size_t>(rubric.symbol)].rubric = rubric.index;
  }
}

void Resolver::declare_rubric(RubricNames& rubric) {
  if (rubric.declared) return;
  rubric.declared = true;
  // Bases first; a cycle of them, which the checker reports, ends at a rubric that is being declared.
  if (const int base = rubric_named(rubric.node->extends.text); base >= 0 && base != rubric.index) {
    RubricNames& names = rubrics_[static_cast<std::size_t>(base)];
    declare_rubric(names);
    rubric.bases.push_back(base);
    for (const int further : names.bases) {
      if (further != rubric.index) rubric.bases.push_back(further);
    }
  }
  current_ = &rubric;
  declare_items(rubric.node->items);
  current_ = nullptr;
}

void Resolver::declare_items(const std::vector<ast::Item>& items) {
  for (const ast::Item& item : items) declare_item(item);
}

void Resolver::declare_item(const ast::Item& item) {
  const auto keep = [this, &item](int symbol) {
    if (symbol < 0) return symbol;
    Symbol& s = names_.symbols[static_cast<std::size_t>(symbol)];
    if (s.item == nullptr) s.item = &item;
    return symbol;
  };
  if (const auto* type = std::get_if<ast::TypeDecl>(&item.node)) {
    const int symbol = keep(declare(&RubricNames::types, NameKind::type, type->name, item.span));
    if (type->kind) declare_kind(*type->kind, symbol);
  } else if (const auto* input = std::get_if<ast::Input>(&item.node)) {
    int symbol = -1;
    for (const ast::Name& name : input->names)
      symbol = keep(declare(&RubricNames::inputs, NameKind::input, name, item.span));
    if (input->kind) declare_kind(*input->kind, symbol);
  } else if (const auto* let = std::get_if<ast::Let>(&item.node)) {
    keep(declare(&RubricNames::values, NameKind::let, let->name, item.span));
  } else if (const auto* output = std::get_if<ast::Output>(&item.node)) {
    keep(declare(&RubricNames::values, NameKind::output, output->name, item.span));
  } else if (const auto* fn = std::get_if<ast::Fn>(&item.node)) {
    keep(declare(&RubricNames::functions, NameKind::function, fn->name, item.span));
  } else if (const auto* table = std::get_if<ast::Table>(&item.node)) {
    const int symbol = keep(declare(&RubricNames::functions, NameKind::table, table->name, item.span));
    declare_rows(table->rows, table->params.size(), symbol);
  } else if (const auto* hook = std::get_if<ast::Hook>(&item.node)) {
    const int symbol = keep(declare(&RubricNames::functions, NameKind::hook, hook->name, item.span));
    if (hook->result) declare_kind(*hook->result, symbol);
  } else if (const auto* gate = std::get_if<ast::Gate>(&item.node)) {
    keep(declare(&RubricNames::gates, NameKind::gate, gate->name, item.span));
  } else if (const auto* context = std::get_if<ast::Context>(&item.node)) {
    keep(declare(&RubricNames::contexts, NameKind::context, context->name, item.span));
  } else if (const auto* bands = std::get_if<ast::Bands>(&item.node)) {
    keep(declare(&RubricNames::values, NameKind::bands, bands->name, item.span));
  } else if (const auto* dimension = std::get_if<ast::Dimension>(&item.node)) {
    declare_dimension(*dimension, item, -1);
  }
}

void Resolver::declare_dimension(const ast::Dimension& node, const ast::Item& item, int parent) {
  const int symbol = declare(&RubricNames::values, node.criterion ? NameKind::criterion : NameKind::dimension,
                             node.name, node.span, parent);
  if (symbol >= 0) {
    Symbol& s = names_.symbols[static_cast<std::size_t>(symbol)];
    if (s.item == nullptr) s.item = &item;
    if (s.dimension == nullptr) s.dimension = &node;
    (current_ != nullptr ? *current_ : file_).dimensions.emplace(node.name.text, symbol);
  }
  for (const ast::Dimension& part : node.parts) declare_dimension(part, item, symbol);
}

void Resolver::declare_kind(const ast::Kind& kind, int parent) {
  if (kind.element) declare_kind(*kind.element, parent);
  for (const ast::KindPtr& one : kind.alternatives) declare_kind(*one, parent);
  for (const ast::KindField& field : kind.fields) {
    if (field.name.text.empty()) continue;
    const int symbol = add(NameKind::field, field.name, field.name.span, parent);
    Symbol& s = names_.symbols[static_cast<std::size_t>(symbol)];
    if (s.field == nullptr) s.field = &field;
    if (field.kind) declare_kind(*field.kind, symbol);
  }
}

// Key columns are named like parameters of the table; every other column is a name of its own.
void Resolver::declare_rows(const ast::Rows& rows, std::size_t keys, int parent) {
  for (std::size_t i = keys; i < rows.columns.size(); ++i) {
    if (!rows.columns[i].text.empty()) add(NameKind::column, rows.columns[i], rows.columns[i].span, parent);
  }
}

}  // namespace assay
