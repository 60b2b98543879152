// Model → Kernel. An expression is evaluated as far as it can be without a record: what remains are lanes. Lists that a
// rubric writes out (its dimensions, its gates) and records are taken apart here and leave no trace; lists of the record
// remain only as what is asked of them (how many, whether all). What cannot be expressed is an unknown value, and only a
// result that depends on one prevents the kernel.
#include "lang/equality.hpp"
#include "lang/kernel_builder.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>

namespace assay {

namespace {

constexpr int kDepth = 60;                // calls within calls
constexpr std::size_t kInstructions = 4000;
constexpr std::int64_t kItems = 1 << 10;  // items of a list that is counted

// What is known of a value. Fields that do not belong to its kind are not used.
struct Known {
  enum class Kind : std::uint8_t {
    unknown,  // no kernel can have it
    missing,
    number,
    truth,    // value: false where it is missing
    text,     // lane: position in texts; no lane: texts[0]
    range,
    record,   // parts
    list,     // parts, each present when its `present` is true
    input,    // a value of the record: `path`; a list, map, text or record
    uniform,  // one `parts[0]` for each item of the list at `path`
    total,    // adjustments whose amounts add up to `number`
    item,     // an item of the list at `path`
  } kind = Kind::unknown;
  Truth given = kYes;
  LaneNumber number;
  Truth value;
  Lane lane = kNoLane;
  std::vector<std::string> texts;
  int port = -1;  // text: the symbol port that its lane belongs to
  RangeData range{};
  std::vector<Known> parts;
  std::vector<Truth> present;
  InputPath path, inner;
  TypeId type = kUnknown;
};
using Kind = Known::Kind;

Known missing() {
  Known k;
  k.kind = Kind::missing;
  k.given = kNo;
  return k;
}
Known of(const LaneNumber& n, Truth given = kYes) {
  Known k;
  if (n.bad) return k;
  if (given.never()) return missing();
  k.kind = Kind::number;
  k.number = n;
  k.given = given;
  return k;
}
Known of(Truth value, Truth given = kYes) {
  if (given.never()) return missing();
  Known k;
  k.kind = Kind::truth;
  k.value = value;
  k.given = given;
  return k;
}
Known of_text(std::string text) {
  Known k;
  k.kind = Kind::text;
  k.texts.push_back(std::move(text));
  return k;
}

class KernelCompiler {
 public:
  explicit KernelCompiler(const KernelRequest& request)
      : request_(request), model_(*request.model), rubric_(model_.rubrics[static_cast<std::size_t>(request.rubric)]) {
    items_.resize(rubric_.items.size());
    kernel_ = std::make_shared<Kernel>();
  }
  std::shared_ptr<const Kernel> run(std::string& why);

 private:
  Known eval(const Expr* e);
  Known evaluated(const Expr* e);
  Known item(int index);
  Known constant(TypeId type, const Value& v);
  Known input(TypeId type, InputPath path);
  Known field(const Known& record, std::uint32_t index, TypeId type);
  Known choose(Truth when, const Known& a, const Known& b);
  Known compare(const Expr* e);
  Known equal(const Known& a, const Known& b);
  Known call(const Expr* e);
  Known builtin(const Expr* e);
  Known aggregate(Builtin which, const Known& list);
  Known loop(const Expr* e);
  Known lookup(const Expr* e);
  Known pick(const Expr* e);
  Known adjust(const Expr* e);
  Known weighted_sum(const Expr* e);
  Known as_text_lane(const Known& k);  // an input text whose texts are compared with constants
  Truth fits(const Known& key, const CellTest& test);
  Truth is_text(const Known& k, const std::string& text);
  Truth given_of(const Known& k);
  Known count(const Known& list);
  std::size_t port_index(Port::Kind kind, const InputPath& path, const InputPath& inner);
  void absent(Port& port, const InputPath& path, bool count);
  bool filled(const Known& known, const LaneNumber& by);
  bool result(int root, int decimals);
  bool rules();
  void finish();

  const KernelRequest& request_;
  const Model& model_;
  const RubricModel& rubric_;
  std::shared_ptr<Kernel> kernel_;
  LaneBuilder b_;
  std::vector<std::optional<Known>> items_;
  std::vector<Known> locals_;
  struct SymbolRows {  // the row of each name, and of any other text; complete when all names are known
    std::size_t port = 0;
    std::map<std::string, std::int64_t> rows;
    std::int64_t other = -1;
    Lane lane = kNoLane;
  };
  std::vector<SymbolRows> symbol_rows_;
  std::map<std::size_t, std::int64_t> fills_;  // by port: what its lane holds where the number is missing
  int depth_ = 0;
  std::string why_;
};

// ---- what a record holds

std::size_t KernelCompiler::port_index(Port::Kind kind, const InputPath& path, const InputPath& inner) {
  for (std::size_t i = 0; i < kernel_->ports.size(); ++i) {
    const Port& p = kernel_->ports[i];
    if (p.kind == kind && p.path == path && p.item == inner) return i;
  }
  Port p;
  p.kind = kind;
  p.path = path;
  p.item = inner;
  kernel_->ports.push_back(std::move(p));
  absent(kernel_->ports.back(), path, kind == Port::Kind::count || kind == Port::Kind::all || kind == Port::Kind::any);
  return kernel_->ports.size() - 1;
}

// What stands for a value whose place in the record is empty, at each step of its path.
void KernelCompiler::absent(Port& port, const InputPath& path, bool list) {
  const std::vector<Slot>& slots = rubric_.slots;
  const Slot& slot = slots[path[0]];
  std::vector<std::pair<Presence, Value>> steps{{slot.presence, slot.fallback}};
  TypeId type = slot.type;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Field& f = model_.types[type].fields[path[i]];
    steps.emplace_back(f.presence, f.fallback);
    type = f.type;
  }
  bool optional = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Port::Absent a;
    a.required = steps[i].first == Presence::required;
    Value v = steps[i].first == Presence::defaulted ? steps[i].second : missing_value();
    for (std::size_t k = i + 1; k < path.size() && !v.missing(); ++k) v = path[k] < v.record.size ? v.record.fields[path[k]] : missing_value();
    if (!a.required) {
      a.given = !v.missing();
      optional = optional || !a.given;
      if (a.given && list) {
        if (v.list.size > 0) a.required = true;  // a default that has items: left to the VM
        a.value = port.kind == Port::Kind::all ? 1 : 0;
      } else if (a.given && port.kind == Port::Kind::truth) {
        a.value = v.boolean.truth;
      } else if (a.given && port.kind == Port::Kind::symbol) {
        const std::string text(v.text.view());
        auto& names = port.names;
        if (std::find(names.begin(), names.end(), text) == names.end()) names.push_back(text);
        a.value = std::find(names.begin(), names.end(), text) - names.begin();
      }
    }
    port.absent.push_back(a);
  }
  // A required record around an absent field decides as well, so `given` is needed when any step may leave it missing.
  if (optional || port.kind == Port::Kind::given) port.given = b_.in_lane(b_.new_lane(), 0, 1).lane;
}

