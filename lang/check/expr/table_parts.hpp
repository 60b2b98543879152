// The parts of the checker that read written types, tables and CSV files.
#pragma once

#include "lang/check/expr/expr_parts.hpp"

#include <deque>
#include <optional>

namespace assay {

void in_order(std::vector<Number>& numbers);  // sorts and removes duplicates

// Written types, their ranges, and constants that must fit them (check_types.cpp).
class TypeReader : public ExprPart {
 public:
  using ExprPart::ExprPart;

  TypeId kind(const ast::Kind& kind, int rubric);
  Interval interval(const ast::ExprPtr& low, const ast::ExprPtr& high,
                    const std::vector<std::pair<ast::Bound, ast::ExprPtr>>& bounds, int rubric);
  // a default, converted to the type of its input
  bool convert(const Expr& constant, TypeId to, Value& result, Span span);
  Number constant_number(const ast::Expr& e, int rubric, const char* what);

 private:
  TypeId declared_type(const ast::TypeDecl& node, int rubric, std::map<std::string, TypeId, std::less<>>& known,
                       std::set<std::string, std::less<>>& building);
  bool holds_itself(TypeId type, TypeId within, std::set<TypeId>& seen) const;
  TypeId named_type(const std::string& name, Span span, int rubric);
  void no_such_type(const std::string& name, Span span, int rubric);
  bool contains_value(const Type& type, const Value& value);
  template <class TypeOf>
  bool default_small_enough(const Value* parts, std::size_t count, Span span, const TypeOf& type_of);

  std::map<std::string, TypeId, std::less<>> file_types_;
  std::set<std::string, std::less<>> file_types_building_;
};

// Whether a suggestion may write all rows of a table anew.
bool rewritable(const LookupTable& table, const ast::Rows& rows);

// Tables and their calls (check_table.cpp), proofs about their rows (check_table_rows.cpp), and doubts about them
// (check_table_doubts.cpp).
class TableReader : public ExprPart {
 public:
  using ExprPart::ExprPart;

  void check_table_keys();
  void build_table(int decl);
  bool declare_key_cells(const ast::Rows& rows, std::size_t keys, LookupTable& table, const std::vector<TypeId>& hints,
                         int rubric, std::vector<TypeId>& types);
  bool cell_test(const ast::CellPattern& pattern, int rubric, const std::string& key, std::vector<CellTest>& tests,
                 TypeId& type);
  Expr* table_call(int decl, const ast::Expr& e, std::vector<Expr*> args, Context& cx);
  Expr* table_value(int decl, Span span);
  Expr* column_value(TableDecl& decl, std::size_t column, Expr* row, Context& cx, Span span);
  bool read_columns(TableDecl& decl, const ast::Rows& rows, std::size_t keys, int rubric);
  std::string text_of_keys(const LookupTable& table, const ast::Rows& rows, std::size_t r,
                           const std::vector<TypeId>& keys) const;
  bool report_odd_bound(const LookupTable& table, const ast::Rows& rows, const std::vector<char>& reached,
                        const std::string& name);
  bool report_rounded(const LookupTable& table, const ast::Rows& rows, const std::vector<char>& reached, int decimals,
                      const std::string& name);
  void report_unreached(const LookupTable& table, const ast::Rows& rows, const std::vector<TypeId>& keys,
                        const std::vector<char>& reached, const std::vector<char>& inside_range,
                        const std::string& name);
  // `may_miss`: the key may be missing. `serve_missing`: gets the rows that only a missing key reaches.
  void prove_table(const LookupTable& table, const ast::Rows& rows, const std::vector<TypeId>& keys, bool bands,
                   int decimals, const std::string& name, bool may_miss, std::vector<char>& serve_missing);
  // `marks`: the keys that are marks of the rubric.
  void doubt_shares(const LookupTable& table, const ast::Rows& rows, const std::string& name,
                    const std::vector<bool>& marks);
  // '0,5' in a key cell: two keys, where one with a decimal comma is meant. `key`: the type of what is looked up.
  void doubt_decimal_commas(const ast::Rows& rows, std::size_t k, TypeId key, int rubric);
  Fix decimal_commas(const ast::Rows& rows, std::size_t k, TypeId key, Span& first_cell);
  void report_differences(const ast::Rows& rows, std::size_t k);

