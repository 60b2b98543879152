// See sense_checker.hpp. Finds texts that speak of something else than what is computed: of another input, of the score after
// its deductions, of all tests where a rounded share is compared, of records without a value.
#include "lang/check/sense/sense_checker.hpp"
#include "lang/check/sense/written.hpp"
#include "lang/check/words/units.hpp"
#include "lang/proof/prose.hpp"
#include "lang/text/ascii.hpp"
#include "lang/value/interval.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace assay {

namespace {

// A condition or an amount, with its own words.
struct Spoken {
  std::size_t kind;  // of the declaration
  const ast::Expr* e;
  const ast::Text* prose;
  std::string name;
  bool passes;  // a gate
};

std::vector<Spoken> spoken_of(const RubricContext& rc) {
  std::vector<Spoken> all;
  for (const ast::Item* item : rc.items) {
    const auto add = [&](const ast::ExprPtr& e, const ast::Text& prose, const std::string& name) {
      if (e) all.push_back({item->node.index(), e.get(), &prose, name, std::holds_alternative<ast::Gate>(item->node)});
    };
    if (const auto* gate = std::get_if<ast::Gate>(&item->node); gate && gate->body.where.empty())
      add(gate->body.expr, gate->prose, gate->name.text);
    if (const auto* flag = std::get_if<ast::Flag>(&item->node); flag && !flag->loop)
      add(flag->when, flag->prose, plain_words(flag->label));
    if (const auto* cap = std::get_if<ast::Cap>(&item->node)) add(cap->when, cap->prose, "");
    if (const auto* check = std::get_if<ast::Check>(&item->node); check && !check->loop)
      add(check->condition, check->prose, "");
    if (const auto* rule = std::get_if<ast::Incomplete>(&item->node)) add(rule->when, rule->prose, "");
    if (const auto* amount = std::get_if<ast::Adjustment>(&item->node);
        amount && !amount->loop && amount->body.where.empty())
      add(amount->body.expr, amount->prose, plain_words(amount->label));
  }
  return all;
}

bool said_in(const std::vector<std::string>& words, const std::string& word) {
  return std::any_of(words.begin(), words.end(), [&word](const std::string& w) { return w == word || akin(w, word); });
}

// The words of a name that another one does not have and that say what it is: "minor" of minor_findings.
std::vector<std::string> own_words(const std::string& name, const std::string& other) {
  constexpr std::size_t kShortest = 4;
  std::vector<std::string> words = words_of(name);
  const std::vector<std::string> theirs = words_of(other);
  std::erase_if(words, [&theirs](const std::string& word) {
    return word.size() < kShortest || is_word(word, WordRole::measure) || unit_of(word) != nullptr ||
           said_in(theirs, word);
  });
  return words;
}

}  // namespace

