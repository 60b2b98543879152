-- A replacement of many captures: limit
function attack()
  local with = ("%1"):rep(1000)
  while true do ("x"):gsub("()", with) end
end
