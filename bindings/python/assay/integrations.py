"""Rubrics as scorers of evaluation frameworks. A framework is imported only when its adapter is called.

Each adapter takes a rubric (or its path) and ``record``, a function that makes the record from the arguments of the framework.
Without ``record``, each adapter finds the record as its documentation says. ``output`` names the field of the verdict that is
used as the score.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ._errors import RecordError
from ._rubric import Rubric, load
from ._verdict import Verdict

RubricOrPath = Any  # a Rubric, or the path of one


def _rubric(rubric: RubricOrPath) -> Rubric:
    return rubric if isinstance(rubric, Rubric) else load(rubric)


def _record(output: Any, more: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """A record from a model's output: a JSON object, otherwise ``{"output": text}``, together with ``more``."""
    found = output
    if isinstance(output, str):
        try:
            found = json.loads(output)
        except ValueError:
            found = None
    made = dict(found) if isinstance(found, Mapping) else {"output": output}
    return {**(more or {}), **made}


def _scale(rubric: Rubric, output: str) -> tuple[float, float]:
    """The smallest and largest value that the type of a field allows."""
    import re

    for field in rubric.fields:
        if field["name"] == output:
            found = re.search(r"(-?[\d.]+)\.\.(-?[\d.]+)$", field["type"])
            if found:
                return float(found.group(1)), float(found.group(2))
    raise ValueError(f"the field '{output}' has no range: say normalize=(low, high)")


def _share(verdict: Verdict, rubric: Rubric, output: str, normalize: tuple[float, float] | None) -> float | None:
    low, high = normalize or _scale(rubric, output)
    return None if verdict[output] is None else (float(verdict[output]) - low) / (high - low)


def _parts(verdict: Verdict) -> dict[str, Any]:
    return {name: dimension["score"] for name, dimension in (verdict.get("dimensions") or {}).items()}


# ---- inspect-ai


def inspect_scorer(rubric: RubricOrPath, record: Callable[[Any, Any], Any] | None = None, output: str = "score") -> Any:
    """A scorer for inspect-ai: one column for the score and one for each dimension.

    The record: ``record(state, target)``, or the sample's metadata with the completion (JSON, or as ``output``). A record
    that cannot be scored or has an incomplete verdict is unscored; metrics do not count it.
    """
    from inspect_ai.scorer import Score, mean, scorer, stderr

    made = _rubric(rubric)

    @scorer(metrics={"*": [mean(), stderr()]}, name=made.name)
    def assay_scorer() -> Any:
        async def score(state: Any, target: Any) -> Any:
            try:
                given = record(state, target) if record else _record(state.output.completion, state.metadata)
                verdict = made.score(given)
            except RecordError as error:
                return Score.unscored(explanation=str(error))
            if verdict[output] is None:
                return Score.unscored(explanation=str(verdict.get("reason")))
            return Score(value={output: verdict[output], **_parts(verdict)}, explanation=verdict.why(), metadata=verdict.to_dict())

        return score

    return assay_scorer()


# ---- promptfoo


def promptfoo_assert(rubric: RubricOrPath, record: Callable[[str, Any], Any] | None = None, output: str = "score",
                     threshold: float | None = None) -> Callable[..., dict[str, Any]]:  # fmt: skip
    """``get_assert`` for promptfoo. It passes if the record is eligible and the score reaches the threshold.

    The record: ``record(output, context)``, or the variables with the output (JSON, or as ``output``).
    """
    made = _rubric(rubric)

    def get_assert(text: str, context: Mapping[str, Any]) -> dict[str, Any]:
        try:
            verdict = made.score(record(text, context) if record else _record(text, context.get("vars")))
        except RecordError as error:
            return {"pass": False, "score": 0.0, "reason": str(error)}
        value = verdict[output]
        passed = verdict.eligible and value is not None and (threshold is None or value >= threshold)
        named = {name: score for name, score in _parts(verdict).items() if score is not None}
        return {"pass": passed, "score": value or 0.0, "reason": verdict.why(output), "namedScores": named}

    return get_assert


# ---- DeepEval


def deepeval_metric(rubric: RubricOrPath, record: Callable[[Any], Any] | None = None, output: str = "score",
                    threshold: float | None = None) -> Any:  # fmt: skip
    """A metric for DeepEval. The record: ``record(test_case)``, or its metadata with the actual output."""
    from deepeval.metrics import BaseMetric

    made = _rubric(rubric)
    limit = threshold

    class AssayMetric(BaseMetric):  # type: ignore[misc]
        threshold = limit
        async_mode = False

        def measure(self, test_case: Any, *args: Any, **kwargs: Any) -> float:
            given = record(test_case) if record else _record(test_case.actual_output, test_case.metadata)
            verdict = made.score(given)
            self.score = verdict[output]
            self.reason = str(verdict.why(output))
            self.score_breakdown = _parts(verdict)
            self.success = verdict.eligible and self.score is not None and (limit is None or self.score >= limit)
            return self.score  # type: ignore[no-any-return]

        async def a_measure(self, test_case: Any, *args: Any, **kwargs: Any) -> float:
            return self.measure(test_case)

        def is_successful(self) -> bool:
            return bool(self.success)

        @property
        def __name__(self) -> str:
            return made.name

    return AssayMetric()


# ---- autoevals and Braintrust


