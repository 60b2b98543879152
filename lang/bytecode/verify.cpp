// Checks a Program before it runs: everything that the interpreter assumes and does not test. Constants must not be
// written, because all calls of a window share them; every path ends in `ret`, `halt`, `refuse` or a jump.
#include "lang/bytecode/program.hpp"

namespace assay {

namespace {

class Verifier {
 public:
  Verifier(const Program& program, std::string& why) : p_(program), why_(why) {}

  bool run() {
    if (p_.functions.empty()) return fail("there is no main function");
    for (std::size_t f = 0; f < p_.functions.size(); ++f)
      if (!function(f)) return false;
    for (std::uint32_t r : p_.results)
      if (r >= p_.functions[0].registers) return fail("a result register is out of range");
    if (p_.functions[0].params != p_.slots + p_.weights.size() + 1)
      return fail("the main function has other parameters");
    return tables();
  }

 private:
  bool fail(const std::string& what) {
    why_ = what;
    return false;
  }

  bool function(std::size_t index) {
    const BytecodeFunction& f = p_.functions[index];
    auto wrong = [&](std::size_t at, const std::string& what) {
      return fail("function " + std::to_string(index) + " at " + std::to_string(at) + ": " + what);
    };
    if (f.params + f.constants.size() > f.registers) return wrong(0, "the window is too small");
    if (f.constant_types.size() != f.constants.size()) return wrong(0, "a constant has no type");
    if (f.code.empty()) return wrong(0, "there is no code");
    for (std::size_t at = 0; at < f.code.size(); ++at) {
      const Instruction& i = f.code[at];
      if (static_cast<std::size_t>(i.op) >= kOpcodeCount) return wrong(at, "there is no such instruction");
      if (i.op == Opcode::halt && index != 0) return wrong(at, "only the main function halts");
      if (i.op == Opcode::ret && index == 0) return wrong(at, "the main function does not return");
      const char* letters = row(i.op).operands;
      const std::uint32_t operands[] = {i.a, i.b, i.c, i.x};
      if (!indices(i)) return wrong(at, "an index is out of range");
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t size = count(i, k);
        switch (letters[k]) {
          case 'w':
          case 'm':
          case 'W':
          case 'M':
            if (!writable(f, operands[k], size)) return wrong(at, "a register may not be written");
            break;
          case 'r':
          case 'R':
            if (size > 0 && operands[k] + size > f.registers) return wrong(at, "a register is out of range");
            break;
          case 'j':
            if (operands[k] >= f.code.size()) return wrong(at, "a jump leaves the function");
            break;
          default: break;
        }
      }
      const bool ends = i.op == Opcode::ret || i.op == Opcode::halt || i.op == Opcode::jump || i.op == Opcode::refuse;
      if (at + 1 == f.code.size() && !ends) return wrong(at, "the function does not end");
    }
    return true;
  }

  static bool writable(const BytecodeFunction& f, std::uint64_t first, std::uint64_t size) {
    const std::uint64_t constants = f.params + f.constants.size();
    return first + size <= f.registers && (first >= constants || first + size <= f.params || size == 0);
  }

  // How many registers operand k represents.
  std::size_t count(const Instruction& i, std::size_t k) const {
    const char letter = row(i.op).operands[k];
    if (letter != 'W' && letter != 'R' && letter != 'M') return 1;
    switch (i.op) {
      case Opcode::move_block:
      case Opcode::make_record:
      case Opcode::make_list:
      case Opcode::spread: return i.c;
      case Opcode::push_row: return k == 0 ? 2 : i.c;
      case Opcode::weighted_sum: return i.x;
      case Opcode::call: return p_.functions[i.b].params;
      case Opcode::make_map: return p_.key_sets[i.c].size;
      case Opcode::join_text: return p_.texts[i.c].args;
      case Opcode::lookup_index:
      case Opcode::lookup_scan: return p_.lookups[i.c].table->keys.size();
      case Opcode::builtin: return p_.calls[i.c].types.size();
      case Opcode::hook: return p_.model->hooks[i.c].params.size();
      case Opcode::each_item:
      case Opcode::each_earlier:
      case Opcode::next_item: return 3;
      case Opcode::each_entry:
      case Opcode::next_entry: return 4;
      case Opcode::next_row: return 2 + std::size_t{i.b};
      default: return 2;  // each_row, builders, accumulators
    }
  }

  bool indices(const Instruction& i) const {
    const char* letters = row(i.op).operands;
    const std::uint32_t operands[] = {i.a, i.b, i.c, i.x};
    for (std::size_t k = 0; k < 4; ++k) {
      std::size_t size = SIZE_MAX;
      switch (letters[k]) {
        case 'f': size = p_.functions.size(); break;
        case 't': size = p_.lookups.size(); break;
        case 'p': size = p_.picks.size(); break;
        case 'e': size = p_.sets.size(); break;
        case 's': size = p_.texts.size(); break;
        case 'k': size = p_.key_sets.size(); break;
        case 'o': size = p_.sorts.size(); break;
        case 'q': size = p_.calls.size(); break;
        case 'h': size = p_.model->hooks.size(); break;
        case 'g': size = p_.messages.size(); break;
        case 'y': size = p_.types.size(); break;
        case 'n': size = p_.points.size(); break;
        default: break;
      }
      if (operands[k] >= size) return false;
    }
    return true;
  }

  bool tables() {
    for (const Lookup& l : p_.lookups) {
      const std::size_t rows = l.table->rows.size();
      for (const TableRow& r : l.table->rows)
        if (r.cells.size() != l.table->keys.size()) return fail("a row of table " + l.table->name + " has other keys");
      for (const Lookup::Bound& b : l.bounds)
        if (b.row < 0 || static_cast<std::size_t>(b.row) >= rows) return fail("a bound has no row");
      if (l.otherwise >= static_cast<std::int64_t>(rows)) return fail("a bound has no row");
      for (std::uint32_t slot : l.slots)
        if (slot > l.entries.size()) return fail("an index is out of range");
      for (const Lookup::Entry& e : l.entries)
        if (e.begin > e.end || e.end > l.rows.size()) return fail("an index is out of range");
      for (const std::vector<std::uint32_t>* list : {&l.rows, &l.others})
        for (std::uint32_t r : *list)
          if (r >= rows) return fail("an index is out of range");
    }
    for (const ConstantSet& s : p_.sets) {
      if (s.slots.size() <= s.items.size()) return fail("a set of constants has no end");
      for (std::uint32_t slot : s.slots)
        if (slot > s.items.size()) return fail("an index is out of range");
    }
    for (const TextTemplate& t : p_.texts)
      for (const TextPart& part : t.parts)
        if (part.arg >= static_cast<std::int64_t>(t.args)) return fail("a template has too few values");
    for (const SortOrder& o : p_.sorts)
      if (o.stride == 0 || o.keys.size() >= o.stride) return fail("an order has more keys than columns");
    return true;
  }

  const Program& p_;
  std::string& why_;
};

}  // namespace

bool verify(const Program& program, std::string& why) { return Verifier(program, why).run(); }

}  // namespace assay
