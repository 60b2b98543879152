// Builds declarations, kinds and tables from syntax nodes: one function a declaration, each reading the children of its
// node in the order in which the grammar matched them.
#include "lang/syntax/parse_build.hpp"

#include <algorithm>
#include <cassert>
#include <cctype>

namespace assay::build {
namespace {

class Builder : ExprBuilder {
 public:
  explicit Builder(Syntax& syntax) : ExprBuilder(syntax) {}

  ast::File file() {
    ast::File result;
    result.file = span(0).file;
    for (Children c = children(0); !c.done();) {
      const std::uint32_t node = c.take();
      if (at(node).kind == Syn::import_line) {
        Children inner = children(node);
        result.imports.push_back({plain_text(inner.take(), "the file of an import"), span(node)});
      } else if (at(node).kind == Syn::rubric) {
        result.rubrics.push_back(rubric(node));
      } else {
        add_item(result.items, node);
      }
    }
    return result;
  }

  ast::ExprPtr only_expression() {
    Children c = children(0);
    return expr(c.take());
  }

 private:
  // ---- small parts

  // Prose is kept as it stands. That of checks, caps, deductions, bonuses, flags and 'incomplete' is computed for
  // each record.
  ast::Text prose(Children& c) {
    if (!c.is(Syn::text)) return {};
    const std::uint32_t node = c.take();
    return prefixed(node) ? ast::Text() : plain_text(node, "the prose of this declaration");
  }

  // 'let a = f"… {x}"' is read as the value 'f' and its prose.
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

  // A second place where it may stand.
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

  // A name, or a text that stands for one: "p50 ms".
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

  // 'a, b: kind': as in records and inputs, the kind holds for each name before it.
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

  // Of a table `texts` takes which of them are written "code: text".
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
    while (!c.done()) {
      const std::uint32_t row = c.take();
      result.rows.emplace_back();
      for (Children cells = children(row); !cells.done();) result.rows.back().push_back(cell(cells.take()));
      const std::size_t found = result.rows.back().size(), wanted = result.columns.size();
      if (found != wanted) row_problem(before, row, found, wanted, header);
      before = row;
    }
    result.rows.erase(std::remove_if(result.rows.begin(), result.rows.end(),
                                     [&](const auto& row) { return row.size() != result.columns.size(); }),
                      result.rows.end());
    return result;
  }

  void row_problem(std::uint32_t before, std::uint32_t row, std::size_t found, std::size_t wanted,
                   std::uint32_t header) {
    const std::string_view between = text_between(before, row);
    if (found < wanted && between.find('\n') == between.npos) {
      problem({Code::syntax_row, Span{span(row).file, at(before).end - 1, at(row).begin + 1}, "an empty cell", "",
               "write 'missing' or \"\" for a cell without a value", span(header), "the columns"});
      return;
    }
    const auto cells = [](std::size_t n) { return std::to_string(n) + (n == 1 ? " cell" : " cells"); };
    problem({Code::syntax_row, span(row),
             "this row has " + cells(found) + ", but the table has " + std::to_string(wanted) +
                 (wanted == 1 ? " column" : " columns"),
             "", "every row has one cell for each column", span(header), "the columns"});
  }

  std::string_view text_between(std::uint32_t before, std::uint32_t after) const {
    const std::uint32_t begin = at(before).end, end = at(after).begin;
    return syntax_text().substr(begin, end - begin);
  }

