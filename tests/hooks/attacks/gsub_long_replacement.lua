-- A long replacement many times: limit
function attack()
  local r = ("x"):rep(100000)
  return #(("a"):rep(100000)):gsub("a", r)
end
