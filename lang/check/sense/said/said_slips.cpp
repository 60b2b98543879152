// See said_checker.hpp. Compares texts with what is computed: "any of the three" beside 'and', "however many" beside a
// product, "more than half" beside another share, exchanged texts of neighbours, and the order of importance of the rubric.
#include "lang/check/sense/said/said_checker.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/bounds.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <iterator>

namespace assay {

namespace {

// Whether some words stand in a text one behind the other; each is a list of alternatives.
bool has_row(const std::vector<std::string>& words, std::initializer_list<std::string_view> row) {
  for (std::size_t i = 0; i + row.size() <= words.size(); ++i) {
    if (std::equal(row.begin(), row.end(), words.begin() + static_cast<std::ptrdiff_t>(i),
                   [](std::string_view list, const std::string& word) { return has_word(list, word); }))
      return true;
  }
  return false;
}

constexpr std::string_view kThese = "the them these those";
constexpr std::string_view kCounts = "two three four five six";
constexpr std::string_view kDenies = "not no none never neither nor without unless except than if but";

// The number of sides of a chain of one operator, and its operators.
std::size_t chain_of(const ast::Expr& e, std::string_view sign, std::vector<Span>& signs) {
  std::size_t sides = 1;
  for (const ast::Expr* left = &e; is_binary(*left, sign); left = left->args[0].get()) {
    if (is_binary(*left->args[1], "and") || is_binary(*left->args[1], "or")) return 0;
    signs.push_back(left->word);
    ++sides;
  }
  return sides;
}

}  // namespace

// flag closed when edges > 0 and bolts > 0 "Any of the two closes it"; gate complete = paid or photo "Both are needed"
void SaidChecker::doubt_any_or_all(RubricContext& rc, const ast::Expr& e, const ast::Text& prose, bool passes) {
  const bool all_here = is_binary(e, "and");
  if ((!all_here && !is_binary(e, "or")) || !prose.plain() || told_at(e.span) != nullptr) return;
  std::vector<Span> signs;
  const std::size_t sides = chain_of(e, e.text, signs);
  const std::vector<std::string> words = words_of(prose.str());
  if (sides == 0 || words.empty() || has_word(kDenies, words)) return;
  // "All three", of two sides, counts something else.
  const auto number_fits = [&](std::size_t at) {
    const std::optional<int> n = at < words.size() ? number_said(words[at]) : std::nullopt;
    return !n || *n == static_cast<int>(sides);
  };
  // The text of a flag may say the rule that it breaks, and that of a gate why it fails.
  const bool enough = has_word("enough suffices sufficient", words);
  const bool must = has_word("needed required necessary must present given", words);
  const bool fails =
      has_word("fail fails failed close closes closed reject rejects rejected out exclude excludes", words);
  if (passes ? fails || enough == must : enough || must || has_word("should has have need needs will", words)) return;
  bool any = false, all = false, denied = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto is = [&](std::size_t k, std::string_view list) {
      return i + k < words.size() && has_word(list, words[i + k]);
    };
    any = any || (is(0, "any either") && is(1, "of") && is(2, kThese) && number_fits(i + 3)) ||
          (is(0, "any") && is(1, "one") && is(2, "of") && is(3, kThese)) ||
          (is(0, "one") && is(1, "of") && is(2, kThese) && enough);
    all = all || (is(0, "all") && is(1, kCounts) && number_fits(i + 1)) ||
          (is(0, "all") && is(1, "of") && is(2, kThese) && number_fits(i + 3));
  }
  each_expr(budget_, e, [&denied](const ast::Expr& part) {
    denied = denied || (part.kind == ast::ExprKind::unary && part.text == "not") ||
             part.kind == ast::ExprKind::is_missing || is_binary(part, "!=") || is_binary(part, "==");
  });
  if (passes ? (any && !enough) || (all && !must) : all || denied) return;
  if (any == all || all == all_here) return;
  const std::string meant = all ? "and" : "or";
  Fix fix;
  for (const Span& sign : signs) fix.push_back({sign, meant});
  tell(rc, Code::contradicts_prose, e.span,
       std::string(all ? "one side is enough for 'or'" : "'and' asks for all sides") + ", and the text says \"" +
           prose.str() + '"',
       "write '" + meant + "'", {std::move(fix)});
}