Known KernelCompiler::input(TypeId type, InputPath path) {
  const Type& t = model_.types[type];
  Known k;
  k.type = type;
  k.path = path;
  switch (t.kind) {
    case TypeKind::boolean: {
      const std::size_t at = port_index(Port::Kind::truth, path, {});
      Port& p = kernel_->ports[at];
      if (p.lane == kNoLane) p.lane = b_.in_lane(b_.new_lane(), 0, 1).lane;
      p.high = 1;
      return of(Truth{p.lane}, p.given == kNoLane ? kYes : Truth{p.given});
    }
    case TypeKind::number: {
      const std::size_t at = port_index(Port::Kind::number, path, {});
      Port& p = kernel_->ports[at];
      if (p.lane == kNoLane) {
        NumberShape shape;
        const bool bounded = !t.range.low.missing() && !t.range.high.missing();
        if (bounded && !t.whole) shape.decimals = 2;
        if (const auto found = request_.shapes.find(path); found != request_.shapes.end()) shape = found->second;
        if (t.whole) shape.decimals = 0;
        std::int64_t unit = 1;
        for (int i = 0; i < shape.decimals; ++i) unit *= 10;
        p.decimals = shape.decimals;
        const Wide most = Wide{shape.limit} * unit;
        if (most > LaneBuilder::kMost) return {};
        p.low = static_cast<std::int64_t>(-most);
        p.high = static_cast<std::int64_t>(most);
        NumberPool pool;
        const auto bound = [&](Number end, Rounding mode, std::int64_t& to, bool open, int step) {
          if (end.missing()) return true;
          std::int64_t n = 0;
          const Number scaled = round_to(assay::mul(end, whole(unit), pool), 0, mode, pool);
          if (!scaled.small() || !to_int64(scaled, n) || n > LaneBuilder::kMost || n < -LaneBuilder::kMost) return false;
          if (open && assay::compare(scaled, assay::mul(end, whole(unit), pool)) == 0) n += step;
          if (step > 0 ? n > to : (bounded || n < to)) to = n;
          return true;
        };
        if (bounded) p.low = -LaneBuilder::kMost;
        if (!bound(t.range.low, Rounding::ceil, p.low, t.range.low_open, 1) || !bound(t.range.high, Rounding::floor, p.high, t.range.high_open, -1)) return {};
        if (p.low > p.high) return {};
        for (std::size_t i = 0; i < p.absent.size(); ++i) {  // defaults in this unit
          if (p.absent[i].required || !p.absent[i].given) {
            p.absent[i].value = p.low;
            continue;
          }
          Value v = i == 0 ? rubric_.slots[path[0]].fallback : missing_value();
          TypeId at_type = rubric_.slots[path[0]].type;
          for (std::size_t s = 1; s <= i; ++s) {
            const Field& f = model_.types[at_type].fields[path[s]];
            if (s == i) v = f.fallback;
            at_type = f.type;
          }
          for (std::size_t s = i + 1; s < path.size(); ++s) v = v.record.fields[path[s]];
          const Wide scaled = v.number.small() ? Wide{v.number.num} * unit : 0;
          if (!v.number.small() || scaled % v.number.den != 0) {
            p.absent[i].required = true;  // not in this unit
          } else {
            const Wide n = scaled / v.number.den;
            if (n < p.low || n > p.high) p.absent[i].required = true;
            else p.absent[i].value = static_cast<std::int64_t>(n);
          }
        }
        p.lane = b_.in_lane(b_.new_lane(), p.low, p.high).lane;
      }
      std::int64_t unit = 1;
      for (int i = 0; i < p.decimals; ++i) unit *= 10;
      return of(b_.in_lane(p.lane, p.low, p.high, unit), p.given == kNoLane ? kYes : Truth{p.given});
    }
    case TypeKind::text:
    case TypeKind::list:
    case TypeKind::map:
    case TypeKind::record:
    case TypeKind::any: k.kind = Kind::input; return k;
    default: return {};
  }
}

Known KernelCompiler::as_text_lane(const Known& k) {
  if (k.kind != Kind::input || model_.types.kind(k.type) != TypeKind::text) return k;
  const std::size_t at = port_index(Port::Kind::symbol, k.path, {});
  Port& p = kernel_->ports[at];
  if (p.lane == kNoLane) p.lane = b_.in_lane(b_.new_lane(), 0, 1 << 20).lane;
  Known out;
  out.kind = Kind::text;
  out.lane = p.lane;
  out.port = static_cast<int>(at);
  out.given = p.given == kNoLane ? kYes : Truth{p.given};
  return out;
}

Truth KernelCompiler::given_of(const Known& k) {
  if (k.kind != Kind::input) return k.given;
  switch (model_.types.kind(k.type)) {
    case TypeKind::text: return as_text_lane(k).given;
    case TypeKind::list: return count(k).given;
    default: {
      const std::size_t at = port_index(Port::Kind::given, k.path, {});
      return Truth{kernel_->ports[at].given};
    }
  }
}

// A lane of an input that may be missing holds anything within its bounds then: so it may as well hold the default that a
// rule takes instead, and nothing has to be chosen.
bool KernelCompiler::filled(const Known& known, const LaneNumber& by) {
  const LaneNumber& n = known.number;
  if (n.lane == kNoLane || n.den != kNoLane || !by.constant() || n.unit % by.unit != 0) return false;
  const Wide value = Wide{by.value} * (n.unit / by.unit);
  for (std::size_t i = 0; i < kernel_->ports.size(); ++i) {
    Port& p = kernel_->ports[i];
    if (p.lane != n.lane || p.kind != Port::Kind::number) continue;
    if (p.given != known.given.lane) return false;  // missing elsewhere, too: a condition may hide it
    if (value < p.low || value > p.high) return false;
    const auto fill = static_cast<std::int64_t>(value);
    if (const auto [at, added] = fills_.try_emplace(i, fill); !added) return at->second == fill;
    for (Port::Absent& absent : p.absent) {
      if (!absent.required && !absent.given) absent.value = fill;
    }
    return true;
  }
  return false;
}

Known KernelCompiler::field(const Known& record, std::uint32_t index, TypeId type) {
  switch (record.kind) {
    case Kind::missing: return missing();
    case Kind::record: {
      if (index >= record.parts.size()) return missing();
      Known part = record.parts[index];
      if (record.given.always() || part.kind == Kind::unknown) return part;
      return choose(record.given, part, missing());
    }
    case Kind::input: {
      InputPath path = record.path;
      path.push_back(index);
      return input(type, std::move(path));
    }
    case Kind::item: {
      Known k = record;
      k.inner.push_back(index);
      k.type = type;
      return k;
    }
    default: return {};
  }
}

Known KernelCompiler::constant(TypeId type, const Value& v) {
  if (v.missing()) return missing();
  const Type& t = model_.types[type];
  Known k;
  switch (t.kind) {
    case TypeKind::number: return of(LaneBuilder::number(v.number));
    case TypeKind::boolean: return of(v.boolean.truth != 0 ? kYes : kNo);
    case TypeKind::text: return of_text(std::string(v.text.view()));
    case TypeKind::range:
      k.kind = Kind::range;
      k.range = *v.range.data;
      return k;
    case TypeKind::record:
      k.kind = Kind::record;
      for (std::uint32_t i = 0; i < v.record.size; ++i) k.parts.push_back(constant(t.fields[i].type, v.record.fields[i]));
      return k;
    case TypeKind::list:
      k.kind = Kind::list;
      for (std::uint32_t i = 0; i < v.list.size; ++i) k.parts.push_back(constant(t.element, v.list.items[i]));
      k.present.assign(k.parts.size(), kYes);
      return k;
    default: return {};
  }
}

// ---- choices and comparisons

