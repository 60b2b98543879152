-- A length that is made up: insert: limit
function attack()
  table.insert(setmetatable({}, {__len = function() return 1 << 60 end}), 1, "x")
end
