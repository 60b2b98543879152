// See words.hpp.
#include "lang/check/words/words.hpp"

#include "lang/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace assay {

namespace {

struct SenseRow {
  WordRole role;
  WordTopic topic;
  std::string_view words;
};
enum class SaidOf : std::uint8_t { any, named, either };
struct MeasureRow {
  SaidOf said_of;
  std::string_view names, turned, raises, lowers;
  std::string_view large[3], small[3];  // the adjective, its comparative, its superlative
};
constexpr MeasureRow kMeasureRows[] = {
#define ASSAY_MEASURE(said_of, names, turned, raises, lowers, a, b, c, d, e, f) \
  {SaidOf::said_of, names, turned, raises, lowers, {a, b, c}, {d, e, f}},
#include "lang/check/words/measures.def"
#undef ASSAY_MEASURE
};

constexpr std::string_view when(bool holds, std::string_view words) { return holds ? words : std::string_view(); }
constexpr SenseRow kSenseRows[] = {
#define ASSAY_SENSE(role, topic, words) {WordRole::role, WordTopic::topic, words},
#include "lang/check/words/words.def"
#undef ASSAY_SENSE
#define ASSAY_MEASURE(said_of, names, turned, raises, lowers, a, b, c, d, e, f)         \
  {WordRole::large, WordTopic::none, when(SaidOf::said_of == SaidOf::any, a)},          \
      {WordRole::small, WordTopic::none, when(SaidOf::said_of == SaidOf::any, d)},      \
      {WordRole::larger, WordTopic::none, when(SaidOf::said_of != SaidOf::either, b)},  \
      {WordRole::lesser, WordTopic::none, when(SaidOf::said_of != SaidOf::either, e)},  \
      {WordRole::topmost, WordTopic::none, when(SaidOf::said_of != SaidOf::either, c)}, \
      {WordRole::lowermost, WordTopic::none, when(SaidOf::said_of != SaidOf::either, f)},
#include "lang/check/words/measures.def"
#undef ASSAY_MEASURE
};

struct PoleRow {
  std::string_view good, bad;
};
constexpr PoleRow kPoleRows[] = {
#define ASSAY_POLES(good, bad) {good, bad},
#include "lang/check/words/poles.def"
#undef ASSAY_POLES
};

struct OrderRow {
  bool either;
  std::string_view steps;
};
constexpr OrderRow kOrderRows[] = {
#define ASSAY_ORDER(either, steps) {either, steps},
#include "lang/check/words/orders.def"
#undef ASSAY_ORDER
};

constexpr std::string_view kTopicRows[] = {
#define ASSAY_TOPIC(words) words,
#include "lang/check/words/topics.def"
#undef ASSAY_TOPIC
};

constexpr std::size_t kPacked = 8;

// The first eight characters of a word, or four, as a number.
constexpr std::uint64_t packed(std::string_view word, std::size_t most) {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < word.size() && i < most; ++i) all = all << 8 | static_cast<unsigned char>(word[i]);
  return all;
}

// Each word of the rows, in the order of its packed form and then of the rows.
struct RowWord {
  std::uint64_t key;
  std::string_view word;
  const SenseRow* row;
};
constexpr auto kRowWords = [] {
  constexpr std::size_t kCount = [] {
    std::size_t count = 0;
    for (const SenseRow& row : kSenseRows)
      count += (row.words.empty() ? 0 : 1) + std::count(row.words.begin(), row.words.end(), ' ');
    return count;
  }();
  std::array<RowWord, kCount> all{};
  auto next = all.begin();
  for (const SenseRow& row : kSenseRows) {
    for (std::string_view rest = row.words; !rest.empty();) {
      const std::string_view word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      *next++ = {packed(word, kPacked), word, &row};
    }
  }
  std::sort(all.begin(), all.end(),
            [](const RowWord& a, const RowWord& b) { return a.key != b.key ? a.key < b.key : a.row < b.row; });
  return all;
}();