Known KernelCompiler::choose(Truth when, const Known& a, const Known& b) {
  if (when.constant()) return when.value ? a : b;
  if (a.kind == Kind::input && model_.types.kind(a.type) == TypeKind::text) return {};
  if (a.kind == Kind::missing && b.kind == Kind::missing) return missing();
  const Truth first = b_.both(when, a.given), second = b_.and_not(b.given, when);
  const Truth given = a.given.always() && b.given.always() ? kYes : b_.either(first, second);
  const Kind kind = a.kind == Kind::missing ? b.kind : a.kind;
  if (a.kind != b.kind && a.kind != Kind::missing && b.kind != Kind::missing) return {};
  switch (kind) {
    case Kind::number:
      if (a.kind == Kind::missing) return of(b.number, given);
      if (b.kind == Kind::missing) return of(a.number, given);
      return of(b_.choose(when, a.number, b.number), given);
    case Kind::truth: {
      const Truth left = a.kind == Kind::missing ? kNo : a.value, right = b.kind == Kind::missing ? kNo : b.value;
      if (left.always() && right.never()) return of(when, given);
      if (left.never() && right.always()) return of(b_.negate(when), given);
      return of(b_.either(b_.both(when, left), b_.and_not(right, when)), given);
    }
    case Kind::text: {
      if (a.port >= 0 || b.port >= 0) return {};
      Known k = a.kind == Kind::missing ? b : a;
      k.given = given;
      if (a.kind == Kind::missing || b.kind == Kind::missing) return k;
      if (a.lane == kNoLane && b.lane == kNoLane && a.texts == b.texts) return k;
      // A constant goes behind the texts of the other, whose positions stay as they are.
      const bool behind = a.lane == kNoLane;
      k.texts = behind ? b.texts : a.texts;
      const auto shift = static_cast<std::int64_t>(k.texts.size());
      k.texts.insert(k.texts.end(), (behind ? a : b).texts.begin(), (behind ? a : b).texts.end());
      const auto position = [&](const Known& t, std::int64_t from) {
        if (t.lane == kNoLane) return LaneBuilder::number(from);
        const LaneNumber n = b_.in_lane(t.lane, 0, static_cast<std::int64_t>(t.texts.size()) - 1);
        return b_.add(n, LaneBuilder::number(from));
      };
      k.lane = b_.lane(b_.choose(when, position(a, behind ? shift : 0), position(b, behind ? 0 : shift)));
      return k;
    }
    case Kind::record: {
      const std::size_t n = std::max(a.parts.size(), b.parts.size());
      Known k;
      k.kind = Kind::record;
      k.given = given;
      for (std::size_t i = 0; i < n; ++i) {
        if (a.kind == Kind::missing) k.parts.push_back(b.parts[i]);
        else if (b.kind == Kind::missing) k.parts.push_back(a.parts[i]);
        else k.parts.push_back(choose(when, a.parts[i], b.parts[i]));
      }
      return k;
    }
    case Kind::list: {
      if (!a.given.always() || !b.given.always()) return {};
      Known k;  // the items of either, present when it is chosen
      k.kind = Kind::list;
      for (const Known* list : {&a, &b}) {
        for (std::size_t i = 0; i < list->parts.size(); ++i) {
          k.parts.push_back(list->parts[i]);
          k.present.push_back(list == &a ? b_.both(when, list->present[i]) : b_.and_not(list->present[i], when));
        }
      }
      return k;
    }
    default: return {};
  }
}

Truth KernelCompiler::is_text(const Known& k, const std::string& text) {
  if (k.port >= 0) {
    std::vector<std::string>& names = kernel_->ports[static_cast<std::size_t>(k.port)].names;
    auto at = std::find(names.begin(), names.end(), text);
    if (at == names.end()) at = names.insert(names.end(), text);
    const LaneNumber position = b_.in_lane(k.lane, 0, 1 << 20);
    return b_.equal(position, LaneBuilder::number(at - names.begin()));  // a missing text is none of the names
  }
  if (k.lane == kNoLane) return b_.both({kNoLane, k.texts[0] == text}, k.given);
  std::vector<Truth> found;
  for (std::size_t i = 0; i < k.texts.size(); ++i) {
    if (k.texts[i] != text) continue;
    const auto last = static_cast<std::int64_t>(k.texts.size()) - 1;
    found.push_back(b_.equal(b_.in_lane(k.lane, 0, last), LaneBuilder::number(static_cast<std::int64_t>(i))));
  }
  return b_.both(b_.any_of(found), k.given);
}

Known KernelCompiler::equal(const Known& left, const Known& right) {
  if (left.kind == Kind::missing || right.kind == Kind::missing) return missing();
  const Known a = as_text_lane(left), b = as_text_lane(right);
  const Truth given = b_.both(a.given, b.given);
  if (a.kind == Kind::number && b.kind == Kind::number) return of(b_.both(b_.equal(a.number, b.number), given), given);
  if (a.kind == Kind::truth && b.kind == Kind::truth) return of(b_.and_not(given, b_.differ(a.value, b.value)), given);
  if (a.kind == Kind::text && b.kind == Kind::text) {
    const bool first = a.lane == kNoLane;
    if (!first && b.lane != kNoLane) return {};
    return of(b_.both(is_text(first ? b : a, (first ? a : b).texts[0]), given), given);
  }
  return {};
}

Known KernelCompiler::compare(const Expr* e) {
  const Known a = eval(e->args[0]), b = eval(e->args[1]);
  if (e->op == Op::eq || e->op == Op::ne) {
    Known k = equal(a, b);
    if (e->op == Op::ne && k.kind == Kind::truth) k.value = b_.and_not(k.given, k.value);
    return k;
  }
  if (a.kind == Kind::missing || b.kind == Kind::missing) return missing();
  if (a.kind != Kind::number || b.kind != Kind::number) return {};
  const Truth given = b_.both(a.given, b.given);
  Truth value;
  switch (e->op) {
    case Op::lt: value = b_.less(a.number, b.number); break;
    case Op::gt: value = b_.less(b.number, a.number); break;
    case Op::le: value = b_.negate(b_.less(b.number, a.number)); break;
    default: value = b_.negate(b_.less(a.number, b.number)); break;
  }
  return of(b_.both(value, given), given);
}

// ---- lists

Known KernelCompiler::count(const Known& list) {
  switch (list.kind) {
    case Kind::missing: return missing();
    case Kind::list: {
      std::vector<LaneNumber> values, ones;
      for (const Truth& present : list.present) {
        values.push_back(b_.from_truth(present));
        ones.push_back(LaneBuilder::number(1));
      }
      return of(b_.weighted(values, ones), list.given);
    }
    case Kind::uniform:
    case Kind::input: {
      if (model_.types.kind(list.type) != TypeKind::list) return {};
      const std::size_t at = port_index(Port::Kind::count, list.path, {});
      Port& p = kernel_->ports[at];
      if (p.lane == kNoLane) p.lane = b_.in_lane(b_.new_lane(), 0, kItems).lane;
      p.high = kItems;
      return of(b_.in_lane(p.lane, 0, kItems), p.given == kNoLane ? kYes : Truth{p.given});
    }
    default: return {};
  }
}

Known KernelCompiler::aggregate(Builtin which, const Known& list) {
  if (list.kind == Kind::missing) return missing();
  if (which == Builtin::count) return count(list);
  if (list.kind != Kind::list) return {};
  for (const Known& part : list.parts) {
    if (part.kind == Kind::unknown) return {};
  }
  const bool fixed = std::all_of(list.present.begin(), list.present.end(), [](Truth t) { return t.always(); });
  // Missing when an item that is there is missing.
  Truth given = list.given;
  for (std::size_t i = 0; i < list.parts.size(); ++i) given = b_.both(given, b_.either(list.parts[i].given, b_.negate(list.present[i])));
  switch (which) {
    case Builtin::sum:
    case Builtin::mean: {
      std::vector<LaneNumber> values, ones;
      for (std::size_t i = 0; i < list.parts.size(); ++i) {
        if (list.parts[i].kind != Kind::number) return list.parts[i].kind == Kind::missing && fixed ? missing() : Known{};
        values.push_back(b_.choose(list.present[i], list.parts[i].number, LaneBuilder::number(0)));
        ones.push_back(LaneBuilder::number(1));
      }
      const LaneNumber total = b_.weighted(values, ones);
      if (which == Builtin::sum) return of(total, given);
      const Known n = count(list);
      if (n.kind != Kind::number) return {};
      const LaneNumber mean = b_.div(total, n.number, given);
      return of(mean, given);
    }
    case Builtin::min:
    case Builtin::max: {
      if (!fixed) return {};
      if (list.parts.empty()) return missing();
      LaneNumber n;
      for (std::size_t i = 0; i < list.parts.size(); ++i) {
        if (list.parts[i].kind != Kind::number) return list.parts[i].kind == Kind::missing ? missing() : Known{};
        n = i == 0 ? list.parts[0].number : b_.lesser(n, list.parts[i].number, which == Builtin::max);
      }
      return of(n, given);
    }
    case Builtin::any:
    case Builtin::all: {  // three-valued
      std::vector<Truth> values, decided;
      for (std::size_t i = 0; i < list.parts.size(); ++i) {
        const Known& part = list.parts[i];
        if (part.kind != Kind::truth && part.kind != Kind::missing) return {};
        const Truth value = part.kind == Kind::missing ? kNo : part.value;
        if (which == Builtin::any) values.push_back(b_.both(value, list.present[i]));
        else {
          values.push_back(b_.either(value, b_.negate(list.present[i])));
          decided.push_back(b_.both(list.present[i], b_.and_not(part.given, value)));  // false
        }
      }
      if (which == Builtin::any) {
        const Truth value = b_.both(b_.any_of(values), list.given);
        return of(value, b_.either(given, value));
      }
      const Truth value = b_.both(b_.all_of(values), list.given);
      return of(value, b_.either(given, b_.both(list.given, b_.any_of(decided))));
    }
    default: return {};
  }
}

