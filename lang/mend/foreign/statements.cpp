// Bodies of statements as one expression: assignments become values, branches that return become choices, loops that
// collect become loops. A variable that changes is followed from statement to statement.
#include "lang/mend/foreign/reader.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace assay::mending {
namespace {

using Kind = Expr::Kind;

struct Statement {
  enum class Kind : std::uint8_t { result, assign, branch, loop, skip, stop } kind;  // skip: continue; stop: break
  std::string name = {};  // assign: the variable; loop: its variables
  std::string sign = {};  // assign: "=", "+", "-", "*", "/", "append"
  Expr value = {};        // result, assign; branch: the condition; loop: what is walked
  std::vector<Statement> then = {}, other = {};
};
using Statements = std::vector<Statement>;
using Values = std::map<std::string, Expr>;

constexpr int kMostNested = 8;

bool assigned_in(const Statements& statements, const std::string& name, int depth = 0) {
  if (depth > kMostNested) return false;
  return std::any_of(statements.begin(), statements.end(), [&](const Statement& s) {
    return (s.kind == Statement::Kind::assign && s.name == name) || assigned_in(s.then, name, depth + 1) ||
           assigned_in(s.other, name, depth + 1);
  });
}
bool returns(const Statements& statements, int depth = 0) {
  if (depth > kMostNested) return false;
  return std::any_of(statements.begin(), statements.end(), [depth](const Statement& s) {
    return s.kind == Statement::Kind::result || returns(s.then, depth + 1) || returns(s.other, depth + 1);
  });
}

std::size_t size_of(const Expr& e) {
  std::size_t size = 1;
  for (const Expr& part : e.parts) size += size_of(part);
  return size;
}

class Evaluation {
 public:
  bool failed = false;

  // What the statements from `i` on return; nothing: they only change values.
  std::optional<Expr> run(const Statements& statements, std::size_t i, Values& values, int depth) {
    if (depth > 3 * kMostNested || ++steps_ > 300) failed = true;
    for (; i < statements.size() && !failed; ++i) {
      const Statement& s = statements[i];
      switch (s.kind) {
        case Statement::Kind::result: return known(s.value, values);
        case Statement::Kind::assign: assign(s, values); break;
        case Statement::Kind::branch: {
          const Expr condition = known(s.value, values);
          if (returns(s.then) || returns(s.other)) {
            Values yes = values, no = values;
            const auto followed = [&](Statements branch) {
              branch.insert(branch.end(), statements.begin() + static_cast<std::ptrdiff_t>(i) + 1, statements.end());
              return branch;
            };
            const std::optional<Expr> a = run(followed(s.then), 0, yes, depth + 1);
            const std::optional<Expr> b = run(followed(s.other), 0, no, depth + 1);
            if (!a) failed = true;
            if (failed) return std::nullopt;
            const Expr &x = bare(*a), &y = b ? bare(*b) : *a;
            if (b && x.text == "true" && y.text == "false") return condition;
            if (b && x.text == "false" && y.text == "true") return negated(condition);
            return choice(*a, condition, b ? *b : Expr{});
          }
          Values yes = values, no = values;
          run(s.then, 0, yes, depth + 1);
          run(s.other, 0, no, depth + 1);
          for (auto& [name, value] : yes) {
            const auto before = no.find(name);
            if (before == no.end()) {
              keep(values, name, choice(value, condition, {}));
            } else if (write(before->second) != write(value)) {
              keep(values, name, chosen(value, condition, before->second));
            }
          }
          for (auto& [name, value] : no) {
            if (yes.count(name) == 0) keep(values, name, choice(value, negated(condition), {}));
          }
          break;
        }
        case Statement::Kind::loop: {
          std::optional<Expr> early = walk(s, statements, i, values, depth);
          if (early) return early;
          break;
        }
        case Statement::Kind::skip:
        case Statement::Kind::stop: failed = true; break;
      }
    }
    return std::nullopt;
  }

  static Expr known(Expr e, const Values& values) {
    // All at once: after a = b, b = t a value holds the old a.
    const auto old = [](const std::string& name) { return "\x01" + name; };
    for (const auto& [name, value] : values) substitute(e, name, atom(old(name)));
    for (const auto& [name, value] : values) {
      const bool simple = value.is(Kind::atom) || value.is(Kind::call) || value.is(Kind::list) || value.is(Kind::loop);
      Expr by = value;
      if (!simple) {
        by = Expr{Kind::paren};
        by.parts.push_back(value);
      }
      substitute(e, old(name), by);
    }
    return e;
  }

