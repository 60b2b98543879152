-- Deep, caught, and deep again: limit
function attack()
  local function f(n) pcall(f, n + 1) return f(n) end
  return f(1)
end
