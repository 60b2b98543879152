"""Schemas, instructions for judges, and analyses of a rubric and its records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from . import _core
from ._errors import AssayError, shown
from ._rubric import Rubric, _plain, _rows, _weights, record_json
from ._verdict import parse


class Schema(dict):  # type: ignore[type-arg]
    """A JSON Schema (2020-12) as a dict.

    ``json``: the schema as text, as the command writes it. ``not_expressed``: the checks of the rubric that the schema cannot
    express, one sentence each.
    """

    def __init__(self, text: str, not_expressed: list[str]) -> None:
        super().__init__(parse(text, "float"))
        self.json = text
        self.not_expressed = not_expressed


class Answer(Mapping):  # type: ignore[type-arg]
    """The answer of an analysis: a mapping whose keys are also attributes.

    ``json``: the answer as text, as the command writes it. Numbers are floats, or of the type that the rubric's ``numbers``
    selects; exact values without a finite decimal are texts ("5/7").
    """

    __slots__ = ("json", "_numbers", "_values")

    def __init__(self, text: str, numbers: str = "float") -> None:
        self.json = text
        self._numbers = numbers
        self._values: dict[str, Any] = parse(text, numbers)

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._values[name]
        except KeyError:
            raise AttributeError(f"the answer has no '{name}'; it has {', '.join(self._values)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __reduce__(self) -> tuple[Any, ...]:
        return Answer, (self.json, self._numbers)

    def __repr__(self) -> str:
        return f"Answer({', '.join(self._values)})"

    def to_dict(self) -> dict[str, Any]:
        """A copy as a plain dict, which may be changed."""
        return parse(self.json, self._numbers)  # type: ignore[no-any-return]


def names_of(names: str | Sequence[str]) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def schema(rubric: Rubric, of: str, judged: bool | str | Sequence[str], only: str | Sequence[str], strict_subset: bool) -> Schema:
    if of not in ("record", "verdict"):
        raise ValueError(f"a schema is of a 'record' or of a 'verdict', not of {shown(of)}")
    if of == "verdict" and (judged or only):
        raise ValueError("judged= and only= are about records, and of='verdict' about verdicts")
    too = [] if isinstance(judged, bool) else names_of(judged)
    text, missing, problem = _core.schema(rubric._core, of == "verdict", bool(judged or only), too, names_of(only), strict_subset)
    if problem:
        raise AssayError(problem)
    return Schema(text, missing)


def prompt(rubric: Rubric, dimension: str | None, context: str | Sequence[str], judged: str | Sequence[str],
           frame: Mapping[str, str] | str | None) -> str:  # fmt: skip
    if isinstance(frame, Mapping):
        frame = _core.to_json(dict(frame), _plain)
    elif frame == "":
        frame = " "  # none at all is no frame
    text, problem = _core.prompt(rubric._core, dimension or "", names_of(context), names_of(judged), frame or "")
    if problem:
        raise AssayError(problem)
    return text  # type: ignore[no-any-return]


def analysis(rubric: Rubric, context: Any, weights: Any, history: Any, timeout: float | None) -> _core.Analysis:
    made = _core.Analysis(rubric._core, rubric._limits, rubric._strict, float("nan") if timeout is None else timeout)
    if context or weights:
        made.configure(names_of(context), _weights(weights))
    if history:
        made.set_history(_core.to_json_list(list(history), _plain, None, rubric._record_bytes))
    return made


def _assigned(values: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    return [(path, _core.to_json(value, _plain)) for path, value in (values or {}).items()]


def _whole(**counts: int) -> None:
    for name, count in counts.items():
        if not isinstance(count, int) or not 0 <= count < 1 << 32:
            raise ValueError(f"{name} is a whole number from 0 to {(1 << 32) - 1}, not {shown(count)}")


def whatif(rubric: Rubric, record: Any, changes: Mapping[str, Any], asked: _core.Analysis) -> Answer:
    return Answer(asked.what_if(record_json(record, rubric), _assigned(changes)), rubric._numbers)


def reach(rubric: Rubric, record: Any, target: Any, costs: Mapping[str, Any] | None, keep: str | Sequence[str], grid: Any,
          nodes: int, others: Any, asked: _core.Analysis) -> Answer:  # fmt: skip
    wanted = target if isinstance(target, str) else "" if target is None else _core.to_json(target, _plain)
    step = "" if grid is None else grid if isinstance(grid, str) else _core.to_json(grid, _plain)
    rest = _core.to_json_list(_rows(others), _plain, None, rubric._record_bytes) if others is not None else []
    _whole(nodes=nodes)
    answer = asked.reach(record_json(record, rubric), wanted, _assigned(costs), names_of(keep), step, nodes, rest)
    return Answer(answer, rubric._numbers)


def sensitivity(rubric: Rubric, records: Any, noise: Any, samples: int, seed: int, asked: _core.Analysis) -> Answer:
    step = "" if noise is None else noise if isinstance(noise, str) else _core.to_json(noise, _plain)
    texts = _core.to_json_list(_rows(records), _plain, None, rubric._record_bytes)
    if not texts:
        raise AssayError("there is no record")
    _whole(samples=samples, seed=seed)
    return Answer(asked.sensitivity(texts, samples, seed, step, 2000), rubric._numbers)


# ---- agreement with people


def _text(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else str(_core.to_json(value, _plain))


def _read(text: str | bytes, what: str) -> dict[str, Any]:
    """Reads a JSON object, keeping numbers as texts."""
    import json

    try:
        read = json.loads(text, parse_float=str, parse_int=str)
    except ValueError as error:
        raise AssayError(f"{what} is not JSON: {error}") from None
    if not isinstance(read, dict):
        raise AssayError(f"{what} is not an object")
    return read


def _golds(records: list[str | bytes], gold: Any) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """(position of the record, judge, {measure: value}) for each rating."""
    read = [_read(text, f"record {position}") for position, text in enumerate(records)]
    if gold is None:
        for position, record in enumerate(read):
            if record.get("gold") is not None:
                yield position, _text(record.get("judge")), _measures(record["gold"], f"gold of record {position}")
        return
    known: dict[str, int] = {}
    twice = set()
    for position, record in enumerate(read):
        name = _text(record.get("id"))
        if known.setdefault(name, position) != position:
            twice.add(name)
    if isinstance(gold, Mapping):  # by id
        gold = [{"id": name, "gold": values} for name, values in gold.items()]
    for count, text in enumerate(_core.to_json_list(_rows(gold), _plain)):
        rating = _read(text, f"gold {count}")
        name = _text(rating.get("id"))
        if name not in known:
            raise AssayError(f"gold: no record has the id '{name}'")
        if name in twice:
            raise AssayError(f"gold: two records have the id '{name}'")
        values = rating.get("gold")
        if values is None:
            values = {key: value for key, value in rating.items() if key not in ("id", "judge")}
        yield known[name], _text(rating.get("judge")), _measures(values, f"gold of '{name}'")


def _measures(values: Any, what: str) -> dict[str, Any]:
    if not isinstance(values, dict):
        raise AssayError(f"{what} is not an object of measures and their values")
    return values


def _rated(verdict: dict[str, Any], measure: str) -> str:
    dimension = (verdict.get("dimensions") or {}).get(measure)
    return _text(dimension.get("score") if dimension is not None else verdict.get(measure))


def calibrate(rubric: Rubric, records: Any, gold: Any, evaluator: _core.Evaluator, asked: _core.Analysis, floor: int,
              confidence: float, resamples: int, seed: int) -> Answer:  # fmt: skip
    _whole(floor=floor, resamples=resamples, seed=seed)
    confidence = float(confidence)  # a Decimal that is no number cannot be compared
    if not 0 < confidence < 1:
        raise ValueError(f"confidence is a share between 0 and 1, not {shown(confidence)}")
    texts = _core.to_json_list(_rows(records), _plain, None, rubric._record_bytes)
    measures = {dimension["name"] for dimension in rubric.dimensions} | {field["name"] for field in rubric.fields}
    verdicts: dict[int, dict[str, Any]] = {}
    pairs: list[tuple[str, str, str, str, str]] = []
    for position, judge, values in _golds(texts, gold):
        if position not in verdicts:
            verdicts[position] = _read(evaluator.score(texts[position])[0], "the verdict")
        verdict = verdicts[position]
        for measure, value in values.items():
            if measure not in measures:
                raise AssayError(f"gold names '{measure}', which is neither a dimension nor a field of the verdict")
            if value is None:
                continue
            name = _text(verdict.get("id")) or str(position)
            if wrong := asked.wrong_rating(measure, _text(value)):
                raise AssayError(f"gold of '{name}': {wrong}")
            if rated := _rated(verdict, measure):
                pairs.append((name, judge, measure, rated, _text(value)))
    if not pairs:
        raise AssayError("no record has gold: give each a member 'gold': {…}, or say gold=")
    return Answer(_core.calibration(pairs, asked.bands(), floor, confidence, resamples, seed), rubric._numbers)
