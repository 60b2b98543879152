// A whole rubric as an outline of YAML, JSON or TOML, or as an object of a program: its sections become declarations, its
// other keys those of the rubric (outline.def). What means nothing stays as it is, for the checker to tell.
#include "lang/mend/blocks/outline.hpp"
#include "lang/mend/blocks/readers.hpp"
#include "lang/mend/mend.hpp"
#include "lang/mend/pattern.hpp"
#include "lang/mend/statements/declare.hpp"
#include "lang/text/ascii.hpp"

#include <algorithm>
#include <iterator>

namespace assay::mending {
namespace {

constexpr std::size_t kMostOfOutline = std::size_t{1} << 16;  // bytes

enum class Key : std::uint8_t {
  section,
  name,
  title,
  version,
  decimals,
  scale,
  bands,
  rank,
  ties,
  history,
  missing,
  examples,
  composite,
  contexts,
  about
};
struct KeyWords {
  Key key;
  std::string_view words;
};
constexpr KeyWords kOutlineKeys[] = {
#define ASSAY_OUTLINE_KEY(role, words) {Key::role, words},
#include "lang/mend/blocks/outline.def"
#undef ASSAY_OUTLINE_KEY
};

Key key_of_outline(std::string_view written) {
  std::string word = in_lower_case(written);
  std::erase_if(word, [](char c) { return c == '_' || c == '-' || c == ' ' || c == '$'; });
  const auto* found = std::find_if(std::begin(kOutlineKeys), std::end(kOutlineKeys), [&word](const KeyWords& row) {
    return (" " + std::string(row.words) + " ").find(" " + word + " ") != std::string::npos;
  });
  return found == std::end(kOutlineKeys) ? Key::section : found->key;
}

std::string_view section_of_key(const std::string& key) {
  std::string_view section = word_of_section(key);
  if (section.empty()) section = known_word(key);
  if (section.empty() && key.size() > 3 && key.back() == 's')
    section = known_word(std::string_view(key).substr(0, key.size() - 1));
  return section;
}

// Items as a list: those of a record side by side, 'key: price order: desc'.
std::string flat(const Tokens& tokens, const std::vector<BlockItem>& items) {
  const auto leaf = [](const BlockItem& one) { return one.inside.empty() && !one.key.empty(); };
  std::string all;
  for (const BlockItem& item : items) {
    std::string one = item.inside.empty() ? raw(tokens, item.all) : flat(tokens, item.inside);
    if (!item.inside.empty() && std::all_of(item.inside.begin(), item.inside.end(), leaf) && item.key.empty())
      std::replace(one.begin(), one.end(), '\n', ' ');
    all += (all.empty() ? "" : "\n") + one;
  }
  return all;
}

bool of_scale(std::string_view key) {
  return among(in_lower_case(key), {"min", "max", "minimum", "maximum", "low", "high", "lower", "upper", "from", "to",
                                    "start", "end", "decimals", "digits", "precision", "places", "rounding", "round"});
}

class Outline {
 public:
  // The document is what stands before the token `last`; behind it may stand what it declares.
  Outline(const Tokens& tokens, std::size_t last) : tokens_(tokens), last_(last) {}
  bool read();
  bool read_settings(const std::vector<BlockItem>& items, std::string& text);
  std::string names() const;                            // what it declares, a line each
  std::vector<Edit> edits(const Proposals& out) const;  // of the document; none if there are some that cannot be made
  std::string rubric() const;                           // empty if something is left
  bool certain() const { return certain_; }

 private:
  struct Piece {
    std::string text;
    Span left;  // as it is, behind the text
  };
  bool read_items(const std::vector<BlockItem>& items, int deep);
  bool read_key(const BlockItem& item, int deep);
  bool read_plain(Key key, const BlockItem& item);
  bool read_bands(const BlockItem& item);
  bool read_section(std::string_view section, const BlockItem& item);
  std::string ranking(const BlockItem& item) const;
  void add_missing(std::string& text) const;
  void leave(Span span, std::string before = {}) { pieces_.push_back({std::move(before), span}), ++left_; }
  bool line(const std::string& text) {
    if (!text.empty()) pieces_.push_back({"  " + text + "\n", {}});
    return !text.empty();
  }
  std::string head() const;

