// Percentages in decimal notation.
#pragma once

#include <string>

namespace assay {

// A hundredth of a decimal: "7.5" is "0.075". Empty for a number with a sign or an exponent. Linear in the digits.
std::string hundredth(std::string decimal);

}  // namespace assay
