-- A loop of metatables, caught: limit
function attack()
  local t = {}
  setmetatable(t, t)
  t.__index = t
  local function f() return t.x end
  while true do pcall(f) end
end
