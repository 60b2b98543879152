-- A chain of metatables tied together afterwards: limit
function attack()
  local t, m = {}, {}
  for i = 1, 1900 do m[i] = {} t[i] = setmetatable({}, m[i]) end
  for i = 1, 1899 do m[i].__index = t[i + 1] end
  local first = t[1]
  while true do local x = first.x end
end
