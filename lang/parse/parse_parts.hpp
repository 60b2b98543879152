// Builds parts of declarations from syntax nodes: prose, names, kinds, policies and tables. Used by
// lang/parse/parse_build.cpp only.
#pragma once

#include "lang/parse/parse_build.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::build {

class PartBuilder : protected ExprBuilder {
 public:
  explicit PartBuilder(Syntax& syntax) : ExprBuilder(syntax) {}

 protected:
  // ---- small parts

  // Prose is kept unchanged. That of checks, caps, deductions, bonuses, flags and 'incomplete' is computed for each
  // record.
  ast::Text prose(Children& c) {
    if (!c.is(Syn::text)) return {};
    const std::uint32_t node = c.take();
    return prefixed(node) ? ast::Text() : plain_text(node, "the prose of this declaration");
  }

  // 'let a = f"… {x}"' would be read as the value 'f' and its prose.
  bool prefixed(std::uint32_t node) {
    const Span text = span(node);
    std::uint32_t begin = text.begin;
    while (begin > 0 && std::isalpha(static_cast<unsigned char>(syntax_text()[begin - 1]))) --begin;
    const std::string_view prefix = syntax_text().substr(begin, text.begin - begin);
    Children parts = children(node);
    while (!parts.done() && !parts.is(Syn::interpolation)) parts.take();
    if (parts.done() || !is_text_prefix(prefix)) return false;
    problem({Code::syntax_foreign, Span{text.file, begin, text.begin},
             "'" + std::string(prefix) + "' has no meaning before a text", "", prefix_help(source(node))});
    return true;
  }
  ast::Text computed_prose(Children& c) { return c.is(Syn::text) ? text(c.take()) : ast::Text(); }

  // A second possible place.
  void prose(Children& c, ast::Text& into) { only(prose(c), into); }
  void computed_prose(Children& c, ast::Text& into) { only(computed_prose(c), into); }

  void only(ast::Text found, ast::Text& into) {
    if (!found.given) return;
    if (into.given) {
      problem({Code::syntax_prose, found.span, "a second text for the same declaration", "",
               "a declaration has one text: before its '=' or block, or at its end", into.span, "the first text"});
    } else {
      into = std::move(found);
    }
  }

  // A name, or a text in its place: "p50 ms".
  ast::Name key(std::uint32_t node) {
    if (at(node).kind == Syn::name) return name(node);
    return {plain_text(node, "a name in quotes").str(), span(node)};
  }

  std::vector<ast::Name> names(Children& c) {
    std::vector<ast::Name> result;
    while (c.is(Syn::name) || c.is(Syn::text)) result.push_back(key(c.take()));
    return result;
  }

  std::vector<std::pair<ast::Bound, ast::ExprPtr>> bounds(std::uint32_t node) {
    std::vector<std::pair<ast::Bound, ast::ExprPtr>> result;
    for (Children c = children(node); !c.done();) {
      Children bound = children(c.take());
      const std::string sign = source(bound.take());
      const ast::Bound tag = sign == "<"    ? ast::Bound::less
                             : sign == "<=" ? ast::Bound::less_equal
                             : sign == ">"  ? ast::Bound::greater
                                            : ast::Bound::greater_equal;
      ast::ExprPtr value = expr(bound.take());
      result.emplace_back(tag, std::move(value));
    }
    return result;
  }

  // ---- kinds

  static bool is_kind(Syn kind) {
    return kind >= Syn::kind_number && kind <= Syn::kind_named && kind != Syn::kind_field;
  }

  // With all its alternatives: "number or text".
  ast::KindPtr kind(Children& c) {
    ast::KindPtr first = one_kind(c.take());
    if (!c.is(Syn::alternative)) return first;
    auto result = std::make_unique<ast::Kind>();
    result->tag = ast::KindTag::either;
    result->span = first->span;
    result->alternatives.push_back(std::move(first));
    while (c.is(Syn::alternative)) {
      Children inner = children(c.take());
      result->alternatives.push_back(one_kind(inner.take()));
      result->span.end = result->alternatives.back()->span.end;
    }
    return result;
  }

