-- The remainder of floats: limit
function attack()
  local x, y, n = 1e308, 5e-324, 0
  while true do n = x % y n = x % y n = x % y n = x % y n = x % y n = x % y n = x % y n = x % y end
end
