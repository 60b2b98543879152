-- Another environment: returns 1
function attack()
  local before = math
  _ENV = {}
  return before and 1 or 0
end
