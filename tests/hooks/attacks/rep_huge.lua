-- A text of a terabyte: limit
function attack()
  return ("x"):rep(1 << 40)
end
