// The rows of lang/syntax/declarations.def as tables, for lookups by word, key or node. That file explains the columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay {

namespace ast {

// The effect of a changed declaration on a verdict.
enum class Decides : std::uint8_t {
  nothing,  // texts, versions, examples
  labels,   // flags, advice, an order without meaning of its own
  bands,    // thresholds, names of bands
  scores,   // everything else
};

}  // namespace ast

enum class DeclarationOrder : bool { unordered, ordered };

struct DeclarationWord {
  std::string_view word, follows;
  ast::Decides decides;
  DeclarationOrder order;
  std::string_view foreign, snippet;
  bool in_rubric = true;  // it begins a declaration in a rubric; false: a frame word
};
inline constexpr DeclarationWord kDeclarationWords[] = {
#define ASSAY_DECLARATION(word, rule, node, follows, decides, order, replaces, inside, foreign, example, snippet) \
  {#word, follows, ast::Decides::decides, DeclarationOrder::order, foreign, snippet},
#define ASSAY_SECOND_WORD(word, follows, decides, order, foreign, snippet) \
  {#word, follows, ast::Decides::decides, DeclarationOrder::order, foreign, snippet},
#define ASSAY_FRAME_WORD(word, rule, follows, decides, order, example, snippet) \
  {#word, follows, ast::Decides::decides, DeclarationOrder::order, "", snippet, false},
#include "lang/syntax/declarations.def"
};

constexpr const DeclarationWord* find_declaration(std::string_view word) {
  for (const DeclarationWord& row : kDeclarationWords) {
    if (row.word == word) return &row;
  }
  return nullptr;
}

// By the index of its node in ast::Item::node.
struct ItemRow {
  std::string_view word, replaces, inside;
};
inline constexpr ItemRow kItemRows[] = {
#define ASSAY_DECLARATION(word, rule, node, follows, decides, order, replaces, inside, ...) {#word, replaces, inside},
#include "lang/syntax/declarations.def"
};

enum class AdjustmentKind : std::uint8_t {
#define ASSAY_ADJUSTMENT(word, list, total, apply, heading, done, a_word, sign_help) word,
#include "lang/syntax/declarations.def"
};
enum class ApplyTotal : std::uint8_t { sub, add };

struct AdjustmentRow {
  AdjustmentKind kind;
  std::string_view word, list, total;
  ApplyTotal apply;
  std::string_view heading, done, a_word, sign_help;
};
inline constexpr AdjustmentRow kAdjustments[] = {
#define ASSAY_ADJUSTMENT(word, list, total, apply, heading, done, a_word, sign_help) \
  {AdjustmentKind::word, #word, list, total, ApplyTotal::apply, heading, done, a_word, sign_help},
#include "lang/syntax/declarations.def"
};
constexpr const AdjustmentRow& row_of(AdjustmentKind kind) { return kAdjustments[static_cast<std::size_t>(kind)]; }

std::string adjustment_lists();  // "deductions or bonuses"

struct VerdictKey {
  std::string_view key;
  int decimals;
  std::string_view only_with;
  bool told;
};
inline constexpr int kAsItIs = -1, kOfScale = -3;  // of VerdictKey::decimals
inline constexpr VerdictKey kVerdictKeys[] = {
#define ASSAY_VERDICT_KEY(key, decimals, only_with, told) {key, decimals, only_with, told},
#include "lang/syntax/declarations.def"
};

struct ExplainedList {
  std::string_view key, heading;
};
inline constexpr ExplainedList kExplainedLists[] = {
#define ASSAY_EXPLAINED_LIST(key, heading) {key, heading},
#include "lang/syntax/declarations.def"
};

}  // namespace assay
