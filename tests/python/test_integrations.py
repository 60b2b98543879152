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


def test_verifiers(rubric):
    reward = integrations.verifiers_reward(rubric)
    assert reward(completions=[GOOD, BAD], answers=["", ""], states=[{}, {}]) == [8.6, 0.0]
    import inspect

    assert {"completions", "answers", "states"} <= set(inspect.signature(reward).parameters)


def test_columns_behind_a_batch(rubric):
    """What Spark and Ray call for every batch."""
    pa = pytest.importorskip("pyarrow")
    from assay._scale import append_columns, result_fields

    table = pa.table({"id": ["a", "b", "c"], "correctness": [9.0, 99.0, None], "clarity": [8, 8, 8]})
    added = result_fields(rubric, None, "float", "", table.column_names)
    assert [name for name, _ in added] == ["status", "score", "grade", "error"]
    for batch in (table, table.to_batches()[0], table.to_batches()[0].slice(1, 1), table.slice(0, 0), table.to_batches()[0].slice(0, 0)):
        made = append_columns(rubric, batch, added, {"threads": 1})
        assert made.num_rows == batch.num_rows and made.schema.names == ["id", "correctness", "clarity", *(name for name, _ in added)]
        made.validate(full=True)
    assert append_columns(rubric, table, added, {})["score"].to_pylist() == [8.6, None, None]
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


def test_spark(rubric, monkeypatch):
    pyspark = pytest.importorskip("pyspark")
    import os
    import sys

    import assay.spark

    monkeypatch.setenv("SPARK_HOME", os.path.dirname(pyspark.__file__))
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        frame = session.createDataFrame(ROWS, "id string, correctness double, clarity double")
        for partitions in (1, 2, 7, 64):
            made = assay.spark.score(frame.repartition(partitions), rubric)
            assert rows_of(row.asDict() for row in made.collect()) == answer_of(rubric)
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
    try:
        for blocks in (1, 2, 7, 64):
            made = assay.ray.score(ray.data.from_items(ROWS, override_num_blocks=blocks), rubric)
            assert rows_of(made.take_all()) == answer_of(rubric)
    finally:
        ray.shutdown()
        cluster.shutdown()
