-- A million empty matches: limit
function attack()
  local n = 0
  for m in (("a"):rep(1000000)):gmatch("") do n = n + 1 end
  while true do end
end
