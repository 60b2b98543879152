// Checker: fix-it hints in the author's own words, for habits of other languages and of spreadsheets that the grammar
// accepts.
#include "lang/check/expr/expressions.hpp"
#include "lang/check/words/units.hpp"
#include "lang/check/words/words.hpp"
#include "lang/model/builtin_rows.hpp"
#include "lang/parse/syntax.hpp"
#include "lang/syntax/foreign_words.hpp"
#include "lang/text/nearest.hpp"

#include <algorithm>
#include <cctype>

namespace assay {

namespace {

// "a", "b" and "c"; only the first of many
std::string quoted_list(const std::vector<std::string_view>& texts, const std::string& joint) {
  constexpr std::size_t kMost = 12;
  std::string all;
  for (std::size_t i = 0; i < texts.size() && i < kMost; ++i) {
    const bool last = i + 1 == texts.size() && i > 0;
    all += (i == 0 ? "\"" : last ? " " + joint + " \"" : ", \"") + std::string(texts[i]) + "\"";
  }
  return texts.size() > kMost ? all + " …" : all;
}

// Whether two names differ only in a unit of measurement: height_cm, height_m. A number that fits one is wrong for the
// other.
bool of_another_unit(std::string_view name, std::string_view other) {
  const std::size_t cut = std::min(name.rfind('_'), name.size()), at = std::min(other.rfind('_'), other.size());
  if (cut == name.size() || at == other.size() || name.substr(0, cut) != other.substr(0, at)) return false;
  const std::string_view word = name.substr(cut + 1), instead = other.substr(at + 1);
  const Unit *unit = unit_of(word), *of = unit_of(instead);
  if (unit == nullptr || of == nullptr) return false;
  const bool currencies = unit == of && unit->of == Quantity::money && word.substr(0, 2) != instead.substr(0, 2);
  return unit != of || currencies;
}

}  // namespace

// A field with the path before it: r.items for 'items'. Only the field if the rest is more than names.
Span Hints::path_of(Span field) const {
  const std::string_view text = sources_.file(field.file).text;
  const auto letter = [&](std::uint32_t i) {
    return std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_';
  };
  Span path = field;
  while (path.begin > 1 && text[path.begin - 1] == '.' && letter(path.begin - 2)) {
    --path.begin;
    while (path.begin > 0 && letter(path.begin - 1)) --path.begin;
  }
  return path.begin > 0 && text[path.begin - 1] == '.' ? field : path;
}

Span Hints::said_twice(Span field) const {
  const Span path = path_of(field);
  const std::string_view name = sources_.text(field), before = sources_.text({path.file, path.begin, field.begin});
  const bool twice = before == std::string(name) + "." || before.ends_with("." + std::string(name) + ".");
  return twice ? Span{field.file, field.begin - 1, field.end} : Span{field.file, field.begin, field.begin};
}

// history.last, places.first: a function takes that item, unless the items have a value of that name. The verdicts of a
// history are in the order of time, which has more words. Empty: the field is no such word.
std::string Hints::one_of_list(const std::string& list, const std::string& field, TypeId type) const {
  static constexpr std::string_view kFirst[] = {"first", "oldest", "earliest"};
  static constexpr std::string_view kLast[] = {"last", "latest", "newest", "previous", "prev", "prior"};
  if (types_.kind(type) != TypeKind::list || list == "…") return {};
  const TypeId element = types_[type].element;
  if (types_.kind(element) == TypeKind::record) {
    const Type& item = types_[element];
    if (types_.field(element, field) >= 0) return {};
    const RubricContext* rc = item.verdict ? declared_.rubrics[static_cast<std::size_t>(item.rubric)].get() : nullptr;
    if (rc != nullptr && (rc->by_name.own.count(field) > 0 || rc->by_name.inputs.count(field) > 0)) return {};
  }
  const auto says = [&](const auto& words) {
    const std::ptrdiff_t known = list == "history" ? std::ssize(words) : 1;
    return std::find(std::begin(words), std::begin(words) + known, field) != std::begin(words) + known;
  };
  return says(kFirst) ? "first(" + list + ")" : says(kLast) ? "last(" + list + ")" : std::string();
}

// `.field` of a value that is not a record. For a list, each of its items is meant.
void Hints::no_record(const Expr* record, const std::string& field, Span word) {
  const Type& type = types_[record->type];
  const Span path = path_of(word);
  const std::string list = path.begin < word.begin ? short_text({path.file, path.begin, word.begin - 1}) : "…";
  const bool items = type.kind == TypeKind::list && types_.kind(type.element) == TypeKind::record;
  const std::string each = list == "x" ? "y" : "x";
  static constexpr std::string_view kSizes[] = {"length", "size", "len", "count"};
  const bool counted = (type.kind == TypeKind::list || type.kind == TypeKind::text) &&
                       std::find(std::begin(kSizes), std::end(kSizes), field) != std::end(kSizes);
  const bool exists = items && ((types_[type.element].verdict && !counted) || types_.field(type.element, field) >= 0);
  const int place = items ? types_.field(type.element, field) : -1;
  const std::string_view all = sources_.file(word.file).text;
  // count(children.ill): of those that are
  const bool of_some = place >= 0 && types_.kind(types_[type.element].fields[place].type) == TypeKind::boolean &&
                       all.substr(0, path.begin).ends_with("count(") && all.substr(word.end, 1) == ")";
  const std::string loop = of_some ? each + " for " + each + " in " + list + " when " + each + "." + field
                                   : "[" + each + "." + field + " for " + each + " in " + list + "]";
  const auto among = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), list) != names.end();
  };
  // flags.late, deductions.late: what is listed by its name
  const std::string quoted = "\"" + field + "\"";
  std::string listed;
  if (type.kind == TypeKind::list && types_.kind(type.element) == TypeKind::text && among({"flags", "degraded"}))
    listed = quoted + " in " + list;
  if (items && !exists && among({"deductions", "bonuses"}))
    listed = "sum(x.amount for x in " + list + " when x.name == " + quoted + ")";
  const std::string single = one_of_list(list, field, record->type);
  const std::string_view before = std::string_view(sources_.file(word.file).text).substr(0, word.begin);
  const bool only_column =
      before.ends_with(").") && std::any_of(declared_.tables.begin(), declared_.tables.end(), [&](const TableDecl& t) {
        return t.columns.size() == 1 && t.columns[0] == field;
      });
  Diagnostic& d =
      error(Code::wrong_type, word, "'." + field + "' needs a record, this is " + types_.say(record->type), "",
            !single.empty()      ? "write " + single
            : !listed.empty()    ? "write " + listed
            : counted && !exists ? "write count(" + list + ")"
            : items              ? "write " + loop
            : only_column        ? "a table with one result column gives its value: leave out '." + field + "'"
                                 : "");
  if (const Span twice = said_twice(word); twice.end > twice.begin && single.empty())
    d.suggestions.push_back(diagnostics_->suggestion(twice, "", true));
  if (only_column) d.suggestions.push_back(diagnostics_->suggestion({word.file, word.begin - 1, word.end}, "", true));
  if (list == "…") return;
  if (!single.empty()) {
    d.suggestions.push_back(diagnostics_->suggestion(path, single, true));
    return;
  }
  if (list == "history") d.suggestions.push_back(diagnostics_->suggestion(path, "last(history)." + field, false));
  if (!listed.empty()) d.suggestions.push_back(diagnostics_->suggestion(path, listed, true));
  else if (counted && !exists) d.suggestions.push_back(diagnostics_->suggestion(path, "count(" + list + ")", true));
  else if (items) d.suggestions.push_back(diagnostics_->suggestion(path, loop, exists));
}

