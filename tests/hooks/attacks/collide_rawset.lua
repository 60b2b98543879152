-- Keys that share a place, set with rawset: limit
function attack()
  local t, set = {}, rawset
  for i = 1, 200000 do set(t, 1 + i * 2.0 ^ -50, true) end
  return 0
end
