-- Exponential backtracking: limit
function attack()
  return #(("a"):rep(3000)):find(("a*"):rep(30) .. "b")
end
