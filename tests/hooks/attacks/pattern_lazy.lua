-- Lazy quantifiers: limit
function attack()
  return (("a"):rep(20000)):find((".-"):rep(20) .. "b")
end