def autoevals_scorer(rubric: RubricOrPath, record: Callable[..., Any] | None = None, output: str = "score",
                     normalize: tuple[float, float] | None = None) -> Any:  # fmt: skip
    """A scorer for autoevals and Braintrust: the score as a share of its scale, or None without a score.

    The record: ``record(output, expected, **more)``, or the output (JSON, or as ``output``).
    """
    from autoevals import Score
    from autoevals.score import Scorer

    made = _rubric(rubric)

    class AssayScorer(Scorer):  # type: ignore[misc]
        def _name(self) -> str:
            return made.name

        def _run_eval_sync(self, given: Any, expected: Any = None, **more: Any) -> Any:
            try:
                verdict = made.score(record(given, expected, **more) if record else _record(given))
            except RecordError as error:
                return Score(name=made.name, score=None, metadata={"error": str(error)})
            return Score(name=made.name, score=_share(verdict, made, output, normalize), metadata=verdict.to_dict())

    return AssayScorer()


# ---- LangSmith


def langsmith_evaluator(rubric: RubricOrPath, record: Callable[..., Any] | None = None, output: str = "score") -> Callable[..., Any]:
    """An evaluator for LangSmith: a result for the score and one for each dimension.

    The record: ``record(outputs, reference_outputs, inputs)``, or the outputs.
    """
    made = _rubric(rubric)

    def assay_evaluator(outputs: dict[str, Any], reference_outputs: dict[str, Any], inputs: dict[str, Any]) -> Any:
        try:
            verdict = made.score(record(outputs, reference_outputs, inputs) if record else _record(outputs))
        except RecordError as error:
            return {"results": [{"key": made.name, "score": None, "comment": str(error)}]}
        results = [{"key": made.name, "score": verdict[output], "comment": str(verdict.why(output))}]
        results += [{"key": f"{made.name}.{name}", "score": score} for name, score in _parts(verdict).items()]
        return {"results": results}

    return assay_evaluator


# ---- lm-eval


def lm_eval_process_results(rubric: RubricOrPath, record: Callable[..., Any] | None = None, output: str = "score") -> Callable[..., Any]:
    """``process_results`` for a task of lm-eval: the score and each dimension as metrics of a document.

    The record: ``record(doc, result)``, or the document with the result (JSON, or as ``output``). A document that cannot be
    scored counts as NaN.
    """
    made = _rubric(rubric)

    def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
        names = [dimension["name"] for dimension in made.dimensions]
        try:
            verdict = made.score(record(doc, results[0]) if record else _record(results[0], doc))
        except RecordError:
            return dict.fromkeys([output, *names], float("nan"))
        values = {output: verdict[output], **_parts(verdict)}
        return {name: float("nan") if value is None else float(value) for name, value in values.items()}

    return process_results


# ---- TRL


def _rewards(rubric: Rubric, records: Iterable[Any], output: str) -> list[float | None]:
    verdicts = rubric.score_many(list(records), fields=[output])
    return [None if value is None else float(value) for value in verdicts[output]]  # type: ignore[index,union-attr]


def _text(completion: Any) -> str:
    return completion if isinstance(completion, str) else str(completion[-1]["content"])


def trl_reward(rubric: RubricOrPath, record: Callable[..., Any] | None = None, output: str = "score") -> Callable[..., list[float | None]]:
    """A reward function for TRL, which scores batches. A completion that cannot be scored has no reward.

    The record: ``record(prompt, completion, **columns)``, or the completion's text (JSON, or as ``output``) with the columns
    of the data set.
    """
    made = _rubric(rubric)

    def assay_reward(prompts: list[Any], completions: list[Any], **columns: Any) -> list[float | None]:
        rows = {name: values for name, values in columns.items() if isinstance(values, list) and len(values) == len(completions)}
        records = []
        for i, completion in enumerate(completions):
            row = {name: values[i] for name, values in rows.items() if name != "completion_ids"}
            records.append(record(prompts[i], completion, **row) if record else _record(_text(completion), row))
        return _rewards(made, records, output)

    assay_reward.__name__ = made.name
    return assay_reward


# ---- verifiers


def verifiers_reward(rubric: RubricOrPath, record: Callable[[Any], Any] | None = None, output: str = "score", weight: float = 1.0,
                     name: str | None = None) -> Any:  # fmt: skip
    """A reward for verifiers (0.4 and later), as a method of a ``vf.Task``: ``review = verifiers_reward("review.rubric")``.

    It is recorded under ``name``, or the name of the rubric. A trace that cannot be scored has the reward 0. The record:
    ``record(trace)``, or the data of the task with the last reply (JSON, or as ``output``).
    """
    import verifiers.v1 as vf

    made = _rubric(rubric)

    async def assay_reward(self: Any, trace: Any) -> float:
        verdict = _scored_trace(made, record, trace)
        return 0.0 if verdict is None else float(verdict[output] or 0)

    assay_reward.__name__ = name or made.name
    return vf.reward(assay_reward, weight=weight)


def verifiers_metrics(rubric: RubricOrPath, record: Callable[[Any], Any] | None = None) -> Any:
    """The dimensions as metrics of a ``vf.Task``, each under its name; see verifiers_reward."""
    import verifiers.v1 as vf

    made = _rubric(rubric)

    async def assay_metrics(self: Any, trace: Any) -> dict[str, float]:
        verdict = _scored_trace(made, record, trace)
        return {} if verdict is None else {name: float(value) for name, value in _parts(verdict).items() if value is not None}

    assay_metrics.__name__ = f"{made.name}_dimensions"
    return vf.metric(assay_metrics)


def _scored_trace(rubric: Rubric, record: Callable[[Any], Any] | None, trace: Any) -> Verdict | None:
    try:
        return rubric.score(record(trace) if record else _record(trace.last_reply, trace.task.data.model_dump(exclude_none=True)))
    except RecordError:
        return None
