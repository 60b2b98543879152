// Hooks in Lua that grow: every function that the sandbox offers, given a text, a table or a number that grows, once and
// many times, and what single instructions of Lua can be made to do. The steps are those that the sandbox counted.
#include "tests/property/structure.hpp"

#include "runtime/hooks/hooks.hpp"
#include "runtime/hooks/lua/lua_host.hpp"
#include "runtime/rubric/rubric_impl.hpp"

namespace assay_tests {

namespace {

struct Call {
  const char* name;
  const char* code;  // statements; n, t (a text of n bytes), l (a table of n numbers) are there
  const char* because = "";
};

constexpr Call kCalls[] = {
    // functions, by the name that they have in the sandbox
    {"assert", "for i = 1, n do assert(i) end"},
    {"error", "for i = 1, n do pcall(error, t) end"},
    {"ipairs", "local s = 0 for i, v in ipairs(l) do s = s + v end"},
    {"next", "local k = next(l) while k do k = next(l, k) end"},
    {"pairs", "local s = 0 for k, v in pairs(l) do s = s + v end"},
    {"pairs texts",
     "local m = {} for i = 1, n do m['k' .. i] = i end local s = 0 for k, v in pairs(m) do s = s + v end"},
    {"pairs emptied",
     "local m = {} for i = 1, n do m[i] = i end for i = 1, n do m[i] = nil end for i = 1, n do pairs(m)(m) end"},
    {"next emptied", "local m = {} for i = 1, n do m[i] = i end for i = 1, n do local k = next(m) m[k] = nil end"},
    {"pcall", "for i = 1, n do pcall(function() return i end) end"},
    {"pcall deep", "local function f(k) if k > 0 then return pcall(f, k - 1) end end f(n)"},
    {"rawequal", "for i = 1, n do rawequal(t, t .. '') end"},
    {"rawget", "for i = 1, n do rawget(l, i) end"},
    {"rawlen", "for i = 1, n do rawlen(l) end"},
    {"rawset", "local m = {} for i = 1, n do rawset(m, i, i) end"},
    {"require", "for i = 1, n do pcall(require, 'std/churn') end"},
    {"select", "for i = 1, 20 do select('#', table.unpack(l)) end"},
    {"select each",
     "local function f(...) local s = 0 for i = 1, select('#', ...) do s = s + select(i, ...) end return s end "
     "f(table.unpack(l))"},
    {"getmetatable", "for i = 1, n do getmetatable(l) end"},
    {"setmetatable", "for i = 1, n do setmetatable({}, {}) end"},
    {"setmetatable chain", "local m = {} for i = 1, n do m = setmetatable({}, { __index = m }) end local x = m.x"},
    {"setmetatable newindex chain",
     "local m = {} for i = 1, n do m = setmetatable({}, { __newindex = m }) end m.x = 1"},
    {"setmetatable call chain",
     "local m = function() end for i = 1, n do m = setmetatable({}, { __call = m }) end pcall(m)"},
    {"tonumber", "tonumber(('1'):rep(n)) tonumber('0x' .. ('f'):rep(n)) tonumber(('1'):rep(n), 10)"},
    {"tostring", "for i = 1, n do tostring(i + 0.1) end"},
    {"tostring floats", "for i = 1, n do local x = (1e308 / i) .. '' end"},
    {"type", "for i = 1, n do type(i) end"},
    {"xpcall", "for i = 1, n do xpcall(function() error(i) end, function(e) return e end) end"},
    {"math.abs", "for i = 1, n do math.abs(-i) end"},
    {"math.acos", "for i = 1, n do math.acos(1 / i) end"},
    {"math.asin", "for i = 1, n do math.asin(1 / i) end"},
    {"math.atan", "for i = 1, n do math.atan(1 / i) end"},
    {"math.ceil", "for i = 1, n do math.ceil(1 / i) end"},
    {"math.cos", "for i = 1, n do math.cos(1e300 / i) end"},
    {"math.deg", "for i = 1, n do math.deg(1 / i) end"},
    {"math.exp", "for i = 1, n do math.exp(1 / i) end"},
    {"math.floor", "for i = 1, n do math.floor(1 / i) end"},
    {"math.fmod", "for i = 1, n do math.fmod(1e308, 3e-308) end"},
    {"math.log", "for i = 1, n do math.log(i, 3) end"},
    {"math.max", "math.max(table.unpack(l))"},
    {"math.min", "for i = 1, n do math.min(i, 3) end"},
    {"math.modf", "for i = 1, n do math.modf(i / 3) end"},
    {"math.rad", "for i = 1, n do math.rad(i) end"},
    {"math.sin", "for i = 1, n do math.sin(1e300 * i) end"},
    {"math.sqrt", "for i = 1, n do math.sqrt(i) end"},
    {"math.tan", "for i = 1, n do math.tan(1e300 * i) end"},
    {"math.tointeger", "for i = 1, n do math.tointeger(i / 1) end"},
    {"math.ult", "for i = 1, n do math.ult(i, 3) end"},
    {"math.type", "for i = 1, n do math.type(i) end"},
    {"string.byte", "string.byte(t, 1, 100) for i = 1, n do string.byte(t, i) end"},
    {"string.byte all", "local s = #{string.byte(t, 1, -1)}"},
    {"string.char", "for i = 1, n do string.char(65, 66, 67) end"},
    {"string.char all", "string.char(string.byte(t, 1, -1))"},
    {"string.find", "string.find(t, 'ab*c')"},
    {"string.find plain", "string.find(t, t .. 'x', 1, true)"},
    {"string.find half", "string.find(t .. t, t .. 'x', 1, true)"},
    {"string.find from each", "for i = 1, n do string.find(t, 'a', i, true) end"},
    {"string.find frontier", "string.find(t, '%f[%d]%d')"},
    {"string.find balance", "string.find(('('):rep(n), '%b()')"},
    {"string.find star", "string.find(t, 'a*a*x')"},
    {"string.find long set", "string.find(t, '[' .. ('b'):rep(n) .. ']')"},
    {"string.find long pattern", "string.find(t, ('a?'):rep(n))"},
    {"string.find back reference", "string.find(t, '(a*)%1x')"},
    {"string.format", "for i = 1, n do string.format('%5.2f %d %s %q', i / 3, i, 'a', 'b') end"},
    {"string.format long", "string.format('%s %s', t, t)"},
    {"string.format quoted", "string.format('%q', t)"},
    {"string.format many", "string.format(('%d'):rep(200), table.unpack(l, 1, 200))"},
    {"string.format floats", "for i = 1, n do string.format('%.99f %a', 1e308, 1e-308) end"},
    {"string.gmatch", "for w in string.gmatch(t, 'a') do end"},
    {"string.gmatch quadratic", "for w in string.gmatch(t, 'a*x') do end"},
    {"string.gmatch anchored", "local f = string.gmatch(t, '()') for i = 1, n do f() end"},
    {"string.gsub", "string.gsub(t, 'a', 'b')"},
    {"string.gsub function", "string.gsub(t, 'a', function(c) return 'b' end)"},
    {"string.gsub table", "string.gsub(t, 'a', { a = 'b' })"},
    {"string.gsub long", "string.gsub(t, 'a', t)"},
    {"string.gsub captures", "string.gsub(t, '(a)(a)', '%2%1%0')"},
    {"string.len", "for i = 1, n do string.len(t) end"},
    {"string.lower", "string.lower(t)"},
    {"string.match", "string.match(t, '(a+)$')"},
    {"string.match all", "string.match(t, '^(.-)x')"},
    {"string.rep", "string.rep('a', n * 10)"},
    {"string.rep separated", "string.rep('', n, t)"},
    {"string.rep empty", "string.rep('', n * 1000)"},
    {"string.reverse", "string.reverse(t)"},
    {"string.sub", "for i = 1, n do string.sub(t, i, i + 3) end"},
    {"string.sub long", "for i = 1, 20 do string.sub(t, i, -1) end"},
    {"string.upper", "string.upper(t)"},
    {"table.concat", "table.concat(l, ',')"},
    {"table.concat long", "table.concat({t, t, t}, t)"},
    {"table.concat empties", "local m = {} for i = 1, n do m[i] = '' end table.concat(m, t)"},
    {"table.insert", "local m = {} for i = 1, n do table.insert(m, i) end"},
    {"table.insert front", "local m = {} for i = 1, n do table.insert(m, 1, i) end"},
    {"table.move", "table.move(l, 1, n, 2)"},
    {"table.move nothing", "table.move({}, 1, n * 100, 2)"},
    {"table.pack", "table.pack(table.unpack(l))"},
    {"table.remove", "for i = 1, n do table.remove(l) end"},
    {"table.remove front", "for i = 1, n do table.remove(l, 1) end"},
    {"table.sort", "table.sort(l)"},
    {"table.sort function", "table.sort(l, function(a, b) return a > b end)"},
    {"table.sort texts", "local m = {} for i = 1, 100 do m[i] = t .. i end table.sort(m)"},
    {"table.unpack", "local s = select('#', table.unpack(l))"},
    {"utf8.char", "for i = 1, n do utf8.char(65, 0x20AC) end"},
    {"utf8.codepoint", "utf8.codepoint(t, 1, math.min(n, 200))"},
    {"utf8.len", "utf8.len(t)"},
    {"utf8.len each", "for i = 1, n do utf8.len(t, i) end"},
    {"utf8.offset", "utf8.offset(t, -1) utf8.offset(t, n)"},
    {"utf8.offset each", "for i = 1, n do utf8.offset(t, i) end"},
    // instructions
    {"loop", "local s = 0 for i = 1, n do s = s + i end"},
    {"while", "local i = 0 while i < n do i = i + 1 end"},
    {"goto", "local i = 0 ::again:: i = i + 1 if i < n then goto again end"},
    {"float loop", "for i = 1.0, n, 0.5 do end"},
    {"concat", "local s = '' for i = 1, n do s = s .. 'a' end"},
    {"concat doubling", "local s = 'a' for i = 1, 10 do s = s .. s end local m = {} for i = 1, n do m[i] = s .. i end"},
    {"concat many", "local s = t .. t .. t .. t .. t .. t .. t .. t"},
    {"concat numbers", "local s for i = 1, n do s = i .. 0.1 .. i end"},
    {"text equality", "local a, b = t .. 'x', t .. 'x' local s = 0 for i = 1, n do if a == b then s = s + 1 end end"},
    {"text order", "local a, b = t .. 'x', t .. 'y' local s = 0 for i = 1, n do if a < b then s = s + 1 end end"},
    {"text order with zeros",
     "local a, b = ('\\0'):rep(n) .. 'x', ('\\0'):rep(n) .. 'y' local s = 0 for i = 1, n do if a < b then s = s + 1 "
     "end end"},
    {"text keys", "local m = {} for i = 1, n do m[t .. i] = i end"},
    {"text key equality", "local m = { [t .. 'x'] = 1 } for i = 1, n do local v = m[t .. 'x'] end"},
    {"length", "local s = 0 for i = 1, n do s = s + #l + #t end"},
    {"length of holes", "local m = {} for i = 1, n do m[i * 2] = i end local s = 0 for i = 1, n do s = s + #m end"},
    {"table growth", "local m = {} for i = 1, n do m[i] = i end"},
    {"table growth backwards", "local m = {} for i = n, 1, -1 do m[i] = i end"},
    {"table growth sparse", "local m = {} for i = 1, n do m[i * 1000003] = i end"},
    {"table emptied and refilled",
     "local m = {} for r = 1, 20 do for i = 1, n do m['k' .. i] = i end for i = 1, n do m['k' .. i] = nil end end"},
    {"table of tables", "local m = {} for i = 1, n do m[i] = {i, i} end"},
    {"table constructor", "local m for i = 1, n do m = {1, 2, 3, a = 1, b = 2} end"},
    {"table of results", "for i = 1, 10 do local m = {table.unpack(l)} end"},
    {"closures", "local m = {} for i = 1, n do m[i] = function() return i end end",
     "a closure is some steps and a block of memory, which hook_memory_bytes bounds"},
    {"calls", "local function f(a) return a end for i = 1, n do f(i) end"},
    {"tail calls", "local function f(k) if k > 0 then return f(k - 1) end return 0 end f(n)"},
    {"recursion", "local function f(k) if k > 0 then return 1 + f(k - 1) end return 0 end pcall(f, n)"},
    {"varargs", "local function f(...) return ... end for i = 1, 10 do f(table.unpack(l)) end"},
    {"varargs deep",
     "local function f(k, ...) if k > 0 then return f(k - 1, k, ...) end return 0 end f(100, table.unpack(l))"},
    {"metamethod index",
     "local m = setmetatable({}, { __index = function(_, k) return k end }) local s = 0 for i = 1, n do s = s + m[i] "
     "end"},
    {"metamethod add",
     "local m m = setmetatable({}, { __add = function() return m end }) local s = m for i = 1, n do s = s + m end"},
    {"metamethod concat",
     "local m m = setmetatable({}, { __concat = function() return m end }) local s = m for i = 1, n do s = s .. t end"},
    {"metamethod eq",
     "local mt = { __eq = function() return true end } local a, b = setmetatable({}, mt), setmetatable({}, mt) for i = "
     "1, n do local x = a == b end"},
    {"metamethod lt",
     "local mt = { __lt = function() return true end } local a, b = setmetatable({}, mt), setmetatable({}, mt) for i = "
     "1, n do local x = a < b end"},
    {"metamethod len",
     "local m = setmetatable({}, { __len = function() return n end }) local s = 0 for i = 1, n do s = s + #m end"},
    {"metamethod call", "local m = setmetatable({}, { __call = function() return 1 end }) for i = 1, n do m() end"},
    {"metamethod tostring",
     "local m = setmetatable({}, { __tostring = function() return t end }) for i = 1, n do tostring(m) end"},
    {"metamethod pairs",
     "local m = setmetatable({}, { __pairs = function() return next, l, nil end }) for k, v in pairs(m) do end"},
    {"error objects", "for i = 1, n do pcall(error, setmetatable({}, { __tostring = function() return t end })) end"},
    {"errors deep",
     "local function f(k) if k > 0 then return (f(k - 1)) end error(t) end for i = 1, n do pcall(f, 50) end"},
    {"integer power", "local s = 0 for i = 1, n do s = s + i ^ 2 + i // 3 + i % 7 + (i << 3 | 1) end"},
    {"upvalues", "local a, b, c = 1, 2, 3 local function f() a = b b = c c = a end for i = 1, n do f() end"},
    {"texts from numbers", "local m = {} for i = 1, n do m[i] = ('%d'):format(i) end"},
};

// One call, in a state that has been made before: the state would hide the memory that the call takes.
void call_hook(const assay::Compiled& compiled, Stages& stages) {
  const assay::Model& model = *compiled.rubric->impl().model;
  assay::LuaHost host(compiled.rubric->impl().hooks->lua, structure_limits(), &model);
  assay::Arena arena;
  assay::Value value;
  assay::RunError error;
  stages.run("hook", 64, [&] {
    host.begin();
    (void)host.call(model, 0, nullptr, value, arena, error);
    return host.steps();
  });
  host.end();
}

// Arguments, results, constants and variables that grow, which are copied for each call.
struct Border {
  const char* name;
  const char* body;
  const char* record = "\"x\":3,\"xs\":[«,¦$i»],\"t\":\"«¦text»\"";
  const char* because = "";
};
constexpr Border kBorders[] = {
    {"argument list",
     "hook h(l: list of number): number lua \"\"\"function h(l) return 1 end\"\"\"\noutput r = sum(h(xs) for i in "
     "1..20)"},
    {"argument text",
     "hook h(t: text): number lua \"\"\"function h(t) return 1 end\"\"\"\noutput r = sum(h(t) for i in 1..20)"},
    {"result list",
     "hook h(n: number): list of number lua \"\"\"function h(n) local l = {} for i = 1, n do l[i] = i end return l "
     "end\"\"\"\noutput r = count(h(count(xs)))"},
    {"result text",
     "hook h(t: text): text lua \"\"\"function h(t) return t end\"\"\"\noutput r = sum(count(h(t)) for i in 1..20)"},
    {"result shared",
     "hook h(t: text): list of text lua \"\"\"function h(t) local l = {} for i = 1, 200 do l[i] = t end return l "
     "end\"\"\"\noutput r = count(h(t))"},
    {"constants",
     "hook h(a: number): number lua \"\"\"local c = {«, ¦$i»}\nfunction h(a) return c[1] end\"\"\"\noutput r = "
     "sum(h(i) for i in 1..20)"},
    {"variables",
     "hook h(a: number): number lua \"\"\"local c = {} «\n¦c[$i] = $i» local v = c\nfunction h(a) v = {} return a "
     "end\"\"\"\noutput r = sum(h(i) for i in 1..20)"},
    {"loaded loop",
     "hook h(a: number): number lua \"\"\"for i = 1, $n * 1000 do end\nfunction h(a) return a end\"\"\"\noutput r = "
     "h(1)",
     "\"x\":3", "steps of loading are bounded by the limit, not counted in a verdict"},
    {"loaded table",
     "hook h(a: number): number lua \"\"\"local m = {} for i = 1, $n * 100 do m[i] = {} end\nfunction h(a) return #m "
     "end\"\"\"\noutput r = h(1)",
     "\"x\":3", "steps of loading are bounded by the limit, not counted in a verdict"},
};

}  // namespace

void add_hooks(std::vector<Growth>& all) {
  for (const Call& call : kCalls) {
    // The setting up is counted like the rest of the hook.
    const std::string body =
        std::string(
            "@rubric grown { hook h(): number lua \"\"\"function h()\nlocal n, t, l = $n, ('a'):rep($n), {}\n"
            "for i = 1, n do l[i] = n - i end\n") +
        call.code + "\nreturn 0 end\"\"\"\noutput r = h() }";
    all.push_back({std::string("lua/") + call.name, call.because,
                   [body](std::size_t n) { return subject_of(body, "", "", n); },
                   [](const Subject& subject, Stages& stages) {
                     const assay::Compiled compiled = assay::compile("grown.rubric", subject.rubric, {});
                     if (!compiled.rubric) {
                       stages.refused();
                       return;
                     }
                     call_hook(compiled, stages);
                   },
                   512});
  }
  for (const Border& border : kBorders) {
    all.push_back({std::string("border/") + border.name, border.because,
                   [&border](std::size_t n) { return subject_of(border.body, border.record, "", n); }, nullptr, 32});
  }
}

}  // namespace assay_tests
