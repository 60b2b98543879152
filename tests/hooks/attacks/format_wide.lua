-- Wide numbers: limit
function attack()
  local x, format = 1e308, string.format
  while true do format("%.99f%.99f%.99f%.99f", x, x, x, x) end
end
