-- The metatable of texts is out of reach: returns 1
function attack()
  return getmetatable("") == false and 1 or 0
end