 private:
  // The value of one branch or the other: x - (5 when c else 0), where one of them only adds.
  static Expr chosen(const Expr& yes, const Expr& condition, const Expr& no) {
    const bool adds = yes.is(Kind::binary) && among(yes.text, {"+", "-"}) && write(yes.parts[0]) == write(no);
    return adds ? binary(yes.text, no, choice(yes.parts[1], condition, atom("0"))) : choice(yes, condition, no);
  }
  void assign(const Statement& s, Values& values) {
    Expr value = known(s.value, values);
    const auto before = values.find(s.name);
    const Expr old = before == values.end() ? atom(s.name) : before->second;
    if (s.sign == "=") {  // days = 100 when days > 100
      const bool stays = value.is(Kind::choice) && value.parts.size() == 2 && before != values.end();
      if (stays) value.parts.push_back(old);
    } else {
      value = counted_or(std::move(value), among(s.sign, {"*", "/"}) ? "1" : "0", true);
      value = s.sign == "append" ? binary("+", old, list({std::move(value)})) : added(old, s.sign, std::move(value));
    }
    keep(values, s.name, std::move(value));
  }
  // Values that are inserted into each other grow: up to a limit.
  void keep(Values& values, const std::string& name, Expr value) {
    constexpr std::size_t kMost = 300;
    if (size_of(value) > kMost) failed = true;
    if (!failed) values[name] = std::move(value);
  }
  static Expr added(const Expr& old, std::string_view sign, Expr value) {
    if (old.text == "0" && sign == "+") return value;
    if (old.text == "1" && sign == "*") return value;
    return binary(sign, old, std::move(value));
  }

  // if x > most { most = x }: "max". Empty: something else.
  static std::string_view extreme(const std::vector<Expr>& conditions, std::string_view name, const Expr& value) {
    if (conditions.size() != 1 || !bare(conditions[0]).is(Kind::binary)) return {};
    const Expr &c = bare(conditions[0]), &left = c.parts[0], &right = c.parts[1];
    const bool first = right.text == name && write(left) == write(value);
    if (!first && (left.text != name || write(right) != write(value))) return {};
    if (among(c.text, {">", ">="})) return first ? "max" : "min";
    return among(c.text, {"<", "<="}) ? (first ? "min" : "max") : "";
  }

  // A change within a loop, or its result, and when it happens: 'when' or 'while', and the condition.
  struct Step {
    std::vector<std::pair<std::string, Expr>> asked;
    const Statement* what;
    Expr value;
  };

  // The changes in the body of a loop, one by one; false: something else happens there. `local`: names of one round.
  static bool flat(const Statements& body, const Values& values, Values local,
                   std::vector<std::pair<std::string, Expr>> asked, std::vector<Step>& steps, int depth = 0) {
    if (depth > kMostNested || steps.size() > 20) return false;
    for (const Statement& s : body) {
      const bool jumps = s.kind == Statement::Kind::branch && s.then.size() == 1 && s.other.empty() &&
                         (s.then[0].kind == Statement::Kind::skip || s.then[0].kind == Statement::Kind::stop);
      if (jumps) {
        const bool stops = s.then[0].kind == Statement::Kind::stop;
        if (stops && (!asked.empty() || !steps.empty())) return false;
        asked.emplace_back(stops ? "while" : "when", negated(known(s.value, local)));
      } else if (s.kind == Statement::Kind::branch) {
        const Expr condition = known(s.value, local);
        std::vector<std::pair<std::string, Expr>> yes = asked, no = asked;
        yes.emplace_back("when", condition), no.emplace_back("when", negated(condition));
        if (!flat(s.then, values, local, yes, steps, depth + 1) || !flat(s.other, values, local, no, steps, depth + 1))
          return false;
      } else if (s.kind == Statement::Kind::assign && s.sign == "=" && values.count(s.name) == 0) {
        local[s.name] = known(s.value, local);
      } else if (s.kind == Statement::Kind::assign || s.kind == Statement::Kind::result) {
        steps.push_back({asked, &s, known(s.value, local)});
      } else {
        return false;
      }
    }
    return true;
  }