// The row with this role that has a word or its singular: "injuries" as "injury".
const SenseRow* row_with(std::string_view word, WordRole role) {
  const auto find = [role](std::string_view form) -> const SenseRow* {
    const std::uint64_t key = packed(form, kPacked);
    const auto* at = std::lower_bound(kRowWords.begin(), kRowWords.end(), key,
                                      [](const RowWord& one, std::uint64_t k) { return one.key < k; });
    for (; at != kRowWords.end() && at->key == key; ++at) {
      if (at->row->role == role && at->word == form) return at->row;
    }
    return nullptr;
  };
  const SenseRow* row = find(word);
  if (row == nullptr && word.size() > 3 && word.ends_with('s')) row = find(word.substr(0, word.size() - 1));
  if (row == nullptr && word.size() > 4 && word.ends_with("es")) row = find(word.substr(0, word.size() - 2));
  if (row == nullptr && word.size() > 4 && word.ends_with("ies"))
    row = find(std::string(word.substr(0, word.size() - 3)) + "y");
  return row;
}

}  // namespace

bool has_word(std::string_view list, std::string_view word) {
  for (std::size_t at = list.find(word); at != list.npos && !word.empty(); at = list.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' ')) return true;
  }
  return false;
}

bool has_word(std::string_view list, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [list](const std::string& w) { return has_word(list, w); });
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  const auto end = [&] {
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  };
  for (const char c : text) {
    if (!is_name_character(c) || c == '_') end();
    else word += to_lower(c);
  }
  end();
  return words;
}

bool says(std::string_view text, WordRole role) {
  const std::vector<std::string> words = words_of(text);
  return std::any_of(words.begin(), words.end(), [role](const std::string& w) { return row_with(w, role) != nullptr; });
}

bool excused(std::string_view text) {
  static constexpr std::string_view kLittle = "little few low late slow often seldom bad";
  const std::vector<std::string> words = words_of(text);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool little = words[i] == "too" && i + 1 < words.size() && has_word(kLittle, words[i + 1]);
    if (!little && row_with(words[i], WordRole::excuses) != nullptr) return true;
  }
  return false;
}

bool is_word(std::string_view text, WordRole role) {
  const std::vector<std::string> words = words_of(text);
  return words.size() == 1 && row_with(words[0], role) != nullptr;
}

bool alphabet_misleads(const std::vector<std::string>& texts) {
  static constexpr std::string_view kSteps[] = {
      "none no negligible minimal informational info", "low minor slight mild", "medium moderate normal average",
      "high major serious severe", "critical extreme catastrophic blocker fatal"};
  std::vector<std::string> sorted = texts;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::ptrdiff_t> steps;  // of the known ones, in the order of the alphabet
  for (const std::string& text : sorted) {
    const std::vector<std::string> words = words_of(text);
    const auto* step = std::find_if(std::begin(kSteps), std::end(kSteps), [&words](std::string_view list) {
      return words.size() == 1 && has_word(list, words[0]);
    });
    if (step != std::end(kSteps)) steps.push_back(step - std::begin(kSteps));
  }
  constexpr std::size_t kFewest = 3;
  if (steps.size() >= kFewest)
    return !std::is_sorted(steps.begin(), steps.end()) && !std::is_sorted(steps.rbegin(), steps.rend());
  const auto some = [&texts](WordRole role) {
    return std::any_of(texts.begin(), texts.end(), [role](const std::string& t) { return is_word(t, role); });
  };
  const bool ordinal =
      (some(WordRole::little) && some(WordRole::much)) || (some(WordRole::best) && some(WordRole::last));
  return ordinal && texts != sorted && !std::equal(texts.begin(), texts.end(), sorted.rbegin());
}

