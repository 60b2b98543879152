// Compares the problems of a rubric before and after some edits. Old places are translated to those after the edits, to
// recognise the same problem.
#include "lang/mend/rank.hpp"

#include "lang/mend/foreign/known_names.hpp"
#include "lang/model/builtin_rows.hpp"
#include "lang/text/ascii.hpp"
#include "lang/text/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace assay::mending {

bool has_remedy(std::string_view code) {
  using Pair = std::pair<std::string_view, std::string_view>;
  static constexpr Pair kReasons[] = {
#define ASSAY_REMEDY(name, reason) {#name, reason},
#include "lang/mend/remedies.def"
#undef ASSAY_REMEDY
  };
  static constexpr Pair kNames[] = {
#define ASSAY_DIAGNOSTIC(code, name, severity, title) {code, #name},
#include "lang/text/diagnostics.def"
#undef ASSAY_DIAGNOSTIC
  };
  const auto* name =
      std::find_if(std::begin(kNames), std::end(kNames), [code](const Pair& p) { return p.first == code; });
  if (name == std::end(kNames)) return true;
  return std::any_of(std::begin(kReasons), std::end(kReasons),
                     [name](const Pair& p) { return p.first == name->second && p.second.empty(); });
}

std::optional<Texts> applied(const Texts& texts, const std::vector<Edit>& edits) {
  Texts changed;
  for (std::size_t i = edits.size(); i-- > 0;) {  // from the end, so that earlier places stay valid
    const Edit& edit = edits[i];
    auto it = changed.find(edit.file);
    if (it == changed.end()) {
      const auto now = texts.find(edit.file);
      if (now == texts.end()) return std::nullopt;
      it = changed.emplace(edit.file, now->second).first;
    }
    if (edit.begin > edit.end || edit.end > it->second.size()) return std::nullopt;
    if (i + 1 < edits.size() && edits[i + 1].file == edit.file && edits[i + 1].begin < edit.end) return std::nullopt;
    it->second.replace(edit.begin, edit.end - edit.begin, edit.text);
  }
  return changed;
}

bool touches(const Diagnostic& d, const std::vector<Edit>& edits) {
  std::ptrdiff_t shift = 0;
  for (const Edit& edit : edits) {
    if (edit.file != d.at.file.str()) continue;
    const auto begin = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(edit.begin) + shift);
    if (d.at.offset <= begin + edit.text.size() && begin <= d.at.offset + d.at.bytes) return true;
    shift += static_cast<std::ptrdiff_t>(edit.text.size()) - static_cast<std::ptrdiff_t>(edit.end - edit.begin);
  }
  return false;
}

std::string lost_name(const Texts& before, const Texts& after, const std::vector<Edit>& edits, bool any) {
  std::set<std::string_view> said;  // after the edits, on their lines, in texts as well
  const auto learn = [&said](std::string_view text) {
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
      end = at;
      while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_')) ++end;
      said.insert(text.substr(at, end - at));
    }
  };
  for (const Edit& edit : edits) {
    const std::string_view text = before.find(edit.file)->second;
    const std::size_t line = edit.begin == 0 ? 0 : text.rfind('\n', edit.begin - 1) + 1;
    learn(text.substr(line, edit.begin - line));
    learn(edit.text);
    learn(text.substr(edit.end, std::min(text.find('\n', edit.end), text.size()) - edit.end));
  }
  std::string file;
  std::set<std::string_view> declared;
  for (const Edit& edit : edits) {
    const std::string_view text = before.find(edit.file)->second;
    const std::size_t line = edit.begin == 0 ? 0 : text.rfind('\n', edit.begin - 1) + 1;
    const Tokens old(text.substr(line, edit.end - line));
    if (old.is(0, "|")) continue;  // a cell need not name the key of its column
    for (std::size_t i = old.at(edit.begin - line); i + 1 < old.size(); ++i) {
      // Not as the name of a declaration or a field, nor in 'at most', 'a day' or 'number dimension x'.
      const bool used = old[i].kind == Token::Kind::word && !is_reserved(old[i].shown) && !old.is(i + 1, ":") &&
                        known_word(old[i + 1].shown).empty() &&
                        !(i > 0 && (old[i - 1].starts || old.is(i - 1, "at"))) &&
                        !(old.is(i, "a") && old[i + 1].kind == Token::Kind::word);
      if (!used || said.count(old[i].shown) != 0) continue;
      if (file != edit.file) {
        file = edit.file;
        const Tokens all(after.find(file)->second);
        declared = KnownNames(all).values_of_record;
      }
      if (any || declared.count(old[i].shown) != 0) return std::string(old[i].shown);
    }
  }
  return {};
}

