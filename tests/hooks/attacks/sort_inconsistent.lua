-- A comparison that contradicts itself: returns 100
function attack()
  local t = {}
  for i = 1, 100 do t[i] = i % 7 end
  table.sort(t, function(a, b) return true end)
  return #t
end
