#!/usr/bin/env bash
# Compares the verdicts of the three workloads, byte by byte, with those of programs written by hand (the yardstick, built
# beside the project). Run by hand:
#   tests/bench/exactness.sh ASSAY YARDSTICK_BUILD YARDSTICK_DATA [SUFFIX]
# The data are w1.ndjson … w3.ndjson; SUFFIX ".100k" takes w1.100k.ndjson. The hand-written W2 computes in doubles: a
# line that differs there is computed once more with fractions, and Assay has to be the one that is right.
set -eu
assay=$1 build=$2 data=$3 suffix=${4:-}
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
status=0
number=0
for name in judge skill patch; do
  number=$((number + 1))
  input="$data/w$number$suffix.ndjson"
  "$build/file" sj "$number" "$input" "$out/hand" > /dev/null
  "$assay" score "$here/workloads/$name.rubric" "$input" --fields id,score,grade > "$out/assay"
  python3 - "$name" "$input" "$out/hand" "$out/assay" <<'PY' || status=1
import json, sys
from fractions import Fraction
from math import floor

name, records, hand, assay = sys.argv[1:]
BASE = {"code_generation": (50, 3, 30000), "design": (150, 4, 45000), "research": (100, 8, 60000)}

def skill(r):
    share = lambda a, b: min(Fraction(1), Fraction(a) / max(Fraction(b), 1))
    number = lambda key, default=0: Fraction(str(r.get(key, default)))
    errors = bool(r["errors"])
    total = 25
    if errors:
        words = ("recovered", 20), ("partial_completion", 15), ("workaround_used", 10), ("failure_explained", 5)
        total = next((p for k, p in words if r[k]), 0)
    tokens, calls, time = BASE.get(r["skill_category"], (200, 5, 20000))
    total += floor(8 * share(tokens * number("output_size"), number("tokens_used"))
                   + 6 * share(calls * number("files_changed"), len(r["tool_calls"])) + 6 * share(time, number("duration_ms")))
    f = r.get("feedback")
    if f:
        total += 12 if f["accurate"] else 9 if f["mostly_accurate"] else 6 if f["partially_accurate"] else 0
    else:
        total += 12 if r["output_validated"] else 8 if not errors else 0
    total += floor(10 * share(number("delivered_items"), number("requested_items")))
    q = r.get("code_quality", {})
    total += 3 * q["linter_passed"] + 2 * q["types_valid"] + 3 * q["tests_passed"] if r["output_type"] == "code" else 8
    edit = number("user_edit_ratio")
    total += (10 if edit < Fraction(1, 20) else 7) if r["user_accepted"] else 5 if r["user_used_output"] else 0
    total += floor(8 * (1 - min(edit, 1)))
    more = r.get("follow_ups") or []
    total += 7 if not more else 4 if len(more) == 1 else 2 if all(m["resolved"] for m in more) else 0
    return total

lines = differ = wrong = 0
with open(records) as r, open(hand) as h, open(assay) as a:
    for record, by_hand, ours in zip(r, h, a, strict=True):
        lines += 1
        if by_hand == ours:
            continue
        differ += 1
        if name != "skill" or json.loads(ours)["score"] != skill(json.loads(record)):
            wrong += 1
            if wrong <= 5:
                print(f"{name}:{lines}: by hand {by_hand.strip()}, Assay {ours.strip()}")
print(f"{name}: {lines} records, {differ} differ from the program by hand, {wrong} wrong")
sys.exit(wrong > 0)
PY
done
exit $status
