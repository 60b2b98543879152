-- Through tostring: limit
function attack()
  local t = setmetatable({}, {__tostring = function(t) return tostring(t) end})
  return tostring(t)
end