// A text that no item of a list with this type of items can equal.
void Hints::never_item(const ast::Expr& text, std::string_view value, TypeId type) {
  const std::vector<std::string>& choices = types_[type].choices;
  if (choices.empty() || types_[type].allows(value) || !state_.reports.calls.empty()) return;
  const std::vector<std::string_view> names(choices.begin(), choices.end());
  error(Code::never_equal, text.span, "no item is ever \"" + std::string(value) + "\": each is " + types_.say(type), "",
        near_or_quoted(value, names, "look for "));
}

// Texts of a list that can never equal a value of this type.
void Hints::never_among(const ast::Expr& list, TypeId type) {
  const std::vector<std::string>& choices = types_[type].choices;
  if (list.kind != ast::ExprKind::list || choices.empty() || !state_.reports.calls.empty()) return;
  const std::vector<std::string_view> names(choices.begin(), choices.end());
  for (const ast::ExprPtr& item : list.args) {
    if (item->kind != ast::ExprKind::text || !item->literal.plain() || types_[type].allows(item->literal.str()))
      continue;
    error(Code::never_equal, item->span,
          "what this is compared with is never \"" + item->literal.str() + "\": it is " + types_.say(type), "",
          near_or_quoted(item->literal.str(), names, "compare with "));
  }
}

