// A kernel computes some fields of a rubric with integers of known size. Every number is an integer over a unit that is
// known when the kernel is made (9.25 is 925 over 100), every truth 0 or 1, every text one of a list; the bounds of the
// inputs prove that nothing overflows. So a kernel is exact, has no jumps, allocates nothing, and runs in the same way
// over one record or over a block of rows, one loop per instruction.
//
// It is a second, faster path to the results of the bytecode. If a rubric needs something for which kernels have no
// instruction (a list that is shown, a hook, a root), there is no kernel; if a record exceeds the assumed bounds of its
// inputs, the kernel declines it and the VM evaluates it. The assumptions are learned from the records (NumberBounds).
// tests/property compares the two.
#pragma once

#include "lang/model/model.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace assay {

enum class KernelOp : std::uint8_t {
#define ASSAY_LANE_OP(id, name, reads, doc) id,
#include "lang/kernel/kernel_ops.def"
#undef ASSAY_LANE_OP
};

// The registers that an instruction reads: bc includes b, bcd includes bc.
enum class KernelReads : std::uint8_t { none, b, bc, bcd, terms };

constexpr KernelReads reads_of(KernelOp op) {
  constexpr KernelReads kReads[] = {
#define ASSAY_LANE_OP(id, name, reads, doc) KernelReads::reads,
#include "lang/kernel/kernel_ops.def"
#undef ASSAY_LANE_OP
  };
  return kReads[static_cast<std::size_t>(op)];
}

constexpr bool makes_truth(KernelOp op) { return op >= KernelOp::lt && op <= KernelOp::any_of; }

using Register = std::uint32_t;
inline constexpr Register kNoReg = 0xffffffffu;

struct RegisterBounds {
  std::int64_t low = 0, high = 0;
};

struct KernelTerm {
  Register reg = 0;
  std::int64_t factor = 0;
};

struct KernelInstruction {
  KernelOp op = KernelOp::set;
  Rounding mode = Rounding::half_away;
  Register a = 0, b = 0, c = 0, d = 0;
  std::uint32_t terms = 0, count = 0;  // in Kernel::terms
  std::int64_t x = 0, y = 0;
  bool signs = false;  // div, div_x: the numerator may be negative
};

// Calls visit(register) for every register that an instruction, or a type with the same members, reads.
template <class Instruction, class Visit>
void for_each_read(const Instruction& i, const std::vector<KernelTerm>& terms, Visit&& visit) {
  const KernelReads reads = reads_of(i.op);
  if (reads == KernelReads::terms) {
    for (std::uint32_t t = 0; t < i.count; ++t) visit(terms[i.terms + t].reg);
    return;
  }
  if (reads >= KernelReads::bcd) visit(i.d);
  if (reads >= KernelReads::bc) visit(i.c);
  if (reads >= KernelReads::b) visit(i.b);
}

// Assumptions about a number in the records: at most this many decimals, and a magnitude below `limit`. Learned if the
// type of the input does not give them.
struct NumberBounds {
  int decimals = 0;
  std::int64_t limit = std::int64_t{1} << 20;
};

using InputPath = std::vector<std::uint32_t>;  // a slot, then fields of records
using InputBounds = std::map<InputPath, NumberBounds>;

// A part of a record that a kernel reads, and its registers.
struct KernelInput {
  enum class Kind : std::uint8_t {
    number,  // register: the number times 10^decimals
    truth,
    symbol,  // register: the position of the text in `names`, names.size() for any other text
    count,   // register: the number of items of a list (for a set: of distinct ones)
    all,     // register: whether the truth at `item` is true in all items of a list …
    any,     // … in one of them
    given,   // no register: only whether it is present
  } kind = Kind::number;
  InputPath path;
  InputPath item;  // all, any: path inside an item; empty: the item itself
  Register reg = kNoReg;
  Register given = kNoReg;         // whether there is a value; kNoReg: always
  int decimals = 0;                // number
  std::int64_t low = 0, high = 0;  // bounds of the register; the kernel declines a record with another value
  std::vector<std::string> names;
  // The replacement if the record has no value at level k of the path (0: the slot is absent or null; 1: the slot is a
  // record without the field …). `required`: the kernel declines the record.
  struct Absent {
    bool required = false, given = false;
    std::int64_t value = 0;
  };
  std::vector<Absent> absent;  // one for each step of the path
};

// A value of the verdict, computed from registers.
struct KernelResult {
  enum class Kind : std::uint8_t {
    number,  // register, or x: times 10^decimals
    truth,   // register, or x
    text,    // texts[register], or texts[x]
    input,   // the value of slot `slot` as in the record
    missing,
  } kind = Kind::missing;
  Register reg = kNoReg;    // kNoReg: the constant x
  Register given = kNoReg;  // kNoReg: always
  std::int64_t x = 0;
  std::int64_t low = 0, high = 0;  // number: bounds of the register
  int decimals = 0;
  std::vector<std::string> texts;
  std::uint32_t slot = 0;
};

struct Kernel {
  std::vector<KernelInput> inputs;
  std::vector<KernelInstruction> code;
  std::vector<KernelTerm> terms;
  std::vector<KernelResult> results;   // one for each root
  std::uint32_t registers = 0;         // register numbers are below this
  std::vector<RegisterBounds> bounds;  // of each register, whatever it holds
  bool narrow = false;                 // every register fits 32 bits
};

struct KernelRequest {
  const Model* model = nullptr;
  int rubric = 0;
  std::vector<int> roots;  // items
  // for each root, as VerdictField::decimals: a number is only as exact as it is shown
  std::vector<int> decimals;
  const Number* weights = nullptr;  // in force; null: the defaults
  InputBounds bounds;
};

// Null if there is none: `why` gives the reason in words, and `where` the unsupported expression, if there is one.
std::shared_ptr<const Kernel> compile_kernel(const KernelRequest& request, std::string& why, Span* where = nullptr);

// The text form, one line per instruction.
std::string dump(const Kernel& kernel);

}  // namespace assay
