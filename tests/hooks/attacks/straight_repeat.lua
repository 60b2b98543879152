-- Few instructions that no call interrupts, again and again: limit
function attack()
  local n = 0
  repeat n = n + 1 until n < 0
  return n
end