// A number, a list or a text in place of a condition, or a condition in place of a number.
void Hints::suggest_other_type(const Expr* e, TypeKind wanted, Diagnostic& d) {
  const TypeKind kind = kind_of(e);
  if (wanted == TypeKind::number) {
    const std::string condition = short_text(path_of(e->span));
    if (kind == TypeKind::boolean && condition != "…" && !is_constant(e))
      d.suggestions.push_back(diagnostics_->suggestion(path_of(e->span), "(1 when " + condition + " else 0)", false));
    return;
  }
  if (kind == TypeKind::text && is_constant(e) && !e->value.missing()) {  // a condition in quotation marks
    const std::string inside(e->value.text.view());
    if (inside.find_first_of("<>=") == inside.npos || inside.size() > 80) return;
    d.help = "a condition stands without quotes: " + inside;
    d.suggestions.push_back(diagnostics_->suggestion(e->span, inside, false));
    return;
  }
  if (kind == TypeKind::number) d.help = "compare it: write '… > 0' or '… == 1'";
  if (kind == TypeKind::list) d.help = "any(…), all(…) or count(…) > 0 make a condition of a list";
  const Span path = path_of(e->span);
  const std::string written = short_text(path);
  if (written == "…" || written.find(" when ") != written.npos || is_constant(e)) return;
  // exam, of a number that may be missing: whether there is one, or whether it is more than nothing?
  if (kind == TypeKind::number && e->optional && written.find_first_of("( ") == written.npos) {
    d.help = "ask whether it is given, or compare it: write '… is given' or '… > 0'";
    d.suggestions.push_back(diagnostics_->suggestion(path, written + " is given", false));
  }
  const bool counts = kind == TypeKind::number && !range_of(e).low.missing() && sign(range_of(e).low) >= 0;
  if (counts) d.suggestions.push_back(diagnostics_->suggestion(path, written + " > 0", written.starts_with("count(")));
  const bool conditions = kind == TypeKind::list && types_.kind(types_[e->type].element) == TypeKind::boolean;
  if (conditions) {  // of which one, or all of them?
    for (const char* which : {"all(", "any("})
      d.suggestions.push_back(diagnostics_->suggestion(path, which + written + ")", false));
  } else if (kind == TypeKind::list) {
    d.suggestions.push_back(diagnostics_->suggestion(path, "count(" + written + ") > 0", true));
  }
}

// An unknown bare name.
bool Hints::nothing_named(const ast::Expr& e, const Context& cx) {
  static const std::set<std::string_view> always = {"input", "dimensions", "gates"};
  if (e.kind != ast::ExprKind::name || always.count(e.text) > 0) return false;
  if (std::any_of(cx.scope.begin(), cx.scope.end(), [&e](const Local& l) { return l.name == e.text; })) return false;
  for (int r = cx.rubric; r >= 0; r = rubric(r).cohort.parent) {
    if (exprs_.find_value(rubric(r), e.text) >= 0) return false;
  }
  for (const auto space : {&DeclaredNames::tables, &DeclaredNames::fns, &DeclaredNames::hooks}) {
    if (find(e.text, space, cx.rubric) >= 0) return false;
  }
  return true;
}

