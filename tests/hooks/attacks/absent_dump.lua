-- No bytecode: returns 1
function attack()
  return string.dump == nil and string.pack == nil and 1 or 0
end