// Where the amounts add up: the adjustments themselves are shown by the VM only.
Known KernelCompiler::adjust(const Expr* e) {
  const Known list = eval(e->args[0]);
  const Known cap = e->args.size() > 1 ? eval(e->args[1]) : missing();
  if (list.kind == Kind::missing) return missing();
  LaneNumber total = LaneBuilder::number(0);
  if (list.kind == Kind::uniform) {
    const Known& one = list.parts[0];
    if (one.kind != Kind::record || one.parts.size() < 2 || one.parts[0].kind != Kind::item || !one.parts[0].inner.empty()) return {};
    if (!model_.types[list.type].set) return {};  // names may repeat
    const Known n = count(list);
    if (one.parts[1].kind != Kind::number || !one.parts[1].number.constant() || n.kind != Kind::number || !n.given.always()) return {};
    if (one.parts[1].number.value > 0) total = b_.mul(n.number, one.parts[1].number);
  } else if (list.kind == Kind::list) {
    std::vector<std::string> names;
    std::vector<LaneNumber> values, ones;
    for (std::size_t i = 0; i < list.parts.size(); ++i) {
      const Known& part = list.parts[i];
      if (part.kind != Kind::record || part.parts.size() < 2 || !part.given.always()) return {};
      const Known &name = part.parts[0], &amount = part.parts[1];
      if (name.kind != Kind::text || name.lane != kNoLane || !name.given.always()) return {};
      if (std::find(names.begin(), names.end(), name.texts[0]) != names.end()) return {};
      names.push_back(name.texts[0]);
      if (amount.kind == Kind::missing) continue;
      if (amount.kind != Kind::number) return {};
      const LaneNumber positive = b_.lesser(amount.number, LaneBuilder::number(0), true);
      values.push_back(b_.choose(b_.both(list.present[i], amount.given), positive, LaneBuilder::number(0)));
      ones.push_back(LaneBuilder::number(1));
    }
    total = b_.weighted(values, ones);
  } else {
    return {};
  }
  if (cap.kind == Kind::number) {
    if (!cap.given.always()) return {};
    total = b_.lesser(total, b_.lesser(cap.number, LaneBuilder::number(0), true));
  } else if (cap.kind != Kind::missing) {
    return {};
  }
  if (total.bad) return {};
  Known k;
  k.kind = Kind::total;
  k.number = total;
  return k;
}

Known KernelCompiler::loop(const Expr* e) {
  const Loop& l = *e->loop;
  if (l.state >= 0 || !l.order.empty() || l.clauses.empty() || l.clauses[0].kind != LoopClause::Kind::for_in) return {};
  for (std::size_t i = 1; i < l.clauses.size(); ++i) {
    if (l.clauses[i].kind != LoopClause::Kind::when) return {};
  }
  const LoopClause& over = l.clauses[0];
  const Known source = eval(over.expr);
  if (source.kind == Kind::missing) return missing();
  const auto set = [&](int local, Known value) {
    if (local < 0) return;
    if (locals_.size() <= static_cast<std::size_t>(local)) locals_.resize(static_cast<std::size_t>(local) + 1);
    locals_[static_cast<std::size_t>(local)] = std::move(value);
  };
  if (source.kind == Kind::total) {  // the sum of the amounts
    const Expr* v = l.value;
    const bool amount = l.collect == Collect::sum && l.clauses.size() == 1 && v->op == Op::field && v->index == 1 &&
                        v->args[0]->op == Op::local && static_cast<int>(v->args[0]->index) == over.second;
    return amount ? of(source.number, source.given) : Known{};
  }
  if (source.kind == Kind::input && model_.types.kind(source.type) == TypeKind::list) {
    Known one;
    one.kind = Kind::item;
    one.path = source.path;
    one.type = model_.types[source.type].element;
    set(over.first, {});
    set(over.second, one);
    if (l.clauses.size() > 1) return {};
    const Known value = eval(l.value);
    if (l.collect == Collect::list && value.kind != Kind::unknown) {
      Known k;
      k.kind = Kind::uniform;
      k.path = source.path;
      k.type = source.type;
      k.parts.push_back(value);
      k.given = given_of(source);
      return k;
    }
    if (l.collect == Collect::count && value.kind != Kind::unknown) return count(source);
    const bool truth = (l.collect == Collect::all || l.collect == Collect::any) && value.kind == Kind::item &&
                       model_.types.kind(value.type) == TypeKind::boolean && !l.value->optional;
    if (!truth) return {};
    const std::size_t at = port_index(l.collect == Collect::all ? Port::Kind::all : Port::Kind::any, source.path, value.inner);
    Port& p = kernel_->ports[at];
    if (p.lane == kNoLane) p.lane = b_.in_lane(b_.new_lane(), 0, 1).lane;
    p.high = 1;
    const Truth given = p.given == kNoLane ? kYes : Truth{p.given};
    return of(b_.both(Truth{p.lane}, given), given);
  }
  if (source.kind != Kind::list) return {};
  Known k;
  k.kind = Kind::list;
  k.given = source.given;
  const bool counts = std::all_of(source.present.begin(), source.present.end(), [](Truth t) { return t.always(); });
  for (std::size_t i = 0; i < source.parts.size(); ++i) {
    set(over.first, counts ? of(LaneBuilder::number(static_cast<std::int64_t>(i))) : Known{});
    set(over.second, source.parts[i]);
    Truth present = source.present[i];
    for (std::size_t c = 1; c < l.clauses.size(); ++c) {
      const Known condition = eval(l.clauses[c].expr);
      if (condition.kind == Kind::missing) present = kNo;
      else if (condition.kind != Kind::truth) return {};
      else present = b_.both(present, condition.value);
    }
    if (present.never()) continue;
    k.parts.push_back(l.collect == Collect::count ? Known(of(LaneBuilder::number(1))) : eval(l.value));
    k.present.push_back(present);
  }
  switch (l.collect) {
    case Collect::list: return k;
    case Collect::count: return count(k);
    case Collect::sum: return aggregate(Builtin::sum, k);
    case Collect::mean: return aggregate(Builtin::mean, k);
    case Collect::min: return aggregate(Builtin::min, k);
    case Collect::max: return aggregate(Builtin::max, k);
    case Collect::any: return aggregate(Builtin::any, k);
    case Collect::all: return aggregate(Builtin::all, k);
    default: return {};
  }
}

// ---- tables

