-- Functions without number: limit
function attack()
  local t
  while true do local u = t t = function() return u end end
end
