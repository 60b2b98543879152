-- Collectgarbage does not exist: returns 1
function attack()
  return collectgarbage == nil and 1 or 0
end