// An unknown name where a text is expected: reports it, with the matching choice.
bool Hints::unquoted(const ast::Expr& e, const Context& cx, const std::vector<std::string_view>& choices) {
  if (!nothing_named(e, cx)) return false;
  std::string meant = e.text;
  if (const std::string_view near = nearest(e.text, choices); !near.empty()) meant = near;
  const bool among = choices.empty() || std::find(choices.begin(), choices.end(), meant) != choices.end();
  std::string help = among ? "a text stands in double quotes: \"" + meant + "\"" : "";
  if (!choices.empty()) help += (among ? "; there are " : "there are ") + quoted_list(choices, "and");
  error(Code::unknown_name, e.span, "nothing is named '" + e.text + "'", "",
        among ? FixIt(help, "\"" + meant + "\"", !choices.empty() || meant == e.text) : FixIt(help));
  return true;
}

namespace {

// The only known name that is a part of this one, 'overdue' of 'overdue_days', and that nothing in the text uses.
std::string_view unused_part(std::string_view name, const std::vector<std::string_view>& known, std::string_view text) {
  constexpr std::size_t kShort = 4;
  std::string_view found;
  for (const std::string_view part : known) {
    const bool within = part.size() >= kShort && name.size() > part.size() + 1 &&
                        ((name.starts_with(part) && name[part.size()] == '_') ||
                         (name.ends_with(part) && name[name.size() - part.size() - 1] == '_'));
    if (!within) continue;
    const auto letter = [text](std::size_t i) {
      return i < text.size() && (text[i] == '_' || std::isalnum(static_cast<unsigned char>(text[i])) != 0);
    };
    int times = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size()))
      times += letter(at + part.size()) || (at > 0 && letter(at - 1)) ? 0 : 1;
    if (times > 1 || !found.empty()) return {};
    found = part;
  }
  return found;
}

}  // namespace

FixIt Hints::unknown_help(const ast::Expr& e, const std::vector<std::string_view>& names, const Context& cx) {
  if (is_null_word(e.text)) return FixIt("a value that is not there is written 'missing'", "missing", true);
  const std::string_view text = sources_.file(e.span.file).text;
  if (is_text_prefix(e.text) && text.substr(e.span.end, 1) == "\"") {
    const RoughToken literal = rough_token(text, e.span.end);
    return prefix_help(text.substr(literal.begin, literal.end - literal.begin));
  }
  if (std::string help = records_.second_pass_help(e.text, cx); !help.empty()) return FixIt(std::move(help));
  if (cx.rubric >= 0 && rubric(cx.rubric).by_name.gates.count(e.text) > 0)
    return FixIt("the result of a gate is read from 'gates'", "gates." + e.text, true);
  const auto flagged = [&e](const ast::Item* item) {
    const auto* flag = std::get_if<ast::Flag>(&item->node);
    return flag != nullptr && flag->label.plain() && flag->label.str() == e.text;
  };
  if (cx.rubric >= 0 && std::any_of(rubric(cx.rubric).items.begin(), rubric(cx.rubric).items.end(), flagged))
    return FixIt("flags are a list of names", "\"" + e.text + "\" in flags", true);
  const bool in_cohort = cx.rubric >= 0 && rubric(cx.rubric).cohort.parent >= 0;
  static const std::set<std::string_view> kAll = {"verdicts",   "results",     "rows", "entries",
                                                  "items",      "scored",      "all",  "cohort",
                                                  "candidates", "submissions", "runs", "everyone"};
  static const std::set<std::string_view> kBad = {"errors", "failures", "failed", "refused", "invalid", "malformed"};
  if (in_cohort && kBad.count(e.text) > 0)
    return FixIt("the records that could not be scored are 'rejected'", "rejected", true);
  if (in_cohort && e.text == "each")
    return "'each output' begins a declaration: finish the one above it, or take it out";
  if (in_cohort && kAll.count(e.text) > 0) return FixIt("all verdicts of a run are 'records'", "records", true);
  if (e.text == "records") return "'records', all verdicts of a run, is for cohorts only: cohort { output name = … }";
  FixIt near = did_you_mean(e.text, names);
  if (near.edits && text.substr(e.span.end, 1) == ".") {  // a record that has no such field
    const RoughToken field = rough_token(text, e.span.end + 1);
    const TypeId type = type_named(near.replacement, cx);
    if (types_.kind(type) == TypeKind::record && !types_[type].verdict &&
        !has_fields(type, {text.substr(field.begin, field.end - field.begin)}))
      near = {};
  }
  if (near.edits && text.substr(e.span.end, 1) == "." && near.replacement != "history" &&
      types_.kind(type_named(near.replacement, cx)) == TypeKind::list)
    return "'" + near.replacement + "' is a list: its items are read in a loop, for " + e.text + " in " +
           near.replacement;
  if (!near.empty())
    return of_another_unit(e.text, near.replacement)
               ? FixIt("'" + near.replacement + "' has another unit: convert it, or declare '" + e.text + "'")
               : near;
  if (const std::string_view only = unused_part(e.text, names, text); !only.empty())
    return {"did you mean '" + std::string(only) + "'?", std::string(only), false};
  if (find_builtin(e.text) != nullptr) return "'" + e.text + "' is a function: " + e.text + "(…)";
  if (e.text == "cohort")
    return "what a cohort computes is known after the last record: 'each output' in the cohort adds it to every "
           "verdict";
  if (cx.rubric < 0) return "give it as an argument: a function outside of a rubric sees no inputs and values";
  if (in_cohort && text.substr(e.span.end, 1) != ".")
    return "a value of each verdict is read from 'records': [r." + e.text + " for r in records]; or declare 'let " +
           e.text + " = …'";
  return "declare it with 'input " + e.text + ": …' when the record carries it, or 'let " + e.text + " = …'";
}

