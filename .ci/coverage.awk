# Sums up the line coverage of an lcov file by room ("lang/check"), and writes the lines of lang and runtime/vm that no
# test runs to the file `list`. `here` is the path of the tree.
#
# A line with the comment "// no test: REASON" is counted apart and not listed. Lines that Clang counts although they hold
# nothing to run are left out: brackets alone, directives, and what follows an assertion that held.
/^SF:/ {
  file = substr($0, 4)
  counts = index(file, here) == 1
  path = file
  file = substr(file, length(here) + 1)
  counts = counts && file ~ /^(lang|runtime|repl)\//
  split(file, parts, "/")
  room = parts[1] "/" parts[2]
  if (file ~ /^runtime\/hooks\/lua\//) room = "runtime/hooks/lua"
  listed = file ~ /^lang\// || file ~ /^runtime\/vm\//
  delete text
  for (n = 1; counts && (getline text[n] < path) > 0; n++) {}
  close(path)
  held = 0
}
/^DA:/ && counts {
  split(substr($0, 4), entry, ",")
  line = text[entry[1]]
  if (entry[2] == 0 && (line !~ /[A-Za-z0-9]/ || line ~ /^ *#/ || entry[1] == held)) {
    if (entry[1] == held) held++
    next
  }
  held = line ~ /^ *assert\(/ ? entry[1] + 1 : 0
  if (entry[2] == 0 && line ~ /\/\/ no test: ./) { reasons++; next }
  lines[room]++; all++
  if (entry[2] > 0) { run[room]++; all_run++ }
  else if (listed) print file ":" entry[1] > list
}
END {
  sort = "sort"
  for (room in lines) printf "%-24s %6d of %6d lines  %5.1f %%\n", room, run[room], lines[room], 100 * run[room] / lines[room] | sort
  close(sort)
  if (all) printf "%-24s %6d of %6d lines  %5.1f %%\n", "all", all_run, all, 100 * all_run / all
  printf "lines that no test needs to run, with a reason: %d\n", reasons
  print "lines of lang and runtime/vm that no test runs: " list
}
