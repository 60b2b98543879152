-- Keys that are all at one place of the table, floats: limit
function attack()
  local t = {}
  for i = 1, 200000 do t[1 + i * 2.0 ^ -50] = true end
  return 0
end