  ast::KindPtr one_kind(std::uint32_t node) {
    const Nesting nesting(one_level_more(node), Budget::kCheckLevels);
    auto result = std::make_unique<ast::Kind>();
    result->span = span(node);
    Children c = children(node);
    switch (at(node).kind) {
      case Syn::kind_number:
        result->tag = source(c.take()) == "whole" ? ast::KindTag::whole : ast::KindTag::number;
        if (c.is(Syn::literal_range)) result->high = range(c.take(), result->low);
        if (c.is(Syn::bounds)) result->bounds = bounds(c.take());
        break;
      case Syn::kind_plain: {
        const std::string word = source(node);
        result->tag = word == "bool" ? ast::KindTag::boolean : word == "text" ? ast::KindTag::text : ast::KindTag::any;
        break;
      }
      case Syn::kind_one_of:
        result->tag = ast::KindTag::one_of;
        while (!c.done()) result->choices.push_back(plain_text(c.take(), "a choice"));
        break;
      case Syn::kind_record:
        result->tag = ast::KindTag::record;
        while (!c.done()) fields(c.take(), result->fields);
        break;
      case Syn::kind_named:
        result->tag = ast::KindTag::named;
        result->name = source(node);
        break;
      case Syn::kind_group:
        result = kind(c);
        result->span = span(node);
        result->brackets = true;
        break;
      default:
        result->tag = at(node).kind == Syn::kind_list  ? ast::KindTag::list
                      : at(node).kind == Syn::kind_set ? ast::KindTag::set
                                                       : ast::KindTag::map;
        result->optional_items = c.is(Syn::policy_optional);
        if (result->optional_items) c.take();
        result->element = one_kind(c.take());
    }
    return result;
  }

  // 'a, b: kind policy "prose"': the shared part is built once for each name.
  void fields(std::uint32_t node, std::vector<ast::KindField>& into) {
    Children c = children(node);
    for (ast::Name& field : names(c)) {
      Children shared = c;
      ast::KindField result;
      result.name = std::move(field);
      result.kind = kind(shared);
      result.policy = policy(shared);
      result.prose = prose(shared);
      into.push_back(std::move(result));
    }
  }

  ast::Policy policy(Children& c) {
    ast::Policy result;
    if (c.kind() < Syn::policy_optional || c.kind() > Syn::policy_missing) return result;
    const std::uint32_t node = c.take();
    result.span = span(node);
    Children inner = children(node);
    switch (at(node).kind) {
      case Syn::policy_optional: result.tag = ast::PolicyTag::optional; break;
      case Syn::policy_default: result.tag = ast::PolicyTag::default_; break;
      case Syn::policy_missing:
        result.tag = inner.is(Syn::skip) ? ast::PolicyTag::skip : ast::PolicyTag::missing;
        break;
      default: result.tag = inner.done() ? ast::PolicyTag::required : ast::PolicyTag::required_when;
    }
    if (!inner.done() && !inner.is(Syn::skip)) result.expr = expr(inner.take());
    return result;
  }

  // 'a, b: kind': as in records and inputs, the kind applies to each name before it.
  std::vector<ast::Param> params(std::uint32_t node, bool of_hook = false) {
    std::vector<ast::Param> result;
    std::size_t waiting = 0;
    for (Children c = children(node); !c.done();) {
      Children param = children(c.take());
      result.emplace_back();
      result.back().name = name(param.take());
      if (param.done()) continue;
      const std::size_t first = waiting;
      const Children written = param;
      for (; waiting < result.size(); ++waiting) {
        param = written;
        result[waiting].kind = kind(param);
      }
      const bool optional = may_be_missing(param, of_hook);
      for (std::size_t i = first; i < waiting; ++i) result[i].optional = optional;
    }
    return result;
  }

  bool may_be_missing(Children& c, bool of_hook) {
    if (!c.is(Syn::policy_optional)) return false;
    const Span at = span(c.take());
    if (!of_hook) {
      problem({Code::syntax_expected, at,
               "'optional' is for hooks: what a function is given and what it gives may be missing anyway", "",
               "leave it out"});
    }
    return true;
  }

  // For a table, `texts` receives which of them are written "code: text".
  std::vector<ast::Name> bare_params(std::uint32_t node, std::vector<bool>* texts = nullptr) {
    std::vector<ast::Name> result;
    for (ast::Param& param : params(node)) {
      const bool text = texts != nullptr && param.kind && param.kind->tag == ast::KindTag::text;
      if (texts != nullptr) texts->push_back(text);
      if (param.kind && !text && (result.empty() || result.back().span.end < param.kind->span.begin)) {
        problem({Code::syntax_expected, param.kind->span, "a key has the kind of its cells", "",
                 "write names only: t(a, b); in a table from a CSV file 'a: text' keeps cells of digits as texts"});
      }
      result.push_back(std::move(param.name));
    }
    return result;
  }

  // ---- tables

