-- As many keys: limit
function attack()
  local t = {}
  for i = 1, 1 << 30 do t[i .. ""] = true end
end
