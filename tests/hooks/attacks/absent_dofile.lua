-- Dofile does not exist: returns 1
function attack()
  return dofile == nil and 1 or 0
end
