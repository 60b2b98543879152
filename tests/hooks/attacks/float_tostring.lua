-- Floats to text with tostring: limit
function attack()
  local x = 1e300 / 3
  while true do tostring(x) end
end
