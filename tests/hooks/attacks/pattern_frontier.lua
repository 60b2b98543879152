-- Frontiers: error
function attack()
  return (("a"):rep(200000)):find("%f[b]" .. ("a*"):rep(10))
end
