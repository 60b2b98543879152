-- The length of a table of powers: limit
function attack()
  local t = {1, 2, 3, 4}
  t[5] = 1
  for i = 3, 62 do t[1 << i] = 1 end
  local n
  while true do n = #t n = #t n = #t n = #t n = #t n = #t n = #t n = #t end
end
