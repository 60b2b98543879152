-- Copying many arguments forever: limit
function attack()
  local t = {}
  for i = 1, 9000 do t[i] = i end
  local function f(...) while true do local n = select("#", ...) end end
  f(table.unpack(t))
end
