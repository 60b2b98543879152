// Tables in kernels: the matching row, and its values.
#include "lang/kernel/kernel_compiler.hpp"

#include <algorithm>
#include <numeric>

namespace assay {

// ---- tables

Truth KernelCompiler::fits(const AbstractValue& key, const CellTest& test) {
  if (test.kind == CellTest::Kind::missing || test.value.missing()) {
    if (test.kind != CellTest::Kind::range) return b_.negate(given_of(key));
  }
  if (test.kind == CellTest::Kind::value) {
    if (key.kind == Kind::number)
      return b_.both(key.given, b_.equal(key.number, KernelBuilder::number(test.value.number)));
    if (key.kind == Kind::truth) return test.value.boolean.truth != 0 ? key.value : b_.and_not(key.given, key.value);
    return is_text(key, std::string(test.value.text.view()));
  }
  Truth inside = key.given;
  const RangeData& r = test.range;
  if (!r.low.missing()) {
    const KernelNumber low = KernelBuilder::number(r.low);
    inside = b_.both(inside, r.low_open ? b_.less(low, key.number) : b_.negate(b_.less(key.number, low)));
  }
  if (!r.high.missing()) {
    const KernelNumber high = KernelBuilder::number(r.high);
    inside = b_.both(inside, r.high_open ? b_.less(key.number, high) : b_.negate(b_.less(high, key.number)));
  }
  return inside;
}

// Lower bounds that descend from row to row, as in bands: counts the bounds that the number is below. Nothing: the rows
// have another form.
std::optional<AbstractValue> KernelCompiler::lookup_bound(const LookupTable& table, const AbstractValue& key) {
  const std::size_t rows = table.rows.size();
  bool bands = true;
  const bool otherwise = table.rows.back().cells[0].empty();
  std::vector<std::int64_t> bounds;
  for (std::size_t i = 0; i < rows && bands; ++i) {
    const std::vector<CellTest>& cell = table.rows[i].cells[0];
    if (cell.empty() && i + 1 == rows) break;  // otherwise
    bands = cell.size() == 1 && cell[0].kind == CellTest::Kind::range && cell[0].range.high.missing() &&
            !cell[0].range.low.missing() && !cell[0].range.low_open && cell[0].range.low.small();
    if (!bands) break;
    // value / unit >= num / den means value >= ceil(num * unit / den)
    const Wide top = Wide{cell[0].range.low.num} * key.number.unit;
    const Wide den = cell[0].range.low.den;
    const Wide bound = top >= 0 ? (top + den - 1) / den : -(-top / den);
    bands = bound < KernelBuilder::kMost && bound > -Wide{KernelBuilder::kMost} &&
            (bounds.empty() || bound <= bounds.back());
    bounds.push_back(static_cast<std::int64_t>(bound));
  }
  if (!bands || bounds.empty()) return std::nullopt;
  const KernelNumber& n = key.number;
  if (n.reg == kNoReg) {
    std::int64_t row = 0;
    while (row < static_cast<std::int64_t>(bounds.size()) && n.value < bounds[static_cast<std::size_t>(row)]) ++row;
    if (otherwise && !key.given.always()) {
      return of(
          b_.choose(key.given, KernelBuilder::number(row), KernelBuilder::number(static_cast<std::int64_t>(rows) - 1)));
    }
    if (row == static_cast<std::int64_t>(rows)) return missing();
    return of(KernelBuilder::number(row), key.given);
  }
  std::vector<KernelTerm> list;
  for (const std::int64_t bound : bounds) {
    if (bound > n.low) list.push_back({0, bound});  // a bound that every number reaches is omitted
  }
  const auto most = static_cast<std::int64_t>(list.size());
  KernelInstruction i;
  i.op = KernelOp::below;
  i.b = n.reg;
  const KernelNumber row = most == 0 ? KernelBuilder::number(0) : b_.in_register(b_.emit(i, std::move(list)), 0, most);
  const auto end = static_cast<std::int64_t>(rows);
  if (otherwise) {
    const KernelNumber last = KernelBuilder::number(end - 1);
    return of(b_.choose(key.given, row, last));
  }
  return of(row, b_.both(key.given, most < end ? kYes : b_.less(row, KernelBuilder::number(end))));
}

// One text of the record: each name has its row. `index`: of the table. Nothing: a row tests more than names.
std::optional<AbstractValue> KernelCompiler::lookup_text(const LookupTable& table, std::uint32_t index,
                                                         const AbstractValue& key) {
  const std::size_t rows = table.rows.size();
  std::vector<std::string>& names = kernel_->inputs[static_cast<std::size_t>(key.input)].names;
  SymbolRows found;
  found.input = static_cast<std::size_t>(key.input);
  bool plain = true;
  for (std::size_t i = 0; i < rows && plain && found.other < 0; ++i) {
    const std::vector<CellTest>& cell = table.rows[i].cells[0];
    if (cell.empty()) found.other = static_cast<std::int64_t>(i);
    for (const CellTest& test : cell) {
      plain = plain && test.kind == CellTest::Kind::value && !test.value.missing();
      if (!plain) break;
      const std::string text(test.value.text.view());
      if (std::find(names.begin(), names.end(), text) == names.end()) names.push_back(text);
      found.rows.emplace(text, static_cast<std::int64_t>(i));
    }
  }
  if (!plain) return std::nullopt;
  KernelInstruction i;
  i.op = KernelOp::pick;
  i.b = key.reg;
  i.y = static_cast<std::int64_t>(index) + 1;  // distinguishes the instructions of different tables
  const bool total = found.other >= 0;
  const auto last = static_cast<std::int64_t>(rows) - 1;
  const KernelNumber row = b_.in_register(b_.emit(i), total ? 0 : -1, last);
  found.reg = row.reg;
  const Truth given = total ? kYes : b_.negate(b_.less(row, KernelBuilder::number(0)));
  symbol_rows_.push_back(std::move(found));
  return of(total ? row : b_.lesser(row, KernelBuilder::number(0), true), given);
}

AbstractValue KernelCompiler::lookup(const Expr* e) {
  const LookupTable& table = model_.tables[e->index];
  std::vector<AbstractValue> keys;
  for (const Expr* arg : e->args) {
    keys.push_back(as_text_register(eval(arg)));
    const Kind kind = keys.back().kind;
    if (kind != Kind::number && kind != Kind::truth && kind != Kind::text && kind != Kind::missing) return {};
  }
  const std::size_t rows = table.rows.size();
  if (rows == 0 || rows > kRows) return {};
  if (keys.size() == 1 && keys[0].kind == Kind::number && keys[0].number.den == kNoReg) {
    if (const std::optional<AbstractValue> row = lookup_bound(table, keys[0])) return *row;
  }
  if (keys.size() == 1 && keys[0].input >= 0) {
    if (const std::optional<AbstractValue> row = lookup_text(table, e->index, keys[0])) return *row;
  }
  std::vector<KernelTerm> list;
  std::vector<Truth> fitting;
  Truth sure = kNo;
  for (std::size_t i = 0; i < rows && !sure.always(); ++i) {
    std::vector<Truth> all;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      std::vector<Truth> any;
      const std::vector<CellTest>& cell = table.rows[i].cells[k];
      if (cell.empty()) continue;
      for (const CellTest& test : cell) {
        const bool absent = test.kind == CellTest::Kind::missing;
        if (keys[k].kind == Kind::missing) any.push_back({kNoReg, absent});
        else any.push_back(fits(keys[k], test));
      }
      all.push_back(b_.any_of(any));
    }
    const Truth fit = b_.all_of(all);
    if (fit.never()) continue;
    if (fit.always()) sure = kYes;
    fitting.push_back(fit);
    list.push_back({fit.reg, static_cast<std::int64_t>(i)});
  }
  if (list.empty()) return missing();
  const std::int64_t other = list.back().factor;
  const Truth given = b_.any_of(fitting);
  std::int64_t low = list[0].factor, high = list.back().factor;
  list.pop_back();  // the last row applies if no other does; if it does not match either, the row is missing
  if (list.empty()) return of(KernelBuilder::number(other), given);
  KernelInstruction i;
  i.op = KernelOp::first;
  i.x = other;
  return of(b_.in_register(b_.emit(i, std::move(list)), low, high), given);
}

