"""Verdicts and explanations."""

from __future__ import annotations

from . import _core
from ._errors import shown

TYPE_CHECKING = False  # typing takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any
else:
    from _collections_abc import Mapping  # already loaded; collections would take a third of the import time

NUMBERS = ("float", "decimal", "fraction")
_SINGLY = 4  # keys of a verdict that are read one by one


_ABSENT = object()


def _convert(numbers: str) -> Any:
    if numbers == "float":
        return None
    if numbers == "decimal":
        from decimal import Decimal

        return Decimal
    from fractions import Fraction

    return Fraction


def parse(text: str | bytes, numbers: str) -> Any:
    return _core.from_json(text, _convert(numbers))


class Verdict(Mapping):  # type: ignore[type-arg]
    """The verdict of one record: a mapping whose keys are also attributes.

    Values are read on first access. ``json``: the text that the engine wrote. Numbers are floats, or exact values of the
    type that ``numbers`` selects (``"decimal"``, ``"fraction"``).
    """

    __slots__ = ("json", "eligible", "_numbers", "_values", "_asked", "_origin")

    def __init__(self, text: str, eligible: bool, numbers: str = "float", origin: tuple[Any, ...] | None = None) -> None:
        self.json = text
        self.eligible = eligible
        self._numbers = numbers
        self._values: dict[str, Any] | None = None  # the whole verdict, once it has been read
        self._asked: dict[str, Any] | None = None  # single keys that were read before that
        self._origin = origin

    @property
    def values_(self) -> dict[str, Any]:
        if self._values is None:
            self._values = parse(self.json, self._numbers)
            if self._asked:
                self._values.update(self._asked)  # a value that was returned stays the same object
        return self._values

    def _get(self, key: str) -> Any:
        """The value of a key, or _ABSENT. The first few keys are read singly: most callers use only a few."""
        if self._values is not None:
            return self._values.get(key, _ABSENT)
        asked = self._asked
        if asked is None:
            asked = self._asked = {}
        elif key in asked:
            return asked[key]
        elif len(asked) == _SINGLY:
            return self.values_.get(key, _ABSENT)
        value = _core.member(self.json, key, _convert(self._numbers), _ABSENT)
        if value is not _ABSENT:
            asked[key] = value
        return value

    def __getitem__(self, key: str) -> Any:
        if not isinstance(key, str):
            raise KeyError(key)
        found = self._get(key)
        if found is not _ABSENT:
            return found
        if "." not in key:
            raise KeyError(key)
        first, *steps = key.split(".")
        found = self._get(first)
        if found is _ABSENT:
            raise KeyError(key)
        for step in steps:
            if not isinstance(found, dict) or step not in found:
                raise KeyError(key)
            found = found[step]
        return found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found = self._get(name)
        if found is _ABSENT:
            raise AttributeError(f"the verdict has no field '{name}'; it has {', '.join(self.values_)}")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_)

    def __len__(self) -> int:
        return len(self.values_)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Verdict):
            return self.json == other.json
        return self.values_ == other

    def __hash__(self) -> int:
        return hash(self.json)

    def to_dict(self) -> dict[str, Any]:
        """A copy as a plain dict, which may be changed."""
        return parse(self.json, self._numbers)

    def why(self, name: str | None = None, *, open: Sequence[str] | str = ()) -> Explanation:
        """Explains in words how the record got this verdict, or the value ``name`` of it.

        ``name`` may also be a deduction, bonus, cap or flag that did not apply. ``open``: names of values and functions
        whose computation is shown as well; ``"all"``: of all.
        """
        if self._origin is None:
            raise ValueError("this verdict has been sent to another process: ask rubric.explain(record)")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"why() takes the name of a value, not {shown(name)}")
        rubric, *rest = self._origin
        return Explanation(rubric._explain(rest[0], name or "", open, *rest[1:]), self if name is None else None)

    def __reduce__(self) -> tuple[Any, ...]:
        return Verdict, (self.json, self.eligible, self._numbers)

    def __repr__(self) -> str:
        values = self.values_
        shown = [f"{key}={values[key]!r}" for key in ("id", "status", "score", "grade") if values.get(key) is not None]
        return f"Verdict({', '.join(shown)})"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.verdict(self.values_)


class Explanation(str):
    """An explanation as text. A notebook shows the verdict above it as a chart."""

    _verdict: Verdict | None

    def __new__(cls, text: str, verdict: Verdict | None = None) -> Explanation:
        made = super().__new__(cls, text)
        made._verdict = verdict
        return made

    def _repr_html_(self) -> str:
        from . import _html

        drawing = _html.verdict(self._verdict.values_) if self._verdict is not None else ""
        return drawing + _html.preformatted(self)


class Ranking:
    """A ranking. ``groups``: lists of ids, best first; ids in one group are equal. ``ineligible``: ids in input order."""

    def __init__(self, groups: list[list[str]], ineligible: list[str]) -> None:
        self.groups = groups
        self.ineligible = ineligible

    @property
    def order(self) -> list[str]:
        return [name for group in self.groups for name in group]

    def __iter__(self) -> Iterator[list[str]]:
        return iter(self.groups)

    def __len__(self) -> int:
        return len(self.groups)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ranking) and (self.groups, self.ineligible) == (other.groups, other.ineligible)

    def to_dict(self) -> dict[str, Any]:
        return {"ranking": self.groups, "ineligible": self.ineligible}

    def __repr__(self) -> str:
        return f"Ranking({self.groups!r}, ineligible={self.ineligible!r})"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.ranking(self.groups, self.ineligible)
