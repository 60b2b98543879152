-- A handler that fails again and again: limit
function attack()
  local function h(e) error(e) end
  local good, e = xpcall(function() error("x") end, h)
  error(good)
end
