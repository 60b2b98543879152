// Checker: warnings about values that are computed otherwise than their notation suggests: a percentage that is taken from
// an amount, a sum of choices without parentheses, a count that ignores its condition.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/text/ascii.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace assay {

namespace {

using ast::ExprKind;

template <std::size_t N>
bool holds_any(std::string_view name, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [name](std::string_view part) { return name.find(part) != name.npos; });
}

bool parenthesized(const ast::Expr& e) {
  const bool starts_inside = e.kind == ExprKind::binary || e.kind == ExprKind::choice;
  return starts_inside && !e.args.empty() && e.span.begin < e.args[0]->span.begin;
}

bool is_open_sum(const ast::Expr& e) {
  return e.kind == ExprKind::binary && (e.text == "+" || e.text == "-") && !parenthesized(e);
}

// The left end of a sum: 0 of '0 + a - b'.
const ast::Expr& first_term(const ast::Expr& sum, const ast::Expr*& joint) {
  const ast::Expr* e = &sum;
  while (is_open_sum(*e)) {
    joint = e;
    e = e->args[0].get();
  }
  return *e;
}

bool is_zero(const ast::Expr& e) {
  return e.kind == ExprKind::number && e.text.find_first_not_of("0._%") == e.text.npos;
}

constexpr std::array<std::string_view, 15> kMoney = {"cost",   "price",  "budget", "amount", "usd",
                                                     "dollar", "fee",    "pay",    "spen",   "revenue",
                                                     "money",  "salary", "value",  "total",  "gross"};
constexpr std::array<std::string_view, 6> kShares = {"rate", "share", "ratio", "percent", "pct", "growth"};

}  // namespace

bool names_money(std::string_view name) {
  const std::string word = in_lower_case(name);
  return (holds_any(word, kMoney) || word == "net" || word.starts_with("net_")) && !holds_any(word, kShares);
}

// rating is missing, of let rating = referee.rating default 3: what may be missing is the referee's rating.
void DoubtChecker::doubt_defaulted(const ast::Expr& node, const Context& cx) {
  const ast::Expr& of = *node.args[0];
  if (of.kind != ast::ExprKind::name || cx.rubric < 0 || cx.instance >= 0 || !is_own(node.span, cx.rubric)) return;
  const ast::Let* let = let_named(rubric(cx.rubric), of.text);
  if (let == nullptr || !let->body.expr || !let->body.where.empty() || !is_binary(*let->body.expr, "default")) return;
  const ast::Expr &before = *let->body.expr->args[0], &instead = *let->body.expr->args[1];
  if (!is_path(before) || (instead.kind != ast::ExprKind::number && instead.kind != ast::ExprKind::boolean &&
                           instead.kind != ast::ExprKind::text))
    return;
  const std::string meant = source_text(before.span);
  doubt(Code::never_missing, node.span, cx.rubric,
        "'" + of.text + "' is never missing: it has a default in line " +
            std::to_string(sources_.line_of(let->body.expr->word)),
        "write " + meant);
  state_.noted.doubts.back().fixes = {{{of.span, meant}}};
  state_.noted.around.told.push_back(node.span);
}

// abs(16 - loudness), where loudness is -60..0: the norm is -16, and its sign is lost.
Fix DoubtChecker::sign_slip(const ast::Expr& e) {
  Fix fix;
  bool several = false;
  each_expr(budget_, e, [&](const ast::Expr& call) {
    if (!is_call(call, "abs") || !is_binary(*call.args[0], "-")) return;
    const ast::Expr& difference = *call.args[0];
    const std::size_t side = difference.args[0]->kind == ast::ExprKind::number ? 0 : 1;
    const ast::Expr &literal = *difference.args[side], &path = *difference.args[1 - side];
    const auto known = state_.noted.paths.find(&path);
    Number n;
    if (known == state_.noted.paths.end() || literal.kind != ast::ExprKind::number ||
        !parse_decimal(literal.text, n, numbers(), true) || !finite(known->second) || holds(known->second, n) ||
        !holds(known->second, neg(n, numbers())))
      return;
    several = !fix.empty();
    if (side == 0) fix = {{literal.span, "-" + literal.text}};
    else fix = {{difference.word, "+"}};
  });
  return several ? Fix() : fix;
}

