// The powers of ten that fit 64 bits, for decimals of small numbers.
#pragma once

#include <cstdint>

namespace assay {

inline constexpr int kMostPowerOfTen = 18;
inline constexpr std::int64_t kPowersOfTen[kMostPowerOfTen + 1] = {1,
                                                                   10,
                                                                   100,
                                                                   1'000,
                                                                   10'000,
                                                                   100'000,
                                                                   1'000'000,
                                                                   10'000'000,
                                                                   100'000'000,
                                                                   1'000'000'000,
                                                                   10'000'000'000,
                                                                   100'000'000'000,
                                                                   1'000'000'000'000,
                                                                   10'000'000'000'000,
                                                                   100'000'000'000'000,
                                                                   1'000'000'000'000'000,
                                                                   10'000'000'000'000'000,
                                                                   100'000'000'000'000'000,
                                                                   1'000'000'000'000'000'000};

}  // namespace assay