  // The loop that gives a value for each item.
  static Expr made(const Statement& s, const Step& step, const Expr& each, const Values& values) {
    Expr of = known(s.value, values);
    const bool range = bare(of).is(Kind::binary) && bare(of).text == "..";
    if (step.asked.empty() && each.is_name() && each.text == s.name && !range) return of;
    Expr e = loop(bare(each), s.name, std::move(of));
    for (const auto& [word, condition] : step.asked) {
      const bool joins = word == "when" && e.names.back() == "when";
      if (joins) e.parts.back() = binary("and", std::move(e.parts.back()), known(condition, values));
      else e.names.push_back(word), e.parts.push_back(known(condition, values));
    }
    return e;
  }

  // for x in xs { if c { total += e } }; for x in xs { if c { return true } }
  std::optional<Expr> walk(const Statement& s, const Statements& all, std::size_t i, Values& values, int depth) {
    std::vector<Step> steps;
    if (!flat(s.then, values, {}, {}, steps) || steps.empty()) return failed = true, std::nullopt;
    if (steps[0].what->kind == Statement::Kind::result) {
      Step& step = steps[0];
      const Expr value = step.value;
      if (steps.size() > 1 || step.asked.empty() || (value.text != "true" && value.text != "false"))
        return failed = true, std::nullopt;
      const Expr asked = step.asked.back().second;
      step.asked.pop_back();
      const std::optional<Expr> rest = run(all, i + 1, values, depth + 1);
      if (!rest) return failed = true, std::nullopt;
      Expr found = call("any", {made(s, step, asked, values)});
      if (value.text == "true" && rest->text == "false") return found;
      if (value.text == "false" && rest->text == "true") return negated(found);
      return choice(value, std::move(found), *rest);
    }
    // What changes must not depend on what has changed in earlier rounds.
    std::map<std::string, int> changed;
    for (const Step& step : steps) ++changed[step.what->name];
    const auto depends = [&](const Expr& e) {
      return std::any_of(changed.begin(), changed.end(), [&e](const auto& one) { return mentions(e, one.first); });
    };
    Values after = values;
    for (Step& step : steps) {
      const std::string& name = step.what->name;
      const std::string_view sign = step.what->sign;
      const auto before = after.find(name);
      const Expr old = before == after.end() ? atom(name) : before->second;
      std::vector<Expr> conditions;
      for (const auto& one : step.asked) conditions.push_back(one.second);
      if (step.what->kind != Statement::Kind::assign) return failed = true, std::nullopt;
      if (sign == "=") {
        const std::string_view function = extreme(conditions, name, step.value);
        if (function.empty() || changed[name] > 1 || depends(step.value)) return failed = true, std::nullopt;
        step.asked.clear();
        after[name] = call(function, {binary("+", list({old}), made(s, step, known(step.value, values), values))});
        continue;
      }
      if (depends(step.value) || std::any_of(conditions.begin(), conditions.end(), depends))
        return failed = true, std::nullopt;
      const Expr value = known(step.value, values);
      if (sign == "append") {
        const bool fresh = old.is(Kind::list) && old.parts.empty();
        Expr items = made(s, step, value, values);
        after[name] = fresh ? std::move(items) : binary("+", old, std::move(items));
      } else if (sign == "+" || sign == "-") {
        const bool counts = value.text == "1";
        const std::string first_name = s.name.substr(0, s.name.find(','));
        Expr total = counts ? call("count", {made(s, step, atom(first_name), values)})
                            : call("sum", {made(s, step, value, values)});
        after[name] = added(old, sign, std::move(total));
      } else {
        after[name] = added(old, sign, call("product", {made(s, step, value, values)}));
      }
    }
    for (auto& [name, value] : after) keep(values, name, value);
    return std::nullopt;
  }
  std::size_t steps_ = 0;
};

// Reads statements with a reader of expressions.
class Body {
 public:
  explicit Body(Reader& reader) : r_(reader), tokens_(reader.tokens()) {}
  bool failed = false;

  Statements block(std::size_t end, int depth) {
    Statements result;
    while (!failed && r_.at() < end) {
      if (one({";", ","})) {
        step();
        continue;
      }
      if (depth > kMostNested || ++count_ > 60) failed = true;
      const std::size_t before = r_.at();
      statement(end, depth, result);
      if (r_.failed() || r_.at() == before) failed = true;
    }
    return result;
  }

