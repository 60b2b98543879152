// Uses libedit's wide-character interface. It supports neither colours nor entries that grow by themselves, so both are
// added here: text that it has drawn is repainted in place (with the same characters, so that its own view of the
// screen stays valid), and Enter, Tab, Up, Down and pasting call our functions.
#include "repl/prompt/line_reader.hpp"

#include "repl/prompt/history.hpp"
#include "repl/prompt/pager.hpp"
#include "repl/terminal/interruption.hpp"
#include "repl/terminal/messages.hpp"

#include <assay/text.hpp>

#include <histedit.h>
#include <poll.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace assay::cli {

namespace {

volatile std::sig_atomic_t resized = 0;

void note_resize(int) { resized = 1; }

std::string narrow(const wchar_t* begin, const wchar_t* end) {
  std::string text;
  for (; begin != end; ++begin) append_utf8(text, static_cast<char32_t>(*begin));
  return text;
}

std::wstring wide(std::string_view text) {
  std::wstring out;
  while (!text.empty()) {
    char32_t character = 0;
    text.remove_prefix(decode(text, character));
    out += static_cast<wchar_t>(character);
  }
  return out;
}

void emit(const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t count = ::write(STDOUT_FILENO, text.data() + at, text.size() - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    at += static_cast<std::size_t>(count);
  }
}

std::string escape(std::size_t count, char what) {
  return count == 0 ? std::string() : "\033[" + std::to_string(count) + what;
}

bool more_input() {
  pollfd input{STDIN_FILENO, POLLIN, 0};
  return ::poll(&input, 1, 0) > 0;
}

// Computes where libedit draws an entry: a row for each of its lines, broken at the right edge.
struct Layout {
  std::size_t columns, row = 0, column;

  Layout(std::size_t all, std::size_t prompt) : columns(std::max<std::size_t>(all, 2)), column(prompt % columns) {}
  // True: the next character is in another row.
  bool put(std::string_view character) {
    const std::size_t before = row;
    if (character == "\n") return down();
    const std::size_t width = display_width(character);
    if (column + width > columns) down();
    column += width;
    if (column >= columns) down();
    return row != before;
  }
  bool down() {
    ++row;
    column = 0;
    return true;
  }
};

std::size_t character_size(std::string_view text) {
  char32_t ignored = 0;
  return decode(text, ignored);
}

Layout layout_of(std::string_view text, std::size_t columns, std::size_t prompt) {
  Layout layout(columns, prompt);
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    layout.put(text.substr(0, size));
    text.remove_prefix(size);
  }
  return layout;
}

std::string common_beginning(const std::vector<Candidate>& all) {
  std::string common = all.front().insert;
  for (const Candidate& one : all) {
    std::size_t same = 0;
    while (same < common.size() && same < one.insert.size() && common[same] == one.insert[same]) ++same;
    while (same > 0 && same < common.size() && (common[same] & 0xc0) == 0x80) --same;
    common.resize(same);
  }
  return common;
}

// As many candidates as fit half a screen: name, type, and the beginning of the prose.
std::string listed(const std::vector<Candidate>& all, ScreenSize screen, bool colour) {
  const std::size_t most = std::max<std::size_t>(screen.rows / 2, 4);
  std::size_t names = 0, details = 0;
  for (std::size_t i = 0; i < all.size() && i < most; ++i) {
    names = std::max(names, display_width(all[i].label));
    details = std::max(details, std::min<std::size_t>(display_width(all[i].detail), screen.columns / 3));
  }
  std::string text;
  for (std::size_t i = 0; i < all.size() && i < most; ++i) {
    const Candidate& one = all[i];
    const std::string detail = shorten(one.detail, std::max<std::size_t>(screen.columns / 3, 8));
    std::string rest = "  " + detail;
    if (!one.prose.empty()) {
      rest += std::string(details > display_width(detail) ? details - display_width(detail) : 0, ' ') + "  " +
              one.prose.substr(0, one.prose.find('\n'));
    }
    const std::string name = one.label + std::string(names - std::min(names, display_width(one.label)), ' ');
    const std::size_t room = screen.columns > names + 2 ? screen.columns - names - 2 : 8;
    rest = printable(shorten(rest, room));
    rest.erase(rest.find_last_not_of(' ') + 1);
    text += printable(name) + (colour && !rest.empty() ? "\033[2m" + rest + "\033[0m" : rest) + "\r\n";
  }
  if (all.size() > most) text += "… and " + std::to_string(all.size() - most) + " more\r\n";
  return text;
}

}  // namespace

