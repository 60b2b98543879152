-- Loadstring does not exist: returns 1
function attack()
  return loadstring == nil and 1 or 0
end
