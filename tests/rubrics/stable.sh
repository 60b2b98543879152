#!/usr/bin/env bash
# stable.sh ASSAY RUBRIC RECORDS: whoever wins among the records still wins in 95 of 100 changes of the weights by up to a
# tenth. A rubric whose weights decide nothing (one dimension, no weights) passes.
set -euo pipefail
"$1" sensitivity "$2" "$3" --to json | python3 -c '
import json, sys
found = json.load(sys.stdin).get("stability") or []
shares = [one["same_winner"] for one in found if one["spread"] <= 0.1]
print("the same winner:", shares)
sys.exit(any(float(share) < 0.95 for share in shares))
'