// clamp(low - 200, 0..100) and min(0, max(100, x)), which are always 0.
bool DoubtChecker::doubt_constant(const ast::Expr& node, const Expr* value, const Context& cx) {
  const Interval& result = range_of(value);
  const bool one = kind_of(value) == TypeKind::number && !is_constant(value) && single(result) &&
                   !(node.text == "clamp" && value->op == Op::builtin &&
                     single(range_of(value->args[0])));  // the value itself never varies
  std::vector<Doubt>& doubts = state_.noted.doubts;
  const auto told = std::find_if(doubts.begin(), doubts.end(), [&node](const Doubt& d) {
    return d.code == Code::beyond_range && d.span.file == node.span.file && d.span.begin >= node.span.begin &&
           d.span.end <= node.span.end;
  });
  if (node.args.size() != 2 || node.loop) return told != doubts.end();
  if (node.text != "clamp") {
    Fix fix = {{node.word, node.text == "min" ? "max" : "min"}};  // and the other one in it
    for (const ast::ExprPtr& arg : node.args) {
      if (arg->kind == ast::ExprKind::call && !arg->loop && arg->text == fix.front().text)
        fix.push_back({arg->word, node.text});
    }
    if (told != doubts.end()) {
      if (fix.size() > 1) told->fixes = {std::move(fix)};
      return true;
    }
    if (!one || cx.instance >= 0) return false;
    Fix signs = sign_slip(node);
    doubt(Code::beyond_range, node.span, cx.rubric,
          short_text(node.span) + " is always" + range_text(result) + ", whatever the record holds",
          signs.empty() ? "the larger of two numbers is max(…), the smaller one min(…), and one within a range clamp(…)"
                        : "write the number with its sign");
    if (!signs.empty()) fix = std::move(signs);
    if (is_own(node.span, cx.rubric)) doubts.back().fixes = {std::move(fix)};
    return true;
  }
  if (!one || told != doubts.end()) return told != doubts.end();
  if (node.args[1]->kind == ast::ExprKind::range) {
    const ast::Expr& inner = *node.args[0];
    doubt(Code::beyond_range, node.span, cx.rubric,
          short_text(node.span) + " is always" + range_text(result) + ": " + short_text(inner.span) +
              " never lies within the range",
          "correct the numbers, or what is subtracted from what");
    if (!is_own(node.span, cx.rubric)) return true;
    if (Fix signs = sign_slip(inner); !signs.empty()) doubts.back().fixes.push_back(std::move(signs));
    if (inner.kind != ast::ExprKind::binary || inner.text != "-") return true;
    const std::string left = source_text(inner.args[0]->span), right = source_text(inner.args[1]->span);
    std::vector<Fix>& fixes = state_.noted.doubts.back().fixes;
    const bool plain = inner.args[0]->kind != ast::ExprKind::binary;
    fixes.push_back({{inner.span, right + " - " + (plain ? left : "(" + left + ")")}});
    for (const std::int64_t factor : {100, 10, 1000}) {
      Number n;
      for (const ast::ExprPtr& side : inner.args) {
        if (side->kind != ast::ExprKind::number || !parse_decimal(side->text, n, numbers(), true)) continue;
        fixes.push_back({{side->span, shortest_text(mul(n, whole(factor), numbers()))}});
      }
    }
  }
  return true;
}

// clamp(percent, 0..1), where percent / 100 is meant.
void DoubtChecker::doubt_clamp(const ast::Expr& node, const Expr* value, const Context& cx) {
  if (doubt_constant(node, value, cx) || node.text != "clamp" || doubt_counted_share(node, cx)) return;
  if (node.args.size() != 2 || node.loop || node.args[1]->kind != ast::ExprKind::range) return;
  const ast::Expr &of = *node.args[0], &high = *node.args[1]->args[1];
  const bool path = of.kind == ast::ExprKind::name || of.kind == ast::ExprKind::field;
  if (!path || high.kind != ast::ExprKind::number || high.text != "1") return;
  const auto noted = state_.noted.paths.find(&of);
  if (noted == state_.noted.paths.end()) return;
  const Interval& range = noted->second;
  if (!finite(range) || sign(range.low) != 0 || compare(range.high, whole(100)) != 0) return;
  doubt(Code::percent_of_points, of.span, cx.rubric,
        short_text(of.span) + " is" + range_text(range) + ", so almost all of it is above 1",
        FixIt("write " + short_text(of.span) + " / 100 for a share of 1", source_text(of.span) + " / 100", false));
}

