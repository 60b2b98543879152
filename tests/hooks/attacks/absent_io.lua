-- Io does not exist: returns 1
function attack()
  return io == nil and 1 or 0
end
