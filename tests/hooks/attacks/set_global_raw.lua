-- The same, around the metatable: error
function attack()
  rawset(_G, "leaked", 1)
  return 1
end
