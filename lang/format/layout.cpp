// From gaps to lines. A block is on one line if its author wrote it so and it fits. Longer statements are broken from
// the outside in, before the parts that do not fit. A line that the author began stays. Every choice depends only on
// the tokens, on these line ends, and on columns to the left, so that formatting the result again gives the same
// layout.
#include "lang/format/tokens.hpp"

#include <assay/format.hpp>

#include <algorithm>

namespace assay::format {
namespace {

constexpr std::uint32_t kWidth = kFormatWidth, kIndent = kFormatIndent;
constexpr std::uint32_t kDeepest = 80;  // the rightmost column at which a line may begin; lines further right move back
constexpr std::uint32_t kLongestBefore = 30;  // columns before an aligned "when", "=" or value

class Layout {
 public:
  Layout(Tokens& tokens, Style& style, Budget& budget)
      : tokens_(tokens), list_(tokens.list), style_(style), budget_(budget), widths_(tokens) {}

  std::vector<Place> take() {
    budget_.take(list_.size() * (sizeof(Place) + 6 * sizeof(std::uint32_t)));
    force();
    count();
    break_blocks();
    for (const std::uint32_t table : style_.tables) {
      if (broken_[table]) align_table(tokens_, widths_, table);
    }
    measure();
    place();
    align_comments();
    return std::move(places_);
  }

 private:
  std::uint32_t size() const { return static_cast<std::uint32_t>(list_.size()); }

  // ---- where lines must begin

  void force() {
    for (Token& token : list_) token.placing.forced = token.comments > 0 || (token.gap.breakable && token.newline);
    // A choice or 'where' that takes several lines anyway is spread.
    count();
    for (const Series& choice : style_.choices) {
      if (goes_over_lines(choice)) force_parts(choice);
    }
    for (const Series& where : style_.wheres) {
      if (where.parts.empty() || !goes_over_lines(where)) continue;
      force_parts(where);
      list_[where.begin].placing.forced = true;
    }
    // So is a record whose fields begin on their own lines.
    for (const Series& record : style_.records) {
      if (list_[record.begin + 1].placing.forced && forced_[record.end] > forced_[record.begin + 2])
        force_parts(record);
    }
    for (std::uint32_t t = 0; t < size(); ++t) {
      if (list_[t].partner != kNone && list_[t].partner > t && !list_[t].block) force_end(t);
    }
  }

  bool goes_over_lines(const Series& series) const { return forced_[series.end] > forced_[series.begin + 1]; }
  void force_parts(const Series& series) {
    for (const std::uint32_t part : series.parts) list_[part].placing.forced = true;
  }
  // If a line begins after the opening bracket, one begins with the closing one.
  void force_end(std::uint32_t open) {
    Token& close = list_[list_[open].partner];
    if (list_[open + 1].placing.forced && list_[open].partner > open + 1) {
      close.placing.forced = true;
      close.gap.anchor = {Anchor::From::bracket, -static_cast<std::int8_t>(kIndent), open};
    }
  }

  // Sums over the tokens before each one, of the features that make a block or statement take several lines.
  void count() {
    ends_.assign(size() + 1, 0);
    forced_.assign(size() + 1, 0);
    statements_.assign(size() + 1, 0);
    for (std::uint32_t t = 0; t < size(); ++t) {
      const Token& token = list_[t];
      ends_[t + 1] = ends_[t] + (token.newline ? 1 : 0) + (token.multiline ? 1 : 0);
      forced_[t + 1] = forced_[t] + (token.placing.forced ? 1 : 0) + (token.multiline ? 1 : 0);
      statements_[t + 1] = statements_[t] + (token.statement ? 1 : 0);
    }
  }

  bool broken_by_author(std::uint32_t open) const {
    const std::uint32_t close = list_[open].partner;
    if (close == open + 1) return list_[close].comments > 0;
    return ends_[close + 1] > ends_[open + 1] || (list_[open].single && statements_[close] - statements_[open] > 1);
  }