namespace {

// The digits of a number without the zeros at both ends: 50%, 0.5 and 0,50 say the same.
std::string digits_of(std::string_view shown) {
  std::string digits;
  for (const char c : shown) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) digits += c;
  }
  const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size());
  return digits.substr(first, digits.find_last_not_of('0') + 1 - first);
}

// What stands on the lines of the edits, before or after them.
std::vector<std::string> lines_of(const Texts& before, const std::vector<Edit>& edits, bool edited) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const std::string_view text = before.find(edits[i].file)->second;
    const bool same = i > 0 && edits[i - 1].file == edits[i].file &&
                      text.substr(edits[i - 1].end, edits[i].begin - edits[i - 1].end).find('\n') == text.npos;
    if (same) continue;
    std::size_t at = edits[i].begin == 0 ? 0 : text.rfind('\n', edits[i].begin - 1) + 1;
    std::string line;
    for (std::size_t k = i; k < edits.size() && edits[k].file == edits[i].file; ++k) {
      if (k > i && text.substr(at, edits[k].begin - at).find('\n') != text.npos) break;
      line += text.substr(at, edits[k].begin - at);
      line += edited ? edits[k].text : std::string(text.substr(edits[k].begin, edits[k].end - edits[k].begin));
      at = edits[k].end;
    }
    lines.push_back(line + std::string(text.substr(at, std::min(text.find('\n', at), text.size()) - at)));
  }
  return lines;
}

}  // namespace

bool loses_operand(const Texts& before, const std::vector<Edit>& edits) {
  std::string kept;             // the digits of each number
  std::set<std::string> prose;  // texts behind a value: the words of a declaration
  const auto joins = [](std::string_view shown) { return among(shown, {"or", "||", "and", "&&"}); };
  for (const std::string& line : lines_of(before, edits, true)) {
    const Tokens tokens(line);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      kept += digits_of(tokens[i].shown) + " ";
      const bool behind = i > 0 && tokens.ends_value(i - 1) && !tokens.is(i - 1, "example");  // whose name it would be
      if (tokens[i].is_text() && behind) prose.emplace(tokens[i].shown);
    }
  }
  for (const std::string& line : lines_of(before, edits, false)) {
    const Tokens tokens(line);
    for (std::size_t i = 2; i + 1 < tokens.size(); ++i) {
      const bool joined = joins(tokens[i - 1].shown);
      if (tokens[i].kind == Token::Kind::number && joined && kept.find(digits_of(tokens[i].shown)) == kept.npos)
        return true;
      const bool operand = (joined && tokens[i - 2].is_text()) || among(tokens[i - 1].shown, {"==", "!=", "in", "not"});
      if (tokens[i].is_text() && operand && prose.count(std::string(tokens[i].shown)) != 0) return true;
    }
  }
  return false;
}

namespace {

// How often each number stands on some lines without a word behind it.
std::map<std::string, int> bare_numbers(const std::vector<std::string>& lines) {
  std::map<std::string, int> counts;
  for (const std::string& line : lines) {
    const Tokens tokens(line);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      const bool word = tokens[i + 1].kind == Token::Kind::word && !is_reserved(tokens[i + 1].shown);
      if (tokens[i].kind == Token::Kind::number && !word) ++counts[std::string(tokens[i].shown)];
    }
  }
  return counts;
}

}  // namespace

