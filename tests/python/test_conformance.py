"""Every case of the contract through Python and, where a record is a row, through Arrow: byte for byte what the command says."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal

import pyarrow as pa
import pytest
from conftest import TOP, exact, rubric_path

import assay

NAMES = sorted(path.parent.name for path in (TOP / "tests" / "conformance").glob("*/cases.ndjson"))


def cases_of(name):
    text = (TOP / "tests" / "conformance" / name / "cases.ndjson").read_text()
    return [(line, exact(line)) for line in text.splitlines() if line.strip()]


def answers_of_command(name, requests):
    done = subprocess.run(
        [sys.executable, "-m", "assay", "eval", str(rubric_path(name))],
        input="".join(request + "\n" for request in requests).encode(), stdout=subprocess.PIPE, check=False,
    )  # fmt: skip
    answers = done.stdout.decode().splitlines()
    assert len(answers) == len(requests)
    return answers


def test_there_are_all_cases():
    assert sum(len(cases_of(name)) for name in NAMES) == 2390


def error_of(call):
    try:
        return call().json
    except assay.RecordError as error:
        made = {"error": {"path": error.path, "code": error.code, "message": error.message}}
        if error.others:
            made["error"]["others"] = error.others
        if error.id is not None:
            made["id"] = error.id
        return json.dumps(made, ensure_ascii=False, separators=(",", ":"))


def arrow_type(values):
    """The type of the exact values of a column, or None where they are not of one kind."""
    given = [value for value in values if value is not None]
    if not given:
        return pa.null()
    if all(isinstance(value, bool) for value in given):
        return pa.bool_()
    if all(isinstance(value, Decimal) for value in given):
        scale = max(0, *(-value.as_tuple().exponent for value in given))
        digits = max(len(value.as_tuple().digits) + max(0, value.as_tuple().exponent) for value in given) + scale
        return pa.decimal128(38, scale) if digits <= 38 else None
    if all(isinstance(value, str) for value in given):
        return pa.string()
    if all(isinstance(value, list) for value in given):
        item = arrow_type([item for value in given for item in value])
        return None if item is None else pa.list_(item)
    if all(isinstance(value, dict) for value in given):
        # Arrow cannot tell a member that is absent from one that is null, and neither can a rubric.
        members = list(dict.fromkeys(name for value in given for name in value))
        types = [arrow_type([value.get(name) for value in given]) for name in members]
        return None if any(t is None for t in types) or not members else pa.struct(list(zip(members, types)))
    return None


def batch_of(record):
    if not isinstance(record, dict) or any("." in name for name in record):
        return None
    arrays, names = [], []
    for name, value in record.items():
        kind = arrow_type([value])
        if kind is None:
            return None
        arrays.append(pa.array([value], kind))
        names.append(name)
    return pa.RecordBatch.from_arrays(arrays, names)


@pytest.mark.parametrize("name", NAMES)
def test_python(name):
    rubric = assay.load(rubric_path(name))
    cases = cases_of(name)
    expected = answers_of_command(name, [line for line, _ in cases])
    assert [rubric.request_json(line) for line, _ in cases] == expected
    assert [rubric.request_json(case) for _, case in cases] == expected
    for (line, case), answer in zip(cases, expected):
        if case["op"] == "rank":
            continue
        if any(not isinstance(case.get(key) or kind(), kind) for key, kind in (("context", list), ("weights", dict), ("history", list))):
            continue  # not what the arguments of score() are
        if any(value is None or isinstance(value, (str, list, dict, bool)) for value in (case.get("weights") or {}).values()):
            continue  # null is an error of a request alone, and "25%" is none of score()
        settings = {"context": case.get("context") or (), "weights": case.get("weights"), "history": case.get("history") or ()}
        assert error_of(lambda: rubric.score(case["input"], **settings)) == answer, line


@pytest.mark.parametrize("name", NAMES)
def test_arrow(name):
    rubric = assay.load(rubric_path(name))
    cases = cases_of(name)
    expected = answers_of_command(name, [line for line, _ in cases])
    rows = 0
    for (line, case), answer in zip(cases, expected):
        batch = batch_of(case["input"]) if case["op"] == "score" and not case.get("history") else None
        if batch is None or case.get("weights") or case.get("context"):
            continue
        rows += 1
        try:
            verdicts = rubric.score_many(batch, result="json")["verdict"]
        except assay.RecordError as error:
            if error.code == "required":  # a column that is not there: of the whole table
                assert json.loads(answer)["error"]["path"].startswith(error.path), line
                continue
            raise
        assert verdicts == [answer], line
        nested = rubric.score_many(batch, result="verdicts", numbers="decimal").head(1)[0]
        columns = rubric.score_many(batch, fields=["status", "score"] if rubric.about["scored"] else ["status"], numbers="decimal").head(1)[0]
        if "error" in exact(answer):
            assert nested["error"] == exact(answer)["error"], line
            assert columns["error"] == nested["error"]["message"]
        else:
            shown = exact(answer)
            assert columns["status"] == shown["status"], line
            assert columns.get("score") == shown.get("score"), line
            assert nested.get("score") == shown.get("score"), line
            assert nested.get("flags") == shown.get("flags"), line
    assert rows > 0 or name in ("phraseology_session", "skill_dashboard")
    print(f"{name}: {rows} of {len(cases)} cases are rows")


@pytest.mark.parametrize("name", NAMES)
def test_arrow_in_one_table(name):
    """The records that can be scored, as one table with nulls: what kernels take has to be what JSON gives."""
    rubric = assay.load(rubric_path(name))
    cases = [case for _, case in cases_of(name)]
    records = [c["input"] for c in cases if c["op"] == "score" and "expect_error" not in c and not c.get("history")
               and not c.get("weights") and not c.get("context")]  # fmt: skip
    # A record that is absent is not one without members, which a table of structs cannot say.
    columns = {key for record in records for key in record}
    kinds = {key: arrow_type([record.get(key) for record in records]) for key in columns}
    if not records or any(kind is None for kind in kinds.values()):
        pytest.skip("the records of these cases are not of one type")
    table = pa.table({key: pa.array([record.get(key) for record in records], kind) for key, kind in kinds.items()})
    plain = rubric.score_many(records, fields=["status", "score"] if rubric.about["scored"] else ["status"])
    fast = rubric.score_many(table, fields=plain.columns[:-1])
    assert fast.to_list() == plain.to_list()
    assert not fast.errors
