// Text functions: UTF-8 against another implementation, widths, cutting, escaping, and the position of carets.
#include "lang/text/utf8.hpp"
#include "runtime/json/json_tree.hpp"
#include "tests/property/random.hpp"
#include "tests/unit/catch.hpp"

#include <assay/diagnostic.hpp>
#include <assay/text.hpp>

#include <simdjson.h>
#include <utf8proc.h>

#include <string>
#include <vector>

using namespace assay;

namespace {

// Bytes that often form valid and almost valid sequences.
std::string random_bytes(assay_tests::Random& random, std::size_t most) {
  static const std::vector<std::string> kParts = {"a",
                                                  "\"",
                                                  "\\",
                                                  "\n",
                                                  "\t",
                                                  "\x1b[31m",
                                                  "\x7f",
                                                  "é",
                                                  "e\u0301",
                                                  "中文",
                                                  "\u202E",
                                                  "\u2066",
                                                  "\u2028",
                                                  "\u200B",
                                                  "\u0085",
                                                  "\uFEFF",
                                                  "😀",
                                                  "👨‍👩‍👧",
                                                  "🇩🇪",
                                                  "\xff",
                                                  "\xc0\x80",
                                                  "\xed\xa0\x80",
                                                  "\xe4\xb8",
                                                  "\x80",
                                                  "\xf4\x90\x80\x80",
                                                  "\xf0\x9f",
                                                  " plain text ",
                                                  "\xf8\x88\x80",
                                                  "\U000E0041",
                                                  "\U0010FFFF",
                                                  std::string(1, '\0')};
  std::string text;
  for (std::size_t parts = random.below(most + 1); parts > 0; --parts) {
    if (random.one_in(3)) text += static_cast<char>(random.below(256));
    else text += random.pick(kParts);
  }
  return text;
}

bool shown_safely(std::string_view text, bool lines) {
  if (!simdjson::validate_utf8(text.data(), text.size())) return false;
  for (std::string_view rest = text; !rest.empty();) {
    char32_t c = 0;
    rest.remove_prefix(decode(rest, c));
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    if (control && !(lines && c == '\n')) return false;
    if ((c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x2028 || c == 0x2029) return false;
  }
  return true;
}

std::string json_of(std::string_view text) {
  std::string json;
  write_json_text(text, json);
  return json;
}

}  // namespace

TEST_CASE("UTF-8 is what others take for UTF-8", "[text]") {
  assay_tests::Random random(1);
  for (int i = 0; i < 100'000; ++i) {
    const std::string text = random_bytes(random, 12);
    if (is_utf8(text) != simdjson::validate_utf8(text)) FAIL(printable(text));
    for (std::string_view rest = text; !rest.empty();) {
      char32_t c = 0;
      const std::size_t size = decode(rest, c);
      utf8proc_int32_t other = 0;
      const auto other_size = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(rest.data()),
                                               static_cast<utf8proc_ssize_t>(rest.size()), &other);
      const bool good = other_size > 0 ? static_cast<std::size_t>(other_size) == size && other == static_cast<int>(c)
                                       : size == 1 && c == 0xFFFD;
      if (!good) FAIL(printable(text));
      rest.remove_prefix(size);
    }
  }
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      for (const unsigned c : {0x00u, 0x7fu, 0x80u, 0xbfu, 0xc0u}) {
        const std::string text = {static_cast<char>(a), static_cast<char>(b), static_cast<char>(c), '\x80'};
        for (std::size_t size = 1; size <= 4; ++size) {
          const std::string_view part = std::string_view(text).substr(0, size);
          if (is_utf8(part) != simdjson::validate_utf8(part)) FAIL(printable(part));
        }
      }
    }
  }
}

TEST_CASE("each character is read as it was written", "[text]") {
  for (char32_t c = 0; c <= 0x110000; ++c) {
    std::string text;
    append_utf8(text, c);
    const bool none = (c >= 0xD800 && c < 0xE000) || c > 0x10FFFF;
    if (is_utf8(text) == none) FAIL(static_cast<unsigned>(c));
    char32_t read = 0;
    const std::size_t size = decode(text, read);
    if (!none && (size != text.size() || read != c)) FAIL(static_cast<unsigned>(c));
    if (none && (size != 1 || read != 0xFFFD)) FAIL(static_cast<unsigned>(c));
  }
}