// deduction figures = 2 * missing "Two points once, however many are missing"
void SaidChecker::doubt_said_once(RubricContext& rc, const ast::Adjustment& node) {
  if (!node.body.expr || !node.body.where.empty() || node.loop || !node.prose.plain()) return;
  const ast::Expr& e = *node.body.expr;
  const std::string text = in_lower_case(node.prose.str());
  const bool once = text.find("however many") != text.npos || text.find("no matter how many") != text.npos ||
                    text.find("whatever their number") != text.npos;
  if (!once || has_word("each every per up most", words_of(text)) || !is_binary(e, "*")) return;
  const std::size_t side = e.args[0]->kind == ast::ExprKind::number ? 0 : 1;
  const ast::Expr &amount = *e.args[side], &of = *e.args[1 - side];
  if (amount.kind != ast::ExprKind::number || (!is_path(of) && !is_call(of, "count")) || told_at(e.span) != nullptr)
    return;
  const std::string meant = amount.text + " when " + source_text(of.span) + " > 0";
  tell(rc, Code::amount_against_prose, e.span,
       "this grows with '" + source_text(of.span) + "', and its text says \"" + node.prose.str() + '"',
       "write " + meant, {{{e.span, meant}}});
}

// dimension form "The average of the three marks" = (first + second + third) / 4
void SaidChecker::doubt_divisor(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  const std::vector<std::string> words = words_of(value.name + " " + value.prose);
  const bool mean =
      std::any_of(words.begin(), words.end(), [](const auto& w) { return is_word(w, WordRole::averaged); });
  if (!mean || !is_binary(e, "/") || e.args[1]->kind != ast::ExprKind::number || !is_binary(*e.args[0], "+") ||
      has_word("weighted without best worst twice double moving", words))
    return;
  std::set<std::string> terms;
  std::size_t count = 1;
  const ast::Expr* left = e.args[0].get();
  const auto input = [&rc](const ast::Expr& path) {
    const ast::Expr* root = &path;
    while (root->kind == ast::ExprKind::field) root = root->args[0].get();
    return root->kind == ast::ExprKind::name &&
           (rc.last_inputs.count(root->text) > 0 || rc.dimensions.by_name.count(root->text) > 0);
  };
  for (; is_binary(*left, "+"); left = left->args[0].get(), ++count) {
    if (!input(*left->args[1])) return;
    terms.insert(squeezed(left->args[1]->span));
  }
  if (!input(*left)) return;
  terms.insert(squeezed(left->span));
  Number by;
  const ast::Expr& literal = *e.args[1];
  const auto all = static_cast<std::int64_t>(count);
  if (terms.size() != count || !parse_decimal(literal.text, by, numbers(), true) || compare(by, whole(all)) == 0 ||
      !is_whole(by) || compare(by, whole(2 * all)) >= 0)
    return;
  const std::string meant = std::to_string(count);
  tell(rc, Code::against_name, literal.span,
       "this is an average of " + meant + " values, and they are divided by " + literal.text, "write " + meant,
       {{{literal.span, meant}}});
}

