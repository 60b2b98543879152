-- Through a metamethod: limit
function attack()
  local t = setmetatable({}, {})
  getmetatable(t).__index = function(t, k) return t[k .. "x"] end
  return t.x
end
