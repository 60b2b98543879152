-- Tables without number: limit
function attack()
  local t = {}
  while true do t = {t, {}, {}, {}} end
end
