// See sense_checker.hpp. Finds values that are read where they cannot be, or in the place of others: the history of a
// record of the history, a share of something else than its text names, a tax on prices that include it.
#include "lang/check/sense/sense_checker.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace assay {

namespace {

// Words of some length that say what a text is about, in the singular.
std::set<std::string> content_of(std::string_view text) {
  static constexpr std::string_view kOthers =
      "those that have with which their were from this what when than then they them into over each every there where "
      "other many most more less share percent percentage part number count total value values people person";
  std::set<std::string> found;
  constexpr std::size_t kShort = 3;
  for (std::string word : words_of(text)) {
    if (word.size() <= kShort || has_word(kOthers, word)) continue;
    if (word.ends_with('s')) word.pop_back();
    found.insert(std::move(word));
  }
  return found;
}

}  // namespace

namespace {

// The list whose items a loop takes; null: there is none.
const ast::Expr* looped(const ast::Expr& e) {
  return e.loop && !e.loop->clauses.empty() ? e.loop->clauses[0].expr.get() : nullptr;
}

}  // namespace

// Whether a list holds records of the history: history, last(3, history), [h for h in history when …].
bool SenseChecker::of_history(const ast::Expr& e, int level) const {
  constexpr int kMostLevels = 6;
  if (level > kMostLevels) return false;
  if (e.kind == ast::ExprKind::name)
    return e.text == "history" || (&formula_of(e) != &e && of_history(formula_of(e), level + 1));
  const bool part =
      e.kind == ast::ExprKind::call && !e.loop && has_word("first last reverse", e.text) && !e.args.empty();
  if (part) return (e.args.size() == 2 || e.text == "reverse") && of_history(*e.args.back(), level + 1);
  if (e.kind != ast::ExprKind::list_loop || looped(e) == nullptr) return false;
  const ast::Clause& over = e.loop->clauses[0];
  return e.args[0]->kind == ast::ExprKind::name && e.args[0]->text == over.first.text && over.second.text.empty() &&
         of_history(*over.expr, level + 1);
}

// What becomes of a value where there is no history.
SenseChecker::Without SenseChecker::without_history(const ast::Expr& e, int level) const {
  constexpr int kMostLevels = 12;
  budget_.step();
  if (level > kMostLevels) return Without::known;
  const auto of = [&](std::size_t i) {
    return i < e.args.size() && e.args[i] ? without_history(*e.args[i], level + 1) : Without::known;
  };
  const auto over = [&] { return looped(e) != nullptr ? without_history(*looped(e), level + 1) : of(0); };
  switch (e.kind) {
    case ast::ExprKind::name:
      if (e.text == "history") return Without::empty;
      return &formula_of(e) != &e ? without_history(formula_of(e), level + 1) : Without::known;
    case ast::ExprKind::list_loop: return over() == Without::empty ? Without::empty : Without::known;
    case ast::ExprKind::call: {
      const bool part = has_word("first last", e.text) && e.args.size() == 2 && !e.loop;
      if (part) return of(1) == Without::empty ? Without::empty : Without::known;
      if (has_word("first last mean median min max", e.text) && e.args.size() == 1 && over() == Without::empty)
        return Without::missing;
      if (has_word("reverse distinct", e.text) && of(0) == Without::empty) return Without::empty;
      return has_word("round floor ceil abs clamp sqrt", e.text) && of(0) == Without::missing ? Without::missing
                                                                                              : Without::known;
    }
    case ast::ExprKind::index:
    case ast::ExprKind::field: return of(0) == Without::known ? Without::known : Without::missing;
    case ast::ExprKind::unary: return of(0) == Without::missing ? Without::missing : Without::known;
    case ast::ExprKind::binary: {
      const bool passes = has_word("+ - * / ^ < <= > >= == !=", e.text);
      return passes && (of(0) == Without::missing || of(1) == Without::missing) ? Without::missing : Without::known;
    }
    case ast::ExprKind::choice: {
      const bool other = e.args.size() > 2 && e.args[2];
      return of(0) == Without::missing && (!other || of(2) == Without::missing) ? Without::missing : Without::known;
    }
    default: return Without::known;
  }
}

