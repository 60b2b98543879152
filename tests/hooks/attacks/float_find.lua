-- Floats as texts in a search: limit
function attack()
  local x, find = 1e300 / 3, string.find
  while true do find(x, x, 1, true) end
end
