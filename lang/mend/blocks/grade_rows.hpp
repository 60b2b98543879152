// One grade and its limits in any notation, and the rows of bands that several of them make.
#pragma once

#include "lang/mend/foreign/tokens.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace assay::mending {

struct Grade {
  std::vector<std::string> limits;  // numbers, one or two
  std::vector<std::string> labels;  // as texts
  std::string sign;                 // a comparison with the limit; of two limits with the lower one
  std::string high_sign;            // of two limits with the upper one: "<", "<=", or empty where nothing says it
  bool rest = false;
  bool turned = false;  // the sign stands behind the limit: 60 >=
  bool worded = false;  // the comparison is the word 'above' or one like it, which not everybody takes strictly

  bool good() const {
    return !labels.empty() && labels.size() <= 3 && (rest ? limits.empty() : !limits.empty() && limits.size() <= 2);
  }
  double low() const;  // of the rest: below everything
  double high() const;
  bool upper() const { return limits.size() == 1 && (sign == "<" || sign == "<="); }
  bool range() const { return limits.size() == 2; }
  bool open() const { return sign == ">"; }
};

// Bands as they are written; `sure`: the limits can be read in one way.
struct Written {
  std::string text;
  bool sure = true;
};

bool is_rest(std::string_view word);  // otherwise, else
// Words that a limit or a grade may stand among without being one.
bool says_nothing(std::string_view word);

// What these tokens say of one grade; false: something else. `of`: null, or what chains of conditions compare, which
// the first condition sets. `subject`: what the limits are of, which is no label.
bool read_grade(const Tokens& tokens, std::size_t begin, std::size_t end, Grade& grade, std::string* of,
                std::string_view subject = {});

// The grades as a table of bands; empty: they are too few. `header`: the names of the columns behind the first; empty: it
// has none.
Written table_of_grades(std::string_view name, std::string_view of, std::vector<Grade> grades, std::string_view indent,
                        const std::vector<std::string>& header = {});

}  // namespace assay::mending
