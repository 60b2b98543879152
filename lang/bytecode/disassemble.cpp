// Program → text, for `assay show --bytecode` and the corpus. One line per instruction, constants and tables in full,
// no addresses: two programs are equal if their texts are.
#include "lang/bytecode/program.hpp"

#include "lang/value/constant_text.hpp"

#include <cstdio>

namespace assay {

namespace {

class Disassembler {
 public:
  Disassembler(const Program& program, Budget& budget) : p_(program), types_(program.model->types), budget_(budget) {}

  std::string run() {
    for (std::size_t i = 0; i < p_.functions.size(); ++i) function(i);
    for (std::size_t i = 0; i < p_.lookups.size(); ++i) lookup(i);
    for (std::size_t i = 0; i < p_.picks.size(); ++i) {
      out_ += "column " + std::to_string(i) + ":";
      for (const Value& v : p_.picks[i].values) {
        budget_.step();
        out_ += ' ';
        write_constant(types_, p_.picks[i].type, v, out_);
      }
      out_ += '\n';
    }
    for (std::size_t i = 0; i < p_.sets.size(); ++i) {
      out_ += "set " + std::to_string(i) + ":";
      for (const Value& v : p_.sets[i].items) {
        budget_.step();
        out_ += ' ';
        write_constant(types_, p_.sets[i].type, v, out_);
      }
      out_ += p_.sets[i].missing ? " missing\n" : "\n";
    }
    for (std::size_t i = 0; i < p_.sorts.size(); ++i) {
      out_ += "order " + std::to_string(i) + ":";
      for (const SortKey& key : p_.sorts[i].keys) out_ += key.higher ? " higher" : " lower";
      out_ += " of " + std::to_string(p_.sorts[i].stride) + "\n";
    }
    return std::move(out_);
  }

 private:
  void function(std::size_t index) {
    const BytecodeFunction& f = p_.functions[index];
    out_ += "function " + std::to_string(index) + " " + f.name + ": " + std::to_string(f.params) + " parameters, " +
            std::to_string(f.registers) + " registers\n";
    for (std::size_t i = 0; i < f.constants.size(); ++i) {
      budget_.step();
      out_ += "  r" + std::to_string(f.params + i) + " = ";
      write_constant(types_, f.constant_types[i], f.constants[i], out_);
      out_ += '\n';
    }
    for (std::size_t i = 0; i < f.code.size(); ++i) {
      budget_.step(2);
      char head[64];
      std::snprintf(head, sizeof head, "  %4zu  %-19s", i, row(f.code[i].op).name);
      out_ += head;
      instruction(f.code[i]);
      while (out_.back() == ' ') out_.pop_back();
      out_ += '\n';
    }
    if (index == 0) {
      out_ += "  results";
      for (std::uint32_t r : p_.results) out_ += " r" + std::to_string(r);
      out_ += '\n';
    }
  }

  void instruction(const Instruction& i) {
    const char* letters = row(i.op).operands;
    const std::uint32_t operands[] = {i.a, i.b, i.c, i.x};
    for (std::size_t k = 0; k < 4; ++k) {
      if (letters[k] == '-') continue;
      out_ += ' ';
      operand(letters[k], operands[k]);
    }
  }

  void operand(char letter, std::uint32_t v) {
    const std::string n = std::to_string(v);
    switch (letter) {
      case 'w':
      case 'r':
      case 'm': out_ += "r" + n; break;
      case 'W':
      case 'R':
      case 'M': out_ += "r" + n + ".."; break;
      case 'j': out_ += "->" + n; break;
      case 'f': out_ += "function " + n + " (" + p_.functions[v].name + ")"; break;
      case 't': out_ += "table " + n; break;
      case 'p': out_ += "column " + n; break;
      case 'e': out_ += "set " + n; break;
      case 's': text(p_.texts[v]); break;
      case 'k':
        out_ += '{';
        for (std::uint32_t i = 0; i < p_.key_sets[v].size; ++i) {
          if (i) out_ += ", ";
          write_json_text(p_.key_sets[v].data.keys[i].text.view(), out_);
        }
        out_ += '}';
        break;
      case 'o': out_ += "order " + n; break;
      case 'q': builtin(p_.calls[v]); break;
      case 'h': out_ += "hook " + p_.model->hooks[v].name; break;
      case 'g': write_json_text(p_.messages[v], out_); break;
      case 'y': out_ += types_.str(p_.types[v]); break;
      case 'd': out_ += std::to_string(static_cast<std::int32_t>(v)); break;
      default: out_ += n;
    }
  }

  void text(const TextTemplate& t) {
    std::string s;
    for (const TextPart& part : t.parts) {
      if (part.arg < 0) {
        s += part.literal;
        continue;
      }
      s += "{" + std::to_string(part.arg);
      if (part.decimals >= 0) s += " decimals " + std::to_string(part.decimals);
      s += "}";
    }
    write_json_text(s, out_);
  }

  void builtin(const BuiltinCall& call) {
    static const char* const kNames[] = {
#define ASSAY_BUILTIN(id, name, ...) name,
#include "lang/model/builtins.def"
#undef ASSAY_BUILTIN
    };
    out_ += kNames[static_cast<std::size_t>(call.builtin)];
    out_ += '(';
    for (std::size_t i = 0; i < call.types.size(); ++i) {
      if (i) out_ += ", ";
      out_ += types_.str(call.types[i]);
    }
    out_ += ')';
  }

  void lookup(std::size_t index) {
    const Lookup& l = p_.lookups[index];
    static const char* const kKinds[] = {"threshold", "index", "scan"};
    out_ +=
        "table " + std::to_string(index) + " " + l.table->name + ": " + kKinds[static_cast<std::size_t>(l.kind)] + "\n";
    for (const TableRow& r : l.table->rows) {
      budget_.step(1 + r.cells.size());
      out_ += "  |";
      for (std::size_t k = 0; k < r.cells.size(); ++k) {
        out_ += ' ';
        if (r.cells[k].empty()) out_ += "otherwise";
        for (std::size_t c = 0; c < r.cells[k].size(); ++c) {
          const CellTest& test = r.cells[k][c];
          if (c) out_ += ", ";
          switch (test.kind) {
            case CellTest::Kind::value: write_constant(types_, l.table->keys[k].type, test.value, out_); break;
            case CellTest::Kind::range: write_range(test.range, out_); break;
            case CellTest::Kind::missing: out_ += "missing"; break;
          }
        }
        out_ += " |";
      }
      out_ += '\n';
    }
  }

  const Program& p_;
  const TypeTable& types_;
  Budget& budget_;
  std::string out_;
};

}  // namespace

std::string disassemble(const Program& program, Budget budget) { return Disassembler(program, budget).run(); }

}  // namespace assay
