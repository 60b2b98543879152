-- Only separators: limit
function attack()
  return #(""):rep(1 << 50, "x")
end