// flag short when hours < 6 "More than ten hours", beside flag long when hours > 10 "Fewer than six hours"
void SaidChecker::doubt_exchanged_texts(RubricContext& rc) {
  struct Bounded {
    const ast::Text* prose;
    std::string path, op, said_op;
    Number at, said;
  };
  std::vector<Bounded> all;
  const auto add = [&](const ast::Expr* e, const ast::Text& prose) {
    if (e == nullptr || !prose.plain() || !prose.given || e->kind != ast::ExprKind::binary ||
        opposite_of(e->text).empty() || !is_path(*e->args[0]) || e->args[1]->kind != ast::ExprKind::number)
      return;
    Number at;
    const std::optional<SaidBound> said = bound_said(prose.str(), numbers());
    if (!said || said->number.percent || !parse_decimal(e->args[1]->text, at, numbers(), true)) return;
    all.push_back({&prose, squeezed(e->args[0]->span), e->text, std::string(said->op), at, said->number.value});
  };
  for (const ast::Item* item : rc.items) {
    if (const auto* flag = std::get_if<ast::Flag>(&item->node); flag && !flag->loop) add(flag->when.get(), flag->prose);
    if (const auto* cap = std::get_if<ast::Cap>(&item->node)) add(cap->when.get(), cap->prose);
    if (const auto* amount = std::get_if<ast::Adjustment>(&item->node); amount && amount->body.expr && !amount->loop) {
      const ast::Expr& e = *amount->body.expr;
      if (e.kind == ast::ExprKind::choice && (e.args.size() < 3 || !e.args[2])) add(e.args[1].get(), amount->prose);
    }
  }
  constexpr std::size_t kMost = 60;
  for (std::size_t i = 0; i < all.size() && all.size() <= kMost; ++i) {
    for (std::size_t k = i + 1; k < all.size(); ++k) {
      const Bounded &a = all[i], &b = all[k];
      const auto says_other = [](const Bounded& text, const Bounded& condition) {
        return text.said_op == condition.op && compare(text.said, condition.at) == 0;
      };
      if (a.path != b.path || (a.op == b.op && compare(a.at, b.at) == 0) || !says_other(a, b) || !says_other(b, a) ||
          told_at(a.prose->span) != nullptr)
        continue;
      tell(rc, Code::contradicts_prose, a.prose->span,
           "this text says what holds in line " + std::to_string(sources_.line_of(b.prose->span)) +
               ", and the text there what holds here",
           "exchange the two texts",
           {{{a.prose->span, source_text(b.prose->span)}, {b.prose->span, source_text(a.prose->span)}}});
    }
  }
}

namespace {

// The share that a text names with words alone, "more than half of", "a third of"; missing: none, or several.
Number fraction_said(const std::vector<std::string>& words, NumberPool& pool) {
  Number found = kMissing;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i + 1] != "of") continue;
    const auto is = [&](std::size_t back, std::string_view list) {
      return i >= back && has_word(list, words[i - back]);
    };
    std::int64_t part = 1, all = 0;
    if (is(0, "half")) all = 2;
    if (is(0, "third thirds")) all = 3;
    if (is(0, "quarter quarters")) all = 4;
    if (is(0, "fifth fifths")) all = 5;
    if (is(0, "thirds quarters fifths")) {
      const std::optional<int> n = i > 0 ? number_said(words[i - 1]) : std::nullopt;
      if (!n) return kMissing;
      part = *n;
    } else if (all > 2 && !is(1, "a one")) {
      continue;  // the third of
    }
    if (all == 0) continue;
    if (!found.missing()) return kMissing;
    found = div(whole(part), whole(all), pool);
  }
  return found;
}

}  // namespace

