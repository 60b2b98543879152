-- Quadratic search for a balance: limit
function attack()
  return (("("):rep(100000)):find("%b()")
end