 private:
  bool one(std::initializer_list<std::string_view> words) const {
    return !tokens_[r_.at()].is_text() && among(tokens_[r_.at()].shown, words);
  }
  void step(std::size_t n = 1) { r_.move(r_.at() + n); }
  bool take(std::initializer_list<std::string_view> words) {
    if (!one(words)) return false;
    step();
    return true;
  }
  std::size_t column(std::size_t token) const {
    const std::string_view all = tokens_.text();
    const std::size_t at = tokens_[token].begin;
    const std::size_t line = at == 0 ? 0 : all.rfind('\n', at - 1) + 1;
    return at - line;
  }
  Expr value(std::size_t end) {
    const std::size_t outer = r_.end();
    r_.narrow(std::min(end, outer));
    Expr e = r_.expression();
    r_.narrow(outer);
    return e;
  }

  // The statements that belong to the one that begins at `owner`: in braces, by indentation, up to 'end', or one.
  Statements belonging(std::size_t owner, std::size_t end, int depth) {
    if (one({"{"}) && tokens_[r_.at()].partner != kNone) {
      const std::size_t close = tokens_[r_.at()].partner;
      step();
      Statements result = block(close, depth + 1);
      r_.move(close + 1);
      return result;
    }
    const bool then = take({"then", "do"});
    take({":"});
    if (tokens_[r_.at()].first && column(r_.at()) > column(owner)) {
      std::size_t stop = r_.at();
      while (stop < end && !(tokens_[stop].first && column(stop) <= column(owner))) stop = tokens_.behind(stop);
      Statements result = block(std::min(stop, end), depth + 1);
      if (then || one({"end"})) take({"end", "END"});
      return result;
    }
    Statements result;
    statement(end, depth + 1, result);
    return result;
  }

  void statement(std::size_t end, int depth, Statements& result) {
    if (depth > kMostNested) failed = true;
    if (failed) return;
    const std::size_t begin = r_.at();
    if (one({"if", "elif", "elsif", "elseif", "unless"}) || (one({"else"}) && tokens_.is(begin + 1, "if"))) {
      branch(begin, end, depth, result);
      return;
    }
    if (one({"for", "foreach"})) {
      repeat(begin, end, depth, result);
      return;
    }
    if (one({"pass", "end"})) {
      step();
      return;
    }
    if (one({"continue", "break"}) && !tokens_.is(r_.at() + 1, "=")) {
      result.push_back({one({"break"}) ? Statement::Kind::stop : Statement::Kind::skip});
      step();
      return;
    }
    if (take({"return", "RETURN", "yield"})) {
      Expr e = value(end);
      if (e.is(Kind::choice) && e.parts.size() == 2) {  // return 0 if late
        Statement s{Statement::Kind::branch};
        s.value = e.parts[1];
        s.then.push_back({Statement::Kind::result, {}, {}, Expr(e.parts[0])});
        result.push_back(std::move(s));
        return;
      }
      result.push_back({Statement::Kind::result, {}, {}, std::move(e)});
      return;
    }
    if (tokens_[begin].first && tokens_[begin].kind == Token::Kind::text && depth == 0 && begin + 1 < end &&
        tokens_[begin + 1].first && !one({"+"})) {  // what documents it
      step();
      return;
    }
    take({"let", "const", "var", "val", "local", "my", "auto", "mut", "final", "output"});
    take({"mut"});
    if (tokens_[r_.at() + 1].kind == Token::Kind::word && tokens_.is(r_.at() + 2, "=") && !tokens_[r_.at() + 1].first)
      step();  // int x = 1
    if (tokens_[r_.at()].kind == Token::Kind::word && assignment(end, result)) return;
    r_.move(begin);
    const bool cases = one({"switch", "match"});
    Expr e = value(end);
    while (cases && bare(e).is(Kind::choice)) {  // without a case for the rest the next statement goes on
      const Expr one = bare(e);
      Statement s{Statement::Kind::branch};
      s.value = one.parts[1];
      s.then.push_back({Statement::Kind::result, {}, {}, Expr(one.parts[0])});
      result.push_back(std::move(s));
      if (one.parts.size() == 2) return;
      e = one.parts[2];
    }
    result.push_back({Statement::Kind::result, {}, {}, std::move(e)});
  }