bool drops_unit(const Texts& before, const std::vector<Edit>& edits) {
  std::map<std::string, int> old = bare_numbers(lines_of(before, edits, false));
  std::map<std::string, int> now = bare_numbers(lines_of(before, edits, true));
  for (const Edit& edit : edits) {
    const std::string_view text = before.find(edit.file)->second;
    const Tokens tokens(text);
    const KnownNames known(tokens);
    const std::size_t line = edit.begin == 0 ? 0 : text.rfind('\n', edit.begin - 1) + 1;
    for (std::size_t i = tokens.at(line); i + 1 < tokens.size() && tokens[i].begin < edit.end; ++i) {
      if (tokens[i].kind != Token::Kind::number) continue;
      const std::size_t end = std::min(tokens[i].shown.find_first_not_of("0123456789._"), tokens[i].shown.size());
      const bool apart = end == tokens[i].shown.size();  // 30 min, not 30min
      const std::string digits(tokens[i].shown.substr(0, end));
      const std::string_view unit = apart ? tokens[i + 1].shown : tokens[i].shown.substr(end);
      if ((apart && tokens[i + 1].first) || known.declares(unit) || now[digits] <= old[digits]) continue;
      if (in_unit_before(tokens, i, digits, unit) != digits || mixed_units(tokens, i, unit)) return true;
    }
  }
  return false;
}

bool loses_declaration(const Texts& before, const Texts& after, const std::vector<Edit>& edits) {
  const auto declares = [](std::string_view line) {
    const Tokens tokens(line);
    return tokens.size() > 1 && among(tokens[0].shown, {"gate", "flag", "check", "cap", "deduction", "bonus",
                                                        "dimension", "criterion", "incomplete"});
  };
  const auto each_line = [](std::string_view text, auto&& take) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      take(without_blanks(text.substr(0, end)));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  };
  std::ptrdiff_t lost = 0;
  for (const std::string& lines : lines_of(before, edits, false)) {
    each_line(lines, [&](std::string_view line) {
      const auto there = [&](const auto& one) { return one.second.find(line) != std::string::npos; };
      lost += declares(line) && std::none_of(after.begin(), after.end(), there) ? 1 : 0;
    });
  }
  for (const std::string& lines : lines_of(before, edits, true))
    each_line(lines, [&](std::string_view line) { lost -= declares(line) ? 1 : 0; });
  return lost > 0;
}

bool takes_keystroke_back(std::string_view text, const Diagnostic& problem, const std::vector<Edit>& edits) {
  if (edits.size() != 1) return false;
  const auto plain = [](std::string_view word) {
    return word.size() > 2 && word.front() == '"' && word.back() == '"' ? word.substr(1, word.size() - 2) : word;
  };
  const std::string_view typed = plain(text.substr(edits[0].begin, edits[0].end - edits[0].begin));
  const std::string_view meant = plain(edits[0].text);
  const Slip slip = slip_of(typed, meant);
  if (slip == Slip::none || slip == Slip::replaced || typed.size() < 2) return false;
  const auto all = [typed](bool (*which)(char)) { return std::all_of(typed.begin(), typed.end(), which); };
  if (all([](char c) { return is_digit(c); }))
    return slip == Slip::lost && meant.find('.') != meant.npos;  // 75, of 7.5
  if (!all([](char c) { return is_name_character(c) && !is_digit(c); })) return false;
  std::size_t as_typed = 0, as_meant = 0;
  bool other = false;  // another name is as near
  const Tokens tokens(text);
  const KnownNames known(tokens);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind != Token::Kind::word && !tokens[i].is_text()) continue;
    const std::string_view word = plain(tokens[i].shown);
    as_typed += word == typed ? 1 : 0, as_meant += word == meant ? 1 : 0;
    const bool name = known.declares(word) || known.bound.count(word) != 0 || known.is_field(word);
    other = other || (name && word != typed && word != meant && slip_of(typed, word) != Slip::none);
  }
  if (other || as_typed != 1) return false;
  if (problem.code == "E0302") return as_meant > 1 || find_builtin(meant) != nullptr;
  // Shorter words are near to many: the other one has to stand there more often.
  constexpr std::size_t kShort = 4, kLong = 6, kOften = 3;
  if (meant.size() >= kLong) return true;
  if (meant.size() < kShort && slip != Slip::exchanged) return as_meant >= kOften;
  return as_meant > (problem.code == "E0301" ? 0u : 1u);
}

