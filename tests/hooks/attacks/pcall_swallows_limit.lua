-- Catching the error of the limit: limit
function attack()
  while true do pcall(function() while true do end end) end
end