  void column(std::uint32_t node, std::vector<ast::Name>& columns) {
    const std::string written = source(node);
    const bool is_name = std::all_of(written.begin(), written.end(),
                                     [](unsigned char c) { return c == '_' || (c < 128 && std::isalnum(c)); });
    if (!is_name || std::isdigit(static_cast<unsigned char>(written[0])) || written == "missing" ||
        written == "otherwise" || written == "true" || written == "false") {
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

  // ---- declarations

  ast::Rubric rubric(std::uint32_t node) {
    ast::Rubric result;
    result.span = span(node);
    Children c = children(node);
    result.name = name(c.take());
    if (c.is(Syn::extends)) {
      Children inner = children(c.take());
      result.extends = name(inner.take());
    }
    result.prose = prose(c);
    while (!c.done()) add_item(result.items, c.take());
    return result;
  }

  void add_item(std::vector<ast::Item>& items, std::uint32_t node) {
    const WorkingOn working(budget(), span(node));
    try {
      const Nesting nesting(one_level_more(node), Budget::kCheckLevels);
      ast::Item item;
      item.span = span(node);
      item.word = span(node + 1);  // a mark, or the leaf that tells 'deduction' from 'bonus'
      build(node, item);
      items.push_back(std::move(item));
    } catch (const TooDeep&) {
      // reported where it was found
    }
  }

  // ---- a function for each row of lang/syntax/declarations.def

  void build(std::uint32_t node, ast::Item& item) {
    Children c = children(node);
    switch (at(node).kind) {
#define ASSAY_DECLARATION(word, rule, ...) \
  case Syn::item_##rule:                   \
    item.node = rule(c);                   \
    break;
#include "lang/syntax/declarations.def"
      default: assert(false);
    }
    if (auto* of = std::get_if<ast::Dimension>(&item.node)) of->span = item.span;
  }

  template <typename Node>
  Node defined(Children& c) {
    Node result;
    result.name = name(c.take());
    result.prose = prose(c);
    result.body = body(c.take());
    prose(c, result.prose);
    return result;
  }
  ast::Let let(Children& c) { return defined<ast::Let>(c); }
  ast::Gate gate(Children& c) { return defined<ast::Gate>(c); }

  ast::Version version(Children& c) { return {plain_text(c.take(), "the version")}; }
  ast::Weights weights(Children& c) { return {source(c.take()) == "rescaled"}; }
  ast::HistoryBy history(Children& c) { return {name(c.take())}; }
  ast::Composite composite(Children& c) { return {body(c.take())}; }
  ast::Rank rank(Children& c) { return {order(c.take())}; }
  ast::Cohort cohort(Children& c) {
    ast::Cohort result;
    while (!c.done()) add_item(result.items, c.take());
    return result;
  }

  int digits(std::uint32_t node) {
    constexpr int kMost = 40;
    const int written = decimals(node);
    if (written >= 1 && written <= kMost) return written;
    problem(
        {Code::bad_number, span(node), "a number is shown with 1 to 40 digits", "", "17 tell any two doubles apart"});
    return -1;
  }

  ast::Scale scale(Children& c) {
    ast::Scale result;
    const std::uint32_t limits = c.take();
    if (at(limits).kind == Syn::open_word) result.open = true;
    if (at(limits).kind == Syn::literal_range) result.high = range(limits, result.low);
    if (at(limits).kind == Syn::bounds) result.bounds = bounds(limits);
    if (c.is(Syn::decimals)) result.decimals = decimals(c.take());
    if (c.is(Syn::digits_shown)) result.digits = digits(c.take());
    return result;
  }

  ast::TypeDecl type(Children& c) {
    ast::TypeDecl result;
    result.name = name(c.take());
    result.kind = kind(c);
    return result;
  }

  ast::Input input(Children& c) {
    ast::Input result;
    result.names = names(c);
    result.kind = kind(c);
    result.policy = policy(c);
    result.prose = prose(c);
    return result;
  }

  ast::Check check(Children& c) {
    ast::Check result;
    result.condition = expr(c.take());
    if (c.is(Syn::loop)) result.loop = std::make_unique<ast::Loop>(loop(c.take()));
    result.path = path(c.take());
    result.prose = computed_prose(c);
    return result;
  }

  ast::Fn fn(Children& c) {
    ast::Fn result;
    result.name = name(c.take());
    result.params = params(c.take());
    if (c.is(Syn::result)) {
      Children inner = children(c.take());
      result.result = kind(inner);
      may_be_missing(inner, false);
    }
    result.prose = prose(c);
    result.body = body(c.take());
    prose(c, result.prose);
    return result;
  }

  ast::Text from(std::uint32_t node) {
    Children c = children(node);
    return plain_text(c.take(), "the name of a file");
  }

  ast::Table table(Children& c) {
    ast::Table result;
    result.name = name(c.take());
    if (c.is(Syn::params)) {
      result.keyed = true;
      result.params = bare_params(c.take(), &result.texts);
    }
    result.prose = prose(c);
    const std::uint32_t content = c.take();
    if (at(content).kind == Syn::rows) {
      for (std::size_t i = 0; i < result.texts.size(); ++i) {
        if (result.texts[i])
          problem({Code::syntax_expected, result.params[i].span,
                   "rows that are written here say themselves what is a text", "",
                   "write the name only, and its cells in quotes; ': text' is for the cells of a CSV file"});
      }
      result.rows = rows(content);
    } else {
      result.from = from(content);
    }
    prose(c, result.prose);
    return result;
  }

  ast::Hook hook(Children& c) {
    ast::Hook result;
    result.name = name(c.take());
    result.params = params(c.take(), true);
    Children result_of = children(c.take());
    result.result = kind(result_of);
    result.optional = may_be_missing(result_of, true);
    result.prose = prose(c);
    const std::uint32_t content = c.take();
    if (at(content).kind == Syn::from) {
      result.from = from(content);
    } else {
      result.source_span = span(content);
      result.source_span.begin += 3;
      result.source_span.end -= 3;
      result.source = std::string(
          syntax_text().substr(result.source_span.begin, result.source_span.end - result.source_span.begin));
    }
    prose(c, result.prose);
    return result;
  }

  ast::Dimension dimension(Children& c) {
    ast::Dimension result;
    result.criterion = source(c.take()) == "criterion";
    result.name = name(c.take());
    if (is_kind(c.kind())) result.kind = kind(c);
    while (!c.done()) {
      const Syn next = c.kind();
      if (next == Syn::text) {
        prose(c, result.prose);
      } else if (next == Syn::weight || next == Syn::points) {
        const std::uint32_t option = c.take();
        Children inner = children(option);
        ast::ExprPtr& into = next == Syn::weight ? result.weight : result.points;
        if (into) repeated(option, next == Syn::weight ? "weight" : "points");
        into = expr(inner.take());
      } else if (next == Syn::advisory) {
        const std::uint32_t option = c.take();
        if (result.advisory) repeated(option, "advisory");
        result.advisory = true;
      } else if (next == Syn::policy_missing) {
        const bool again = result.policy.tag != ast::PolicyTag::required;
        result.policy = policy(c);
        if (again) problem({Code::syntax_repeated, result.policy.span, "'missing' stands twice in the same dimension"});
      } else if (next == Syn::body) {
        result.body = body(c.take());
      } else {
        block(c.take(), result);
      }
    }
    return result;
  }

  void repeated(std::uint32_t option, const char* word) {
    problem({Code::syntax_repeated, span(option), std::string("'") + word + "' stands twice in the same dimension"});
  }

  void block(std::uint32_t node, ast::Dimension& into) {
    for (Children c = children(node); !c.done();) {
      const std::uint32_t part = c.take();
      if (at(part).kind == Syn::level) {
        Children inner = children(part);
        ast::Level& level = into.levels.emplace_back();
        level.span = span(part);
        level.number = expr(inner.take());
        level.prose = plain_text(inner.take(), "the text of a level");
      } else {
        try {
          const Nesting nesting(one_level_more(part), Budget::kCheckLevels);
          Children inner = children(part);
          ast::Dimension built = dimension(inner);
          built.span = span(part);
          into.parts.push_back(std::move(built));
        } catch (const TooDeep&) {
          // reported where it was found
        }
      }
    }
  }

  ast::Cap cap(Children& c) {
    ast::Cap result;
    result.target = name(c.take());
    result.at = expr(c.take());
    if (c.is(Syn::cap_when)) result.when = condition(c.take());
    result.prose = computed_prose(c);
    return result;
  }

  ast::ExprPtr condition(std::uint32_t node) {
    Children c = children(node);
    return expr(c.take());
  }

  ast::Incomplete incomplete(Children& c) {
    ast::Incomplete result;
    result.when = expr(c.take());
    result.prose = computed_prose(c);
    return result;
  }

  ast::Text label(std::uint32_t node) {
    if (at(node).kind == Syn::text) return text(node);
    ast::Text result;
    result.given = true;
    result.span = span(node);
    result.parts.emplace_back();
    result.parts[0].literal = source(node);
    result.parts[0].span = result.span;
    return result;
  }

  ast::Adjustment adjustment(Children& c) {
    ast::Adjustment result;
    const std::string word = source(c.take());
    for (const AdjustmentRow& row : kAdjustments) {
      if (row.word == word) result.kind = row.kind;
    }
    result.label = label(c.take());
    result.prose = computed_prose(c);
    result.body = body(c.take());
    if (c.is(Syn::loop)) result.loop = std::make_unique<ast::Loop>(loop(c.take()));
    computed_prose(c, result.prose);
    return result;
  }

  ast::Bands bands(Children& c) {
    ast::Bands result;
    result.name = name(c.take());
    result.params = bare_params(c.take());
    if (c.is(Syn::within)) result.within = condition(c.take());
    result.rows = rows(c.take());
    return result;
  }

  ast::Output output(Children& c) {
    ast::Output result;
    if (c.is(Syn::each)) {
      c.take();
      result.each = true;
    }
    result.name = key(c.take());
    result.prose = prose(c);
    if (c.is(Syn::body)) result.body = body(c.take());
    if (c.is(Syn::decimals)) result.decimals = decimals(c.take());
    if (c.is(Syn::digits_shown)) result.digits = digits(c.take());
    prose(c, result.prose);
    return result;
  }

  ast::Flag flag(Children& c) {
    ast::Flag result;
    result.label = label(c.take());
    if (c.is(Syn::loop)) result.loop = std::make_unique<ast::Loop>(loop(c.take()));
    if (c.is(Syn::flag_when)) result.when = condition(c.take());
    result.prose = computed_prose(c);
    return result;
  }

  ast::Advice advice(Children& c) {
    ast::Advice result;
    result.text = text(c.take());
    if (c.is(Syn::loop)) result.loop = std::make_unique<ast::Loop>(loop(c.take()));
    if (c.is(Syn::flag_when)) result.when = condition(c.take());
    return result;
  }

  ast::Context context(Children& c) {
    ast::Context result;
    result.name = name(c.take());
    result.prose = prose(c);
    while (!c.done()) {
      Children inner = children(c.take());
      ast::ContextWeight& weight = result.weights.emplace_back();
      weight.name = name(inner.take());
      weight.weight = expr(inner.take());
    }
    return result;
  }

  ast::Example example(Children& c) {
    ast::Example result;
    result.name = plain_text(c.take(), "the name of an example");
    while (!c.done()) {
      const std::uint32_t part = c.take();
      Children inner = children(part);
      if (at(part).kind == Syn::example_error) {
        if (result.error) problem({Code::syntax_repeated, span(part), "'error at' stands twice in the same example"});
        result.error = true;
        result.error_path = error_path(inner.take());
        continue;
      }
      const std::uint32_t field = inner.take();
      const std::string word = source(field);
      ast::ExprPtr& into = word == "given"     ? result.given
                           : word == "history" ? result.history
                           : word == "context" ? result.context
                           : word == "weights" ? result.weights
                                               : result.expect;
      if (into) problem({Code::syntax_repeated, span(field), "'" + word + "' stands twice in the same example"});
      into = expr(inner.take());
    }
    return result;
  }

  ast::Text error_path(std::uint32_t node) {
    if (at(node).kind == Syn::text) return plain_text(node, "the path of an error");
    ast::Text result = label(node);
    std::string& path = result.parts[0].literal;
    path.erase(std::remove_if(path.begin(), path.end(), [](unsigned char ch) { return std::isspace(ch); }), path.end());
    return result;
  }
};

}  // namespace
}  // namespace assay::build

namespace assay {

ast::File build_file(Syntax& syntax) {
  constexpr std::size_t kTreeBytes = 128;  // for each node, or a little less
  syntax.budget().take(syntax.nodes().size() * kTreeBytes);
  return build::Builder(syntax).file();
}

ast::ExprPtr build_expression(Syntax& syntax) {
  try {
    return build::Builder(syntax).only_expression();
  } catch (const build::TooDeep&) { return nullptr; }
}

}  // namespace assay