// let before = last(history).change, where a change is computed from the history, which the records in it do not have
void SenseChecker::doubt_history_of_history(RubricContext& rc, const ast::Expr& e) {
  const auto look = [&](const ast::Expr& field) {
    const auto read = std::find_if(named_.begin(), named_.end(), [&field](const Named& n) {
      return n.kind != "gate" && n.kind != "flag" && n.name == field.text;
    });
    if (read == named_.end() || without_history(*read->e, 0) != Without::missing) return;
    tell(rc, Code::always_missing, field.span,
         "'" + field.text +
             "' is computed from the history, and the records in 'history' have none of their own: this is always "
             "missing",
         "compute it from values that each record has by itself, such as its score", {});
  };
  if (e.kind == ast::ExprKind::field) {
    const ast::Expr& record = *e.args[0];
    const bool end = record.kind == ast::ExprKind::call && !record.loop && record.args.size() == 1 &&
                     has_word("first last", record.text);
    if ((end || record.kind == ast::ExprKind::index) && of_history(*record.args[0], 0)) look(e);
  }
  if (looped(e) == nullptr || !of_history(*looped(e), 0)) return;
  const ast::Clause& over = e.loop->clauses[0];
  const std::string& item = over.second.text.empty() ? over.first.text : over.second.text;
  each_expr(budget_, e, [&](const ast::Expr& part) {
    if (part.kind == ast::ExprKind::field && part.args[0]->kind == ast::ExprKind::name && part.args[0]->text == item)
      look(part);
  });
}

// let turnout = valid / cast  # share of those who may vote, where 'entitled' is "People who may vote"
void SenseChecker::doubt_share_of(RubricContext& rc, const Named& value) {
  const ast::Expr* e = &core_of(*value.e);
  if (is_binary(*e, "*")) e = &core_of(*e->args[e->args[0]->kind == ast::ExprKind::number ? 1 : 0]);
  if (!is_binary(*e, "/") || e->args[1]->kind != ast::ExprKind::name) return;
  const std::string said = value.said + ". " + comment_at(value.e->span);
  const std::vector<std::string> words = words_of(said);
  std::string of;
  for (std::size_t i = 0; i + 2 < words.size() && of.empty(); ++i) {
    if (!has_word("share percent percentage proportion fraction", words[i]) || words[i + 1] != "of") continue;
    for (std::size_t k = i + 2; k < words.size(); ++k) of += words[k] + " ";
  }
  const std::set<std::string> wanted = content_of(of);
  if (wanted.empty()) return;
  const auto about = [&wanted](const std::string& text) {
    const std::set<std::string> own = content_of(text);
    return std::count_if(own.begin(), own.end(), [&wanted](const std::string& w) { return wanted.count(w) > 0; });
  };
  std::set<std::string_view> parts;
  each_expr(budget_, *e->args[0], [&parts](const ast::Expr& part) {
    if (part.kind == ast::ExprKind::name) parts.insert(part.text);
  });
  const std::string& divisor = e->args[1]->text;
  const ast::Input* meant = nullptr;
  for (const auto& [name, input] : rc.last_inputs) {
    if (about(std::string(name) + " " + plain_words(input->prose)) == 0) continue;
    const auto at = rc.by_name.inputs.find(name);
    const bool number = at != rc.by_name.inputs.end() &&
                        types_.kind(model(rc).items[static_cast<std::size_t>(at->second)].type) == TypeKind::number;
    if (parts.count(name) > 0 || name == divisor || !number || meant != nullptr || input->names.size() != 1) return;
    meant = input;
  }
  const auto own = rc.last_inputs.find(divisor);
  if (meant == nullptr || own == rc.last_inputs.end()) return;
  const std::string& right = meant->names[0].text;
  tell(rc, Code::against_name, e->args[1]->span,
       "this divides by '" + divisor + "', and the text speaks of a share of " +
           (plain_words(meant->prose).empty() ? "'" + right + "'" : "what '" + right + "' counts"),
       "write " + right, {{{e->args[1]->span, right}}});
}