// The nearest choice, or all choices as written.
FixIt Hints::call_of_table(const ast::Table& table, int rubric_index) {
  std::string keys;
  for (const ast::Name& key : table.params) {
    const bool known = rubric_index >= 0 && (rubric(rubric_index).by_name.inputs.count(key.text) > 0 ||
                                             rubric(rubric_index).by_name.own.count(key.text) > 0);
    if (!known) return "write " + table.name.text + "(…)";
    keys += (keys.empty() ? "" : ", ") + key.text;
  }
  return {"", table.name.text + "(" + keys + ")", true};
}

FixIt Hints::exchanged_ends(const ast::Expr& low, const ast::Expr& high, bool certain) const {
  return {"", source_text(high.span) + ".." + source_text(low.span), certain};
}

FixIt Hints::near_or_quoted(std::string_view value, const std::vector<std::string_view>& choices,
                            const std::string& before) const {
  FixIt fix = did_you_mean(value, choices);
  if (fix.edits) fix.replacement = "\"" + fix.replacement + "\"";
  if (fix.empty() && choices.size() == 1) {
    const std::string only = quoted_list(choices, "or");
    return {before + only, only, false};
  }
  return !fix.empty() || choices.empty() || choices.size() > 12 ? fix : before + quoted_list(choices, "or");
}

// 'a or 3', where 3 is meant as the default for a.
bool Hints::or_as_default(Expr* a, Expr* b, const ast::Expr& e) {
  TypeId type = kUnknown;
  const TypeKind k = kind_of(a);
  if (k == TypeKind::boolean || k == TypeKind::unknown || kind_of(b) != k || !types_.unify(a->type, b->type, type))
    return false;
  const std::string left = short_text(e.args[0]->span), right = short_text(e.args[1]->span);
  error(Code::wrong_type, e.args[0]->span, "each side of 'or' must be true or false, this is " + types_.say(a->type),
        "",
        "for " + right + " where " + left + " is missing, write " + left + " default " + right +
            (k == TypeKind::number ? "; for a condition, compare: " + left + " > 0" : ""));
  return true;
}

// b == "true", b == 1
std::string Hints::truth_help(const Expr* a, const Expr* b, const ast::Expr& e) const {
  if (e.args.size() != 2 || (e.text != "==" && e.text != "!=")) return {};
  const bool left = kind_of(a) == TypeKind::boolean;
  const Expr* other = left ? b : a;
  if (kind_of(left ? a : b) != TypeKind::boolean || !is_constant(other) || other->value.missing()) return {};
  const std::string written(sources_.text(other->span));
  const bool holds = written == "\"true\"" || written == "1" || written == "\"yes\"";
  if (!holds && written != "\"false\"" && written != "0" && written != "\"no\"") return {};
  const std::string condition = short_text(e.args[left ? 0 : 1]->span);
  return "a condition stands by itself: " + std::string(holds == (e.text == "==") ? "" : "not ") + condition;
}

