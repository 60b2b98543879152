-- gsub with a table whose __index loops: limit
function attack()
  local t = setmetatable({}, {__index = function(t, k) while true do end end})
  return (("abc"):gsub(".", t))
end