// What the inputs and fields of a name say in their texts.
std::string SenseChecker::prose_of(const RubricContext& rc, std::string_view name) const {
  std::string all;
  std::vector<const ast::Kind*> open;
  for (const ast::Item* item : rc.items) {
    if (const auto* type = std::get_if<ast::TypeDecl>(&item->node); type && type->kind)
      open.push_back(type->kind.get());
    const auto* input = std::get_if<ast::Input>(&item->node);
    if (input == nullptr) continue;
    if (input->kind) open.push_back(input->kind.get());
    for (const ast::Name& own : input->names) all += own.text == name ? plain_words(input->prose) + ". " : "";
  }
  while (!open.empty()) {
    const ast::Kind& kind = *open.back();
    open.pop_back();
    if (kind.element) open.push_back(kind.element.get());
    for (const ast::KindField& field : kind.fields) {
      if (field.name.text == name) all += plain_words(field.prose) + ". ";
      if (field.kind) open.push_back(field.kind.get());
    }
  }
  return all;
}

// (1 + vat) * sum(l.pieces * l.gross for l in lines), where gross is "Price of a piece, VAT included"
void SenseChecker::doubt_included(RubricContext& rc, const ast::Expr& e) {
  if (!is_binary(e, "*")) return;
  for (const std::size_t side : {0U, 1U}) {
    const ast::Expr& factor = *e.args[side];
    const bool adds =
        is_binary(factor, "+") && factor.args[0]->text == "1" && factor.args[1]->kind == ast::ExprKind::name;
    if (!adds) continue;
    const std::string& rate = factor.args[1]->text;
    std::string name;
    each_expr(budget_, *e.args[1 - side], [&](const ast::Expr& part) {
      if (!is_path(part) || !name.empty()) return;
      const std::vector<std::string> words = words_of(prose_of(rc, part.text));
      for (std::size_t i = 0; i < words.size(); ++i) {
        const bool behind = i > 0 && words[i] == "included" && has_word(rate, words[i - 1]);
        const bool before = i + 1 < words.size() && has_word("including incl inclusive", words[i]) &&
                            (has_word(rate, words[i + 1]) || (i + 2 < words.size() && has_word(rate, words[i + 2])));
        if (behind || before) name = part.text;
      }
    });
    if (name.empty()) continue;
    const std::string meant = source_text(e.args[1 - side]->span);
    return tell(rc, Code::counted_twice, e.span,
                "'" + name + "' includes '" + rate + "' by its text, and this adds it again", "write " + meant,
                {{{e.span, meant}}});
  }
}

// output failed = count(rejected) "Candidates with fewer than 60 points": rejected are the records that could not be read
void SenseChecker::doubt_rejected(RubricContext& rc, const ast::Cohort& node) {
  for (const ast::Item& item : node.items) {
    const auto* output = std::get_if<ast::Output>(&item.node);
    if (output == nullptr || !output->body.expr) continue;
    const std::string prose = plain_words(output->prose);
    const bool readable = has_word("invalid unreadable malformed broken read rejected error errors",
                                   words_of(output->name.text + " " + prose));
    const bool judged =
        says(output->name.text, WordRole::failed) || has_word("points score scores gate gates marks", words_of(prose));
    if (readable || !judged) continue;
    each_expr(budget_, *output->body.expr, [&](const ast::Expr& e) {
      if (!is_call(e, "count") || e.args[0]->kind != ast::ExprKind::name || e.args[0]->text != "rejected") return;
      tell(rc, Code::against_name, e.args[0]->span,
           "'rejected' are the records that do not match their types or checks, and '" + output->name.text +
               "' is about the results of others",
           "count the records that it is about: count(r for r in records when …)", {});
    });
  }
}

