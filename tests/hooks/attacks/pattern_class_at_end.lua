-- An escape without a character: error
function attack()
  return ("x"):find("%")
end
