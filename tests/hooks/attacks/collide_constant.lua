-- A constant table whose keys share a place: limit
local t = {}
for i = 1, 1500 do t[1 + i * 2.0 ^ -50] = true end
function attack()
  local x
  while true do x = t[1.5] x = t[1.0000000001] end
end
