"""The adapters against the packages that they are for; those that are not installed are left out."""

from __future__ import annotations

import asyncio
import json
import math

import pytest

import assay
from assay import integrations

TEXT = """
rubric review "Reviews" {
  scale 0..10 decimals 2
  dimension correctness weight 60%
  dimension clarity     weight 40% missing 5
  gate short = words <= 100
  input words: whole >= 0 default 0
  bands grade(score) { | score | grade | | >= 8 | "A" | | >= 0 | "B" | }
}
"""
GOOD = json.dumps({"correctness": 9, "clarity": 8})
BAD = json.dumps({"correctness": 99})


@pytest.fixture(scope="module")
def rubric():
    return assay.compile(TEXT, "review.rubric")


def test_inspect(rubric):
    pytest.importorskip("inspect_ai")
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    scorer = integrations.inspect_scorer(rubric)

    def scored(text, words):
        state = TaskState(model="mockllm/model", sample_id=1, epoch=1, input="q", messages=[], metadata={"words": words},
                          output=ModelOutput.from_content("mockllm/model", text))  # fmt: skip
        return asyncio.run(scorer(state, Target("")))

    score = scored(GOOD, 3)
    assert score.value == {"score": 8.6, "correctness": 9, "clarity": 8}
    assert "composite" in score.explanation and score.metadata["grade"] == "A"
    unscored = scored(BAD, 3)
    assert isinstance(unscored.value, float) and math.isnan(unscored.value)
    assert "correctness is 99" in unscored.explanation


def test_promptfoo(rubric):
    get_assert = integrations.promptfoo_assert(rubric, threshold=8)
    passed = get_assert(GOOD, {"vars": {"words": 3}})
    assert (passed["pass"], passed["score"], passed["namedScores"]) == (True, 8.6, {"correctness": 9, "clarity": 8})
    assert not get_assert(GOOD, {"vars": {"words": 300}})["pass"]  # a gate
    assert not get_assert(json.dumps({"correctness": 5}), {})["pass"]
    assert "correctness is 99" in get_assert(BAD, {})["reason"]
    json.dumps(passed)


def test_promptfoo_itself(tmp_path):
    """promptfoo with its provider that repeats the prompt, as a user runs it: a configuration and a file that it names."""
    import os
    import pathlib
    import shutil
    import subprocess
    import sys

    beside = pathlib.Path(sys.prefix).parent / "npm" / "node_modules" / ".bin"
    program = shutil.which("promptfoo", path=f"{beside}{os.pathsep}{os.environ.get('PATH', '')}")
    if program is None:
        pytest.skip("promptfoo is not installed")
    (tmp_path / "review.rubric").write_text(TEXT)
    (tmp_path / "grade.py").write_text(
        "from assay.integrations import promptfoo_assert\n"
        "get_assert = promptfoo_assert('review.rubric', threshold=8)\n"
    )
    asserted = {"assert": [{"type": "python", "value": "file://grade.py"}]}
    tests = [{"vars": {"answer": answer, "words": words}, **asserted} for answer, words in ((GOOD, 3), ('{"correctness": 5}', 3), (BAD, 3), (GOOD, 300))]
    (tmp_path / "promptfooconfig.json").write_text(json.dumps({"prompts": ["{{answer}}"], "providers": ["echo"], "tests": tests}))
    environment = {
        **os.environ, "PATH": f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ.get('PATH', '')}",
        "PROMPTFOO_PYTHON": sys.executable, "PROMPTFOO_CONFIG_DIR": str(tmp_path / "home"),
        "PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    }  # fmt: skip
    done = subprocess.run([program, "eval", "-c", "promptfooconfig.json", "--no-cache", "--no-write", "-o", "out.json"], cwd=tmp_path,
                          env=environment, capture_output=True, text=True, timeout=300, check=False)  # fmt: skip
    assert (tmp_path / "out.json").exists(), done.stdout + done.stderr
    results = json.loads((tmp_path / "out.json").read_text())["results"]["results"]
    by_test = {result["testIdx"]: result for result in results}
    assert [by_test[i]["success"] for i in range(4)] == [True, False, False, False], done.stdout
    assert by_test[0]["score"] == 8.6 and by_test[0]["namedScores"] == {"correctness": 9, "clarity": 8}
    assert by_test[2]["gradingResult"]["reason"] == "correctness is 99, expected a number 0..10"


