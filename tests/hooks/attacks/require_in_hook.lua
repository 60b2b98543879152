-- Require while a hook runs: error
function attack()
  return require("io")
end
