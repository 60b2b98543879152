-- A handler that works on: limit
function attack()
  while true do xpcall(function() while true do end end, function() while true do end end) end
end