// rates[level], where the record has keys for some of the levels.
void DoubtChecker::doubt_keys(const ast::Expr& e, const Type& record, const Type& key, const Context& cx) {
  std::string without;
  std::size_t count = 0;
  budget_.step(1 + key.choices.size() * record.fields.size() / 8);
  for (const std::string& choice : key.choices) {
    const bool there =
        std::any_of(record.fields.begin(), record.fields.end(), [&choice](const Field& f) { return f.name == choice; });
    if (there) continue;
    without += (count == 0 ? "\"" : ", \"") + choice + '"';
    ++count;
  }
  if (count == 0 || !is_own(e.span, cx.rubric)) return;
  doubt(Code::table_gap, e.span, cx.rubric,
        short_text(e.args[0]->span) + " has no key " + without + ": there this is missing, and so is all that needs it",
        "correct its keys, or write a 'default'");
  state_.noted.doubts.back().node = &e;
}

// 10 when member else 10; min([a, a]).
void DoubtChecker::doubt_same_parts(const ast::Expr& node, const Context& cx) {
  const bool choice = node.kind == ast::ExprKind::choice;
  const auto plain = [](const ast::Expr& e) { return e.kind == ast::ExprKind::name || e.kind == ast::ExprKind::field; };
  std::vector<const ast::Expr*> parts;
  if (choice && node.args.size() > 2 && node.args[2] && node.args[2]->kind != ast::ExprKind::choice)
    parts = {node.args[0].get(), node.args[2].get()};
  if (choice && parts.empty() && node.args.size() > 2 && node.args[2]) {  // the last case of several may be written out
    std::erase_if(state_.noted.doubts, [&node](const Doubt& d) {
      return d.code == Code::same_sides && d.span.file == node.span.file && d.span.begin == node.args[2]->span.begin;
    });
  }
  const bool extreme = node.text == "min" || node.text == "max" || node.text == "any" || node.text == "all";
  const bool told = !state_.noted.doubts.empty() && state_.noted.doubts.back().code == Code::same_sides &&
                    state_.noted.doubts.back().span.begin >= node.span.begin;
  if (node.kind == ast::ExprKind::call && extreme && !node.loop && !told) {
    const bool list = node.args.size() == 1 && node.args[0]->kind == ast::ExprKind::list && !node.args[0]->loop;
    for (const ast::ExprPtr& arg : list ? node.args[0]->args : node.args) parts.push_back(arg.get());
  }
  std::set<std::string_view> before;
  for (const ast::Expr* part : parts) {
    budget_.step();
    if (before.insert(sources_.text(part->span)).second || (!choice && !plain(*part))) continue;
    const std::string text = short_text(part->span);
    doubt(Code::same_sides, choice ? node.span : part->span, cx.rubric,
          choice ? "both cases are " + text + ", so the condition decides nothing" : text + " stands twice here",
          choice ? "correct one of them, or leave the condition out" : "one of them is another value: correct it");
    if (choice && is_own(node.span, cx.rubric))
      state_.noted.doubts.back().fixes = {{{node.span, source_text(part->span)}}};
    return;
  }
}