Ranked ranked(const std::vector<std::string>& labels) {
  const auto place_in_row = [](std::string_view steps, const std::string& label) {
    int place = 0;
    for (std::size_t at = 0; at < steps.size();) {
      const std::size_t end = std::min(steps.find_first_of(",|", at), steps.size());
      std::string_view one = steps.substr(at, end - at);
      while (one.starts_with(' ')) one.remove_prefix(1);
      while (one.ends_with(' ')) one.remove_suffix(1);
      if (one == label) return place;
      if (end < steps.size() && steps[end] == '|') ++place;
      at = end + 1;
    }
    return -1;
  };
  for (const OrderRow& row : kOrderRows) {
    Ranked found{{}, row.either};
    for (const std::string& label : labels) {
      std::string plain;
      for (const std::string& word : words_of(label)) plain += (plain.empty() ? "" : " ") + word;
      const int place = place_in_row(row.steps, plain);
      if (place < 0 || std::count(found.places.begin(), found.places.end(), place) > 0) break;
      found.places.push_back(place);
    }
    if (!labels.empty() && found.places.size() == labels.size()) return found;
  }
  return {};
}

// late_trains, tests_passed, failed_exam; not late_stage, wrong_side_tests.
bool decides(const std::vector<std::string>& words, WordRole role) {
  std::vector<std::string_view> said;
  for (const std::string& word : words) {
    if (row_with(word, WordRole::measure) == nullptr) said.push_back(word);
  }
  if (said.empty() || said.size() > 2) return false;
  if (row_with(said.back(), role) != nullptr) return true;
  const bool thing = said.back().ends_with('s') || row_with(said.back(), WordRole::marked) != nullptr;
  return thing && row_with(said.front(), role) != nullptr;
}

