-- Work when a variable is closed: error
function attack()
  local guard <close> = setmetatable({}, {__close = function() while true do end end})
  return 1
end
