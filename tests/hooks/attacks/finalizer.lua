-- Work when memory is collected: error
function attack()
  setmetatable({}, {__gc = function() while true do end end})
  return 1
end
