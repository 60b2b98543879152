-- Print does not exist: returns 1
function attack()
  return print == nil and 1 or 0
end