bool is_step(std::string_view before, std::string_view step, std::string_view after) {
  using Words = std::vector<std::string_view>;
  constexpr std::size_t kMost = 300;  // tokens: more of them are not compared
  const Tokens tokens[] = {Tokens(before), Tokens(step), Tokens(after)};
  Words words[3];
  for (std::size_t t = 0; t < 3; ++t) {
    for (std::size_t i = 0; i + 1 < tokens[t].size(); ++i) words[t].push_back(tokens[t][i].shown);
  }
  std::size_t same = 0, shortest = std::min({words[0].size(), words[1].size(), words[2].size()});
  while (same < shortest && words[0][same] == words[1][same] && words[0][same] == words[2][same]) ++same;
  for (Words& w : words) w.erase(w.begin(), w.begin() + static_cast<std::ptrdiff_t>(same));
  shortest -= same;
  const auto last = [&words](std::size_t t, std::size_t i) { return words[t][words[t].size() - 1 - i]; };
  for (same = 0; same < shortest && last(0, same) == last(1, same) && last(0, same) == last(2, same);) ++same;
  for (Words& w : words) w.resize(w.size() - same);
  if (words[0].size() > kMost || words[1].size() > kMost || words[2].size() > kMost) return true;
  const auto distance = [](const Words& a, const Words& b) {  // tokens added and removed
    std::vector<std::size_t> common(b.size() + 1);
    for (const std::string_view word : a) {
      std::size_t diagonal = 0;
      for (std::size_t k = 0; k < b.size(); ++k) {
        const std::size_t above = common[k + 1];
        common[k + 1] = word == b[k] ? diagonal + 1 : std::max(above, common[k]);
        diagonal = above;
      }
    }
    return a.size() + b.size() - 2 * common.back();
  };
  return distance(words[0], words[1]) + distance(words[1], words[2]) == distance(words[0], words[2]);
}

namespace {

// The position after the edits of a byte before them; inside an edit: as far into its text as that equals the old text.
std::size_t moved(const Texts& texts, const std::string& file, std::size_t at, const std::vector<Edit>& edits) {
  std::ptrdiff_t shift = 0;
  for (const Edit& edit : edits) {
    if (edit.file != file || edit.begin > at) continue;
    if (at < edit.end) {
      const std::string& text = texts.find(file)->second;
      std::size_t same = 0;
      while (edit.begin + same < at && same < edit.text.size() && text[edit.begin + same] == edit.text[same]) ++same;
      return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(edit.begin + same) + shift);
    }
    shift += static_cast<std::ptrdiff_t>(edit.text.size()) - static_cast<std::ptrdiff_t>(edit.end - edit.begin);
  }
  return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(at) + shift);
}

// Whether a byte after the edits belongs to the text of an edit.
bool written(const std::string& file, std::size_t at, const std::vector<Edit>& edits) {
  std::ptrdiff_t shift = 0;
  for (const Edit& edit : edits) {
    if (edit.file != file) continue;
    const auto begin = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(edit.begin) + shift);
    if (at >= begin && at < begin + edit.text.size()) return true;
    shift += static_cast<std::ptrdiff_t>(edit.text.size()) - static_cast<std::ptrdiff_t>(edit.end - edit.begin);
  }
  return false;
}

// Whether the edits leave fewer of the problem's own token: one step of several that say the same.
bool advances(const Texts& texts, const Diagnostic& problem, const std::vector<Edit>& edits) {
  const auto file = texts.find(problem.at.file.str());
  if (file == texts.end() || problem.at.bytes == 0 || problem.at.offset + problem.at.bytes > file->second.size())
    return false;
  const std::string_view token = std::string_view(file->second).substr(problem.at.offset, problem.at.bytes);
  if (token.find_first_of(" \t\n") != token.npos) return false;  // more than a token: only written in another way
  const auto count = [token](std::string_view text) {
    std::ptrdiff_t found = 0;
    for (std::size_t at = text.find(token); at != text.npos; at = text.find(token, at + token.size())) ++found;
    return found;
  };
  std::ptrdiff_t before = 0, after = 0;
  for (const Edit& edit : edits) {
    const bool covers = problem.at.offset >= edit.begin && problem.at.offset < edit.end;
    if (edit.file != file->first || !covers) continue;
    before += count(std::string_view(file->second).substr(edit.begin, edit.end - edit.begin));
    after += count(edit.text);
  }
  return after < before;
}

