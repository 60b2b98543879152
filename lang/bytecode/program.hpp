// Bytecode, which the VM runs. A Program is immutable and shared between threads. See lang/bytecode/opcodes.def for the
// instructions and lang/bytecode/compile.hpp for how it is made.
//
// A register machine. Registers are untagged values; types are static, so instructions are typed. Each function has a
// window of registers: its parameters, then its constants (copied in by the call, so that an operand is always a
// register), then everything else. There are no globals: a function receives the parts of its rubric that it uses.
#pragma once

#include "lang/model/model.hpp"
#include "lang/value/arena.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace assay {

enum class Opcode : std::uint16_t {
#define ASSAY_OPCODE(id, name, operands, doc) id,
#include "lang/bytecode/opcodes.def"
#undef ASSAY_OPCODE
};

struct OpcodeRow {
  const char* name;
  const char* operands;  // one letter each for a, b, c, x
  const char* doc;
};
inline constexpr OpcodeRow kOpcodes[] = {
#define ASSAY_OPCODE(id, name, operands, doc) {name, operands, doc},
#include "lang/bytecode/opcodes.def"
#undef ASSAY_OPCODE
};
inline constexpr std::size_t kOpcodeCount = sizeof kOpcodes / sizeof kOpcodes[0];
inline const OpcodeRow& row(Opcode op) { return kOpcodes[static_cast<std::size_t>(op)]; }

struct Instruction {
  Opcode op = Opcode::halt;
  std::uint16_t x = 0;
  std::uint32_t a = 0, b = 0, c = 0;
};
static_assert(sizeof(Instruction) == 16);

struct Constant {
  Value value = missing_value();
  TypeId type = kUnknown;
};

// The instructions begin … end of a function compute an item of its rubric, except nested parts of this kind.
struct ItemCode {
  std::uint32_t begin = 0, end = 0;
  int item = -1;
};

struct BytecodeFunction {
  std::string name;
  std::uint32_t params = 0;      // the first registers
  std::uint32_t registers = 0;   // the whole window
  std::vector<Value> constants;  // the registers after the parameters
  std::vector<TypeId> constant_types;
  std::vector<Instruction> code;
  std::vector<ItemCode> items;  // inner ones first
};

// A table prepared for searching.
struct Lookup {
  enum class Kind : std::uint8_t { threshold, index, scan } kind = Kind::scan;
  const LookupTable* table = nullptr;  // belongs to the model
  // threshold: one number key with bounds that descend (lower bounds) or ascend (upper bounds) from row to row
  struct Bound {
    Number value;
    std::int32_t row = 0;
    bool open = false;
  };
  std::vector<Bound> bounds;
  bool upper = false;
  std::int32_t otherwise = -1;  // the row that matches anything, including a missing key
  // index: open addressing over the values of the first key; rows of a value are rows[begin … end)
  struct Entry {
    Value key = missing_value();
    std::uint32_t begin = 0, end = 0;
  };
  std::vector<std::uint32_t> slots;  // position in entries + 1
  std::vector<Entry> entries;
  std::vector<std::uint32_t> rows;
  std::vector<std::uint32_t> others;  // rows whose first cell contains more than plain values
};

// Constants to search for a value: open addressing by deep_hash, position + 1.
struct ConstantSet {
  TypeId type = kUnknown;
  bool missing = false;  // a constant is missing: a value that is not found may equal it
  std::vector<Value> items;
  std::vector<std::uint32_t> slots;
};

struct PickColumn {
  TypeId type = kUnknown;
  std::span<const Value> values;  // belong to the model
};

struct TextPart {
  std::string literal;
  int arg = -1;
  int decimals = -1;
  TypeId type = kUnknown;
};
struct TextTemplate {
  std::vector<TextPart> parts;
  std::uint32_t args = 0;
  bool whole = false;  // the template is a single text: the result is that text
};

struct KeySet {
  MapData data{};  // keys and index; values are made at run time
  std::uint32_t size = 0;
};

struct SortKey {
  TypeId type = kNumber;
  bool higher = true;
};
struct SortOrder {  // for rows: lists divided into groups of `stride` values, the sort keys first
  std::uint32_t stride = 1;
  std::vector<SortKey> keys;
};

struct BuiltinCall {
  Builtin builtin = Builtin::abs;
  std::vector<TypeId> types;  // of the arguments
  TypeId result = kUnknown;
};

// A report of a traced program: runtime/explain makes a tree of them.
struct TracePoint {
  enum class Kind : std::uint8_t {
    item,     // its beginning; its value ends it
    expr,     // the same
    round,    // the beginning of another round of clause `index` of the loop `expr`
    passed,   // the round passed all conditions
    taken,    // the choice takes its first side
    skipped,  // … its second side
    local,    // a named value, or the value of a round of a loop
  };
  Kind kind = Kind::expr;
  const Expr* expr = nullptr;  // belongs to the model
  int index = -1;              // item; clause
  int rubric = -1;             // of the item
  std::string name;            // local: as written; empty: the value of a round
  TypeId type = kUnknown;      // of the value
};

struct Program : std::enable_shared_from_this<Program> {
  std::shared_ptr<const Model> model;
  int rubric = -1;
  Arena arena;                              // memory of constants that the model does not have
  std::vector<BytecodeFunction> functions;  // the first is the main one: slots, weights, earlier records
  std::vector<std::uint32_t> results;       // registers of the main function, one per root
  std::vector<Number> weights;              // the defaults
  std::uint32_t slots = 0;
  std::vector<Lookup> lookups;
  std::vector<PickColumn> picks;
  std::vector<ConstantSet> sets;
  std::vector<TextTemplate> texts;
  std::vector<KeySet> key_sets;
  std::vector<SortOrder> sorts;
  std::vector<BuiltinCall> calls;
  std::vector<TypeId> types;
  std::vector<std::string> messages;
  std::vector<TracePoint> points;  // of a traced program
};

// The text form of bytecode: stable and without addresses, so that it can be compared.
std::string disassemble(const Program& program, Budget budget = Budget::without_limits());

// Whether every register, target and index is in range and every path ends; otherwise `why` tells the problem. A
// program made by `compile` always passes: run in tests and debug builds.
bool verify(const Program& program, std::string& why);

}  // namespace assay
