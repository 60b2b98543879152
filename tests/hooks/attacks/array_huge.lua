-- An array of a gigabyte: limit
function attack()
  local t = {}
  for i = 1, 1 << 30 do t[i] = i end
end
