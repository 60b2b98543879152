"""Cohorts in parts: the same bytes for any division and any order, and the verdicts of the second pass."""

from __future__ import annotations

import copy
import json
import os
import pickle
import random
import subprocess
from concurrent.futures import ThreadPoolExecutor

import assay
import pyarrow
import pytest
from assay import _core

COMMAND = os.path.join(os.path.dirname(assay.__file__), "bin", "assay")
TEXT = """
import "std/normalise.rubric"

rubric race "A race of several clubs" {
  scale 0..100 decimals 1
  dimension result weight 100%
  input club: text
  gate finished = result > 0
  rank by higher score
  cohort {
    let scores  = [r.score for r in records]
    let by_club = group(r.club: r.score for r in records)
    output typical = median(scores)
    output refused = [x.id for x in rejected]
    each output place
    each output percentile   = 100 * percentile_rank(score, scores)  decimals 0
    each output ahead        = score - typical
    each output best_of_club = score == max(by_club[club])  "Nobody of the club is better"
    each output above        = "far" when ahead > 10 else "near"
  }
}
"""
EACH = ["place", "percentile", "ahead", "best_of_club", "above"]


@pytest.fixture(scope="module")
def rubric():
    return assay.compile(TEXT, "race.rubric")


def records(count, seed=5):
    source = random.Random(seed)
    made = []
    for i in range(count):
        record = {"id": f"r{i:04}", "club": source.choice(["red", "blue", "green"]), "result": source.randrange(1050) / 10}
        if source.random() < 0.05:
            record["result"] = 0
        made.append(record)
    return made


def expected(rubric, rows, tmp_path):
    """What the command says, by id; it has the records in the order of their ids, as cohorts in parts have."""
    (tmp_path / "race.rubric").write_text(rubric.text if isinstance(rubric.text, str) else rubric.text.decode())
    lines = "".join(_core.to_json(row, repr) + "\n" for row in sorted(rows, key=lambda row: row["id"]))
    done = subprocess.run([COMMAND, "score", "race.rubric", "--cohort"], input=lines, capture_output=True, text=True, cwd=tmp_path, check=False)
    *verdicts, cohort = done.stdout.splitlines()
    return {json.loads(line).get("id") or json.loads(line)["error"]["id"]: line for line in verdicts}, json.loads(cohort)


def test_parts_make_one_whole(rubric, tmp_path):
    rows = records(500)
    _, outputs = expected(rubric, rows, tmp_path)
    whole = rubric.cohort(rows)
    assert (whole.verdicts, whole.rejected) == (sum(row["result"] <= 100 for row in rows), sum(row["result"] > 100 for row in rows))
    frozen = whole.freeze()
    assert outputs["cohort"] == frozen.outputs if "cohort" in outputs else outputs == frozen.outputs
    source = random.Random(1)
    for parts in (1, 2, 7, 64):
        shuffled = source.sample(rows, len(rows))
        pieces = [rubric.cohort(shuffled[k::parts], threads=1 + k % 3) for k in range(parts)]
        source.shuffle(pieces)
        merged = assay.Cohort(rubric)
        for piece in pieces:
            assert merged.merge(pickle.loads(pickle.dumps(piece))) is merged
        assert merged.save() == whole.save() and merged.freeze() == frozen and merged.freeze().hash == frozen.hash
    pairs = [rubric.cohort(rows[:100]), rubric.cohort(rows[100:300]), rubric.cohort(rows[300:])]
    assert copy.copy(pairs[0]).merge(*pairs[1:]).save() == whole.save() and pairs[0].verdicts < 101
    assert pickle.loads(pickle.dumps(frozen)) == frozen and "500" not in repr(assay.Cohort(rubric))


def test_every_kind_of_records(rubric, tmp_path):
    rows = records(300)
    whole = rubric.cohort(rows).save()
    lines = "".join(_core.to_json(row, repr) + "\n" for row in rows)
    (tmp_path / "rows.ndjson").write_text(lines)
    table = pyarrow.Table.from_pylist(rows)
    for given in (iter(rows), lines, lines.encode(), str(tmp_path / "rows.ndjson"), table, table.to_reader(40), table.to_batches()[0]):
        assert rubric.cohort(given).save() == whole
    pl = pytest.importorskip("polars")
    assert rubric.cohort(pl.DataFrame(rows)).save() == whole
    assert rubric.cohort([]).save() == assay.Cohort(rubric).save()


