-- Long numbers: limit
function attack()
  local f = ("%99.99f"):rep(200)
  local n = {}
  for i = 1, 200 do n[i] = 1e308 end
  while true do f:format(table.unpack(n)) end
end
