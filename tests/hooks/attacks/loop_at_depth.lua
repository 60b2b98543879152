-- A loop at the depth limit: limit
function attack()
  local function f(n)
    if n > 0 then return (f(n - 1)) end
    while true do n = n + 1 end
  end
  return f(146)
end
