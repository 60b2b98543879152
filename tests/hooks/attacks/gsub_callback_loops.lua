-- A replacement without an end: limit
function attack()
  return (("a"):rep(10)):gsub("a", function() while true do end end)
end
