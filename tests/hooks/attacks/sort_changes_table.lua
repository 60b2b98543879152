-- A comparison that changes the table: returns 5
function attack()
  local t = {5, 4, 3, 2, 1}
  table.sort(t, function(a, b) t[#t + 1] = nil return a < b end)
  return #t
end
