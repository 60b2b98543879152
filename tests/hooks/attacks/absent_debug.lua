-- Debug does not exist: returns 1
function attack()
  return debug == nil and 1 or 0
end