  bool assignment(std::size_t end, Statements& result) {
    const std::size_t name = r_.at();
    std::size_t sign = name + 1;
    Statement s{Statement::Kind::assign};
    s.name = tokens_[name].shown;
    const bool twice = tokens_[sign].end == tokens_[sign + 1].begin;
    if (tokens_.is(sign, "+") && tokens_.is(sign + 1, "+") && twice) {
      s.sign = "+", s.value = atom("1");
      r_.move(sign + 2);
      result.push_back(std::move(s));
      return true;
    }
    if (among(tokens_[sign].shown, {"+", "-", "*", "/"}) && tokens_.is(sign + 1, "=") && twice) {
      s.sign = tokens_[sign].shown;
      r_.move(sign + 2);
    } else if (tokens_.is(sign, ".") && among(tokens_[sign + 1].shown, {"append", "push", "add"}) &&
               tokens_.is(sign + 2, "(")) {
      s.sign = "append";
      r_.move(sign + 2);
    } else {
      if (tokens_.is(sign, ":") && tokens_[sign + 1].kind == Token::Kind::word && tokens_.is(sign + 2, "=")) sign += 2;
      const bool arrow = tokens_.is(sign, "<") && tokens_.is(sign + 1, "-") && twice;
      if (!tokens_.is(sign, "=") && !tokens_.is(sign, ":=") && !arrow) return false;
      if (tokens_.is(sign, "=") && tokens_.is(sign + 1, "=") && twice) return false;
      s.sign = "=";
      r_.move(sign + (arrow ? 2 : 1));
    }
    s.value = value(end);
    // total = total + e; total = total + e when c
    if (s.value.is(Kind::choice) && s.value.parts.size() == 2 && s.value.parts[0].is(Kind::binary) &&
        s.value.parts[0].parts[0].is_name() && s.value.parts[0].parts[0].text == s.name && s.sign == "=" &&
        among(s.value.parts[0].text, {"+", "-", "*", "/"})) {
      s.sign = s.value.parts[0].text;
      Expr inner = s.value.parts[0].parts[1];
      s.value.parts[0] = std::move(inner);
    }
    const Expr& e = s.value;
    if (s.sign == "=" && e.is(Kind::binary) && e.parts[0].text == s.name && e.parts[0].is_name() &&
        among(e.text, {"+", "-", "*", "/"})) {
      s.sign = e.text;
      s.value = Expr(e.parts[1]);
    }
    result.push_back(std::move(s));
    return true;
  }

  void branch(std::size_t begin, std::size_t end, int depth, Statements& result) {
    if (depth > kMostNested) failed = true;
    if (failed) return;
    const bool unless = one({"unless"});
    take({"else"});
    step();
    Statement s{Statement::Kind::branch};
    s.value = r_.condition();
    if (unless) s.value = negated(std::move(s.value));
    s.then = belonging(begin, end, depth);
    take({";"});
    const bool here = !failed && r_.at() < end;
    if (here && (one({"elif", "elsif", "elseif"}) || (one({"else"}) && tokens_.is(r_.at() + 1, "if")))) {
      branch(r_.at(), end, depth + 1, s.other);
    } else if (here && one({"else"})) {
      const std::size_t owner = r_.at();
      step();
      s.other = belonging(owner, end, depth);
    }
    take({"end", "fi"});
    result.push_back(std::move(s));
  }

  void repeat(std::size_t begin, std::size_t end, int depth, Statements& result) {
    step();
    const bool around = take({"("});
    take({"each", "const", "let", "var", "int"});
    Statement s{Statement::Kind::loop};
    while (tokens_[r_.at()].kind == Token::Kind::word && !one({"in", "of"})) {
      s.name += (s.name.empty() ? "" : ", ") + std::string(tokens_[r_.at()].shown);
      step();
      if (!take({","})) break;
    }
    const bool counts = take({"="});  // for (i = 0; i < n; i++)
    Expr low = counts ? r_.operand() : Expr{};
    if (counts && take({";"}) && take({s.name}) && one({"<", "<="})) {
      const bool included = one({"<="});
      step();
      Expr high = value(end);
      s.value = binary("..", std::move(low), included ? std::move(high) : one_less(high));
      for (; r_.at() < end && !one({")", "{"}); step())
        failed = failed || (tokens_[r_.at()].kind == Token::Kind::number && !one({"1"}));
    } else if (!counts && !s.name.empty() && take({"in", "of", ":"})) {
      s.value = value(end);
      if (s.value.is(Kind::call) && s.value.text == "range" &&
          (s.value.parts.size() == 1 || s.value.parts.size() == 2)) {
        Expr low_ = s.value.parts.size() == 2 ? s.value.parts[0] : atom("0");
        s.value = binary("..", std::move(low_), one_less(s.value.parts.back()));
      }
    } else {
      failed = true;
      return;
    }
    if (around && !take({")"})) failed = true;
    s.then = belonging(begin, end, depth);
    result.push_back(std::move(s));
  }

