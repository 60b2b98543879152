-- Keys that share a place of the next size, set where others have been taken away: limit
function attack()
  local t = {}
  for i = 1, 65536 do t[i + 0.5] = true end
  local u = {}
  for i = 1, 8193 do u[i + 0.5] = true end
  for i = 1, 65536 do t[i + 0.5] = nil end
  for i = 1, 65536 do t[i * 131071] = true end
  t[-1] = true
  return 0
end
