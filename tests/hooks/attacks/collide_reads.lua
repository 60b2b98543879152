-- Reading from a long chain of keys that share a place: limit
function attack()
  local t = {}
  for i = 1, 33000 do t["k" .. i] = true end
  for i = 1, 8000 do t[i * 65535] = true end
  local x
  while true do x = t[0] end
end