// flag low_oxygen when pulse < 92 "Oxygen saturation below 92%", where nothing reads 'saturation'; deduction minors =
// 2 * count(major_findings) "2 points for each minor finding", beside another one of the major ones
void SenseChecker::doubt_spoken_input(RubricContext& rc) {
  struct Reads {
    std::string input;  // the only one; empty: several, or another value
    std::vector<const ast::Expr*> places;
    std::vector<std::string> words;
  };
  const std::vector<Spoken> all = spoken_of(rc);
  std::vector<Reads> reads(all.size());
  std::map<std::pair<std::size_t, std::string>, std::vector<std::size_t>> readers;  // by kind and input
  constexpr std::size_t kStem = 4, kMost = 16;
  std::map<std::string, std::vector<std::string>> by_stem;  // inputs by the stems of the words in their names
  for (const auto& [name, input] : rc.last_inputs) {
    for (const std::string& word : words_of(name)) {
      if (word.size() >= kStem) by_stem[word.substr(0, kStem)].emplace_back(name);
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool one = true;
    each_expr(budget_, *all[i].e, [&](const ast::Expr& e) {
      if (e.kind != ast::ExprKind::name) return;
      one = one && rc.last_inputs.count(e.text) > 0 && (reads[i].input.empty() || reads[i].input == e.text);
      reads[i].input = e.text;
      reads[i].places.push_back(&e);
      std::vector<std::size_t>& others = readers[{all[i].kind, e.text}];
      if (others.empty() || others.back() != i) others.push_back(i);
    });
    if (!one) reads[i].input.clear();
    reads[i].words = words_of(all[i].name + " " + plain_words(*all[i].prose));
  }
  const auto unused = [&rc](const std::string& name) {
    const auto at = rc.by_name.inputs.find(name);
    return at != rc.by_name.inputs.end() && rc.used_inputs.count(name) == 0 &&
           !rc.pending[static_cast<std::size_t>(at->second)].used;
  };
  const auto type_of = [&](const std::string& name) -> const Type* {
    const auto at = rc.by_name.inputs.find(name);
    return at == rc.by_name.inputs.end() ? nullptr
                                         : &types_[model(rc).items[static_cast<std::size_t>(at->second)].type];
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string& mine = reads[i].input;
    const std::vector<std::string>& words = reads[i].words;
    const Type* type = type_of(mine);
    const bool unclear = has_word("no not without never except instead whatever despite although another", words);
    if (mine.empty() || type == nullptr || unclear || !is_own(all[i].e->span, rc.index) ||
        plain_words(*all[i].prose).empty())
      continue;
    std::string meant;
    bool several = false, instead = false;
    std::set<std::string> spoken;
    for (const std::string& word : words) {
      const auto near = word.size() < kStem ? by_stem.end() : by_stem.find(word.substr(0, kStem));
      if (near == by_stem.end() || near->second.size() > kMost) continue;
      spoken.insert(near->second.begin(), near->second.end());
    }
    for (const std::string& name : spoken) {
      const Type* other = name == mine ? nullptr : type_of(name);
      if (other == nullptr || other->kind != type->kind) continue;
      const std::vector<std::string> theirs = own_words(name, mine), ours = own_words(mine, name);
      const auto said = [&words](const std::string& word) { return said_in(words, word); };
      if (theirs.empty() || !std::all_of(theirs.begin(), theirs.end(), said) ||
          std::any_of(ours.begin(), ours.end(), said))
        continue;
      // Another declaration of this kind that is about mine, and none that reads the other one.
      const std::vector<std::size_t>& of_mine = readers[{all[i].kind, mine}];
      const bool alike = readers.count({all[i].kind, name}) > 0, differs = only_difference(mine, name).has_value();
      const bool counted = differs && !ours.empty() && of_mine.size() <= kMost &&
                           std::any_of(of_mine.begin(), of_mine.end(), [&](std::size_t k) {
                             return k != i && reads[k].input == mine &&
                                    std::all_of(ours.begin(), ours.end(),
                                                [&](const std::string& word) { return said_in(reads[k].words, word); });
                           });
      const bool idle = unused(name);
      // deduction overdue = 0.5 * days_on_loan, beside days_overdue; children >= 3 "Members of three years", of member_years
      const std::vector<std::string> called = own_words(all[i].name, "");
      const bool by_name =
          !called.empty() && std::all_of(called.begin(), called.end(), [&theirs](const std::string& w) {
            return std::find(theirs.begin(), theirs.end(), w) != theirs.end();
          });
      const std::vector<std::string> every = words_of(name);
      const bool in_full = every.size() > 1 && std::all_of(every.begin(), every.end(), said);
      if (!idle && (!counted || alike) && ((!by_name && !in_full) || alike)) continue;
      several = several || !meant.empty();
      meant = name, instead = idle;
    }
    // What the text calls by the words of the input's own prose.
    const auto input = rc.last_inputs.find(mine);
    const std::vector<std::string> mine_said = words_of(plain_words(input->second->prose));
    constexpr std::size_t kLong = 5;
    const std::vector<std::string> named = words_of(meant);
    const bool about_mine = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return (word.size() >= kLong && said_in(mine_said, word) && !said_in(named, word) && unit_of(word) == nullptr) ||
             (said_in(words_of(mine), word) && !said_in(named, word) && word.size() >= 3);
    });
    if (meant.empty() || several || about_mine) continue;
    Fix fix;
    for (const ast::Expr* place : reads[i].places) fix.push_back({place->span, meant});
    if (Doubt* told = told_at(all[i].e->span); told != nullptr) {
      told->help = "write " + meant + ", of which the text speaks";
      told->fixes.insert(told->fixes.begin(), fix);
      continue;
    }
    tell(rc, Code::contradicts_prose, reads[i].places[0]->span,
         "this asks for '" + mine + "', and the text says \"" + all[i].prose->str() + '"' +
             (instead ? "; nothing reads the input '" + meant + "'" : ""),
         "write " + meant, {std::move(fix)});
    if (!instead) continue;
    const ast::Input& of = *rc.last_inputs.find(meant)->second;
    for (const ast::Name& name : of.names) {
      if (name.text == meant) diagnostics_->withdraw(Code::unused, name.span);
    }
  }
}