def test_second_pass(rubric, tmp_path):
    rows = records(400)
    lines, _ = expected(rubric, rows, tmp_path)
    frozen = rubric.cohort(rows).freeze()
    for row in rows[:50]:
        if row["result"] <= 100:
            verdict = rubric.score(row, cohort=frozen)
            assert verdict.json == lines[row["id"]] and "place" in verdict.to_dict()
            assert "place" in verdict.why()
    for threads in (1, 3):
        texts = rubric.score_many(rows, cohort=frozen, result="json", threads=threads)["verdict"]
        assert texts == [lines[row["id"]] for row in rows]
    table = pyarrow.table(rubric.score_many(pyarrow.Table.from_pylist(rows), cohort=frozen, threads=2))
    assert table.column_names == ["id", "status", "score", *EACH, "error"]
    for row, got in zip(rows, table.to_pylist()):
        made = json.loads(lines[row["id"]])
        assert {name: got[name] for name in EACH} == {name: made.get(name) for name in EACH} if "error" not in made else got["error"]
    assert rubric.score_many(rows, cohort=True, fields=EACH)["place"] == table["place"].to_pylist()
    assert rubric.score_many(iter(rows), cohort=True, fields=["place"])["place"] == table["place"].to_pylist()
    assert rubric.score_many(pyarrow.Table.from_pylist(rows).to_reader(7), cohort=True, fields=["place"])["place"] == table["place"].to_pylist()
    nested = rubric.score_many(rows, cohort=frozen, result="verdicts")
    assert nested["place"] == table["place"].to_pylist()
    rubric.score_many(rows, cohort=frozen, out=tmp_path / "out.ndjson")
    assert (tmp_path / "out.ndjson").read_text().splitlines() == [lines[row["id"]] for row in rows]
    rubric.score_many(rows, cohort=frozen, out=tmp_path / "out.csv")
    header = (tmp_path / "out.csv").read_text().splitlines()[0].split(",")
    assert [name for name in header if name in EACH] == [*EACH] and header[-1] == "error"
    rubric.score_many(rows, cohort=frozen, out=tmp_path / "out.parquet")
    assert rubric.score_many(rows, fields=["score"])["score"] == table["score"].to_pylist()


def test_a_frozen_cohort_is_a_norm(rubric):
    frozen = rubric.cohort([{"id": str(i), "club": "red", "result": i * 10} for i in range(1, 6)]).freeze()
    assert rubric.score({"id": "new", "club": "red", "result": 35}, cohort=frozen).place == 3
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: rubric.score({"id": "n", "club": "red", "result": 60}, cohort=frozen).place, range(40))) == {1}
    other = assay.compile(TEXT.replace("0..100", "0..200"))
    for wrong in (lambda: other.score({"id": "a", "club": "red", "result": 1}, cohort=frozen), lambda: other.cohort([]).merge(rubric.cohort([])),
                  lambda: assay.FrozenCohort.load(rubric, frozen.save()[:-1]), lambda: assay.Cohort.load(rubric, b"nothing"),
                  lambda: assay.Cohort.load(other, rubric.cohort([]).save())):  # fmt: skip
        with pytest.raises(assay.RecordError):
            wrong()
    with pytest.raises(assay.RecordError, match="whole run"):
        rubric.score_many([{"id": "a", "club": "red", "result": 1}], fields=["place"])
    with pytest.raises(TypeError, match="Cohort or a FrozenCohort"):
        rubric.score({"id": "a", "club": "red", "result": 1}, cohort={"typical": 1})
    with pytest.raises(assay.AssayError, match="no cohort block"):
        assay.compile('rubric r "R" { input a: number output b = a }').cohort([])


def test_the_order_of_a_run():
    listed = assay.compile('rubric r "R" { input a: number output b = a cohort { output all = [r.b for r in records] } }')
    rows = [{"id": "z", "a": 1}, {"id": "a", "a": 2}, {"a": 3}]
    assert listed.cohort(rows, first=0).outputs == {"all": [1, 2, 3]}
    assert listed.cohort(rows[2:], first=2).merge(listed.cohort(rows[:2], first=0)).outputs == {"all": [1, 2, 3]}
    assert sorted(listed.cohort(rows).outputs["all"]) == [1, 2, 3] and listed.cohort(rows[::-1]).save() == listed.cohort(rows).save()
    assert listed.cohort([{"id": "a", "a": 1}, {"id": "a", "a": 2}]).repeated_ids() == [("a", 2)]
    assert listed.cohort(rows, context=(), weights=None).verdicts == 3


def test_hooks_and_settings():
    text = 'rubric h "H" { hook f(a: number): number from "host:f" scale 0..10 weights rescaled dimension a weight 50% dimension b weight 50% context c { weight a 90% } cohort { output most = f(max([r.score for r in records])) each output share = f(score) } }'
    hooked = assay.compile(text, hooks={"f": lambda a: a * 2})
    rows = [{"id": str(i), "a": i, "b": 0} for i in range(5)]
    assert hooked.cohort(rows).outputs == {"most": 4} and hooked.cohort(rows, context="c").outputs["most"] == pytest.approx(7.2)
    assert hooked.score_many(rows, cohort=True, context="c", fields=["share"])["share"] == pytest.approx([0, 1.8, 3.6, 5.4, 7.2])
