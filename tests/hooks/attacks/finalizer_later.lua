-- The same, set after the check: returns 1
function attack()
  local mt = {}
  for i = 1, 100 do setmetatable({}, mt) end
  mt.__gc = function() while true do end end
  return 1
end
