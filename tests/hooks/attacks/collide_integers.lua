-- Keys that are all at one place of the table, integers: limit
function attack()
  local t = {}
  for i = 1, 65536 do t[i * 131071] = true end
  t[-1] = true
  return 0
end