// flag ruined when lost > 0.25 * boxes "More than half of the boxes are lost"
void SaidChecker::doubt_said_fraction(RubricContext& rc, const ast::Expr& e, const ast::Text& prose) {
  if (e.kind != ast::ExprKind::binary || opposite_of(e.text).empty() || !prose.plain() || told_at(e.span) != nullptr)
    return;
  const std::vector<std::string> words = words_of(prose.str());
  const Number said = fraction_said(words, numbers());
  if (said.missing() || !numbers_said(prose.str(), numbers()).empty() ||
      has_word("an hour minute day week year month point mark size price", words))
    return;
  const ast::Expr& right = *e.args[1];
  const ast::Expr* literal = nullptr;
  bool divides = false;
  if (is_path(*e.args[0]) && (is_binary(right, "*") || is_binary(right, "/"))) {
    const std::size_t side = right.args[0]->kind == ast::ExprKind::number ? 0 : 1;
    divides = right.text == "/";
    if (right.args[side]->kind == ast::ExprKind::number && is_path(*right.args[1 - side]) && !(divides && side == 0))
      literal = right.args[side].get();
  } else if (is_binary(*e.args[0], "/") && is_path(*e.args[0]->args[0]) && right.kind == ast::ExprKind::number) {
    literal = &right;
  }
  if (literal == nullptr) return;
  const Interval here = slope_.range(rc, *literal);
  if (!finite(here) || sign(here.low) <= 0) return;
  const Number is = divides ? div(whole(1), here.low, numbers()) : here.low;
  if (compare(is, said) == 0 || compare(is, sub(whole(1), said, numbers())) == 0 || compare(is, whole(1)) >= 0) return;
  const Number meant = divides ? div(whole(1), said, numbers()) : said;
  const std::string text = shortest_text(meant);
  const bool third = text.find('/') != text.npos;
  tell(rc, Code::contradicts_prose, e.span,
       "this condition is " + short_text(e.span) + ", and its text says \"" + prose.str() + '"',
       third ? "bring the two into line" : "write " + text,
       third ? std::vector<Fix>() : std::vector<Fix>{{{literal->span, text}}});
}

// output opening = last(legs) "The first leg"; let typical = mean(decibels) "The median of all readings"
void SaidChecker::doubt_said_call(RubricContext& rc, const Named& value) {
  const ast::Expr& e = core_of(*value.e);
  if (e.kind != ast::ExprKind::call || e.args.size() != 1 || told_at(e.span) != nullptr) return;
  std::vector<std::string> words = words_of(value.prose);
  if (!words.empty() && has_word("the a", words[0])) words.erase(words.begin());
  if (words.empty() || has_word("not no than instead but or", words)) return;
  std::string meant;
  const bool plain = !e.loop || e.loop->order.empty();
  if (has_word("mean min max", e.text) && words[0] == "median") meant = "median";
  if (has_word("first last", e.text) && plain && has_word("first last", words[0])) meant = words[0];
  const bool ordered = has_word("newest latest recent oldest reverse reversed descending", words) ||
                       has_word(meant == "first" ? "last" : "first", words);
  if (meant.empty() || meant == e.text || (meant != "median" && ordered)) return;
  if (meant != "median") {  // a list that begins with the last one
    const std::string list = prose_of(rc, e.args[0]->text);
    if (!is_path(*e.args[0]) || has_word("newest latest recent last first reverse reversed", words_of(list))) return;
  }
  tell(rc, Code::against_name, e.span,
       "'" + value.name + "' is computed by '" + e.text + "', and its text says \"" + value.prose + '"',
       "write '" + meant + "'", {{{e.word, meant}}});
}

// let price = base * (1 + discount), where a discount is 0..1
void SaidChecker::doubt_added_discount(RubricContext& rc, const Named& value) {
  static constexpr std::string_view kLess = "discount rebate reduction", kMore = "surcharge markup premium";
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    if (!is_binary(e, "*")) return;
    for (const ast::ExprPtr& side : e.args) {
      const bool plus = is_binary(*side, "+");
      if ((!plus && !is_binary(*side, "-")) || side->args[0]->text != "1" || !is_path(*side->args[1])) continue;
      const ast::Expr& rate = *side->args[1];
      const std::vector<std::string> words = words_of(rate.text);
      const Interval range = slope_.range(rc, rate);
      if (words.empty() || !has_word(plus ? kLess : kMore, words.back()) || !finite(range) || sign(range.low) < 0 ||
          compare(range.high, whole(1)) > 0 || has_word("no without factor old before full list", words_of(value.name)))
        continue;
      const std::string meant = plus ? "-" : "+";
      tell(rc, Code::wrong_way, side->span,
           std::string(plus ? "a discount" : "a surcharge") + " of '" + source_text(rate.span) + "' makes this " +
               (plus ? "larger" : "smaller"),
           "write '" + meant + "'", {{{side->word, meant}}});
    }
  });
}