// gate passed = composite >= 70 "70 points or more after all deductions"
void SenseChecker::doubt_before_steps(RubricContext& rc) {
  static constexpr std::string_view kSteps = "deduction deductions bonus bonuses penalties cap caps";
  const bool steps = std::any_of(rc.items.begin(), rc.items.end(), [](const ast::Item* item) {
    return std::holds_alternative<ast::Adjustment>(item->node);
  });
  if (!steps || rc.by_name.own.count("composite") > 0 || rc.by_name.own.count("score") > 0) return;
  for (const Spoken& one : spoken_of(rc)) {
    const ast::Expr& e = *one.e;
    const bool compared = e.kind == ast::ExprKind::binary && !opposite_of(e.text).empty() &&
                          e.args[0]->kind == ast::ExprKind::name && e.args[0]->text == "composite" &&
                          e.args[1]->kind == ast::ExprKind::number;
    const std::vector<std::string> words = words_of(plain_words(*one.prose));
    const auto after = std::find(words.begin(), words.end(), "after");
    const bool behind = after != words.end() &&
                        std::any_of(after, words.end(), [](const std::string& w) { return has_word(kSteps, w); });
    const bool score = has_word("score", words) && !has_word(kSteps, words) &&
                       !has_word("weighted raw mean average composite dimension dimensions unadjusted", words);
    if (!compared || (!behind && !score) || has_word("before without not no", words) || told_at(e.span) != nullptr)
      continue;
    tell(rc, Code::contradicts_prose, e.args[0]->span,
         "'composite' is the value before deductions and bonuses, and the text says \"" + one.prose->str() + '"',
         "write score", {{{e.args[0]->span, "score"}}});
  }
}

// dimension method weight 20% "Method (35%)", where all of the texts say a weight, and they add up to 100%
void SenseChecker::doubt_said_weights(RubricContext& rc) {
  Number sum = whole(0);
  Fix all;
  const ast::Dimension* first = nullptr;
  Number at_first;
  for (const DimensionItems& d : rc.dimensions.all) {
    const ast::Dimension& node = *d.node;
    if (node.advisory) continue;
    const std::string prose = plain_words(node.prose);
    const std::vector<SaidNumber> said = numbers_said(prose, numbers());
    if (!node.weight || node.weight->kind != ast::ExprKind::number || !node.weight->text.ends_with('%') ||
        said.size() != 1 || !said[0].percent || bound_said(prose, numbers()))
      return;
    const std::vector<std::string> names = words_of(node.name.text);
    const bool named = !names.empty() && said_in(words_of(prose), names.back());
    if (!named && prose.find("(" + shortest_text(said[0].value) + "%)") == std::string::npos) return;
    sum = add(sum, said[0].value, numbers());
    const Number here = mul(slope_.range(rc, *node.weight).low, whole(100), numbers());
    if (here.missing() || compare(here, said[0].value) == 0) continue;
    all.push_back({node.weight->span, shortest_text(said[0].value) + "%"});
    if (first == nullptr) first = &node, at_first = said[0].value;
  }
  if (first == nullptr || compare(sum, whole(100)) != 0 || told_at(first->weight->span) != nullptr) return;
  tell(rc, Code::amount_against_prose, first->weight->span,
       "'" + first->name.text + "' weighs " + first->weight->text + ", and its text says \"" + first->prose.str() +
           "\"; the weights in the texts add up to 100%",
       "write " + shortest_text(at_first) + "%", {std::move(all)});
}

// let pass_rate = round(100 * passed / total); gate all_pass = pass_rate == 100 "Every single test passes"
void SenseChecker::doubt_rounded_all(RubricContext& rc) {
  for (const Spoken& one : spoken_of(rc)) {
    const ast::Expr& e = *one.e;
    const bool at_end = is_binary(e, "==") || is_binary(e, ">=");
    if (!at_end || e.args[1]->kind != ast::ExprKind::number || told_at(e.span) != nullptr) continue;
    const ast::Expr& rounded = formula_of(*e.args[0]);
    if (rounded.kind != ast::ExprKind::call || rounded.text != "round" || rounded.loop || rounded.args.empty())
      continue;
    const ast::Expr* share = rounded.args[0].get();  // 100 * passed / total
    std::string part, all;
    each_expr(budget_, *share, [&](const ast::Expr& of) {
      if (!is_binary(of, "/") || !is_path(*of.args[1])) return;
      const ast::Expr& left = *of.args[0];
      const ast::Expr& some = is_binary(left, "*") ? *left.args[left.args[0]->text == "100" ? 1 : 0] : left;
      if (is_path(some)) part = source_text(some.span), all = source_text(of.args[1]->span);
    });
    const Interval end = slope_.range(rc, *e.args[1]);
    const bool most = finite(end) && (compare(end.low, whole(100)) == 0 || compare(end.low, whole(1)) == 0);
    const std::vector<std::string> words = words_of(one.name + " " + plain_words(*one.prose));
    if (part.empty() || !most || !has_word("all every each complete whole full entire everything", words) ||
        has_word("nearly almost about roughly rounded", words))
      continue;
    const std::string meant = part + " == " + all;
    tell(rc, Code::contradicts_prose, e.span,
         "a share just below 100% is rounded to it, and so this also holds without all of them",
         FixIt("write " + meant, meant, false), {});
  }
}

