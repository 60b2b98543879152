-- A metamethod without an end: limit
function attack()
  local t = setmetatable({}, {__index = function(t, k) while true do end end})
  return t.x
end