bool are_opposites(std::string_view a, std::string_view b) {
  static constexpr std::string_view kPairs[][2] = {
      {"passed", "failed"},       {"won", "lost"},          {"wins", "losses"},         {"correct", "wrong"},
      {"correct", "incorrect"},   {"right", "wrong"},       {"hits", "misses"},         {"kept", "broken"},
      {"present", "absent"},      {"accepted", "rejected"}, {"positive", "negative"},   {"successes", "failures"},
      {"done", "open"},           {"good", "bad"},          {"early", "late"},          {"solved", "unsolved"},
      {"missed", "done"},         {"missed", "attended"},   {"missed", "kept"},         {"absent", "attended"},
      {"skipped", "done"},        {"late", "punctual"},     {"owed", "paid"},           {"unpaid", "paid"},
      {"missing", "present"},     {"lost", "returned"},     {"unanswered", "answered"}, {"unsigned", "signed"},
      {"unverified", "verified"}, {"outside", "inside"},    {"dirty", "clean"},         {"invalid", "valid"},
      {"absences", "present"},    {"pending", "finished"},  {"unfinished", "finished"}, {"incomplete", "complete"},
      {"best", "worst"},          {"max", "min"},           {"maximum", "minimum"},     {"most", "least"}};
  const std::vector<std::string> left = words_of(a), right = words_of(b);
  const auto has = [](const std::vector<std::string>& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  const auto said = [&](std::string_view list, const std::vector<std::string>& words) { return has_word(list, words); };
  return std::any_of(std::begin(kPairs), std::end(kPairs),
                     [&](const auto& pair) {
                       return (has(left, pair[0]) && has(right, pair[1])) ||
                              (has(left, pair[1]) && has(right, pair[0]));
                     }) ||
         std::any_of(std::begin(kMeasureRows), std::end(kMeasureRows), [&](const MeasureRow& row) {
           for (std::size_t degree = 0; degree < std::size(row.large); ++degree) {
             if ((said(row.large[degree], left) && said(row.small[degree], right)) ||
                 (said(row.small[degree], left) && said(row.large[degree], right)))
               return true;
           }
           return false;
         });
}

namespace {

// 1: values of this name rise with the first adjectives of a measure, -1: they fall, 0: it is not about them.
int rises_with(const MeasureRow& row, const std::vector<std::string>& name, bool only_named) {
  const bool named = has_word(row.names, name), turned = has_word(row.turned, name);
  if (named || turned) return named == turned ? 0 : named ? 1 : -1;
  return row.said_of == SaidOf::any && !only_named ? 1 : 0;
}

}  // namespace

int way_said(std::string_view adjective, std::string_view name, bool named) {
  const std::vector<std::string> words = words_of(name);
  for (const MeasureRow& row : kMeasureRows) {
    const bool large = has_word(row.large[0], adjective), small = has_word(row.small[0], adjective);
    if (large != small) return large ? rises_with(row, words, named) : -rises_with(row, words, named);
  }
  return 0;
}

int change_said(std::string_view verb, std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  for (const MeasureRow& row : kMeasureRows) {
    const bool up = has_word(row.raises, verb), down = has_word(row.lowers, verb);
    if (up != down && has_word(row.names, words)) return up ? 1 : -1;
  }
  return 0;
}

bool is_measured_word(std::string_view word) {
  return std::any_of(std::begin(kMeasureRows), std::end(kMeasureRows), [word](const MeasureRow& row) {
    return has_word(row.large[0], word) || has_word(row.small[0], word);
  });
}

namespace {

// Each word of the poles, in the order of the alphabet.
struct PoleWord {
  std::string_view word;
  Pole pole;
};
constexpr auto kPoleWords = [] {
  constexpr std::size_t kCount = [] {
    std::size_t count = 0;
    for (const PoleRow& row : kPoleRows) {
      for (const std::string_view words : {row.good, row.bad})
        count += 1 + static_cast<std::size_t>(std::count(words.begin(), words.end(), ' '));
    }
    return count;
  }();
  std::array<PoleWord, kCount> all{};
  auto next = all.begin();
  for (std::size_t row = 0; row < std::size(kPoleRows); ++row) {
    for (const int sign : {1, -1}) {
      for (std::string_view rest = sign > 0 ? kPoleRows[row].good : kPoleRows[row].bad; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
        *next++ = {word, {row, sign}};
      }
    }
  }
  std::sort(all.begin(), all.end(), [](const PoleWord& x, const PoleWord& y) { return x.word < y.word; });
  return all;
}();

const Pole* pole_of(std::string_view word) {
  const auto* at = std::lower_bound(kPoleWords.begin(), kPoleWords.end(), word,
                                    [](const PoleWord& one, std::string_view w) { return one.word < w; });
  return at != kPoleWords.end() && at->word == word ? &at->pole : nullptr;
}

}  // namespace

Pole pole_said(std::string_view text) {
  static constexpr std::string_view kDenials =
      "no not never without hardly barely scarcely nothing nobody none neither nor seldom rarely cannot little few t";
  static constexpr std::string_view kPartly =
      "one two some several half partly partially mostly almost nearly only but except though although yet unless if "
      "sometimes occasionally or more less too rather somewhat fairly";
  constexpr std::size_t kNear = 3;
  const std::vector<std::string> words = words_of(text);
  Pole found;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Pole* pole = pole_of(words[i]);
    if (pole == nullptr) continue;
    bool turned = false;  // "isn't" is two words
    for (std::size_t k = i > kNear ? i - kNear : 0; k < i; ++k) turned = turned || has_word(kDenials, words[k]);
    const int now = turned ? -pole->sign : pole->sign;
    if (found.sign != 0 && (found.sign != now || found.row != pole->row)) return {};
    found = {pole->row, now};
  }
  return found.sign != 0 && has_word(kPartly, words) ? Pole() : found;
}

std::optional<std::pair<std::string, std::string>> only_difference(const std::string& a, const std::string& b) {
  const std::vector<std::string> left = words_of(a), right = words_of(b);
  if (left.size() != right.size()) return std::nullopt;
  std::optional<std::pair<std::string, std::string>> found;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] == right[i]) continue;
    if (found) return std::nullopt;
    found.emplace(left[i], right[i]);
  }
  return found;
}