// Whether a text of the record is one of several: a table of truths by name, which is one instruction instead of one
// per text.
AbstractValue KernelCompiler::one_of_texts(const AbstractValue& one, const AbstractValue& list) {
  constexpr std::size_t kFew = 8;
  if (one.kind != Kind::text || one.input < 0 || list.parts.size() <= kFew) return {};
  for (std::size_t i = 0; i < list.parts.size(); ++i) {
    const AbstractValue& text = list.parts[i];
    if (!list.present[i].always() || text.kind != Kind::text || text.reg != kNoReg || text.input >= 0) return {};
    if (!text.given.always()) return {};
  }
  std::vector<std::string>& names = kernel_->inputs[static_cast<std::size_t>(one.input)].names;
  SymbolRows found;
  found.input = static_cast<std::size_t>(one.input);
  found.other = 0;  // also for a missing text
  for (const AbstractValue& text : list.parts) {
    if (std::find(names.begin(), names.end(), text.texts[0]) == names.end()) names.push_back(text.texts[0]);
    found.rows.emplace(text.texts[0], 1);
  }
  KernelInstruction i;
  i.op = KernelOp::pick;
  i.b = one.reg;
  i.y = -1 - static_cast<std::int64_t>(symbol_rows_.size());  // distinguishes the instructions of different lists
  found.reg = b_.in_register(b_.emit(i), 0, 1).reg;
  symbol_rows_.push_back(std::move(found));
  return of(Truth{symbol_rows_.back().reg}, one.given);
}

