-- Changing what the file made, through a function: error
-- What the file makes while it is loaded, for attacks on it.
kept = {1, 2, inner = {}}
Class = {} Class.__index = Class
function Class.new() return setmetatable({}, Class) end
object = Class.new()
guarded = setmetatable({}, {__index = function(t, k) t.found = k return 1 end})
local n = 0
function count() n = n + 1 return n end
walk = ("1 2 3"):gmatch("%d")
step = pairs({b = 1, a = 2})
function attack()
  table.insert(kept, 1)
  return 1
end
