"""Nothing is left behind: objects of Python, and memory of C++, after many calls of each kind."""

from __future__ import annotations

import gc
import json
import os
import pickle
import subprocess
import sys

import assay
import pyarrow
import pytest
from assay import _core

TEXT = """
rubric r "R" {
  scale 0..10 decimals 2
  weights rescaled
  dimension a weight 60% "A"
  dimension b weight 40% missing 5 "B"
  hook f(x: number): number from "host:f"
  input notes: list of text default []
  output doubled = f(a)
  bands grade(score) { | score | grade | | >= 5 | "A" | | >= 0 | "B" | }
  rank by higher score
  cohort { output best = max([r.score for r in records]) each output behind = best - score }
}
"""


def double(x):
    if x == 7:
        raise ValueError("seven")
    return x * 2


RUBRIC = assay.compile(TEXT, hooks={"f": double})
ROWS = [{"id": str(i), "a": i % 12, "b": None if i % 5 == 0 else 3.25, "notes": ["x" * 100]} for i in range(200)]
TABLE = pyarrow.Table.from_pylist(ROWS)
LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
FROZEN = RUBRIC.cohort(ROWS).freeze()


def refused(call):
    def part():
        try:
            call()
        except (ValueError, TypeError, KeyError, OverflowError):
            return
        raise AssertionError("it was taken")

    return part


def leave(x):
    raise SystemExit(3)


def left(call):
    def part():
        try:
            call()
        except SystemExit:
            return
        raise AssertionError("it went on")

    return part


LEAVING = assay.compile(TEXT, hooks={"f": leave})


def importer(path, base):
    raise OSError("no disk")


CALLS = {
    "dict": lambda: RUBRIC.score(ROWS[3]).to_dict(),
    "keys": lambda: (RUBRIC.score(ROWS[3]).score, RUBRIC.score(ROWS[3])["dimensions.a.score"]),
    "exact": lambda: RUBRIC.score(ROWS[3], numbers="fraction").to_dict(),
    "a rejected record": refused(lambda: RUBRIC.score({"a": 11, "b": "x"})),
    "a hook that raises": refused(lambda: RUBRIC.score({"a": 7})),
    "no record": refused(lambda: RUBRIC.score({"a": object()})),
    "a key that is none": refused(lambda: RUBRIC.score({1: 2})),
    "a place": refused(lambda: RUBRIC.score({"a": 1, "notes": ["x", {"y": object()}]})),
    "half a text": lambda: RUBRIC.score_many([{"a": 1, "notes": ["\ud800"]}] * 3),
    "a hook that leaves": left(lambda: LEAVING.score({"a": 1})),
    "hooks that leave": left(lambda: LEAVING.score_many(ROWS, threads=2)),
    "itself": refused(lambda: RUBRIC.score([])),
    "settings": lambda: RUBRIC.score(ROWS[3], weights={"a": "50%"}, history=ROWS[:2]),
    "no such context": refused(lambda: RUBRIC.score(ROWS[3], context="none")),
    "list": lambda: list(RUBRIC.score_many(ROWS)),
    "Arrow": lambda: pyarrow.table(RUBRIC.score_many(TABLE, threads=2)),
    "Arrow, nested": lambda: pyarrow.table(RUBRIC.score_many(TABLE, result="verdicts")),
    "a stream": lambda: RUBRIC.score_many(TABLE.to_reader(7), result="json")["verdict"],
    "a stream that is left": lambda: TABLE.to_reader(7).__arrow_c_stream__(),
    "NDJSON": lambda: RUBRIC.score_many(LINES),
    "no such column": refused(lambda: RUBRIC.score_many(pyarrow.table({"zz": [1]}))),
    "no such field": refused(lambda: RUBRIC.score_many(ROWS, fields=["zz"])),
    "rank": lambda: RUBRIC.rank([row for row in ROWS if row["a"] != 7 and row["a"] <= 10]),
    "explain": lambda: RUBRIC.explain(ROWS[3]),
    "why": lambda: RUBRIC.score(ROWS[3]).why("score"),
    "cohort": lambda: (RUBRIC.cohort(TABLE).merge(RUBRIC.cohort(ROWS)).outputs, RUBRIC.score_many(ROWS, cohort=FROZEN, fields=["behind"])),
    "saved cohort": lambda: assay.Cohort.load(RUBRIC, RUBRIC.cohort(ROWS).save()),
    "a damaged cohort": refused(lambda: assay.FrozenCohort.load(RUBRIC, FROZEN.save()[:-3])),
    "questions": lambda: (RUBRIC.schema(), RUBRIC.prompt(), RUBRIC.whatif(ROWS[3], {"a": 5}), RUBRIC.reach(ROWS[3], nodes=20)),
    "no such question": refused(lambda: RUBRIC.whatif(ROWS[3], {"zz": 5})),
    "pickle": lambda: pickle.loads(pickle.dumps(RUBRIC.score(ROWS[3]))),
    "compile": lambda: assay.compile(TEXT, hooks={"f": double}),
    "no rubric": refused(lambda: assay.compile("rubric r {")),
    "an importer that raises": lambda: pytest.raises(Exception, assay.compile, 'import "x"\nrubric r "R" { output a = 1 }', importer=importer),
    "no JSON": refused(lambda: _core.from_json('{"a": [1, {"b": "x\\q"}]}', None)),
    "JSON": lambda: _core.from_json('{"a": [1, {"b": "x"}, 1e400, 99999999999999999999999]}', None),
}  # fmt: skip


def memory():
    """Pages of this process that are its own."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("name", CALLS)
def test_objects(name):
    call = CALLS[name]
    for _ in range(6):
        call()

    def blocks(times):
        for _ in range(times):
            call()
        gc.collect()
        return sys.getallocatedblocks()

    least = None
    for _ in range(20):  # caches fill for a while; what leaks, leaks each time
        before = blocks(2)
        grown = blocks(30) - before
        least = grown if least is None else min(least, grown)
        if least < 15:
            break
    assert least < 15, f"{least} objects in 30 calls"


@pytest.mark.parametrize("name", CALLS)
def test_memory(name, rounds):
    if rounds(10) < 10:
        pytest.skip("a long test")
    call = CALLS[name]
    for _ in range(300):
        call()
    gc.collect()
    before = memory()
    for _ in range(600):
        call()
    gc.collect()
    assert memory() - before < 3 << 20


def test_nothing_of_the_extension_is_left_at_the_end(tmp_path):
    """nanobind reports instances, types and functions that the interpreter's end has not freed."""
    script = tmp_path / "all.py"
    script.write_text(
        f"import sys, gc; sys.path.insert(0, {os.path.dirname(__file__)!r})\n"
        "import test_leaks\n"
        "from assay import _core\n"
        "_core.set_leak_warnings(True)\n"
        "for call in test_leaks.CALLS.values():\n    call()\n"
        "kept = []\n"
        "if len(sys.argv) > 1:\n    import ctypes; ctypes.pythonapi.Py_IncRef(ctypes.py_object(test_leaks.RUBRIC._core))\n"
        "del call\nsys.modules.pop('test_leaks'); test_leaks.__dict__.clear(); del test_leaks; gc.collect()\n"
    )

    def told(*more):
        return subprocess.run([sys.executable, script, *more], capture_output=True, text=True, check=True).stderr

    assert "leaked 1 instances" in told("leak")  # the report works
    assert "instances" not in told()