// Whether a diagnostic is on a line that an edit has changed.
bool on_line_of(const Texts& texts, const Diagnostic& d, const std::vector<Edit>& edits) {
  std::ptrdiff_t lines = 0;  // more than before
  for (const Edit& edit : edits) {
    if (edit.file != d.at.file.str()) continue;
    const std::string& text = texts.find(edit.file)->second;
    const auto breaks = [](std::string_view part) { return std::count(part.begin(), part.end(), '\n'); };
    const std::ptrdiff_t first = 1 + breaks(std::string_view(text).substr(0, edit.begin)) + lines;
    const std::ptrdiff_t last = first + breaks(edit.text);
    if (static_cast<std::ptrdiff_t>(d.at.line) >= first && static_cast<std::ptrdiff_t>(d.at.line) <= last) return true;
    lines += breaks(edit.text) - breaks(std::string_view(text).substr(edit.begin, edit.end - edit.begin));
  }
  return false;
}

// Whether it says that a file cannot go on so, behind a rubric.
bool behind_rubric(const Diagnostic& d) { return d.message.str().starts_with("expected 'rubric'"); }

// Whether a name that nothing declares, or a key that means nothing, was on the lines that the edits change: the author's own
// mistake.
bool said_before(const Texts& texts, const Diagnostic& d, const std::vector<Edit>& edits) {
  const bool name = is_unknown_name(d) || d.code == "E0302" || d.code == "E0304";
  const std::size_t open = d.message.str().find('\''), close = d.message.str().find('\'', open + 1);
  if (close == std::string::npos) return false;
  const std::string said = d.message.str().substr(open + 1, close - open - 1);
  const bool key = d.code == "E0107" && d.at.line_text.find(said + ":") != std::string::npos;
  if (!name && !key) return false;
  for (const std::string_view word : {"at", "by", "of", "to", "then", "than", "for", "on"}) {
    if (said == word) return false;  // a word of the language, taken for a name
  }
  return std::any_of(edits.begin(), edits.end(), [&](const Edit& edit) {
    const std::string& text = texts.find(edit.file)->second;
    const std::size_t begin = edit.begin == 0 ? 0 : text.rfind('\n', edit.begin - 1) + 1;
    return std::string_view(text).substr(begin, text.find('\n', edit.end) - begin).find(said) != std::string_view::npos;
  });
}

}  // namespace

