-- two tables that look into each other: error
function attack()
  local a, b = {}, {}
  setmetatable(a, {__index = b}) setmetatable(b, {__index = a})
  return a.x
end