 private:
  enum class Keys { possible, missing_too, any };  // of the key's type, these and a missing one, or any values
  std::vector<std::vector<Value>> representatives(const LookupTable& table, int decimals, Keys keys);
  void report_never_missing(const TableDecl& decl);
  std::vector<Number> points_of_key(const LookupTable& table, std::size_t k, int grid);
  Span with_comments(const ast::Rows& rows, std::size_t r, bool bare) const;
  bool other_result(const ast::Rows& rows, std::size_t keys, std::size_t a, std::size_t b) const;
  bool suggest_bound(const LookupTable& table, const ast::Rows& rows, std::size_t first, std::size_t r, Diagnostic& d);
  Fix rows_in_order(const LookupTable& table, const ast::Rows& rows, bool& other_results);
  std::vector<Fix> other_scale(const LookupTable& table, const ast::Rows& rows);
  Fix without_row(const LookupTable& table, const ast::Rows& rows, std::size_t r);
  bool in_line(const ast::Rows& rows, const std::vector<std::size_t>& order = {});
  Fix turned_bounds(const LookupTable& table, const ast::Rows& rows);
  std::vector<Fix> row_moved_up(const LookupTable& table, const ast::Rows& rows, std::size_t r);
  // `beside`: gets the row from which the gap begins.
  std::vector<Fix> gap_closed(const LookupTable& table, const ast::Rows& rows, Number gap,
                              std::optional<std::size_t>& beside);
  Fix stepped(const LookupTable& table, const ast::Rows& rows, Number gap);
  std::vector<Fix> without_gap(const LookupTable& table, const ast::Rows& rows, Number gap,
                               std::optional<std::size_t>& beside);
  void report_overlaps(const LookupTable& table, const ast::Rows& rows, TypeId key, const std::string& name);
  void doubt_one_row(const TableDecl& decl);
  void doubt_cases(const TableDecl& decl);
  void doubt_limited(const TableDecl& decl);
  bool is_rounded(const Expr* key, int rubric) const;
  void doubt_gaps(TableDecl& decl, const ast::Expr& call, const Expr* key, int rubric);
  bool joins_keys(const std::vector<CellTest>& tests, TypeId before, TypeId& type);
  bool same_kinds(TypeId a, TypeId b) const;
  void read_table(TableDecl& decl);
  Expr* table_row(TableDecl& decl, const std::vector<Expr*>& args, Context& cx, Span span);
  Expr* table_function(int decl, const ast::Expr& e, std::vector<Expr*> args, Context& cx);
  void doubt_key(const TableDecl& decl, std::size_t k, const ast::Expr& call, const Expr* key, int rubric);

  std::deque<TableInstance> table_instances_;
  std::size_t proof_work_ = 50'000'000;  // rows of tables that proofs may examine
};

// Tables whose rows are in a CSV file (check_csv.cpp).
class CsvReader : public ExprPart {
 public:
  using ExprPart::ExprPart;

  bool rows_from_csv(const ast::Table& node, CsvRows& rows);
  bool declare_csv_keys(TableDecl& decl, const CsvRows& rows, LookupTable& table);
  bool read_csv_columns(TableDecl& decl, const CsvRows& rows);
  Expr* list_of_csv_rows(TableDecl& decl, const CsvRows& rows);

 private:
  CsvCell csv_cell(const CsvRows& rows, std::size_t row, std::size_t column, std::string& unescaped) const;
  TypeId csv_value(std::string_view text, bool as_text, Value& value);
  bool csv_key(const CsvCell& cell, bool as_text, const std::string& key, int rubric, std::vector<CellTest>& tests,
               TypeId& type);
};

}  // namespace assay