  // ---- which blocks take several lines

  void break_blocks() {
    broken_.assign(size(), 0);
    struct Open {
      std::uint32_t close, last;  // the closing brace, and the last token of the enclosing statement
    };
    std::vector<Open> open;
    for (std::uint32_t t = 0; t < size();) {
      budget_.step();
      Token& token = list_[t];
      std::uint32_t last = token.last;
      if (token.tag == Token::Tag::end) {
        token.placing.hard = true;
        break;
      }
      if (!open.empty() && t == open.back().close) {
        token.placing.hard = true;
        last = open.back().last;
        open.pop_back();
      } else {
        token.placing.hard = true;
      }
      const std::uint32_t opened = segment(t, last, static_cast<std::uint32_t>(open.size()) * kIndent);
      if (opened == kNone) {
        t = last + 1;
      } else {
        open.push_back({list_[opened].partner, last});
        t = opened + 1;
      }
    }
    flush();
  }

  // Lays out the tokens of a statement from `begin` to `last`, or to the first broken block, which it returns.
  std::uint32_t segment(std::uint32_t begin, std::uint32_t last, std::uint32_t indent) {
    std::uint32_t end = last + 1, flat = kNone, opened = kNone;
    for (std::uint32_t t = begin; t <= last; ++t) {
      budget_.step();
      if (!list_[t].block || list_[t].partner == kNone || list_[t].partner < t) continue;
      if (broken_by_author(t)) {
        opened = t;
        end = t + 1;
        break;
      }
      if (flat == kNone && list_[t].partner > t + 1) flat = t;
      t = list_[t].partner;
    }
    const bool several =
        forced_[end] - forced_[begin + 1] > 0 || list_[begin].multiline || indent + widths_.of(begin, end) > kWidth;
    if (several && flat != kNone) {
      opened = flat;
      end = flat + 1;
    }
    if (opened != kNone) broken_[opened] = 1;
    const bool line = list_[begin].statement && opened == kNone && !several && list_[begin].family > 0;
    if (line && !run_.empty() && follows(begin)) {
      run_.push_back({begin, end, indent});
    } else {
      flush();
      if (line) run_.push_back({begin, end, indent});
    }
    return opened;
  }

  // Whether a statement directly follows the last one of the run.
  bool follows(std::uint32_t begin) const {
    const Token& token = list_[begin];
    return run_.back().end == begin && list_[run_.back().begin].family == token.family && !token.blank &&
           (token.comments == 0 || (token.comments == 1 && has_trailing_comment(tokens_, begin)));
  }

  void flush() {
    if (run_.size() > 1) align(list_, widths_, run_);
    run_.clear();
  }

  // ---- lines

  // For each gap, the next one of at most its level, or where a line must begin.
  void measure() {
    next_.assign(size(), size() - 1);
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t t = size(); t-- > 0;) {
      const Token& token = list_[t];
      const bool may = token.gap.breakable && !token.gap.only_author;
      if (may) {
        while (!candidates.empty() && !always(candidates.back()) && list_[candidates.back()].gap.rank > token.gap.rank)
          candidates.pop_back();
      }
      next_[t] = candidates.empty() ? size() - 1 : candidates.back();
      if (always(t)) candidates.clear();
      if (may || always(t)) candidates.push_back(t);
    }
  }
  bool always(std::uint32_t token) const { return list_[token].placing.hard || list_[token].placing.forced; }

