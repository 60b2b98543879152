-- An order that addresses would decide: error
function attack()
  for k in pairs({[{}] = 1}) do end
  return 1
end