Truth KernelCompiler::fits(const Known& key, const CellTest& test) {
  if (test.kind == CellTest::Kind::missing || test.value.missing()) {
    if (test.kind != CellTest::Kind::range) return b_.negate(given_of(key));
  }
  if (test.kind == CellTest::Kind::value) {
    if (key.kind == Kind::number) return b_.both(key.given, b_.equal(key.number, LaneBuilder::number(test.value.number)));
    if (key.kind == Kind::truth) return test.value.boolean.truth != 0 ? key.value : b_.and_not(key.given, key.value);
    return is_text(key, std::string(test.value.text.view()));
  }
  Truth inside = key.given;
  const RangeData& r = test.range;
  if (!r.low.missing()) {
    const LaneNumber low = LaneBuilder::number(r.low);
    inside = b_.both(inside, r.low_open ? b_.less(low, key.number) : b_.negate(b_.less(key.number, low)));
  }
  if (!r.high.missing()) {
    const LaneNumber high = LaneBuilder::number(r.high);
    inside = b_.both(inside, r.high_open ? b_.less(key.number, high) : b_.negate(b_.less(high, key.number)));
  }
  return inside;
}

Known KernelCompiler::lookup(const Expr* e) {
  const LookupTable& table = model_.tables[e->index];
  std::vector<Known> keys;
  for (const Expr* arg : e->args) {
    keys.push_back(as_text_lane(eval(arg)));
    const Kind kind = keys.back().kind;
    if (kind != Kind::number && kind != Kind::truth && kind != Kind::text && kind != Kind::missing) return {};
  }
  const std::size_t rows = table.rows.size();
  if (rows == 0 || rows > 256) return {};
  // Lower bounds that fall from row to row, as bands have them: how many bounds the number is below.
  bool bands = keys.size() == 1 && keys[0].kind == Kind::number && keys[0].number.den == kNoLane;
  const bool otherwise = bands && table.rows.back().cells[0].empty();
  std::vector<std::int64_t> bounds;
  for (std::size_t i = 0; i < rows && bands; ++i) {
    const std::vector<CellTest>& cell = table.rows[i].cells[0];
    if (cell.empty() && i + 1 == rows) break;  // otherwise
    bands = cell.size() == 1 && cell[0].kind == CellTest::Kind::range && cell[0].range.high.missing() && !cell[0].range.low.missing() &&
            !cell[0].range.low_open && cell[0].range.low.small();
    if (!bands) break;
    // value / unit >= num / den is value >= ceil(num * unit / den)
    const Wide top = Wide{cell[0].range.low.num} * keys[0].number.unit;
    const Wide den = cell[0].range.low.den;
    const Wide bound = top >= 0 ? (top + den - 1) / den : -(-top / den);
    bands = bound < LaneBuilder::kMost && bound > -Wide{LaneBuilder::kMost} && (bounds.empty() || bound <= bounds.back());
    bounds.push_back(static_cast<std::int64_t>(bound));
  }
  if (bands && !bounds.empty()) {
    const LaneNumber& n = keys[0].number;
    if (n.lane == kNoLane) {
      std::int64_t row = 0;
      while (row < static_cast<std::int64_t>(bounds.size()) && n.value < bounds[static_cast<std::size_t>(row)]) ++row;
      if (otherwise && !keys[0].given.always()) {
        return of(b_.choose(keys[0].given, LaneBuilder::number(row), LaneBuilder::number(static_cast<std::int64_t>(rows) - 1)));
      }
      if (row == static_cast<std::int64_t>(rows)) return missing();
      return of(LaneBuilder::number(row), keys[0].given);
    }
    std::vector<LaneTerm> list;
    for (const std::int64_t bound : bounds) {
      if (bound > n.low) list.push_back({0, bound});  // what every number reaches does not count
    }
    const auto most = static_cast<std::int64_t>(list.size());
    LaneInstruction i;
    i.op = LaneOp::below;
    i.b = n.lane;
    const LaneNumber row = most == 0 ? LaneBuilder::number(0) : b_.in_lane(b_.emit(i, std::move(list)), 0, most);
    const auto end = static_cast<std::int64_t>(rows);
    if (otherwise) {
      const LaneNumber last = LaneBuilder::number(end - 1);
      return of(b_.choose(keys[0].given, row, last));
    }
    return of(row, b_.both(keys[0].given, most < end ? kYes : b_.less(row, LaneBuilder::number(end))));
  }
  // One text of the record: each name has its row.
  if (keys.size() == 1 && keys[0].port >= 0) {
    std::vector<std::string>& names = kernel_->ports[static_cast<std::size_t>(keys[0].port)].names;
    SymbolRows found;
    found.port = static_cast<std::size_t>(keys[0].port);
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
    if (plain) {
      LaneInstruction i;
      i.op = LaneOp::pick;
      i.b = keys[0].lane;
      i.y = static_cast<std::int64_t>(e->index) + 1;  // another table is another instruction
      const bool total = found.other >= 0;
      const auto last = static_cast<std::int64_t>(rows) - 1;
      const LaneNumber row = b_.in_lane(b_.emit(i), total ? 0 : -1, last);
      found.lane = row.lane;
      const Truth given = total ? kYes : b_.negate(b_.less(row, LaneBuilder::number(0)));
      symbol_rows_.push_back(std::move(found));
      return of(total ? row : b_.lesser(row, LaneBuilder::number(0), true), given);
    }
  }
  std::vector<LaneTerm> list;
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
        if (keys[k].kind == Kind::missing) any.push_back({kNoLane, absent});
        else any.push_back(fits(keys[k], test));
      }
      all.push_back(b_.any_of(any));
    }
    const Truth fit = b_.all_of(all);
    if (fit.never()) continue;
    if (fit.always()) sure = kYes;
    fitting.push_back(fit);
    list.push_back({fit.lane, static_cast<std::int64_t>(i)});
  }
  if (list.empty()) return missing();
  const std::int64_t other = list.back().factor;
  const Truth given = b_.any_of(fitting);
  std::int64_t low = list[0].factor, high = list.back().factor;
  list.pop_back();  // what is left when none of the others fits; when it does not fit either the row is missing
  if (list.empty()) return of(LaneBuilder::number(other), given);
  LaneInstruction i;
  i.op = LaneOp::first;
  i.x = other;
  return of(b_.in_lane(b_.emit(i, std::move(list)), low, high), given);
}

Known KernelCompiler::pick(const Expr* e) {
  const Known row = eval(e->args[0]);
  if (row.kind == Kind::missing) return missing();
  if (row.kind != Kind::number || row.number.unit != 1 || row.number.den != kNoLane) return {};
  const auto count = static_cast<std::int64_t>(e->args.size()) - 1;
  if (row.number.low < 0) return {};
  std::vector<Known> values;
  for (std::int64_t i = 0; i <= std::min(row.number.high, count - 1); ++i) {
    values.push_back(eval(e->args[static_cast<std::size_t>(i) + 1]));
    if (values.back().kind == Kind::unknown) return {};
  }
  if (row.number.lane == kNoLane) {
    if (row.number.value >= count) return missing();
    return choose(row.given, values.back(), missing());
  }
  // A row beyond the column is that of a record without a row.
  while (static_cast<std::int64_t>(values.size()) <= row.number.high) values.push_back(missing());
  std::vector<LaneTerm> there;
  bool all = true;
  for (const Known& v : values) {
    there.push_back({0, v.kind == Kind::missing ? 0 : 1});
    all = all && v.kind != Kind::missing;
  }
  const auto picked = [&](std::vector<LaneTerm> list) {
    LaneInstruction i;
    i.op = LaneOp::pick;
    i.b = row.number.lane;
    return b_.emit(i, std::move(list));
  };
  Truth given = row.given;
  if (!all) given = b_.both(given, Truth{b_.in_lane(picked(there), 0, 1).lane});
  const auto first = std::find_if(values.begin(), values.end(), [](const Known& v) { return v.kind != Kind::missing; });
  if (first == values.end()) return missing();
  switch (first->kind) {
    case Kind::text: {
      Known k;
      k.kind = Kind::text;
      k.given = given;
      k.lane = row.number.lane;
      for (const Known& v : values) {
        if (v.kind == Kind::text && (v.lane != kNoLane || v.port >= 0)) return {};
        k.texts.push_back(v.kind == Kind::text ? v.texts[0] : std::string());
      }
      return k;
    }
    case Kind::truth: {
      std::vector<LaneTerm> list;
      for (const Known& v : values) {
        if (v.kind == Kind::truth && !v.value.constant()) return {};
        list.push_back({0, v.kind == Kind::truth && v.value.value ? 1 : 0});
      }
      return of(b_.both(Truth{b_.in_lane(picked(std::move(list)), 0, 1).lane}, given), given);
    }
    case Kind::number: {
      Wide unit = 1;
      for (const Known& v : values) {
        if (v.kind != Kind::number) continue;
        if (!v.number.constant()) return {};
        unit = unit / std::gcd(static_cast<std::int64_t>(unit), v.number.unit) * v.number.unit;
        if (unit > LaneBuilder::kMost) return {};
      }
      std::vector<LaneTerm> list;
      std::int64_t low = INT64_MAX, high = INT64_MIN;
      for (const Known& v : values) {
        const Wide n = v.kind == Kind::number ? Wide{v.number.value} * (unit / v.number.unit) : Wide{first->number.value} * (unit / first->number.unit);
        if (n > LaneBuilder::kMost || n < -Wide{LaneBuilder::kMost}) return {};
        list.push_back({0, static_cast<std::int64_t>(n)});
        low = std::min(low, list.back().factor);
        high = std::max(high, list.back().factor);
      }
      if (low == high) return of(LaneBuilder::number(low, static_cast<std::int64_t>(unit)), given);
      return of(b_.in_lane(picked(std::move(list)), low, high, static_cast<std::int64_t>(unit)), given);
    }
    default: return {};
  }
}