  Reader& r_;
  const Tokens& tokens_;
  std::size_t count_ = 0;
};

}  // namespace

Expr Reader::body() {
  constexpr int kMostDepth = 24;
  if (failed_ || ++depth_ > kMostDepth) return fail();
  std::size_t begin = at_, end = end_, behind = end_;
  if (is("{") && tokens_[at_].partner != kNone) {
    end = tokens_[at_].partner;
    behind = end + 1;
    ++begin;
  }
  at_ = begin;
  Body reader(*this);
  const Statements statements = reader.block(end, 0);
  --depth_;
  if (reader.failed || failed_) return fail();
  at_ = behind;
  Evaluation evaluation;
  Values values;
  std::optional<Expr> e = evaluation.run(statements, 0, values, 0);
  if (!e && !statements.empty() && statements.back().kind == Statement::Kind::assign) {
    const auto last = values.find(statements.back().name);
    if (last != values.end()) e = last->second;
  }
  return e && !evaluation.failed ? *e : fail();
}

bool Reader::updated(std::map<std::string, Expr>& values) {
  Body reader(*this);
  const Statements statements = reader.block(end_, 0);
  std::erase_if(values, [&](const auto& one) { return !assigned_in(statements, one.first); });
  if (reader.failed || failed_ || values.empty() || returns(statements)) return false;
  Evaluation evaluation;
  evaluation.run(statements, 0, values, 0);
  return !evaluation.failed;
}

// | c = v | d = w | otherwise = u, one guard after the other
Expr Reader::guards() {
  const std::size_t outer = end_;
  std::vector<std::pair<Expr, Expr>> read;
  while (!failed_ && is("|") && read.size() < 30) {
    std::size_t sign = at_ + 1;
    while (sign < outer && !among(tokens_[sign].shown, {"=", "->", "=>", ":"})) sign = tokens_.behind(sign);
    std::size_t stop = sign;
    while (stop < outer && !(tokens_.is(stop, "|") && stop > sign)) stop = tokens_.behind(stop);
    ++at_;
    const bool otherwise = one({"otherwise", "_", "else", "true"});
    Expr asked;
    end_ = sign;
    if (otherwise) at_ = sign;
    else asked = condition();
    if (at_ != sign) return fail();
    end_ = stop;
    ++at_;
    Expr value = expression();
    end_ = outer;
    read.emplace_back(std::move(asked), std::move(value));
  }
  if (failed_ || read.empty()) return fail();
  Expr result;
  for (std::size_t i = read.size(); i-- > 0;) {
    if (read[i].first.is(Kind::none)) result = std::move(read[i].second);
    else result = choice(std::move(read[i].second), std::move(read[i].first), std::move(result));
  }
  return result;
}

// ---- case, switch and match

