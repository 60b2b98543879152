-- No address is shown: returns 1
function attack()
  local function all(...) return tostring({}) .. tostring(tostring) .. ("%s %s"):format({}, tostring) .. tostring(setmetatable({}, {__name = "0x"})) end
  return all():find("%d") == nil and 1 or 0
end
