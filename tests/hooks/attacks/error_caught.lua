-- Errors raised and caught, again and again: limit
function attack()
  while true do pcall(error, "x", 1 << 40) end
end
