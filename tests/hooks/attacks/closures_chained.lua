-- a closure of many upvalues, again and again: limit
function attack()
  local keep
  while true do local a = keep keep = function() return a end end
end
