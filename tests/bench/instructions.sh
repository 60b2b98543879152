#!/usr/bin/env bash
# How many instructions scoring a record takes, counted by callgrind: `instructions.sh ASSAY_COUNT [WORKLOAD MODE MOST]…`.
# Prints a line for each workload and mode; with limits, fails where a count is above its limit. Counts are the same
# however busy the machine is.
set -euo pipefail
count=$1
shift
if [ $# -eq 0 ]; then
  set -- judge row 0 judge_texts row 0 skill row 0 patch row 0 judge columns 0 skill columns 0 patch columns 0 \
    judge file 0 skill file 0 patch file 0 judge whole 0 skill whole 0 patch whole 0
fi

# What `rows` more records cost: workload, mode.
cost() {
  local small large
  small=$(collected "$1" "$2" 2000)
  large=$(collected "$1" "$2" 4000)
  echo $((large - small))
}
collected() {
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$count" "$@" 2>&1 | sed -n 's/^.*Collected : \([0-9]*\).*$/\1/p'
}

failed=0
# The limits are for the code that a processor with AVX2 takes.
limited=1
grep -q avx2 /proc/cpuinfo || limited=0
while [ $# -ge 3 ]; do
  all=$(cost "$1" "$2")
  made=$(cost "$1" "no-$2")
  each=$(((all - made) / 2000))
  if [ "$each" -le 0 ]; then  # the program is missing, or valgrind cannot run it
    echo "$1 $2: nothing was counted" >&2
    exit 1
  fi
  if [ "$limited" -eq 1 ] && [ "$3" -gt 0 ] && [ "$each" -gt "$3" ]; then
    echo "$1 $2: $each instructions a record, at most $3 allowed"
    failed=1
  else
    echo "$1 $2: $each instructions a record"
  fi
  shift 3
done
exit $failed
