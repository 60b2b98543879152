-- A plain search that nearly fits everywhere: limit
function attack()
  local a = ("a"):rep(100000)
  while true do a:find(("a"):rep(50000) .. "b", 1, true) end
end
