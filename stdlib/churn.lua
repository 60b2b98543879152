-- How much of a text was changed. Lines are compared as they stand.
local function lines(text)
  local list = {}
  for line in (text .. "\n"):gmatch("([^\n]*)\n") do
    if line:find("%S") then list[#list + 1] = line end
  end
  return list
end

-- The share of lines, 0..1, that were added or removed between two texts, as a part of the lines of both. Lines that moved
-- count as unchanged; empty lines do not count.
function churn(before, after)
  local old, new = lines(before), lines(after)
  if #old + #new == 0 then return 0 end
  local left = {}
  for _, line in ipairs(old) do left[line] = (left[line] or 0) + 1 end
  local same = 0
  for _, line in ipairs(new) do
    if (left[line] or 0) > 0 then
      left[line] = left[line] - 1
      same = same + 1
    end
  end
  return (#old + #new - 2 * same) / (#old + #new)
end
