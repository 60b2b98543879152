-- Keys that share a place only after the table has grown: limit
function attack()
  local t = {}
  for i = 1, 32769 do t[i * 65535] = true end
  local x
  while true do x = t[-65535] end
end
