-- Garbage with texts: limit
function attack()
  local s = ("x"):rep(100000)
  while true do local x = s .. "y" end
end
