-- Beyond the last integer: error
function attack()
  table.move({}, 1, math.maxinteger, math.maxinteger)
end
