-- A loop without an end: limit
function attack()
  while true do end
end
