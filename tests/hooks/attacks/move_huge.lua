-- Moving nothing, very far: limit
function attack()
  table.move({}, 1, 1 << 60, 2)
end
