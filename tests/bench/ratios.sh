#!/usr/bin/env bash
# Every figure of docs/performance.md as a ratio, in one run: `ratios.sh YARDSTICK [ROUNDS]`. YARDSTICK is a directory with
# the three workloads written by hand (build.sh, col.cpp, file.cpp …), which are built beside the project and generate the
# data. Medians of interleaved rounds, processor time, pinned to one core but for the figures of two threads. Takes some
# ten minutes; on a machine with other work, believe the ratios by half.
set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."
yardstick=$(realpath "${1:?usage: ratios.sh YARDSTICK [ROUNDS]}")
rounds=${2:-5}
out=build/ratios
hand=$out/hand data=$out/data
mkdir -p "$out"

cmake -S . -B "$out/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DASSAY_BENCH=ON -DASSAY_TESTS=OFF \
  -DASSAY_YARDSTICK="$yardstick" > "$out/log"
cmake --build "$out/build" >> "$out/log"
B=$hand S=$data bash "$yardstick/build.sh" >> "$out/log"
bin=$out/build/bin

echo "== one record in memory, columns (P1, P2, P3)"
taskset -c 1 "$bin/assay-columns-bench" "$rounds" || true

median() { sort -g | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
seconds() {  # processor time of a command
  local before after
  { /usr/bin/time -f '%U %S' "$@" > /dev/null; } 2>&1 | awk 'END {print $1 + $2}'
}
score() { "$bin/assay" score "tests/bench/workloads/$1.rubric" "$2" --fields id,score,grade --output "$out/verdicts" "${@:3}"; }
export -f score
export bin out

# Processor time of both, in turns: name, target, command by hand, command.
compare() {
  local name=$1 target=$2 by_hand=$3 ours=$4 i
  : > "$out/a"
  : > "$out/b"
  for ((i = 0; i < rounds; i++)); do
    seconds taskset -c 1 bash -c "$by_hand" >> "$out/a"
    seconds taskset -c 1 bash -c "$ours" >> "$out/b"
  done
  awk -v a="$(median < "$out/a")" -v b="$(median < "$out/b")" -v name="$name" -v target="$target" \
    'BEGIN {printf "%-30s %8.2f s %8.2f s %6.2fx   target %s\n", name, a, b, b / a, target}'
}

echo "== files, one thread: sj and sjany by hand, assay (P4, P5)"
number=0
for workload in judge:0.85 skill:0.76 patch:0.56; do
  number=$((number + 1))
  name=${workload%%:*}
  compare "P4 $name" "${workload##*:}" "$hand/file sj $number $data/w$number.ndjson $out/by-hand" \
    "score $name $data/w$number.ndjson --threads 1"
  compare "P5 $name, shuffled keys" 1.1 "$hand/file sjany $number $data/w$number.shuf.ndjson $out/by-hand" \
    "score $name $data/w$number.shuf.ndjson --threads 1"
done

echo "== two threads (P6)"
wall() { { /usr/bin/time -f '%e' "$@" > /dev/null; } 2>&1 | tail -n 1; }
: > "$out/one"
: > "$out/two"
cat "$data/w1.ndjson" "$data/w1.ndjson" "$data/w1.ndjson" "$data/w1.ndjson" > "$out/large.ndjson"
for ((i = 0; i < rounds; i++)); do
  wall bash -c "score judge $out/large.ndjson --threads 1" >> "$out/one"
  wall bash -c "score judge $out/large.ndjson --threads 2" >> "$out/two"
done
awk -v a="$(median < "$out/one")" -v b="$(median < "$out/two")" 'BEGIN {printf "one %.2f s, two %.2f s: %.2fx   target 1.85\n", a, b, a / b}'
for threads in 1 2; do
  /usr/bin/time -f "peak memory with $threads: %M KB   target $((16 + 4 * threads)) MB" \
    "$bin/assay" score tests/bench/workloads/judge.rubric "$out/large.ndjson" --fields id,score,grade \
    --output "$out/verdicts" --threads $threads
done
rm -f "$out/large.ndjson"

echo "== wrong verdicts (P7)"
tests/bench/exactness.sh "$bin/assay" "$hand" "$data"

echo "== start (P8)"
head -n 10 "$data/w1.ndjson" > "$out/ten.ndjson"
for ((i = 0; i < 20; i++)); do wall bash -c "score judge $out/ten.ndjson"; done | median |
  awk '{printf "ten records, whole process: %.0f ms   target 15\n", $1 * 1000}'
