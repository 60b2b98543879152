-- A numeric loop over all integers: limit
function attack()
  local n = 0
  for i = 1, math.maxinteger do n = i end
  return n
end
