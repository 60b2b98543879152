-- The same, set up after the check, while a limit ends the call: limit
function attack()
  local mt = {}
  local guard <close> = (function() local t = setmetatable({}, mt) mt.__close = function() while true do end end return t end)()
  while true do end
end
