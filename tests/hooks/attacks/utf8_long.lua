-- Counting characters again and again: limit
function attack()
  local s = ("é"):rep(200000)
  while true do utf8.len(s) end
end
