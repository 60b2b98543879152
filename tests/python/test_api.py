"""The package as a user meets it."""

from __future__ import annotations

import collections
import concurrent.futures
import dataclasses
import enum
import gc
import gzip
import json
import os
import pickle
import subprocess
import sys
import threading
import typing
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pydantic
import pytest
from conftest import TOP, rubric_path

import assay

TEXT = """
rubric review "Reviews" {
  version "1.2"
  scale 0..10 decimals 2
  weights rescaled
  dimension correctness weight 60%
  dimension clarity     weight 40% missing 5
  input red_flags: list of text default []
  input author: { name: text, years: whole 0..80 } optional
  context strict { weight correctness 90% }
  deduction flagged = count(red_flags) "Red flags"
  bands grade(score) { | score | grade | | >= 8 | "A" | | >= 0 | "B" | }
  output experienced = author.years > 5
  output change = score - last(history).score
  rank by higher score
  cohort { output best = max([x.score for x in records])  output many = count(records) }
}
"""
RECORD = {"id": "a", "correctness": 9, "clarity": 8}
_LOOPS = assay.compile(
    """rubric loops { input xs: list of number
      let total = sum(x * 2 for x in xs when x > 2)
      output all = total
      flag large when total > 100 }"""
)


@pytest.fixture(scope="module")
def rubric():
    return assay.compile(TEXT, "review.rubric")


def test_verdicts(rubric):
    verdict = rubric.score(RECORD)
    assert (verdict.score, verdict.grade, verdict.status, verdict.eligible) == (8.6, "A", "eligible", True)
    assert verdict["dimensions"]["correctness"]["contribution"] == 5.4
    assert verdict["dimensions.correctness.contribution"] == 5.4
    assert verdict["score"] == verdict.to_dict()["score"]
    assert json.loads(verdict.json) == verdict.to_dict() == dict(verdict)
    assert rubric.score(RECORD, numbers="decimal").score == Decimal("8.6")
    assert rubric.score(RECORD, numbers="fraction").score == Fraction(43, 5)
    assert isinstance(rubric.score(RECORD, numbers="decimal")["dimensions.correctness.score"], Decimal)
    assert "composite" in verdict.why("score")
    assert repr(verdict) == "Verdict(id='a', status='eligible', score=8.6, grade='A')"
    with pytest.raises(AttributeError, match="no field 'scor'"):
        verdict.scor
    with pytest.raises(KeyError):
        verdict.why("nothing")


def test_settings(rubric):
    assert rubric.score(RECORD, context=["strict"])["dimensions.correctness.weight"] == 0.9
    assert rubric.score(RECORD, weights={"clarity": Decimal("0.5")})["dimensions.clarity.weight"] == 0.5
    assert rubric.score(RECORD, weights={"clarity": "50%"})["dimensions.clarity.weight"] == 0.5
    assert rubric.score(RECORD, history=[{"correctness": 5, "clarity": 5}]).change == 3.6
    assert rubric.score(RECORD).change is None  # nothing stays
    for wrong in ({"context": ["lenient"]}, {"weights": {"clarity": 3}}, {"history": [{"correctness": 99}]}):
        with pytest.raises(assay.RecordError):
            rubric.score(RECORD, **wrong)


