-- Package does not exist: returns 1
function attack()
  return package == nil and 1 or 0
end