  const Tokens& tokens_;
  std::size_t last_;
  std::string name_, title_, decimals_, missing_;
  std::size_t rank_ = kNone;  // its piece
  std::vector<Piece> pieces_;
  std::size_t left_ = 0, dimensions_ = 0;
  bool certain_ = true;
};

std::string words_of(const Tokens& tokens, const BlockItem& item) {
  return item.value.end == item.value.begin + 1 && tokens[item.value.begin].is_text()
             ? without_quotes(tokens, item.value.begin)
             : raw(tokens, item.value);
}

// The keys of a ranking; empty: there is none, or a direction is a guess.
std::string Outline::ranking(const BlockItem& item) const {
  std::vector<BlockItem> items = item.inside;
  if (items.size() == 1 && in_lower_case(items[0].key) == "by")
    items = std::vector<BlockItem>(item.inside[0].inside.empty() ? std::vector<BlockItem>{} : item.inside[0].inside);
  const std::string listed = item.inside.empty() ? words_of(tokens_, item)
                             : items.empty()     ? words_of(tokens_, item.inside[0])
                                                 : flat(tokens_, items);
  const std::string text = listed + "\n" + std::string(tokens_.text());
  const Tokens keys(text);
  const std::string word = in_lower_case(item.key);
  bool certain = true;
  std::string ranked =
      ranking_of(keys, {0, Tokens(listed).size() - 1}, certain, word.starts_with("sort") || word.starts_with("order"));
  return certain ? ranked : std::string();
}

bool Outline::read_plain(Key key, const BlockItem& item) {
  const std::string value = words_of(tokens_, item);
  const bool leaf = item.inside.empty() && !value.empty();
  switch (key) {
    case Key::name:
      if (!leaf) return false;
      if (!name_.empty()) {  // rubric hw { "name": …
        if (title_.empty() && in_lower_case(item.key) == "name") title_ = value;
        return true;
      }
      name_ = as_name(value);
      if (title_.empty() && value.find(' ') != value.npos) title_ = value;
      return true;
    case Key::title: return leaf && (title_ = value, true);
    case Key::version: return leaf && line("version " + as_text("'" + value + "'"));
    case Key::decimals: return leaf && (decimals_ = value, true);
    case Key::about: {
      std::string said = leaf ? raw(tokens_, item.value) : flat(tokens_, item.inside);
      for (std::size_t at = said.find('\n'); at != said.npos; at = said.find('\n')) said.replace(at, 1, "; ");
      return line("# " + item.key + ": " + said);
    }
    case Key::history: {
      const bool by = item.inside.size() == 1 && item.inside[0].inside.empty();
      const std::string of = by ? words_of(tokens_, item.inside[0]) : value;
      return (leaf || by) && as_name(of) == of && line("history by " + of);
    }
    case Key::missing: {
      const bool number = value.find_first_not_of("0123456789.") == value.npos;
      return leaf && (number || value == "skip") && missing_.empty() && (missing_ = value, true);
    }
    case Key::examples: return line(examples_of(tokens_, item.inside, "  "));
    case Key::contexts:
      return !item.inside.empty() && std::all_of(item.inside.begin(), item.inside.end(), [this](const BlockItem& one) {
        return line(context_of(tokens_, one, "  "));
      });
    case Key::scale: {
      std::string ends = leaf ? value : "";
      std::vector<const BlockItem*> others;  // [scale] of TOML with a title below it
      for (const BlockItem& one : item.inside) {
        if (one.key.empty() || of_scale(one.key)) ends += raw(tokens_, one.all) + "\n";
        else others.push_back(&one);
      }
      const Tokens said(ends);
      return line(scale_of(said, {0, said.size() - 1})) &&
             std::all_of(others.begin(), others.end(), [this](const BlockItem* one) { return read_key(*one, 1); });
    }
    case Key::composite: {
      if (in_lower_case(item.key) == "score" && (!leaf || value.find("..") != value.npos))
        return read_plain(Key::scale, item);
      const Tokens said(value);  // 'total: 10' is no score
      return leaf && !(said.size() == 2 && said[0].kind == Token::Kind::number) && line("composite = " + value);
    }
    default: return false;
  }
}

// bands: a list of grades, or several lists with a name each.
bool Outline::read_bands(const BlockItem& item) {
  const std::string key = in_lower_case(item.key);
  const bool own = among(key, {"tiers", "ratings", "medals", "verdicts"});
  const std::string name = own ? key.substr(0, key.size() - 1) : "grade";
  const auto limits = [](const BlockItem& part) {
    return among(in_lower_case(part.key), {"min", "max", "from", "to", "low", "high", "above", "below", "at_least"});
  };
  const auto list = [&limits](const BlockItem& one) {
    return !one.key.empty() && one.inside.size() > 1 && std::none_of(one.inside.begin(), one.inside.end(), limits);
  };
  if (item.inside.empty()) return false;
  if (!std::all_of(item.inside.begin(), item.inside.end(), list))
    return line(bands_of(tokens_, item.inside, name, "  ", certain_));
  return std::all_of(item.inside.begin(), item.inside.end(), [this](const BlockItem& one) {
    return line(bands_of(tokens_, one.inside, as_name(one.key), "  ", certain_));
  });
}

bool Outline::read_section(std::string_view section, const BlockItem& item) {
  for (const BlockItem& one : fields_of_schema(tokens_, item.inside)) {
    std::vector<Span> unread;
    const std::string declared = declare(tokens_, section, one, "  ", &unread).text;
    if (line(declared)) {
      dimensions_ += section == "dimension" ? 1 : 0;
      // A key that means something elsewhere would mean that behind this declaration.
      for (const Span& span : unread) {
        const std::string key = in_lower_case(without_quotes(tokens_, span.begin));
        if (key_of_outline(key) != Key::section || !section_of_key(key).empty()) return false;
        leave(span);
      }
    } else if (one.all.empty()) {
      return false;
    } else {  // words about other declarations are read once these are there
      const bool sentence = one.inside.empty() && one.key.empty();
      leave(one.all, sentence ? std::string(section) + " " : "");
    }
  }
  return true;
}

bool Outline::read_key(const BlockItem& item, int deep) {
  const Key key = key_of_outline(item.key);
  if (key == Key::name && !item.inside.empty()) return deep < 2 && read_items(item.inside, deep + 1);
  if (key == Key::bands) return read_bands(item);
  if (key == Key::rank || key == Key::ties) {
    const std::string keys = ranking(item);
    if (keys.empty()) return false;
    if (rank_ == kNone) {
      rank_ = pieces_.size();
      line("rank by " + std::string(key == Key::ties ? "higher score, " : "") + keys);
    } else {
      pieces_[rank_].text.insert(pieces_[rank_].text.size() - 1, ", " + keys);
    }
    return true;
  }
  if (key != Key::section) return read_plain(key, item);
  const std::string_view section = section_of_key(in_lower_case(item.key));
  return !section.empty() && !item.inside.empty() && in_lower_case(item.key) != "required" &&
         read_section(section, item);
}

bool Outline::read_items(const std::vector<BlockItem>& items, int deep) {
  for (const BlockItem& item : items) {
    const std::size_t pieces = pieces_.size(), left = left_;
    if (read_key(item, deep)) continue;
    if (item.key.empty() || item.all.empty()) return false;
    pieces_.resize(pieces), left_ = left;
    leave(item.all);
  }
  return !items.empty();
}

bool Outline::read() {
  for (std::size_t i = 0; i + 3 < last_; ++i) {  // rubric bus "Bus" {: the lines above are about it
    const std::size_t open = tokens_[i + 2].is_text() ? i + 3 : i + 2;
    if (tokens_[i].first && tokens_.is(i, "rubric") && tokens_[i + 1].kind == Token::Kind::word &&
        tokens_.is(open, "{") && !(i == 0 && tokens_[open + 1].is_text()))
      return false;
  }
  std::vector<BlockItem> items = items_of_document(tokens_, last_, name_);
  if (items.size() == 1 && !items[0].inside.empty() && key_of_outline(items[0].key) == Key::section &&
      section_of_key(in_lower_case(items[0].key)).empty()) {  // essay: …
    name_ = as_name(items[0].key);
    std::vector<BlockItem> inner = items[0].inside;
    items = std::move(inner);
  }
  if (!read_items(items, 0)) return false;
  for (Piece& piece : pieces_) add_missing(piece.text);
  return dimensions_ > 0;
}

// missing: skip, of every dimension that says nothing else
void Outline::add_missing(std::string& text) const {
  if (missing_.empty() || !text.starts_with("  dimension ") || text.find(" missing ") != text.npos) return;
  for (const std::string_view clause : {" weight ", " points "}) {
    const std::size_t at = text.find(clause);
    if (at == text.npos) continue;
    const std::size_t end = text.find_first_of(" \n", at + clause.size());
    return void(text.insert(std::min(end, text.size()), " missing " + missing_));
  }
}

bool Outline::read_settings(const std::vector<BlockItem>& items, std::string& text) {
  if (!read_items(items, 0) || left_ > 0) return false;
  text = rubric();
  const std::size_t head = text.find("{\n");
  text = (title_.empty() ? "" : "  # " + title_ + "\n") + text.substr(head + 2, text.size() - head - 5);
  return text.size() > 2;
}

std::string Outline::names() const {
  std::string all;
  for (const Piece& piece : pieces_) {
    for (const std::string_view word : {"  input ", "  let ", "  dimension "}) {
      if (piece.text.starts_with(word)) all += "\n" + piece.text.substr(2, piece.text.find('\n') - 2);
    }
  }
  return all;
}

std::string Outline::head() const {
  return "rubric " + (name_.empty() ? "main" : name_) + (title_.empty() ? "" : " " + as_text("'" + title_ + "'")) +
         " {\n";
}

std::vector<Edit> Outline::edits(const Proposals& out) const {
  std::vector<Edit> all;
  std::string text = head();
  std::size_t from = 0;
  for (const Piece& piece : pieces_) {
    std::string own = piece.text;
    if (!decimals_.empty() && own.starts_with("  scale ")) own.insert(own.size() - 1, " decimals " + decimals_);
    if (piece.left.empty()) {
      text += own;
      continue;
    }
    const Token& first = tokens_[piece.left.begin];
    const std::size_t end = tokens_[piece.left.end - 1].end;
    const std::size_t begin = first.begin;
    if (begin < from) return {};
    all.push_back(out.edit(from, begin, text + "  " + own));
    std::size_t key = piece.left.begin;
    while (tokens_.is(key, "[")) ++key;  // [plot] of TOML
    if (key > piece.left.begin) {
      std::size_t close = key;
      while (close + 1 < piece.left.end && !tokens_.is(close, "]")) ++close;
      all.push_back(out.edit(first.begin, tokens_[key].begin, ""));
      all.push_back(out.edit(tokens_[close].begin, tokens_[close + (tokens_.is(close + 1, "]") ? 1 : 0)].end, ":"));
    } else if (first.is_text()) {  // "key": …
      all.push_back(out.edit(first.begin, first.begin + 1, ""));
      all.push_back(out.edit(first.end - 1, first.end, ""));
    }
    from = end;
    text = "\n";
  }
  all.push_back(out.edit(from, tokens_[last_ - 1].end, text + "}"));
  return all;
}

std::string Outline::rubric() const {
  std::string text = head();
  for (const Piece& piece : pieces_) {
    if (!piece.left.empty()) return {};
    text += piece.text;
    if (!decimals_.empty() && piece.text.starts_with("  scale "))
      text.insert(text.size() - 1, " decimals " + decimals_);
  }
  return text + "}\n";
}

// Its parts speak of what it declares, '5 points per late day': that stands behind it when they are read again.
void with_names(const std::string& document, auto use) {
  const Tokens alone(document);
  const std::size_t last = alone.size() - 1;
  Outline first(alone, last);
  if (!first.read()) return;
  const std::string text = document + first.names();
  const Tokens tokens(text);
  Outline outline(tokens, last);
  if (outline.read()) use(outline);
}

// settings { version: "4", scale: 0..10 }: what concerns all of a rubric
void settings(const Window& window, Proposals& out) {
  const Tokens& tokens = window.tokens;
  const std::size_t i = line_first(tokens, window.at);
  if (window.problem.code.substr(0, 3) != "E01" ||
      !among(in_lower_case(tokens[i].shown),
             {"settings", "config", "configuration", "options", "general", "setup", "properties", "metadata", "meta"}))
    return;
  std::size_t at = i + 1;
  while (tokens.is(at, ":") || tokens.is(at, "=")) ++at;
  const Block block = block_behind(tokens, at, column_of(tokens, i));
  Outline read(tokens, tokens.size() - 1);
  std::string text;
  if (!block.inside.empty() && read.read_settings(read_block(tokens, block.inside), text))
    out.add(tokens[i].begin, tokens[block.last].end, text.substr(2), true);
}

}  // namespace

bool is_outline(const Tokens& tokens) {
  return tokens.text().size() <= kMostOfOutline && Outline(tokens, tokens.size() - 1).read();
}

std::string rubric_of_outline(const std::string& text, bool& certain) {
  std::string rubric;
  with_names(text, [&](const Outline& outline) { rubric = outline.rubric(), certain = certain && outline.certain(); });
  return rubric;
}

void documents(const Window& window, Proposals& out) {
  settings(window, out);
  const Tokens& tokens = window.tokens;
  const std::string_view text = tokens.text();
  if (window.problem.code.substr(0, 3) != "E01" || text.size() > kMostOfOutline || tokens.size() < 4) return;
  with_names(std::string(text), [&](const Outline& outline) {
    if (const std::string rubric = outline.rubric(); !rubric.empty())
      return out.add(0, text.size(), rubric, outline.certain());
    if (std::vector<Edit> edits = outline.edits(out); !edits.empty()) out.add(std::move(edits), outline.certain());
  });
}

}  // namespace assay::mending