// 100 * round(share), which is 0 or 100.
void DoubtChecker::doubt_rounded_share(const ast::Expr& node, const Expr* value, const Context& cx) {
  if (node.text != "*" || value->op != Op::mul || value->args.size() != 2) return;
  for (const std::size_t side : {0U, 1U}) {
    const ast::Expr &factor = *node.args[side], &call = *node.args[1 - side];
    const Expr* rounded = value->args[1 - side];
    Number n;
    const bool rounds = call.kind == ast::ExprKind::call && call.args.size() == 1 && !call.loop &&
                        (call.text == "round" || call.text == "floor" || call.text == "ceil" || call.text == "trunc") &&
                        rounded->op == Op::builtin && rounded->args.size() == 1;
    if (!rounds || factor.kind != ast::ExprKind::number || !parse_decimal(factor.text, n, numbers(), true)) continue;
    const Type& of = types_[rounded->args[0]->type];
    const bool share = of.kind == TypeKind::number && !of.whole && finite(of.range) && sign(of.range.low) == 0 &&
                       compare(of.range.high, whole(1)) == 0;
    const ast::Expr& inner = *call.args[0];
    // floor(done / planned) * 100, but not floor(minutes / 60) * 100
    const bool ratio =
        is_binary(inner, "/") && is_path(*inner.args[0]) && is_path(*inner.args[1]) && compare(n, whole(100)) == 0;
    if ((!share && !ratio) || compare(n, whole(10)) < 0) continue;
    const std::string meant = call.text + "(" + factor.text + " * " + source_text(call.args[0]->span) + ")";
    doubt(Code::beyond_range, node.span, cx.rubric,
          short_text(inner.span) +
              (share ? " is 0..1, so it is rounded to 0 or 1 here, and this is 0 or " + factor.text
                     : " is rounded before it is multiplied, so this is a multiple of " + factor.text),
          "write " + meant);
    const bool sum = (inner.kind == ast::ExprKind::binary && !ratio) || inner.kind == ast::ExprKind::choice;
    if (is_own(node.span, cx.rubric) && !sum) state_.noted.doubts.back().fixes = {{{node.span, meant}}};
    return;
  }
}

// interpolate(share, [[0, 10], [50, 5], [100, 0]]): of all the points, only the first is in reach of the share.
void DoubtChecker::doubt_interpolate(const ast::Expr& node, const Expr* value, const Context& cx) {
  if (value->op != Op::builtin || value->args.size() != 2 || node.args.size() != 2) return;
  const Interval& x = range_of(value->args[0]);
  const Expr* points = value->args[1];
  if (!is_constant(points) || points->value.missing() || points->value.list.size < 2) return;
  const ListValue all = points->value.list;
  const bool rows = types_.kind(types_[points->type].element) == TypeKind::record;
  const auto at = [&](std::uint32_t i) {
    const Value& p = all.items[i];
    if (p.missing() || (rows ? p.record.size : p.list.size) == 0) return kMissing;
    const Value& first = rows ? p.record.fields[0] : p.list.items[0];
    return first.missing() ? kMissing : first.number;
  };
  budget_.step(1 + all.size / 8);
  for (std::uint32_t i = 1; i < all.size; ++i) {
    if (at(i).missing() || at(i - 1).missing() || compare(at(i - 1), at(i)) < 0) continue;
    if (compare(at(i - 1), at(i)) == 0 && i + 1 < all.size) continue;  // a step
    const ast::Expr& written = *node.args[1];
    const bool list = written.kind == ast::ExprKind::list && written.args.size() == all.size;
    // The point itself: of a list, or of a table without keys.
    Span point = written.span;
    if (list && written.args[i]->kind == ast::ExprKind::list && !written.args[i]->args.empty())
      point = written.args[i]->args[0]->span;
    if (const int table =
            written.kind == ast::ExprKind::name ? find(written.text, &DeclaredNames::tables, cx.rubric) : -1;
        table >= 0) {
      const auto& lines = declared_.tables[static_cast<std::size_t>(table)].node->rows.rows;
      if (i < lines.size() && !lines[i].empty()) point = lines[i][0].span;
    }
    doubt(Code::always_missing, point, cx.rubric,
          "the points have to rise, and " + shortest_text(at(i)) + " follows " + shortest_text(at(i - 1)) +
              ": what lies between them is missing",
          "write the points with the lowest first");
    if (!is_own(point, cx.rubric)) return;
    std::vector<Fix>& fixes = state_.noted.doubts.back().fixes;
    for (const std::int64_t factor : {10, 100}) {  // 0, 50, 10, 150: a digit is missing
      const Number more = mul(at(i), whole(factor), numbers());
      const bool fits =
          compare(at(i - 1), more) < 0 && i + 1 < all.size && !at(i + 1).missing() && compare(more, at(i + 1)) < 0;
      if (fits && point.begin != written.span.begin) fixes.push_back({{point, shortest_text(more)}});
    }
    if (!list) return;
    std::vector<std::uint32_t> order(all.size);
    for (std::uint32_t k = 0; k < all.size; ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return !at(a).missing() && !at(b).missing() && compare(at(a), at(b)) < 0;
    });
    Fix fix;
    for (std::uint32_t k = 0; k < all.size; ++k) {
      if (order[k] != k) fix.push_back({written.args[k]->span, source_text(written.args[order[k]]->span)});
    }
    fixes.push_back(std::move(fix));
    return;
  }
  const Number first = at(0), second = at(1), last = at(all.size - 1);
  const Number before = at(all.size - 2);
  if (finite(x) && !before.missing() && compare(before, x.high) > 0 && sign(x.low) == 0 &&
      compare(x.high, whole(1)) == 0 && !second.missing() && compare(second, x.high) > 0 && sign(first) != 0 &&
      compare(first, x.high) <= 0) {
    // input load_seconds: number 0..1, and points up to 8
    doubt(Code::percent_of_points, node.args[0]->span, cx.rubric,
          short_text(node.args[0]->span) + " is" + range_text(x) + ", and the points go up to " + shortest_text(last),
          "declare the range that it has, or write points within it");
    return;
  }
  if (!finite(x) || first.missing() || second.missing() || last.missing()) return;
  if (cx.instance < 0) note_outside(node, *node.args[0], x, {first, last}, cx.rubric);
  if (sign(x.low) != 0 || sign(first) != 0) return;
  const Number tenth = div(last, whole(10), numbers());
  const bool share = compare(x.high, second) < 0 && compare(x.high, tenth) <= 0 && sign(x.high) > 0;
  const bool points_of_one = compare(last, whole(1)) == 0 && compare(x.high, whole(100)) == 0;
  if (!share && !points_of_one) return;
  const std::string text = source_text(node.args[0]->span);
  const bool plain = node.args[0]->kind != ast::ExprKind::binary && node.args[0]->kind != ast::ExprKind::choice;
  const std::string factor = shortest_text(div(last, x.high, numbers()));
  const std::string meant =
      points_of_one ? (plain ? text : "(" + text + ")") + " / 100" : factor + " * " + (plain ? text : "(" + text + ")");
  doubt(Code::percent_of_points, node.args[0]->span, cx.rubric,
        short_text(node.args[0]->span) + " is" + range_text(x) + ", and the points go from 0 to " + shortest_text(last),
        "bring both to the same scale: write " + meant);
  if (is_own(node.span, cx.rubric)) state_.noted.doubts.back().fixes = {{{node.args[0]->span, meant}}};
}

