-- A bound that Lua would read from a long text: error
function attack()
  for i = 1, ("1"):rep(100000) do return i end
end
