// Possible changes of a text: suggestions of diagnostics, updates of examples to their actual results, and rewrites
// that preserve the meaning of a rubric. A change that could be wrong is tried first: a fix is offered only if it
// removes the problem.
#include "runtime/service/excerpt.hpp"
#include "runtime/service/service_impl.hpp"

#include "lang/parse/syntax.hpp"
#include "lang/text/key.hpp"

#include <assay/mend.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace assay {

namespace {

bool touch(TextRange a, TextRange b) { return a.begin <= b.end && b.begin <= a.end; }

class Rewriter {
 public:
  Rewriter(Service& service, Service::Impl& impl, const std::string& name, TextRange range)
      : service_(service),
        impl_(impl),
        name_(name),
        range_(range),
        analysis_(*impl.analysis(name)),
        text_(analysis_.text()) {}

  std::vector<Rewrite> all(bool later) {
    mends();
    extract();
    inline_let();
    choice_to_table();
    table_to_choice();
    if (std::optional<Rewrite> example = example_for_row(impl_, name_, analysis_, range_, later))
      found_.push_back(std::move(*example));
    return std::move(found_);
  }

 private:
  Replacement replace(std::size_t begin, std::size_t end, std::string text) const {
    return {name_, {begin, end}, std::move(text)};
  }

  static std::string after(std::string text, std::vector<Replacement> edits) {
    std::stable_sort(edits.begin(), edits.end(),
                     [](const Replacement& a, const Replacement& b) { return a.range.begin > b.range.begin; });
    for (const Replacement& edit : edits) text.replace(edit.range.begin, edit.range.end - edit.range.begin, edit.text);
    return text;
  }

  static std::ptrdiff_t count(TextAnalysis& a, const std::string& code) {  // empty: all errors
    return std::count_if(a.diagnostics().begin(), a.diagnostics().end(), [&](const Diagnostic& d) {
      return code.empty() ? d.severity == Severity::error : d.code == code;
    });
  }

  // The part of the text in which edits are tried.
  std::string part_for(const std::vector<Replacement>& edits, std::vector<TextRange> places) const {
    std::vector<std::string_view> written;
    for (const Replacement& edit : edits) {
      places.push_back(edit.range);
      written.push_back(edit.text);
    }
    return excerpt(analysis_, places, written);
  }

  // Whether the problem is gone, and no other has appeared.
  bool mends_it(const std::vector<Replacement>& edits, const Finding& finding) const {
    const std::string& code = finding.code;
    const auto mended_in = [&](TextAnalysis& before) {
      const auto tried = impl_.analyse(name_, after(before.text(), edits));
      return count(*tried, code) < count(before, code) && count(*tried, "") <= count(before, "");
    };
    const auto part = impl_.analyse(name_, part_for(edits, {finding.range}));
    const bool there = std::any_of(part->diagnostics().begin(), part->diagnostics().end(), [&](const Diagnostic& d) {
      return d.code == code && range_of(d.at, part->text()).begin == finding.range.begin;
    });
    return mended_in(there ? *part : analysis_);
  }

  bool harmless(const std::vector<Replacement>& edits) const {
    return impl_.analyse(name_, after(part_for(edits, {range_}), edits))->good ||
           impl_.analyse(name_, after(text_, edits))->good;
  }

  std::string fresh_name(std::string base) const {
    const auto taken = [this](const std::string& name) {
      return std::any_of(analysis_.names().symbols.begin(), analysis_.names().symbols.end(),
                         [&](const Symbol& s) { return s.name == name; }) ||
             text_.find(name) != std::string::npos;
    };
    if (!taken(base)) return base;
    for (int i = 2;; ++i) {
      std::string name = base + "_" + std::to_string(i);
      if (!taken(name)) return name;
    }
  }

  // ---- fixes