struct LineReader::Terminal {
  EditLine* el = nullptr;
  HistoryW* history = nullptr;
  HistoryFile file;
  Helpers helpers;
  bool plain = false;  // the terminal supports no escape sequences
  bool colour = false;
  std::string prompt;
  std::wstring shown_prompt;  // including its colour
  std::string last;
  std::string coloured;  // the entry to which `paints` belong
  std::vector<Paint> paints;
  ScreenSize screen;

  explicit Terminal(Helpers the_helpers);
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  static Terminal& of(EditLine* el) {
    void* data = nullptr;
    el_wget(el, EL_CLIENTDATA, &data);
    return *static_cast<Terminal*>(data);
  }
  std::string entry() const {
    const LineInfoW* line = el_wline(el);
    return narrow(line->buffer, line->lastchar);
  }
  std::string before_cursor() const {
    const LineInfoW* line = el_wline(el);
    return narrow(line->buffer, line->cursor);
  }
  Layout at(std::string_view text) const { return layout_of(text, screen.columns, display_width(prompt)); }

  void paint();
  void show_above(const std::string& text);
  void resize();
  int next_key(wchar_t* key);

  // Functions bound to keys.
  static wchar_t* prompt_of(EditLine* el) { return of(el).shown_prompt.data(); }
  static int key(EditLine* el, wchar_t* key) { return of(el).next_key(key); }
  static unsigned char enter(EditLine* el, int);
  static unsigned char tab(EditLine* el, int);
  static unsigned char up(EditLine* el, int) { return of(el).vertical(true); }
  static unsigned char down(EditLine* el, int) { return of(el).vertical(false); }
  static unsigned char paste(EditLine* el, int);
  unsigned char vertical(bool upwards);
};

namespace {

// Keys bound to libedit's own functions, so that ours can call them.
constexpr const wchar_t* kAccept = L"\x1e";   // Ctrl-^
constexpr const wchar_t* kEarlier = L"\x10";  // Ctrl-P
constexpr const wchar_t* kLater = L"\x0e";    // Ctrl-N
constexpr std::wstring_view kPasted = L"\033[201~";

}  // namespace

LineReader::Terminal::Terminal(Helpers the_helpers) : helpers(std::move(the_helpers)) {
  const char* term = std::getenv("TERM");
  plain = term == nullptr || std::strcmp(term, "dumb") == 0;
  colour = !plain && wants_colour(STDOUT_FILENO);
  el = el_init("assay", stdin, stdout, stderr);
  if (el == nullptr) return;
  el_wset(el, EL_CLIENTDATA, this);
  el_wset(el, EL_EDITOR, L"emacs");
  el_wset(el, EL_SIGNAL, 0);
  el_wset(el, EL_PROMPT_ESC, prompt_of, L'\1');
  el_wset(el, EL_GETCFN, key);
  history = history_winit();
  HistEventW event;
  history_w(history, &event, H_SETSIZE, static_cast<int>(HistoryFile::kMost));
  history_w(history, &event, H_SETUNIQUE, 1);
  for (const std::string& one : file.entries()) history_w(history, &event, H_ENTER, wide(one).c_str());
  el_wset(el, EL_HIST, history_w, history);
  const auto bind = [this](const wchar_t* name, const wchar_t* what, unsigned char (*function)(EditLine*, int),
                           std::initializer_list<const wchar_t*> keys) {
    if (function != nullptr) el_wset(el, EL_ADDFN, name, what, function);
    for (const wchar_t* one : keys) el_wset(el, EL_BIND, one, name, nullptr);
  };
  bind(L"ed-newline", nullptr, nullptr, {L"^^"});
  bind(L"em-inc-search-prev", nullptr, nullptr, {L"^R"});
  bind(L"ed-prev-history", nullptr, nullptr, {L"^P"});
  bind(L"ed-next-history", nullptr, nullptr, {L"^N"});
  bind(L"assay-enter", L"accept an entry that is finished", enter, {L"^M", L"^J"});
  bind(L"assay-complete", L"complete the word", tab, {L"^I"});
  bind(L"assay-up", L"the line above, or the entry before", up, {L"\\e[A", L"\\eOA"});
  bind(L"assay-down", L"the line below, or the entry behind", down, {L"\\e[B", L"\\eOB"});
  bind(L"assay-paste", L"pasted text", paste, {L"\\e[200~"});
  el_source(el, nullptr);  // the user's key bindings
  struct sigaction action {};
  action.sa_handler = note_resize;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGWINCH, &action, nullptr);
}

LineReader::Terminal::~Terminal() {
  if (el != nullptr) el_end(el);
  if (history != nullptr) history_wend(history);
}

