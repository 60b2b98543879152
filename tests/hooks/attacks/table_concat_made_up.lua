-- Items that a function of the library makes up: limit
function attack()
  return #table.concat(setmetatable({}, {__index = type}), "", 1, math.maxinteger)
end