// ---- expressions

Known KernelCompiler::weighted_sum(const Expr* e) {
  const std::size_t n = e->args.size() / 2;
  std::vector<LaneNumber> values, factors;
  Truth given = kYes;
  for (std::size_t i = 0; i < n; ++i) {
    const Known value = eval(e->args[i]), factor = eval(e->args[n + i]);
    if (value.kind == Kind::missing || factor.kind == Kind::missing) return missing();
    if (value.kind != Kind::number || factor.kind != Kind::number) return {};
    given = b_.both(given, b_.both(value.given, factor.given));
    values.push_back(value.number);
    factors.push_back(factor.number);
  }
  return of(b_.weighted(values, factors), given);
}

Known KernelCompiler::call(const Expr* e) {
  if (depth_ >= kDepth) return {};
  const Function& f = model_.functions[e->index];
  if (f.rubric >= 0 && f.rubric != request_.rubric) return {};
  std::vector<Known> args;
  for (const Expr* arg : e->args) args.push_back(eval(arg));
  std::vector<Known> outer(static_cast<std::size_t>(std::max(f.locals, static_cast<int>(f.params.size()))));
  std::move(args.begin(), args.end(), outer.begin());
  std::swap(outer, locals_);
  ++depth_;
  Known result = eval(f.body);
  --depth_;
  std::swap(outer, locals_);
  return result;
}

Known KernelCompiler::builtin(const Expr* e) {
  const auto which = static_cast<Builtin>(e->index);
  std::vector<Known> args;
  for (const Expr* arg : e->args) args.push_back(eval(arg));
  if (args.empty()) return {};
  if (which == Builtin::count) return count(args[0]);
  Truth given = kYes;
  for (const Known& arg : args) {
    if (arg.kind == Kind::missing) return missing();
    if (arg.kind == Kind::unknown) return {};
  }
  const bool list = args[0].kind == Kind::list;
  if (list && args.size() == 1) return aggregate(which, args[0]);
  for (const Known& arg : args) {
    if (arg.kind != Kind::number && arg.kind != Kind::range) return {};
    given = b_.both(given, arg.given);
  }
  if (args[0].kind != Kind::number) return {};
  LaneNumber n = args[0].number;
  const auto rounded = [&](Rounding mode) -> Known {
    std::int64_t decimals = 0;
    if (args.size() > 1) {
      if (!args[1].number.constant() || args[1].number.unit != 1) return {};
      decimals = args[1].number.value;
    }
    if (decimals > 9 || decimals < -9) return {};
    const Interval& range = model_.types[e->type].range;
    return of(b_.within(b_.round(n, static_cast<int>(decimals), mode, range), range), given);
  };
  switch (which) {
    case Builtin::abs: return of(b_.absolute(n), given);
    case Builtin::min:
    case Builtin::max:
      for (std::size_t i = 1; i < args.size(); ++i) n = b_.lesser(n, args[i].number, which == Builtin::max);
      return of(n, given);
    case Builtin::clamp: return args.size() == 2 && args[1].kind == Kind::range ? of(b_.clamp(n, args[1].range), given) : Known{};
    case Builtin::round: return rounded(Rounding::half_away);
    case Builtin::round_even: return rounded(Rounding::half_even);
    case Builtin::floor: return rounded(Rounding::floor);
    case Builtin::ceil: return rounded(Rounding::ceil);
    case Builtin::trunc: return rounded(Rounding::trunc);
    default: return {};
  }
}

Known KernelCompiler::item(int index) {
  std::optional<Known>& known = items_[static_cast<std::size_t>(index)];
  if (known) return *known;
  known = Known{};  // an item that needs itself, which the checker refuses
  std::vector<Known> outer(static_cast<std::size_t>(rubric_.items[static_cast<std::size_t>(index)].locals));
  std::swap(outer, locals_);
  known = eval(rubric_.items[static_cast<std::size_t>(index)].body);
  std::swap(outer, locals_);
  return *items_[static_cast<std::size_t>(index)];
}

Known KernelCompiler::eval(const Expr* e) {
  if (b_.code.size() > kInstructions || b_.broken) return {};
  return evaluated(e);
}

