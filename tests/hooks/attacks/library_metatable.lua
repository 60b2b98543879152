-- Those of the library, too: returns 1
function attack()
  return getmetatable(math) == nil and getmetatable(_G) == nil and 1 or 0
end
