-- A table that is its own __call: limit
function attack()
  local t = {}
  setmetatable(t, {__call = t})
  return t()
end
