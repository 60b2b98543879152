-- Comparing long texts, one step each: limit
function attack()
  local a, b = ("x"):rep(3000000) .. "a", ("x"):rep(3000000) .. "b"
  local n = 0
  while true do if a == b or a < b then n = n + 1 end end
end