// x in [6, 7.5], where x in 6..7.5 is meant: a measured value hardly equals one of two numbers.
void DoubtChecker::doubt_list_as_range(const ast::Expr& node, const Expr* value, const Context& cx) {
  const ast::Expr& list = *node.args[1];
  if (list.kind != ast::ExprKind::list || list.args.size() != 2 || value->args.empty()) return;
  const Expr* of = value;
  while (of->op == Op::not_) of = of->args[0];
  if (of->args.empty() || kind_of(of->args[0]) != TypeKind::number || is_constant(of->args[0])) return;
  Number ends[2];
  for (const std::size_t i : {0U, 1U}) {
    const ast::Expr& end = *list.args[i];
    const bool negative = end.kind == ast::ExprKind::unary && end.text == "-";
    const ast::Expr& literal = negative ? *end.args[0] : end;
    if (literal.kind != ast::ExprKind::number || literal.text.ends_with('%') ||
        !parse_decimal(literal.text, ends[i], numbers(), true))
      return;
    if (negative) ends[i] = neg(ends[i], numbers());
  }
  const Type& type = types_[of->args[0]->type];
  const auto is_end = [&](Number n) {
    return (!type.range.low.missing() && compare(n, type.range.low) == 0) ||
           (!type.range.high.missing() && compare(n, type.range.high) == 0);
  };
  const bool both_ends = is_end(ends[0]) && is_end(ends[1]);
  if (compare(ends[0], ends[1]) >= 0 || type.whole || both_ends) return;
  const std::string meant = source_text(list.args[0]->span) + ".." + source_text(list.args[1]->span);
  doubt(Code::list_as_range, list.span, cx.rubric,
        short_text(node.args[0]->span) + " is compared with two numbers, and with nothing between them",
        FixIt("write " + meant + " for everything between them", meant, false));
}