// rubric grant "Need matters most …", where need weighs less than another dimension
void SaidChecker::doubt_matters_most(RubricContext& rc) {
  const std::string text = plain_words(rc.node->prose) + ". " + comment_at(rc.node->name.span);
  for (const std::string& sentence : sentences_of(text)) {
    const std::vector<std::string> words = words_of(sentence);
    if (has_word("not never if where once for used formerly among when", words)) continue;
    for (const DimensionItems& d : rc.dimensions.all) {
      const ast::Dimension& node = *d.node;
      if (words_of(node.name.text).size() != 1 || !node.weight || node.weight->kind != ast::ExprKind::number) continue;
      const std::string name = words_of(node.name.text)[0];
      const std::size_t begin = !words.empty() && has_word("the our", words[0]) ? 1 : 0;
      if (words.size() < begin + 3 || words[begin] != name || !has_word("matters counts weighs", words[begin + 1]))
        continue;
      const std::size_t at = has_word("the", words[begin + 2]) ? begin + 3 : begin + 2;
      if (at >= words.size() || words[at] != "most") continue;
      const Number own = slope_.range(rc, *node.weight).low;
      const ast::Dimension* top = nullptr;
      Number most = own;
      for (const DimensionItems& other : rc.dimensions.all) {
        if (!other.node->weight || other.node->weight->kind != ast::ExprKind::number) continue;
        const Number n = slope_.range(rc, *other.node->weight).low;
        if (!n.missing() && !most.missing() && compare(n, most) > 0) top = other.node, most = n;
      }
      if (top == nullptr || told_at(node.weight->span) != nullptr) continue;
      tell(rc, Code::amount_against_prose, node.weight->span,
           "'" + node.name.text + "' weighs " + node.weight->text + " and '" + top->name.text + "' " +
               top->weight->text + ", and the text of the rubric says \"" + sentence + '"',
           "exchange the two weights, or bring the text into line",
           {{{node.weight->span, top->weight->text}, {top->weight->span, node.weight->text}}});
    }
  }
}

// dimension rooms missing 3 "No answer counts as 1"
void SaidChecker::doubt_missing_number(RubricContext& rc, const ast::Dimension& node) {
  const ast::Expr* value = node.policy.expr.get();
  if (node.policy.tag != ast::PolicyTag::missing || value == nullptr || value->kind != ast::ExprKind::number ||
      !node.prose.plain() || told_at(value->span) != nullptr)
    return;
  const std::vector<std::string> words = words_of(node.prose.str());
  const std::vector<SaidNumber> said = numbers_said(node.prose.str(), numbers());
  const bool missing = has_row(words, {"no", "answer reply value entry mark rating judgement"}) ||
                       has_word("unknown missing unanswered unjudged", words);
  const bool counts = has_row(words, {"counts count is are", "as"}) || has_row(words, {"taken treated scored", "as"});
  Number here;
  if (!missing || !counts || said.size() != 1 || said[0].percent ||
      !parse_decimal(value->text, here, numbers(), true) || compare(here, said[0].value) == 0)
    return;
  const std::string text = shortest_text(said[0].value);
  tell(rc, Code::amount_against_prose, value->span,
       "this is " + value->text + ", and its text says \"" + node.prose.str() + '"', "write " + text,
       {{{value->span, text}}});
}

