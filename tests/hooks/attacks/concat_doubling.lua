-- A text that doubles: limit
function attack()
  local s = "x"
  while true do s = s .. s end
end
