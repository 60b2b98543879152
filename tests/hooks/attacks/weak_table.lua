-- When memory is collected cannot be seen: returns 1000
function attack()
  local w = setmetatable({}, {__mode = "k"})
  local n = 0
  for i = 1, 1000 do w[{}] = true end
  local t = {}
  for i = 1, 20000 do t[i] = {} end
  return 1000
end
