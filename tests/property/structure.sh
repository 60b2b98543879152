#!/usr/bin/env bash
# The fuzzer of structure with instructions for work, counted by callgrind: structure.sh ASSAY_STRUCTURE [PART…]. For the
# hand: it takes some seconds for each series. Each stage of a series is counted in four sizes; one whose instructions grow
# faster than n^1.4 over the last two doublings, beyond what its input and its steps do, is printed. Exit 1: there are some.
set -euo pipefail
program=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
while read -r series; do
  : >"$folder/counts"
  for n in 16 32 64 128; do
    rm -f "$folder"/out*
    valgrind --tool=callgrind --callgrind-out-file="$folder/out" "$program" --once "$series" "$n" \
      >"$folder/stages" 2>/dev/null || { echo "$series: ended with $? at n = $n"; failed=1; break; }
    i=0
    while read -r stage given steps; do
      i=$((i + 1))
      work=$(sed -n 's/^summary: \([0-9]*\).*$/\1/p' "$folder/out.$i")
      echo "$stage $n $given $steps $work" >>"$folder/counts"
    done < <(sed 's/ \([a-z]\)/_\1/g' "$folder/stages")
  done
  awk -v series="$series" '
    function grown(a, b, c) { return c > b ? log((c - b) / (b - a > b / 100 ? b - a : b / 100 + 1)) / log(2) : 0 }
    { n[$1]++; given[$1, n[$1]] = $3 + 4 * $4; work[$1, n[$1]] = $5 }
    END {
      for (stage in n) {
        if (n[stage] < 4 || work[stage, 4] - work[stage, 1] < 2000000) continue
        allowed = grown(given[stage, 2], given[stage, 3], given[stage, 4])
        if (allowed < 1) allowed = 1
        first = grown(work[stage, 1], work[stage, 2], work[stage, 3])
        last = grown(work[stage, 2], work[stage, 3], work[stage, 4])
        if (first < 1.4 * allowed || last < 1.4 * allowed) continue
        printf "%s: %s grows with n^%.2f: %d instructions at n = 128\n", series, stage, last, work[stage, 4]
        found = 1
      }
      exit found
    }' "$folder/counts" || failed=1
done < <("$program" --list "$@")
exit $failed
