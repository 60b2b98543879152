// The meaning of a name, in words: hover texts and signature help.
#include "runtime/service/service_impl.hpp"

#include "lang/model/builtin_rows.hpp"
#include "lang/parse/syntax.hpp"
#include "lang/syntax/declarations.hpp"
#include "lang/text/ascii.hpp"

#include <assay/text.hpp>

#include <algorithm>

namespace assay {

namespace {

struct DeclarationExample {
  std::string_view word, example;
};
constexpr DeclarationExample kDeclarationExamples[] = {
#define ASSAY_DECLARATION(word, rule, node, follows, decides, order, replaces, inside, foreign, example, ...) \
  {#word, example},
#define ASSAY_FRAME_WORD(word, rule, follows, decides, order, example, ...) {#word, example},
#include "lang/syntax/declarations.def"
};

std::string_view word_for(NameKind kind) {
  switch (kind) {
    case NameKind::rubric: return "rubric";
    case NameKind::type: return "type";
    case NameKind::input: return "input";
    case NameKind::dimension: return "dimension";
    case NameKind::criterion: return "criterion";
    case NameKind::let: return "let";
    case NameKind::output: return "output";
    case NameKind::bands: return "bands";
    case NameKind::gate: return "gate";
    case NameKind::context: return "context";
    case NameKind::function: return "fn";
    case NameKind::table: return "table";
    case NameKind::hook: return "hook";
    case NameKind::parameter: return "parameter";
    case NameKind::local: return "local";
    case NameKind::field: return "field";
    case NameKind::column: return "column";
  }
  return "";
}

const Symbol& symbol_of(const TextAnalysis& analysis, int symbol) {
  return analysis.names().symbols[static_cast<std::size_t>(symbol)];
}

std::string written(const TextAnalysis& analysis, Span at) { return std::string(analysis.sources().text(at)); }

std::string kind_text(const TextAnalysis& analysis, const ast::Kind* kind) {
  if (kind == nullptr) return {};
  std::string text = written(analysis, kind->span);
  return shorten(text.substr(0, text.find('\n')), 120);
}

std::string policy_text(const TextAnalysis& analysis, const ast::Policy& policy) {
  return policy.span.end > policy.span.begin ? " " + written(analysis, policy.span) : "";
}

std::string signature(const TextAnalysis& analysis, const Symbol& symbol) {
  const auto of = [&](const std::vector<ast::Param>& params) {
    std::string text = symbol.name + "(";
    for (const ast::Param& param : params) {
      if (&param != params.data()) text += ", ";
      text += param.name.text;
      if (param.kind) text += ": " + kind_text(analysis, param.kind.get());
    }
    return text + ")";
  };
  if (symbol.item == nullptr) return {};
  if (const auto* fn = std::get_if<ast::Fn>(&symbol.item->node)) return of(fn->params);
  if (const auto* hook = std::get_if<ast::Hook>(&symbol.item->node))
    return of(hook->params) + ": " + kind_text(analysis, hook->result.get());
  if (const auto* table = std::get_if<ast::Table>(&symbol.item->node)) {
    if (!table->keyed) return symbol.name;
    std::string text = symbol.name + "(";
    for (const ast::Name& param : table->params) text += (&param == table->params.data() ? "" : ", ") + param.text;
    return text + ")";
  }
  return {};
}

// The share of the total that a weight has, "25% of the weight".
std::string share_of(const TextAnalysis& analysis, std::string_view path_end) {
  const RubricModel* rubric = analysis.main();
  if (rubric == nullptr || rubric->weighting.total.missing()) return {};
  for (const WeightModel& weight : rubric->weighting.weights) {
    const std::string_view name = weight.name;
    if (name != path_end && !name.ends_with("." + std::string(path_end))) continue;
    if (weight.value.missing() || sign(rubric->weighting.total) <= 0) return {};
    NumberPool pool;
    std::string percent;
    write_shortest(mul(div(weight.value, rubric->weighting.total, pool), whole(100), pool), percent);
    return percent.size() > 8 ? std::string() : percent + "%";
  }
  return {};
}

std::string provenance_text(const ast::Input& input) {
  using ast::Provenance;
  return input.provenance == Provenance::unsaid ? "" : input.provenance == Provenance::judged ? " judged" : " measured";
}

// Of a dimension that the record gives: unless its input says otherwise, a judge does.
std::string given_by(const TextAnalysis& analysis, const std::string& name) {
  const bool measured =
      std::any_of(analysis.names().symbols.begin(), analysis.names().symbols.end(), [&](const Symbol& symbol) {
        const auto* input = symbol.kind == NameKind::input && symbol.name == name && symbol.item != nullptr
                                ? std::get_if<ast::Input>(&symbol.item->node)
                                : nullptr;
        return input != nullptr && input->provenance == ast::Provenance::measured;
      });
  return measured ? "measured" : "judged";
}

}  // namespace

std::string prose_of_symbol(const TextAnalysis& analysis, int index) {
  const Symbol& symbol = symbol_of(analysis, index);
  const auto prose = [&](const ast::Text& text) { return text.plain() ? text.str() : written(analysis, text.span); };
  if (symbol.field != nullptr) return prose(symbol.field->prose);
  if (symbol.dimension != nullptr) return prose(symbol.dimension->prose);
  if (symbol.kind == NameKind::rubric && symbol.rubric >= 0)
    return prose(analysis.names().rubrics[static_cast<std::size_t>(symbol.rubric)]->prose);
  if (symbol.item == nullptr) return {};
  return std::visit(
      [&](const auto& n) -> std::string {
        if constexpr (requires { n.prose; }) {
          return prose(n.prose);
        } else {
          return {};
        }
      },
      symbol.item->node);
}

std::string type_of_symbol(const TextAnalysis& analysis, int index) {
  const Symbol& symbol = symbol_of(analysis, index);
  if (symbol.field != nullptr)
    return kind_text(analysis, symbol.field->kind.get()) + policy_text(analysis, symbol.field->policy);
  if (symbol.item != nullptr) {
    if (const auto* input = std::get_if<ast::Input>(&symbol.item->node))
      return kind_text(analysis, input->kind.get()) + policy_text(analysis, input->policy) + provenance_text(*input);
    if (const auto* type = std::get_if<ast::TypeDecl>(&symbol.item->node)) return kind_text(analysis, type->kind.get());
  }
  if (const Item* item = analysis.item_at(symbol.at); item != nullptr && item->type != kUnknown)
    return analysis.model()->types.str(item->type) + (item->optional ? ", may be missing" : "");
  if (symbol.value != nullptr) {
    if (std::string type = analysis.type_text(symbol.value->span); !type.empty()) return type;
  }
  for (const NameUse* use : analysis.names().uses_of(index)) {
    if (std::string type = analysis.type_text(use->at); !type.empty()) return type;
  }
  return {};
}

std::string describe(const TextAnalysis& analysis, int index) {
  const Symbol& symbol = symbol_of(analysis, index);
  std::string text = "```assay\n" + std::string(word_for(symbol.kind)) + " ";
  const std::string called = signature(analysis, symbol);
  text += called.empty() ? symbol.name : called;
  const bool function = symbol.kind == NameKind::function || symbol.kind == NameKind::hook;
  const std::string type = function || symbol.kind == NameKind::table ? "" : type_of_symbol(analysis, index);
  if (!type.empty()) text += (symbol.kind == NameKind::type ? " = " : ": ") + type;
  text += "\n```\n";
  if (const std::string prose = prose_of_symbol(analysis, index); !prose.empty())
    text += "\n" + plain_markdown(prose) + "\n";
  if (symbol.dimension != nullptr) {
    const ast::Dimension& d = *symbol.dimension;
    std::string line;
    if (d.weight) line = "weight " + written(analysis, d.weight->span);
    if (d.points) line = "points " + written(analysis, d.points->span);
    if (d.advisory) line = "advisory: reported, weighs nothing";
    if (const std::string share = share_of(analysis, symbol.name); !share.empty() && d.weight)
      line += ", " + share + " of the whole";
    if (!d.body.expr && d.parts.empty()) line += (line.empty() ? "" : ", ") + given_by(analysis, d.name.text);
    if (!line.empty()) text += "\n" + line + "\n";
    for (const ast::Level& level : d.levels)
      text += "\n- level " + (level.number ? written(analysis, level.number->span) : "") + ": " +
              plain_markdown(level.prose.str());
    if (!d.levels.empty()) text += "\n";
  }
  std::size_t uses = 0;
  for (const NameUse* use : analysis.names().uses_of(index)) uses += use->declares ? 0 : 1;
  const bool counted = symbol.kind != NameKind::rubric && symbol.kind != NameKind::output;
  if (counted || uses > 0)
    text += "\nUsed " + (uses == 1 ? std::string("once") : std::to_string(uses) + " times") + " here.\n";
  return text;
}

std::optional<Explanation> Service::explain(const std::string& name, std::size_t at) {
  TextAnalysis* analysis = impl_->analysis(name);
  if (analysis == nullptr) return std::nullopt;
  const std::string& text = analysis->text();
  at = std::min(at, text.size());
  if (const NameUse* use = analysis->names().find(0, static_cast<std::uint32_t>(at)))
    return Explanation{range_of(use->at), describe(*analysis, use->symbol)};
  std::size_t begin = at, end = at;
  while (begin > 0 && is_name_character(text[begin - 1])) --begin;
  while (end < text.size() && is_name_character(text[end])) ++end;
  if (begin == end) return std::nullopt;
  const std::string word = text.substr(begin, end - begin);
  const RoughToken next = rough_token(text, static_cast<std::uint32_t>(end));
  const bool called = next.tag == RoughToken::Tag::sign && text[next.begin] == '(';
  // Nothing of a text or of a comment is explained.
  const ast::Item* item = analysis->item_around(begin);
  for (std::uint32_t place = item != nullptr ? item->span.begin : 0; place < begin;) {
    const RoughToken token = rough_token(text, place);
    if (token.tag == RoughToken::Tag::end || token.begin > begin) return std::nullopt;
    if (token.begin == begin) break;
    if (token.end > begin && text.substr(token.begin, token.end - token.begin).find('{') == std::string::npos)
      return std::nullopt;
    place = token.end;
  }
  if (const BuiltinRow* doc = find_builtin(word); doc != nullptr && called) {
    return Explanation{{begin, end},
                       "```assay\n" + std::string(doc->signature) + "\n```\n\n" + std::string(doc->doc) +
                           "\n\nExample: `" + std::string(doc->example) + "`\n"};
  }
  for (const DeclarationExample& row : kDeclarationExamples) {
    if (row.word != word || !first_in_line(text, static_cast<std::uint32_t>(begin))) continue;
    if (row.example.empty()) return Explanation{{begin, end}, "A declaration: `" + word + "`.\n"};
    return Explanation{{begin, end}, "A declaration. Written:\n\n```assay\n" + std::string(row.example) + "\n```\n"};
  }
  std::string type;
  bool part = std::any_of(std::begin(kVerdictKeys), std::end(kVerdictKeys),
                          [&](const VerdictKey& key) { return key.key == word; });
  const RubricModel* const rubric = analysis->main();
  for (const VerdictField& field : rubric == nullptr ? std::vector<VerdictField>() : rubric->verdict.fields) {
    if (field.name != word) continue;
    part = true;
    type = ": " + analysis->model()->types.str(rubric->items[static_cast<std::size_t>(field.item)].type);
  }
  if (!part) return std::nullopt;
  return Explanation{{begin, end}, "```assay\n" + word + type + "\n```\n\nA part of every verdict.\n"};
}

// ---- calls

std::optional<CallHelp> Service::call(const std::string& name, std::size_t at) {
  TextAnalysis* analysis = impl_->analysis(name);
  if (analysis == nullptr) return std::nullopt;
  const std::string& text = analysis->text();
  at = std::min(at, text.size());
  // The brackets open at the place, counted from the beginning of its declaration, so that a text cannot hide one.
  struct Open {
    std::uint32_t begin;
    std::string called;
    std::size_t commas = 0;
  };
  const std::size_t from = declaration_begin(text, at);
  std::vector<Open> open;
  RoughToken before{RoughToken::Tag::end, 0, 0};
  for (auto place = static_cast<std::uint32_t>(from); place < at;) {
    const RoughToken token = rough_token(text, place);
    if (token.tag == RoughToken::Tag::end || token.begin >= at) break;
    place = token.end;
    if (token.tag == RoughToken::Tag::sign) {
      const char c = text[token.begin];
      if (c == '(' || c == '[' || c == '{') {
        const bool called = c == '(' && before.tag == RoughToken::Tag::word && before.end == token.begin;
        open.push_back({token.begin, called ? text.substr(before.begin, before.end - before.begin) : std::string()});
      } else if ((c == ')' || c == ']' || c == '}') && !open.empty()) {
        open.pop_back();
      } else if (c == ',' && !open.empty()) {
        ++open.back().commas;
      }
    }
    before = token;
  }
  while (!open.empty() && open.back().called.empty()) open.pop_back();
  if (open.empty()) return std::nullopt;
  CallHelp help;
  help.active = open.back().commas;
  const std::string& called = open.back().called;
  const TextAnalysis* best = impl_->best(name);
  for (const TextAnalysis* where : {static_cast<const TextAnalysis*>(analysis), best}) {
    if (!help.label.empty()) break;
    for (std::size_t i = 0; i < where->names().symbols.size() && help.label.empty(); ++i) {
      const Symbol& symbol = where->names().symbols[i];
      if (symbol.name != called) continue;
      help.label = assay::signature(*where, symbol);
      if (!help.label.empty()) help.prose = prose_of_symbol(*where, static_cast<int>(i));
    }
  }
  if (help.label.empty()) {
    const BuiltinRow* doc = find_builtin(called);
    if (doc == nullptr) return std::nullopt;
    help.label = doc->signature;
    help.prose = std::string(doc->doc) + "\n\nExample: `" + std::string(doc->example) + "`";
    // Of several forms ("first(list) or first(n, list)"), the one with enough parameters.
    for (std::size_t bar = help.label.find(" or "); bar != std::string::npos && help.active > 0;
         bar = std::string::npos)
      help.label = help.label.substr(bar + 4);
  }
  const std::size_t first = help.label.find('(');
  int depth = 0;
  std::size_t begin = first + 1;
  for (std::size_t i = first; i < help.label.size(); ++i) {
    const char c = help.label[i];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if ((c == ',' && depth == 1) || (c == ')' && depth == 0)) {
      while (begin < i && help.label[begin] == ' ') ++begin;
      if (begin < i) help.parameters.emplace_back(begin, i);
      begin = i + 1;
    }
    if (depth == 0 && i > first) break;
  }
  return help;
}

}  // namespace assay