  void mends() {
    std::size_t index = 0;
    for (const Finding& finding : *problems(impl_, name_)) {
      const std::size_t own = index++;
      if (!touch(finding.range, range_)) continue;
      for (const Suggestion& suggestion : tried(own)) {
        Rewrite mend;
        mend.title = suggestion.title;
        if (!mend.title.empty() && mend.title[0] >= 'a' && mend.title[0] <= 'z') mend.title[0] -= 'a' - 'A';
        for (const Edit& edit : suggestion.edits) mend.edits.push_back({edit.file, {edit.begin, edit.end}, edit.text});
        mend.preferred = suggestion.certain;
        mend.finding = finding;
        if (!mend.edits.empty()) found_.push_back(std::move(mend));
      }
      if (finding.code == "E0301") declare_input(finding);
      if (finding.code == "E0201" || finding.code == "E0202") share_weight(finding);
      if (finding.code == "E0208") add_row(finding);
      if (finding.unused) remove_unused(finding);
    }
    for (const ast::Rubric& rubric : analysis_.file().rubrics) {
      for (const ast::Item& item : rubric.items) {
        if (std::holds_alternative<ast::Example>(item.node) && touch(range_of(item.span), range_)) mend_example(item);
      }
    }
  }

  // The suggestions for a problem that worked on trial.
  const std::vector<Suggestion>& tried(std::size_t problem) {
    const auto known = analysis_.tried.find(problem);
    if (known != analysis_.tried.end()) return known->second;
    const Diagnostic& wanted = analysis_.diagnostics()[problem];
    std::vector<TextRange> places{range_of(wanted.at, text_)};
    std::vector<std::string_view> written;
    for (const Suggestion& suggestion : wanted.suggestions) {
      for (const Edit& edit : suggestion.edits) {
        if (edit.file == name_) places.push_back({edit.begin, edit.end});
        written.push_back(edit.text);
      }
    }
    std::vector<Suggestion>& found = analysis_.tried[problem];
    const std::string part = excerpt(analysis_, places, written);
    if (!try_in(part, wanted, found) && part != text_) try_in(text_, wanted, found);
    return found;
  }

  // False: the text does not have the problem.
  bool try_in(const std::string& text, const Diagnostic& wanted, std::vector<Suggestion>& found) const {
    MendLimits limits;
    limits.trials = 100;  // a user is waiting
    Compiled compiled = compile_with_suggestions(name_, text, impl_.compile_options(nullptr), limits);
    for (Diagnostic& d : compiled.diagnostics) {
      if (d.code != wanted.code || d.at.offset != wanted.at.offset || d.message != wanted.message) continue;
      found = std::move(d.suggestions);
      return true;
    }
    return false;
  }

  void mend_example(const ast::Item& item) {
    for (const ExampleResult& result : run_examples(analysis_)) {
      if (result.passed || result.update.empty() || !touch(range_of(result.at, text_), range_of(item.span))) continue;
      Rewrite mend;
      mend.title = "Expect what it gives";
      mend.finding = failure(result, text_);
      for (const Edit& edit : result.update) mend.edits.push_back({edit.file, {edit.begin, edit.end}, edit.text});
      found_.push_back(std::move(mend));
    }
  }

  void offer(Rewrite::Kind kind, std::string title, std::vector<Replacement> edits, const Finding* finding = nullptr) {
    Rewrite one;
    one.kind = kind;
    one.title = std::move(title);
    one.edits = std::move(edits);
    if (finding != nullptr) one.finding = *finding;
    found_.push_back(std::move(one));
  }

  // In the enclosing rubric: after its last input, or before its first declaration.
  void declare_input(const Finding& finding) {
    const ast::Rubric* rubric = analysis_.rubric_around(finding.range.begin);
    const std::string name = text_.substr(finding.range.begin, finding.range.end - finding.range.begin);
    if (rubric == nullptr || rubric->items.empty() || !is_name(name)) return;
    const RoughToken next = rough_token(text_, static_cast<std::uint32_t>(finding.range.end));
    const std::string_view sign = std::string_view(text_).substr(next.begin, next.end - next.begin);
    const RoughToken operand = rough_token(text_, next.end);
    std::string type = "number";
    if ((sign == "==" || sign == "!=") && operand.tag == RoughToken::Tag::text) type = "text";
    if ((sign == "==" || sign == "!=") && operand.tag == RoughToken::Tag::word) type = "bool";
    std::size_t behind = std::string::npos;
    for (const ast::Item& item : rubric->items) {
      if (std::holds_alternative<ast::Input>(item.node)) behind = item.span.end;
    }
    const ast::Item& first = rubric->items.front();
    for (const std::string& one : {type, std::string("bool"), std::string("text"), std::string("number")}) {
      const std::string declaration = "input " + name + ": " + one;
      std::vector<Replacement> edits;
      if (behind != std::string::npos) {
        edits = {replace(behind, behind, "\n" + indent_at(text_, behind) + declaration)};
      } else {
        const std::size_t at = first.span.begin;
        edits = {replace(at, at, declaration + "\n" + indent_at(text_, at))};
      }
      if (!mends_it(edits, finding)) continue;
      return offer(Rewrite::Kind::quick_fix, "Declare the input '" + name + "' (" + one + ")", std::move(edits),
                   &finding);
    }
  }

