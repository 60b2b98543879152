-- A set as long as a book: limit
function attack()
  local set = "[" .. ("ab"):rep(50000) .. "]"
  return (("c"):rep(50000)):find(set)
end