// price - 10%, which takes 0.1 from the price.
void DoubtChecker::doubt_share_of_amount(const ast::Expr& node, const Expr* value, const Context& cx) {
  if (node.text != "+" && node.text != "-") return;
  const ast::Expr &amount = *node.args[0], &percent = *node.args[1];
  if (percent.kind != ExprKind::number || !percent.text.ends_with('%') || is_zero(percent)) return;
  if (kind_of(value) != TypeKind::number || value->args.size() != 2) return;
  const Expr* of = value->args[0];
  const Interval& range = range_of(of);
  if (kind_of(of) != TypeKind::number) return;
  bool counts = false;
  if (range.high.missing()) {
    std::set<std::string> names;
    names_in(amount, names);
    counts = types_[of->type].whole || std::any_of(names.begin(), names.end(), names_money);
  } else {
    counts = compare(range.high, whole(2)) >= 0;
  }
  if (!counts) return;
  const std::string digits = percent.text.substr(0, percent.text.size() - 1);
  Number n;
  if (!parse_decimal(digits, n, numbers(), true)) return;
  const bool less = node.text == "-";
  const Number kept = less ? sub(whole(100), n, numbers()) : add(whole(100), n, numbers());
  if (sign(kept) <= 0) return;
  const std::string share = shortest_text(div(n, whole(100), numbers()));
  const bool wrap =
      (amount.kind == ExprKind::binary && amount.text != "*" && amount.text != "/" && amount.text != "^") ||
      amount.kind == ExprKind::choice;
  const std::string text = source_text(amount.span);
  const std::string whole_text = wrap && !parenthesized(amount) ? "(" + text + ")" : text;
  const std::string meant = whole_text + " * " + shortest_text(kept) + "%";
  const bool points = finite(range) && compare(range.high, whole(10)) >= 0;
  doubt(Code::percent_of_points, node.span, cx.rubric,
        percent.text + " is the number " + share + ", so this " + (less ? "takes " : "adds ") + share +
            (less ? " from " : " to ") + short_text(amount.span) + ", not " + percent.text + " of it",
        "write " + meant + (points ? ", or " + text + " " + node.text + " " + digits + " for points" : std::string()));
  if (!is_own(node.span, cx.rubric)) return;
  state_.noted.doubts.back().fixes = {{{node.span, meant}}};
  if (points) state_.noted.doubts.back().fixes.push_back({{percent.span, digits}});
}

// 1 when a else 0 + 1 when b else 0: the second choice belongs to the 'else' of the first.
void DoubtChecker::doubt_sum_in_else(const ast::Expr& node, const Context& cx) {
  if (node.args.size() < 3 || !node.args[2]) return;
  Fix fix = {{{node.args[0]->span.file, node.args[0]->span.begin, node.args[0]->span.begin}, "("}};
  Span at{};
  bool choice_before = true;  // a choice is open before the next joint
  for (const ast::Expr* rest = node.args[2].get(); rest != nullptr;) {
    const bool more = rest->kind == ExprKind::choice && !parenthesized(*rest);
    const ast::Expr& value = more ? *rest->args[0] : *rest;
    if (is_open_sum(value)) {
      const ast::Expr* joint = nullptr;
      const ast::Expr& first = first_term(value, joint);
      const bool constant = first.kind == ExprKind::number && joint->args[1]->kind == ExprKind::number;
      if (is_zero(first) || constant) {
        at = joint->word;
        const Span end{first.span.file, first.span.end, first.span.end};
        const std::uint32_t next = joint->args[1]->span.begin;
        fix.push_back({end, ")"});
        choice_before = more;
        if (more) fix.push_back({{first.span.file, next, next}, "("});
      }
    }
    rest = more && rest->args.size() > 2 ? rest->args[2].get() : nullptr;
  }
  if (at.begin == at.end) return;
  const std::uint32_t end = parenthesized(node) ? node.span.end - 1 : node.span.end;
  if (choice_before) fix.push_back({{node.span.file, end, end}, ")"});
  std::erase_if(state_.noted.doubts, [&node](const Doubt& d) {
    return d.code == Code::sum_in_else && d.span.file == node.span.file && d.span.begin >= node.span.begin &&
           d.span.end <= node.span.end;
  });
  doubt(Code::sum_in_else, at, cx.rubric,
        "all of what follows an 'else' belongs to it, so this is added only if " + short_text(node.args[1]->span) +
            " does not hold",
        "put each choice that is added in parentheses: (1 when a else 0) + (1 when b else 0)");
  if (is_own(at, cx.rubric)) state_.noted.doubts.back().fixes = {std::move(fix)};
}