void LineReader::Terminal::paint() {
  if (!colour || !helpers.colours) return;
  const std::string text = entry();
  if (text.empty()) return;
  if (text != coloured) {
    paints = helpers.colours(text);
    coloured = text;
  }
  if (at(text).row + 1 >= screen.rows) return;  // rows that have scrolled off cannot be repainted
  std::string out = "\0337" + escape(at(before_cursor()).row, 'A') + "\r" + escape(display_width(prompt), 'C');
  Layout place(screen.columns, display_width(prompt));
  std::size_t next = 0;
  const char* now = "";
  for (std::size_t i = 0; i < text.size();) {
    while (next < paints.size() && paints[next].end <= i) ++next;
    const char* wanted = next < paints.size() && paints[next].begin <= i ? paints[next].colour : "";
    if (std::strcmp(wanted, now) != 0) out += std::string("\033[0") + (*wanted != '\0' ? ";" : "") + wanted + "m";
    now = wanted;
    const std::string_view one = std::string_view(text).substr(i, character_size(std::string_view(text).substr(i)));
    if (one != "\n") out += one == "\t" ? " " : std::string(one);
    if (place.put(one)) out += "\r\n";
    i += one.size();
  }
  emit(out + "\033[0m\0338");
}

// Prints lines in place of the entry, which is redrawn below them.
void LineReader::Terminal::show_above(const std::string& text) {
  const std::size_t row = at(before_cursor()).row;
  emit(escape(row, 'A') + "\r\033[J" + text + std::string(row, '\n'));
  el_wset(el, EL_REFRESH);
}

void LineReader::Terminal::resize() {
  const ScreenSize now = screen_size();
  if (now.rows == screen.rows && now.columns == screen.columns) return;
  screen = now;
  emit(escape(at(before_cursor()).row, 'A') + "\r\033[J");
  el_resize(el);
  el_wset(el, EL_REFRESH);
}

int LineReader::Terminal::next_key(wchar_t* key) {
  constexpr int kIdle = 300;  // milliseconds
  if (!more_input()) paint();
  while (true) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const int ready = ::poll(&input, 1, kIdle);
    const int failure = errno;
    if (resized != 0) {
      resized = 0;
      resize();
      paint();
    }
    if (interrupted()) {
      errno = EINTR;
      return -1;
    }
    if (ready > 0) break;
    if (ready < 0 && failure != EINTR) return -1;
    if (ready == 0 && helpers.idle) {
      if (const std::string text = helpers.idle(); !text.empty()) {
        std::string lines;
        for (const char c : text) lines += c == '\n' ? std::string("\r\n") : std::string(1, c);
        show_above(lines);
        paint();
      }
    }
  }
  char bytes[4] = {};
  std::size_t count = 0, wanted = 1;
  while (count < wanted) {
    const ssize_t got = ::read(STDIN_FILENO, bytes + count, 1);
    if (got < 0 && errno == EINTR && !interrupted()) continue;
    if (got <= 0) return static_cast<int>(got);
    const auto first = static_cast<unsigned char>(bytes[0]);
    wanted = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
    ++count;
  }
  char32_t character = 0;
  (void)decode({bytes, count}, character);
  *key = static_cast<wchar_t>(character);
  return 1;
}

