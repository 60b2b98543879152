// Model → Kernel. An expression is evaluated as far as possible without a record: registers remain for the rest. Lists
// that a rubric writes out (its dimensions, its gates) and records are taken apart and leave no trace; lists of the
// record remain only as answers about them (how many items, whether all are true). An unsupported expression is an
// unknown value, and only a result that depends on one prevents the kernel.
#include "lang/kernel/kernel_compiler.hpp"
#include "lang/value/equality.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <optional>

namespace assay {

// ---- the whole

bool KernelCompiler::result(int root, int decimals) {
  const Item& it = rubric_.items[static_cast<std::size_t>(root)];
  const AbstractValue k = item(root);
  if (k.kind != Kind::missing && !shows_whole(it)) return false;
  KernelResult r;
  if (!k.given.always() && !k.given.never()) r.given = k.given.reg;
  switch (k.kind) {
    case Kind::missing: r.kind = KernelResult::Kind::missing; break;
    case Kind::number: {
      int places = decimals;
      constexpr int kDigits = -100,
                    kUsualDigits = 12;  // as in runtime/output/report.hpp: -100 - n is n significant digits
      if (places < kDigits && places > kDigits - kUsualDigits) {
        why_ = "'" + it.name + "' is shown with few digits";
        return false;
      }
      if (places < 0) {
        // Unchanged: integers, or a decimal short enough to be shown in full.
        places = 0;
        std::int64_t unit = 1;
        while (places < 9 && unit % k.number.unit != 0) {
          unit *= 10;
          ++places;
        }
        constexpr std::int64_t kShown = 1'000'000'000'000;
        if (k.number.den != kNoReg || unit % k.number.unit != 0 || k.number.high > kShown / 1000 ||
            k.number.low < -kShown / 1000) {
          why_ = "'" + it.name + "' is a fraction that is shown as it is";
          return false;
        }
      }
      const KernelNumber n = b_.decimal(k.number, places);
      if (n.bad) {
        why_ = "'" + it.name + "' may be too large";
        return false;
      }
      r.kind = KernelResult::Kind::number;
      r.decimals = places;
      r.reg = n.reg;
      r.x = n.value;
      r.low = n.low;
      r.high = n.high;
      break;
    }
    case Kind::truth:
      r.kind = KernelResult::Kind::truth;
      r.reg = k.value.reg;
      r.x = k.value.value ? 1 : 0;
      break;
    case Kind::text:
      if (k.input >= 0) break;
      r.kind = KernelResult::Kind::text;
      r.reg = k.reg;
      r.texts = k.texts;
      break;
    case Kind::input:
      if (k.path.size() != 1 || model_.types.kind(k.type) != TypeKind::text) break;
      r.kind = KernelResult::Kind::input;
      r.slot = k.path[0];
      break;
    default: break;
  }
  if (r.kind == KernelResult::Kind::missing && k.kind != Kind::missing) {
    refuse("'" + it.name + "'", k.reason);
    return false;
  }
  kernel_->results.push_back(std::move(r));
  return true;
}

// The VM evaluates records that break a rule, because it makes the message.
bool KernelCompiler::rules() {
  if (!rubric_.embedded.empty()) {
    why_ = "an input is a record of another rubric, with rules of its own";
    return false;
  }
  for (const RequiredWhen& rule : rubric_.required_when) {
    const AbstractValue value =
        input(rubric_.slots[static_cast<std::size_t>(rule.slot)].type, {static_cast<std::uint32_t>(rule.slot)});
    locals_.assign(static_cast<std::size_t>(rule.locals), {});
    const AbstractValue condition = eval(rule.condition);
    if (condition.kind == Kind::missing) continue;
    if (condition.kind != Kind::truth || value.kind == Kind::unknown) {
      refuse("a rule", condition.kind != Kind::truth ? condition.reason : value.reason);
      return false;
    }
    b_.refuse_when(b_.and_not(condition.value, given_of(value)));
  }
  for (const Check& check : rubric_.checks) {
    locals_.assign(static_cast<std::size_t>(check.locals), {});
    const AbstractValue broken = eval(check.body);
    if (broken.kind == Kind::missing) continue;
    if (broken.kind != Kind::list) {
      refuse("a rule", broken.reason);
      return false;
    }
    std::vector<Truth> any;
    for (const Truth& present : broken.present) any.push_back(present);
    b_.refuse_when(b_.both(b_.any_of(any), broken.given));
  }
  return true;
}

void KernelCompiler::finish() {
  Kernel& k = *kernel_;
  for (const SymbolRows& rows : symbol_rows_) {
    for (KernelInstruction& i : b_.code) {
      if (i.op != KernelOp::pick || i.a != rows.reg) continue;
      i.terms = static_cast<std::uint32_t>(b_.terms.size());
      i.count = 0;
      for (const std::string& name : k.inputs[rows.input].names) {
        const auto at = rows.rows.find(name);
        b_.terms.push_back({0, at == rows.rows.end() ? rows.other : at->second});
        ++i.count;
      }
      b_.terms.push_back({0, rows.other});
      ++i.count;
    }
  }
  // Instructions and inputs that nothing needs are removed.
  std::vector<bool> needed(b_.registers(), false);
  const auto need = [&](Register reg) {
    if (reg != kNoReg) needed[reg] = true;
  };
  for (const KernelResult& r : k.results) {
    need(r.reg);
    need(r.given);
  }
  // An assumption about a number or a list may have decided a comparison: then a record must satisfy it even if nothing
  // reads the register.
  for (const KernelInput& input : k.inputs) {
    if (input.kind == KernelInput::Kind::number || input.kind == KernelInput::Kind::count) need(input.reg);
  }
  std::vector<KernelInstruction> kept;
  for (auto i = b_.code.rbegin(); i != b_.code.rend(); ++i) {
    if (i->op != KernelOp::refuse && !needed[i->a]) continue;
    kept.push_back(*i);
    for_each_read(*i, b_.terms, need);
  }
  std::reverse(kept.begin(), kept.end());
  k.narrow = true;
  for (const auto& [reg, range] : b_.bounds) {
    if (needed[reg]) k.narrow = k.narrow && range.first >= INT32_MIN / 2 && range.second <= INT32_MAX / 2;
  }
  for (const KernelInstruction& i : kept) {
    for (std::uint32_t t = 0; t < i.count; ++t) {
      const std::int64_t f = b_.terms[i.terms + t].factor;
      k.narrow = k.narrow && f >= INT32_MIN / 2 && f <= INT32_MAX / 2;
    }
    // The constant of a sum may exceed the range of its registers, which compensate for it.
    const bool constant = i.op == KernelOp::div_x || i.op == KernelOp::mul_x || i.op == KernelOp::weighted;
    if (constant) k.narrow = k.narrow && i.x <= INT32_MAX / 2 && i.x >= INT32_MIN / 2;
  }
  for (KernelInput& input : k.inputs) {
    for (KernelInput::Absent& absent : input.absent) {
      if (input.kind == KernelInput::Kind::symbol && !absent.given)
        absent.value = static_cast<std::int64_t>(input.names.size());
    }
    if (input.reg != kNoReg && !needed[input.reg]) input.reg = kNoReg;
    if (input.given != kNoReg && !needed[input.given]) input.given = kNoReg;
  }
  std::erase_if(k.inputs, [](const KernelInput& p) { return p.reg == kNoReg && p.given == kNoReg; });
  k.code = std::move(kept);
  k.terms = b_.terms;
  k.registers = b_.registers();
  note_bounds();
}

// Registers of instructions got their bounds when they were made.
void KernelCompiler::note_bounds() {
  Kernel& k = *kernel_;
  k.bounds.assign(k.registers, {0, 1});
  for (const KernelInput& input : k.inputs) {
    if (input.reg != kNoReg && input.kind != KernelInput::Kind::given) k.bounds[input.reg] = {input.low, input.high};
    if (input.reg != kNoReg && input.kind == KernelInput::Kind::symbol)
      k.bounds[input.reg] = {0, static_cast<std::int64_t>(input.names.size())};
  }
  for (const auto& [reg, range] : b_.bounds) k.bounds[reg] = {range.first, range.second};
  for (const KernelInstruction& i : k.code) {
    const bool bounded = i.op == KernelOp::refuse || b_.bounds.contains(i.a);
    assert(bounded);
    if (!bounded) k.bounds[i.a] = {INT64_MIN, INT64_MAX};  // no test: none lacks them
  }
}

std::shared_ptr<const Kernel> KernelCompiler::run(std::string& why, Span* where) {
  const auto made = [&] {
    if (!rubric_.history.by.empty()) {
      why_ = "its records depend on each other";
      return false;
    }
    if (!rules()) return false;
    for (std::size_t i = 0; i < request_.roots.size(); ++i) {
      if (!result(request_.roots[i], request_.decimals[i])) return false;
    }
    return true;
  };
  const bool good = made();
  if (b_.broken || b_.code.size() > kInstructions) {
    why_ = b_.broken ? "a comparison needs a number that may be too large" : "it is too large";
    where_ = {};
  } else if (good) {
    finish();
    return kernel_;
  }
  why = why_;
  if (where != nullptr) *where = where_;
  return nullptr;
}

std::shared_ptr<const Kernel> compile_kernel(const KernelRequest& request, std::string& why, Span* where) {
  return KernelCompiler(request).run(why, where);
}

std::string dump(const Kernel& kernel) {
  static constexpr const char* kNames[] = {
#define ASSAY_LANE_OP(id, name, reads, doc) name,
#include "lang/kernel/kernel_ops.def"
#undef ASSAY_LANE_OP
  };
  static constexpr const char* kKinds[] = {"number", "truth", "symbol", "count", "all", "any", "given"};
  std::string out = kernel.narrow ? "kernel, 32 bits a reg\n" : "kernel, 64 bits a reg\n";
  const auto reg = [](Register l) { return l == kNoReg ? std::string("-") : "l" + std::to_string(l); };
  for (const KernelInput& p : kernel.inputs) {
    out += "  " + reg(p.reg) + " = " + kKinds[static_cast<std::size_t>(p.kind)] + " at";
    for (const std::uint32_t step : p.path) out += " " + std::to_string(step);
    if (p.kind == KernelInput::Kind::number) out += " times 10^" + std::to_string(p.decimals);
    if (p.kind != KernelInput::Kind::symbol) out += ", " + std::to_string(p.low) + ".." + std::to_string(p.high);
    for (const std::string& name : p.names) out += " \"" + name + "\"";
    if (p.given != kNoReg) out += ", given " + reg(p.given);
    out += "\n";
  }
  for (const KernelInstruction& i : kernel.code) {
    out += "  " + reg(i.a) + " = " + kNames[static_cast<std::size_t>(i.op)] + " l" + std::to_string(i.b) + " l" +
           std::to_string(i.c) + " l" + std::to_string(i.d) + " " + std::to_string(i.x) + " " + std::to_string(i.y);
    for (std::uint32_t t = 0; t < i.count; ++t) {
      const KernelTerm& term = kernel.terms[i.terms + t];
      out += " (l" + std::to_string(term.reg) + " " + std::to_string(term.factor) + ")";
    }
    out += "\n";
  }
  return out;
}

}  // namespace assay
