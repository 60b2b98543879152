-- A variable is a number when the file has been loaded and a table when it is used: limit
local value = 1
local function change() value = setmetatable({}, {__unm = function() while true do end end}) end
function attack() change() return -value end
