-- __tostring that formats itself: limit
function attack()
  local mt = {}
  mt.__tostring = function(t) return ("%s"):format(t) end
  return ("%s"):format(setmetatable({}, mt))
end
