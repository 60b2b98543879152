-- Walking through a table of holes: limit
function attack()
  local t = {}
  for i = 1, 100000 do t["k" .. i] = true end
  for i = 1, 100000 do t["k" .. i] = nil end
  while true do pairs(t) end
end
