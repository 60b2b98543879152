-- pcall with errors at depth: limit
function attack()
  local function f(n)
    if n > 0 then return (f(n - 1)) end
    while true do pcall(error, "x") end
  end
  return f(140)
end
