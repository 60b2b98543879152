-- A width of a gigabyte: error
function attack()
  return #("%999999999d"):format(1)
end