// let systolic = mean(p[1] for p in pairs), where the text says "Such as 120/80: systolic, then diastolic"
void SenseChecker::doubt_positions(RubricContext& rc) {
  struct Part {
    const Named* value;
    const ast::Expr* index;
    std::string form;  // without the position
    int at;
  };
  std::vector<Part> parts;
  for (const Named& value : named_) {
    std::vector<const ast::Expr*> indices;
    each_expr(budget_, *value.e, [&](const ast::Expr& e) {
      if (e.kind == ast::ExprKind::index && e.args[1]->kind == ast::ExprKind::number && e.args[1]->text.size() == 1)
        indices.push_back(e.args[1].get());
    });
    if (indices.empty() || value.kind != "value") continue;
    std::string form = source_text(value.e->span);
    bool same = true;
    for (const ast::Expr* index : indices) {
      same = same && index->text == indices[0]->text;
      form[index->span.begin - value.e->span.begin] = '#';
    }
    if (same) parts.push_back({&value, indices[0], std::move(form), indices[0]->text[0] - '0'});
  }
  constexpr std::size_t kMost = 40;
  for (std::size_t i = 0; i < parts.size() && parts.size() <= kMost; ++i) {
    for (std::size_t k = i + 1; k < parts.size(); ++k) {
      const Part &a = parts[i], &b = parts[k];
      if (a.form != b.form || a.at == b.at) continue;
      for (const auto& [name, input] : rc.last_inputs) {
        const std::vector<std::string> words = words_of(plain_words(input->prose));
        const auto first = std::find(words.begin(), words.end(), a.value->name),
                   second = std::find(words.begin(), words.end(), b.value->name);
        if (first == words.end() || second == words.end() || (first < second) == (a.at < b.at)) continue;
        Fix fix;
        for (const auto& [part, other] : {std::pair{&a, &b}, std::pair{&b, &a}}) {
          each_expr(budget_, *part->value->e, [&fix, &other = other](const ast::Expr& e) {
            if (e.kind == ast::ExprKind::index && e.args[1]->kind == ast::ExprKind::number)
              fix.push_back({e.args[1]->span, other->index->text});
          });
        }
        tell(rc, Code::against_name, a.index->span,
             "'" + a.value->name + "' is at position " + a.index->text + " here, and the text of '" +
                 std::string(name) + "' names '" + (a.at < b.at ? b : a).value->name + "' before '" +
                 (a.at < b.at ? a : b).value->name + "'",
             "exchange the positions of the two", {std::move(fix)});
        break;
      }
    }
  }
}

namespace {

// An operator of conditions in brackets of its own.
bool in_brackets(const ast::Expr& e) { return e.kind == ast::ExprKind::binary && e.span.begin < e.args[0]->span.begin; }

bool is_open(const ast::Expr& e, std::string_view sign) { return is_binary(e, sign) && !in_brackets(e); }

// The first or last operand of a chain without brackets: a of a and b and c.
const ast::Expr& end_of(const ast::Expr& e, std::string_view sign, bool last) {
  const ast::Expr* of = &e;
  while (is_open(*of, sign)) of = of->args[last ? 1 : 0].get();
  return *of;
}

}  // namespace

