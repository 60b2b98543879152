-- __concat that grows: limit
function attack()
  local mt = {}
  local t = setmetatable({}, mt)
  mt.__concat = function(a, b) return t .. t end
  return t .. "x"
end