Known KernelCompiler::evaluated(const Expr* e) {
  const std::vector<Expr*>& args = e->args;
  switch (e->op) {
    case Op::constant: return constant(e->type, e->value);
    case Op::local: return e->index < locals_.size() ? locals_[e->index] : Known{};
    case Op::slot: return input(rubric_.slots[e->index].type, {e->index});
    case Op::weight: {
      const Number n = request_.weights != nullptr ? request_.weights[e->index] : rubric_.weights[e->index].value;
      return of(LaneBuilder::number(n));
    }
    case Op::raw_history: {  // there is none where a kernel is used
      Known k;
      k.kind = Kind::list;
      return k;
    }
    case Op::item: return item(static_cast<int>(e->index));
    case Op::let_in: {
      Known value = eval(args[0]);
      if (locals_.size() <= e->index) locals_.resize(e->index + 1);
      locals_[e->index] = std::move(value);
      return eval(args[1]);
    }
    case Op::choice: {
      const Known when = eval(args[1]);
      if (when.kind == Kind::missing) return eval(args[2]);
      if (when.kind != Kind::truth) return {};
      if (when.value.constant()) return eval(args[when.value.value ? 0 : 2]);
      const Known a = eval(args[0]), b = eval(args[2]);
      if (a.kind == Kind::unknown || b.kind == Kind::unknown) return {};
      return choose(when.value, a, b);
    }
    case Op::and_:
    case Op::or_:
    case Op::xor_: {
      const Known a = eval(args[0]), b = eval(args[1]);
      if ((a.kind != Kind::truth && a.kind != Kind::missing) || (b.kind != Kind::truth && b.kind != Kind::missing)) return {};
      const Truth both = b_.both(a.given, b.given);
      const Truth av = a.kind == Kind::missing ? kNo : a.value, bv = b.kind == Kind::missing ? kNo : b.value;
      if (e->op == Op::or_) {
        const Truth value = b_.either(av, bv);
        return of(value, b_.either(both, value));
      }
      if (e->op == Op::xor_) return of(b_.both(both, b_.differ(av, bv)), both);
      if (both.always()) return of(b_.both(av, bv));
      const Truth no = b_.either(b_.and_not(a.given, av), b_.and_not(b.given, bv));
      return of(b_.both(av, bv), b_.either(both, no));
    }
    case Op::not_: {
      const Known a = eval(args[0]);
      if (a.kind == Kind::missing) return missing();
      return a.kind == Kind::truth ? of(b_.and_not(a.given, a.value), a.given) : Known{};
    }
    case Op::eq:
    case Op::ne:
    case Op::lt:
    case Op::le:
    case Op::gt:
    case Op::ge: return compare(e);
    case Op::in_range: {
      const Known n = eval(args[0]), range = eval(args[1]);
      if (n.kind == Kind::missing || range.kind == Kind::missing) return missing();
      if (n.kind != Kind::number || range.kind != Kind::range) return {};
      CellTest test;
      test.kind = CellTest::Kind::range;
      test.range = range.range;
      return of(fits(n, test), n.given);
    }
    case Op::in_list: {
      const Known one = as_text_lane(eval(args[0])), list = eval(args[1]);
      if (one.kind == Kind::missing || list.kind == Kind::missing) return missing();
      if (list.kind != Kind::list || one.kind == Kind::unknown) return {};
      std::vector<Truth> found;
      for (std::size_t i = 0; i < list.parts.size(); ++i) {
        if (!list.parts[i].given.always() || !list.present[i].always()) return {};
        const Known same = equal(one, list.parts[i]);
        if (same.kind != Kind::truth) return {};
        found.push_back(same.value);
      }
      return of(b_.any_of(found), one.given);
    }
    case Op::is_missing: {
      const Known a = eval(args[0]);
      return a.kind == Kind::unknown || a.kind == Kind::item ? Known{} : of(b_.negate(given_of(a)));
    }
    case Op::default_: {
      const Known a = eval(args[0]);
      if (a.kind == Kind::missing) return eval(args[1]);
      if (a.kind == Kind::unknown || a.kind == Kind::input) return {};
      if (a.given.always()) return a;
      const Known b = eval(args[1]);
      if (b.kind == Kind::unknown) return {};
      if (a.kind == Kind::number && b.kind == Kind::number && b.given.always() && filled(a, b.number)) return of(a.number);
      return choose(a.given, a, b);
    }
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div: {
      const Known a = eval(args[0]), b = eval(args[1]);
      if (a.kind == Kind::missing || b.kind == Kind::missing) return missing();
      if (a.kind != Kind::number || b.kind != Kind::number) return {};
      Truth given = b_.both(a.given, b.given);
      switch (e->op) {
        case Op::add: return of(b_.add(a.number, b.number), given);
        case Op::sub: return of(b_.sub(a.number, b.number), given);
        case Op::mul: return of(b_.mul(a.number, b.number), given);
        default: {
          const LaneNumber n = b_.div(a.number, b.number, given);
          return of(n, given);
        }
      }
    }
    case Op::neg: {
      const Known a = eval(args[0]);
      if (a.kind != Kind::number) return a.kind == Kind::missing ? a : Known{};
      return of(b_.sub(LaneBuilder::number(0), a.number), a.given);
    }
    case Op::concat: {
      const Known a = eval(args[0]), b = eval(args[1]);
      if (a.kind == Kind::missing || b.kind == Kind::missing) return missing();
      if (a.kind == Kind::list && a.parts.empty()) return b;
      if (b.kind == Kind::list && b.parts.empty()) return a;
      if (a.kind != Kind::list || b.kind != Kind::list || model_.types[e->type].set) return {};
      Known k = a;
      k.given = b_.both(a.given, b.given);
      k.parts.insert(k.parts.end(), b.parts.begin(), b.parts.end());
      k.present.insert(k.present.end(), b.present.begin(), b.present.end());
      return k;
    }
    case Op::make_range: {
      const Known a = eval(args[0]), b = eval(args[1]);
      Known k;
      k.kind = Kind::range;
      k.range.low_open = (e->index & 1) != 0;
      k.range.high_open = (e->index & 2) != 0;
      const auto end = [](const Known& n, const Expr* from, Number& to) {
        if (n.kind == Kind::missing) return from->op == Op::constant;
        if (n.kind != Kind::number || !n.number.constant() || !n.given.always()) return false;
        to = {n.number.value, n.number.unit};
        return true;
      };
      return end(a, args[0], k.range.low) && end(b, args[1], k.range.high) ? k : Known{};
    }
    case Op::make_record:
    case Op::make_list: {
      Known k;
      k.kind = e->op == Op::make_list ? Kind::list : Kind::record;
      for (const Expr* arg : args) k.parts.push_back(eval(arg));
      k.present.assign(k.parts.size(), kYes);
      return k;
    }
    case Op::field: return field(eval(args[0]), e->index, e->type);
    case Op::call: return call(e);
    case Op::builtin: return builtin(e);
    case Op::loop: return loop(e);
    case Op::lookup: return lookup(e);
    case Op::pick: return pick(e);
    case Op::weighted_sum: return weighted_sum(e);
    case Op::adjust: return adjust(e);
    case Op::compact: {
      Known k = eval(args[0]);
      if (k.kind == Kind::missing) return k;
      if (k.kind != Kind::list) return {};
      for (std::size_t i = 0; i < k.parts.size(); ++i) {
        if (k.parts[i].kind == Kind::unknown) return {};
        k.present[i] = b_.both(k.present[i], given_of(k.parts[i]));
      }
      return k;
    }
    case Op::join_text: {
      const bool whole = e->parts.size() == 1 && e->parts[0].arg == 0 && model_.types.kind(args[0]->type) == TypeKind::text;
      if (whole) return eval(args[0]);
      if (args.empty()) {
        std::string text;
        for (const TextSegment& part : e->parts) text += part.literal;
        return of_text(std::move(text));
      }
      return {};
    }
    default: return {};
  }
}

// ---- the whole

bool KernelCompiler::result(int root, int decimals) {
  const Item& it = rubric_.items[static_cast<std::size_t>(root)];
  const Known k = item(root);
  LaneResult r;
  if (!k.given.always() && !k.given.never()) r.given = k.given.lane;
  switch (k.kind) {
    case Kind::missing: r.kind = LaneResult::Kind::missing; break;
    case Kind::number: {
      int places = decimals;
      if (places < 0) {
        // As it is: whole numbers, or a decimal short enough to be shown in full.
        places = 0;
        std::int64_t unit = 1;
        while (places < 9 && unit % k.number.unit != 0) {
          unit *= 10;
          ++places;
        }
        constexpr std::int64_t kShown = 1'000'000'000'000;
        if (k.number.den != kNoLane || unit % k.number.unit != 0 || k.number.high > kShown / 1000 || k.number.low < -kShown / 1000) {
          why_ = "'" + it.name + "' is a fraction that is shown as it is";
          return false;
        }
      }
      const LaneNumber n = b_.decimal(k.number, places);
      if (n.bad) {
        why_ = "'" + it.name + "' may be too large";
        return false;
      }
      r.kind = LaneResult::Kind::number;
      r.decimals = places;
      r.lane = n.lane;
      r.x = n.value;
      r.low = n.low;
      r.high = n.high;
      break;
    }
    case Kind::truth:
      r.kind = LaneResult::Kind::truth;
      r.lane = k.value.lane;
      r.x = k.value.value ? 1 : 0;
      break;
    case Kind::text:
      if (k.port >= 0) break;
      r.kind = LaneResult::Kind::text;
      r.lane = k.lane;
      r.texts = k.texts;
      break;
    case Kind::input:
      if (k.path.size() != 1 || model_.types.kind(k.type) != TypeKind::text) break;
      r.kind = LaneResult::Kind::input;
      r.slot = k.path[0];
      break;
    default: break;
  }
  if (r.kind == LaneResult::Kind::missing && k.kind != Kind::missing) {
    why_ = "'" + it.name + "' is made of what a kernel has no instruction for";
    return false;
  }
  kernel_->results.push_back(std::move(r));
  return true;
}