// gate inspected = days default 0 <= 365 "An unknown date counts as not inspected"
void SenseChecker::doubt_unknown_passes(RubricContext& rc) {
  for (const Spoken& one : spoken_of(rc)) {
    const ast::Expr& e = *one.e;
    const bool compared = e.kind == ast::ExprKind::binary && !opposite_of(e.text).empty() &&
                          is_binary(*e.args[0], "default") && e.args[0]->args[1]->kind == ast::ExprKind::number &&
                          e.args[1]->kind == ast::ExprKind::number;
    if (!compared || told_at(e.span) != nullptr) continue;
    const std::vector<std::string> words = words_of(plain_words(*one.prose));
    const bool unknown = has_word("unknown missing absent unrecorded blank", words);
    bool fails = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
      const bool as_not =
          i + 1 < words.size() && words[i] == "as" && has_word("not overdue failed late expired", words[i + 1]);
      fails = fails || (as_not && has_word("counts count is treated taken counted", words[i - 1])) ||
              (has_word("not cannot doesn't", words[i - 1]) && has_word("pass enough accepted", words[i])) ||
              words[i] == "fails";
    }
    const Interval given = slope_.range(rc, *e.args[0]->args[1]), limit = slope_.range(rc, *e.args[1]);
    if (!unknown || !fails || !finite(given) || !finite(limit)) continue;
    const int order = compare(given.low, limit.low);
    const bool holds = e.text == "<" ? order < 0 : e.text == "<=" ? order <= 0 : e.text == ">" ? order > 0 : order >= 0;
    if (!holds || !one.passes) continue;
    const ast::Expr& by_default = *e.args[0]->args[1];
    tell(rc, Code::contradicts_prose, by_default.span,
         "a record without '" + source_text(e.args[0]->args[0]->span) + "' passes with " + by_default.text +
             ", and the text says \"" + one.prose->str() + '"',
         "write a value with which it does not pass", {});
  }
}

// A declaration, and the words about it.
struct SenseChecker::Described {
  std::size_t kind;
  std::string called;
  const ast::Text* prose;
  const ast::Expr* e;                              // null: it is judged, or given
  std::vector<std::string> paths;                  // names in its formula
  std::vector<std::string> own, names;             // stems of its name, and of those in its formula
  std::vector<std::string> text, reads;            // of its prose, and of that of the inputs
  std::vector<std::string> said;                   // the numbers in its prose
  std::string numbers;                             // those in its formula
  std::uint64_t topics = 0;                        // of its name, and of those in its formula
  bool text_apart = false, formula_apart = false;  // whether they share no word with the rest
};

