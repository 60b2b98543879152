-- Integers to text: limit
function attack()
  local x = math.mininteger
  while true do
    local s = x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x .. x
  end
end
