-- Going on after the lack of memory: limit
function attack()
  pcall(string.rep, "x", 1 << 30)
  return 1
end
