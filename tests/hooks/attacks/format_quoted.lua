-- Quoting control characters: limit
function attack()
  local s, format = ("\1"):rep(10000), string.format
  while true do format("%q", s) end
end
