-- texts of many characters: limit
function attack()
  local t = {} for i = 1, 240 do t[i] = 0x7FFFFFFF end
  local s = ""
  while true do s = s .. utf8.char(table.unpack(t)) end
end
