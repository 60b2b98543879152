// Scores rows of columns: in vectors, one by one through the kernel, or through the evaluator, the complete path, whose
// results are stored here like those of the kernel.
#include "runtime/columns/columns_impl.hpp"

#include <algorithm>

namespace assay {

namespace {

constexpr std::size_t kSteps = 512;  // vectors at a time

}  // namespace

// ---- through the evaluator

// Sets an input from its column.
void Columns::Impl::set_inputs(const Bound& b, std::size_t row) {
  Inputs& inputs = evaluator->inputs();
  Inputs::Impl& places = *inputs.impl_;
  places.hold(b.handle);
  const KernelColumn c = kernel_column(b.column, nullptr);
  if (b.list) {
    const std::int64_t count = read_integer(c, row);
    if (count == c.missing) return;
    if (count < 0) {
      places.refuse(places.place(b.handle), "type", "a list of " + std::to_string(count) + " items");
      return;
    }
    const KernelColumn items = kernel_column(b.items, nullptr);
    texts.clear();
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      if (b.items.names.empty()) {
        texts.push_back(read_text(items, row, i));
        continue;
      }
      const std::int64_t v = read_integer(items, row, i);
      const bool known = v >= 0 && v < static_cast<std::int64_t>(b.items.names.size());
      if (!known) {
        places.refuse(places.place(b.handle), "choice", "the number " + std::to_string(v) + " without a name");
        break;
      }
      texts.push_back(b.items.names[static_cast<std::size_t>(v)]);
    }
    inputs.set_texts(b.handle, texts.data(), texts.size());
    return;
  }
  const TypeKind kind = model.types.kind(b.type);
  if (kind == TypeKind::number && !integer(c.type)) {
    const double v = exact_float(c, row);
    if (v == v) inputs.set_number(b.handle, v);
    return;
  }
  if (c.type == ColumnType::text) {
    const std::string_view v = read_text(c, row);
    if (v.data() != nullptr) inputs.set_text(b.handle, v);
    return;
  }
  const std::int64_t v = read_integer(c, row);
  if (v == c.missing) return;
  if (kind == TypeKind::number) {
    inputs.set_number(b.handle, v, b.column.decimals);
  } else if (kind == TypeKind::boolean) {
    inputs.set_bool(b.handle, v != 0);
  } else if (v >= 0 && v < static_cast<std::int64_t>(b.column.names.size())) {
    inputs.set_text(b.handle, b.column.names[static_cast<std::size_t>(v)]);
  } else {
    places.refuse(places.place(b.handle), "choice", "the number " + std::to_string(v) + " without a name");
  }
}

void Columns::Impl::score_slowly(std::size_t row) {
  evaluator->inputs().reset();
  for (const Bound& b : bounds) set_inputs(b, row);
  const Verdict& verdict = evaluator->score_inputs();
  if (verdict.error() != nullptr) faults.emplace_back(row, *verdict.error());
  else fast->learn(evaluator->impl_->slots.data());
  for (const Written& w : written) store_verdict(w, verdict, row);
}

void Columns::Impl::store_verdict(const Written& w, const Verdict& verdict, std::size_t row) {
  ResultStore s;
  s.reg = 0;
  s.data = static_cast<char*>(w.column.data);
  s.type = w.column.type;
  s.stride = w.column.stride != 0 ? w.column.stride : static_cast<std::ptrdiff_t>(size_of(w.column.type));
  s.missing = w.column.missing;
  s.given = 1;
  std::int64_t registers[2] = {0, 0};
  const auto put = [&](std::int64_t v) {
    registers[0] = v;
    registers[1] = 1;
  };
  if (verdict.error() != nullptr) return store_row(s, row, registers);
  if (!w.texts.empty()) {
    const std::string_view text = verdict.text(w.handle);
    const std::int64_t at = w.index.find(w.texts, text);
    if (at >= 0 && text.data() != nullptr) put(at);
  } else if (const auto truth = verdict.boolean(w.handle)) {
    put(*truth ? 1 : 0);
  } else if (!integer(w.column.type)) {
    if (const auto number = verdict.number(w.handle)) {
      char* const p = s.data + static_cast<std::ptrdiff_t>(row) * s.stride;
      const auto narrow = static_cast<float>(*number);
      if (s.type == ColumnType::f64) std::memcpy(p, &*number, sizeof *number);
      else std::memcpy(p, &narrow, sizeof narrow);
      return;
    }
  } else if (const auto scaled = verdict.scaled(w.handle, w.column.decimals);
             scaled && range_of(w.column.type).holds(*scaled)) {
    put(*scaled);
  } else if (verdict.number(w.handle)) {
    faults.emplace_back(
        row, InputError{"", "column", "'" + w.field + "' has more decimals than its column, or is too large for it"});
  }
  store_row(s, row, registers);
}

