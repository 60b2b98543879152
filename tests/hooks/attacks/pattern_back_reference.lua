-- Back references to long captures: limit
function attack()
  return (("a"):rep(50000)):find("(.+)%1b")
end
