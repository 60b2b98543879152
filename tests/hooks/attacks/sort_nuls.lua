-- Sorting texts of NULs: limit
function attack()
  local t, x = {}, ("\0"):rep(10000)
  for i = 1, 100 do t[i] = x .. i end
  while true do table.sort(t) end
end
