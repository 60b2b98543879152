-- A comparison without an end: limit
function attack()
  table.sort({3, 2, 1}, function() while true do end end)
end