class Color(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Author:
    name: str
    years: int


@dataclasses.dataclass
class Review:
    correctness: float
    clarity: float | None
    author: Author | None = None


class Model(pydantic.BaseModel):
    correctness: Decimal
    clarity: float | None = None
    author: dict[str, typing.Any] | None = None


Tuple = collections.namedtuple("Tuple", "correctness clarity")


class Bag:
    def keys(self):
        return ["correctness", "clarity"]

    def __getitem__(self, key):
        return 8


@pytest.mark.parametrize(
    "record, score",
    [
        ({"correctness": 8, "clarity": 8.0}, 8), ({"correctness": 8, "clarity": None}, 6.8),
        ({"correctness": 8, "clarity": float("nan")}, 6.8), ({"correctness": 8, "clarity": pd.NA}, 6.8),
        ({"correctness": 8, "clarity": pd.NaT}, 6.8), ({"correctness": Decimal("8.00"), "clarity": Decimal("NaN")}, 6.8),
        ({"correctness": np.int8(8), "clarity": np.float32(8)}, 8), ({"correctness": np.float64(8), "clarity": np.float16("nan")}, 6.8),
        ({"correctness": Fraction(15, 2), "clarity": 8}, 7.7), (Review(8, None, Author("x", 3)), 6.8), (Review(8, 8), 8),
        (Model(correctness=Decimal("8"), clarity=8), 8), (Tuple(8, 8), 8), (Bag(), 8), ('{"correctness": 8, "clarity": 8}', 8),
        (b'{"correctness": 8, "clarity": 8}', 8), (pd.Series({"correctness": 8.0, "clarity": 8.0}), 8),
        ({"correctness": 8, "clarity": 8, "red_flags": np.array(["x"])}, 7), ({"correctness": 8, "clarity": 8, "red_flags": (Color.RED, "y")}, 6),
        ({"correctness": 8, "clarity": 8, "red_flags": {"b", "a"}}, 6), (collections.OrderedDict(correctness=8, clarity=8), 8),
    ],
)  # fmt: skip
def test_records(rubric, record, score):
    assert rubric.score(record).score == score
    assert rubric.score_many([record])["score"] == [score]


def test_numbers_keep_their_digits(rubric):
    echo = assay.compile('rubric echo "Echo" { input n: number  output same = n }')
    assert '"same":1.2345678901234567890123e22' in echo.score({"n": 12345678901234567890123}).json
    assert '"same":0.1}' in echo.score({"n": np.float32(0.1)}).json
    assert '"same":0.1}' in echo.score({"n": np.float16(0.1)}).json
    assert '"same":1000}' in echo.score({"n": Decimal("1E+3")}).json


@pytest.mark.parametrize(
    "record, kind",
    [({1: 2}, TypeError), ({"correctness": object()}, TypeError), ({"correctness": 1j}, TypeError), ({"correctness": Fraction(1, 3)}, ValueError),
     ({"correctness": np.datetime64("2020-01-01")}, TypeError), ({"correctness": "\ud800"}, assay.RecordError), (3, assay.RecordError),
     ({"correctness": float("inf")}, assay.RecordError), ({"correctness": True}, assay.RecordError), ("{", assay.RecordError)],
)  # fmt: skip
def test_records_that_are_none(rubric, record, kind):
    with pytest.raises(kind):
        rubric.score(record)
    assert rubric.score(RECORD).score == 8.6


def test_a_record_that_holds_itself(rubric):
    record = dict(RECORD)
    record["author"] = record
    with pytest.raises(ValueError, match="holds itself"):
        rubric.score(record)


def test_errors_of_records(rubric):
    with pytest.raises(assay.RecordError) as raised:
        rubric.score({**RECORD, "correctness": 12})
    error = raised.value
    assert (error.path, error.code, str(error)) == ("correctness", "range", "correctness is 12, expected a number 0..10")
    assert pickle.loads(pickle.dumps(error)).path == "correctness"
    with pytest.raises(assay.RecordError, match="clarty"):
        assay.compile(TEXT, strict=True).score({**RECORD, "clarty": 3})
    assert rubric.unknown_keys({**RECORD, "clarty": 3})[0][0] == "clarty"


def test_errors_of_rubrics():
    with pytest.raises(assay.RubricError) as raised:
        assay.compile('rubric r "R" {\n  output x = yy\n}', "r.rubric")
    text = str(raised.value)
    assert "r.rubric:2:14" in text and "^^" in text
    assert raised.value.diagnostics[0]["at"]["line"] == 2
    with pytest.raises(ValueError, match="no limit 'step'"):
        assay.compile(TEXT, limits={"step": 1})
    with pytest.raises(ValueError, match="numbers is one of"):
        assay.compile(TEXT, numbers="floats")
    with pytest.raises(assay.RecordError, match="steps"):
        assay.compile(TEXT, limits={"steps": 3}).score(RECORD)


def test_examples_differences_ranks_requests(rubric):
    judge = assay.load(rubric_path("judge"))
    assert judge.test() and all(example.passed for example in judge.test())
    other = assay.compile(TEXT.replace("60%", "50%").replace("40%", "50%"))
    assert {change.effect for change in assay.diff(rubric, other)} == {"scores"}
    assert assay.diff(rubric, rubric) == []
    records = [{"id": "a", "correctness": 5}, {"id": "b", "correctness": 9}, {"id": "c", "correctness": 5}]
    ranking = rubric.rank(records)
    assert (ranking.groups, ranking.order) == ([["b"], ["a", "c"]], ["b", "a", "c"])
    assert rubric.rank(pd.DataFrame(records)) == ranking
    with pytest.raises(assay.RecordError, match="id"):
        rubric.rank([{"correctness": 5}])
    assert rubric.request({"op": "rank", "inputs": records})["ranking"] == ranking.groups
    assert [a["score"] for a in rubric.requests([{"input": RECORD}, {"input": RECORD, "context": ["strict"]}])] == [8.6, 8.9]
    assert rubric.evaluate("correctness + 1", RECORD) == 10
    with pytest.raises(assay.RubricError, match="nothing"):
        rubric.evaluate("nothing + 1", RECORD)
    assert rubric.cohort(records).outputs == {"best": 7.4, "many": 3}
    assert "correctness" in rubric.explain(RECORD)
    assert "passed over" in _LOOPS.score({"xs": [1, 5]}).why("total", open="total")
    assert "1 of 2 rounds pass" in _LOOPS.explain({"xs": [1, 5]}, "total")
    assert "a flag that is not raised" in _LOOPS.score({"xs": [1]}).why("large")
    assert {view: bool(rubric.show(view)) for view in ("ast", "model", "bytecode", "kernel")}


def test_hooks():
    text = 'rubric h "H" { hook near(a: text, b: text): number 0..1 from "host:near"  input a, b: text  output n = near(a, b) }'
    hooked = assay.compile(text, hooks={"near": lambda a, b: float(a == b)})
    assert hooked.score({"a": "x", "b": "x"}).n == 1
    assert hooked.score_many([{"a": "x", "b": "y"}] * 3, fields=["n"])["n"] == [0] * 3

    def fails(a, b):
        raise KeyError("no model")

    for function, part in ((fails, "KeyError"), (lambda a, b: 7, "0..1"), (lambda a, b: "x", "number"), (lambda a, b: object(), "object")):
        with pytest.raises(assay.RecordError, match=part) as raised:
            assay.compile(text, hooks={"near": function}).score({"a": "x", "b": "x"})
        assert raised.value.code == "hook"


def test_imports_and_pickles(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "codes.csv").write_text("code,points\nx,3\ny,4\n")
    path = tmp_path / "points.rubric"
    path.write_text('rubric points "P" { input code: text  table points(code: text) from "parts/codes.csv"  output p = points(code) }')
    try:
        loaded = assay.load(path)
    except assay.RubricError as error:
        pytest.fail(str(error))
    assert loaded.score({"code": "y"}).p == 4
    text = pickle.dumps(loaded)
    (tmp_path / "parts" / "codes.csv").unlink()
    assert pickle.loads(text).score({"code": "x"}).p == 3
    with pytest.raises(assay.RubricError):
        assay.load(path)
    (tmp_path / "outside.csv").write_text("code,points\nx,3\n")
    inside = tmp_path / "parts" / "inside.rubric"
    inside.write_text('rubric points "P" { input code: text  table points(code: text) from "../outside.csv"  output p = points(code) }')
    assert assay.load(inside).score({"code": "x"}).p == 3
    with pytest.raises(assay.RubricError):
        assay.load(inside, root=tmp_path / "parts")


def double(number):
    return 2 * number


def score_elsewhere(pickled):
    return pickle.loads(pickled).score({"n": 3}).json


def test_processes(rubric):
    hooked = assay.compile('rubric d "D" { hook double(n: number): number from "host:double"  input n: number  output m = double(n) }', hooks={"double": double})
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        assert list(pool.map(score_elsewhere, [pickle.dumps(hooked)] * 3)) == [hooked.score({"n": 3}).json] * 3
    verdict = pickle.loads(pickle.dumps(rubric.score(RECORD)))
    assert verdict == rubric.score(RECORD)
    with pytest.raises(ValueError, match="another process"):
        verdict.why()


def test_threads(rubric):
    expected = rubric.score(RECORD).json
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert set(pool.map(lambda _: rubric.score(RECORD).json, range(4000))) == {expected}
    lock = threading.Lock()
    calls = []

    def slow(n):
        with lock:
            calls.append(n)
        return n

    hooked = assay.compile('rubric s "S" { hook slow(n: number): number from "host:slow"  input n: number  output m = slow(n) }', hooks={"slow": slow})
    assert hooked.score_many([{"n": i} for i in range(3000)], fields=["m"], threads=4)["m"] == list(range(3000))
    assert len(calls) == 3000


def test_many_of_every_source(rubric, tmp_path):
    records = [{"id": str(i), "correctness": i % 12, "clarity": 5} for i in range(30)]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    expected = rubric.score_many(records).to_list()
    assert len(rubric.score_many(records).errors) == 2  # 11 is beyond the scale
    (tmp_path / "r.ndjson").write_text(lines)
    with gzip.open(tmp_path / "r.jsonl.gz", "wb") as file:
        file.write(lines.encode())
    # Zstandard's smallest frame: one block as it is.
    size = len(lines).to_bytes(4, "little")
    block = (len(lines) << 3 | 1).to_bytes(3, "little")
    (tmp_path / "r.ndjson.zst").write_bytes(b"\x28\xb5\x2f\xfd\xa0" + size + block + lines.encode())
    frame = pd.DataFrame(records)
    frame.to_csv(tmp_path / "r.csv", index=False)
    frame.to_parquet(tmp_path / "r.parquet")
    (tmp_path / "r.json").write_text(json.dumps(records))
    for source in (lines, lines.encode(), iter(records), frame, tmp_path / "r.ndjson", str(tmp_path / "r.jsonl.gz"), tmp_path / "r.csv",
                   tmp_path / "r.ndjson.zst", (tmp_path / "r.jsonl.gz").read_bytes(), tmp_path / "r.json", tmp_path / "r.parquet", open(tmp_path / "r.ndjson", "rb")):  # fmt: skip
        assert rubric.score_many(source).to_list() == expected
    assert rubric.score_many([]).to_list() == []
    broken = rubric.score_many(lines + "{not json\n" + lines)
    assert len(broken) == 61 and [row for row, _ in broken.errors] == [11, 23, 30, 42, 54]
    with pytest.raises(TypeError, match="many records"):
        rubric.score_many(RECORD)
    with pytest.raises(ValueError, match="format"):
        rubric.score_many(tmp_path / "r.xyz")
    with pytest.raises(FileNotFoundError):
        rubric.score_many(tmp_path / "none.csv")
    (tmp_path / "cut.ndjson.gz").write_bytes((tmp_path / "r.jsonl.gz").read_bytes()[:40])
    for out in (None, tmp_path / "none.ndjson"):
        with pytest.raises(OSError, match="cannot read '.*cut.ndjson.gz': "):
            rubric.score_many(tmp_path / "cut.ndjson.gz", out=out)
    assert not (tmp_path / "none.ndjson").exists()
    with pytest.raises(assay.RecordError, match="'nothing' is not a field"):
        rubric.score_many(records, fields=["nothing"])
    with pytest.raises(ValueError, match="result is"):
        rubric.score_many(records, result="tables")


def test_many_into_files(rubric, tmp_path):
    records = [{"id": str(i), "correctness": i % 12, "clarity": 5} for i in range(3000)]
    source = tmp_path / "r.ndjson"
    source.write_text("".join(json.dumps(record) + "\n" for record in records))
    seen = []
    counts = rubric.score_many(source, out=tmp_path / "v.ndjson", progress=seen.append)
    assert counts == assay.Counts(3000, 250) and seen[-1] == 3000
    command = subprocess.run([sys.executable, "-m", "assay", "score", "-", str(source)], capture_output=True, check=False)
    assert command.returncode == 2  # a rubric on standard input is none
    (tmp_path / "review.rubric").write_text(TEXT)
    command = subprocess.run([sys.executable, "-m", "assay", "score", str(tmp_path / "review.rubric"), str(source)], capture_output=True, check=False)
    assert (tmp_path / "v.ndjson").read_bytes() == command.stdout
    assert rubric.score_many(records, out=tmp_path / "w.ndjson.gz") == counts
    assert gzip.open(tmp_path / "w.ndjson.gz").read() == command.stdout
    assert rubric.score_many(pd.DataFrame(records), out=tmp_path / "x.ndjson") == counts
    assert (tmp_path / "x.ndjson").read_bytes() == command.stdout
    assert rubric.score_many(source, out=tmp_path / "v.parquet") == counts
    assert pd.read_parquet(tmp_path / "v.parquet")["score"].dropna().tolist() == [s for s in rubric.score_many(records)["score"] if s is not None]
    assert rubric.score_many(source, out=tmp_path / "v.csv", fields=["id", "score"]) == counts
    table = pd.read_csv(tmp_path / "v.csv")
    assert list(table.columns) == ["id", "score", "error"] and len(table) == 3000
    for to in ("csv", "tsv"):
        command = subprocess.run([sys.executable, "-m", "assay", "score", str(tmp_path / "review.rubric"), str(source), "--to", to], capture_output=True, check=False)
        assert rubric.score_many(source, out=tmp_path / f"v.{to}") == counts
        assert (tmp_path / f"v.{to}").read_bytes() == command.stdout

    class Stop(Exception):
        pass

    def stop(done):
        raise Stop

    with pytest.raises(Stop):
        rubric.score_many(source, out=tmp_path / "s.ndjson", progress=stop)
    assert not (tmp_path / "s.ndjson").exists() and not list(tmp_path.glob("*.part"))


def test_results_of_iterables_are_those_of_tables(rubric):
    records = [{"id": "a", "correctness": 5}, {"id": "b", "correctness": 99}]
    nested = rubric.score_many(records, result="verdicts", numbers="decimal")
    assert nested.head()[0]["dimensions"]["correctness"]["contribution"] == pytest.approx(3)
    assert nested.head()[1]["error"]["path"] == "correctness" and nested["score"][1] is None
    assert rubric.score_many(records, result="json")["verdict"][0] == rubric.score(records[0]).json
    assert rubric.score_many(records, fields=["score", "flags", "dimensions"]).columns == ["score", "flags", "dimensions", "error"]
    assert len(rubric.score_many(records)) == 2 and "2 rows" in repr(rubric.score_many(records))


def test_notebooks(rubric):
    hostile = {**RECORD, "id": "<script>alert(1)</script>"}
    for shown in (rubric.score(hostile), rubric.rank([hostile]), rubric.explain(hostile), rubric.score_many([hostile])):
        html = shown._repr_html_()
        assert "<script>" not in html and "&lt;script&gt;" in html
    assert "<svg" in rubric.score(RECORD)._repr_html_()


def test_memory_is_given_back(rubric):
    def work():
        for _ in range(200):
            rubric.score(RECORD).to_dict()
            rubric.score_many([RECORD] * 5).to_list()
            pickle.loads(pickle.dumps(rubric))
            try:
                rubric.score({"correctness": 99})
            except assay.RecordError:
                pass

    work()
    gc.collect()
    before, counts = sys.getrefcount(None), len(gc.get_objects())
    work()
    gc.collect()
    assert abs(len(gc.get_objects()) - counts) < 200
    assert abs(sys.getrefcount(None) - before) < 200


def test_about(rubric):
    assert (rubric.name, rubric.version, rubric.prose) == ("review", "1.2", "Reviews")
    assert len(rubric.scoring_hash) == 16 and rubric.scoring_hash in repr(rubric)
    assert [i["name"] for i in rubric.inputs][0] == "id"
    assert {"score", "grade"} <= {f["name"] for f in rubric.fields}
    assert rubric.dimensions[0]["name"] == "correctness"


def test_the_command_is_there():
    command = os.path.join(os.path.dirname(sys.executable), "assay")
    assert subprocess.run([command, "version"], capture_output=True, check=True).stdout.decode() == f"assay {assay.__version__}\n"
    assert subprocess.run([command, "check", "/none"], capture_output=True, check=False).returncode == 2


def test_types():
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(TOP / "tests" / "python" / "typed.py")],
        capture_output=True, text=True, check=False, cwd=TOP / "build",
    )  # fmt: skip
    assert done.stdout == ""


def test_the_import_is_quick():
    script = "import time; t = time.perf_counter(); import assay; print(time.perf_counter() - t)"
    times = [float(subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout) for _ in range(7)]
    assert min(times) < 0.03
