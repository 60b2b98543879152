-- Comparing long texts of NULs: limit
function attack()
  local a, b = ("\0"):rep(100000) .. "a", ("\0"):rep(100000) .. "b"
  local n = 0
  while true do if a < b then n = n + 1 end end
end
