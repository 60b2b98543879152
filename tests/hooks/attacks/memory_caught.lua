-- Catching the lack of memory: limit
function attack()
  local good
  while true do good = pcall(string.rep, "x", 1 << 30) end
end
