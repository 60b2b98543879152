// See said_checker.hpp. Reads the numbers that a comment gives to several names, "A week late costs 5 points, damage costs 20",
// and compares them with the declarations below it.
#include "lang/check/sense/said/said_checker.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/bounds.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <iterator>

namespace assay {

struct SaidChecker::Entry {
  const ast::Expr* literal;
  Number value;
  std::string kind;                      // what it is a number of; only those of one kind are exchanged
  std::vector<std::string> names, read;  // the words of its own name, and of what it reads
  const Unit* unit = nullptr;            // of what is compared with it
  bool compared = false;
  const ast::Expr* label = nullptr;  // of a row: what is exchanged
};

struct SaidChecker::Clause {
  std::vector<std::string> words;
  Number value;
  bool percent = false;
  std::string noun;  // behind the number
  std::string text;
};

namespace {

// The only number of an expression that is a number, a product or a quotient, also with a condition of its own.
const ast::Expr* only_number(const ast::Expr& e) {
  if (e.kind == ast::ExprKind::number) return &e;
  if (e.kind == ast::ExprKind::choice && (e.args.size() < 3 || !e.args[2])) return only_number(*e.args[0]);
  if (!is_binary(e, "*")) return nullptr;
  const ast::Expr *left = only_number(*e.args[0]), *right = only_number(*e.args[1]);
  return left != nullptr && right != nullptr ? nullptr : left != nullptr ? left : right;
}

bool is_order(const ast::Expr& e) {
  return is_binary(e, "<") || is_binary(e, "<=") || is_binary(e, ">") || is_binary(e, ">=");
}

bool shares_word(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  static constexpr std::string_view kCommon = "point points score count the and for per each all min max has are not";
  constexpr std::size_t kShortest = 3;
  return std::any_of(a.begin(), a.end(), [&](const std::string& word) {
    if (word.size() < kShortest || has_word(kCommon, word) || unit_of(word) != nullptr) return false;
    return std::any_of(b.begin(), b.end(), [&word](const std::string& of) { return of == word || akin(of, word); });
  });
}

// Words that leave open what numbers are for: former ones, examples, several at once.
constexpr std::string_view kOpen =
    "was were formerly previously used until since raised lowered changed before instead except unless about around "
    "roughly nearly almost approximately or example eg otherwise extra another more additional further plus not never";

// The parts of a comment that commas, colons and "and" divide.
std::vector<std::string> parts_of(std::string_view comment) {
  std::vector<std::string> parts;
  for (const std::string& sentence : sentences_of(comment)) {
    std::string part;
    const auto end = [&] {
      if (const std::string_view said = without_blanks(part); !said.empty()) parts.emplace_back(said);
      part.clear();
    };
    for (std::size_t i = 0; i < sentence.size(); ++i) {
      const bool comma =
          (sentence[i] == ',' || sentence[i] == ':') && (i + 1 == sentence.size() || sentence[i + 1] == ' ');
      if (comma || std::string_view("()").find(sentence[i]) != std::string_view::npos) end();
      else if (std::string_view(sentence).substr(i).starts_with(" and ")) end(), i += 4;
      else part += sentence[i];
    }
    end();
  }
  return parts;
}

}  // namespace

std::vector<SaidChecker::Clause> SaidChecker::clauses_of(std::string_view comment) {
  std::vector<Clause> all;
  for (std::string& part : parts_of(comment)) {
    Clause one;
    one.words = words_of(part);
    const auto said = numbers_with_words(part, numbers());
    const auto half = std::find_if(one.words.begin(), one.words.end(),
                                   [](const std::string& w) { return w == "half" || w == "quarter"; });
    if (said.size() == 1 && half == one.words.end()) {
      one.value = said[0].first.value, one.percent = said[0].first.percent, one.noun = said[0].second;
    } else if (said.empty() && half != one.words.end()) {  // "Half a point", "a quarter"
      const bool of = half + 1 != one.words.end() && has_word("of the", *(half + 1));
      if (of) continue;
      one.value = div(whole(1), whole(*half == "half" ? 2 : 4), numbers());
    } else {
      continue;
    }
    one.text = std::move(part);
    all.push_back(std::move(one));
  }
  return all;
}

void SaidChecker::add_rows(const ast::Rows& rows, std::vector<Entry>& all) {
  constexpr std::size_t kMost = 20;
  if (rows.columns.size() != 2 || rows.rows.size() > kMost) return;
  for (const std::vector<ast::Cell>& row : rows.rows) {
    if (row.size() != 2 || row[0].patterns.size() != 1 || row[1].patterns.size() != 1) return;
    const ast::CellPattern& key = row[0].patterns[0];
    const ast::Expr* at = key.bounds.size() == 1 ? key.bounds[0].expr.get()
                          : key.bounds.empty()   ? key.expr.get()
                                                 : nullptr;
    const ast::Expr* value = row[1].patterns[0].expr.get();
    if (at == nullptr || value == nullptr) continue;
    const bool label = value->kind == ast::ExprKind::text && at->kind == ast::ExprKind::number && !key.bounds.empty();
    const bool amount = at->kind == ast::ExprKind::text && value->kind == ast::ExprKind::number;
    if (!label && !amount) continue;
    Entry one{label ? at : value, {}, label ? "row" : "cell", words_of(plain_words((label ? value : at)->literal)), {}};
    one.compared = label, one.label = label ? value : at;
    if (label) one.unit = unit_of_name(rows.columns[0].text);
    all.push_back(std::move(one));
  }
}

// The numbers of a declaration that a comment may give.
void SaidChecker::add_entries(RubricContext& rc, const ast::Item& item, std::vector<Entry>& all) {
  const std::size_t first = all.size();
  const auto add = [&](std::string_view kind, const std::string& name, const ast::Expr* e) {
    if (e == nullptr) return;
    Entry one{nullptr, {}, std::string(kind), words_of(name), {}};
    if (is_order(*e) && e->args[1]->kind == ast::ExprKind::number && is_path(*e->args[0])) {
      one.literal = e->args[1].get(), one.compared = true;
      one.unit = unit_of_path(rc, *e->args[0]);
    } else {
      one.literal = only_number(*e);
    }
    if (one.literal == nullptr) return;
    each_expr(budget_, *e, [&one](const ast::Expr& part) {
      if (!is_path(part)) return;
      for (std::string& word : words_of(part.text)) one.read.push_back(std::move(word));
    });
    all.push_back(std::move(one));
  };
  if (const auto* amount = std::get_if<ast::Adjustment>(&item.node); amount && !amount->loop)
    add(row_of(amount->kind).word, plain_words(amount->label), amount->body.expr.get());
  if (const auto* flag = std::get_if<ast::Flag>(&item.node); flag && !flag->loop)
    add("flag", plain_words(flag->label), flag->when.get());
  if (const auto* gate = std::get_if<ast::Gate>(&item.node)) add("gate", gate->name.text, gate->body.expr.get());
  if (const auto* let = std::get_if<ast::Let>(&item.node)) add("value", let->name.text, let->body.expr.get());
  if (const auto* d = std::get_if<ast::Dimension>(&item.node)) add("weight", d->name.text, d->weight.get());
  if (const auto* bands = std::get_if<ast::Bands>(&item.node); bands && bands->params.size() == 1)
    add_rows(bands->rows, all);
  if (const auto* table = std::get_if<ast::Table>(&item.node);
      table && table->params.size() == 1 && table->from.parts.empty())
    add_rows(table->rows, all);
  for (std::size_t i = first; i < all.size(); ++i) {
    const Interval at = slope_.range(rc, *all[i].literal);
    all[i].value = finite(at) ? at.low : kMissing;
  }
  std::erase_if(all, [](const Entry& e) { return e.value.missing(); });
}

// The number of a clause in the unit of an entry. Missing: they cannot be compared.
Number SaidChecker::said_for(RubricContext&, const Clause& clause, const Entry& entry) {
  const bool percent = entry.literal->text.ends_with('%');
  if (clause.percent != percent) return kMissing;
  if (percent) return div(clause.value, whole(100), numbers());
  const Unit* said = unit_of(clause.noun);
  if (said == nullptr || clause.noun.size() == 1) return clause.value;
  if (entry.unit == nullptr || entry.unit->of != said->of) return kMissing;
  return div(mul(clause.value, whole(said->size), numbers()), whole(entry.unit->size), numbers());
}

// # A week late costs 5 points, damage costs 20. Above: deduction late = 20 * weeks_late, deduction damage = 5 when damaged
void SaidChecker::doubt_pairs(RubricContext& rc, const std::string& comment, const std::vector<Entry>& entries) {
  if (entries.size() < 2 || has_word(kOpen, words_of(comment))) return;
  const std::vector<Clause> clauses = clauses_of(comment);
  constexpr std::size_t kMost = 12;
  if (clauses.size() < 2 || clauses.size() > kMost) return;
  struct Matched {
    const Clause* clause;
    const Entry* entry;
    Number said;
  };
  std::vector<Matched> pairs;
  std::vector<const Clause*> open;
  for (const Clause& clause : clauses) {
    const Entry* found = nullptr;
    bool several = false;
    for (const bool by_name : {true, false}) {
      if (found != nullptr) break;
      for (const Entry& entry : entries) {
        if (!shares_word(by_name ? entry.names : entry.read, clause.words)) continue;
        several = several || found != nullptr;
        found = &entry;
      }
    }
    if (several) return;
    if (found == nullptr) open.push_back(&clause);
    else pairs.push_back({&clause, found, said_for(rc, clause, *found)});
  }
  const auto taken = [&pairs](const Entry& e) {
    return std::count_if(pairs.begin(), pairs.end(), [&e](const Matched& p) { return p.entry == &e; });
  };
  if (pairs.empty() || std::any_of(entries.begin(), entries.end(), [&](const Entry& e) { return taken(e) > 1; }))
    return;
  // The one that is left is meant by the clause that is left, if it counts the same.
  std::vector<const Entry*> left;
  for (const Entry& e : entries) {
    if (taken(e) == 0 && e.kind == pairs[0].entry->kind) left.push_back(&e);
  }
  std::erase_if(open, [&](const Clause* c) { return c->noun != pairs[0].clause->noun || c->noun.empty(); });
  if (open.size() == 1 && left.size() == 1) pairs.push_back({open[0], left[0], said_for(rc, *open[0], *left[0])});
  std::vector<Matched> odd;
  for (const Matched& p : pairs) {
    if (p.said.missing()) return;
    if (compare(p.said, p.entry->value) != 0) odd.push_back(p);
  }
  if (odd.empty() || odd.size() > 2 || pairs.size() < 2) return;
  const auto told = [&](const Matched& p) { return told_at(p.entry->literal->span) != nullptr; };
  if (std::any_of(odd.begin(), odd.end(), told)) return;
  if (odd.size() == 2) {
    const Entry &a = *odd[0].entry, &b = *odd[1].entry;
    if (a.kind != b.kind || compare(odd[0].said, b.value) != 0 || compare(odd[1].said, a.value) != 0) return;
    const bool rows = a.kind == "row";
    const ast::Expr &first = rows ? *a.label : *a.literal, &second = rows ? *b.label : *b.literal;
    return tell(rc, Code::amount_against_prose, first.span,
                "these two are " + a.literal->text + " and " + b.literal->text + ", and the comment says \"" +
                    odd[0].clause->text + "\" and \"" + odd[1].clause->text + '"',
                "exchange the two", {{{first.span, source_text(second.span)}, {second.span, source_text(first.span)}}});
  }
  const Entry& entry = *odd[0].entry;
  const Number& said = odd[0].said;
  const Number off = abs(sub(said, entry.value, numbers()), numbers());
  const bool next = entry.compared && is_whole(off) && compare(off, whole(1)) <= 0;  // > 2 and "from 3 on"
  if (pairs.size() == odd.size() || next) return;
  static constexpr std::int64_t kFactors[] = {7, 12, 24, 30, 52, 60, 100, 365, 1'000, 3'600};
  const auto times = [&](const Number& a, const Number& b) {
    return std::any_of(std::begin(kFactors), std::end(kFactors),
                       [&](std::int64_t n) { return compare(mul(a, whole(n), numbers()), b) == 0; });
  };
  const bool other_unit = entry.unit == nullptr && (times(said, entry.value) || times(entry.value, said));
  // "The ride costs 2, with luggage 5": 2 and 3 together.
  const bool total = std::any_of(entries.begin(), entries.end(), [&](const Entry& e) {
    return &e != &entry && (compare(said, add(e.value, entry.value, numbers())) == 0 ||
                            (entry.compared && compare(entry.value, add(e.value, said, numbers())) == 0));
  });
  if (other_unit || total || sign(said) <= 0) return;
  const bool percent = entry.literal->text.ends_with('%');
  const std::string meant = shortest_text(percent ? mul(said, whole(100), numbers()) : said) + (percent ? "%" : "");
  tell(rc, Code::amount_against_prose, entry.literal->span,
       "this is " + entry.literal->text + ", and the comment says \"" + odd[0].clause->text + '"',
       "bring the two into line", {{{entry.literal->span, meant}}});
}

// Whether the words of a clause say to which side of a bound its number belongs: 1 to what is above, -1 to what is below it.
static int side_said(const std::string& clause, Number& at, NumberPool& pool) {
  const auto said = numbers_with_words(clause, pool);
  if (said.size() != 1 || said[0].first.percent) return 0;
  at = said[0].first.value;
  const std::vector<std::string> words = words_of(clause);
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {  // "from 10 on"
    for (std::size_t k = i + 2; k < std::min(words.size(), i + 4); ++k) {
      if (words[i] == "from" && has_word("on onwards upwards up", words[k]) &&
          !numbers_said(words[i + 1], pool).empty())
        return 1;
    }
  }
  const std::optional<SaidBound> bound = bound_said(clause, pool, true);
  if (!bound || bound->op == "==" || bound->op == "!=" || has_word("until", words)) return 0;
  return bound->op == ">=" || bound->op == "<" ? 1 : -1;
}

// # Under 6 nobody may slide; from 10 on they slide alone. Above: | < 6 | "no" |, | <= 10 | "with an adult" |
void SaidChecker::doubt_sides_of_bounds(RubricContext& rc, const std::string& said, bool comment,
                                        const ast::Rows& rows) {
  static constexpr std::string_view kSigns[] = {"<", "<=", ">", ">="};
  struct Bound {
    const ast::CellBound* bound;
    const ast::Expr* label;
    Number at;
    bool upper;
  };
  std::vector<Bound> all;
  for (const std::vector<ast::Cell>& row : rows.rows) {
    if (row.size() < 2 || row[0].patterns.size() != 1 || row[0].patterns[0].bounds.size() != 1) continue;
    const ast::CellBound& bound = row[0].patterns[0].bounds[0];
    const Interval at = slope_.range(rc, *bound.expr);
    if (!finite(at) || bound.expr->kind != ast::ExprKind::number) return;
    all.push_back({&bound, bound.expr.get(), at.low,
                   bound.bound == ast::Bound::less || bound.bound == ast::Bound::greater_equal});
  }
  struct Said {
    Number at;
    int side;
    std::string text;
  };
  std::vector<Said> clauses;
  for (std::string& part : parts_of(said)) {
    Number at;
    if (const int side = side_said(part, at, numbers()); side != 0) clauses.push_back({at, side, std::move(part)});
  }
  const auto same = [&clauses](const Number& at) {
    return std::count_if(clauses.begin(), clauses.end(), [&at](const Said& s) { return compare(s.at, at) == 0; });
  };
  const bool known = std::all_of(all.begin(), all.end(), [&](const Bound& b) { return same(b.at) == 1; });
  if (!known || all.size() < 2) return;  // the text speaks of these bounds
  for (const Bound& b : all) {
    const auto& clause =
        *std::find_if(clauses.begin(), clauses.end(), [&b](const Said& s) { return compare(s.at, b.at) == 0; });
    if ((clause.side > 0) == b.upper || told_at(b.label->span) != nullptr) continue;
    const std::string is(kSigns[static_cast<std::size_t>(b.bound->bound)]);
    const std::string meant = is.size() == 1 ? is + "=" : is.substr(0, 1);
    const std::string_view file = sources_.file(b.label->span.file).text;
    const std::size_t sign_at = file.rfind(is, b.label->span.begin);
    if (sign_at == file.npos) return;
    const Span sign{b.label->span.file, static_cast<std::uint32_t>(sign_at),
                    static_cast<std::uint32_t>(sign_at + is.size())};
    tell(rc, Code::contradicts_prose, {sign.file, sign.begin, b.label->span.end},
         "this row is for " + is + " " + b.label->text + ", and the " + (comment ? "comment" : "text") + " says \"" +
             clause.text + '"',
         "write '" + meant + "'", {{{sign, meant}}});
  }
}

void SaidChecker::doubt_paragraphs(RubricContext& rc) {
  for (std::size_t i = 0; i < rc.items.size(); ++i) {
    const ast::Item& item = *rc.items[i];
    if (!is_own(item.span, rc.index)) continue;
    const std::string_view file = sources_.file(item.span.file).text;
    const std::string comment = comment_above(file, item.span.begin);
    const auto* bands = std::get_if<ast::Bands>(&item.node);
    const auto* table = std::get_if<ast::Table>(&item.node);
    const std::string said = comment.empty() && table != nullptr ? plain_words(table->prose) : comment;
    if (!said.empty() && bands && bands->params.size() == 1)
      doubt_sides_of_bounds(rc, said, !comment.empty(), bands->rows);
    if (!said.empty() && table && table->params.size() == 1 && table->from.parts.empty())
      doubt_sides_of_bounds(rc, said, !comment.empty(), table->rows);
    if (comment.empty() || (numbers_said(comment, numbers()).empty() && !has_word("half quarter", words_of(comment))))
      continue;
    std::vector<Entry> entries;
    constexpr std::size_t kMost = 12;
    for (std::size_t k = i; k < std::min(rc.items.size(), i + kMost); ++k) {
      const ast::Item& next = *rc.items[k];
      if (k > i) {  // down to a blank line, or to the next comment
        const ast::Item& before = *rc.items[k - 1];
        if (next.span.file != item.span.file || next.span.begin < before.span.end) break;
        const std::string_view gap = file.substr(before.span.end, next.span.begin - before.span.end);
        if (gap.find('#') != gap.npos || std::count(gap.begin(), gap.end(), '\n') > 1) break;
      }
      add_entries(rc, next, entries);
    }
    doubt_pairs(rc, comment, entries);
  }
}

// # Taste counts most, the set comes second, its look last. Above: dimension look weight 30%, beside one of 20%
void SaidChecker::doubt_order_of_weights(RubricContext& rc) {
  std::vector<std::pair<const ast::Dimension*, Number>> all;
  for (const DimensionItems& d : rc.dimensions.all) {
    const ast::Dimension& node = *d.node;
    if (node.advisory) continue;
    const bool number = node.weight && node.weight->kind == ast::ExprKind::number && is_own(node.span, rc.index);
    const Interval weight = number ? slope_.range(rc, *node.weight) : Interval();
    if (!finite(weight)) return;
    all.emplace_back(&node, weight.low);
  }
  constexpr std::size_t kFewest = 3;
  if (all.size() < kFewest) return;
  const std::string said = comment_above(sources_.file(all[0].first->span.file).text, all[0].first->span.begin) + ". " +
                           plain_words(rc.node->prose);
  const std::vector<std::string> words = words_of(said);
  if (!has_word("counts count weighs matters comes", words) || has_word("not no never than", words)) return;
  struct Said {
    std::size_t dimension;
    bool most;
    std::string text;
  };
  std::vector<Said> clauses;
  for (std::string& part : parts_of(said)) {
    const std::vector<std::string> own = words_of(part);
    if (own.empty() || !has_word("most first last least", own.back())) continue;
    std::size_t named = all.size(), count = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (shares_word(words_of(all[i].first->name.text), own)) named = i, ++count;
    }
    if (count == 1) clauses.push_back({named, has_word("most first", own.back()), std::move(part)});
  }
  if (clauses.size() < 2) return;
  std::optional<std::pair<std::size_t, std::size_t>> exchanged;
  const Said* against = nullptr;
  for (const Said& clause : clauses) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const int order = compare(all[i].second, all[clause.dimension].second);
      if (i == clause.dimension || order != (clause.most ? 1 : -1)) continue;
      if (against != nullptr) return;
      against = &clause, exchanged = {clause.dimension, i};
    }
  }
  if (against == nullptr) return;
  const ast::Dimension &here = *all[exchanged->first].first, &there = *all[exchanged->second].first;
  if (told_at(here.weight->span) != nullptr) return;
  tell(rc, Code::amount_against_prose, here.weight->span,
       "'" + here.name.text + "' weighs " + here.weight->text + " and '" + there.name.text + "' " + there.weight->text +
           ", and the comment says \"" + against->text + '"',
       "exchange the two", {{{here.weight->span, there.weight->text}, {there.weight->span, here.weight->text}}});
}

}  // namespace assay
