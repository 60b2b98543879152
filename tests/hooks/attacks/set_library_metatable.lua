-- Another metatable for a library: error
function attack()
  setmetatable(math, {__index = function() return 42 end})
  return 1
end
