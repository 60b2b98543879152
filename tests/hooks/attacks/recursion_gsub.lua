-- Through a replacement: limit
function attack()
  local function f() return (("a"):gsub("a", f)) end
  return f()
end
