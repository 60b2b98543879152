// See sense_checker.hpp. Compares the direction in which each declaration moves the score with its name and prose.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>

namespace assay {

void each_dimension(const std::vector<DimensionItems>& dimensions, std::vector<const DimensionItems*>& all) {
  std::vector<const DimensionItems*> open;
  for (auto d = dimensions.rbegin(); d != dimensions.rend(); ++d) open.push_back(&*d);
  while (!open.empty()) {
    const DimensionItems* d = open.back();
    open.pop_back();
    all.push_back(d);
    for (auto p = d->parts.rbegin(); p != d->parts.rend(); ++p) open.push_back(&*p);
  }
}

namespace {

// A judged rating of something bad is often high where there is little of it.
bool like_rating(const Type& type) {
  if (type.kind != TypeKind::number || type.range.high.missing() || type.range.low.missing()) return false;
  if (compare(type.range.low, whole(1)) == 0) return compare(type.range.high, whole(10)) <= 0;
  return !type.whole && (compare(type.range.high, whole(5)) == 0 || compare(type.range.high, whole(7)) == 0 ||
                         compare(type.range.high, whole(10)) == 0);
}

// Whether two words are one, in the singular or the plural.
bool same_word(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  return b.starts_with(a) && (b.substr(a.size()).empty() || b.substr(a.size()) == "s" || b.substr(a.size()) == "es");
}

// Whether the name of something bad counts where the dimension is about a topic.
bool speaks_to(WordTopic said, WordTopic of) {
  return said == WordTopic::none || said == of || (of == WordTopic::use && said == WordTopic::price);
}

}  // namespace

// The input's own name, unless its prose or its type leave open what a high value means.
NameSense SenseChecker::sense_of_path(RubricContext& rc, const std::string& path, const Lean& lean) {
  const std::size_t dot = path.rfind('.');
  NameSense sense = sense_of(dot == path.npos ? path : std::string_view(path).substr(dot + 1));
  if (sense.good == 0) return sense;
  const std::string owner = path.substr(0, dot);
  const auto input = rc.last_inputs.find(owner);
  if (input == rc.last_inputs.end()) return sense.good > 0 ? sense : NameSense();  // a judged dimension
  const ast::Input& node = *input->second;
  if (says(plain_words(node.prose), WordRole::doubts) || excused(plain_words(node.prose))) return {};
  if (sense.good > 0 || dot != path.npos) return sense;
  if (node.provenance == ast::Provenance::judged) return {};
  const auto at = rc.by_name.inputs.find(owner);
  if (at == rc.by_name.inputs.end()) return {};
  const Type& type = types_[model(rc).items[static_cast<std::size_t>(at->second)].type];
  if (type.kind == TypeKind::text || (!lean.counted && sense.topic == WordTopic::none && like_rating(type))) return {};
  return sense;
}

// errors / pages is about the errors.
Leans SenseChecker::without_shares(RubricContext& rc, Leans leans) {
  std::erase_if(leans,
                [&](const auto& at) { return at.second.under && sense_of_path(rc, at.first, at.second).good == 0; });
  return leans;
}

// A dimension is good by its name, by what it marks, or by the words of its prose.
NameSense SenseChecker::sense_of_dimension(const ast::Dimension& node) {
  const NameSense sense = sense_of(node.name.text);
  if (sense.good != 0 || says(node.name.text, WordRole::turns) || says(node.name.text, WordRole::weighty)) return sense;
  if (says(node.name.text, WordRole::marked)) return {1, WordTopic::none, node.name.text};
  NameSense all;
  for (const std::string& word : words_of(plain_words(node.prose))) {
    const NameSense said = sense_of(word);
    if (said.good < 0 && said.topic == WordTopic::none) return {};
    if (said.good > 0) all = said;
  }
  return all;
}

// Which end of the score is the good one, as far as names and prose tell.
int SenseChecker::end_by_words(RubricContext& rc) {
  bool high = false;
  bool low = says(rc.node->name.text, WordRole::weighty) || says(plain_words(rc.node->prose), WordRole::weighty);
  std::vector<const DimensionItems*> all;
  each_dimension(rc.dimensions.all, all);
  std::size_t bad = 0;
  for (const DimensionItems* d : all) {
    const std::string& name = d->node->name.text;
    const NameSense sense = sense_of_dimension(*d->node);
    // "Faults per hundred metres", "Rank among 100"
    const std::vector<std::string> prose = words_of(plain_words(d->node->prose));
    const NameSense measured = prose.empty() ? NameSense() : sense_of(prose[0]);
    const bool counted = !prose.empty() && (is_word(prose[0], WordRole::placing) ||
                                            (measured.good < 0 && measured.topic == WordTopic::none));
    const bool against = sense.good < 0 || says(name, WordRole::weighty) || counted;
    bad += against ? 1 : 0;
    low = low || against;
    high = high || sense.good > 0;
    if (!d->node->body.expr) continue;
    for (const auto& [path, lean] : slope_.of(rc, d->node->body, false)) {
      const NameSense of = sense_of_path(rc, path, lean);
      high =
          high || (of.topic == WordTopic::none &&
                   lean.direction == (of.good > 0 ? Lean::Direction::rises : Lean::Direction::falls) && of.good != 0);
    }
  }
  all_bad_ = !all.empty() && bad == all.size();
  some_marks_ = std::any_of(all.begin(), all.end(), [&](const DimensionItems* d) {
    const Leans leans = slope_.of(rc, d->node->body, false);
    return std::any_of(leans.begin(), leans.end(), [](const auto& at) {
      const bool rises = at.second.direction == Lean::Direction::rises;
      return rises && (says(at.first, WordRole::marked) || says(at.first, WordRole::mark));
    });
  });
  for (const ast::Item* item : rc.items) {
    if (const auto* bands = std::get_if<ast::Bands>(&item->node))
      low = low || says(bands->name.text, WordRole::weighty);
    const auto* amount = std::get_if<ast::Adjustment>(&item->node);
    if (amount == nullptr) continue;
    const NameSense sense = sense_of(plain_words(amount->label));
    const bool taken = amount->kind == AdjustmentKind::deduction;
    high = high || (sense.good != 0 && sense.topic == WordTopic::none && taken == (sense.good < 0));
  }
  some_bad_ = low;
  return high == low ? 0 : high ? 1 : -1;
}

// Whether a higher score is known to be the better one. Nothing is known where an order begins with the low ones.
bool SenseChecker::high_is_better(const RubricContext& rc) const {
  if (of_school(rc) || ranked_low(rc, "score")) return false;
  return end_ > 0 || (end_ == 0 && !some_bad_ && some_marks_);
}

// The value with what raises it lowering it: 100 - x for x, x for 100 - x, the choices exchanged. Empty: no short form.
Fix SenseChecker::turned_value(RubricContext&, const ast::Expr& e, const Interval& range) {
  if (e.kind == ast::ExprKind::binary && e.text == "-" && e.args[0]->kind == ast::ExprKind::number)
    return {{e.span, source_text(e.args[1]->span)}};
  const bool choice = e.kind == ast::ExprKind::choice && e.args.size() > 2 && e.args[2];
  if (choice && e.args[0]->kind == ast::ExprKind::number && e.args[2]->kind == ast::ExprKind::number)
    return {{e.args[0]->span, source_text(e.args[2]->span)}, {e.args[2]->span, source_text(e.args[0]->span)}};
  if (e.kind == ast::ExprKind::call && !e.loop && e.args.size() > 2) {  // linear(minutes, 15, 40)
    const ast::Expr &a = *e.args[e.args.size() - 2], &b = *e.args.back();
    if (a.kind == ast::ExprKind::number && b.kind == ast::ExprKind::number) return {{a.span, b.text}, {b.span, a.text}};
  }
  if (!finite(range)) return {};
  const bool plain = e.kind != ast::ExprKind::choice && e.kind != ast::ExprKind::binary;
  const bool product = e.kind == ast::ExprKind::binary && (e.text == "*" || e.text == "/");
  const std::string text = source_text(e.span);
  const std::string all = exact_text(add(range.low, range.high, numbers()));
  return {{e.span, all + " - " + (plain || product ? text : "(" + text + ")")}};
}

// The opposite of a condition, in its own terms. Empty: it has no short one.
Fix SenseChecker::turned_condition(const ast::Expr& e) {
  static constexpr std::string_view kOpposites[][2] = {{">", "<="}, {">=", "<"},  {"<", ">="},
                                                       {"<=", ">"}, {"==", "!="}, {"!=", "=="}};
  if (e.kind == ast::ExprKind::binary) {
    for (const auto& pair : kOpposites) {
      if (e.text == pair[0]) return {{e.word, std::string(pair[1])}};
    }
    return {};
  }
  if (e.kind == ast::ExprKind::unary && e.text == "not") return {{e.span, source_text(e.args[0]->span)}};
  if (e.kind == ast::ExprKind::name || e.kind == ast::ExprKind::field) return {{e.span, "not " + source_text(e.span)}};
  return {};
}

// dimension punctuality = delay_minutes
void SenseChecker::doubt_dimension(RubricContext& rc, const DimensionItems& d) {
  const ast::Dimension& node = *d.node;
  if (!node.body.expr || end_ <= 0 || d.raw < 0) return;
  const std::string& name = node.name.text;
  NameSense own = sense_of_dimension(node);
  // Where a high score is good by other words, so is each dimension whose own name leaves it open.
  const bool open = own.good == 0 && !says(name, WordRole::weighty) && !says(name, WordRole::turns);
  if (open) own = {1, WordTopic::none, name};
  if (own.good <= 0 || excused(plain_words(node.prose))) return;
  const std::vector<std::string> topic = words_of(rc.node->name.text + " " + plain_words(rc.node->prose));
  const std::string* wrong = nullptr;
  bool rises = false;
  const Leans leans = slope_.of(rc, node.body, false);
  for (const auto& [path, lean] : leans) {
    const NameSense sense = sense_of_path(rc, path, lean);
    if (sense.good == 0 || lean.direction == Lean::Direction::unknown || !speaks_to(sense.topic, own.topic)) continue;
    const std::vector<std::string> words = words_of(name);
    if (sense.good < 0 && std::find(words.begin(), words.end(), sense.word) != words.end()) return;
    // "Bug hunt": the more bugs, the better
    const auto of_topic = [&sense](const std::string& word) { return same_word(word, sense.word); };
    if (open && std::any_of(topic.begin(), topic.end(), of_topic)) return;
    if ((sense.good > 0) == (lean.direction == Lean::Direction::rises)) return;  // some of it is right
    if (wrong == nullptr) wrong = &path, rises = lean.direction == Lean::Direction::rises;
  }
  if (wrong == nullptr) return;
  const ast::Expr& e = *node.body.expr;
  Fix fix = turned_value(rc, e, types_[model(rc).items[static_cast<std::size_t>(d.raw)].type].range);
  FixIt help = "let it fall with '" + *wrong + "'";
  if (!rises) help = "let it rise with '" + *wrong + "'";
  if (fix.size() == 1) help = "write " + fix[0].text + ", if " + (rises ? "less" : "more") + " of it is better";
  doubt(Code::wrong_way, e.span, rc.index,
        "'" + name + "' " + (rises ? "rises" : "falls") + " with '" + *wrong + "', which is " +
            (rises ? "bad" : "good") + " by its name",
        std::move(help));
  if (is_own(e.span, rc.index) && !fix.empty()) state_.noted.doubts.back().fixes = {std::move(fix)};
}

// deduction "{t.name}" = 2 for t in tickets when t.solved, where nothing is deducted for the others
void SenseChecker::doubt_done(RubricContext& rc, const ast::Adjustment& node) {
  if (node.kind != AdjustmentKind::deduction || !node.body.expr || end_ < 0 ||
      excused(plain_words(node.label) + " " + plain_words(node.prose)))
    return;
  std::vector<const ast::Expr*> open;
  const auto conditions = [&open](const ast::Loop& loop) {
    for (const ast::Clause& clause : loop.clauses) {
      if (clause.kind == ast::ClauseKind::when) open.push_back(clause.expr.get());
    }
  };
  const ast::Expr& e = *node.body.expr;
  if (node.loop) conditions(*node.loop);
  if (e.kind == ast::ExprKind::choice && (e.args.size() < 3 || !e.args[2] || e.args[2]->text == "0"))
    open.push_back(e.args[1].get());
  for (const ast::ExprPtr& side : e.args) {
    if (e.kind == ast::ExprKind::binary && e.text == "*" && side->text == "count" && side->loop)
      conditions(*side->loop);
  }
  const std::string_view file = sources_.file(e.span.file).text;
  while (!open.empty()) {
    const ast::Expr& part = *open.back();
    open.pop_back();
    if (part.kind == ast::ExprKind::binary && part.text == "and") {
      for (const ast::ExprPtr& side : part.args) open.push_back(side.get());
    }
    if (part.kind != ast::ExprKind::field || !is_word(part.text, WordRole::done)) continue;
    const std::string meant = "not " + source_text(part.span), field = "." + part.text;
    const std::size_t first = file.find(field);  // what is not done counts elsewhere
    if (file.find(field, first + 1) != file.npos) return;
    return tell(rc, Code::wrong_way, part.span,
                "this deduction is for what is '" + part.text + "', which is good by its name", "write " + meant,
                {{{part.span, meant}}});
  }
}

// deduction uptime = 10 * uptime
void SenseChecker::doubt_adjustment(RubricContext& rc, const ast::Item& item, const ast::Adjustment& node) {
  if (!node.body.expr || node.loop || end_ < 0 || !node.label.plain()) return;
  const std::string said = plain_words(node.label) + " " + plain_words(node.prose);
  if (excused(said)) return;
  const Leans leans = without_shares(rc, slope_.of(rc, node.body, true));
  if (leans.size() != 1) return;
  const auto& [path, lean] = *leans.begin();
  const NameSense sense = sense_of_path(rc, path, lean);
  // Of a price or a time much may be wanted, but not of noise where the label says so too.
  const NameSense label = sense_of(plain_words(node.label));
  const bool noise = sense.topic == WordTopic::noise && label.topic == sense.topic && label.good == sense.good;
  if (sense.good == 0 || (sense.topic != WordTopic::none && !noise) || lean.direction == Lean::Direction::unknown)
    return;
  const bool taken = node.kind == AdjustmentKind::deduction, rises = lean.direction == Lean::Direction::rises;
  const bool right = (sense.good > 0) != taken;
  const Interval amount = slope_.range(rc, *node.body.expr);
  const bool never = !amount.high.missing() && sign(amount.high) <= 0;  // which another warning tells
  if (right == rises || never) return;
  if (right) {  // falls with what it is for: it may be about something else
    const std::vector<std::string> words = words_of(said);
    if (std::find(words.begin(), words.end(), sense.word) == words.end()) return;
  }
  const std::string what = std::string(row_of(node.kind).word) + " '" + plain_words(node.label) + "'";
  const ast::Expr& e = *node.body.expr;
  const std::string other = taken ? "bonus" : "deduction";
  std::vector<Fix> fixes;
  if (!noise && e.kind == ast::ExprKind::choice && (e.args.size() < 3 || !e.args[2]))
    fixes.push_back(turned_condition(*e.args[1]));
  if (!right) fixes.push_back({{item.word, other}});
  else if (e.kind == ast::ExprKind::binary) fixes.push_back(turned_value(rc, e, slope_.range(rc, e)));
  std::erase_if(fixes, [](const Fix& fix) { return fix.empty(); });
  doubt(Code::wrong_way, e.span, rc.index,
        "the " + what + " " + (rises ? "grows" : "falls") + " with '" + path + "', which is " +
            (sense.good > 0 ? "good" : "bad") + " by its name",
        right              ? "let it grow with '" + path + "'"
        : fixes.size() > 1 ? "turn its condition round, or write '" + other + "'"
                           : "write '" + other + "'");
  if (is_own(e.span, rc.index)) state_.noted.doubts.back().fixes = std::move(fixes);
}

// cap score at 40 when tests_passed
void SenseChecker::doubt_cap(RubricContext& rc, const ast::Cap& node) {
  const bool group = std::any_of(std::begin(kAdjustments), std::end(kAdjustments),
                                 [&node](const AdjustmentRow& row) { return row.list == node.target.text; });
  if (!node.when || group || end_ < 0 || excused(plain_words(node.prose))) return;
  const Leans leans = without_shares(rc, slope_.of(rc, *node.when));
  if (leans.size() != 1 || leans.begin()->second.direction == Lean::Direction::unknown) return;
  const auto& [path, lean] = *leans.begin();
  const NameSense sense = sense_of_path(rc, path, lean);
  const bool rises = lean.direction == Lean::Direction::rises;
  if (sense.good == 0 || sense.topic != WordTopic::none || (sense.good > 0) != rises) return;
  doubt(Code::wrong_way, node.when->span, rc.index,
        "this cap applies to what has " + std::string(rises ? "much" : "little") + " '" + path + "', which is " +
            (rises ? "good" : "bad") + " by its name",
        "turn its condition round");
  Fix fix = turned_condition(*node.when);
  if (is_own(node.when->span, rc.index) && !fix.empty()) state_.noted.doubts.back().fixes = {std::move(fix)};
}

// gate safe = count(f for f in findings when f.severe and f.fixed) == 0
bool SenseChecker::doubt_none_done(RubricContext& rc, const ast::Expr& e) {
  const bool none = e.kind == ast::ExprKind::binary && e.text == "==" && e.args[1]->kind == ast::ExprKind::number &&
                    e.args[1]->text == "0" && e.args[0]->text == "count";
  const bool not_any = e.kind == ast::ExprKind::unary && e.text == "not" && e.args[0]->text == "any";
  const ast::Expr& call = *e.args[0];
  if ((!none && !not_any) || call.kind != ast::ExprKind::call || !call.loop) return false;
  std::vector<const ast::Expr*> open;
  for (const ast::Clause& clause : call.loop->clauses) {
    if (clause.kind == ast::ClauseKind::when) open.push_back(clause.expr.get());
  }
  if (not_any && !call.args.empty()) open.push_back(call.args[0].get());
  while (!open.empty()) {
    const ast::Expr& part = *open.back();
    open.pop_back();
    if (part.kind == ast::ExprKind::binary && part.text == "and") {
      for (const ast::ExprPtr& side : part.args) open.push_back(side.get());
    }
    if (part.kind != ast::ExprKind::field || !is_word(part.text, WordRole::done)) continue;
    const std::string meant = "not " + source_text(part.span);
    tell(rc, Code::wrong_way, part.span,
         "this gate fails for what is '" + part.text + "' and passes what is not, which is good by its name",
         "write " + meant, {{{part.span, meant}}});
    return true;
  }
  return false;
}

// gate green = failed_tests > 3; gate independent = conflict_of_interest
void SenseChecker::doubt_gate(RubricContext& rc, const ast::Gate& node) {
  if (!node.body.expr || !node.body.where.empty() || end_ < 0) return;
  const ast::Expr& e = *node.body.expr;
  const std::string said = node.name.text + " " + plain_words(node.prose);
  if (excused(said) || says(node.name.text, WordRole::weighty)) return;
  if ((e.kind == ast::ExprKind::binary || e.kind == ast::ExprKind::unary) && doubt_none_done(rc, e)) return;
  const bool plain = e.kind == ast::ExprKind::name && sense_of(e.text).good < 0;  // a condition of the record
  const std::vector<std::string> own = words_of(said);
  if (plain && std::find(own.begin(), own.end(), sense_of(e.text).word) != own.end()) return;
  if (e.kind != ast::ExprKind::binary && !plain) return;
  const Leans leans = without_shares(rc, slope_.of(rc, e));
  if (leans.size() != 1 || leans.begin()->second.direction == Lean::Direction::unknown) return;
  const auto& [path, lean] = *leans.begin();
  const NameSense sense = sense_of_path(rc, path, lean);
  const bool rises = lean.direction == Lean::Direction::rises;
  if (sense.good == 0 || sense.topic != WordTopic::none || (sense.good > 0) == rises) return;
  doubt(Code::wrong_way, e.span, rc.index,
        "this gate passes what has " +
            std::string(plain   ? ""
                        : rises ? "much "
                                : "little ") +
            "'" + path + "', which is " + (rises ? "bad" : "good") + " by its name",
        "turn its condition round");
  Fix fix = turned_condition(e);
  if (is_own(e.span, rc.index) && !fix.empty()) state_.noted.doubts.back().fixes = {std::move(fix)};
}

void SenseChecker::tell(RubricContext& rc, Code code, Span at, std::string message, FixIt help,
                        std::vector<Fix> fixes) {
  if (!is_own(at, rc.index)) return;
  doubt(code, at, rc.index, std::move(message), std::move(help));
  state_.noted.doubts.back().fixes = std::move(fixes);
}

void SenseChecker::look(RubricContext& rc) {
  named_ = named_values(rc);
  by_words_ = end_by_words(rc);
  by_grades_ = end_by_grades(rc);
  end_ = by_grades_ < 0 ? -1 : by_grades_ == 0 ? by_words_ : by_words_ >= 0 ? 1 : 0;
  end_before_levels_ = end_;
  if (by_grades_ == 0 && end_by_levels(rc) < 0) by_grades_ = end_ = -1;
  std::vector<const DimensionItems*> all;
  each_dimension(rc.dimensions.all, all);
  for (const DimensionItems* d : all) doubt_dimension(rc, *d);
  for (const ast::Item* item : rc.items) {
    if (const auto* amount = std::get_if<ast::Adjustment>(&item->node)) {
      doubt_adjustment(rc, *item, *amount);
      doubt_done(rc, *amount);
    }
    if (const auto* cap = std::get_if<ast::Cap>(&item->node)) doubt_cap(rc, *cap);
    if (const auto* gate = std::get_if<ast::Gate>(&item->node)) doubt_gate(rc, *gate);
    if (const auto* bands = std::get_if<ast::Bands>(&item->node)) {
      doubt_grades(rc, bands->name.text, bands->params, bands->rows);
      doubt_labels(rc, *bands), doubt_degrees(rc, bands->rows);
    }
    if (const auto* table = std::get_if<ast::Table>(&item->node))
      doubt_grades(rc, table->name.text, table->params, table->rows), doubt_degrees(rc, table->rows);
  }
  doubt_rank(rc);
  doubt_stated(rc);
  doubt_twice(rc);
  doubt_twins(rc);
  doubt_copies(rc);
  doubt_copied_advice(rc);
  doubt_subtotals(rc);
  doubt_taken_twice(rc);
  doubt_names(rc);
  doubt_lists(rc);
  doubt_computed(rc);
  doubt_percents_shown(rc);
  doubt_steps(rc);
  doubt_described(rc);
  doubt_read(rc);
  doubt_uses(rc);
  doubt_contrary(rc);
  doubt_spoken(rc);
  doubt_same_formula(rc);
  doubt_examples(rc);
}

}  // namespace assay