// gate tested = alarm_tested "There is proof that the alarm was tested", or signed = signature "Must be signed", where the
// input is true by default
void SenseChecker::doubt_proof(RubricContext& rc, const ast::Gate& node) {
  if (!node.body.expr) return;
  const std::vector<std::string> words = words_of(plain_words(node.prose));
  const bool shown = has_word("must", words) && has_word("shown presented seen produced inspected", words);
  const bool proof = (shown || has_word("proof evidence documented confirmed proven verified", words)) &&
                     !has_word("no not without unless except", words);
  // What somebody has to do, and nothing is said of it: nobody did.
  const bool nobody = words.size() > 2 && (has_word("nobody none", words[0]) || words[0] == "no");
  const bool whose = nobody && has_word("who whose that", words) &&
                     std::count_if(words.begin() + 1, words.end(), [](const auto& word) {
                       return has_word("not no never unless without", word);
                     }) == 1;  // "Nobody drives whose licence has not been seen"
  const bool only_with = nobody && (has_word("without", words) || whose);
  const bool demands =
      only_with || (has_word("must required requires require needs needed mandatory obligatory", words) &&
                    !has_word("no not without unless except never", words));
  static constexpr std::string_view kActs =
      "signed signature countersigned confirmed confirmation verified approved approval consent consented agreed "
      "certified attested notarized notarised witnessed acknowledged declared shown seen presented produced inspected";
  static constexpr std::string_view kAssumed =
      "unless default assumed otherwise except false withdrawn revoked not no absent missing";
  for (const ast::Expr* rest = node.body.expr.get(); rest != nullptr;) {
    const bool both = is_open(*rest, "and");
    const ast::Expr& e = both ? *rest->args[1] : *rest;
    rest = both ? rest->args[0].get() : nullptr;
    const auto input = e.kind == ast::ExprKind::name ? rc.last_inputs.find(e.text) : rc.last_inputs.end();
    if (input == rc.last_inputs.end() || input->second->policy.tag != ast::PolicyTag::default_) continue;
    const ast::Expr& by_default = *input->second->policy.expr;
    if (by_default.kind != ast::ExprKind::boolean || !by_default.flag) continue;
    const bool assumed = has_word(kAssumed, words_of(plain_words(input->second->prose)));
    const std::vector<std::string> own = words_of(plain_words(input->second->prose));
    bool evidence = false;  // "True only if the inspector has heard it ring"
    for (std::size_t i = 0; i + 2 < own.size(); ++i)
      evidence = evidence || (own[i] == "only" && has_word("if when after once", own[i + 1])) ||
                 (own[i] == "must" && own[i + 1] == "have" && own[i + 2] == "been");
    evidence = evidence && !has_word("false not no unless never without default otherwise assumed unknown", own);
    const bool act = has_word(kActs, words_of(e.text)) && !assumed;
    const bool alone = input->second->names.size() == 1;
    if (!(proof && !assumed && &e == node.body.expr.get()) && !(demands && act) && !evidence) continue;
    const std::string says = evidence ? "the text of the input says \"" + plain_words(input->second->prose) + '"'
                             : proof  ? "its text asks for proof"
                                      : "its text demands it";
    tell(rc, Code::contradicts_prose, by_default.span,
         "a record that says nothing of '" + e.text + "' passes '" + node.name.text + "', and " + says,
         alone ? "write false" : "declare it by itself, with 'default false'",
         alone ? std::vector<Fix>{{{by_default.span, "false"}}} : std::vector<Fix>());
  }
}

// let years = count(values), where the values are those "at the start, then at the end of each year"
void SenseChecker::doubt_start_counted(RubricContext& rc, const Named& value) {
  const ast::Expr& e = *value.e;
  const auto input = is_call(e, "count") && e.args[0]->kind == ast::ExprKind::name
                         ? rc.last_inputs.find(e.args[0]->text)
                         : rc.last_inputs.end();
  if (input == rc.last_inputs.end()) return;
  const std::vector<std::string> words = words_of(plain_words(input->second->prose));
  bool start = false, each = false;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    start = start || (words[i] == "the" && has_word("start beginning outset", words[i + 1]));
    each = each || (start && has_word("each every", words[i]) && value.name == words[i + 1] + "s");
  }
  if (!each) return;
  const std::string meant = source_text(e.span) + " - 1";
  tell(rc, Code::against_name, e.span,
       "the first of '" + input->second->names[0].text + "' stands at the start, so this is one more than there are " +
           value.name,
       "write " + meant, {{{e.span, meant}}});
}