  ast::Rows rows(std::uint32_t node) {
    ast::Rows result;
    result.span = span(node);
    Children c = children(node);
    const std::uint32_t header = c.take();
    for (Children cells = children(header); !cells.done();) column(cells.take(), result.columns);
    std::uint32_t before = header;
    // All rows agree with each other, so the header is at fault.
    const auto cells_of = [this](std::uint32_t row) {
      std::size_t n = 0;
      for (Children cells = children(row); !cells.done(); cells.take()) ++n;
      return n;
    };
    std::size_t agreed = 0, rows_seen = 0;
    for (Children all = c; !all.done(); ++rows_seen) {
      const std::size_t n = cells_of(all.take());
      agreed = rows_seen == 0 || n == agreed ? n : 0;
    }
    const bool header_wrong = rows_seen > 1 && agreed > 0 && agreed != result.columns.size();
    if (header_wrong)
      problem({Code::syntax_row, span(header),
               "the header has " + counted(result.columns.size(), " cell") + ", all rows below it have " +
                   std::to_string(agreed),
               "", "the header names each column"});
    while (!c.done()) {
      const std::uint32_t row = c.take();
      result.rows.emplace_back();
      for (Children cells = children(row); !cells.done();) result.rows.back().push_back(cell(cells.take()));
      const std::size_t found = result.rows.back().size(), wanted = result.columns.size();
      if (found != wanted && !header_wrong) row_problem(before, row, found, wanted, header);
      before = row;
    }
    result.rows.erase(std::remove_if(result.rows.begin(), result.rows.end(),
                                     [&](const auto& row) { return row.size() != result.columns.size(); }),
                      result.rows.end());
    return result;
  }

  static std::string counted(std::size_t n, const char* what) { return std::to_string(n) + what + (n == 1 ? "" : "s"); }

  void row_problem(std::uint32_t before, std::uint32_t row, std::size_t found, std::size_t wanted,
                   std::uint32_t header) {
    const std::string_view between = text_between(before, row);
    if (found < wanted && between.find('\n') == between.npos) {
      problem({Code::syntax_row, Span{span(row).file, at(before).end - 1, at(row).begin + 1}, "an empty cell", "",
               "write 'missing' or \"\" for a cell without a value", span(header), "the columns"});
      return;
    }
    // A row that goes on in a line which does not begin with '|': that line lacks it.
    const std::string_view all = syntax_text().substr(span(row).begin, span(row).end - span(row).begin);
    for (std::size_t line = all.find('\n'); found > wanted && line != all.npos; line = all.find('\n', line + 1)) {
      const std::size_t begin = all.find_first_not_of(" \t\r\n", line);
      if (begin == all.npos || all[begin] == '|' || all[begin] == '#') continue;
      const auto at_line = span(row).begin + static_cast<std::uint32_t>(begin);
      problem({Code::syntax_row, Span{span(row).file, at_line, at_line + 1}, "a row begins with '|'", "",
               "write '|' before it", span(header), "the columns"});
      return;
    }
    problem({Code::syntax_row, span(row),
             "this row has " + counted(found, " cell") + ", but the table has " + counted(wanted, " column"), "",
             "every row has one cell for each column", span(header), "the columns"});
  }

  std::string_view text_between(std::uint32_t before, std::uint32_t after) const {
    const std::uint32_t begin = at(before).end, end = at(after).begin;
    return syntax_text().substr(begin, end - begin);
  }

  static bool names_column(const std::string& written) {
    const bool is_name = std::all_of(written.begin(), written.end(),
                                     [](unsigned char c) { return c == '_' || (c < 128 && std::isalnum(c)); });
    return is_name && !std::isdigit(static_cast<unsigned char>(written[0])) && written != "missing" &&
           written != "otherwise" && written != "true" && written != "false";
  }

  void column(std::uint32_t node, std::vector<ast::Name>& columns) {
    const std::string written = source(node);
    // Once for a row: it may be the first row of a table without names.
    if (!names_column(written) && std::all_of(columns.begin(), columns.end(),
                                              [](const ast::Name& before) { return names_column(before.text); })) {
      problem({Code::syntax_row, span(node), "the first row names the columns, and this is not a name", "",
               "a name such as min_score"});
    }
    columns.push_back({written, span(node)});
  }

  ast::Cell cell(std::uint32_t node) {
    ast::Cell result;
    result.span = span(node);
    for (Children c = children(node); !c.done();) {
      const std::uint32_t pattern = c.take();
      Children inner = children(pattern);
      ast::CellPattern& into = result.patterns.emplace_back();
      into.span = span(pattern);
      if (inner.is(Syn::bounds)) {
        into.tag = ast::CellPattern::Tag::bound;
        for (auto& [bound, value] : bounds(inner.take())) {
          into.bounds.emplace_back();
          into.bounds.back().bound = bound;
          into.bounds.back().expr = std::move(value);
        }
      } else if (inner.is(Syn::otherwise)) {
        into.tag = ast::CellPattern::Tag::otherwise;
      } else {
        into.expr = expr(inner.take());
        if (into.expr->kind == ast::ExprKind::missing) into.tag = ast::CellPattern::Tag::missing;
      }
    }
    return result;
  }
};

}  // namespace assay::build