  void place() {
    places_.resize(size());
    line_column_.assign(size(), 0);
    for (std::uint32_t t = 0; t < size(); ++t) {
      budget_.step();
      Token& token = list_[t];
      Place& at = places_[t];
      if (token.placing.hard) {
        begin_statement(t);
      } else if (token.placing.forced) {
        new_line(t, column_of(token.gap.anchor));
        if (token.gap.only_author || token.gap.value) clear_else(t);
      } else if (token.gap.breakable && !token.gap.only_author && overflows(t) &&
                 column_of(token.gap.anchor) < column_ + token.gap.space && (!token.gap.value || better_below(t))) {
        token.placing.forced = true;
        new_line(t, column_of(token.gap.anchor));
        if (token.gap.value) clear_else(t);
      } else {
        column_ += token.gap.space + token.placing.pad;
      }
      at.line = line_;
      at.column = column_;
      line_column_[t] = begin_;
      series(t);
      column_ = token.multiline ? token.width : column_ + token.width;
    }
  }

  // Whether a value that does not fit after its '=' should begin a line: it fits there, or much more of it does.
  bool better_below(std::uint32_t t) const {
    if (places_[t - 1].begins_line) return false;
    const bool fits = column_of(list_[t].gap.anchor) + widths_.of(t, next_[t]) <= kWidth;
    return fits || column_ > kWidth / 2;
  }

  // If a choice's first value begins a line, it is above those after 'else'.
  void clear_else(std::uint32_t t) {
    constexpr std::uint32_t kElse = 5;
    const std::uint32_t index = style_.choice_at[t];
    const bool own = index > 0 && tokens_.shown(t - 1) == "=";
    if (own && spread(style_.choices[index - 1])) begin_ = column_ += kElse;
  }

  void begin_statement(std::uint32_t t) {
    if (list_[t].block && list_[t].partner < t) --depth_;
    indent_ = depth_ * kIndent;
    new_line(t, indent_);
  }

  void new_line(std::uint32_t t, std::uint32_t column) {
    const Token& token = list_[t];
    if (t > 0) line_ += 1 + token.comments + (token.blank ? 1 : 0);
    places_[t].begins_line = true;
    begin_ = column_ = column;
  }

  bool overflows(std::uint32_t t) const { return column_ + list_[t].gap.space + widths_.of(t, next_[t]) > kWidth; }

  std::uint32_t column_of(const Anchor& anchor) const {
    std::uint32_t column = indent_ + kIndent;
    if (anchor.from == Anchor::From::bracket) {
      const bool inner = list_[anchor.token + 1].placing.forced;
      column = inner ? line_column_[anchor.token] + kIndent : places_[anchor.token + 1].column;
      if (anchor.delta < 0) return line_column_[anchor.token];
    } else if (anchor.from == Anchor::From::token) {
      const std::int64_t at = std::int64_t{places_[anchor.token].column} + anchor.delta;
      column = static_cast<std::uint32_t>(std::max<std::int64_t>(at, column));
    }
    return column > kDeepest ? indent_ + 2 * kIndent : column;
  }

  // ---- series

  // Handles the series that begins at a token that has just been placed.
  void series(std::uint32_t t) {
    if (list_[t].block && broken_[t]) ++depth_;
    if (const std::uint32_t index = style_.choice_at[t]; index > 0) {
      Series& choice = style_.choices[index - 1];
      if (spread(choice))
        align_parts(choice, t, choice.parts.empty() ? 0 : column_of(list_[choice.parts.front()].gap.anchor));
    }
    if (const std::uint32_t index = style_.where_at[t]; index > 0) {
      Series& where = style_.wheres[index - 1];
      const std::uint32_t column = column_ + list_[t].width + 1;
      if (spread(where)) align_parts(where, t + 1, column > kDeepest ? indent_ + 2 * kIndent : column);
    }
    if (const std::uint32_t index = style_.record_at[t]; index > 0) {
      const Series& record = style_.records[index - 1];
      if (!list_[t + 1].placing.forced || record.parts.empty()) return;
      if (begin_ + kIndent + widths_.of(t + 1, record.end) > kWidth) force_parts(record);
      if (list_[record.parts.front()].placing.forced) align_parts(record, t + 1, begin_ + kIndent);
    }
  }

