-- Large texts joined many times: limit
function attack()
  local t = {}
  for i = 1, 1000 do t[i] = ("x"):rep(10000) end
  local u = {}
  for i = 1, 1000 do u[i] = table.concat(t) end
end
