// Columns that the kernel does not read because no written field needs them. A bad value rejects its row even if no
// kernel reads the column, so we validate those columns row by row and hand doubtful rows to the evaluator.
#include "runtime/columns/columns_impl.hpp"

#include <algorithm>
#include <cmath>

namespace assay {

// Finds these columns. False: a record that has columns lacks a required field, so every row is rejected.
bool Columns::Impl::find_unread(const Kernel& kernel, std::vector<Unread>& unread) const {
  const auto reads = [&](const InputPath& path) {
    return std::any_of(kernel.inputs.begin(), kernel.inputs.end(),
                       [&](const KernelInput& p) { return p.path == path && p.kind != KernelInput::Kind::given; });
  };
  for (const Bound& b : bounds) {
    TypeId type = meaning.slots[b.steps[0]].type;
    bool optional = meaning.slots[b.steps[0]].presence != Presence::required;
    for (std::size_t k = 1; k < b.steps.size(); ++k) {
      const std::vector<Field>& fields = model.types[type].fields;
      for (std::size_t f = 0; f < fields.size(); ++f) {
        if (fields[f].presence != Presence::required) continue;
        InputPath path(b.steps.begin(), b.steps.begin() + static_cast<std::ptrdiff_t>(k));
        path.push_back(static_cast<std::uint32_t>(f));
        const auto within = [&](const Bound& o) {
          return o.steps.size() >= path.size() && std::equal(path.begin(), path.end(), o.steps.begin());
        };
        if (std::none_of(bounds.begin(), bounds.end(), within)) return false;
      }
      optional = fields[b.steps[k]].presence != Presence::required;
      type = fields[b.steps[k]].type;
    }
    if (!reads(b.steps))
      unread.push_back({&b, optional, kernel_column(b.column, nullptr), kernel_column(b.items, nullptr)});
  }
  return true;
}

bool Columns::Impl::acceptable(std::size_t row) {
  for (const Unread& u : binding->unread) {
    const Bound& b = *u.bound;
    const KernelColumn& c = u.column;
    if (b.list) {
      const std::int64_t count = read_integer(c, row);
      if (count == c.missing ? !u.optional : count < 0 || static_cast<std::uint64_t>(count) > options.limits.list_items)
        return false;
      const KernelColumn& items = u.items;
      const Type& element = model.types[model.types[b.type].element];
      for (std::size_t i = 0; count != c.missing && i < static_cast<std::size_t>(count); ++i) {
        if (b.items.type != ColumnType::text) {
          const std::int64_t v = read_integer(items, row, i);
          if (v < 0 || v >= static_cast<std::int64_t>(b.items.names.size())) return false;
        } else if (!element.allows(read_text(items, row, i))) {
          return false;
        }
      }
      continue;
    }
    const Type& type = model.types[b.type];
    if (c.type == ColumnType::f64 || c.type == ColumnType::f32) {
      const double v = exact_float(c, row);
      if (v != v) {
        if (!u.optional) return false;
        continue;
      }
      const auto beyond = [&](Number end, double side) {
        return !end.missing() &&
               (!end.small() || !(side * v < side * (static_cast<double>(end.num) / static_cast<double>(end.den))));
      };
      // The bound itself is left to the evaluator, unless it is an integer, which a double holds exactly.
      const auto at = [&](Number end, bool open) {
        return !end.missing() && end.small() && end.den == 1 && !open && v == static_cast<double>(end.num);
      };
      const bool low = at(type.range.low, type.range.low_open) || !beyond(type.range.low, -1);
      const bool high = at(type.range.high, type.range.high_open) || !beyond(type.range.high, 1);
      if (!std::isfinite(v) || !low || !high || (type.whole && v != std::trunc(v))) return false;
      continue;
    }
    if (c.type == ColumnType::text) {
      const std::string_view v = read_text(c, row);
      if (v.data() == nullptr ? u.optional : v.size() <= options.limits.text_bytes) {
        if (v.data() == nullptr || type.allows(v)) continue;
      }
      return false;
    }
    const std::int64_t v = read_integer(c, row);
    if (v == c.missing) {
      if (!u.optional) return false;
      continue;
    }
    if (type.kind == TypeKind::number) {
      const Inputs::Place& place = evaluator->inputs().impl_->place(b.handle);
      if (v == INT64_MIN || !place.field->value->allows(v, static_cast<std::size_t>(b.column.decimals))) return false;
    } else if (type.kind == TypeKind::text && (v < 0 || v >= static_cast<std::int64_t>(b.column.names.size()))) {
      return false;
    }
  }
  return true;
}

}  // namespace assay