Expr Reader::arms() {
  if (failed_) return {};
  const std::string_view word = tokens_[at_].shown;
  ++at_;
  Expr subject;
  const bool in_pairs = is("(") && tokens_[at_].partner != kNone;
  if (!is("{") && !one({"when", "WHEN", ":"})) subject = bare(disjunction());
  if (failed_) return {};
  // when c then a else b
  const bool valued = tokens_[at_].is_text() || (tokens_[at_].kind == Token::Kind::number && !new_line(at_));
  if (word == "when" && (take({"then", ":", "->"}) || (valued && at_ < end_))) {
    // The value ends where the next 'when c then' begins.
    std::size_t stop = at_;
    while (stop < end_ && !tokens_.is(stop, "when") && !tokens_.is(stop, "else")) stop = tokens_.behind(stop);
    std::size_t then = stop;
    while (then < end_ && !among(tokens_[then].shown, {"then", ":", "->", "else"})) then = tokens_.behind(then);
    const std::size_t all = end_;
    if (then < end_ && !tokens_.is(then, "else")) narrow(stop);
    Expr value = expression();
    narrow(all);
    take({","});
    Expr other;
    if (take({"else", "otherwise"})) take({":"}), other = expression();
    else if (is("when")) other = arms();
    return choice(std::move(value), std::move(subject), std::move(other));
  }
  if (word == "when" && !in_pairs && !is("{")) return fail();
  take({"with", "switch", ":"});
  const bool braces_ = is("{") && tokens_[at_].partner != kNone;
  const std::size_t close = braces_ ? tokens_[at_].partner : end_, outer = end_;
  if (braces_) ++at_, end_ = close;
  std::vector<std::pair<Expr, Expr>> read;  // condition, value; a condition of kind none: otherwise
  while (!failed_ && at_ < end_ && !one({"end", "END", "esac"}) && read.size() < 30) {
    if (take({",", ";", "|"})) continue;
    if (!braces_ && tokens_[at_].starts && !one({"when", "case"})) break;
    std::vector<Expr> conditions;
    bool otherwise = false;
    ++labels_;
    const bool labelled = arm_label(subject, conditions, otherwise);
    --labels_;
    if (!labelled) break;
    Expr value = arm_value();
    take(",");
    if (take("break")) take(";");
    if (failed_) break;
    Expr condition_;
    for (Expr& c : conditions)
      condition_ = condition_.is(Kind::none) ? std::move(c) : binary("or", std::move(condition_), std::move(c));
    read.emplace_back(otherwise ? Expr{} : std::move(condition_), std::move(value));
  }
  end_ = outer;
  if (braces_) {
    if (at_ != close) return fail();
    ++at_;
  } else {
    take({"end", "END", "esac"});
  }
  if (failed_ || read.empty()) return fail();
  Expr result;
  for (std::size_t i = read.size(); i-- > 0;) {
    auto& [condition_, value] = read[i];
    if (condition_.is(Kind::none)) result = std::move(value);
    else result = choice(std::move(value), std::move(condition_), std::move(result));
  }
  return result;
}

// "a", "b" =>; case "a":; when x > 3 then; < 5 ->; _ =>; default:
bool Reader::arm_label(const Expr& subject, std::vector<Expr>& conditions, bool& otherwise) {
  take({"case", "when", "WHEN", "CASE", "is"});
  if (one({"_", "default", "else", "ELSE", "otherwise"}) ||
      (is("true") && subject.is(Kind::none) && tokens_.is(at_ + 1, "->"))) {
    ++at_;
    otherwise = true;
    take({"=>", "->", ":", "then", "THEN", "="});
    return true;
  }
  std::vector<Expr> values;
  Expr guard;
  while (!failed_) {
    if (subject.is(Kind::none)) {
      conditions.push_back(condition());
    } else if (one({"<", "<=", ">", ">=", "≥", "≤", "in"})) {
      Expr left = subject, result;
      if (!comparison_with(left, result)) return false;
      conditions.push_back(std::move(result));
    } else {
      Expr value = range();
      if (one({"<", "<=", ">", ">=", "=="})) {
        Expr left = value, result;
        if (!comparison_with(left, result)) return false;
        conditions.push_back(std::move(result));
      } else if (take({"if", "when"})) {
        guard = condition();
        if (value.is_name()) substitute(guard, value.text, subject);
        else values.push_back(std::move(value));
      } else if (value.is(Kind::binary) && value.text == "..") {
        conditions.push_back(binary("in", subject, std::move(value)));
      } else {
        values.push_back(std::move(value));
      }
    }
    if (!take({",", "|", "or"})) break;
    take("case");
  }
  if (failed_) return false;
  if (values.size() == 1) conditions.push_back(binary("==", subject, std::move(values[0])));
  else if (!values.empty()) conditions.push_back(binary("in", subject, list(std::move(values))));
  if (!guard.is(Kind::none))
    conditions = {conditions.empty() ? guard : binary("and", std::move(conditions[0]), std::move(guard))};
  while (is(":") && tokens_.is(at_ + 1, "case")) {  // several labels, one below the other
    at_ += 2;
    conditions.push_back(binary("==", subject, range()));
  }
  const bool arrow = take({"=>", "->", ":", "then", "THEN", "="});
  return !conditions.empty() && (arrow || tokens_[at_].first);
}

}  // namespace assay::mending
