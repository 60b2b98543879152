-- Too many captures: error
function attack()
  return ("x"):match(("()"):rep(40))
end