// count(r.mark >= 4 for r in replies), which counts all replies.
void DoubtChecker::doubt_counted_condition(const ast::Expr& node, const Expr* value, const Context& cx) {
  if (node.args.size() != 1) return;
  const bool bare = node.loop != nullptr;
  const ast::Expr& inside = *node.args[0];
  if (!bare && (inside.kind != ExprKind::list_loop || !inside.loop || inside.args.empty())) return;
  const ast::Expr& condition = bare ? inside : *inside.args[0];
  const ast::Loop& loop = bare ? *node.loop : *inside.loop;
  const Expr* list = bare ? value : value->args.empty() ? nullptr : value->args[0];
  if (list == nullptr || list->op != Op::loop || list->loop->value == nullptr) return;
  // count(t.minutes for t in talks), which is count(talks)
  const Expr* counted = list->loop->value;
  const bool field = bare && condition.kind == ExprKind::field && condition.args[0]->kind == ExprKind::name;
  if (field && types_.kind(counted->type) == TypeKind::number && !counted->optional) {
    doubt(Code::counted_condition, node.span, cx.rubric,
          "'count' counts the items, whatever their '" + condition.text + "' is",
          "write sum(…) to add them up, or count the items themselves");
    if (is_own(node.span, cx.rubric)) state_.noted.doubts.back().fixes = {{{node.word, "sum"}}};
    return;
  }
  if (types_.kind(list->loop->value->type) != TypeKind::boolean || loop.clauses.empty()) return;
  const ast::Name& variable =
      loop.clauses.front().second.text.empty() ? loop.clauses.front().first : loop.clauses.front().second;
  const std::string asked = source_text(condition.span);
  const ast::Clause& last = loop.clauses.back();
  const bool filtered = last.kind == ast::ClauseKind::when && last.expr && source_text(last.expr->span) == asked;
  if (condition.kind == ExprKind::name || filtered) return;  // the items themselves are conditions
  const std::uint32_t end = loop.clauses.back().span.end;
  const Span file = condition.span;
  const std::string clauses = source_text({file.file, loop.clauses.front().span.begin, end});
  const bool wrap = condition.kind == ExprKind::choice && !parenthesized(condition);
  const std::string meant =
      "count(" + variable.text + " " + clauses + " when " + (wrap ? "(" + asked + ")" : asked) + ")";
  doubt(Code::counted_condition, condition.span, cx.rubric,
        "'count' counts every item here, also where " + short_text(condition.span) + " does not hold",
        "write " + meant);
  if (is_own(node.span, cx.rubric)) state_.noted.doubts.back().fixes = {{{node.span, meant}}};
}

// width * width, while nothing uses the 'height' that is declared beside it.
void DoubtChecker::doubt_squares(const RubricContext& rc) {
  for (const ast::Expr* node : state_.noted.squares) {
    for (const ast::Item* item : rc.items) {
      const auto* input = std::get_if<ast::Input>(&item->node);
      if (!input || input->names.size() < 2) continue;
      const std::string& name = node->args[0]->text;
      const auto declares = [input](const std::string& n) {
        return std::any_of(input->names.begin(), input->names.end(), [&n](const ast::Name& x) { return x.text == n; });
      };
      if (!declares(name)) continue;
      for (const ast::Name& other : input->names) {
        const auto known = rc.by_name.inputs.find(other.text);
        if (known == rc.by_name.inputs.end() || rc.used_inputs.count(other.text) > 0 ||
            rc.pending[static_cast<std::size_t>(known->second)].used)
          continue;
        doubt(Code::same_sides, node->span, rc.index,
              "both sides of '" + node->text + "' are '" + name + "', and nothing uses '" + other.text + "'",
              "one of them is likely '" + other.text + "'");
        state_.noted.doubts.back().fixes = {{{node->args[1]->span, other.text}}};
        break;
      }
    }
  }
}

