-- A jump back: limit
function attack()
  ::again:: goto again
end
