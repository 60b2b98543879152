-- The same by a comparison: limit
local loops = setmetatable({}, {__lt = function() while true do end end})
function attack() return loops < loops and 1 or 2 end
