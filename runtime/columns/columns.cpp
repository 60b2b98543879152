// Scoring rows in memory: binds columns to the ports of a kernel and runs it over blocks; rows that are not for the
// kernel, and all rows while there is none, go through an evaluator, one by one.
#include "runtime/columns/columns_impl.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay {

namespace {

constexpr std::int64_t kPlain = 999'999'999'999'999;
constexpr std::int64_t kExact = std::int64_t{1} << 53;  // up to here every whole number is a double

bool integer(ColumnType type) { return type != ColumnType::f64 && type != ColumnType::f32 && type != ColumnType::text; }

}  // namespace

Columns::Impl::Impl(const Rubric& the_rubric, EvaluatorOptions the_options)
    : rubric(the_rubric),
      options(std::move(the_options)),
      model(*rubric.impl().model),
      meaning(rubric.impl().rubric()) {
  for (const BlockLoops* set : block_loops()) sets.push_back(set);
  loops = sets.front();
}

// The steps of "scores.correctness"; empty when there is none.
InputPath Columns::Impl::find(std::string_view path, TypeId& type) const {
  InputPath steps;
  while (true) {
    const std::size_t dot = path.find('.');
    const std::string_view name = path.substr(0, dot);
    int at = -1;
    if (steps.empty()) {
      for (std::size_t i = 0; i < meaning.slots.size(); ++i) {
        if (meaning.slots[i].name == name) at = static_cast<int>(i);
      }
    } else if (model.types.kind(type) == TypeKind::record) {
      at = model.types.field(type, name);
    }
    if (at < 0) return {};
    type = steps.empty() ? meaning.slots[static_cast<std::size_t>(at)].type
                         : model.types[type].fields[static_cast<std::size_t>(at)].type;
    steps.push_back(static_cast<std::uint32_t>(at));
    if (dot == std::string_view::npos) return steps;
    path.remove_prefix(dot + 1);
  }
}

std::optional<InputError> Columns::Impl::check(std::string_view path, const Column& column, TypeId type,
                                               bool item) const {
  const Type& t = model.types[type];
  if (column.data == nullptr) return wrong(path, "column", "has a column without data");
  if (column.decimals < 0 || column.decimals > 9)
    return wrong(path, "column", "has a column with decimals outside 0..9");
  const bool cut = column.bits != 0 || column.shift != 0;
  if (cut && (column.type < ColumnType::u8 || column.type > ColumnType::u32 || column.shift + column.bits > 32 ||
              column.bits == 0)) {
    return wrong(path, "column", "has bits that its column does not have");
  }
  switch (t.kind) {
    case TypeKind::number:
      if (column.type == ColumnType::text)
        return wrong(path, "type", "is a number, which a column of texts does not hold");
      return std::nullopt;
    case TypeKind::boolean:
      if (!integer(column.type)) return wrong(path, "type", "is true or false, which a column of integers holds");
      return std::nullopt;
    case TypeKind::text:
      if (column.type == ColumnType::text) return std::nullopt;
      if (!integer(column.type))
        return wrong(path, "type", "is a text, which a column of texts or of integers with names holds");
      if (column.names.empty()) return wrong(path, "type", "is a text, and its column of integers has no names");
      for (const std::string& name : column.names) {
        if (&name - column.names.data() == column.missing) continue;  // stands for no text
        if (t.allows(name)) continue;
        return wrong(path, "choice",
                     "has a column with the name '" + name + "', expected " + describe_type(model.types, type));
      }
      return std::nullopt;
    default: break;
  }
  return wrong(path, "type",
               std::string(item ? "has items that" : "is a value that") +
                   " no column holds: " + describe_type(model.types, type));
}

void Columns::Impl::bind(Bound bound) {
  const auto same = std::find_if(bounds.begin(), bounds.end(), [&](const Bound& b) { return b.steps == bound.steps; });
  if (same == bounds.end()) bounds.push_back(std::move(bound));
  else *same = std::move(bound);
  unready();
}

// ---- what rows are evaluated with