// Places tell problems apart: messages quote the rubric, and it is the rubric that changes.
Rank compare(const Texts& texts, const Diagnostic& problem, const std::vector<Diagnostic>& before,
             const std::vector<Diagnostic>& after, const std::vector<Edit>& edits) {
  Rank rank;
  std::set<std::pair<std::string, std::size_t>> known;  // the places of the earlier errors
  for (const Diagnostic& d : before) {
    if (is_error(d) == is_error(problem))
      known.emplace(d.at.file.str() + d.code, moved(texts, d.at.file, d.at.offset, edits));
  }
  const std::size_t place = moved(texts, problem.at.file, problem.at.offset, edits);
  const bool advance = advances(texts, problem, edits);
  std::size_t errors_before = 0;
  bool syntax_before = false;
  for (const Diagnostic& d : before) {
    errors_before += is_error(d) ? 1 : 0;
    syntax_before = syntax_before || is_syntax(d);
  }
  std::size_t earlier = 0, unread = 0, beside = 0, syntax_errors_before = 0;
  std::ptrdiff_t more_warnings = 0;  // than before
  bool another_warning = false;      // about the text of an edit
  for (const Diagnostic& d : before) more_warnings -= is_error(d) ? 0 : 1;
  // What stands behind a rubric that a brace has closed too early is one mistake with that.
  for (const Diagnostic& d : before)
    syntax_errors_before += is_syntax(d) && !(d.at.offset > problem.at.offset && behind_rubric(d)) ? 1 : 0;
  bool same = false, nonsense = false, about_edit = false, again = false;  // again: the mistake in the text of an edit
  for (const Diagnostic& d : after) {
    if (!is_error(d)) {
      ++more_warnings;
      if (is_error(problem) || d.at.file != problem.at.file) continue;
      same = same || (d.code == problem.code && d.at.offset == place);
      const bool old = known.count({d.at.file.str() + d.code, d.at.offset}) != 0;
      another_warning = another_warning || (!old && touches(d, edits));
      continue;
    }
    ++rank.errors;
    if (is_syntax(d)) ++rank.syntax;
    const bool old = known.count({d.at.file.str() + d.code, d.at.offset}) != 0;
    const bool here = d.at.file == problem.at.file && d.at.offset == place;
    // The same words on the same line are the same problem, unless they were said of that place, too.
    if (here && d.code == problem.code && d.code == "E0601") same = true;  // another path that is none
    if (d.message == problem.message) same = same || ((here || (!old && d.at.line == problem.at.line)) && !advance);
    const bool within = written(d.at.file, d.at.offset, edits);
    // The token of the problem still cannot stand there: other words for the same problem.
    const bool next = problem.code == "E0101" && d.code == "E0107";  // what stands before it is whole now
    if (here && !within && !next && !(old && advance) && is_syntax(d) && is_syntax(problem) &&
        d.at.bytes == problem.at.bytes)
      same = true;
    again = again || (here && d.code == problem.code && d.at.bytes == problem.at.bytes);  // arguments exchanged
    if (old && !(here && within)) continue;
    ++rank.fresh;
    again = again || (within && d.code == problem.code);
    about_edit = about_edit || touches(d, edits);
    if (is_syntax(d)) ++unread;
    if (is_syntax(d) && d.at.file == problem.at.file) {
      std::ptrdiff_t size = static_cast<std::ptrdiff_t>(texts.find(problem.at.file.str())->second.size());
      for (const Edit& e : edits)
        size += static_cast<std::ptrdiff_t>(e.text.size()) - static_cast<std::ptrdiff_t>(e.end - e.begin);
      rank.unread = std::max(rank.unread, static_cast<std::size_t>(size) - d.at.offset);
    }
    if (is_syntax(d) && d.at.line <= problem.at.line) ++beside;
    rank.within = rank.within || (is_syntax(d) && within);
    rank.beside = rank.beside || (is_syntax(d) && on_line_of(texts, d, edits));
    const bool policy = d.code == "E0213";  // that of the weights is the author's decision
    if (on_line_of(texts, d, edits) && has_remedy(d.code) && !policy && !said_before(texts, d, edits))
      rank.doubt = d.code + d.message.str();
    // Names were already resolved, so one that only the edit has is nonsense.
    nonsense = nonsense || (within && is_unknown_name(d) && !is_syntax(problem) && !syntax_before);
    if (is_syntax(d) && d.at.file == problem.at.file && d.at.offset < place) ++earlier;
  }
  if (same || nonsense) return rank;
  if (is_syntax(problem)) {
    // A mistake in the head of a rubric hides everything inside it.
    const bool hides = syntax_errors_before == 1 && beside == 0;
    rank.helps = earlier == 0 && (rank.syntax == 0 || unread <= 1 || hides);
  } else if (problem.code == "E0304" && rank.syntax == 0 && !syntax_before) {
    rank.helps = !about_edit;  // without a type nothing is known of the values
  } else if (is_error(problem)) {
    rank.helps = rank.syntax == 0 && !syntax_before
                     ? rank.errors < errors_before || (rank.errors == errors_before && rank.fresh <= 1 && !again)
                     : syntax_before && rank.errors < errors_before && rank.fresh == 0;
  } else {
    // Exchanging one warning for another is no help.
    const bool fewer = more_warnings < 0 || (more_warnings == 0 && !another_warning);
    rank.helps = rank.errors <= errors_before && rank.fresh == 0 && fewer;
  }
  return rank;
}

}  // namespace assay::mending
