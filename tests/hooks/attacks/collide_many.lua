-- Many tables whose keys share a place: limit
function attack()
  local all = {}
  while true do
    local t = {}
    for i = 1, 2000 do t[1 + i * 2.0 ^ -50] = true end
    all[#all + 1] = t
  end
end
