-- Tail calls need no stack: limit
function attack()
  local function f() return f() end
  return f()
end
