-- Moving items through a chain of metatables: limit
function attack()
  local t = {}
  for i = 1, 1900 do t = setmetatable({}, {__index = t}) end
  local to = {}
  while true do table.move(t, 1, 1000, 1, to) end
end