std::optional<InputError> Columns::Impl::prepare() {
  if (ready) return std::nullopt;
  for (std::size_t i = 0; i < meaning.slots.size(); ++i) {
    const bool has = std::any_of(bounds.begin(), bounds.end(), [&](const Bound& b) { return b.steps[0] == i; });
    if (meaning.slots[i].presence == Presence::required && !has) {
      return wrong(meaning.slots[i].name, "required", "is required, and no column is bound to it");
    }
  }
  if (!evaluator || stale) {
    EvaluatorOptions with = options;
    with.fields.clear();
    for (const Written& w : written) with.fields.push_back(w.field);
    if (with.fields.empty()) with.fields.push_back("id");
    evaluator.emplace(rubric, with);
    if (settings) {
      if (auto error = evaluator->configure(*settings)) return error;
    }
    stale = false;
    std::vector<VerdictField> fields;
    for (const Written& w : written) fields.push_back(meaning.verdict[w.verdict]);
    fast.emplace(model, rubric.impl().index(), fields, options.limits);
    if (settings) fast->set_weights(evaluator_weights());
  }
  for (Bound& b : bounds) b.handle = *evaluator->inputs().find(b.path);
  for (Written& w : written) w.handle = *evaluator->field(w.field);
  generation = 0;
  ready = true;
  return std::nullopt;
}

const Columns::Impl::Bound* Columns::Impl::bound_to(const InputPath& path) const {
  const auto at = std::find_if(bounds.begin(), bounds.end(), [&](const Bound& b) { return b.steps == path; });
  return at == bounds.end() ? nullptr : &*at;
}

// A record is there when one of its fields is bound. So what is absent is the first part of the path without a column.
Port::Absent Columns::Impl::absent(const Port& port) const {
  for (std::size_t k = 0; k < port.path.size(); ++k) {
    const bool has = std::any_of(bounds.begin(), bounds.end(), [&](const Bound& b) {
      return b.steps.size() > k &&
             std::equal(port.path.begin(), port.path.begin() + static_cast<std::ptrdiff_t>(k) + 1, b.steps.begin());
    });
    if (!has) return port.absent[k];
  }
  if (port.kind == Port::Kind::given && bound_to(port.path) == nullptr) return {false, true, 0};
  return port.absent.back();
}

LaneColumn Columns::Impl::lane_column(const Column& c, std::vector<std::int32_t>* map) const {
  LaneColumn out;
  out.data = static_cast<const char*>(c.data);
  out.type = c.type;
  out.stride = c.stride != 0 ? c.stride : static_cast<std::ptrdiff_t>(size_of(c.type));
  out.shift = static_cast<std::uint8_t>(c.shift);
  out.mask = c.bits == 0 ? 0 : static_cast<std::uint32_t>((std::uint64_t{1} << c.bits) - 1);
  out.missing = c.missing;
  if (map != nullptr) {
    out.map = map->data();
    out.map_size = static_cast<std::uint32_t>(map->size());
  }
  return out;
}

