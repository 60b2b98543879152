// Builds declarations from syntax nodes: one function per declaration, which reads the children of its node in the
// order in which the grammar matched them.
#include "lang/parse/parse_parts.hpp"

#include <algorithm>
#include <cassert>
#include <cctype>

namespace assay::build {
namespace {

class Builder : PartBuilder {
 public:
  explicit Builder(Syntax& syntax) : PartBuilder(syntax) {}

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
      item.word = span(node + 1);  // a mark, or the leaf that distinguishes 'deduction' from 'bonus'
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
      default: assert(false);  // no test: the rows are all declarations
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
    const auto provenance = [&] {
      if (!c.is(Syn::provenance)) return;
      const std::uint32_t word = c.take();
      result.provenance_span = span(word);
      result.provenance = source(word) == "judged" ? ast::Provenance::judged : ast::Provenance::measured;
    };
    provenance();
    result.policy = policy(c);
    provenance();
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
  constexpr std::size_t kTreeBytes = 128;  // for each node, or slightly less
  syntax.budget().take(syntax.nodes().size() * kTreeBytes);
  return build::Builder(syntax).file();
}

ast::ExprPtr build_expression(Syntax& syntax) {
  try {
    return build::Builder(syntax).only_expression();
  } catch (const build::TooDeep&) { return nullptr; }
}

}  // namespace assay
