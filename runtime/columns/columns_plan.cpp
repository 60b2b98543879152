// A kernel and bound columns → how each of its inputs is read and each of its results written. If a column cannot be
// read or written for the kernel, the evaluator scores the rows.
#include "runtime/columns/columns_impl.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {

namespace {

constexpr std::int64_t kPlain = 999'999'999'999'999;
constexpr std::int64_t kExact = std::int64_t{1} << 53;  // up to here every integer is a double

// Maps the texts of an input's codes to positions among the kernel's `names`; for a list, equal texts map to their
// first position. Below 0: as in KernelColumn::map.
std::vector<std::int32_t> code_map(const Column& column, bool list, const std::vector<std::string>& names,
                                   const KernelInput& input) {
  std::vector<std::int32_t> map;
  const TextIndex own(names), of_input(input.names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::size_t at = 0;
    if (list) {
      at = static_cast<std::size_t>(own.find(names, names[i]));
    } else {
      const std::int64_t found = of_input.find(input.names, names[i]);
      at = found < 0 ? input.names.size() : static_cast<std::size_t>(found);
    }
    const bool beyond = !list && column.type == ColumnType::i8 && i > 127;  // codes that are negative as int8
    const bool missing = !list && static_cast<std::int64_t>(i) - (beyond ? 256 : 0) == column.missing;
    map.push_back(missing ? -1 : beyond ? -2 : static_cast<std::int32_t>(at));
  }
  const bool byte = !list && (size_of(column.type) == 1 || (column.bits > 0 && column.bits <= 8));
  while (byte && map.size() < 256) {  // an entry for every possible code
    const auto code = static_cast<std::int64_t>(map.size());
    const bool negative = column.type == ColumnType::i8 && code - 256 == column.missing;
    map.push_back(code == column.missing || negative ? -1 : -2);
  }
  return map;
}

}  // namespace

// A record is present if one of its fields is bound. So the first part of the path without a column is absent.
KernelInput::Absent Columns::Impl::absent(const KernelInput& input) const {
  for (std::size_t k = 0; k < input.path.size(); ++k) {
    const bool has = std::any_of(bounds.begin(), bounds.end(), [&](const Bound& b) {
      return b.steps.size() > k &&
             std::equal(input.path.begin(), input.path.begin() + static_cast<std::ptrdiff_t>(k) + 1, b.steps.begin());
    });
    if (!has) return input.absent[k];
  }
  if (input.kind == KernelInput::Kind::given && bound_to(input.path) == nullptr) return {false, true, 0};
  return input.absent.back();
}

bool Columns::Impl::load_number(const KernelInput& input, const Bound& b, Binding& made, RowLoad& l) const {
  l.scale = std::pow(10.0, input.decimals);
  bool possible = true;
  if (!integer(b.column.type)) {  // a double represents only one decimal of at most 15 digits
    l.low = std::max(l.low, -kPlain);
    l.high = std::min(l.high, kPlain);
    possible = l.low <= l.high;
  }
  l.from = static_cast<double>(l.low) - 0.5;
  l.to = static_cast<double>(l.high) + 0.5;
  if (integer(b.column.type)) {
    l.kind = RowLoad::Kind::number_integer;
    l.column.factor = kPowersOfTen[input.decimals - std::min(b.column.decimals, input.decimals)];
    if (b.column.decimals > input.decimals) l.high = l.low - 1;  // until the input's decimals are known
    return possible;
  }
  l.kind = b.column.type == ColumnType::f64 ? RowLoad::Kind::number_f64 : RowLoad::Kind::number_f32;
  if (input.high - input.low < 4096) {
    std::vector<double>& exact = made.decimals.emplace_back();
    for (std::int64_t n = input.low; n <= input.high; ++n) exact.push_back(static_cast<double>(n) / l.scale);
    l.decimals = exact.data();
  }
  return possible;
}

void Columns::Impl::load_list(const Bound& b, const std::vector<std::int32_t>* map, Binding& made, RowLoad& l) const {
  l.high = std::min(l.high, static_cast<std::int64_t>(std::min<std::size_t>(options.limits.list_items, INT32_MAX)));
  l.items = kernel_column(b.items, map);
  l.kind = map != nullptr ? RowLoad::Kind::codes : RowLoad::Kind::texts;
  l.distinct = model.types[b.type].set;
  const Type& item = model.types[model.types[b.type].element];
  if (map == nullptr && !item.choices.empty()) l.names = &made.tables.emplace_back(item.choices);
  if (map != nullptr && map->size() > 64) l.high = -1;  // all rows go to the evaluator
  if (l.names != nullptr && item.choices.size() > 64) l.high = -1;
}

