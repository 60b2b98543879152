// Numbers: with separators, decimal commas, per cent and units.
#include "lang/mend/foreign/reader.hpp"

namespace assay::mending {
namespace {

const std::initializer_list<std::string_view> kUnits = {
    "€",  "$",   "£",      "EUR",  "USD",   "GBP",     "kg",      "g",     "km",    "m",       "cm", "mm",
    "ms", "s",   "min",    "h",    "px",    "kb",      "MB",      "GB",    "KB",    "°C",      "l",  "ml",
    "%",  "pts", "points", "days", "hours", "minutes", "seconds", "years", "words", "percent", "pct"};

}  // namespace

// A number before a unit, in the unit of the name that it is compared with. Other units beside it make it doubtful.
std::string Reader::in_one_unit(const std::string& written, std::string_view unit) {
  std::string converted = in_unit_before(tokens_, at_ - 1, written, unit);
  doubtful_ = doubtful_ || (converted == written && mixed_units(tokens_, at_ - 1, unit));
  return converted;
}

// Whether ',' and the digits behind it are the decimals of the number before: in a bracket whose items ';' divides.
bool Reader::decimal_comma() const {
  const auto digits = [this](std::size_t i) {
    return tokens_[i].kind == Token::Kind::number &&
           tokens_[i].shown.find_first_not_of("0123456789") == tokens_[i].shown.npos;
  };
  if (at_ == 0 || !is(",") || !digits(at_ - 1) || !digits(at_ + 1) || !touches(at_) || !touches(at_ + 1)) return false;
  for (std::size_t open = at_; open-- > 0 && !tokens_[open].starts;) {
    if (!tokens_.opens(open) || tokens_[open].partner == kNone || tokens_[open].partner < at_) continue;
    for (std::size_t i = open + 1; i < tokens_[open].partner; i = tokens_.behind(i)) {
      if (tokens_.is(i, ";")) return true;
    }
    return false;
  }
  return false;
}

Expr Reader::number() {
  std::string written(tokens_[at_].shown);
  ++at_;
  if (decimal_comma()) {
    written += "." + std::string(tokens_[at_ + 1].shown);
    at_ += 2;
  }
  if (const std::size_t unit = written.find_first_not_of("0123456789._"); unit != written.npos && unit > 0) {
    const std::string_view after = std::string_view(written).substr(unit);
    if (facts_.declares(after) && !is_unit_of_name(tokens_, at_ - 1, after)) return fail();  // 2x: see numbers()
    if (after == "k" || after == "K") written = written.substr(0, unit) + "e3";
    else if (after != "%" && (among(after, kUnits) || among(after, {"f", "d", "L", "u", "f64", "u32", "i32"})))
      written = in_one_unit(written.substr(0, unit), after);
  }
  const bool short_ = written.size() <= 3;
  while (short_ && at_ < end_ && !new_line(at_) && tokens_[at_].kind == Token::Kind::number &&
         tokens_[at_].shown.size() == 3 && tokens_[at_].shown.find_first_not_of("0123456789") == std::string_view::npos)
    written += "_" + std::string(tokens_[at_++].shown);  // 50 000
  if (is("%") && written.back() != '%' && !begins_value(at_ + 1) && !tokens_.is(at_ + 1, "%") &&
      !tokens_.is(at_ + 1, "in") && !tokens_.is(at_ + 1, "/")) {
    ++at_;
    written += '%';
  }
  if (one({"percent", "pct"}) && written.back() != '%') {
    ++at_;
    written += '%';
  }
  const bool value = is_word(at_) && facts_.declares(tokens_[at_].shown) && !names_again(at_);  // 3 m, of a value m
  if (at_ < end_ && !tokens_[at_].first && one(kUnits) && !is("%") && !value) {
    written = in_one_unit(written, tokens_[at_].shown);
    ++at_;
    if (is("/") && touches(at_) && touches(at_ + 1) && tokens_[at_ + 1].kind == Token::Kind::word) at_ += 2;  // €/km
  }
  return atom(written);
}

}  // namespace assay::mending