  // Whether the parts of a choice or 'where' begin lines: they all do if it does not fit.
  bool spread(Series& series) {
    if (series.parts.empty()) return false;
    if (list_[series.parts.front()].placing.forced) return true;
    std::uint32_t end = series.end;
    while (end < size() && !always(end) && (closes(end) || tokens_.shown(end) == ",")) ++end;
    if (column_ + widths_.of(series.begin, end) <= kWidth) return false;
    force_parts(series);
    return true;
  }
  bool closes(std::uint32_t t) const { return list_[t].partner != kNone && list_[t].partner < t; }

  // Aligns the marked tokens of parts at a column, if each part then takes one line. The first part begins at `first`;
  // the others may begin at another column.
  void align_parts(const Series& series, std::uint32_t first, std::uint32_t column) {
    if (series.aligned.size() < 2 || (first == series.begin && column == column_)) return;
    std::vector<std::uint32_t> begins = {first};
    begins.insert(begins.end(), series.parts.begin(), series.parts.end());
    const bool same_token = first == series.begin;  // a choice: its first value is already placed
    std::vector<std::uint32_t> natural;
    std::uint32_t target = 0;
    std::size_t next = 0;
    for (std::size_t i = 0; i < begins.size(); ++i) {
      const std::uint32_t begin = begins[i], end = i + 1 < begins.size() ? begins[i + 1] : series.end;
      if (forced_[end] - forced_[begin + 1] > 0) return;
      const std::uint32_t from = i == 0 && same_token ? column_ : column;
      if (from + widths_.of(begin, end) > kWidth) return;
      if (next == series.aligned.size() || series.aligned[next] >= end) continue;
      const std::uint32_t before = widths_.of(begin, series.aligned[next]);
      if (before > kLongestBefore) return;
      natural.push_back(from + before);
      target = std::max(target, natural.back());
      ++next;
    }
    if (next != series.aligned.size()) return;
    next = 0;
    for (std::size_t i = 0; i < begins.size() && next < series.aligned.size(); ++i) {
      const std::uint32_t end = i + 1 < begins.size() ? begins[i + 1] : series.end;
      if (series.aligned[next] >= end) continue;
      const std::uint32_t from = natural[next] - widths_.of(begins[i], series.aligned[next]);
      if (from + widths_.of(begins[i], end) + target - natural[next] > kWidth) return;
      ++next;
    }
    for (next = 0; next < series.aligned.size(); ++next)
      list_[series.aligned[next]].placing.pad = target - natural[next];
  }

  // ---- comments behind lines

  void align_comments() {
    std::vector<std::uint32_t> run;
    std::uint32_t column = 0, line = 0;
    bool fits = true;
    const auto finish = [&] {
      for (const std::uint32_t t : run) {
        if (fits) list_[t].placing.comment_column = column;
      }
      run.clear();
      column = 0;
      fits = true;
    };
    for (std::uint32_t t = 1; t < size(); ++t) {
      if (!has_trailing_comment(tokens_, t)) continue;
      const Token& before = list_[t - 1];
      if (!run.empty() && places_[t - 1].line != line + 1) finish();
      line = places_[t - 1].line;
      run.push_back(t);
      const std::uint32_t end = (before.multiline ? 0 : places_[t - 1].column) + before.width;
      list_[t].placing.comment_column = end + 2;
      column = std::max(column, end + 2);
    }
    finish();
  }

  Tokens& tokens_;
  std::vector<Token>& list_;
  Style& style_;
  Budget& budget_;
  Widths widths_;
  std::vector<std::uint32_t> ends_, forced_, statements_, next_, line_column_;
  std::vector<char> broken_;
  std::vector<Line> run_;
  std::vector<Place> places_;
  std::uint32_t column_ = 0, begin_ = 0, line_ = 0, indent_ = 0, depth_ = 0;
};

}  // namespace

std::vector<Place> lay_out(Tokens& tokens, Style& style, Budget& budget) {
  return Layout(tokens, style, budget).take();
}

}  // namespace assay::format
