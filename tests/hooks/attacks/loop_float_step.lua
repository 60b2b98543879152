-- A step too small to count: limit
function attack()
  for x = 0, 1, 1e-300 do end
  return 0
end