  struct Weight {
    TextRange range;
    double value = 0;
    bool percent = false;
    std::string name;
  };

  static std::string decimal(double value) {
    std::string text = std::to_string(std::llround(value * 100));
    const bool negative = value < 0;
    if (negative) text.erase(0, 1);
    while (text.size() < 3) text.insert(0, "0");
    std::string out = text.substr(0, text.size() - 2), fraction = text.substr(text.size() - 2);
    while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
    return (negative ? "-" : "") + out + (fraction.empty() ? "" : "." + fraction);
  }

  void weights_of(const std::vector<ast::Dimension>& parts, std::vector<Weight>& out) const {
    for (const ast::Dimension& part : parts) weight_of(part, out);
  }
  void weight_of(const ast::Dimension& node, std::vector<Weight>& out) const {
    const ast::Expr* e = node.weight ? node.weight.get() : node.points.get();
    if (e == nullptr || e->kind != ast::ExprKind::number || e->span.file != 0) return;
    std::string digits;
    for (const char c : e->text) {
      if (c != '_' && c != '%') digits += c;
    }
    char* end = nullptr;
    const double value = std::strtod(digits.c_str(), &end);
    if (end == nullptr || *end != '\0') return;
    out.push_back({range_of(e->span), value, !e->text.empty() && e->text.back() == '%', node.name.text});
  }

  // Proposes shares of weight, which the checker then tries exactly, so they need not be exact here.
  void share_weight(const Finding& finding) {
    const ast::Rubric* rubric = analysis_.rubric_around(finding.range.begin);
    if (rubric == nullptr) return;
    std::vector<std::vector<Weight>> levels(1);
    std::vector<double> targets{100, 1, 10, 5};
    const std::function<void(const ast::Dimension&)> add = [&](const ast::Dimension& node) {
      if (node.parts.empty()) return;
      levels.emplace_back();
      weights_of(node.parts, levels.back());
      std::vector<Weight> whole;
      weight_of(node, whole);
      if (!whole.empty()) targets.push_back(whole[0].value);
      for (const ast::Dimension& part : node.parts) add(part);
    };
    for (const ast::Item& item : rubric->items) {
      if (const auto* dimension = std::get_if<ast::Dimension>(&item.node)) {
        weight_of(*dimension, levels[0]);
        add(*dimension);
      }
    }
    for (const std::vector<Weight>& weights : levels) {
      double sum = 0;
      for (const Weight& weight : weights) sum += weight.value;
      if (weights.empty() || sum <= 0) continue;
      const std::string unit = weights[0].percent ? "%" : "";
      for (const double target : targets) {
        const double missing = target - sum;
        if (std::llround(missing * 100) == 0) continue;
        std::vector<Replacement> edits;
        double given = 0;
        std::size_t largest = 0;
        std::vector<double> values;
        for (std::size_t i = 0; i < weights.size(); ++i) {
          values.push_back(static_cast<double>(std::llround(weights[i].value / sum * target * 100)) / 100);
          given += values.back();
          if (values[i] > values[largest]) largest = i;
        }
        values[largest] += target - given;
        for (std::size_t i = 0; i < weights.size(); ++i)
          edits.push_back(replace(weights[i].range.begin, weights[i].range.end, decimal(values[i]) + unit));
        if (!mends_it(edits, finding)) continue;
        const std::string amount = decimal(missing < 0 ? -missing : missing) + unit;
        offer(
            Rewrite::Kind::quick_fix,
            missing > 0 ? "Share out the missing " + amount : "Take the " + amount + " too many from all in proportion",
            std::move(edits), &finding);
        const Weight* nearest = &weights.back();
        for (const Weight& weight : weights) {
          if (touch(weight.range, finding.range)) nearest = &weight;
        }
        if (nearest->value + missing <= 0) return;
        edits = {replace(nearest->range.begin, nearest->range.end, decimal(nearest->value + missing) + unit)};
        if (mends_it(edits, finding))
          offer(Rewrite::Kind::quick_fix,
                missing > 0 ? "Give the missing " + amount + " to '" + nearest->name + "'"
                            : "Take the " + amount + " too many from '" + nearest->name + "'",
                std::move(edits), &finding);
        return;
      }
    }
  }

