-- Copies of a long text: limit
function attack()
  local s = ("x"):rep(1000000)
  local n = 0
  while true do n = n + #s:upper() end
end
