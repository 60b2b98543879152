-- The same: remove: limit
function attack()
  table.remove(setmetatable({}, {__len = function() return 1 << 60 end}), 1)
end
