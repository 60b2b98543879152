-- An error that works when it is shown: error
function attack()
  error(setmetatable({}, {__tostring = function() while true do end end}))
end
