-- The same with a handler: limit
function attack()
  local function handler(e) return e end
  while true do xpcall(error, handler, "x") end
end
