-- Sorting long texts: limit
function attack()
  local t, x = {}, ("x"):rep(100000)
  for i = 1, 100 do t[i] = x .. i end
  while true do table.sort(t) end
end
