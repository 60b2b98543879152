// Finds functions that need no metering. While Lua counts instructions it checks each one, which takes as long as a
// short function itself. But a function without backward jumps and calls executes each of its instructions at most
// once, so their number shows in advance that it ends before the first check of the meter. Such a function runs
// unmetered, with the same results. This unit reads the bytecode that lua_dump writes; a function with any instruction
// not known to be harmless is metered.
#include "runtime/hooks/lua/lua_runtime.hpp"

#include <cstring>
#include <string>

namespace assay {

namespace {

// Of Lua 5.4 (lopcodes.h); positions in the dump follow its format 0.
enum Instruction : std::uint32_t {
  op_move = 0,
  op_loadk = 3,
  op_loadfalse = 5,
  op_loadnil = 8,
  op_getupval = 9,
  op_addi = 21,
  op_modk = 25,
  op_powk = 26,
  op_mod = 37,
  op_pow = 38,
  op_shr = 45,
  op_mmbin = 46,
  op_mmbink = 48,
  op_unm = 49,
  op_not = 51,
  op_jmp = 56,
  op_eq = 57,
  op_testset = 67,
  op_return = 70,
  op_return1 = 72,
};
constexpr std::size_t kHeader = 31;
constexpr std::uint32_t kJumpNowhere = 16777215;  // represents 0 in 25 bits

class Dump {
 public:
  explicit Dump(std::string bytes) : bytes_(std::move(bytes)) {}
  bool good() const { return at_ <= bytes_.size(); }
  void skip(std::size_t count) { at_ += count; }
  std::size_t number() {  // seven bits per byte; the last one is marked
    std::size_t n = 0;
    while (at_ < bytes_.size() && n < bytes_.size()) {
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      n = n << 7 | (byte & 0x7F);
      if (byte & 0x80) return n;
    }
    at_ = bytes_.size() + 1;
    return 0;
  }
  std::uint32_t instruction() {
    std::uint32_t word = op_getupval + 1;  // not harmless
    if (at_ + sizeof word <= bytes_.size()) std::memcpy(&word, bytes_.data() + at_, sizeof word);
    at_ += sizeof word;
    return word;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// An instruction that, with plain operands, neither calls nor allocates. An operation on other operands looks for a
// metamethod (op_mmbin …), which plain values do not have, and fails.
bool harmless(std::uint32_t instruction) {
  const std::uint32_t op = instruction & 0x7F;
  if (op == op_modk || op == op_powk || op == op_mod || op == op_pow) return false;  // may take long for floats
  if (op == op_jmp) return instruction >> 7 >= kJumpNowhere;                         // forward
  return op <= op_loadk || (op >= op_loadfalse && op <= op_getupval) || (op >= op_addi && op <= op_not) ||
         (op >= op_eq && op <= op_testset) || (op >= op_return && op <= op_return1);
}

}  // namespace

int straight_length(lua_State* L) {
  for (int i = 1; lua_getupvalue(L, -1, i); ++i) {  // an operation on a table may call
    const int type = lua_type(L, -1);
    lua_pop(L, 1);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN && type != LUA_TNUMBER) return 0;
  }
  std::string bytes;
  if (lua_iscfunction(L, -1) || lua_dump(L, append_code, &bytes, 1) != 0) return 0;
  constexpr char kLua54[] = LUA_SIGNATURE "\x54";  // its format is 0
  if (bytes.compare(0, sizeof kLua54, kLua54, sizeof kLua54) != 0) return 0;
  Dump dump(std::move(bytes));
  dump.skip(kHeader + 1);            // and the number of upvalues
  if (dump.number() != 0) return 0;  // the source, which is omitted
  dump.number();                     // the lines
  dump.number();
  dump.skip(3);  // parameters, whether it is variadic (then the first instruction shows it), registers
  const std::size_t size = dump.number();
  if (size > kLongestStraight) return 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (!harmless(dump.instruction())) return 0;
  }
  return dump.good() ? static_cast<int>(size) : 0;
}

}  // namespace assay
