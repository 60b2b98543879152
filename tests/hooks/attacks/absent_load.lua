-- Load does not exist: returns 1
function attack()
  return load == nil and 1 or 0
end
