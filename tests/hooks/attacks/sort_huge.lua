-- Sorting again and again: limit
function attack()
  local t = {}
  for i = 1, 100000 do t[i] = -i end
  while true do table.sort(t) end
end