AbstractValue KernelCompiler::pick(const Expr* e) {
  const AbstractValue row = eval(e->args[0]);
  if (row.kind == Kind::missing) return missing();
  if (row.kind != Kind::number || row.number.unit != 1 || row.number.den != kNoReg) return {};
  const Value& column = e->args[1]->value;
  const auto count = static_cast<std::int64_t>(column.list.size);
  if (row.number.low < 0) return {};
  std::vector<AbstractValue> values;
  for (std::int64_t i = 0; i <= std::min(row.number.high, count - 1); ++i) {
    values.push_back(constant(e->type, column.list.items[i]));
    if (values.back().kind == Kind::unknown) return {};
  }
  if (row.number.reg == kNoReg) {
    if (row.number.value >= count) return missing();
    return choose(row.given, values.back(), missing());
  }
  // A row beyond the column means a record without a row.
  while (static_cast<std::int64_t>(values.size()) <= row.number.high) values.push_back(missing());
  std::vector<KernelTerm> there;
  bool all = true;
  for (const AbstractValue& v : values) {
    there.push_back({0, v.kind == Kind::missing ? 0 : 1});
    all = all && v.kind != Kind::missing;
  }
  const auto picked = [&](std::vector<KernelTerm> list) {
    KernelInstruction i;
    i.op = KernelOp::pick;
    i.b = row.number.reg;
    return b_.emit(i, std::move(list));
  };
  Truth given = row.given;
  if (!all) given = b_.both(given, Truth{b_.in_register(picked(there), 0, 1).reg});
  const auto first =
      std::find_if(values.begin(), values.end(), [](const AbstractValue& v) { return v.kind != Kind::missing; });
  if (first == values.end()) return missing();
  switch (first->kind) {
    case Kind::text: {
      AbstractValue k;
      k.kind = Kind::text;
      k.given = given;
      k.reg = row.number.reg;
      for (const AbstractValue& v : values) {
        if (v.kind == Kind::text && (v.reg != kNoReg || v.input >= 0)) return {};
        k.texts.push_back(v.kind == Kind::text ? v.texts[0] : std::string());
      }
      return k;
    }
    case Kind::truth: {
      std::vector<KernelTerm> list;
      for (const AbstractValue& v : values) {
        if (v.kind == Kind::truth && !v.value.constant()) return {};
        list.push_back({0, v.kind == Kind::truth && v.value.value ? 1 : 0});
      }
      return of(b_.both(Truth{b_.in_register(picked(std::move(list)), 0, 1).reg}, given), given);
    }
    case Kind::number: {
      Wide unit = 1;
      for (const AbstractValue& v : values) {
        if (v.kind != Kind::number) continue;
        if (!v.number.constant()) return {};
        unit = unit / std::gcd(static_cast<std::int64_t>(unit), v.number.unit) * v.number.unit;
        if (unit > KernelBuilder::kMost) return {};
      }
      std::vector<KernelTerm> list;
      std::int64_t low = INT64_MAX, high = INT64_MIN;
      for (const AbstractValue& v : values) {
        const Wide n = v.kind == Kind::number ? Wide{v.number.value} * (unit / v.number.unit)
                                              : Wide{first->number.value} * (unit / first->number.unit);
        if (n > KernelBuilder::kMost || n < -Wide{KernelBuilder::kMost}) return {};
        list.push_back({0, static_cast<std::int64_t>(n)});
        low = std::min(low, list.back().factor);
        high = std::max(high, list.back().factor);
      }
      if (low == high) return of(KernelBuilder::number(low, static_cast<std::int64_t>(unit)), given);
      return of(b_.in_register(picked(std::move(list)), low, high, static_cast<std::int64_t>(unit)), given);
    }
    default: return {};
  }
}

}  // namespace assay
