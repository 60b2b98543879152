-- A chain of metatables: limit
function attack()
  local t = {}
  for i = 1, 1900 do t = setmetatable({}, {__index = t}) end
  local n = 0
  while true do local x = t.x end
end
