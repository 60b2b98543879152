// A sum of products of values. See known.hpp.
#pragma once

#include "lang/proof/known/known.hpp"

#include <algorithm>

namespace assay {

struct Knowledge::Polynomial {
  using Product = std::vector<std::uint32_t>;  // numbers of same(), in order
  struct Value {
    std::uint32_t number;
    const Expr* expr;
  };

  std::vector<std::pair<Product, Number>> terms;
  std::vector<Value> values;
  bool repeated = false;  // some value occurs more than once
  bool lost = false;      // the terms of some value add up to nothing

  bool add(const Product& product, Number factor, NumberPool& pool) {
    constexpr std::size_t kMostTerms = 16;
    auto at = std::find_if(terms.begin(), terms.end(), [&](const auto& t) { return t.first == product; });
    if (at == terms.end()) at = terms.insert(at, {product, whole(0)});
    at->second = assay::add(at->second, factor, pool);
    if (at->second.missing() || !at->second.small()) return false;
    if (sign(at->second) == 0) {
      terms.erase(at);
      lost = lost || !product.empty();
    }
    return terms.size() <= kMostTerms;
  }
  void know(std::uint32_t number, const Expr& expr) {
    const bool known = std::any_of(values.begin(), values.end(), [=](const Value& v) { return v.number == number; });
    if (!known) values.push_back({number, &expr});
    repeated = repeated || known;
  }
  const Expr& expr(std::uint32_t number) const {
    return *std::find_if(values.begin(), values.end(), [=](const Value& v) { return v.number == number; })->expr;
  }
};

}  // namespace assay
