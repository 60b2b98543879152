-- The same: sort: error
function attack()
  table.sort(setmetatable({}, {__len = function() return 1 << 60 end}))
end