// map(s: count(r for r in rs when …) / count(records) for s, rs in group(…)) "Share of a school's own pupils"
void SenseChecker::doubt_share_of_group(RubricContext& rc, const ast::Cohort& node) {
  for (const ast::Item& item : node.items) {
    const auto* output = std::get_if<ast::Output>(&item.node);
    if (output == nullptr || !output->body.expr ||
        !has_word("own their its within", words_of(plain_words(output->prose))))
      continue;
    each_expr(budget_, *output->body.expr, [&](const ast::Expr& e) {
      const ast::Expr* grouped = e.kind == ast::ExprKind::map_loop ? looped(e) : nullptr;
      if (grouped == nullptr || grouped->kind != ast::ExprKind::map_loop || looped(*grouped) == nullptr) return;
      const std::string group = e.loop->clauses[0].second.text, all = source_text(looped(*grouped)->span);
      const ast::Expr& share = core_of(*e.args[1]);
      const bool quotient = is_binary(share, "/") && looped(*share.args[0]) != nullptr &&
                            looped(*share.args[0])->text == group && is_call(*share.args[1], "count") &&
                            source_text(share.args[1]->args[0]->span) == all;
      if (!quotient) return;
      tell(rc, Code::contradicts_prose, share.args[1]->span,
           "this counts '" + all + "' of all groups, and the text speaks of each group's own",
           "write count(" + group + ")", {{{share.args[1]->span, "count(" + group + ")"}}});
    });
  }
}

// trusted or internal and signed, where (trusted or internal) is one condition elsewhere
void SenseChecker::doubt_divided_or(RubricContext& rc) {
  std::vector<const ast::Expr*> roots;
  for (const ast::Item* item : rc.items) {
    const WrittenParts parts = written_parts(*item);
    roots.insert(roots.end(), parts.exprs.begin(), parts.exprs.end());
  }
  for (const Named& value : named_) {
    if (value.kind == "dimension") roots.push_back(value.e);
  }
  std::map<std::string, std::string> together;  // a|b → as written, with its brackets
  std::vector<const ast::Expr*> open;           // those without brackets, of which 'and' takes a side
  const auto pair_of = [this](const ast::Expr& a, const ast::Expr& b) {
    return squeezed(a.span) + '|' + squeezed(b.span);
  };
  for (const ast::Expr* root : roots) {
    each_expr(budget_, *root, [&](const ast::Expr& e) {
      for (std::size_t i = 0; is_binary(e, "and") && i < 2; ++i) {
        const ast::Expr& side = *e.args[i];
        const bool two = is_binary(side, "or") && in_brackets(side) && !is_open(*side.args[0], "or");
        if (two) together.emplace(pair_of(*side.args[0], *side.args[1]), source_text(side.span));
      }
      if (is_binary(e, "or") && (is_open(*e.args[0], "and") || is_open(*e.args[1], "and"))) open.push_back(&e);
    });
  }
  for (const ast::Expr* e : open) {
    const ast::Expr &left = *e->args[0], &right = *e->args[1];
    if (is_open(left, "or") || (is_open(left, "and") && is_open(right, "and"))) continue;
    const bool first = is_open(left, "and");  // a and b or c
    const ast::Expr &a = first ? end_of(left, "and", true) : left, &b = first ? right : end_of(right, "and", false);
    const auto unit = together.find(pair_of(a, b));
    if (unit == together.end()) continue;
    std::string meant = source_text(e->span), kept = meant;
    const std::size_t begin = a.span.begin - e->span.begin, end = b.span.end - e->span.begin;
    meant.insert(end, ")").insert(begin, "(");
    const ast::Expr& joined = first ? left : right;
    kept.insert(joined.span.end - e->span.begin, ")").insert(joined.span.begin - e->span.begin, "(");
    tell(rc, Code::divided_or, e->span,
         "'and' binds before 'or', so this is " + kept + ", and " + unit->second + " is one condition elsewhere",
         "write " + meant + ", or the brackets of what is meant", {{{e->span, meant}}});
  }
}

void SenseChecker::doubt_read(RubricContext& rc) {
  for (const Named& value : named_) {
    each_expr(budget_, *value.e, [&](const ast::Expr& e) { doubt_history_of_history(rc, e), doubt_included(rc, e); });
    doubt_share_of(rc, value), doubt_start_counted(rc, value);
  }
  doubt_positions(rc);
  doubt_divided_or(rc);
  for (const ast::Item* item : rc.items) {
    if (const auto* cohort = std::get_if<ast::Cohort>(&item->node))
      doubt_rejected(rc, *cohort), doubt_share_of_group(rc, *cohort);
    if (const auto* gate = std::get_if<ast::Gate>(&item->node)) doubt_proof(rc, *gate);
  }
}

}  // namespace assay
