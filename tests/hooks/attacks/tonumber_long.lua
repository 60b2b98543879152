-- Reading a number of half a million digits: limit
function attack()
  local s = ("1"):rep(500000)
  while true do tonumber(s) end
end
