-- Ever more arguments: limit
function attack()
  local function f(...) return f(1, ...) end
  return f()
end