// A record that breaks a rule is the VM's, which says what is wrong with it.
bool KernelCompiler::rules() {
  if (!rubric_.embedded.empty()) return false;
  for (const RequiredWhen& rule : rubric_.required_when) {
    const Known value = input(rubric_.slots[static_cast<std::size_t>(rule.slot)].type, {static_cast<std::uint32_t>(rule.slot)});
    locals_.assign(static_cast<std::size_t>(rule.locals), {});
    const Known condition = eval(rule.condition);
    if (condition.kind == Kind::missing) continue;
    if (condition.kind != Kind::truth || value.kind == Kind::unknown) return false;
    b_.refuse_when(b_.and_not(condition.value, given_of(value)));
  }
  for (const Check& check : rubric_.checks) {
    locals_.assign(static_cast<std::size_t>(check.locals), {});
    const Known broken = eval(check.body);
    if (broken.kind == Kind::missing) continue;
    if (broken.kind != Kind::list) return false;
    std::vector<Truth> any;
    for (const Truth& present : broken.present) any.push_back(present);
    b_.refuse_when(b_.both(b_.any_of(any), broken.given));
  }
  return true;
}

void KernelCompiler::finish() {
  Kernel& k = *kernel_;
  for (const SymbolRows& rows : symbol_rows_) {
    for (LaneInstruction& i : b_.code) {
      if (i.op != LaneOp::pick || i.a != rows.lane) continue;
      i.terms = static_cast<std::uint32_t>(b_.terms.size());
      i.count = 0;
      for (const std::string& name : k.ports[rows.port].names) {
        const auto at = rows.rows.find(name);
        b_.terms.push_back({0, at == rows.rows.end() ? rows.other : at->second});
        ++i.count;
      }
      b_.terms.push_back({0, rows.other});
      ++i.count;
    }
  }
  // What nothing needs is left out, ports included.
  std::vector<bool> needed(b_.lanes(), false);
  const auto need = [&](Lane lane) {
    if (lane != kNoLane) needed[lane] = true;
  };
  for (const LaneResult& r : k.results) {
    need(r.lane);
    need(r.given);
  }
  // What was assumed of a number or a list may have decided a comparison: then a record has to be as assumed though
  // nothing reads the lane.
  for (const Port& port : k.ports) {
    if (port.kind == Port::Kind::number || port.kind == Port::Kind::count) need(port.lane);
  }
  std::vector<LaneInstruction> kept;
  for (auto i = b_.code.rbegin(); i != b_.code.rend(); ++i) {
    if (i->op != LaneOp::refuse && !needed[i->a]) continue;
    kept.push_back(*i);
    switch (i->op) {
      case LaneOp::set: break;
      case LaneOp::weighted:
      case LaneOp::first:
      case LaneOp::all_of:
      case LaneOp::any_of:
        for (std::uint32_t t = 0; t < i->count; ++t) need(b_.terms[i->terms + t].lane);
        break;
      case LaneOp::select:
        need(i->d);
        need(i->c);
        need(i->b);
        break;
      case LaneOp::add:
      case LaneOp::sub:
      case LaneOp::mul:
      case LaneOp::min:
      case LaneOp::max:
      case LaneOp::div:
      case LaneOp::lt:
      case LaneOp::eq:
      case LaneOp::and_:
      case LaneOp::or_:
      case LaneOp::xor_:
      case LaneOp::and_not:
        need(i->c);
        need(i->b);
        break;
      default: need(i->b); break;
    }
  }
  std::reverse(kept.begin(), kept.end());
  k.narrow = true;
  for (const auto& [lane, range] : b_.bounds) {
    if (needed[lane]) k.narrow = k.narrow && range.first >= INT32_MIN / 2 && range.second <= INT32_MAX / 2;
  }
  for (const LaneInstruction& i : kept) {
    for (std::uint32_t t = 0; t < i.count; ++t) {
      const std::int64_t f = b_.terms[i.terms + t].factor;
      k.narrow = k.narrow && f >= INT32_MIN / 2 && f <= INT32_MAX / 2;
    }
    // Of a sum the constant may be beyond its lanes, which make up for it.
    const bool constant = i.op == LaneOp::div_x || i.op == LaneOp::mul_x || i.op == LaneOp::weighted;
    if (constant) k.narrow = k.narrow && i.x <= INT32_MAX / 2 && i.x >= INT32_MIN / 2;
  }
  for (Port& port : k.ports) {
    for (Port::Absent& absent : port.absent) {
      if (port.kind == Port::Kind::symbol && !absent.given) absent.value = static_cast<std::int64_t>(port.names.size());
    }
    if (port.lane != kNoLane && !needed[port.lane]) port.lane = kNoLane;
    if (port.given != kNoLane && !needed[port.given]) port.given = kNoLane;
  }
  std::erase_if(k.ports, [](const Port& p) { return p.lane == kNoLane && p.given == kNoLane; });
  k.code = std::move(kept);
  k.terms = b_.terms;
  k.lanes = b_.lanes();
}

std::shared_ptr<const Kernel> KernelCompiler::run(std::string& why) {
  if (!rubric_.history_by.empty()) {
    why = "its records depend on each other";
    return nullptr;
  }
  if (!rules()) {
    why = "a rule needs what a kernel has no instruction for";
    return nullptr;
  }
  for (std::size_t i = 0; i < request_.roots.size(); ++i) {
    if (result(request_.roots[i], request_.decimals[i])) continue;
    why = why_;
    return nullptr;
  }
  if (b_.broken || b_.code.size() > kInstructions) {
    why = "it is too large";
    return nullptr;
  }
  finish();
  return kernel_;
}

}  // namespace

std::shared_ptr<const Kernel> compile_kernel(const KernelRequest& request, std::string& why) {
  return KernelCompiler(request).run(why);
}

std::string dump(const Kernel& kernel) {
  static constexpr const char* kNames[] = {
#define ASSAY_LANE_OP(id, name, doc) name,
#include "lang/lane_ops.def"
#undef ASSAY_LANE_OP
  };
  static constexpr const char* kKinds[] = {"number", "truth", "symbol", "count", "all", "any", "given"};
  std::string out = kernel.narrow ? "kernel, 32 bits a lane\n" : "kernel, 64 bits a lane\n";
  const auto lane = [](Lane l) { return l == kNoLane ? std::string("-") : "l" + std::to_string(l); };
  for (const Port& p : kernel.ports) {
    out += "  " + lane(p.lane) + " = " + kKinds[static_cast<std::size_t>(p.kind)] + " at";
    for (const std::uint32_t step : p.path) out += " " + std::to_string(step);
    if (p.kind == Port::Kind::number) out += " times 10^" + std::to_string(p.decimals);
    if (p.kind != Port::Kind::symbol) out += ", " + std::to_string(p.low) + ".." + std::to_string(p.high);
    for (const std::string& name : p.names) out += " \"" + name + "\"";
    if (p.given != kNoLane) out += ", given " + lane(p.given);
    out += "\n";
  }
  for (const LaneInstruction& i : kernel.code) {
    out += "  " + lane(i.a) + " = " + kNames[static_cast<std::size_t>(i.op)] + " l" + std::to_string(i.b) + " l" + std::to_string(i.c) + " l" +
           std::to_string(i.d) + " " + std::to_string(i.x) + " " + std::to_string(i.y);
    for (std::uint32_t t = 0; t < i.count; ++t) {
      const LaneTerm& term = kernel.terms[i.terms + t];
      out += " (l" + std::to_string(term.lane) + " " + std::to_string(term.factor) + ")";
    }
    out += "\n";
  }
  return out;
}

}  // namespace assay