bool counts_some(std::string_view part, std::string_view all) {
  const std::vector<std::string> some = words_of(part), entire = words_of(all);
  const auto chosen = [](const std::string& word) {
    return row_with(word, WordRole::passed) != nullptr || row_with(word, WordRole::failed) != nullptr ||
           (word.size() > 4 && word.ends_with("ed"));
  };
  const auto is_all = [](const std::string& word) { return row_with(word, WordRole::entire) != nullptr; };
  const auto shared = [&some](const std::string& word) {
    return word.size() > 3 && std::find(some.begin(), some.end(), word) != some.end();
  };
  const bool some_chosen = std::any_of(some.begin(), some.end(), chosen);
  const bool of_all = std::any_of(entire.begin(), entire.end(), is_all);
  const bool of_same = std::any_of(entire.begin(), entire.end(), shared);
  return std::none_of(some.begin(), some.end(), is_all) &&
         ((of_all && (some_chosen || of_same)) ||
          (of_same && some_chosen && std::none_of(entire.begin(), entire.end(), chosen)));
}

// The last word says what something is, "error" of spelling_error_rate; others only what kind of it.
NameSense sense_of(std::string_view name) {
  std::vector<std::string> words = words_of(name);
  const auto per = std::find(words.begin(), words.end(), "per");
  if (per != words.begin()) words.erase(per, words.end());      // words_per_minute are words
  const auto of = std::find(words.begin(), words.end(), "of");  // a conflict_of_interest is a conflict
  if (of != words.begin() && of != words.end() && row_with(*(of - 1), WordRole::bad) != nullptr)
    words.erase(of, words.end());
  const auto at = std::find(words.begin(), words.end(), "at");  // decibels_at_night
  const SenseRow* noise = at != words.begin() && at != words.end() ? row_with(*(at - 1), WordRole::bad) : nullptr;
  if (noise != nullptr && noise->topic != WordTopic::speed) words.erase(at, words.end());
  bool mark = false, time = false;
  for (const std::string& word : words) {
    const SenseRow* unit = row_with(word, WordRole::bad);
    time = time || (unit != nullptr && unit->topic == WordTopic::speed);
    if (row_with(word, WordRole::turns) != nullptr) return {};
    mark = mark || (row_with(word, WordRole::mark) != nullptr && row_with(word, WordRole::good) == nullptr);
  }
  // resolved_minutes are no praise
  const bool passed = !time && decides(words, WordRole::passed), failed = decides(words, WordRole::failed);
  std::size_t end = words.size();
  const auto behind = [&](WordRole role) { return end > 0 && row_with(words[end - 1], role) != nullptr; };
  while (behind(WordRole::measure) || (behind(WordRole::mark) && !behind(WordRole::good))) --end;
  const SenseRow* good = end > 0 ? row_with(words[end - 1], WordRole::good) : nullptr;
  const SenseRow* bad = end > 0 ? row_with(words[end - 1], WordRole::bad) : nullptr;
  if (bad != nullptr && bad->topic == WordTopic::speed) bad = nullptr;
  NameSense sense;
  if (end > 0) sense.word = words[end - 1];
  if (passed != failed && (passed ? bad : good) == nullptr) {
    sense.good = passed ? 1 : -1;
  } else if (passed || failed) {
    return {};
  } else if (good != nullptr) {
    sense.good = 1, sense.topic = good->topic;
  } else if (bad != nullptr) {
    sense.good = -1, sense.topic = bad->topic;
  } else {  // response_seconds: its unit tells
    for (const std::string& word : words) {
      const SenseRow* unit = row_with(word, WordRole::bad);
      const bool of_time = unit != nullptr && unit->topic == WordTopic::speed;
      if (!of_time && row_with(word, WordRole::acts) == nullptr && row_with(word, WordRole::measure) == nullptr)
        return {};
      if (of_time) sense = {-1, unit->topic, word};
    }
  }
  return mark && sense.good < 0 ? NameSense() : sense;
}

bool akin(std::string_view a, std::string_view b) {
  constexpr std::size_t kStem = 4;
  if (a.size() > b.size()) std::swap(a, b);
  return a.size() >= kStem &&
         b.starts_with(a.substr(0, a.ends_with('y') || a.ends_with('e') ? a.size() - 1 : a.size()));
}

