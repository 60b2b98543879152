-- Nor by %p: error
function attack()
  return ("%p"):format({})
end