// accuracy + style, of which one is 0..1 and the other 0..100.
void DoubtChecker::doubt_mixed_scales(const std::vector<const ast::Expr*>& added, const Context& cx) {
  const auto range_at = [this](const ast::Expr* e) -> const Interval* {
    const auto known = state_.noted.paths.find(e);
    const bool path = e->kind == ast::ExprKind::name || e->kind == ast::ExprKind::field;
    return path && known != state_.noted.paths.end() && sign(known->second.low) == 0 ? &known->second : nullptr;
  };
  const ast::Expr *share = nullptr, *points = nullptr;
  for (const ast::Expr* e : added) {
    const Interval* range = range_at(e);
    if (range == nullptr) return;
    if (compare(range->high, whole(1)) == 0) share = e;
    else if (compare(range->high, whole(100)) == 0) points = e;
  }
  if (share == nullptr || points == nullptr) return;
  const std::string meant = "100 * " + source_text(share->span);
  doubt(Code::percent_of_points, share->span, cx.rubric,
        "'" + short_text(share->span) + "' is 0..1 and '" + short_text(points->span) +
            "' 0..100, so it counts for almost nothing beside it",
        FixIt("write " + meant, meant, false));
}

// "${x}" is how other languages insert a value into a text; here the $ is shown.
void DoubtChecker::doubt_text(const ast::Text& text_of, const ast::TextPart& part, const Expr* value,
                              const Context& cx) {
  const std::size_t at = static_cast<std::size_t>(&part - text_of.parts.data());
  const auto sign_before = [&text_of](std::size_t i) {
    const bool literal = i > 0 && !text_of.parts[i - 1].expr && !text_of.parts[i - 1].literal.empty();
    return literal ? text_of.parts[i - 1].literal.back() : '\0';
  };
  const char sign = sign_before(at);
  if (sign != '$' && sign != '#') return;
  std::size_t alike = 0;
  for (std::size_t i = 1; i < text_of.parts.size(); ++i)
    alike += text_of.parts[i].expr && sign_before(i) == sign ? 1 : 0;
  if (sign == '#' && kind_of(value) != TypeKind::text && alike < 2) return;  // "#{place}" is #1
  if (sign == '$' && kind_of(value) == TypeKind::number) {                   // an amount in dollars
    if (part.decimals >= 0 || names_money(source_text(part.expr->span))) return;
  }
  Span dollar = part.span;
  const std::string_view text = sources_.file(part.span.file).text;
  if (dollar.begin > 0 && text[dollar.begin] == '{' && text[dollar.begin - 1] == sign) --dollar.begin;
  const std::string value_alone(text.substr(part.span.begin, part.span.end - part.span.begin));
  const std::string help = "a value in a text is written {" + short_text(part.expr->span) + "}, without '" + sign + "'";
  doubt(Code::dollar_in_text, dollar, cx.rubric,
        "the '" + std::string(1, sign) + "' before this value is shown as it is",
        dollar.begin < part.span.begin ? FixIt(help, value_alone, false) : FixIt(help));
}

// "%x%", "<x>" and "$x" insert a value in templates of other kinds; here they are shown.
void DoubtChecker::doubt_placeholders(const ast::Text& text, const std::vector<std::string_view>& names,
                                      const Context& cx) {
  const std::string written = source_text(text.span);
  const auto in_word = [&written](std::size_t i) {
    return i < written.size() && (std::isalnum(static_cast<unsigned char>(written[i])) != 0 || written[i] == '_');
  };
  bool braces = false;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const char sign = written[i];
    braces = sign == '{' || (braces && sign != '}');
    if (braces || (sign != '%' && sign != '<' && sign != '$') || (i > 0 && in_word(i - 1))) continue;
    std::size_t end = i + 1;
    while (in_word(end)) ++end;
    const std::string name = written.substr(i + 1, end - i - 1);
    if (sign != '$' && (end >= written.size() || written[end] != (sign == '%' ? '%' : '>'))) continue;
    if (std::find(names.begin(), names.end(), name) == names.end()) continue;
    const std::size_t behind = sign == '$' ? end : end + 1;
    const Span at{text.span.file, text.span.begin + static_cast<std::uint32_t>(i),
                  text.span.begin + static_cast<std::uint32_t>(behind)};
    doubt(Code::dollar_in_text, at, cx.rubric, "this is shown as it is written, and not the value of '" + name + "'",
          FixIt("a value in a text is written {" + name + "}", "{" + name + "}", false));
    i = behind - 1;
  }
}

}  // namespace assay
