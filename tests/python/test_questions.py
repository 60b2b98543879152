"""Schemas, instructions for judges and questions: the answers are those of the command, byte for byte."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import threading
import time
from decimal import Decimal

import assay
import pytest
from conftest import TOP, rubric_path

COMMAND = os.path.join(os.path.dirname(assay.__file__), "bin", "assay")
JUDGE = rubric_path("judge")
SAMPLE = JUDGE.parent / "sample.ndjson"


def command(*words):
    done = subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, check=False)
    return done.stdout


@pytest.fixture(scope="module")
def judge():
    return assay.load(str(JUDGE))


@pytest.fixture(scope="module")
def rows():
    return [json.loads(line) for line in SAMPLE.read_text().splitlines()]


RUBRICS = sorted(path for path in (TOP / "rubrics").rglob("*.rubric"))


@pytest.mark.parametrize("path", RUBRICS, ids=lambda path: path.stem)
def test_schemas_and_prompts_are_those_of_the_command(path):
    rubric = assay.load(str(path))
    for options, words in (({}, []), ({"of": "verdict"}, ["--verdict"]), ({"judged": True}, ["--judged-only"]),
                           ({"judged": True, "strict_subset": True}, ["--judged-only", "--strict-subset"])):  # fmt: skip
        try:
            made = rubric.schema(**options)
        except assay.AssayError:
            assert command("schema", path, *words) == ""
            continue
        assert made.json == command("schema", path, *words) and dict(made) == json.loads(made.json)
        assert json.loads(json.dumps(made)) == made
        assert all(isinstance(sentence, str) for sentence in made.not_expressed)
    try:
        text = rubric.prompt()
    except assay.AssayError:
        text = ""
    assert text == command("prompt", path)


def test_a_part_of_what_is_judged(judge):
    assert set(judge.schema(only=["correctness", "safety"])["properties"]) == {"correctness", "safety"}
    assert set(judge.schema(only="safety", judged="red_flags")["properties"]) == {"safety", "red_flags"}
    assert judge.prompt("safety") == command("prompt", JUDGE, "--dimension", "safety")
    frame = assay.prompt_frame()
    heading = next(key for key, text in frame.items() if "What you judge" in text)
    assert "Was beurteilt wird" in judge.prompt(frame={heading: frame[heading].replace("What you judge", "Was beurteilt wird")})
    for wrong in (lambda: judge.schema(judged="nothing"), lambda: judge.prompt("nothing"), lambda: judge.prompt(frame={"nothing": ""}),
                  lambda: judge.prompt(frame=""), lambda: judge.prompt(context="nothing")):  # fmt: skip
        with pytest.raises(assay.AssayError):
            wrong()
    with pytest.raises(ValueError, match="'record' or of a 'verdict'"):
        judge.schema("rubric")
    with pytest.raises(ValueError, match="about records"):
        judge.schema("verdict", judged=True)


def test_whatif(judge, rows):
    answer = judge.whatif(rows[1], {"correctness": 9.5, "red_flags": []})
    assert answer.json + "\n" == command("whatif", JUDGE, SAMPLE, "--id", rows[1]["id"], "--set", "correctness=9.5", "--set", "red_flags=[]", "--to", "json")
    assert answer["changes"][0]["name"] in ("red_flags", "correctness") and answer.before["score"] < answer.after["score"]
    assert pickle.loads(pickle.dumps(answer)) == answer and dict(answer) == answer.to_dict()
    assert judge.whatif(rows[1], {"correctness": rows[1]["correctness"]}).changes == []
    with pytest.raises(AttributeError, match="it has id, set"):
        answer.nothing  # noqa: B018
    with pytest.raises(assay.RecordError, match="did you mean 'correctness'"):
        judge.whatif(rows[1], {"corectness": 9})
    with pytest.raises(assay.RecordError, match="correctness is 99"):
        judge.whatif(rows[1], {"correctness": 99})


def test_reach(judge, rows):
    one = rows[1]
    for options, words in (({}, []), ({"target": "A+"}, ["--to", "A+"]), ({"target": Decimal("9.25")}, ["--to", "9.25"]),
                           ({"keep": "safety", "costs": {"correctness": 3}, "grid": 0.5},
                            ["--keep", "safety", "--cost", "correctness=3", "--grid", "0.5"])):  # fmt: skip
        answer = judge.reach(one, **options)
        assert answer.json + "\n" == command("reach", JUDGE, SAMPLE, "--id", one["id"], *words, "--to", "json")
    place = judge.reach(one, "place 1", others=[row for row in rows if row is not one])
    assert place.json + "\n" == command("reach", JUDGE, SAMPLE, "--id", one["id"], "--to", "place 1", "--to", "json")
    with pytest.raises(assay.RecordError, match="is not a band, a score"):
        judge.reach(one, "platinum")


def test_sensitivity_and_versus(judge, rows):
    answer = judge.sensitivity(rows, samples=200, seed=3, noise=Decimal("0.5"))
    assert answer.json + "\n" == command("sensitivity", JUDGE, SAMPLE, "--samples", 200, "--seed", 3, "--noise", "0.5", "--to", "json")
    assert judge.versus(rows[0], rows[1]).before == rows[0]["id"]
    with pytest.raises(assay.AssayError, match="no record"):
        judge.sensitivity([])
    with pytest.raises(ValueError, match="samples is a whole number"):
        judge.sensitivity(rows, samples=-1)


def test_calibrate(judge, rows, tmp_path):
    golds = {row["id"]: {"score": round(row["correctness"] - i % 3, 2), "correctness": 8, "grade": "B"} for i, row in enumerate(rows)}
    file = tmp_path / "gold.ndjson"
    file.write_text("".join(json.dumps({**row, "gold": golds[row["id"]], "judge": "ann"}) + "\n" for row in rows))
    expected = command("calibrate", JUDGE, file, "--floor", 2, "--to", "json")
    assert judge.calibrate(file.read_text(), floor=2).json + "\n" == expected
    listed = [{"id": name, "judge": "ann", "gold": gold} for name, gold in golds.items()]
    flat = [{"id": name, "judge": "ann", **gold} for name, gold in golds.items()]
    for given in (listed, flat):
        assert judge.calibrate(rows, given, floor=2).json + "\n" == expected
    assert judge.calibrate(rows, golds, floor=2).figures[0]["exact"] == json.loads(expected)["figures"][0]["exact"]
    for records, gold, told in ((rows, None, "no record has gold"), (rows, {"zz": {}}, "no record has the id 'zz'"),
                                (rows, {rows[0]["id"]: {"nothing": 1}}, "names 'nothing'"), (rows, {rows[0]["id"]: 3}, "not an object"),
                                (["{"], None, "not JSON"), (rows, [3], "not an object"),
                                (rows, {rows[0]["id"]: {"score": "good"}}, "score: is 'good', expected a number"),
                                (rows, {rows[0]["id"]: {"grade": "G"}}, "grade: is 'G', expected one of"),
                                ([rows[0], rows[0]], {rows[0]["id"]: {"grade": "B"}}, "two records have the id")):  # fmt: skip
        with pytest.raises(assay.AssayError, match=told):
            judge.calibrate(records, gold)


SLOW = """rubric slow "A search that takes long" {
  scale 0..10 decimals 4
""" + "".join(f"  dimension d{i} weight {(4, 7, 10, 13, 16)[i % 5]}% missing {i % 7}\n" for i in range(10)) + """
  cap score at 6.00 when d0 * d1 + d2 * d3 - d4 * d5 < d6 * d7 - 3 "Mixed"
  deduction moved = (d8 * d9 + d1 * d3) / 40 + abs(d2 - d5) / 3 "Mixed"
  bands grade(score) { | score | grade | | >= 5.9 | "A" | | >= 0 | "B" | }
}"""


def test_a_question_ends():
    slow = assay.compile(SLOW)
    record = {f"d{i}": (i * 37 % 61) / 10 for i in range(10)}
    start = time.perf_counter()
    with pytest.raises(assay.RecordError) as raised:
        slow.reach(record, "A", nodes=2**32 - 1, timeout=0.2)
    assert raised.value.code == "timeout" and time.perf_counter() - start < 20
    ticks = []
    stop = threading.Event()

    def count():
        while not stop.wait(0.005):
            ticks.append(None)

    thread = threading.Thread(target=count)
    thread.start()
    with pytest.raises(assay.RecordError):
        slow.reach(record, "A", nodes=2**32 - 1, timeout=0.3)
    stop.set()
    thread.join()
    assert len(ticks) > 3  # others go on meanwhile
    with pytest.raises(ValueError, match="a timeout is"):
        slow.reach(record, "A", timeout=-1)


def test_signals_end_a_question():
    script = (
        "import assay, os, signal, threading\n"
        f"slow = assay.compile({SLOW!r})\n"
        "record = {f'd{i}': (i * 37 % 61) / 10 for i in range(10)}\n"
        "threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
        "try:\n    slow.reach(record, 'A', nodes=2**32 - 1)\nexcept KeyboardInterrupt:\n    print('ended')\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "ended\n"
