-- Through a comparison: limit
function attack()
  local function f() table.sort({1, 2}, f) return true end
  f()
end
