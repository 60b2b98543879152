-- math.fmod of floats: limit
function attack()
  local x, y, fmod = 1e308, 5e-324, math.fmod
  while true do fmod(x, y) end
end
