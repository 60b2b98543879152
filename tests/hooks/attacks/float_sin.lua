-- Sines of large numbers: limit
function attack()
  local x, sin = 1e300 / 3, math.sin
  while true do sin(x) end
end
