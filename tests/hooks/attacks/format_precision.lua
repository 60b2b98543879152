-- A precision beyond reason: error
function attack()
  return #("%.999f"):format(1)
end
