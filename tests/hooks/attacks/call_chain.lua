-- The same with many tables, set up while the file is loaded: limit
local first = {}
local last = first
for _ = 1, 50 do
  local next = {}
  setmetatable(last, {__call = next})
  last = next
end
setmetatable(last, {__call = first})
function attack() return pcall(first) end