// Binds the kernel's ports and results to the columns.
void Columns::Impl::plan() {
  LaneMachine& machine = *fast->machine();
  const Kernel& kernel = machine.kernel();
  generation = fast->generation();
  std::vector<RowLoad> each;
  maps.clear();
  tables.clear();
  decimals.clear();
  columns.assign(kernel.ports.size(), {});
  std::vector<bool> bound(kernel.ports.size(), false);
  in_blocks = true;
  bool possible = true;  // a row can be for the kernel
  const Lane spare = kernel.lanes;
  for (std::size_t p = 0; p < kernel.ports.size(); ++p) {
    const Port& port = kernel.ports[p];
    const Port::Absent nothing = absent(port);
    RowLoad l;
    l.lane = port.lane == kNoLane ? spare : port.lane;
    l.given = port.given == kNoLane ? spare : port.given;
    l.low = port.low;
    l.high = port.high;
    l.absent = nothing.value;
    l.absent_given = nothing.given;
    l.may_miss = !nothing.required;
    const Bound* const b = bound_to(port.path);
    if (b != nullptr && port.kind != Port::Kind::given) {
      bound[p] = true;
      std::vector<std::int32_t>* map = nullptr;
      if (!b->column.names.empty() || (b->list && !b->items.names.empty())) {
        const std::vector<std::string>& names = b->list ? b->items.names : b->column.names;
        map = &maps.emplace_back();
        const TextIndex own(names), of_port(port.names);
        for (std::size_t i = 0; i < names.size(); ++i) {
          std::size_t at = 0;
          if (b->list) {  // each name by its first place: the same text twice is one
            at = static_cast<std::size_t>(own.find(names, names[i]));
          } else {
            const std::int64_t found = of_port.find(port.names, names[i]);
            at = found < 0 ? port.names.size() : static_cast<std::size_t>(found);
          }
          const bool beyond =
              !b->list && b->column.type == ColumnType::i8 && i > 127;  // those codes are negative numbers
          const bool missing = !b->list && static_cast<std::int64_t>(i) - (beyond ? 256 : 0) == b->column.missing;
          map->push_back(missing ? -1 : beyond ? -2 : static_cast<std::int32_t>(at));
        }
        const bool byte = !b->list && (size_of(b->column.type) == 1 || (b->column.bits > 0 && b->column.bits <= 8));
        while (byte && map->size() < 256) {  // an entry for every code
          const auto code = static_cast<std::int64_t>(map->size());
          const bool negative = b->column.type == ColumnType::i8 && code - 256 == b->column.missing;
          map->push_back(code == b->column.missing || negative ? -1 : -2);
        }
      }
      l.column = lane_column(b->column, b->list ? nullptr : map);
      if (b->list) {
        in_blocks = false;
        l.high =
            std::min(l.high, static_cast<std::int64_t>(std::min<std::size_t>(options.limits.list_items, INT32_MAX)));
        l.items = lane_column(b->items, map);
        l.kind = map != nullptr ? RowLoad::Kind::codes : RowLoad::Kind::texts;
        l.distinct = model.types[b->type].set;
        const Type& item = model.types[model.types[b->type].element];
        if (map == nullptr && !item.choices.empty()) l.names = &tables.emplace_back(item.choices);
        if (map != nullptr && maps.back().size() > 64) l.high = -1;  // all are for the evaluator
        if (l.names != nullptr && item.choices.size() > 64) l.high = -1;
      } else if (port.kind == Port::Kind::number) {
        l.scale = std::pow(10.0, port.decimals);
        if (!integer(b->column.type)) {  // a double is the only one of at most 15 digits, no more
          l.low = std::max(l.low, -kPlain);
          l.high = std::min(l.high, kPlain);
          possible = possible && l.low <= l.high;
        }
        l.from = static_cast<double>(l.low) - 0.5;
        l.to = static_cast<double>(l.high) + 0.5;
        if (integer(b->column.type)) {
          l.kind = RowLoad::Kind::number_integer;
          l.column.factor = kPowersOfTen[port.decimals - std::min(b->column.decimals, port.decimals)];
          if (b->column.decimals > port.decimals) l.high = l.low - 1;  // until the shape is known
          if (l.high < l.low) in_blocks = false;
        } else {
          l.kind = b->column.type == ColumnType::f64 ? RowLoad::Kind::number_f64 : RowLoad::Kind::number_f32;
          if (b->column.type == ColumnType::f32) in_blocks = false;
          if (port.high - port.low < 4096) {
            std::vector<double>& exact = decimals.emplace_back();
            for (std::int64_t n = port.low; n <= port.high; ++n) exact.push_back(static_cast<double>(n) / l.scale);
            l.decimals = exact.data();
          }
        }
      } else if (port.kind == Port::Kind::truth) {
        const bool byte = size_of(b->column.type) == 1 && b->column.bits == 0 && b->column.missing == INT64_MIN &&
                          port.given == kNoLane;
        l.kind = byte ? RowLoad::Kind::byte : RowLoad::Kind::truth;
      } else if (map != nullptr) {
        l.kind = RowLoad::Kind::code;
      } else {
        in_blocks = false;
        l.kind = RowLoad::Kind::text;
        l.high = static_cast<std::int64_t>(std::min<std::size_t>(options.limits.text_bytes, INT32_MAX));
        // What is no choice is refused; a choice that the kernel does not name is for it like any other text.
        std::vector<std::string> known = port.names;
        const TextIndex of_port(port.names);
        for (const std::string& choice : model.types[b->type].choices) {
          if (of_port.find(port.names, choice) < 0) known.push_back(choice);
        }
        l.closed = !model.types[b->type].choices.empty();
        l.names = &tables.emplace_back(known);
        l.other = static_cast<std::int32_t>(port.names.size());
      }
      columns[p] = l.column;
    }
    each.push_back(l);
  }
  loads = RowLoads(std::move(each));
  stores.clear();
  forget_native();
  usable = find_unread(kernel) && possible &&
           std::none_of(kernel.results.begin(), kernel.results.end(),
                        [](const LaneResult& r) { return r.kind == LaneResult::Kind::input; });
  for (std::size_t i = 0; i < written.size(); ++i) {
    const LaneResult& r = kernel.results[i];
    const ResultColumn& c = written[i].column;
    ResultStore s;
    s.lane = r.lane;
    s.given = r.given;
    s.x = r.x;
    s.data = static_cast<char*>(c.data);
    s.type = c.type;
    s.stride = c.stride != 0 ? c.stride : static_cast<std::ptrdiff_t>(size_of(c.type));
    s.missing = c.missing;
    if (r.kind == LaneResult::Kind::missing) {
      s.x = c.missing;
      s.unit = std::numeric_limits<double>::quiet_NaN();
    }
    if (r.kind == LaneResult::Kind::number) {
      s.unit = static_cast<double>(kPowersOfTen[r.decimals]);
      s.factor = kPowersOfTen[std::max(c.decimals - r.decimals, 0)];
      // Where the lane does not say what is stored, the evaluator does.
      const std::int64_t most = integer(c.type) ? INT64_MAX / s.factor : kExact;
      if (r.lane != kNoLane && (r.high > most || r.low < -most)) usable = false;
      if (r.lane == kNoLane && (r.x > most || r.x < -most)) usable = false;
      if (c.decimals < r.decimals && integer(c.type)) usable = false;
      if (usable && !written[i].fits) {
        const std::int64_t low = (r.lane == kNoLane ? r.x : r.low) * s.factor;
        const std::int64_t high = (r.lane == kNoLane ? r.x : r.high) * s.factor;
        usable = range_of(c.type).holds(low) && range_of(c.type).holds(high);
      }
    }
    if (r.kind == LaneResult::Kind::text) {
      std::vector<std::int32_t>& map = maps.emplace_back();
      bool straight = true;
      for (std::size_t k = 0; k < r.texts.size(); ++k) {
        const std::vector<std::string>& all = written[i].texts;
        const std::int64_t place = written[i].index.find(all, r.texts[k]);
        map.push_back(static_cast<std::int32_t>(place < 0 ? static_cast<std::int64_t>(all.size()) : place));
        straight = straight && map.back() == static_cast<std::int32_t>(k);
      }
      s.map = straight && r.lane != kNoLane ? nullptr : map.data();
      s.map_size = static_cast<std::uint32_t>(map.size());
    }
    stores.push_back(s);
  }
  if (!usable) return;
  if (kernel_rows >= options.native_after) use_native();
  if (!in_blocks) return;
  blocks = plan_blocks(fast->machine_kernel(), bound);
  for (BlockStep& s : blocks.steps) {
    if (s.kind == BlockStep::Kind::compute) continue;
    const RowLoad& l = loads.all()[s.port];
    s.absent = l.absent;
    s.absent_given = l.absent_given;
    s.may_miss = l.may_miss;
    s.low = l.low;
    s.high = l.high;
    s.signs = l.low < 0;
  }
  // Doubles side by side are loaded together where they are treated alike.
  const auto alike = [&](const BlockStep& s, const BlockStep& first) {
    const LaneColumn& column = columns[s.port];
    return s.kind == BlockStep::Kind::load_number && column.type == ColumnType::f64 &&
           column.stride == sizeof(double) && s.may_miss == s.has_given && s.has_given == first.has_given &&
           s.signs == first.signs;
  };
  for (std::size_t k = 0; k < blocks.steps.size();) {
    std::size_t end = k;
    while (end < blocks.steps.size() && alike(blocks.steps[end], blocks.steps[k])) ++end;
    blocks.steps[k].together = static_cast<std::uint32_t>(end - k);
    k = std::max(end, k + 1);
  }
  block_stores = stores;
  for (std::size_t i = 0; i < stores.size(); ++i) {
    block_stores[i].lane = blocks.results[i];
    block_stores[i].given = blocks.givens[i];
    if (blocks.results[i] == kNoRegisterOfBlock) in_blocks = false;  // a constant: nobody needs that fast
  }
  const std::size_t width = kernel.narrow ? 4 : 8;
  memory.reset(
      static_cast<char*>(std::aligned_alloc(64, ((blocks.registers + 2) * blocks.rows * width + 63) / 64 * 64)));
}