// Two records that only differ in the order of their fields.
std::string Hints::order_help(TypeId a, TypeId b, std::string otherwise) {
  if (types_.kind(a) != TypeKind::record || types_.kind(b) != TypeKind::record) return otherwise;
  const std::vector<Field> first = types_[a].fields, second = types_[b].fields;
  if (first.size() != second.size() || types_[a].verdict || types_[b].verdict) return otherwise;
  std::string names;
  bool moved = false;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const int at = types_.field(b, first[i].name);
    TypeId both = kUnknown;
    if (at < 0 || !types_.unify(first[i].type, second[static_cast<std::size_t>(at)].type, both)) return otherwise;
    moved = moved || static_cast<std::size_t>(at) != i;
    names += (i == 0 ? "" : ", ") + first[i].name;
  }
  return moved ? "only the order of the fields differs: write " + names + " in both" : otherwise;
}

// 'x in [1..3]'
std::string Hints::in_range_help(const ast::Expr& list) const {
  if (list.kind != ast::ExprKind::list || list.args.size() != 1 || list.args[0]->kind != ast::ExprKind::range)
    return {};
  return "a range stands without brackets: in " + short_text(list.args[0]->span);
}

FixIt Hints::default_help(const Expr& value, TypeId to) const {
  const Type& type = types_[to];
  const bool text = value.type != kUnknown && types_.kind(value.type) == TypeKind::text;
  if (type.kind == TypeKind::text && !type.choices.empty() && text) {
    const std::vector<std::string_view> names(type.choices.begin(), type.choices.end());
    if (FixIt fix = near_or_quoted(value.value.text.view(), names, "write default "); !fix.empty()) return fix;
  }
  if (type.kind == TypeKind::text && type.choices.empty() && !text && !short_text(value.span).starts_with('['))
    return "a text stands in double quotes: default \"" + short_text(value.span) + "\"";
  Number n;
  NumberPool pool;
  if (type.kind == TypeKind::number && text && parse_decimal(value.value.text.view(), n, pool))
    return "a number stands without quotes: default " + std::string(value.value.text.view());
  if (type.kind == TypeKind::any)
    return "an 'any' has no default: write 'optional', and say where it is read what holds without it";
  return "give " + types_.say(to) + " as the default, or write 'optional'";
}

// Whether only the header calls the keys otherwise: it has as many columns as the rows have, none of them a key or a limit, and the first is not the result, `name`.
bool Hints::keys_renamed(const std::vector<ast::Name>& keys, const ast::Rows& rows, std::string_view name) {
  const auto other = [&keys](const ast::Name& column) {
    static constexpr std::string_view kLimits = "from to min max low high lower upper minimum maximum";
    return !has_word(kLimits, std::string_view(column.text)) &&
           std::none_of(keys.begin(), keys.end(), [&column](const ast::Name& key) { return key.text == column.text; });
  };
  return !rows.rows.empty() && rows.rows[0].size() == rows.columns.size() && rows.columns.size() > keys.size() &&
         rows.columns[0].text != name && std::all_of(rows.columns.begin(), rows.columns.end(), other);
}

// The header as it should be: the keys, then the results. The header of a CSV file is not shown.
std::string Hints::columns_help(const std::vector<ast::Name>& keys, const ast::Rows& rows, std::string_view name,
                                bool csv) {
  const auto semicolons = [](const ast::Name& column) { return column.text.find(';') != std::string::npos; };
  if (std::any_of(rows.columns.begin(), rows.columns.end(), semicolons)) return "cells are separated with ','";
  std::vector<std::string> names;
  for (const ast::Name& key : keys) names.push_back(key.text);
  const bool renamed = keys_renamed(keys, rows, name);
  for (const ast::Name& column : rows.columns) {
    if (renamed && static_cast<std::size_t>(&column - rows.columns.data()) < keys.size()) continue;
    const bool known = std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(keys.size()),
                                 column.text) != names.begin() + static_cast<std::ptrdiff_t>(keys.size());
    if (!csv && !known) names.push_back(column.text);
  }
  if (names.size() == keys.size()) names.emplace_back(csv ? "…" : "value");
  std::string all;
  for (const std::string& one : names) all += csv ? (all.empty() ? "" : ",") + one : "| " + one + " ";
  return "the first columns are the keys, in their order: " + all + (csv ? "" : "|");
}