unsigned char LineReader::Terminal::enter(EditLine* el, int) {
  Terminal& t = of(el);
  const std::string entry = t.entry();
  if (!t.helpers.unfinished || !t.helpers.unfinished(entry)) {
    el_wpush(el, kAccept);
    return CC_NORM;
  }
  std::wstring next = L"\n";
  if (!more_input()) {  // typed, not pasted: indent the new line like the last one, or one step further
    const std::string before = t.before_cursor();
    const std::size_t begin = before.rfind('\n') + 1;
    const std::size_t in = std::min(before.find_first_not_of(' ', begin), before.size()) - begin;
    const std::size_t last = before.find_last_not_of(' ');
    const bool opens = last != std::string::npos && std::strchr("([{", before[last]) != nullptr;
    next += std::wstring(in + (opens ? 2 : 0), L' ');
  }
  return el_winsertstr(el, next.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
}

unsigned char LineReader::Terminal::tab(EditLine* el, int) {
  Terminal& t = of(el);
  const std::string entry = t.entry(), before = t.before_cursor();
  if (!t.helpers.complete) return CC_ERROR;
  const Candidates found = t.helpers.complete(entry, before.size());
  if (found.all.empty()) {
    if (found.hint.empty()) return CC_ERROR;
    t.show_above(printable(shorten(found.hint, t.screen.columns)) + "\r\n");
    return CC_NORM;
  }
  const std::string typed = before.substr(std::min(found.begin, before.size()));
  const std::string common = common_beginning(found.all);
  const bool goes_on = common.size() > typed.size() || (found.all.size() == 1 && common != typed);
  if (goes_on) {
    el_deletestr(el, static_cast<int>(wide(typed).size()));
    el_winsertstr(el, wide(common).c_str());
    return CC_REFRESH;
  }
  t.show_above(listed(found.all, t.screen, t.colour));
  return CC_NORM;
}

unsigned char LineReader::Terminal::vertical(bool upwards) {
  const LineInfoW* line = el_wline(el);
  const std::wstring_view all(line->buffer, static_cast<std::size_t>(line->lastchar - line->buffer));
  const auto at = static_cast<std::size_t>(line->cursor - line->buffer);
  const std::size_t above = at == 0 ? all.npos : all.rfind(L'\n', at - 1);
  const std::size_t below = all.find(L'\n', at);
  if (upwards ? above == all.npos : below == all.npos) {
    el_wpush(el, upwards ? kEarlier : kLater);
    return CC_NORM;
  }
  const std::size_t column = at - (above == all.npos ? 0 : above + 1);
  std::size_t to = 0;
  if (upwards) {
    const std::size_t begin = above == 0 ? 0 : all.rfind(L'\n', above - 1) + 1;
    to = std::min(begin + column, above);
  } else {
    to = std::min(below + 1 + column, std::min(all.find(L'\n', below + 1), all.size()));
  }
  el_cursor(el, static_cast<int>(to) - static_cast<int>(at));
  return CC_CURSOR;
}

// A pasted text stays one entry, whatever it contains; one that ends with a line feed and is complete is accepted.
unsigned char LineReader::Terminal::paste(EditLine* el, int) {
  std::wstring text;
  for (wchar_t c = 0; !text.ends_with(kPasted);) {
    if (el_wgetc(el, &c) <= 0) return CC_EOF;
    text += c;
  }
  text.resize(text.size() - kPasted.size());
  std::wstring clean;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == L'\r' && i + 1 < text.size() && text[i + 1] == L'\n') continue;
    if (text[i] == L'\r' || text[i] == L'\n') {
      clean += L'\n';
    } else if (text[i] == L'\t') {
      clean += L"  ";
    } else if (text[i] >= L' ' && text[i] != 0x7f) {
      clean += text[i];
    }
  }
  const bool accept = clean.ends_with(L'\n');
  while (clean.ends_with(L'\n')) clean.pop_back();
  if (!clean.empty() && el_winsertstr(el, clean.c_str()) != 0) return CC_ERROR;
  if (accept) el_wpush(el, L"\r");
  return CC_REFRESH;
}

LineReader::LineReader(Helpers helpers) {
  if (::isatty(STDIN_FILENO) != 1 || ::isatty(STDOUT_FILENO) != 1) return;
  std::setlocale(LC_CTYPE, "");  // allows editing of multi-byte characters
  terminal_ = std::make_unique<Terminal>(std::move(helpers));
  if (terminal_->el == nullptr) terminal_.reset();
}

LineReader::~LineReader() = default;

std::optional<std::string> LineReader::read(const std::string& prompt) {
  if (!interactive()) return read_plain();
  Terminal& t = *terminal_;
  t.prompt = prompt;
  t.shown_prompt = t.colour ? L"\1\033[1m\1" + wide(prompt) + L"\1\033[0m\1" : wide(prompt);
  t.coloured.clear();
  t.screen = screen_size();
  el_resize(t.el);
  if (!t.plain) emit("\033[?2004h");  // asks the terminal to mark pasted text
  int count = 0;
  const wchar_t* typed = el_wgets(t.el, &count);
  if (!t.plain) emit("\033[?2004l");
  if (typed == nullptr || count <= 0) return std::nullopt;
  std::string entry = narrow(typed, typed + count);
  while (!entry.empty() && entry.back() == '\n') entry.pop_back();
  if (entry.find_first_not_of(" \t\n") != std::string::npos && entry != t.last) {
    HistEventW event;
    history_w(t.history, &event, H_ENTER, wide(entry).c_str());
    t.file.add(entry);
    t.last = entry;
  }
  return entry;
}

std::optional<std::string> LineReader::read_plain() {
  for (;;) {
    const std::size_t newline = buffer_.find('\n', at_);
    if (newline != std::string::npos || (ended_ && at_ < buffer_.size())) {
      const std::size_t stop = newline == std::string::npos ? buffer_.size() : newline;
      std::string line = buffer_.substr(at_, stop - at_);
      at_ = newline == std::string::npos ? stop : stop + 1;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return line;
    }
    if (ended_) return std::nullopt;
    buffer_.erase(0, at_);
    at_ = 0;
    char bytes[4096];
    const ssize_t count = ::read(STDIN_FILENO, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR && !interrupted()) continue;
    if (count <= 0) {
      ended_ = true;
    } else {
      buffer_.append(bytes, static_cast<std::size_t>(count));
    }
  }
}

}  // namespace assay::cli
