-- Walking with next: limit
function attack()
  local t = {}
  for i = 1, 20000 do t["k" .. i] = i end
  local k = next(t)
  while k do k = next(t, k) end
  return 0
end
