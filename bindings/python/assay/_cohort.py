"""Cohorts: the values of a whole run, collected in parts, merged, frozen and used in a second pass."""

from __future__ import annotations

from typing import Any

from . import _core
from ._errors import AssayError, RecordError
from ._rubric import Rubric, _plain, _rows
from ._verdict import parse


class Cohort:
    """The data of a run's records that the ``cohort`` block of the rubric needs.

    Cohorts of parts of a run merge into the same whole, byte for byte, wherever and in whatever order the parts were made,
    as long as they were scored with the same contexts and weights. Memory grows with the number of records: a cohort keeps
    the values that the cohort block uses. Only one thread may use a cohort at a time. It can be pickled.
    """

    def __init__(self, rubric: Rubric, _core_cohort: _core.Cohort | None = None) -> None:
        if not rubric.about["cohort"]:
            raise AssayError(f"rubric '{rubric.name}' has no cohort block")
        self.rubric = rubric
        self._core: _core.Cohort = _core_cohort or _core.Cohort(rubric._core, rubric._limits)

    def merge(self, *others: Cohort) -> Cohort:
        """Adds the data of the other cohorts and returns self. Raises RecordError if one belongs to another rubric."""
        for other in others:
            self._core.merge(other._core)
        return self

    def freeze(self) -> FrozenCohort:
        """Computes the cohort's values over all records so far. Raises RecordError if they cannot be computed."""
        return FrozenCohort(self.rubric, self._core.freeze())

    @property
    def outputs(self) -> dict[str, Any]:
        """The values of the ``cohort`` block. To read several things, call freeze() once and use its result."""
        return self.freeze().outputs

    @property
    def verdicts(self) -> int:
        """The number of records that have been scored."""
        return self._core.verdicts()

    @property
    def rejected(self) -> int:
        return self._core.rejected()

    def repeated_ids(self, most: int = 20) -> list[tuple[str, int]]:
        """The first ``most`` ids, in order, that several records have (rejected ones included), each with its count."""
        return self._core.repeated_ids(most)

    def save(self) -> bytes:
        return self._core.save()

    @classmethod
    def load(cls, rubric: Rubric, saved: bytes) -> Cohort:
        """Raises RecordError if the bytes are damaged or belong to another rubric."""
        return cls(rubric, _core.Cohort.load(rubric._core, saved, rubric._limits))

    def __copy__(self) -> Cohort:
        return Cohort(self.rubric, self._core.copy())

    def __deepcopy__(self, memo: Any) -> Cohort:
        return self.__copy__()

    def __reduce__(self) -> tuple[Any, ...]:
        return Cohort.load, (self.rubric, self.save())

    def __repr__(self) -> str:
        return f"<Cohort of {self.rubric.name}: {self.verdicts} verdicts, {self.rejected} rejected>"


class FrozenCohort:
    """The values of a whole run. Immutable: any number of threads may use it at once. It can be pickled.

    ``hash``: 16 hex digits, equal for equal cohorts. A record that was not in the cohort gets the place it would take.
    """

    def __init__(self, rubric: Rubric, _core_frozen: _core.FrozenCohort) -> None:
        self.rubric = rubric
        self._core = _core_frozen

    @property
    def outputs(self) -> dict[str, Any]:
        """The values of the ``cohort`` block."""
        return parse(self._core.outputs(), self.rubric._numbers)  # type: ignore[no-any-return]

    @property
    def verdicts(self) -> int:
        return self._core.verdicts()

    @property
    def hash(self) -> str:
        return self._core.hash()

    def save(self) -> bytes:
        return self._core.save()

    @classmethod
    def load(cls, rubric: Rubric, saved: bytes) -> FrozenCohort:
        """Raises RecordError if the bytes are damaged or belong to another rubric."""
        return cls(rubric, _core.FrozenCohort.load(rubric._core, saved))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FrozenCohort) and self.save() == other.save()

    def __hash__(self) -> int:
        return int(self.hash, 16)

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenCohort.load, (self.rubric, self.save())

    def __repr__(self) -> str:
        return f"<FrozenCohort of {self.rubric.name}: {self.verdicts} verdicts, {self.hash}>"


def in_order(rubric: Rubric, records: Any, first: int, context: list[str], weights: list[tuple[str, str]]) -> Cohort:
    """Scores the records one by one, each with its position."""
    evaluator = _core.Evaluator(rubric._core, [], rubric._limits, rubric._strict, True)
    evaluator.configure(context, weights)
    evaluator.start_cohort(first)
    for text in _core.to_json_list(_rows(records), _plain, None, rubric._record_bytes):
        try:
            evaluator.score(text)
        except RecordError:
            continue
    return Cohort(rubric, evaluator.collected())


def frozen_of(rubric: Rubric, cohort: Any) -> _core.FrozenCohort:
    """The frozen cohort for the argument ``cohort=`` of a call."""
    if isinstance(cohort, Cohort):
        cohort = cohort.freeze()
    if not isinstance(cohort, FrozenCohort):
        raise TypeError("cohort= is a Cohort or a FrozenCohort")
    return cohort._core
