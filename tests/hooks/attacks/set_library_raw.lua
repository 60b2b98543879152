-- The same, around the metatable: error
function attack()
  rawset(string, "upper", 1)
  return 1
end
