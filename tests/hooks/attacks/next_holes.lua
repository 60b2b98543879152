-- next over a table of holes: limit
function attack()
  local t = {}
  for i = 1, 100000 do t[i] = true end
  for i = 1, 100000 do t[i] = nil end
  while true do next(t) end
end
