"""Compares the modules of the standard library with established packages.

Usage: oracles.py ASSAY [--rounds N] [--seed S] [NAME...]

Each case generates N random records and all degenerate ones (empty, one item, constants, ties, missing), scores them with a
rubric that calls the library, and compares every output with a package or with Python fractions. Outputs are compared
as written with thirty decimals: a Fraction must be equal, a float within 1e-12 of the greater of 1 and itself.
None stands for missing. Where the library differs from a package on purpose, the case says so and why.

Packages: python3 -m venv build/venv && build/venv/bin/pip install -r tests/stdlib/requirements.txt
"""

import argparse
import importlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from fractions import Fraction

DECIMALS = 30
MODULES = ("text_cases", "list_cases")
SKIPPED = 77  # ctest treats this as a skipped test


class Case:
    """Records, the rubric that scores them, and its expected outputs."""

    name = ""
    share = 1.0  # the share of the rounds, for slow packages
    modules = ()
    inputs = ""  # declarations
    outputs = {}  # name -> expression that gives a number

    def degenerate(self):
        return []

    def record(self, random_):
        raise NotImplementedError

    def expected(self, record):
        """name -> Fraction, int, float or None; omitted names are not compared."""
        raise NotImplementedError


def rubric_of(case):
    lines = [f'import "std/{module}.rubric"' for module in case.modules]
    lines.append("rubric compared {")
    lines.append(case.inputs)
    for name, expression in case.outputs.items():
        lines.append(f'output {name} = "{{{expression} decimals {DECIMALS}}}"')
    lines.append("}")
    return "\n".join(lines) + "\n"


def written(value):
    """A fraction with thirty decimals, half away from zero."""
    scaled = abs(value) * 10**DECIMALS
    digits = (scaled.numerator * 2 + scaled.denominator) // (scaled.denominator * 2)
    return Fraction(-digits if value < 0 else digits, 10**DECIMALS)


def same(expected, text):
    if text == "–":
        return expected is None or expected != expected
    if expected is None:
        return False
    value = Fraction(text)
    if isinstance(expected, (int, Fraction)) and not isinstance(expected, bool):
        return written(Fraction(expected)) == value
    expected = float(expected)
    return abs(float(value) - expected) <= 1e-12 * max(1.0, abs(expected))


def run(case, assay, rounds, seed):
    random_ = random.Random(f"{case.name} {seed}")
    records = case.degenerate() + [case.record(random_) for _ in range(max(1, int(rounds * case.share)))]
    with tempfile.TemporaryDirectory() as folder:
        rubric, data = os.path.join(folder, "compared.rubric"), os.path.join(folder, "records.ndjson")
        with open(rubric, "w", encoding="utf-8") as file:
            file.write(rubric_of(case))
        with open(data, "w", encoding="utf-8") as file:
            for record in records:
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
        start = time.monotonic()
        done = subprocess.run([assay, "score", rubric, data], capture_output=True, text=True, encoding="utf-8")
        spent = time.monotonic() - start
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    if len(verdicts) != len(records):
        print(f"{case.name}: {len(records)} records, {len(verdicts)} verdicts\n{done.stderr[:3000]}")
        return 1
    wrong = 0
    for record, verdict in zip(records, verdicts):
        if "error" in verdict:
            found = {"error": verdict["error"]}
        else:
            expected = case.expected(record)
            found = {
                name: (verdict[name], str(value))
                for name, value in expected.items()
                if not same(value, verdict[name])
            }
        if found:
            wrong += 1
            if wrong <= 5:
                print(f"{case.name}: {json.dumps(record, ensure_ascii=False)[:600]}\n  (ours, expected): {found}")
    print(f"{case.name}: {len(records)} records, {len(case.outputs)} functions, {wrong} differ ({spent:.1f} s)")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("assay")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--module", choices=MODULES, action="append", help="the cases of this file only")
    arguments = parser.parse_args()
    try:
        modules = [importlib.import_module(name) for name in arguments.module or MODULES]
    except ModuleNotFoundError as missing:
        print(f"{missing}: see requirements.txt")
        return SKIPPED
    cases = [case() for module in modules for case in module.CASES]
    wrong = 0
    for case in cases:
        if not arguments.names or case.name in arguments.names:
            wrong += run(case, arguments.assay, arguments.rounds, arguments.seed)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