// ---- through the kernel

void Columns::Impl::count(std::uint64_t rows, std::uint64_t jit, std::uint64_t vectors) {
  fast->record(rows);
  statistics.records += rows;
  statistics.kernel += rows;
  statistics.jit_rows += jit;
  statistics.vectors += vectors;
}

void Columns::Impl::score_vectors(std::size_t first, std::size_t steps) {
  std::uint16_t declined[kSteps];
  const std::size_t width = binding->runner->width(), rows = steps * width;
  const bool any = binding->runner->run_vectors(first, steps, declined);
  std::size_t left = 0;
  if (any || !binding->unread.empty()) {
    slow.clear();
    for (std::size_t i = 0; i < rows; ++i) {
      const bool is = (declined[i / width] >> (i % width) & 1) != 0;
      if (is || (!binding->unread.empty() && !acceptable(first + i))) slow.push_back(first + i);
    }
    left = slow.size();
    for (const std::size_t row : slow) score_slowly(row);
  }
  count(rows - left, rows - left, rows - left);
}

// Scores up to and including the first row that the kernel declines. Returns the next.
std::size_t Columns::Impl::score_jit_rows(std::size_t first, std::size_t last) {
  KernelRunner& runner = *binding->runner;
  std::size_t row = first;
  while (row < last && runner.run(row)) ++row;
  count(row - first, row - first, 0);
  if (row < last) score_slowly(row++);
  return row;
}

void Columns::Impl::score_row(std::size_t row) {
  const bool jit = binding->runner->jitted();
  if ((!binding->unread.empty() && !acceptable(row)) || !binding->runner->run(row)) return score_slowly(row);
  count(1, jit ? 1 : 0, 0);
}

std::optional<InputError> Columns::Impl::score_all(std::size_t first, std::size_t last) {
  if (!ready) {
    if (auto error = prepare()) return error;
  }
  if (options.interrupt == nullptr) {
    score(first, last);
    return std::nullopt;
  }
  constexpr std::size_t kBetweenLooks = 1 << 14;  // rows
  std::vector<std::pair<std::size_t, InputError>> all;
  for (std::size_t row = first; row < last; row += std::min(last - row, kBetweenLooks)) {
    score(row, row + std::min(last - row, kBetweenLooks));
    if (const Interrupt::State state = options.interrupt->state(); state != Interrupt::State::none) {
      faults.clear();
      return interrupt_error(state);
    }
    std::move(faults.begin(), faults.end(), std::back_inserter(all));
  }
  faults = std::move(all);
  return std::nullopt;
}

void Columns::Impl::score(std::size_t first, std::size_t last) {
  count_quick_rows();
  if (!faults.empty()) faults.clear();
  const auto other_kernel = [this] { return !binding || binding->generation != fast->generation(); };
  for (std::size_t row = first; row < last;) {
    if (fast->kernel() != nullptr && other_kernel()) binding = plan();
    if (fast->kernel() == nullptr || !binding->runner) {
      score_slowly(row++);
    } else if (const std::size_t width = binding->runner->width(); width > 0 && last - row >= width) {
      const std::size_t steps = std::min((last - row) / width, kSteps);
      score_vectors(row, steps);
      row += steps * width;
    } else if (binding->runner->jitted() && binding->unread.empty()) {
      row = score_jit_rows(row, last);
    } else {
      score_row(row++);
    }
  }
  const bool alone =
      binding && !other_kernel() && binding->runner && binding->runner->jitted() && binding->unread.empty();
  quick = alone ? &*binding->runner : nullptr;
}

}  // namespace assay
