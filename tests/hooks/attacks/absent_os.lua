-- Os does not exist: returns 1
function attack()
  return os == nil and 1 or 0
end
