-- A global variable: error
function attack()
  leaked = 1
  return 1
end