// deduction holes = 3 * burnt_cm2, where nothing reads the input 'holes'
void SaidChecker::doubt_named_input(RubricContext& rc, const ast::Adjustment& node) {
  const std::string name = plain_words(node.label);
  const auto at = rc.by_name.inputs.find(name);
  if (node.loop || !node.body.expr || !node.body.where.empty() || at == rc.by_name.inputs.end() ||
      rc.used_inputs.count(name) > 0 || rc.pending[static_cast<std::size_t>(at->second)].used)
    return;
  std::vector<const ast::Expr*> read;
  each_expr(budget_, *node.body.expr, [&](const ast::Expr& e) {
    if (e.kind == ast::ExprKind::name) read.push_back(&e);
  });
  if (read.size() != 1 || rc.by_name.inputs.count(read[0]->text) == 0) return;
  const auto kind = [&](const std::string& input) {
    return types_[model(rc).items[static_cast<std::size_t>(rc.by_name.inputs.find(input)->second)].type].kind;
  };
  if (kind(name) != kind(read[0]->text) || told_at(read[0]->span) != nullptr) return;
  const std::string help = "write " + name + ", which nothing reads";
  if (Doubt* told = told_at(node.body.expr->span); told != nullptr) {
    told->help = help;
    told->fixes.insert(told->fixes.begin(), {{read[0]->span, name}});
  } else {
    tell(rc, Code::counted_twice, read[0]->span,
         "the " + std::string(row_of(node.kind).word) + " '" + name + "' reads '" + read[0]->text +
             "', and nothing reads the input '" + name + "'",
         help, {{{read[0]->span, name}}});
  }
  for (const ast::Name& input : rc.last_inputs.find(name)->second->names) {
    if (input.text == name) diagnostics_->withdraw(Code::unused, input.span);
  }
}

// output saved = 100 * (old_price - new_price) / new_price "Percent of the old price"; visitors / buyers "Share of the
// visitors who buy"
void SaidChecker::doubt_said_base(RubricContext& rc, const Named& value) {
  const ast::Expr* e = &core_of(*value.e);
  if (is_binary(*e, "*")) e = e->args[0]->text == "100" ? e->args[1].get() : e->args[0].get();
  if (!is_binary(*e, "/") || !is_path(*e->args[1]) || told_at(e->span) != nullptr || told_at(value.e->span) != nullptr)
    return;
  const std::vector<std::string> words = words_of(value.prose);
  const ast::Expr& base = *e->args[1];
  std::vector<const ast::Expr*> read;
  each_expr(budget_, *e->args[0], [&read](const ast::Expr& part) {
    if (is_path(part)) read.push_back(&part);
  });
  const auto said_at = [&words](std::size_t at, const std::vector<std::string>& name) {
    return !name.empty() && at + name.size() <= words.size() &&
           std::equal(name.begin(), name.end(), words.begin() + static_cast<std::ptrdiff_t>(at));
  };
  // "Share of freight in the price", "each member's share of the price" are about other bases.
  constexpr std::size_t kBase = 3;  // share of the …
  if (words.size() <= kBase || !is_word(words[0], WordRole::shared) || words[1] != "of" ||
      !has_word("the all", words[2]) || has_word("not no than each every per in for", words) ||
      said_at(kBase, words_of(base.text)))
    return;
  const ast::Expr* whole = e->args[0].get();
  if (is_binary(*whole, "*")) whole = whole->args[whole->args[0]->kind == ast::ExprKind::number ? 1 : 0].get();
  const ast::Expr& part = *whole;
  for (const ast::Expr* path : read) {
    if (!said_at(kBase, words_of(path->text)) || squeezed(path->span) == squeezed(base.span)) continue;
    const bool turned = path == &part && never_above_by_check(rc, base, part);
    const bool change =
        is_binary(part, "-") && is_path(*part.args[0]) && is_path(*part.args[1]) &&
        (squeezed(part.args[0]->span) == squeezed(base.span) || squeezed(part.args[1]->span) == squeezed(base.span));
    if (!turned && !change) return;
    const std::string of = source_text(path->span), by = source_text(base.span);
    Fix fix = {{base.span, of}};
    if (turned) fix.push_back({path->span, by});
    return tell(rc, Code::against_name, e->span,
                "this is a share of '" + by + "', and the text says \"" + value.prose + '"', "divide by " + of,
                {std::move(fix)});
  }
}

