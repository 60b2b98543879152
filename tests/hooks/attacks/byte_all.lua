-- As many results as a stack holds: limit
function attack()
  local s = ("x"):rep(900000)
  while true do s:byte(1, -1) end
end
