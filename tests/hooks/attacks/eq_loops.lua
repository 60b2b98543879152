-- __eq without end: limit
function attack()
  local mt = {}
  mt.__eq = function(a, b) return setmetatable({}, mt) == setmetatable({}, mt) end
  return setmetatable({}, mt) == setmetatable({}, mt)
end
