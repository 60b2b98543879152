// The dependencies of machine code; in builds without it, stubs.
#include "runtime/jit/jit.hpp"

#include <cstdlib>

namespace assay {

JitLayout::Place JitLayout::place(const char* data, std::ptrdiff_t stride) {
  for (std::uint32_t k = 0; k < bases_.size(); ++k) {
    // Addresses of different arrays are compared as numbers: their difference has no meaning, so any value will do.
    const auto offset = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(data) -
                                                    reinterpret_cast<std::uintptr_t>(bases_[k]));
    if (strides_[k] == stride && std::abs(offset) < std::abs(stride)) return {k, static_cast<std::int32_t>(offset)};
  }
  bases_.push_back(data);
  strides_.push_back(stride);
  return {static_cast<std::uint32_t>(bases_.size() - 1), 0};
}

JitLayout::JitLayout(const JitRequest& request) {
  const auto add = [&](auto... values) { (form_.push_back(static_cast<std::int64_t>(values)), ...); };
  const auto add_column = [&](const KernelColumn& c) {
    add(c.stride, c.type, c.shift, c.mask, c.missing, c.factor, c.map_size);
    for (std::uint32_t k = 0; k < c.map_size; ++k) add(c.map[k]);
  };
  const auto add_place = [&](const Place& place) { add(place.base, place.offset); };
  add(reinterpret_cast<std::intptr_t>(request.kernel.get()));
  for (const RowLoad& l : *request.loads) {
    const bool bound = l.column.data != nullptr;
    loads_.push_back(bound ? place(l.column.data, l.column.stride) : Place{});
    items_.push_back(l.items.data != nullptr ? place(l.items.data, l.items.stride) : Place{});
    add_place(loads_.back());
    add_place(items_.back());
    add_column(l.column);
    add_column(l.items);
    add(l.kind, l.reg, l.given, l.low, l.high, l.absent, l.scale, l.may_miss, l.absent_given, l.distinct);
  }
  for (const ResultStore& s : *request.stores) {
    stores_.push_back(s.data != nullptr ? place(s.data, s.stride) : Place{});
    add_place(stores_.back());
    add(s.kind, s.reg, s.given, s.x, s.stride, s.type, s.missing, s.factor, s.unit == s.unit ? s.unit : -1, s.map_size);
    for (std::uint32_t k = 0; k < s.map_size; ++k) add(s.map == nullptr ? k : static_cast<std::uint32_t>(s.map[k]));
  }
}

#if !ASSAY_JIT
bool JitCode::available() { return false; }
JitCode::Set JitCode::best() { return Set::baseline; }
std::unique_ptr<JitCode> JitCode::make_row(const JitRequest&, const JitLayout&, Set) { return nullptr; }
std::unique_ptr<JitCode> JitCode::make_block(const JitRequest&, const JitLayout&, Set) { return nullptr; }
#endif

}  // namespace assay