// 'a == null': reports it, if null is not a declared name.
bool Hints::compared_with_null(const ast::Expr& e, Context& cx) {
  for (std::size_t i = 0; i < 2; ++i) {
    const ast::Expr& side = *e.args[i];
    if (!nothing_named(side, cx) || !is_null_word(side.text)) continue;
    const ast::Expr& other = *e.args[1 - i];
    error(Code::unknown_name, side.span, "nothing is named '" + side.text + "'", "",
          "write " + short_text(other.span) + (e.text == "==" ? " is missing" : " is given"));
    exprs_.expr(other, cx);
    return true;
  }
  return false;
}

// A comparison with the key of a column, in the notation of its cells: 'a < 3' → '< 3'; empty: it is not one.
std::string Hints::as_bound(const ast::Expr& e, const std::string& key) const {
  if (e.kind != ast::ExprKind::binary) return {};
  if (e.text == "and") {
    const std::string a = as_bound(*e.args[0], key), b = as_bound(*e.args[1], key);
    return a.empty() || b.empty() ? std::string() : a + " " + b;
  }
  const auto is_key = [&key](const ast::Expr& side) { return side.kind == ast::ExprKind::name && side.text == key; };
  const bool left = is_key(*e.args[0]), right = is_key(*e.args[1]);
  if (left == right) return {};
  const std::string value = short_text(e.args[left ? 1 : 0]->span);
  if (e.text == "==") return value;
  static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"<", ">"}, {"<=", ">="}, {">", "<"}, {">=", "<="}};
  for (const auto& [sign, turned] : kSigns) {
    if (e.text == sign) return std::string(left ? sign : turned) + " " + value;
  }
  return {};
}

// "0-5" → "0..5"; empty: the text is not such a range.
std::string Hints::hyphen_range(std::string_view s) {
  std::string numbers[2];
  std::size_t at = 0;
  const auto digit = [&s](std::size_t i) {
    return i < s.size() && std::isdigit(static_cast<unsigned char>(s[i])) != 0;
  };
  for (std::string& number : numbers) {
    while (at < s.size() && s[at] == ' ') ++at;
    while (digit(at) || (!number.empty() && at < s.size() && s[at] == '.' && digit(at + 1))) number += s[at++];
    while (at < s.size() && s[at] == ' ') ++at;
    if (number.empty()) return {};
    if (&number == &numbers[0] && (at >= s.size() || s[at++] != '-')) return {};
  }
  return at == s.size() ? numbers[0] + ".." + numbers[1] : std::string();
}

// The intended type of a text column, if one of its texts has the form "0-5".
std::string Hints::meant_as_range(const LookupTable& table, std::size_t column) {
  for (const TableRow& row : table.rows) {
    if (column >= row.cells.size()) continue;
    for (const CellTest& t : row.cells[column]) {
      if (t.kind != CellTest::Kind::value || t.value.missing()) continue;
      if (const std::string range = hyphen_range(t.value.text.view()); !range.empty())
        return "a range is written " + range;
    }
  }
  return {};
}

// The first field that prevents a computed record from fitting a declared type.
std::string Hints::shape_help(TypeId from, TypeId to) const {
  const Type& x = types_[from];
  const Type& y = types_[to];
  if (x.kind != TypeKind::record || y.kind != TypeKind::record || !x.name.empty()) return {};
  for (const Field& field : y.fields) {
    const int at = types_.field(from, field.name);
    if (at < 0) return "it lacks '" + field.name + "'";
    const TypeId type = x.fields[static_cast<std::size_t>(at)].type;
    if (!types_.shaped(type, field.type))
      return "'" + field.name + "' is " + types_.say(field.type) + " there, and " + types_.say(type) + " here";
  }
  const auto other = std::find_if(x.fields.begin(), x.fields.end(),
                                  [&](const Field& field) { return types_.field(to, field.name) < 0; });
  return other == x.fields.end() ? std::string() : "'" + other->name + "' is not a field there";
}

}  // namespace assay
