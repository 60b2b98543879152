-- A table emptied and refilled: limit
function attack()
  local t = {}
  for i = 1, 65536 do t[-i] = true end
  local i = 0
  while true do i = i + 1 t[-i] = nil t[-i - 65536] = true end
end