namespace {

constexpr std::size_t kHead = 4, kShortest = 3;

// Words of grammar and of numbers; shorter ones say nothing either.
constexpr auto kGrammar = [] {
  constexpr std::string_view kWords =
      "about above after again all already also although and another any are because been before being below between "
      "both but can could did does done during each eight either else every few fewer five for four from full get "
      "gets give given gives got had half has have her here his how into its itself just least less made make many "
      "may might more most much must neither never nine nobody non none nor not nothing off once one only onto other "
      "our out over own per same seven shall she should since six some still such take taken ten than that the their "
      "them then there these they this those though three too took twice two under until very was were what when "
      "where which while who whom whose why will with within without would yes yet you your";
  std::array<std::uint64_t, std::count(kWords.begin(), kWords.end(), ' ') + 1> all{};
  std::string_view rest = kWords;
  for (std::uint64_t& one : all) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    one = packed(word, kPacked);
  }
  std::sort(all.begin(), all.end());
  return all;
}();

template <typename Look>
void each_content_word(std::string_view text, const Look& look) {
  std::string word;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ' ';
    if (is_name_character(c) && c != '_') {
      word += to_lower(c);
      continue;
    }
    const bool content =
        word.size() >= kShortest && !is_digit(word[0]) &&
        (word.size() > kPacked || !std::binary_search(kGrammar.begin(), kGrammar.end(), packed(word, kPacked)));
    if (content) look(word);
    word.clear();
  }
}

void reduce_to_stem(std::string& stem) {
  const auto cut = [&stem](std::string_view ending, std::size_t least, std::string_view instead = {}) {
    if (stem.size() < least + ending.size() || !stem.ends_with(ending)) return false;
    stem.replace(stem.size() - ending.size(), ending.size(), instead);
    return true;
  };
  if (!cut("ies", 2, "y") && !stem.ends_with("ss") && !stem.ends_with("us")) cut("s", 3);
  const bool formed = cut("iness", 3, "y") || cut("ness", 3) || cut("ied", 3, "y") || cut("ation", 4) ||
                      cut("tion", 4, "t") || cut("sion", 4, "s") || cut("ing", 3) || cut("ed", 3) || cut("ment", 4) ||
                      cut("en", 4) || cut("er", 4) || cut("ly", 3);
  if (formed && stem.size() > kShortest && stem[stem.size() - 1] == stem[stem.size() - 2]) stem.pop_back();
  if (stem.size() > kShortest && stem.ends_with('e')) stem.pop_back();
}

}  // namespace

std::vector<std::uint32_t> heads_of(std::string_view text) {
  std::vector<std::uint32_t> heads;
  each_content_word(text, [&heads](std::string& word) {
    if (word.size() > kShortest && word.ends_with('s')) word.pop_back();
    heads.push_back(static_cast<std::uint32_t>(packed(word, kHead)));
  });
  return heads;
}

std::vector<std::string> stems_of(std::string_view text) {
  std::vector<std::string> stems;
  each_content_word(text, [&stems](std::string& word) {
    reduce_to_stem(word);
    stems.push_back(word);
  });
  return stems;
}

std::uint64_t topics_of(const std::vector<std::string>& stems) {
  using Row = std::pair<std::string, std::uint64_t>;
  static_assert(std::size(kTopicRows) <= 64);
  static const std::vector<Row> topics = [] {
    std::vector<Row> all;
    for (std::size_t i = 0; i < std::size(kTopicRows); ++i) {
      for (std::string& stem : stems_of(kTopicRows[i])) all.emplace_back(std::move(stem), std::uint64_t{1} << i);
    }
    std::sort(all.begin(), all.end());
    return all;
  }();
  std::uint64_t found = 0;
  for (const std::string& stem : stems) {
    auto at = std::lower_bound(topics.begin(), topics.end(), Row(stem, 0));
    for (; at != topics.end() && at->first == stem; ++at) found |= at->second;
  }
  return found;
}

}  // namespace assay
