-- Floats as texts: limit
function attack()
  local x, upper = 1e300 / 3, string.upper
  while true do upper(x) end
end
