-- __newindex to itself: error
function attack()
  local t = {}
  setmetatable(t, {__newindex = t})
  t.x = 1
end