namespace {

using Stems = std::vector<std::string>;

// Whether two lists have a stem in common that says what something is.
bool share(const Stems& a, const Stems& b) {
  const auto says_how = [](const std::string& stem) {
    return unit_of(stem) != nullptr || unit_of(stem + "s") != nullptr || is_word(stem, WordRole::measure) ||
           is_word(stem, WordRole::mark);
  };
  return std::any_of(a.begin(), a.end(), [&](const std::string& one) {
    return std::find(b.begin(), b.end(), one) != b.end() && !says_how(one);
  });
}

bool has(const Stems& all, const std::string& one) { return std::find(all.begin(), all.end(), one) != all.end(); }

using Heads = std::vector<std::uint32_t>;

bool may_share(const Heads& a, const Heads& b) {
  return std::any_of(a.begin(), a.end(),
                     [&b](std::uint32_t head) { return std::find(b.begin(), b.end(), head) != b.end(); });
}

template <typename List>
void append(List& all, List more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace

// A declaration of which the text or the formula shares no word with the rest, or the text says other numbers; nothing for
// others.
std::optional<SenseChecker::Described> SenseChecker::described(const RubricContext& rc, std::size_t kind,
                                                               const std::string& name, const ast::Expr* e,
                                                               const ast::Text& prose) {
  Described one;
  one.kind = kind, one.called = name, one.prose = &prose, one.e = e;
  Heads own = heads_of(name), names, text;
  for (const ast::TextPart& part : prose.parts) append(text, heads_of(part.literal));
  std::vector<const ast::Expr*> literals;
  if (e != nullptr) {
    each_expr(budget_, *e, [&](const ast::Expr& part) {
      if (is_path(part) || part.kind == ast::ExprKind::call) one.paths.push_back(part.text);
      if (part.kind == ast::ExprKind::number && part.text.size() > 1) literals.push_back(&part);
    });
    for (const std::string& path : one.paths) append(names, heads_of(path));
  }
  one.text_apart = !text.empty() && !may_share(text, own) && !may_share(text, names);
  one.formula_apart = !names.empty() && !may_share(text, names) && !may_share(own, names);
  if (one.text_apart || one.formula_apart) {
    std::sort(one.paths.begin(), one.paths.end());
    one.paths.erase(std::unique(one.paths.begin(), one.paths.end()), one.paths.end());
    Heads reads;
    std::string all;
    for (const std::string& path : one.paths) {
      const std::string of_path = prose_of(rc, path);
      append(reads, heads_of(of_path)), append(one.reads, stems_of(of_path));
    }
    const bool both = may_share(text, reads);
    one.text_apart = one.text_apart && !both;
    one.formula_apart = one.formula_apart && !both && !may_share(own, reads);
  }
  const bool apart = one.text_apart || one.formula_apart;
  if (!apart && (literals.empty() || text.empty())) return std::nullopt;
  for (const ast::Expr* literal : literals) {
    const bool percent = literal->text.ends_with('%');
    Number n;
    if (parse_decimal(literal->text.substr(0, literal->text.size() - (percent ? 1 : 0)), n, numbers(), true))
      one.numbers += shortest_text(n) + " ";
  }
  for (const ast::TextPart& part : prose.parts) {
    if (apart) append(one.text, stems_of(part.literal));
    if (has_word("half quarter third twice double times", words_of(part.literal))) continue;
    for (const SaidNumber& said : numbers_said(part.literal, numbers())) one.said.push_back(shortest_text(said.value));
  }
  const bool other = !literals.empty() && !one.said.empty() && !has_word(one.numbers, one.said);
  if (!apart && !other) return std::nullopt;
  one.own = stems_of(name);
  for (const std::string& path : one.paths) append(one.names, stems_of(path));
  one.topics = topics_of(one.own) | topics_of(one.names);
  one.text_apart = one.text_apart && (topics_of(one.text) & one.topics) == 0;
  return one;
}

// gate no_fever = temperature < 38 "Has met nobody who is infected"; gate no_contact = contacts == 0 "No sign of a fever";
// gate long = words >= 800 "Not more than 1500 words"; gate short = words <= 1500 "At least 800 words"
void SenseChecker::doubt_exchanged(RubricContext& rc) {
  std::vector<Described> all;
  const auto add = [&](std::size_t kind, const std::string& name, const ast::Expr* e, const ast::Text& prose) {
    if (std::optional<Described> one = described(rc, kind, name, e, prose)) all.push_back(std::move(*one));
  };
  std::vector<const DimensionItems*> dimensions;
  each_dimension(rc.dimensions.all, dimensions);
  for (const DimensionItems* d : dimensions) add(0, d->node->name.text, d->node->body.expr.get(), d->node->prose);
  for (const ast::Item* item : rc.items) {
    const std::size_t kind = 2 * item->node.index() + 1;
    if (const auto* gate = std::get_if<ast::Gate>(&item->node))
      add(kind, gate->name.text, gate->body.expr.get(), gate->prose);
    if (const auto* flag = std::get_if<ast::Flag>(&item->node); flag && !flag->loop)
      add(kind, plain_words(flag->label), flag->when.get(), flag->prose);
    if (const auto* amount = std::get_if<ast::Adjustment>(&item->node); amount && !amount->loop)
      add(kind, plain_words(amount->label), amount->body.expr.get(), amount->prose);
    if (const auto* check = std::get_if<ast::Check>(&item->node); check && !check->loop)
      add(kind, "", check->condition.get(), check->prose);
    if (const auto* cap = std::get_if<ast::Cap>(&item->node)) add(kind, cap->target.text, cap->when.get(), cap->prose);
    if (const auto* output = std::get_if<ast::Output>(&item->node))
      add(kind, output->name.text, output->body.expr.get(), output->prose);
    if (const auto* let = std::get_if<ast::Let>(&item->node))
      add(kind, let->name.text, let->body.expr.get(), let->prose);
    if (const auto* input = std::get_if<ast::Input>(&item->node)) {
      std::string names;
      for (const ast::Name& name : input->names) names += (names.empty() ? "" : ", ") + name.text;
      add(kind, names, nullptr, input->prose);
    }
  }
  const auto words = [](const Described& text, const Described& of) {
    return text.text_apart && (share(text.text, of.own) || share(text.text, of.names) || share(text.text, of.reads) ||
                               (topics_of(text.text) & of.topics) != 0);
  };
  const auto number = [](const Described& text, const Described& of) {
    return has_word(of.numbers, text.said) && !has_word(text.numbers, text.said);
  };
  const auto fits = [&](const Described& text, const Described& of) {
    return words(text, of) || (text.text_apart && number(text, of));
  };
  const auto reads = [](const Described& of, const Described& other) {
    const auto only = [&](const Stems& its) { return share(its, other.names) && !share(its, of.names); };
    return of.formula_apart && (only(of.own) || only(of.text));
  };
  const auto exchange = [&](Span first, Span second, std::string message) {
    if (told_at(first) != nullptr || told_at(second) != nullptr) return;
    tell(rc, Code::contradicts_prose, first, std::move(message), "exchange the two",
         {{{first, source_text(second)}, {second, source_text(first)}}});
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Described& a = all[i];
    for (std::size_t k = i + 1; k < all.size(); ++k) {
      const Described& b = all[k];
      if (a.kind != b.kind) continue;
      if ((fits(a, b) && fits(b, a)) || (number(a, b) && number(b, a)))
        exchange(a.prose->span, b.prose->span,
                 "this text is about '" + b.called + "', and that of '" + b.called + "' about '" + a.called + "'");
      const bool chain = has(a.paths, b.called) || has(b.paths, a.called);
      if (reads(a, b) && reads(b, a) && !chain)
        exchange(a.e->span, b.e->span,
                 "this is about '" + b.called + "', and what '" + b.called + "' reads about '" + a.called + "'");
    }
  }
}

// cap speaking at 4 when words_written < 80 "The written text is too short", where 'writing' is another dimension
void SenseChecker::doubt_cap_of_other(RubricContext& rc) {
  std::vector<const DimensionItems*> dimensions;
  each_dimension(rc.dimensions.all, dimensions);
  for (const ast::Item* item : rc.items) {
    const auto* cap = std::get_if<ast::Cap>(&item->node);
    if (cap == nullptr || !is_own(item->span, rc.index) || told_at(cap->target.span) != nullptr) continue;
    const ast::Dimension *target = nullptr, *meant = nullptr;
    const Stems text = stems_of(plain_words(cap->prose));
    bool several = false;
    for (const DimensionItems* d : dimensions) {
      if (d->node->name.text == cap->target.text) target = d->node;
      else if (share(text, stems_of(d->node->name.text))) several = several || meant != nullptr, meant = d->node;
    }
    if (target == nullptr || meant == nullptr || several) continue;
    const Heads own = heads_of(target->name.text + " " + plain_words(target->prose));
    const Heads read = heads_of(plain_words(cap->prose) + " " + (cap->when ? source_text(cap->when->span) : ""));
    if (may_share(read, own)) continue;
    tell(rc, Code::contradicts_prose, cap->target.span,
         "this cap is of '" + target->name.text + "', and its text says \"" + cap->prose.str() + '"',
         "write " + meant->name.text, {{{cap->target.span, meant->name.text}}});
  }
}

// bonus loyal = 10 "Members of three years and more", which every record has
void SenseChecker::doubt_always_given(RubricContext& rc, const ast::Expr& e, const std::string& label,
                                      const ast::Text& prose) {
  const std::string text = plain_words(prose);
  const std::vector<std::string> words = words_of(text);
  if (e.kind != ast::ExprKind::number || !is_own(e.span, rc.index) || told_at(e.span) != nullptr ||
      has_word(
          "every everybody everyone all always each standard base basic start starting fixed general flat any anyway "
          "whatever otherwise unless",
          words))
    return;
  const Stems stems = stems_of(text + " " + label);
  std::string about;
  bool several = false;
  for (const auto& [name, input] : rc.last_inputs) {
    if (!share(stems, stems_of(name))) continue;
    several = several || !about.empty();
    about = name;
  }
  const bool condition = !words.empty() && has_word("if when only who whoever", words[0]);
  if (about.empty() && !condition) return;
  std::string meant = "…";
  const auto input = several ? rc.by_name.inputs.end() : rc.by_name.inputs.find(about);
  const std::vector<SaidNumber> said = numbers_said(text, numbers());
  if (input != rc.by_name.inputs.end()) {
    const TypeKind kind = types_.kind(model(rc).items[static_cast<std::size_t>(input->second)].type);
    const bool denied = has_word("no not without never", words);
    const bool less = has_word("less fewer below under most younger", words);
    if (kind == TypeKind::boolean) meant = (denied ? "not " : "") + about;
    if (kind == TypeKind::number && said.size() == 1 && !denied)
      meant = about + (less ? " <= " : " >= ") + shortest_text(said[0].value);
  }
  tell(rc, Code::contradicts_prose, e.span,
       "every record has this, and its " + (about.empty() || share(stems_of(text), stems_of(about))
                                                ? "text says \"" + text + '"'
                                                : "name says '" + label + "'"),
       "write " + e.text + " when " + meant,
       meant == "…" ? std::vector<Fix>() : std::vector<Fix>{{{e.span, e.text + " when " + meant}}});
}

// dimension burden "A small share of the income goes into rent" = linear(rent / income, 20%, 50%)
void SenseChecker::doubt_said_small(RubricContext& rc, const ast::Dimension& node) {
  if (!node.body.expr || !is_own(node.name.span, rc.index) || told_at(node.body.expr->span) != nullptr) return;
  const bool best = std::any_of(rc.items.begin(), rc.items.end(), [&node](const ast::Item* item) {
    const auto* fn = std::get_if<ast::Fn>(&item->node);  // linear(x, worst, best)
    return fn && fn->name.text == node.body.expr->text && !fn->params.empty() && fn->params.back().name.text == "best";
  });
  if (end_ < 0 && !best) return;
  const std::string prose = plain_words(node.prose);
  for (const std::string& text : {prose, node.name.text}) {
    std::vector<std::string> words = words_of(text);
    if (!words.empty() && has_word("a an the as has", words[0])) words.erase(words.begin());
    if (words.size() < 2 || !is_word(words[0], WordRole::small)) continue;
    if (has_word(
            "not no never too but lower lowers less worse cost costs lose loses reduce reduces take takes count counts "
            "bad risk points",
            words))
      return;
    const std::string* wrong = nullptr;
    const Leans leans = slope_.of(rc, node.body, false);
    for (const auto& [path, lean] : leans) {
      const bool said = share(stems_of(text), stems_of(path));
      if (!said || lean.under || lean.direction == Lean::Direction::unknown) continue;
      if (lean.direction == Lean::Direction::falls) continue;
      if (wrong != nullptr) return;
      wrong = &path;
    }
    if (wrong == nullptr) continue;
    const ast::Expr& e = *node.body.expr;
    Fix fix = turned_value(rc, e, slope_.range(rc, e));
    return tell(rc, Code::wrong_way, e.span,
                "'" + node.name.text + "' rises with '" + *wrong + "', and its " +
                    (text == prose ? "text says \"" + prose + '"' : "name wants little of it"),
                "let it fall with '" + *wrong + "'",
                fix.empty() ? std::vector<Fix>() : std::vector<Fix>{std::move(fix)});
  }
}

// rubric caterer "Best score first; of equals the cheaper one" { … rank by lower price, higher score }
void SenseChecker::doubt_said_order(RubricContext& rc, const ast::Rank& rank) {
  const bool keys = rank.keys.size() > 1 && is_path(*rank.keys[0].expr) && is_path(*rank.keys[1].expr);
  if (!keys || !is_own(rank.keys[0].span, rc.index)) return;
  const Span all{rank.keys[0].span.file, rank.keys[0].span.begin, rank.keys.back().span.end};
  for (const std::string& text : {plain_words(rc.node->prose), comment_at(all), comment_at(rc.node->name.span)}) {
    const std::vector<std::string> words = words_of(text);
    const auto behind = std::find_if(words.begin(), words.end(), [](const std::string& word) {
      return has_word("then equals equal ties tie tied draw", word);
    });
    if (behind == words.end() || !has_word("by first rank ranked order ordered sorted best", words)) continue;
    const auto named = [](const ast::OrderKey& key, auto from, auto to) {
      const Stems own = stems_of(key.expr->text);
      std::string part;
      for (; from != to; ++from) part += *from + " ";
      const Stems said = stems_of(part);
      return std::any_of(said.begin(), said.end(), [&own](const std::string& one) { return has(own, one); }) ||
             (topics_of(said) & topics_of(own)) != 0;
    };
    const ast::OrderKey &first = rank.keys[0], &second = rank.keys[1];
    if (named(first, words.begin(), behind) || !named(first, behind, words.end()) ||
        !named(second, words.begin(), behind) || named(second, behind, words.end()))
      continue;
    return tell(rc, Code::worst_first, first.span,
                "this order begins with '" + source_text(first.expr->span) + "', and the text says \"" + text + '"',
                "exchange the two", {{{first.span, source_text(second.span)}, {second.span, source_text(first.span)}}});
  }
}

void SenseChecker::doubt_spoken(RubricContext& rc) {
  const bool contexts = std::any_of(rc.items.begin(), rc.items.end(), [](const ast::Item* item) {
    return std::holds_alternative<ast::Context>(item->node);
  });
  doubt_spoken_input(rc);
  doubt_before_steps(rc);
  if (!contexts) doubt_said_weights(rc);
  doubt_rounded_all(rc);
  doubt_unknown_passes(rc);
  doubt_exchanged(rc);
  doubt_cap_of_other(rc);
  for (const ast::Item* item : rc.items) {
    const auto* amount = std::get_if<ast::Adjustment>(&item->node);
    if (amount && amount->body.expr && amount->body.where.empty() && !amount->loop)
      doubt_always_given(rc, *amount->body.expr, plain_words(amount->label), amount->prose);
    if (const auto* rank = std::get_if<ast::Rank>(&item->node)) doubt_said_order(rc, *rank);
  }
  for (const DimensionItems& d : rc.dimensions.all) doubt_said_small(rc, *d.node);
}

// Whether a superlative may name the low end of a value: highest_priority = min(priorities) "1 is the highest priority",
// deepest = min(depths) of numbers up to 0, highest_acidity = min(ph), which is about another quantity.
bool SenseChecker::names_low_end(RubricContext& rc, const Named& value, const std::string& name, const ast::Expr& of) {
  static constexpr std::string_view kOfAnything =
      "highest largest biggest greatest widest lowest smallest narrowest fewest deepest shallowest";
  static constexpr std::string_view kParts = "value values one ones number numbers of in at by single ever so each all";
  const std::vector<std::string> names = words_of(name);
  std::string about = source_text(value.e->span) + " " + value.prose;
  std::string explained = value.prose;
  each_expr(budget_, *value.e, [&](const ast::Expr& e) {
    if (!is_path(e)) return;
    const std::string prose = prose_of(rc, e.text);
    about += " " + prose;
    explained += ". " + prose;
  });
  const std::vector<std::string> own = words_of(about);
  const auto is_own = [&own](const std::string& word) {
    constexpr std::size_t kStem = 4;
    return has_word(kParts, word) || std::any_of(own.begin(), own.end(), [&word](const std::string& w) {
             return w == word || akin(w, word) || word == w + "s" || w == word + "s" ||
                    (w.size() >= kStem && word.size() >= kStem && w.substr(0, kStem) == word.substr(0, kStem));
           });
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool extreme = is_word(names[i], WordRole::topmost) || is_word(names[i], WordRole::lowermost);
    if (!extreme) continue;
    if (low_end_said(explained) != 0) return true;
    if (has_word("deepest shallowest", names[i])) {  // below the surface may be below 0
      const auto input = rc.by_name.inputs.find(of.text);
      const TypeId list = of.kind == ast::ExprKind::name && input != rc.by_name.inputs.end()
                              ? model(rc).items[static_cast<std::size_t>(input->second)].type
                              : kUnknown;
      const bool items = types_.kind(list) == TypeKind::list;
      const Interval range = items ? types_[types_[list].element].range : slope_.range(rc, of);
      const bool depth = has_word("depth depths deep", own);
      if (!range.high.missing() && sign(range.high) <= 0) return true;
      if (!depth && (range.low.missing() || sign(range.low) < 0)) return true;
    }
    if (!has_word(kOfAnything, names[i])) continue;
    // The first place is the highest.
    if (has_word(kPlaces, own)) return true;
    if (i + 1 < names.size() && std::none_of(names.begin() + static_cast<std::ptrdiff_t>(i) + 1, names.end(), is_own))
      return true;
  }
  return false;
}

}  // namespace assay
