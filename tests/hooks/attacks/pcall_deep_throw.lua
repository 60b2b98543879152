-- An error through many metamethods: limit
function attack()
  local t = setmetatable({}, {__index = function(t, k) if k == 0 then error("x", 0) end return t[k - 1] end})
  local function f() return t[60] end
  while true do pcall(f) end
end