  void add_row(const Finding& finding) {
    const ast::Item* item = analysis_.item_around(finding.range.begin);
    const ast::Rows* rows = nullptr;
    std::size_t keys = 0;
    if (item != nullptr) {
      if (const auto* bands = std::get_if<ast::Bands>(&item->node)) {
        rows = &bands->rows;
        keys = bands->params.size();
      } else if (const auto* table = std::get_if<ast::Table>(&item->node)) {
        rows = &table->rows;
        keys = table->params.size();
      }
    }
    if (rows == nullptr || rows->rows.empty() || rows->rows.back().empty()) return;
    const std::vector<ast::Cell>& last = rows->rows.back();
    std::string row = "|";
    for (std::size_t i = 0; i < last.size(); ++i) {
      const std::string_view cell = analysis_.sources().text(last[i].span);
      row += i < keys                 ? " otherwise |"
             : cell.starts_with("\"") ? " \"…\" |"
                                      : " " + std::string(cell.substr(0, cell.find_last_not_of(" \n\t") + 1)) + " |";
    }
    std::size_t end = last.back().span.end;
    end = std::min(text_.find('|', end), text_.size() - 1) + 1;
    std::vector<Replacement> edits{replace(end, end, "\n" + indent_at(text_, last.front().span.begin) + row)};
    if (mends_it(edits, finding))
      offer(Rewrite::Kind::quick_fix, "Add a row for what no row covers", std::move(edits), &finding);
  }

  void remove_unused(const Finding& finding) {
    const ast::Item* item = analysis_.item_around(finding.range.begin);
    if (item == nullptr) return;
    if (const auto* input = std::get_if<ast::Input>(&item->node); input != nullptr && input->names.size() > 1) return;
    std::vector<Replacement> edits{removal(*item)};
    if (mends_it(edits, finding)) offer(Rewrite::Kind::quick_fix, "Remove it", std::move(edits), &finding);
  }

  // With its line, if the line contains nothing else.
  Replacement removal(const ast::Item& item) const {
    std::size_t begin = item.span.begin, end = item.span.end;
    const std::size_t line = line_begin(text_, begin);
    const std::size_t stop = std::min(text_.find('\n', end), text_.size());
    const bool alone = text_.find_first_not_of(" \t", line) == begin &&
                       text_.substr(end, stop - end).find_first_not_of(" \t\r") == std::string::npos;
    if (alone) {
      begin = line;
      end = std::min(stop + 1, text_.size());
    }
    return replace(begin, end, "");
  }

  // ---- rewrites

  bool uses_locals(TextRange range) const {
    return std::any_of(analysis_.names().uses.begin(), analysis_.names().uses.end(), [&](const NameUse& use) {
      if (use.at.file != 0 || use.at.begin < range.begin || use.at.end > range.end) return false;
      const Symbol& symbol = analysis_.names().of(use);
      const bool bound = symbol.kind == NameKind::local || symbol.kind == NameKind::parameter;
      return bound && (symbol.at.begin < range.begin || symbol.at.end > range.end);
    });
  }

  void extract() {
    TextRange range = range_;
    while (range.begin < range.end && std::isspace(static_cast<unsigned char>(text_[range.begin])) != 0) ++range.begin;
    while (range.end > range.begin && std::isspace(static_cast<unsigned char>(text_[range.end - 1])) != 0) --range.end;
    if (range.begin == range.end || !analysis_.good) return;
    const Span span{0, static_cast<std::uint32_t>(range.begin), static_cast<std::uint32_t>(range.end)};
    const ast::Item* item = analysis_.item_around(range.begin);
    const bool written = analysis_.notes.find(span) != nullptr;
    const bool movable = item != nullptr && !std::holds_alternative<ast::Example>(item->node) &&
                         analysis_.rubric_around(range.begin) != nullptr && item->span.end >= range.end;
    if (!written || !movable || uses_locals(range)) return;
    const std::string name = fresh_name("value");
    const std::size_t at = item->span.begin;
    std::vector<Replacement> edits{replace(at, at,
                                           "let " + name + " = " + text_.substr(range.begin, range.end - range.begin) +
                                               "\n" + indent_at(text_, at)),
                                   replace(range.begin, range.end, name)};
    if (harmless(edits)) offer(Rewrite::Kind::extract, "Make a 'let' of this", std::move(edits));
  }

