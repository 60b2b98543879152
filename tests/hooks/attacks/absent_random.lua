-- No random numbers: returns 1
function attack()
  return math.random == nil and math.randomseed == nil and 1 or 0
end
