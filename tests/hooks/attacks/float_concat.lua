-- Floats to text: limit
function attack()
  local x = 1e300 / 3
  while true do
    local s = x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x
  end
end