// ---- rows

// One row through the evaluator.
void Columns::Impl::score_slowly(std::size_t row) {
  Inputs& inputs = evaluator->inputs();
  Inputs::Impl& places = *inputs.impl_;
  inputs.reset();
  for (const Bound& b : bounds) {
    places.hold(b.handle);
    const LaneColumn c = lane_column(b.column, nullptr);
    if (b.list) {
      const std::int64_t count = read_integer(c, row);
      if (count == c.missing) continue;
      if (count < 0) {
        places.refuse(places.place(b.handle), "type", "a list of " + std::to_string(count) + " items");
        continue;
      }
      const LaneColumn items = lane_column(b.items, nullptr);
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
      continue;
    }
    const TypeKind kind = model.types.kind(b.type);
    if (kind == TypeKind::number && !integer(c.type)) {
      const double v = exact_float(c, row);
      if (v == v) inputs.set_number(b.handle, v);
      continue;
    }
    if (c.type == ColumnType::text) {
      const std::string_view v = read_text(c, row);
      if (v.data() != nullptr) inputs.set_text(b.handle, v);
      continue;
    }
    const std::int64_t v = read_integer(c, row);
    if (v == c.missing) continue;
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
  const Verdict& verdict = evaluator->score_inputs();
  if (verdict.error() != nullptr) faults.emplace_back(row, *verdict.error());
  else fast->learn(evaluator->impl_->slots.data());
  for (const Written& w : written) store_verdict(w, verdict, row);
}

void Columns::Impl::store_verdict(const Written& w, const Verdict& verdict, std::size_t row) {
  ResultStore s;
  s.lane = 0;
  s.data = static_cast<char*>(w.column.data);
  s.type = w.column.type;
  s.stride = w.column.stride != 0 ? w.column.stride : static_cast<std::ptrdiff_t>(size_of(w.column.type));
  s.missing = w.column.missing;
  s.given = 1;
  std::int64_t lanes[2] = {0, 0};
  const auto put = [&](std::int64_t v) {
    lanes[0] = v;
    lanes[1] = 1;
  };
  if (verdict.error() != nullptr) return store_row(s, row, lanes);
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
  store_row(s, row, lanes);
}

void Columns::Impl::score_block(std::size_t first, std::uint32_t rows) {
  BlockRun run;
  run.steps = blocks.steps.data();
  run.step_count = blocks.steps.size();
  run.terms = blocks.terms.data();
  run.columns = columns.data();
  run.first = first;
  run.rows = rows;
  run.stride = blocks.rows;
  run.memory = memory.get();
  const bool narrow = blocks.kernel->narrow;
  char* const refused = memory.get() + static_cast<std::size_t>(blocks.registers) * blocks.rows * (narrow ? 4 : 8);
  run.refused = refused;
  const bool any = narrow ? loops->run_narrow(run) : loops->run_wide(run);
  for (const ResultStore& store : block_stores)
    narrow ? loops->store_narrow(run, store) : loops->store_wide(run, store);
  std::uint32_t left = 0;
  if (any || !unread.empty()) {
    slow.clear();
    for (std::uint32_t i = 0; i < rows; ++i) {
      bool is = false;
      if (narrow) is = reinterpret_cast<const std::int32_t*>(refused)[i] != 0;
      else is = reinterpret_cast<const std::int64_t*>(refused)[i] != 0;
      if (is || (!unread.empty() && !acceptable(first + i))) slow.push_back(first + i);
    }
    left = static_cast<std::uint32_t>(slow.size());
    for (const std::size_t row : slow) score_slowly(row);
  }
  kernel_rows += rows;
  if (!layout && kernel_rows > options.native_after && generation == fast->generation()) use_native();
  fast->record(rows - left);
  statistics.records += rows - left;
  statistics.kernel += rows - left;
}

void Columns::Impl::score_row(std::size_t row) {
  LaneMachine& machine = *fast->machine();
  if (!unread.empty() && !acceptable(row)) return score_slowly(row);
  if (row_in_use) {
    if (native_row->row(layout->bases().data(), row, loads.all().data(), machine.lanes()) == 0)
      return score_slowly(row);
    ++statistics.native;
  } else {
    if (!loads.load(row, machine.lanes()) || !machine.run()) return score_slowly(row);
    for (const ResultStore& store : stores) assay::store_row(store, row, machine.lanes());
    if (!layout && ++kernel_rows > options.native_after) use_native();
  }
  fast->record(1);
  ++statistics.records;
  ++statistics.kernel;
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
  count_native_rows();
  constexpr std::size_t kBlockFrom = 24;  // rows from which a block is worth its loops
  if (!faults.empty()) faults.clear();
  for (std::size_t row = first; row < last;) {
    if (fast->machine() != nullptr && generation != fast->generation()) plan();
    if (fast->machine() == nullptr || !usable) {
      score_slowly(row++);
    } else if (block_in_use && last - row >= native_block->width) {
      const std::size_t steps = std::min((last - row) / native_block->width, kNativeSteps);
      score_vectors(row, steps);
      row += steps * native_block->width;
    } else if (in_blocks && !block_in_use && !row_in_use && last - row >= kBlockFrom) {
      const auto rows = static_cast<std::uint32_t>(std::min<std::size_t>(blocks.rows, last - row));
      score_block(row, rows);
      row += rows;
    } else if (row_in_use && unread.empty()) {
      row = score_native_rows(row, last);
    } else {
      score_row(row++);
    }
  }
  if (generation != fast->generation()) one_row = {};  // its lanes are gone
}

// ---- the public class

Columns::Columns(const Rubric& rubric) : Columns(rubric, EvaluatorOptions{}) {}
Columns::Columns(const Rubric& rubric, const EvaluatorOptions& options)
    : impl_(std::make_unique<Impl>(rubric, options)) {}
Columns::~Columns() = default;
Columns::Columns(Columns&&) noexcept = default;
Columns& Columns::operator=(Columns&&) noexcept = default;

std::optional<InputError> Columns::bind(std::string_view path, const Column& column) {
  Impl::Bound bound;
  bound.steps = impl_->find(path, bound.type);
  if (bound.steps.empty()) return wrong(path, "input", "is no input of this rubric");
  if (auto error = impl_->check(path, column, bound.type, false)) return error;
  bound.path = path;
  bound.column = column;
  impl_->bind(std::move(bound));
  return std::nullopt;
}

std::optional<InputError> Columns::bind_list(std::string_view path, const ListColumn& column) {
  Impl::Bound bound;
  bound.steps = impl_->find(path, bound.type);
  if (bound.steps.empty()) return wrong(path, "input", "is no input of this rubric");
  const Type& type = impl_->model.types[bound.type];
  if (type.kind != TypeKind::list || impl_->model.types.kind(type.element) != TypeKind::text) {
    return wrong(path, "type", "is no list of texts, but " + describe_type(impl_->model.types, bound.type));
  }
  if (column.count.data == nullptr || !integer(column.count.type))
    return wrong(path, "column", "needs a column of integers for its counts");
  if (auto error = impl_->check(path, column.items, type.element, true)) return error;
  if (column.items.stride == 0)
    return wrong(path, "column", "needs a stride from the items of one row to those of the next");
  bound.path = path;
  bound.column = column.count;
  bound.items = column.items;
  bound.list = true;
  impl_->bind(std::move(bound));
  return std::nullopt;
}

std::optional<InputError> Columns::write(std::string_view field, const ResultColumn& column) {
  Impl::Written w;
  const std::vector<VerdictField>& fields = impl_->meaning.verdict;
  const auto at = std::find_if(fields.begin(), fields.end(), [&](const VerdictField& f) { return f.name == field; });
  if (at == fields.end()) return wrong(field, "field", "is no field of the verdict");
  w.verdict = static_cast<std::size_t>(at - fields.begin());
  w.field = field;
  w.column = column;
  w.texts = texts(field);
  w.index = TextIndex(w.texts);
  if (column.data == nullptr) return wrong(field, "column", "has a column without data");
  if (column.decimals < 0 || column.decimals > 9)
    return wrong(field, "column", "has a column with decimals outside 0..9");
  const Item& item = impl_->meaning.items[static_cast<std::size_t>(at->item)];
  const TypeKind kind = impl_->model.types.kind(item.type);
  if (kind == TypeKind::number) {
    if (column.type == ColumnType::text)
      return wrong(field, "type", "is a number, which a column of texts does not hold");
    if (integer(column.type) && at->decimals > column.decimals) {
      return wrong(field, "column",
                   "is shown with " + std::to_string(at->decimals) + " decimals, more than its column has");
    }
  } else if (kind == TypeKind::boolean || (kind == TypeKind::text && !w.texts.empty())) {
    if (!integer(column.type)) return wrong(field, "type", "needs a column of integers");
  } else {
    return wrong(field, "type", "is a value that no column holds");
  }
  if (integer(column.type)) {
    if (auto error = impl_->check_result(w, item)) return error;
  }
  if (auto same = std::find_if(impl_->written.begin(), impl_->written.end(),
                               [&](const Impl::Written& o) { return o.field == field; });
      same != impl_->written.end()) {
    *same = std::move(w);
    impl_->unready();
    return std::nullopt;
  }
  impl_->written.push_back(std::move(w));
  // Evaluators give their fields in the order of the rubric, and so do results.
  std::sort(impl_->written.begin(), impl_->written.end(),
            [](const Impl::Written& a, const Impl::Written& b) { return a.verdict < b.verdict; });
  impl_->unready();
  impl_->stale = true;
  return std::nullopt;
}

std::optional<InputError> Columns::configure(const Settings& settings) {
  Evaluator trial(impl_->rubric);
  if (auto error = trial.configure(settings)) return error;
  impl_->settings = settings;
  impl_->unready();
  impl_->stale = true;
  return std::nullopt;
}

std::vector<std::string> Columns::texts(std::string_view field) const {
  for (const VerdictField& f : impl_->meaning.verdict) {
    if (f.name != field) continue;
    const Type& type = impl_->model.types[impl_->meaning.items[static_cast<std::size_t>(f.item)].type];
    return type.kind == TypeKind::text ? type.choices : std::vector<std::string>();
  }
  return {};
}

std::optional<InputError> Columns::score(std::size_t first, std::size_t last) {
  Impl& impl = *impl_;
  if (impl.one_row.code != nullptr && last - first == 1 && impl.faults.empty() && impl.one_row(first)) {
    ++impl.native_rows;
    return std::nullopt;
  }
  return impl.score_all(first, last);
}

const std::vector<std::pair<std::size_t, InputError>>& Columns::errors() const { return impl_->faults; }

const Statistics& Columns::statistics() const {
  if (impl_->fast) impl_->count_native_rows();
  impl_->shown = impl_->statistics;
  if (impl_->evaluator) {
    const Statistics& slow = impl_->evaluator->statistics();
    impl_->shown.records += slow.records;
    impl_->shown.rejected += slow.rejected;
    impl_->shown.exact_path += slow.exact_path;
    impl_->shown.steps += slow.steps;
  }
  return impl_->shown;
}

std::string_view Columns::instruction_set() const { return impl_->loops->name; }

bool Columns::set_instruction_set(std::string_view name) {
  for (const BlockLoops* set : impl_->sets) {
    if (name != set->name) continue;
    if (set == impl_->loops) return true;
    impl_->loops = set;
    impl_->forget_native();
    impl_->native_form.clear();  // what is made for the other is of no use
    return true;
  }
  return false;
}

}  // namespace assay
