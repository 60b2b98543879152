-- The remainder of floats by a constant: limit
function attack()
  local x, n = 1e308, 0
  while true do n = x % 5e-324 n = x % 5e-324 n = x % 5e-324 n = x % 5e-324 n = x % 5e-324 n = x % 5e-324 end
end