// A text that is not a choice is rejected; a choice that the kernel does not name counts as any other text.
void Columns::Impl::load_text(const KernelInput& input, const Bound& b, Binding& made, RowLoad& l) const {
  l.kind = RowLoad::Kind::text;
  l.high = static_cast<std::int64_t>(std::min<std::size_t>(options.limits.text_bytes, INT32_MAX));
  std::vector<std::string> known = input.names;
  const TextIndex of_input(input.names);
  for (const std::string& choice : model.types[b.type].choices) {
    if (of_input.find(input.names, choice) < 0) known.push_back(choice);
  }
  l.closed = !model.types[b.type].choices.empty();
  l.names = &made.tables.emplace_back(known);
  l.other = static_cast<std::int32_t>(input.names.size());
}

bool Columns::Impl::load_of(const KernelInput& input, Register spare, Binding& made, RowLoad& l) const {
  const KernelInput::Absent nothing = absent(input);
  l.reg = input.reg == kNoReg ? spare : input.reg;
  l.given = input.given == kNoReg ? spare : input.given;
  l.low = input.low;
  l.high = input.high;
  l.absent = nothing.value;
  l.absent_given = nothing.given;
  l.may_miss = !nothing.required;
  const Bound* const b = bound_to(input.path);
  if (b == nullptr || input.kind == KernelInput::Kind::given) return true;
  const std::vector<std::string>& names = b->list ? b->items.names : b->column.names;
  const std::vector<std::int32_t>* map = nullptr;
  if (!names.empty()) map = &made.maps.emplace_back(code_map(b->column, b->list, names, input));
  l.column = kernel_column(b->column, b->list ? nullptr : map);
  if (b->list) {
    load_list(*b, map, made, l);
  } else if (input.kind == KernelInput::Kind::number) {
    return load_number(input, *b, made, l);
  } else if (input.kind == KernelInput::Kind::truth) {
    const bool byte =
        size_of(b->column.type) == 1 && b->column.bits == 0 && b->column.missing == INT64_MIN && input.given == kNoReg;
    l.kind = byte ? RowLoad::Kind::byte : RowLoad::Kind::truth;
  } else if (map != nullptr) {
    l.kind = RowLoad::Kind::code;
  } else {
    load_text(input, *b, made, l);
  }
  return true;
}

bool Columns::Impl::store_of(const Written& w, const KernelResult& r, Binding& made, ResultStore& s) const {
  const ResultColumn& c = w.column;
  s.reg = r.reg;
  s.given = r.given;
  s.x = r.x;
  s.data = static_cast<char*>(c.data);
  s.type = c.type;
  s.stride = c.stride != 0 ? c.stride : static_cast<std::ptrdiff_t>(size_of(c.type));
  s.missing = c.missing;
  switch (r.kind) {
    case KernelResult::Kind::input: return false;
    case KernelResult::Kind::truth: break;
    case KernelResult::Kind::missing:
      s.x = c.missing;
      s.unit = std::numeric_limits<double>::quiet_NaN();
      break;
    case KernelResult::Kind::number: {
      s.unit = static_cast<double>(kPowersOfTen[r.decimals]);
      s.factor = kPowersOfTen[std::max(c.decimals - r.decimals, 0)];
      // If the register does not determine the stored value, the evaluator computes it.
      const std::int64_t most = integer(c.type) ? INT64_MAX / s.factor : kExact;
      const std::int64_t low = r.reg == kNoReg ? r.x : r.low, high = r.reg == kNoReg ? r.x : r.high;
      if (high > most || low < -most || (c.decimals < r.decimals && integer(c.type))) return false;
      return w.fits || (range_of(c.type).holds(low * s.factor) && range_of(c.type).holds(high * s.factor));
    }
    case KernelResult::Kind::text: {
      std::vector<std::int32_t>& map = made.maps.emplace_back();
      bool straight = true;
      for (std::size_t k = 0; k < r.texts.size(); ++k) {
        const std::int64_t place = w.index.find(w.texts, r.texts[k]);
        map.push_back(static_cast<std::int32_t>(place < 0 ? static_cast<std::int64_t>(w.texts.size()) : place));
        straight = straight && map.back() == static_cast<std::int32_t>(k);
      }
      s.map = straight && r.reg != kNoReg ? nullptr : map.data();
      s.map_size = static_cast<std::uint32_t>(map.size());
      break;
    }
  }
  return true;
}

std::unique_ptr<Columns::Impl::Binding> Columns::Impl::plan() const {
  auto made = std::make_unique<Binding>();
  made->generation = fast->generation();
  const Kernel& kernel = *fast->kernel()->kernel();
  bool usable = find_unread(kernel, made->unread);
  std::vector<RowLoad> loads(kernel.inputs.size());
  for (std::size_t p = 0; p < loads.size(); ++p)
    usable = load_of(kernel.inputs[p], kernel.registers, *made, loads[p]) && usable;
  std::vector<ResultStore> stores(written.size());
  for (std::size_t i = 0; i < stores.size(); ++i)
    usable = usable && store_of(written[i], kernel.results[i], *made, stores[i]);
  if (usable) made->runner.emplace(fast->kernel(), options.jit_threshold, std::move(loads), std::move(stores), set);
  return made;
}

}  // namespace assay
