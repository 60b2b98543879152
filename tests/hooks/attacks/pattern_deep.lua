-- A match nested too deep: error
function attack()
  return (("a"):rep(1000)):match(("(a"):rep(30) .. ("a?"):rep(1000) .. (")"):rep(30))
end
