-- A condition that never holds: limit
function attack()
  local i = 0
  repeat i = i + 1 until i < 0
  return i
end