def test_deepeval(rubric):
    pytest.importorskip("deepeval")
    from deepeval.test_case import LLMTestCase

    metric = integrations.deepeval_metric(rubric, threshold=8)
    case = LLMTestCase(input="q", actual_output=GOOD, metadata={"words": 3})
    assert metric.measure(case) == 8.6 and metric.is_successful()
    assert metric.score_breakdown == {"correctness": 9, "clarity": 8} and "composite" in metric.reason
    assert asyncio.run(metric.a_measure(case)) == 8.6
    assert metric.__name__ == "review"
    metric.measure(LLMTestCase(input="q", actual_output=GOOD, metadata={"words": 300}))
    assert not metric.is_successful()


def test_autoevals(rubric):
    pytest.importorskip("autoevals")
    scorer = integrations.autoevals_scorer(rubric)
    score = scorer(GOOD, expected="anything")
    assert (score.name, score.score, score.metadata["grade"]) == ("review", pytest.approx(0.86), "A")
    assert scorer({"correctness": 9, "clarity": 8}).score == pytest.approx(0.86)
    assert scorer(BAD).score is None
    assert asyncio.run(scorer.eval_async(GOOD)).score == pytest.approx(0.86)


def test_langsmith(rubric):
    pytest.importorskip("langsmith")
    import datetime
    import uuid

    from langsmith.evaluation.evaluator import run_evaluator
    from langsmith.schemas import Example, Run

    evaluator = run_evaluator(integrations.langsmith_evaluator(rubric))
    now = datetime.datetime.now(datetime.timezone.utc)
    for outputs, expected in (({"correctness": 9, "clarity": 8}, 8.6), ({"correctness": 99}, None)):
        run = Run(id=uuid.uuid4(), name="r", run_type="chain", start_time=now, end_time=now, inputs={}, outputs=outputs, trace_id=uuid.uuid4())
        example = Example(id=uuid.uuid4(), inputs={"q": 1}, outputs={}, dataset_id=uuid.uuid4(), created_at=now)
        results = evaluator.evaluate_run(run, example)["results"]
        assert (results[0].key, results[0].score) == ("review", expected)
    assert {r.key for r in evaluator.evaluate_run(run.model_copy(update={"outputs": {"correctness": 9}}), example)["results"]} == {
        "review", "review.correctness", "review.clarity"}  # fmt: skip


def test_lm_eval(rubric):
    process = integrations.lm_eval_process_results(rubric)
    assert process({"words": 3}, [GOOD]) == {"score": 8.6, "correctness": 9.0, "clarity": 8.0}
    assert all(math.isnan(value) for value in process({}, [BAD]).values())


def test_trl(rubric):
    reward = integrations.trl_reward(rubric)
    chat = [[{"role": "assistant", "content": text}] for text in (GOOD, BAD)]
    arguments = {"prompts": ["p", "p"], "completion_ids": [[1], [2]], "trainer_state": None, "words": [3, 3], "log_extra": None}
    assert reward(completions=chat, **arguments) == [8.6, None]
    assert reward(completions=[GOOD, BAD], **arguments) == [8.6, None]
    assert reward.__name__ == "review"


def test_columns_behind_a_batch(rubric):
    """What Spark and Ray call for every batch."""
    pa = pytest.importorskip("pyarrow")
    from assay._scale import Appender, result_fields

    table = pa.table({"id": ["a", "b", "c"], "correctness": [9.0, 99.0, None], "clarity": [8, 8, 8]})
    added = result_fields(rubric, None, "float", "", table.column_names)
    assert [name for name, _ in added] == ["status", "score", "grade", "error"]
    for batch in (table, table.to_batches()[0], table.to_batches()[0].slice(1, 1), table.slice(0, 0), table.to_batches()[0].slice(0, 0)):
        made = Appender(rubric, added, {"threads": 1})(batch)
        assert made.num_rows == batch.num_rows and made.schema.names == ["id", "correctness", "clarity", *(name for name, _ in added)]
        made.validate(full=True)
    append = Appender(rubric, added, {"timeout": 5.0})
    for batch in (table, table.to_batches()[0], table.cast(pa.schema([("id", pa.string()), ("correctness", pa.float32()), ("clarity", pa.int8())])), table):
        assert append(batch)["score"].to_pylist() == [8.6, None, None]
    free = assay.compile(TEXT.replace("decimals 2", "decimals 2 weights rescaled"))
    weighed = Appender(free, result_fields(free, None, "float", "", table.column_names), {"weights": {"clarity": "50%"}})
    assert weighed(table)["score"].to_pylist() == [8.5, None, None]
    with pytest.raises(ValueError, match="'score' already"):
        result_fields(rubric, None, "float", "", ["score"])
    assert [name for name, _ in result_fields(rubric, ["score"], "decimal", "assay_", ["score"])] == ["assay_score", "assay_error"]
    with pytest.raises(ValueError, match="'flags' is no number"):
        result_fields(rubric, ["flags"], "float", "", [])