TEST_CASE("what is shown is printable", "[text]") {
  CHECK(printable("plain: ä 中 é 😀") == "plain: ä 中 é 😀");
  CHECK(printable("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(printable(std::string_view("\0\x1b[2J\x7f", 6)) == "\\u0000\\u001b[2J\\u007f");
  CHECK(printable("\u0085\u202Eabc\u2066\u2028\uFEFF") == "\\u0085\\u202eabc\\u2066\\u2028\\ufeff");
  CHECK(printable("\xff\xc3(\xe4\xb8") == "\\xff\\xc3(\\xe4\\xb8");
  CHECK(printable("\U000E0041") == "\\U000e0041");
  CHECK(printable("👨‍👩‍👧 \u0627\u200c\u0628") == "👨‍👩‍👧 \u0627\u200c\u0628");  // joiners stay
  CHECK(printable_lines("a\n\tb\r\x1b") == "a\n\\tb\\r\\u001b");
  assay_tests::Random random(2);
  for (int i = 0; i < 50'000; ++i) {
    const std::string text = random_bytes(random, 20), line = printable(text), lines = printable_lines(text);
    if (!shown_safely(line, false) || !shown_safely(lines, true)) FAIL(json_of(text));
    if (printable(line) != line || printable_lines(lines) != lines) FAIL(json_of(text));
    if (Printable(text).str() != line) FAIL(json_of(text));
  }
}

TEST_CASE("a Printable cannot be made to hold anything else", "[text]") {
  Printable text = "a\x1b";
  CHECK(text == "a\\u001b");
  text += "\xe4\xb8";  // half a character, and then the rest: neither is one
  text += "\xad";
  CHECK(text == "a\\u001b\\xe4\\xb8\\xad");
  text = std::string("\xff") + "x";
  CHECK(text == std::string("\\xffx"));
  CHECK("<" + text + ">" == "<\\xffx>");
  CHECK(text == Printable(std::string_view("\xffx")));
  const std::string& plain = text;
  CHECK(plain == "\\xffx");
}

TEST_CASE("a Printable of a long text loses its middle", "[text]") {
  for (const std::string part : {"x", "中", "\x1b", "e\u0301", "👨‍👩‍👧", "\xff"}) {
    std::string text = "what is wrong: '";
    for (int i = 0; i < 100'000; ++i) text += part;
    const Printable shown = text + "' is not known";
    INFO(part);
    CHECK(shown.starts_with("what is wrong: '"));
    CHECK(shown.ends_with("' is not known"));
    CHECK(prefix_size(shown, kMostPrintable) == shown.size());
    CHECK(shown_safely(shown, false));
  }
  const std::string fits(kMostPrintable, 'x');
  CHECK(Printable(fits) == fits);
}

TEST_CASE("a width is that of a terminal", "[text]") {
  CHECK(display_width("") == 0);
  CHECK(display_width("abc") == 3);
  CHECK(display_width("äöü") == 3);
  CHECK(display_width("e\u0301") == 1);
  CHECK(display_width("a\u0300\u0301\u0302b") == 2);
  CHECK(display_width("中文字") == 6);
  CHECK(display_width("한국어") == 6);
  CHECK(display_width("\u1112\u1161\u11ab") == 2);  // the same as three parts
  CHECK(display_width("ｱｲ") == 2);                  // half width
  CHECK(display_width("Ａ") == 2);                  // full width
  CHECK(display_width("😀") == 2);
  CHECK(display_width("👨‍👩‍👧") == 2);
  CHECK(display_width("👍🏽") == 2);
  CHECK(display_width("🇩🇪🇫🇷") == 4);
  CHECK(display_width("\u2764\uFE0F") == 2);
  CHECK(display_width("x\u200Dy") == 2);
  CHECK(display_width("\xff\xff") == 2);
}

TEST_CASE("a text is cut between characters", "[text]") {
  CHECK(shorten("abcdef", 6) == "abcdef");
  CHECK(shorten("abcdefg", 6) == "abc…");
  CHECK(shorten("中文中文中文", 6) == "中文中文中文");
  CHECK(shorten("中文中文中文中", 6) == "中文中…");
  CHECK(shorten("abe\u0301\u0301\u0301fg", 6) == "ab…");  // the letter has marks, which are cut with it
  CHECK(shorten("👨‍👩‍👧👨‍👩‍👧", 8) == "👨‍👩‍👧…");
  assay_tests::Random random(3);
  for (int i = 0; i < 50'000; ++i) {
    const std::string text = random_bytes(random, 20);
    const std::size_t most = 3 + random.below(20), size = prefix_size(text, most);
    std::size_t characters = 0, at = 0;
    while (at < size) {
      char32_t c = 0;
      at += decode(std::string_view(text).substr(at), c);
      ++characters;
    }
    if (at != size || characters > most) FAIL(json_of(text));
    if (size < text.size() && size == 0) FAIL(json_of(text));
    if (is_utf8(text) && !is_utf8(shorten(text, most))) FAIL(json_of(text));
  }
}

TEST_CASE("a JSON string is valid, whatever it was made from", "[text]") {
  CHECK(json_of("a\"\\\n\x01\x7f中") == "\"a\\\"\\\\\\n\\u0001\x7f中\"");
  CHECK(json_of("12345678\xff 12345678") == "\"12345678\uFFFD 12345678\"");
  assay_tests::Random random(4);
  for (int i = 0; i < 50'000; ++i) {
    const std::string text = random_bytes(random, 20), json = json_of(text);
    JsonNode node;
    JsonProblem problem;
    if (!simdjson::validate_utf8(json) || !parse_json(json, node, problem)) FAIL(json);
    if (is_utf8(text) && node.text != text) FAIL(json);
    std::string bytes;
    write_json_bytes(text, bytes);
    if (parse_json(bytes, node, problem) != is_utf8(text)) FAIL(json);
  }
}

TEST_CASE("JSON for people hides nothing, and has the same value", "[text]") {
  assay_tests::Random random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string json;
    write_json_text(random_bytes(random, 12), json);
    const std::string shown = printable_json(json);
    CHECK(printable_lines(shown) == shown);
    JsonNode before, after;
    JsonProblem problem;
    REQUIRE(parse_json(json, before, problem));
    REQUIRE(parse_json(shown, after, problem));
    CHECK(before.text == after.text);
  }
  CHECK(printable_json("[\"\u202E\",\n \"\U000E0001\"]") == R"(["\u202e",)"
                                                            "\n"
                                                            R"( "\udb40\udc01"])");
}

TEST_CASE("a text in Markdown is no markup", "[text]") {
  CHECK(plain_markdown("snake_case, 5 > 3, a < b, R & D, 2. x") == "snake_case, 5 > 3, a < b, R & D, 2. x");
  CHECK(plain_markdown("_e_ *e* `c` ~~d~~ [x](y) | \\ \\*") == R"(\_e\_ \*e\* \`c\` \~\~d\~\~ \[x](y) \| \\ \\\*)");
  CHECK(plain_markdown("<b> </b> <!-- <? < b &lt; &#1;") == R"(\<b> \</b> \<!-- \<? < b \&lt; \&#1;)");
  for (const char* start : {"# x", "> x", "- x", "+ x", "--- x"}) CHECK(plain_markdown(start).front() == '\\');
  CHECK(plain_markdown("12. x") == R"(12\. x)");
  CHECK(plain_markdown("-2") == "-2");
  CHECK(plain_markdown("a\nb\u202E") == R"(a\nb\u202e)");
  CHECK(code_span("a b") == "`a b`");
  CHECK(code_span("a`b``c") == "```a`b``c```");
  CHECK(code_span("`") == "`` ` ``");
  CHECK(code_span("\n") == R"(`\n`)");
}

TEST_CASE("carets stand below what they mean", "[text]") {
  const auto carets = [](const std::string& line, const std::string& marked) {
    Diagnostic diagnostic;
    diagnostic.message = "m";
    const auto characters = [](std::string_view text) {
      int count = 0;
      for (const char c : text) count += continues_character(c) ? 0 : 1;
      return count;
    };
    const std::size_t at = line.find(marked);
    diagnostic.at = {"f", 1, characters(line.substr(0, at)) + 1, characters(marked), line};
    const std::string text = render(diagnostic);
    const std::size_t shown = text.find("1 │ "), below = text.find("  │ ", shown);
    const std::size_t first = shown + std::string("1 │ ").size(), second = below + std::string("  │ ").size();
    const std::string upper = text.substr(first, text.find('\n', first) - first);
    const std::string lower = text.substr(second, text.find('\n', second) - second);
    // The part of the upper line above the carets.
    const auto bytes_of_width = [&](std::size_t width) {
      std::size_t bytes = 0;
      for (std::size_t i = 0; i <= upper.size(); ++i) {
        const bool boundary = i == upper.size() || !continues_character(upper[i]);
        if (boundary && display_width(upper.substr(0, i)) == width) bytes = i;
      }
      return bytes;
    };
    const std::size_t begin = bytes_of_width(lower.find('^')), end = bytes_of_width(lower.size());
    return upper.substr(begin, end - begin);
  };
  CHECK(carets("let a = 1 + b", "b") == "b");
  CHECK(carets("let a = \"äöü\" + b", "b") == "b");
  CHECK(carets("let a = \"中文字\" + bcd", "bcd") == "bcd");
  CHECK(carets("let a = \"中文字\" + b", "\"中文字\"") == "\"中文字\"");
  CHECK(carets("let a = \"e\u0301e\u0301\" + b", "b") == "b");
  CHECK(carets("let a = \"😀👨‍👩‍👧\" + b", "b") == "b");
  CHECK(carets("\tlet\ta = 1 + b", "b") == "b");
  CHECK(carets("\t中\tlet\ta = 1 + b", "let") == "let");
  CHECK(carets("a\t+ b\t= c", "a\t+ b") == "a   + b");
  CHECK(carets("let a = \"\u202Ex\" + b", "b") == "b");
  CHECK(carets("let a = \"\xff\" + b", "b") == "b");
}

TEST_CASE("one rule says which name was meant", "[text]") {
  CHECK(nearest("dimenson", {"dimension", "deduction"}) == "dimension");
  CHECK(nearest("out", {"let", "output"}) == "output");
  CHECK(nearest("xyz", {"weight", "score"}).empty());
  CHECK(nearest("", {"a"}).empty());
  CHECK(nearest("Score", {"score"}) == "score");
}