  void inline_let() {
    const NameUse* use = analysis_.names().find(0, static_cast<std::uint32_t>(range_.begin));
    if (use == nullptr || !analysis_.good) return;
    const Symbol& symbol = analysis_.names().of(*use);
    if (symbol.kind != NameKind::let || symbol.item == nullptr || symbol.at.file != 0) return;
    const auto& let = std::get<ast::Let>(symbol.item->node);
    if (!let.body.where.empty() || !let.body.expr) return;
    std::string value(analysis_.sources().text(let.body.expr->span));
    switch (let.body.expr->kind) {
      case ast::ExprKind::number:
      case ast::ExprKind::text:
      case ast::ExprKind::name:
      case ast::ExprKind::call:
      case ast::ExprKind::field:
      case ast::ExprKind::list:
      case ast::ExprKind::list_loop: break;
      default: value = "(" + value + ")";
    }
    std::vector<Replacement> edits{removal(*symbol.item)};
    for (const Place& place : service_.references(name_, use->at.begin, false)) {
      if (place.file != name_) return;
      const NameUse* one = analysis_.names().find(0, static_cast<std::uint32_t>(place.range.begin));
      const bool shorthand = one != nullptr && one->shorthand;
      edits.push_back(replace(place.range.begin, place.range.end, shorthand ? symbol.name + ": " + value : value));
    }
    if (harmless(edits))
      offer(Rewrite::Kind::inline_, "Write the value of '" + symbol.name + "' where it is used", std::move(edits));
  }

  std::string written(const ast::Expr& e) const { return std::string(analysis_.sources().text(e.span)); }

  // The body of the declaration at the place, if it is a choice: v when c else v when c else v.
  const ast::Expr* body_here() const {
    const ast::Item* item = analysis_.item_around(range_.begin);
    if (item == nullptr) return nullptr;
    const ast::Body* body = std::visit(
        [](const auto& n) -> const ast::Body* {
          if constexpr (requires { n.body.expr; }) {
            return &n.body;
          } else {
            return nullptr;
          }
        },
        item->node);
    return body != nullptr && body->where.empty() ? body->expr.get() : nullptr;
  }

  static bool constant(const ast::Expr& e) {
    return e.kind == ast::ExprKind::number || e.kind == ast::ExprKind::boolean ||
           (e.kind == ast::ExprKind::text && e.literal.plain()) ||
           (e.kind == ast::ExprKind::unary && e.text == "-" && e.args[0]->kind == ast::ExprKind::number);
  }

  // The key cell for a condition on `key`; empty: the condition has another form.
  std::string cell_of(const ast::Expr& condition, std::string& key) const {
    if (condition.kind != ast::ExprKind::binary || condition.args[0]->kind != ast::ExprKind::name) return {};
    const std::string& name = condition.args[0]->text;
    if (!key.empty() && key != name) return {};
    const ast::Expr& right = *condition.args[1];
    key = name;
    if (condition.text == "in" && right.kind == ast::ExprKind::range && constant(*right.args[0]) &&
        constant(*right.args[1]))
      return written(right);
    if (condition.text == "in" && right.kind == ast::ExprKind::list && !right.args.empty()) {
      std::string cells;
      for (const ast::ExprPtr& item : right.args) {
        if (!constant(*item)) return {};
        cells += (cells.empty() ? "" : ", ") + written(*item);
      }
      return cells;
    }
    if (!constant(right)) return {};
    if (condition.text == "==") return written(right);
    for (const char* bound : {">=", ">", "<=", "<"}) {
      if (condition.text == bound) return condition.text + " " + written(right);
    }
    return {};
  }

