-- Coroutine does not exist: returns 1
function attack()
  return coroutine == nil and 1 or 0
end
