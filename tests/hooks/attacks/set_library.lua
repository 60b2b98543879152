-- Another math.floor: error
function attack()
  math.floor = function() return 42 end
  return 1
end
