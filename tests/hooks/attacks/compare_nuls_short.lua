-- Comparing short texts of NULs: limit
function attack()
  local a, b = ("\0"):rep(39) .. "a", ("\0"):rep(39) .. "b"
  local n = 0
  while true do if a < b then n = n + 1 end end
end
