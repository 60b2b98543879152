-- Each level catches and goes on: limit
function attack()
  local function f() pcall(f) while true do end end
  f()
end
