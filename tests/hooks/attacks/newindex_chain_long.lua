-- A chain of metatables, writing: limit
function attack()
  local t = {}
  local last = t
  for i = 1, 1900 do t = setmetatable({}, {__newindex = t}) end
  while true do t.x = 1 last.x = nil end
end
