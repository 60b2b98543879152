-- Through pcall: limit
function attack()
  local function f() return pcall(f) end
  return f()
end