ROWS = [{"id": str(i), "correctness": float(i % 12), "clarity": None if i % 5 == 0 else 8.0} for i in range(400)]


def answer_of(rubric):
    return [(str(i), row["status"], row["score"], row["grade"], row["error"]) for i, row in enumerate(rubric.score_many(ROWS))]


def rows_of(rows):
    return sorted(((r["id"], r["status"], r["score"], r["grade"], r["error"]) for r in rows), key=lambda row: int(row[0]))


RACE = """
rubric race "Race" {
  scale 0..100 decimals 1
  dimension result weight 100%
  input club: text
  rank by higher score
  cohort {
    let scores = [r.score for r in records]
    output typical = sum(scores) / count(scores)
    output refused = [x.id for x in rejected]
    each output place
    each output ahead = score - typical
  }
}
"""
RACERS = [{"id": f"r{i:03}", "club": "red" if i % 3 else "blue", "result": i * 37 % 1013 / 10} for i in range(300)]


def test_spark(rubric, monkeypatch):
    pyspark = pytest.importorskip("pyspark")
    import os
    import random
    import sys

    import assay.spark

    monkeypatch.setenv("SPARK_HOME", os.path.dirname(pyspark.__file__))
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false").getOrCreate()
    race = assay.compile(RACE)
    whole = race.cohort(RACERS)
    placed = race.score_many(RACERS, cohort=whole, fields=["id", "place", "ahead", "error"])
    expected = sorted(map(repr, zip(*(placed[name] for name in ("id", "place", "ahead", "error")))))
    try:
        frame = session.createDataFrame(ROWS, "id string, correctness double, clarity double")
        racers = session.createDataFrame(random.Random(2).sample(RACERS, len(RACERS)), "id string, club string, result double")
        for partitions in (1, 2, 7, 64):
            made = assay.spark.score(frame.repartition(partitions), rubric)
            assert rows_of(row.asDict() for row in made.collect()) == answer_of(rubric)
            part = racers.repartition(partitions)
            assert assay.spark.cohort(part, race).save() == whole.save()
            ranked = assay.spark.score(part, race, cohort=True, fields=["place", "ahead"]).collect()
            assert sorted(repr((row.id, row.place, row.ahead, row.error)) for row in ranked) == expected
        norm = assay.spark.score(racers.limit(3), race, cohort=whole, fields=["place"], prefix="norm_").collect()
        assert all(row.norm_place == placed["place"][[r["id"] for r in RACERS].index(row.id)] for row in norm)
        assert assay.spark.cohort(racers.limit(0), race).verdicts == 0
    finally:
        session.stop()


def test_spark_tries_a_task_again(rubric, monkeypatch):
    """Tasks whose first attempt dies after the work is done: the second gives the same."""
    pyspark = pytest.importorskip("pyspark")
    import os
    import sys

    import assay.spark

    monkeypatch.setenv("SPARK_HOME", os.path.dirname(pyspark.__file__))
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    session = (SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
               .config("spark.task.maxFailures", "4").getOrCreate())  # fmt: skip

    def first_attempt_dies(batches):
        from pyspark import TaskContext

        yield from batches
        if TaskContext.get().attemptNumber() == 0:
            raise RuntimeError("lost")

    try:
        race = assay.compile(RACE)
        racers = session.createDataFrame(RACERS, "id string, club string, result double").repartition(5)
        flaky = racers.mapInArrow(first_attempt_dies, racers.schema)
        assert assay.spark.cohort(flaky, race).save() == race.cohort(RACERS).save()
    finally:
        session.stop()


def test_ray(rubric):
    ray = pytest.importorskip("ray")
    import ray.data
    from ray.cluster_utils import Cluster

    import assay.ray

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    cluster.add_node(num_cpus=1)
    ray.init(address=cluster.address, log_to_driver=False)
    race = assay.compile(RACE)
    whole = race.cohort(RACERS)
    places = dict(zip((row["id"] for row in RACERS), race.score_many(RACERS, cohort=whole, fields=["place"])["place"]))
    try:
        for blocks in (1, 2, 7, 64):
            made = assay.ray.score(ray.data.from_items(ROWS, override_num_blocks=blocks), rubric)
            assert rows_of(made.take_all()) == answer_of(rubric)
            racers = ray.data.from_items(RACERS[blocks:] + RACERS[:blocks], override_num_blocks=blocks)
            assert assay.ray.cohort(racers, race).save() == whole.save()
            ranked = assay.ray.score(racers, race, cohort=whole, fields=["place"]).take_all()
            assert {row["id"]: row["place"] for row in ranked} == places
    finally:
        ray.shutdown()
        cluster.shutdown()
