-- A set without an end: error
function attack()
  return ("x"):find("[a")
end