  void choice_to_table() {
    const ast::Expr* e = body_here();
    const ast::Item* item = analysis_.item_around(range_.begin);
    if (e == nullptr || e->kind != ast::ExprKind::choice || !analysis_.good ||
        analysis_.rubric_around(range_.begin) == nullptr)
      return;
    std::string key, rows;
    int count = 0;
    const std::string indent = indent_at(text_, item->span.begin);
    const ast::Expr* at = e;
    for (; at != nullptr && at->kind == ast::ExprKind::choice; at = at->args.size() > 2 ? at->args[2].get() : nullptr) {
      const std::string cell = cell_of(*at->args[1], key);
      if (cell.empty() || !constant(*at->args[0])) return;
      rows += indent + "  | " + cell + " | " + written(*at->args[0]) + " |\n";
      ++count;
    }
    if (at != nullptr) {
      if (!constant(*at)) return;
      rows += indent + "  | otherwise | " + written(*at) + " |\n";
    }
    if (count < 2) return;
    const std::string table = fresh_name(key + "_table");
    const std::size_t begin = item->span.begin;
    std::vector<Replacement> edits{replace(begin, begin,
                                           "table " + table + "(" + key + ") {\n" + indent + "  | " + key +
                                               " | value |\n" + rows + indent + "}\n" + indent),
                                   replace(e->span.begin, e->span.end, table + "(" + key + ")")};
    if (harmless(edits)) offer(Rewrite::Kind::rewrite, "Turn this choice into a table", std::move(edits));
  }

  void table_to_choice() {
    const NameUse* use = analysis_.names().find(0, static_cast<std::uint32_t>(range_.begin));
    if (use == nullptr || use->declares || !analysis_.good) return;
    const Symbol& symbol = analysis_.names().of(*use);
    if (symbol.kind != NameKind::table || symbol.item == nullptr) return;
    const auto& table = std::get<ast::Table>(symbol.item->node);
    if (table.params.size() != 1 || table.rows.columns.size() != 2 || table.rows.rows.empty() || table.from.given)
      return;
    const ast::Expr* call = body_here();
    if (call == nullptr || call->kind != ast::ExprKind::call || call->word.begin != use->at.begin ||
        call->args.size() != 1)
      return;
    const std::string key = written(*call->args[0]);
    if (call->args[0]->kind != ast::ExprKind::name && call->args[0]->kind != ast::ExprKind::field) return;
    std::string choice;
    bool ended = false;
    for (const std::vector<ast::Cell>& row : table.rows.rows) {
      if (row.size() != 2 || ended || row[1].patterns.size() != 1 || !row[1].patterns[0].expr) return;
      const ast::Expr& value = *row[1].patterns[0].expr;
      if (!constant(value)) return;
      std::string condition;
      for (const ast::CellPattern& pattern : row[0].patterns) {
        std::string one;
        if (pattern.tag == ast::CellPattern::Tag::otherwise) {
          ended = true;
        } else if (pattern.tag == ast::CellPattern::Tag::missing) {
          one = key + " is missing";
        } else if (pattern.tag == ast::CellPattern::Tag::bound) {
          for (const ast::CellBound& bound : pattern.bounds) {
            static constexpr const char* kSigns[] = {"<", "<=", ">", ">="};
            one += (one.empty() ? "" : " and ") + key + " " + kSigns[static_cast<std::size_t>(bound.bound)] + " " +
                   written(*bound.expr);
          }
        } else if (pattern.expr) {
          one = key + (pattern.expr->kind == ast::ExprKind::range ? " in " : " == ") + written(*pattern.expr);
        }
        if (!one.empty()) condition += (condition.empty() ? "" : " or ") + one;
      }
      choice += choice.empty() ? "" : " else ";
      choice += ended ? written(value) : written(value) + " when " + condition;
    }
    std::vector<Replacement> edits{replace(call->span.begin, call->span.end, choice)};
    // Removes the table if nothing else uses it.
    if (service_.references(name_, use->at.begin, false).size() == 1 && symbol.at.file == 0)
      edits.push_back(removal(*symbol.item));
    if (harmless(edits)) offer(Rewrite::Kind::rewrite, "Turn this table into a choice", std::move(edits));
  }

  Service& service_;
  Service::Impl& impl_;
  const std::string& name_;
  const TextRange range_;
  TextAnalysis& analysis_;
  const std::string& text_;
  std::vector<Rewrite> found_;
};

}  // namespace

std::vector<Rewrite> Service::rewrites(const std::string& name, TextRange range, bool later) {
  if (impl_->analysis(name) == nullptr) return {};
  return Rewriter(*this, *impl_, name, range).all(later);
}

std::optional<Rewrite> Service::row_example(const std::string& name, TextRange range) {
  TextAnalysis* analysis = impl_->analysis(name);
  return analysis == nullptr ? std::nullopt : example_for_row(*impl_, name, *analysis, range, false);
}

}  // namespace assay
