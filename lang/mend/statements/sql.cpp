// Tables of SQL: CREATE TABLE, whose columns are inputs, or the keys and values of a table that INSERT INTO fills.
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/items.hpp"
#include "lang/mend/types/types.hpp"
#include "lang/text/ascii.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {
namespace {

bool says(const Tokens& tokens, std::size_t i, std::string_view word) { return in_lower_case(tokens[i].shown) == word; }

// The parts of a bracket, divided by commas.
std::vector<Span> parts_of(const Tokens& tokens, std::size_t open) {
  std::vector<Span> parts;
  std::size_t from = open + 1;
  for (std::size_t i = open + 1; i <= tokens[open].partner; i = tokens.behind(i)) {
    if (i < tokens[open].partner && !tokens.is(i, ",")) continue;
    if (i > from) parts.push_back({from, i});
    from = i + 1;
    if (i == tokens[open].partner) break;
  }
  return parts;
}

struct Created {
  std::string_view name;
  std::size_t begin = 0, end = 0;
  std::vector<Span> columns;
};

bool read_create(const Tokens& tokens, std::size_t i, Created& table) {
  if (!tokens[i].first || !says(tokens, i, "create") || !says(tokens, i + 1, "table")) return false;
  std::size_t name = i + 2;
  while (says(tokens, name, "if") || says(tokens, name, "not") || says(tokens, name, "exists")) ++name;
  if (tokens[name].kind != Token::Kind::word || !tokens.is(name + 1, "(") || tokens[name + 1].partner == kNone)
    return false;
  table.name = tokens[name].shown;
  table.begin = i;
  table.end = tokens[name + 1].partner + 1;
  if (tokens.is(table.end, ";")) ++table.end;
  table.columns = parts_of(tokens, name + 1);
  return !table.columns.empty();
}

// INSERT INTO name VALUES (…), (…); the rows of a table. `end`: behind it; kNone: no such statement.
std::string rows_of(const Tokens& tokens, const Created& table, std::size_t& end) {
  std::string rows;
  end = kNone;
  for (std::size_t i = table.end; i + 4 < tokens.size(); ++i) {
    if (!tokens[i].first || !says(tokens, i, "insert") || !tokens.is(i + 2, table.name)) continue;
    if (i > table.end && (end == kNone || i != end)) return {};  // something stands between
    std::size_t at = i + 3;
    if (tokens.is(at, "(") && tokens[at].partner != kNone) at = tokens[at].partner + 1;  // the names of columns
    if (!says(tokens, at, "values")) return {};
    for (++at; tokens.is(at, "(") && tokens[at].partner != kNone; at += tokens.is(at, ",") ? 1 : 0) {
      const std::vector<Span> cells = parts_of(tokens, at);
      if (cells.size() != table.columns.size()) return {};
      rows += "\n    |";
      for (const Span& cell : cells) {
        const std::string text = raw(tokens, cell);
        rows += " " + (tokens[cell.begin].is_text() ? as_text(text) : text) + " |";
      }
      at = tokens[at].partner + 1;
    }
    end = tokens.is(at, ";") ? at + 1 : at;
    i = end - 1;
  }
  return rows;
}

}  // namespace

void tables_of_sql(const Window& window, Proposals& out) {
  if (window.problem.code != "E0107") return;
  const Tokens& tokens = window.tokens;
  std::vector<Edit> edits;
  bool sure = true, inside = false;
  for (std::size_t i = 0; i + 4 < tokens.size(); ++i) {
    inside = inside || (tokens[i].first && tokens.is(i, "rubric"));
    Created table;
    if (!read_create(tokens, i, table)) continue;
    std::size_t end = kNone;
    const std::string rows = rows_of(tokens, table, end), indent = indent_before(tokens, i);
    std::string all;
    if (!rows.empty()) {  // the first column is the key
      std::string names;
      for (const Span& column : table.columns) names += " " + std::string(tokens[column.begin].shown) + " |";
      all = "table " + std::string(table.name) + "(" + std::string(tokens[table.columns[0].begin].shown) +
            ") {\n    |" + names + rows + "\n" + indent + "}";
    } else {
      end = table.end;
      bool required = false;  // whether one says so: the others may be missing
      for (std::size_t k = i; k < end; ++k)
        required = required || (says(tokens, k, "not") && says(tokens, k + 1, "null"));
      for (const Span& column : table.columns) {
        if (among(in_lower_case(tokens[column.begin].shown), {"primary", "foreign", "unique", "check", "constraint"})) {
          sure = false;
          continue;
        }
        Type type(tokens, tokens[column.begin].shown, column.begin + 1, column.end);
        if (tokens[column.begin].kind != Token::Kind::word || !type.read() || type.at() != column.end) return;
        std::string written = type.written();
        bool must = false;
        for (std::size_t k = column.begin; k < column.end; ++k)
          must = must || says(tokens, k, "not") || says(tokens, k, "default");
        if (required && !must && written.find(" optional") == written.npos) written += " optional";
        all += (all.empty() ? "" : "\n" + indent) + "input " + std::string(tokens[column.begin].shown) + ": " + written;
        sure = sure && !type.doubtful() && required;
      }
      if (all.empty()) return;
      if (!inside) all = "rubric " + std::string(table.name) + " {\n" + all + "\n}", sure = false;
    }
    edits.push_back(out.edit(tokens[i].begin, tokens[end - 1].end, all));
    i = end - 1;
  }
  if (!edits.empty()) out.add(std::move(edits), sure);
}

}  // namespace assay::mending
