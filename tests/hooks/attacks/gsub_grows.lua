-- A text that grows eightfold: limit
function attack()
  local s = "aa"
  while true do s = s:gsub("a", "%0%0%0%0%0%0%0%0") end
end
