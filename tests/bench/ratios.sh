#!/usr/bin/env bash
# Every figure of docs/performance.md as a ratio, in one run: `ratios.sh YARDSTICK [ROUNDS]`. YARDSTICK is a directory with
# the three workloads written by hand (build.sh, col.cpp, file.cpp …); they are built beside the project and generate the
# data, or are taken from where B and S say that build.sh has put them. Medians of interleaved rounds, processor time,
# pinned to one core (CORE, the last one) but for the figures of two threads. A line says whether its target is met; none
# fails the run, because times move with the machine: on one with other work, believe the ratios by half. Takes some ten
# minutes; RECORDS=100000 takes less, and says less.
set -euo pipefail
usage="usage: ratios.sh YARDSTICK [ROUNDS]"
yardstick=${1:-}
rounds=${2:-5}
stop() {
  echo "ratios.sh: $1" >&2
  exit 2
}
[ -n "$yardstick" ] || stop "$usage"
for file in build.sh col.cpp file.cpp; do
  [ -r "$yardstick/$file" ] || stop "there is no yardstick in '$yardstick': $file is missing. $usage"
done
for tool in cmake taskset python3 awk; do
  command -v "$tool" > /dev/null || stop "needs $tool"
done
yardstick=$(realpath "$yardstick")
hand=${B:+$(realpath "$B")} data=${S:+$(realpath "$S")}
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
out=$PWD/build/ratios
hand=${hand:-$out/hand} data=${data:-$out/data}
mkdir -p "$out"
log=$out/log
core=${CORE:-$(($(nproc) - 1))}

echo "building (log: $log)"
if ! {
  cmake --preset release -B "$out/build" -DASSAY_BENCH=ON -DASSAY_TESTS=OFF -DASSAY_YARDSTICK="$yardstick" &&
    cmake --build "$out/build" --target assay-cli assay-columns-bench
} > "$log" 2>&1; then
  tail -n 20 "$log" >&2
  stop "the build failed"
fi
if [ ! -x "$hand/file" ] || [ ! -s "$data/w3.shuf.ndjson" ]; then
  B=$hand S=$data N=${RECORDS:-1000000} bash "$yardstick/build.sh" >> "$log" 2>&1 || stop "the yardstick could not be built: $log"
fi
bin=$out/build/bin
met=0 lines=0

# name, what was measured, value, relation to the target (most or least), target, unit
figure() {
  local verdict
  [ -n "$3" ] || stop "$1: nothing was measured"
  verdict=$(awk -v v="$3" -v t="$5" -v how="$4" 'BEGIN {print (how == "most" ? v <= t : v >= t) ? "met" : "not met"}')
  lines=$((lines + 1))
  [ "$verdict" = met ] && met=$((met + 1))
  printf '%-30s %-30s %8s%-3s at %s %s%s: %s\n' "$1" "$2" "$3" "$6" "$4" "$5" "$6" "$verdict"
}

echo "== one record in memory (P1), columns (P2), columns of int16 (P3)"
taskset -c "$core" "$bin/assay-columns-bench" "$rounds" | tee "$out/columns" || echo "some results differ from those by hand, which computes W2 in doubles: see P7"
met=$(awk '/ of [0-9]+ met$/ {print $1}' "$out/columns")
lines=$(awk '/ of [0-9]+ met$/ {print $3}' "$out/columns")
: "${met:=0}" "${lines:=0}"

median() { sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
TIMEFORMAT='%3U %3S %3R'
# Processor time of a command, or with `wall` its time.
seconds() { { time taskset -c "$core" "$@" > /dev/null 2>&1; } 2>&1 | awk '{print $1 + $2}'; }
wall() { { time "$@" > /dev/null 2>&1; } 2>&1 | awk '{print $3}'; }
score() {  # workload, file, …
  local rubric=tests/bench/workloads/$1.rubric file=$2
  shift 2
  echo "$bin/assay" score "$rubric" "$file" --fields id,score,grade --output "$out/verdicts" "$@"
}

# Both in turns: name, target, command by hand; the rest is the command.
compare() {
  local name=$1 target=$2 by_hand=$3 i a b
  shift 3
  : > "$out/a"
  : > "$out/b"
  for ((i = 0; i < rounds; i++)); do
    # shellcheck disable=SC2086
    seconds $by_hand >> "$out/a"
    seconds "$@" >> "$out/b"
  done
  a=$(median < "$out/a") b=$(median < "$out/b")
  figure "$name" "$(printf '%.3f s, by hand %.3f s' "$b" "$a")" \
    "$(awk -v a="$a" -v b="$b" 'BEGIN {printf("%.2f", (a > 0) ? b / a : 0)}')" most "$target" x
}

echo "== files, one thread: keys in order by hand sj (P4), in any order sjany (P5)"
number=0
for workload in judge:0.85 skill:0.76 patch:0.56; do
  number=$((number + 1))
  name=${workload%%:*}
  # shellcheck disable=SC2046
  compare "P4 $name" "${workload##*:}" "$hand/file sj $number $data/w$number.ndjson $out/by-hand" \
    $(score "$name" "$data/w$number.ndjson" --threads 1)
  for _ in 1 2 3 4 5; do cat "$data/w$number.shuf.ndjson"; done > "$out/shuffled.ndjson"
  # shellcheck disable=SC2046
  compare "P5 $name, shuffled keys" 1.1 "$hand/file sjany $number $out/shuffled.ndjson $out/by-hand" \
    $(score "$name" "$out/shuffled.ndjson" --threads 1)
done
rm -f "$out/shuffled.ndjson"

echo "== two threads (P6)"
for _ in 1 2 3 4; do cat "$data/w1.ndjson"; done > "$out/large.ndjson"
if [ "$(nproc)" -ge 2 ]; then
  : > "$out/a"
  : > "$out/b"
  for ((i = 0; i < rounds; i++)); do
    rm -f "$out/verdicts"  # to replace a file that is still being written to the disk is the disk's time
    # shellcheck disable=SC2046
    wall $(score judge "$out/large.ndjson" --threads 1) >> "$out/a"
    rm -f "$out/verdicts"
    # shellcheck disable=SC2046
    wall $(score judge "$out/large.ndjson" --threads 2) >> "$out/b"
  done
  a=$(median < "$out/a") b=$(median < "$out/b")
  figure "P6 speed of two threads" "$(printf 'one %.2f s, two %.2f s' "$a" "$b")" \
    "$(awk -v a="$a" -v b="$b" 'BEGIN {printf("%.2f", (b > 0) ? a / b : 0)}')" least 1.85 x
else
  echo "P6 speed of two threads: not measured, the machine has one core"
fi
for threads in 1 2; do
  # shellcheck disable=SC2046
  python3 - $(score judge "$out/large.ndjson" --threads $threads) > "$out/peak" << 'PY'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.1f}")
PY
  figure "P6 peak memory" "threads: $threads" "$(cat "$out/peak")" most $((16 + 4 * threads)) " MB"
done
rm -f "$out/large.ndjson"

echo "== wrong verdicts (P7)"
tests/bench/exactness.sh "$bin/assay" "$hand" "$data" > "$out/wrong" || true
cat "$out/wrong"
figure "P7 wrong verdicts" "all workloads" "$(awk '/ wrong$/ {n += $(NF - 1); seen++} END {print seen == 3 ? n : "?"}' "$out/wrong")" most 0 ""

echo "== start (P8)"
head -n 10 "$data/w1.ndjson" > "$out/ten.ndjson"
: > "$out/a"
for ((i = 0; i < 21; i++)); do
  # shellcheck disable=SC2046
  wall $(score judge "$out/ten.ndjson") >> "$out/a"
done
figure "P8 ten records, whole process" "" "$(median < "$out/a" | awk '{print $1 * 1000}')" most 15 " ms"

echo "$met of $lines met"
