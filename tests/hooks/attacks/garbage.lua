-- Nothing but garbage: limit
function attack()
  for i = 1, 1 << 40 do local t = {i} end
end
