// Doubts about orders: redundant ranking keys, and grades in alphabetical order. See doubts.hpp.
#include "lang/proof/doubts.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <utility>

namespace assay {

namespace {

bool rising(const std::vector<std::string_view>& texts) {
  return std::adjacent_find(texts.begin(), texts.end(),
                            [](std::string_view a, std::string_view b) { return a >= b; }) == texts.end();
}

bool falling(const std::vector<std::string_view>& texts) {
  return std::adjacent_find(texts.begin(), texts.end(),
                            [](std::string_view a, std::string_view b) { return a <= b; }) == texts.end();
}

// A date that begins with its day or month: 31.12.2025, 12/31/2025.
bool is_date_of_day(std::string_view text) {
  int parts[3] = {};
  std::size_t at = 0;
  for (int part = 0; part < 3; ++part) {
    const std::size_t begin = at;
    for (; at < text.size() && at < begin + 4 && is_digit(text[at]); ++at)
      parts[part] = parts[part] * 10 + text[at] - '0';
    const std::size_t digits = at - begin;
    if (part < 2 ? digits < 1 || digits > 2 : digits != 4) return false;
    if (part < 2 && (at == text.size() || (text[at] != '.' && text[at] != '/' && text[at] != '-'))) return false;
    at += part < 2 ? 1 : 0;
  }
  const auto [few, many] = std::minmax(parts[0], parts[1]);
  return at == text.size() && few >= 1 && few <= 12 && many <= 31;
}

std::string listed(const std::vector<std::string_view>& texts) {
  constexpr std::size_t kMost = 4;
  std::string all;
  for (std::size_t i = 0; i < texts.size() && i < kMost; ++i)
    all += (i > 0 ? ", \"" : "\"") + std::string(texts[i]) + "\"";
  return texts.size() > kMost ? all + " …" : all;
}

}  // namespace

// What a value is computed by, behind names, caps and defaults; null: nothing.
const Expr* Doubts::behind(const Expr& value, int rubric) const {
  const Expr* e = &value;
  for (int level = 0; level < 8; ++level) {
    if (e->op == Op::item && rubric >= 0) {
      e = model_.rubrics[static_cast<std::size_t>(rubric)].items[e->index].body;
    } else if (e->op == Op::choice && e->args[2]->op == Op::constant && e->args[2]->value.missing()) {
      e = e->args[0];
    } else if (e->op == Op::default_) {
      e = e->args[0];
    } else {
      break;
    }
    if (e == nullptr) return nullptr;
  }
  return e;
}

// The possible texts of a value, in the order in which the author wrote them: the names of bands, a declared choice.
// `written`: in a table, whose rows have an order.
std::vector<std::string_view> Doubts::in_their_order(const Expr& value, int rubric, bool& written) const {
  written = false;
  const Expr* e = behind(value, rubric);
  if (e == nullptr) return {};
  std::vector<std::string_view> texts;
  if (model_.types.kind(e->type) != TypeKind::text) return texts;
  if (e->op == Op::pick && e->args[1]->op == Op::constant) {
    written = true;
    const ListValue list = e->args[1]->value.list;
    for (std::uint32_t i = 0; i < list.size; ++i) {
      if (list.items[i].missing()) continue;
      const std::string_view text = list.items[i].text.view();
      if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
    }
    return texts;
  }
  for (const std::string& choice : model_.types[e->type].choices) texts.push_back(choice);
  return texts;
}

namespace {

// A year has as many digits as any other, and begins the dates in it: hired < "2020".
bool is_year(std::string_view text) {
  return text.size() == 4 && (text[0] == '1' || text[0] == '2') && text.find_first_not_of("0123456789") == text.npos;
}

}  // namespace

// `grade >= "B"`: texts are compared letter by letter.
bool Doubts::report_text_order(const Seen& seen) {
  if (!seen.met || seen.first == nullptr || seen.claim.any_arguments) return false;
  const Expr& e = *seen.first;
  const bool ordered = e.op == Op::lt || e.op == Op::le || e.op == Op::gt || e.op == Op::ge;
  if (!ordered || model_.types.kind(e.args[0]->type) != TypeKind::text) return false;
  const ast::Expr& node = *seen.claim.node;
  for (std::size_t side = 0; side < 2; ++side) {
    const bool literal = e.args[1 - side]->op == Op::constant;
    bool written = false;
    const std::vector<std::string_view> texts = in_their_order(*e.args[side], seen.rubric, written);
    if (literal && is_date_of_day(e.args[1 - side]->value.text.view())) {
      const std::string date(e.args[1 - side]->value.text.view());
      report(Code::text_order, node.span,
             words(node.args[side]->span) +
                 " is a text, and texts are compared by the alphabet: the first digits of \"" + date + "\" decide",
             "write dates with the year first, here and in the records: \"" + date.substr(date.size() - 4) + "-…\"");
      return true;
    }
    Number n;  // level >= "10": "9" comes after it
    if (literal && texts.empty() && !is_year(e.args[1 - side]->value.text.view()) &&
        parse_decimal(e.args[1 - side]->value.text.view(), n, pool_, true)) {
      const std::string number(e.args[1 - side]->value.text.view());
      const std::string of(sources_.text(node.args[side]->span));
      std::vector<Fix> fixes = {{{node.args[side]->span, "number(" + of + ")"}, {node.args[1 - side]->span, number}}};
      offer(diagnostics_,
            report(Code::text_order, node.span,
                   words(node.args[side]->span) +
                       " is a text, and texts are compared by the alphabet: \"9\" comes after \"10\"",
                   "compare it as a number: number(" + of + ") " + node.text + " " + number),
            fixes);
      return true;
    }
    if (!literal || texts.size() < 3 || rising(texts) || falling(texts)) continue;
    std::vector<Fix> fixes;
    const std::string sign = side == 0 ? node.text : std::string(turned(node.text));
    const std::string bound = bound_of_grade(*e.args[side], e.args[1 - side]->value.text.view(), sign, seen.rubric);
    if (!bound.empty()) fixes.push_back({{node.span, bound}});
    offer(diagnostics_,
          report(
              Code::text_order, node.span,
              words(node.args[side]->span) + " is one of " + listed(texts) + ", and texts are compared by the alphabet",
              "compare the number that it comes from, or name the texts that are meant: … in [\"…\", \"…\"]"),
          fixes);
    return true;
  }
  return false;
}

// A comparison with a grade as one of the number that it comes from: "score >= 7" for grade >= "A". Empty: its bands do not
// fall from the top.
std::string Doubts::bound_of_grade(const Expr& grade, std::string_view text, const std::string& sign,
                                   int rubric) const {
  const Expr* pick = behind(grade, rubric);
  const std::string of = number_behind(grade, rubric);
  if (of.empty() || pick == nullptr || pick->op != Op::pick || pick->args[1]->op != Op::constant) return {};
  const Expr* row_of = pick->args[0];
  if (row_of->op == Op::item) row_of = behind(*row_of, rubric);
  if (row_of == nullptr || row_of->op != Op::lookup || row_of->args.size() != 1) return {};
  const std::vector<TableRow>& rows = model_.tables[row_of->index].rows;
  const ListValue list = pick->args[1]->value.list;
  const auto low = [&rows](std::size_t row) {
    const std::vector<CellTest>& tests = rows[row].cells[0];
    return tests.size() == 1 && tests[0].kind == CellTest::Kind::range && !tests[0].range.low_open ? tests[0].range.low
                                                                                                   : Number();
  };
  const std::size_t count = std::min<std::size_t>(rows.size(), list.size);
  for (std::size_t row = 0; row < count; ++row) {
    if (row > 0 && (low(row - 1).missing() || (!low(row).missing() && compare(low(row), low(row - 1)) >= 0))) return {};
    if (list.items[row].missing() || list.items[row].text.view() != text) continue;
    const bool better = sign == ">" || sign == "<=";  // than this grade
    if (better && row == 0) return {};
    const Number bound = low(better ? row - 1 : row);
    if (bound.missing()) return {};
    return of + (sign == ">=" || sign == ">" ? " >= " : " < ") + shortest_text(bound);
  }
  return {};
}

// Whether records with equal values of all these keys always have an equal value of this one.
bool Doubts::follows(const Expr& e, int rubric, const std::vector<std::uint32_t>& keys) {
  const Nesting nesting(budget_);
  if (std::find(keys.begin(), keys.end(), known_.same(e)) != keys.end()) return true;
  switch (e.op) {
    case Op::constant:
    case Op::weight: return true;
    case Op::item: {
      const Expr* body = model_.rubrics[static_cast<std::size_t>(rubric)].items[e.index].body;
      return body != nullptr && follows(*body, rubric, keys);
    }
    case Op::slot:
    case Op::local:
    case Op::raw_history:
    case Op::call:
    case Op::apply:
    case Op::hook:
    case Op::loop:
    case Op::let_in: return false;
    default:
      return std::all_of(e.args.begin(), e.args.end(), [&](const Expr* arg) { return follows(*arg, rubric, keys); });
  }
}

// The name of the number to which bands give this grade; empty: it comes from something else.
std::string Doubts::number_behind(const Expr& grade, int rubric) const {
  const std::vector<Item>& items = model_.rubrics[static_cast<std::size_t>(rubric)].items;
  const Expr* e = &grade;
  for (int level = 0; level < 8 && e != nullptr; ++level) {
    if (e->op == Op::item && model_.types.kind(e->type) == TypeKind::number && items[e->index].kind != ItemKind::hidden)
      return items[e->index].name;
    if (e->op == Op::item) e = items[e->index].body;
    else if (e->op == Op::pick || e->op == Op::choice || e->op == Op::lookup) e = e->args[0];
    else break;
  }
  return {};
}

// The order without the key whose expression is here: ", higher x".
Fix Doubts::without_key(Span key) const {
  const std::string_view text = sources_.file(key.file).text;
  const auto blank = [text](std::size_t i) { return text[i] == ' ' || text[i] == '\n' || text[i] == '\t'; };
  std::size_t begin = key.begin, end = key.end;
  while (begin > 0 && blank(begin - 1)) --begin;
  while (begin > 0 && !blank(begin - 1) && text[begin - 1] != ',') --begin;  // higher, lower
  std::size_t before = begin;
  while (before > 0 && blank(before - 1)) --before;
  if (before > 0 && text[before - 1] == ',') {
    begin = before - 1;
  } else {  // the first key: up to the next
    std::size_t next = end;
    while (next < text.size() && blank(next)) ++next;
    if (next < text.size() && text[next] == ',') end = next + 1;
    while (end > key.end && end < text.size() && blank(end)) ++end;
  }
  return {{{key.file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}, ""}};
}

void Doubts::ranks(const RubricModel& rubric, int index, std::uint32_t file) {
  known_.enter(index, nullptr);
  std::vector<std::uint32_t> before;
  std::vector<std::string> names;
  for (const RankModel& key : rubric.rank) {
    const Item& item = rubric.items[static_cast<std::size_t>(key.item)];
    if (item.body == nullptr || item.span.file != file) continue;
    const Expr& e = *item.body;
    const std::string name = words(item.span);
    const auto first = std::find(before.begin(), before.end(), known_.same(e));
    const bool same = first != before.end();
    const bool twice = same && names[static_cast<std::size_t>(first - before.begin())] == name;
    const Fix without = without_key(item.span);
    const bool of_gates =
        e.op == Op::field && e.args[0]->op == Op::item && rubric.items[e.args[0]->index].name == "gates";
    const bool gate =
        of_gates || std::any_of(rubric.items.begin(), rubric.items.end(), [&](const Item& g) {
          const bool itself = e.op == Op::item && &rubric.items[e.index] == &g;
          return g.kind == ItemKind::gate && g.body != nullptr && (itself || known_.same(*g.body) == known_.same(e));
        });
    if (gate) {
      offer(diagnostics_,
            report(Code::redundant_rank, item.span,
                   name + " holds for every ranked record, as a gate needs it, so nothing is ordered by it",
                   "leave it out, or order by something that differs"),
            {without});
    } else if (e.op == Op::constant) {
      offer(diagnostics_,
            report(Code::redundant_rank, item.span, name + " is the same for every record, so nothing is ordered by it",
                   "leave it out, or order by something that differs"),
            {without});
    } else if (twice) {
      offer(diagnostics_,
            report(Code::redundant_rank, item.span, name + " stands twice, so the second one orders nothing",
                   "leave it out, or name what decides among equals"),
            {without}, true);
    } else if (same || (!before.empty() && follows(e, index, before))) {
      std::string earlier = same ? names[static_cast<std::size_t>(first - before.begin())] : std::string();
      for (const std::string& n : same ? std::vector<std::string>() : names)
        earlier += (earlier.empty() ? "" : ", ") + n;
      offer(diagnostics_,
            report(Code::redundant_rank, item.span,
                   name + " follows from " + earlier + ": records that are equal there are equal here",
                   "leave it out, or name what decides among equals"),
            {without});
    }
    before.push_back(known_.same(e));
    names.push_back(name);
    bool written = false;
    const std::vector<std::string_view> texts = in_their_order(e, index, written);
    // The best band comes first.
    const bool right = key.higher ? falling(texts) : rising(texts);
    const bool input = e.op == Op::slot;
    if (texts.size() < 2 || right || (!written && (input || texts.size() < 3 || rising(texts) || falling(texts))))
      continue;
    const std::string_view top =
        key.higher ? *std::max_element(texts.begin(), texts.end()) : *std::min_element(texts.begin(), texts.end());
    const std::string number = number_behind(e, index);
    std::vector<Fix> fixes = {without};
    const bool ordered = std::find(names.begin(), names.end(), "'" + number + "'") != names.end();
    if (!number.empty() && !ordered) fixes.insert(fixes.begin(), {{item.span, number}});
    offer(diagnostics_,
          report(Code::text_order, item.span,
                 name + " is one of " + listed(texts) + ", and texts are ordered by the alphabet: \"" +
                     std::string(top) + "\" comes first",
                 "order by the number that it comes from, such as the score"),
          fixes);
  }
}

// What a filter compares and a record may lack: an optional field or input. A computed value is missing for a reason
// that the rubric knows.
const Expr* Doubts::may_be_lost(const Expr& e) {
  const Nesting nesting(budget_);
  if (e.op == Op::and_ || e.op == Op::or_) {
    const std::size_t mark = known_.mark();
    const Expr* lost = may_be_lost(*e.args[0]);
    known_.assume(*e.args[0], e.op == Op::and_ ? Outcome::holds : Outcome::fails);
    if (lost == nullptr && known_.possible()) lost = may_be_lost(*e.args[1]);
    known_.back_to(mark);
    return lost;
  }
  if (e.op == Op::not_) {  // 'not f.met': is it meant to keep what nobody has looked at?
    const Expr& of = *e.args[0];
    const bool field =
        of.op == Op::field && read_.count(of.args[0]->type) > 0 && !model_.types[of.args[0]->type].verdict;
    if (field && known_.here(of).missing && known_.here(of).given) return &of;
    if (of.op == Op::in_list) return lost_in(*of.args[0]);  // x.kind not in ["a"]; 'in' asks like '=='
    return may_be_lost(of);
  }
  if (e.op == Op::call) {
    const Expr* lost = nullptr;
    const auto here = std::exchange(loop_locals_, {});  // its names are others
    known_.with_arguments(e, [&](const Expr& body) { lost = may_be_lost(body); });
    loop_locals_ = here;
    return lost;
  }
  const bool decides =
      e.op == Op::lt || e.op == Op::le || e.op == Op::gt || e.op == Op::ge || e.op == Op::ne || e.op == Op::in_range;
  if (!decides) return nullptr;
  for (const Expr* side : e.args) {
    if (const Expr* lost = lost_in(*side)) return lost;
  }
  // found[r.article] < r.pieces: of a key that the map lacks nothing was found, and that is less
  const Expr* small = e.op == Op::lt || e.op == Op::le   ? e.args[0]
                      : e.op == Op::gt || e.op == Op::ge ? e.args[1]
                                                         : nullptr;
  const bool lookup = small != nullptr && small->op == Op::map_get && read_.count(small->args[0]->type) > 0 &&
                      model_.types[small->type].whole;  // a price may be unknown
  return lookup && known_.here(*small).missing && known_.here(*small).given ? small : nullptr;
}

// The same for a value that is compared: x.s, x.s - x.d.
const Expr* Doubts::lost_in(const Expr& e) {
  const Nesting nesting(budget_);
  const Known known = known_.here(e);
  if (!known.missing || !known.given) return nullptr;
  const bool field = e.op == Op::field && read_.count(e.args[0]->type) > 0 && !model_.types[e.args[0]->type].verdict;
  const bool computed = each_.count(rubric_) > 0;
  if (field || (e.op == Op::slot && !computed)) return &e;
  if (const auto bound = loop_locals_.find(static_cast<int>(e.index));
      e.op == Op::local && bound != loop_locals_.end()) {
    const LoopClause& clause = *bound->second;
    const bool lost =
        clause.kind == LoopClause::Kind::let ? lost_in(*clause.expr) != nullptr : items_lost(*clause.expr);
    return lost ? &e : nullptr;
  }
  const bool computes = e.op == Op::add || e.op == Op::sub || e.op == Op::mul || e.op == Op::div || e.op == Op::neg;
  for (std::size_t i = 0; computes && i < e.args.size(); ++i) {
    if (const Expr* lost = lost_in(*e.args[i])) return lost;
  }
  return nullptr;
}

// Whether items of a list are missing because a record lacks them: those of a list that it holds, or of a field of its
// records.
bool Doubts::items_lost(const Expr& list) {
  const Nesting nesting(budget_);
  const Expr* of = behind(list, rubric_);
  if (of == nullptr) return false;
  if (of->op == Op::slot) return each_.count(rubric_) == 0;
  if (of->op == Op::field) return read_.count(of->args[0]->type) > 0;
  if (of->op != Op::loop || of->loop->key != nullptr || of->loop->value == nullptr) return false;
  // Its names are those of the loop alone if it belongs to another declaration.
  const auto here = of == &list ? loop_locals_ : std::exchange(loop_locals_, {});
  for (const LoopClause& clause : of->loop->clauses) {
    if (clause.kind == LoopClause::Kind::for_in || clause.kind == LoopClause::Kind::let)
      loop_locals_[clause.second] = &clause;
  }
  const bool lost = lost_in(*of->loop->value) != nullptr;
  loop_locals_ = here;
  if (lost) lost_list_ = of;
  return lost;
}

}  // namespace assay
