-- A length beyond all integers: limit
function attack()
  return #("xx"):rep(math.maxinteger)
end
