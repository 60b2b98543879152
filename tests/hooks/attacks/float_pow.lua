-- Powers of floats: limit
function attack()
  local x, y, n = 1.0000001, 1e9 / 3, 0
  while true do n = x ^ y n = x ^ y n = x ^ y n = x ^ y n = x ^ y n = x ^ y n = x ^ y n = x ^ y end
end
