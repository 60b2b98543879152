-- Each match reads all the rest: limit
function attack()
  local n = 0
  for m in (("a"):rep(100000)):gmatch("a-b") do n = n + 1 end
  return n
end
