-- Floats to text with table.concat: limit
function attack()
  local t = {}
  for i = 1, 10000 do t[i] = 1e300 / 3 end
  while true do table.concat(t) end
end