// Whether a check needs that one value is at most another.
bool SaidChecker::never_above_by_check(const RubricContext& rc, const ast::Expr& less, const ast::Expr& more) const {
  return std::any_of(rc.items.begin(), rc.items.end(), [&](const ast::Item* item) {
    const auto* check = std::get_if<ast::Check>(&item->node);
    std::vector<std::pair<const ast::Expr*, const ast::Expr*>> pairs;
    if (check && !check->loop && check->condition) never_above(*check->condition, pairs);
    return std::any_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
      return squeezed(pair.first->span) == squeezed(less.span) && squeezed(pair.second->span) == squeezed(more.span);
    });
  });
}

// # The fewest strokes win, above rank by higher strokes
void SaidChecker::doubt_said_winner(RubricContext& rc, const ast::Rank& rank) {
  for (const ast::OrderKey& key : rank.keys) {
    if (!is_path(*key.expr) || !is_own(key.span, rc.index)) continue;
    for (const std::string& text : {comment_at(key.span), plain_words(rc.node->prose)}) {
      const std::vector<std::string> words = words_of(text), own = words_of(key.expr->text);
      if (has_word("not never no but then", words)) continue;
      for (std::size_t i = 0; i + 2 < words.size(); ++i) {
        const bool high = is_word(words[i], WordRole::topmost) || words[i] == "most";
        const bool low = is_word(words[i], WordRole::lowermost) || words[i] == "fewest";
        const bool named = std::any_of(own.begin(), own.end(), [&](const std::string& word) {
          return word == words[i + 1] || word + "s" == words[i + 1] || word == words[i + 1] + "s";
        });
        const bool wins = has_word("win wins", words[i + 2]) ||
                          (i + 3 < words.size() && has_word("come comes", words[i + 2]) && words[i + 3] == "first");
        if (high == low || !named || !wins || high == key.higher || told_at(key.span) != nullptr) continue;
        const std::string meant = (high ? "higher " : "lower ") + source_text(key.expr->span);
        tell(rc, Code::worst_first, key.span,
             "this order puts the " + std::string(high ? "lowest" : "highest") + " '" + source_text(key.expr->span) +
                 "' first, and the text says \"" + text + '"',
             "write " + meant, {{{{key.span.file, key.span.begin, key.expr->span.end}, meant}}});
      }
    }
  }
}

void SaidChecker::doubt_slips(RubricContext& rc) {
  const auto condition = [&](const ast::Expr* e, const ast::Text& prose, bool passes) {
    if (e == nullptr || !prose.given) return;
    doubt_any_or_all(rc, *e, prose, passes);
    doubt_said_fraction(rc, *e, prose);
  };
  for (const ast::Item* item : rc.items) {
    if (const auto* gate = std::get_if<ast::Gate>(&item->node); gate && gate->body.where.empty())
      condition(gate->body.expr.get(), gate->prose, true);
    if (const auto* flag = std::get_if<ast::Flag>(&item->node); flag && !flag->loop)
      condition(flag->when.get(), flag->prose, false);
    if (const auto* cap = std::get_if<ast::Cap>(&item->node)) condition(cap->when.get(), cap->prose, false);
    if (const auto* rank = std::get_if<ast::Rank>(&item->node)) doubt_said_winner(rc, *rank);
    if (const auto* amount = std::get_if<ast::Adjustment>(&item->node)) {
      doubt_said_once(rc, *amount), doubt_named_input(rc, *amount);
      const ast::Expr* e = amount->body.expr.get();
      if (e != nullptr && !amount->loop && e->kind == ast::ExprKind::choice && (e->args.size() < 3 || !e->args[2]))
        condition(e->args[1].get(), amount->prose, false);
    }
  }
  for (const Named& value : named_) {
    doubt_divisor(rc, value), doubt_said_call(rc, value);
    doubt_added_discount(rc, value), doubt_said_base(rc, value);
  }
  std::vector<const DimensionItems*> all;
  each_dimension(rc.dimensions.all, all);
  for (const DimensionItems* d : all) doubt_missing_number(rc, *d->node);
  doubt_exchanged_texts(rc);
  doubt_matters_most(rc);
}

}  // namespace assay
