"""Rubrics: compiling them, and scoring records by them."""

from __future__ import annotations

import os

from . import _core
from ._errors import AssayError, RecordError, RubricError
from ._verdict import NUMBERS, Explanation, Ranking, Verdict, parse

TYPE_CHECKING = False  # typing takes longer to import than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from ._cohort import Cohort, FrozenCohort
    from ._questions import Answer, Schema
    from ._table import Verdicts

    Importer = Callable[[str, str], "tuple[str, str] | str | None"]
    Record = Any

_MOST_SPARE = 64  # evaluators that are kept for the next call


def _plain(value: Any) -> tuple[bool, Any]:
    from ._records import plain

    return plain(value)


def record_json(record: Record) -> str | bytes:
    """A record as JSON: text and bytes are taken as JSON already."""
    if isinstance(record, (str, bytes)):
        return record
    if isinstance(record, Verdict):
        return record.json
    return _core.to_json(record, _plain)


class FileImporter:
    """Reads what a rubric names from files, relative to the file that names it; with ``root`` from below it alone."""

    def __init__(self, root: str | os.PathLike[str] | None = None) -> None:
        self.root = None if root is None else os.path.realpath(root)

    def __call__(self, path: str, base: str) -> tuple[str, str] | None:
        name = os.path.normpath(os.path.join(os.path.dirname(base), path))
        real = os.path.realpath(name)
        if self.root is not None and os.path.commonpath([self.root, real]) != self.root:
            return None
        if not os.path.isfile(real):
            return None
        with open(real, encoding="utf-8", errors="surrogateescape", newline="") as file:
            return name, file.read()


class _Importing:
    """Asks an importer, and keeps what it found, so that a rubric can be compiled again elsewhere."""

    def __init__(self, importer: Importer | None, found: dict[tuple[str, str], tuple[str, bytes]]) -> None:
        self.importer = importer
        self.found = found

    def __call__(self, path: str, base: str) -> tuple[str, bytes] | None:
        known = self.found.get((path, base))
        if known is not None or self.importer is None:
            return known
        answer = self.importer(path, base)
        if answer is None:
            return None
        name, text = (path, answer) if isinstance(answer, str) else answer
        result = (name, text.encode("utf-8", "surrogateescape") if isinstance(text, str) else bytes(text))
        self.found[path, base] = result
        return result


class Example:
    """The outcome of an ``example`` block of a rubric."""

    __slots__ = ("name", "passed", "at", "differences")

    def __init__(self, name: str, passed: bool, at: dict[str, Any], differences: list[str]) -> None:
        self.name = name
        self.passed = passed
        self.at = at
        self.differences = differences

    def __repr__(self) -> str:
        return f"Example({self.name!r}, {'passed' if self.passed else 'FAILED: ' + '; '.join(self.differences)})"


class Change:
    """A difference between two rubrics. ``effect``: ``"prose"``, ``"bands"`` or ``"scores"``."""

    __slots__ = ("kind", "effect", "what", "part", "before", "after")

    def __init__(self, kind: str, effect: str, what: str, part: str, before: str, after: str) -> None:
        self.kind, self.effect, self.what, self.part, self.before, self.after = kind, effect, what, part, before, after

    def __repr__(self) -> str:
        part = f" {self.part}" if self.part else ""
        return f"Change({self.kind} {self.what}{part}: {self.before!r} -> {self.after!r}, {self.effect})"


def _weights(weights: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    made = []
    for name, value in (weights or {}).items():
        made.append((name, value if isinstance(value, str) else str(_core.to_json(value, _plain))))
    return made


class Rubric:
    """A compiled rubric. Immutable; any number of threads may use it at once, and it may be pickled."""

    def __init__(
        self,
        text: str | bytes,
        name: str = "rubric",
        *,
        importer: Importer | None = None,
        hooks: Mapping[str, Callable[..., Any]] | None = None,
        limits: Mapping[str, int] | None = None,
        lua: bool = True,
        strict: bool = False,
        numbers: str = "float",
        _found: dict[tuple[str, str], tuple[str, bytes]] | None = None,
    ) -> None:
        if numbers not in NUMBERS:
            raise ValueError(f"numbers is one of {', '.join(NUMBERS)}, not {numbers!r}")
        self._text = text
        self._name = name
        self._found = dict(_found or {})
        self._hooks = dict(hooks or {})
        self._limits = dict(limits or {})
        self._lua = lua
        self._strict = strict
        self._numbers = numbers
        core, diagnostics, rendered = _core.compile(
            name, text, _Importing(importer, self._found), self._limits, lua, self._hooks
        )
        if core is None:
            raise RubricError(rendered, diagnostics)
        self._core: _core.Rubric = core
        self._serial = core.serial()
        self.warnings: list[dict[str, Any]] = diagnostics
        self._about: dict[str, Any] | None = None
        self._spare: list[_core.Evaluator] = []

    # ---- about the rubric

    @property
    def about(self) -> dict[str, Any]:
        """Names, prose, inputs, fields, dimensions and contexts, as dicts."""
        if self._about is None:
            self._about = self._core.describe()
        return self._about

    @property
    def name(self) -> str:
        return self.about["name"]

    @property
    def version(self) -> str:
        return self.about["version"]

    @property
    def prose(self) -> str:
        return self.about["prose"]

    @property
    def scoring_hash(self) -> str:
        """16 hex digits over all that decides numbers: verdicts with the same one may be compared."""
        return self.about["scoring_hash"]

    @property
    def inputs(self) -> list[dict[str, Any]]:
        return self.about["inputs"]

    @property
    def fields(self) -> list[dict[str, Any]]:
        return self.about["fields"]

    @property
    def dimensions(self) -> list[dict[str, Any]]:
        return self.about["dimensions"]

    @property
    def text(self) -> str | bytes:
        return self._text

    def show(self, view: str = "model") -> str:
        """A stage of the compilation: ``"ast"``, ``"model"``, ``"bytecode"`` or ``"kernel"``."""
        return self._core.show(view)

    def test(self) -> list[Example]:
        """Runs the ``example`` blocks of the rubric."""
        return [Example(*result) for result in self._core.test()]

    def unknown_keys(self, record: Record) -> list[tuple[str, str, str]]:
        """The keys of a record that the rubric does not name: (path, message, the key that was perhaps meant)."""
        return self._core.unknown_keys(record_json(record))

    # ---- one record

    def _take(self, fields: Sequence[str] | None = None) -> _core.Evaluator:
        if not fields:
            try:
                return self._spare.pop()
            except IndexError:
                pass
        return _core.Evaluator(self._core, list(fields or ()), self._limits, self._strict, True)

    def _give(self, evaluator: _core.Evaluator) -> None:
        if len(self._spare) < _MOST_SPARE:
            self._spare.append(evaluator)

    def score(
        self,
        record: Record,
        *,
        context: Sequence[str] | str = (),
        weights: Mapping[str, Any] | None = None,
        history: Iterable[Record] = (),
        cohort: FrozenCohort | Cohort | None = None,
        numbers: str | None = None,
    ) -> Verdict:
        """The verdict of one record. Raises RecordError when the record cannot be scored.

        ``record``: a dict, dataclass, pydantic model, named tuple, or JSON as text or bytes. ``history``: earlier records
        of the same subject, oldest first. ``cohort``: with what this run says of the record (``each output``).
        """
        if context or weights or history or cohort is not None:
            history = list(history)
            evaluator = self._configured(context, weights, history, cohort)
            keep = False
        else:
            evaluator = self._take()
            keep = not self._serial
        try:
            if isinstance(record, (str, bytes)):
                text, eligible = evaluator.score(record)
            else:
                text, eligible = evaluator.score_object(record, _plain)
        finally:
            if keep:
                self._give(evaluator)

        return Verdict(text, eligible, numbers or self._numbers, (self, record, context, weights, history, cohort))

    def _configured(
        self, context: Sequence[str] | str, weights: Mapping[str, Any] | None, history: Iterable[Record], cohort: Any = None
    ) -> _core.Evaluator:
        evaluator = _core.Evaluator(self._core, [], self._limits, self._strict, True)
        evaluator.configure([context] if isinstance(context, str) else list(context), _weights(weights))
        evaluator.set_history(_core.to_json_list(list(history), _plain))
        if cohort is not None:
            from ._cohort import frozen_of

            evaluator.set_cohort(frozen_of(self, cohort))
        return evaluator

    def _explain(
        self,
        record: Record,
        name: str,
        open: Sequence[str] | str,
        context: Any,
        weights: Any,
        history: Any,
        cohort: Any = None,
    ) -> str:
        evaluator = self._configured(context, weights, history, cohort)
        text, unknown = evaluator.explain(record_json(record), name, [open] if isinstance(open, str) else list(open))
        if unknown:
            raise KeyError(text.rstrip("\n"))
        return text

    def explain(
        self,
        record: Record,
        name: str | None = None,
        *,
        open: Sequence[str] | str = (),
        context: Sequence[str] | str = (),
        weights: Mapping[str, Any] | None = None,
        history: Iterable[Record] = (),
    ) -> Explanation:
        """Every step from the record to its verdict in words, or of one value, each number with where it came from.

        ``name`` may also be a deduction, bonus, cap or flag that did not come. ``open`` names values and functions whose
        inside is shown, too; ``"all"``: of everything.
        """
        history = list(history)
        verdict = self.score(record, context=context, weights=weights, history=history) if name is None else None
        return Explanation(self._explain(record, name or "", open, context, weights, history), verdict)

    def evaluate(self, expression: str, record: Record, *, numbers: str | None = None) -> Any:
        """The value of an expression of the language over a record."""
        evaluator = self._take()
        try:
            value, _, wrong, rendered = evaluator.evaluate(expression, record_json(record))
        finally:
            self._give(evaluator)
        if wrong:
            raise RubricError(rendered)
        return parse(value, numbers or self._numbers)

    def rank(
        self,
        records: Any,
        *,
        context: Sequence[str] | str = (),
        weights: Mapping[str, Any] | None = None,
    ) -> Ranking:
        """Records best first, ties broken as the rubric declares. Every record needs an ``id``."""
        evaluator = self._configured(context, weights, ())
        texts = _core.to_json_list(_rows(records), _plain)
        return Ranking(*evaluator.rank(texts))

    def cohort(
        self,
        records: Any,
        *,
        first: int | None = None,
        context: Sequence[str] | str = (),
        weights: Mapping[str, Any] | None = None,
        threads: int = 0,
        format: str | None = None,
    ) -> Cohort:
        """What is kept of records for the rubric's ``cohort`` block: ``cohort.outputs``, ``merge`` with other parts, ``freeze``.

        ``records``: as of score_many. The records of a cohort stand by their ids, so that parts merge into the same whole
        however they were divided; with ``first``, the position of the first record, in the order of the run, as the
        command has them.
        """
        from ._cohort import Cohort, in_order

        names = [context] if isinstance(context, str) else list(context)
        if first is not None:
            return in_order(self, records, first, names, _weights(weights))
        if not self.about["cohort"]:
            raise AssayError(f"rubric '{self.name}' has no cohort block")
        from ._many import collect

        core = collect(
            self, records, fields=["id"], result="columns", numbers="float", context=names, weights=_weights(weights),
            threads=threads, format=format, strict=self._strict, timeout=None, progress=None, cohort=None,
        )  # fmt: skip
        return Cohort(self, core)

    def request(self, request: Mapping[str, Any] | str | bytes) -> dict[str, Any]:
        """Answers one request of the protocol, errors among them: ``{"op": "score", "input": {…}, "weights": {…}}``."""
        return parse(self.request_json(request), self._numbers)

    def request_json(self, request: Mapping[str, Any] | str | bytes) -> str:
        """The same as the text that ``assay eval`` writes."""
        evaluator = _core.Evaluator(self._core, [], self._limits, self._strict, True) if self._serial else self._take()
        try:
            return evaluator.eval(record_json(request))
        finally:
            if not self._serial:
                self._give(evaluator)

    def requests(self, requests: Iterable[Mapping[str, Any] | str | bytes]) -> list[dict[str, Any]]:
        """Answers many, in their order."""
        evaluator = _core.Evaluator(self._core, [], self._limits, self._strict, True)
        return [parse(evaluator.eval(record_json(request)), self._numbers) for request in requests]

    # ---- what it says to those who fill in its records

    def schema(
        self,
        of: str = "record",
        *,
        judged: bool | str | Sequence[str] = False,
        only: str | Sequence[str] = (),
        strict_subset: bool = False,
    ) -> Schema:
        """The JSON Schema of its records, or of its verdicts (``of="verdict"``), as a dict.

        ``judged=True``: only what a judge fills in; names: these inputs as well. ``only``: of that, these dimensions and
        criteria. ``strict_subset``: what vendors of language models accept for structured output. Raises AssayError where
        there is no such schema.
        """
        from ._questions import schema

        return schema(self, of, judged, only, strict_subset)

    def prompt(
        self,
        dimension: str | None = None,
        *,
        context: Sequence[str] | str = (),
        judged: str | Sequence[str] = (),
        frame: Mapping[str, str] | str | None = None,
    ) -> str:
        """The instructions for a judge in Markdown: for all that is judged, or for one dimension or criterion.

        ``judged``: inputs that the judge reports as well. ``frame``: other sentences in place of ``assay.prompt_frame()``.
        """
        from ._questions import prompt

        return prompt(self, dimension, context, judged, frame)

    # ---- questions (docs/analysis.md)

    def whatif(
        self,
        record: Record,
        changes: Mapping[str, Any],
        *,
        context: Sequence[str] | str = (),
        weights: Mapping[str, Any] | None = None,
        history: Iterable[Record] = (),
    ) -> Answer:
        """What changes in the verdict when fields of the record change: ``{"correctness": 9, "scores.style": 8}``."""
        from ._questions import analysis, whatif

        return whatif(self, record, changes, analysis(self, context, weights, history, None))

    def reach(
        self,
        record: Record,
        target: Any = None,
        *,
        costs: Mapping[str, Any] | None = None,
        keep: str | Sequence[str] = (),
        grid: Any = None,
        nodes: int = 4000,
        others: Any = None,
        context: Sequence[str] | str = (),
        weights: Mapping[str, Any] | None = None,
        history: Iterable[Record] = (),
        timeout: float | None = None,
    ) -> Answer:
        """The smallest changes of a record that get it to a band ("A"), a score (8.5), "eligible" or a place ("place 1",
        among ``others``); without a target to the next better band.

        ``costs`` of a point of a field, ``keep``: fields that stay, ``grid``: the step of numbers, ``timeout`` in seconds.
        """
        from ._questions import analysis, reach

        asked = analysis(self, context, weights, history, timeout)
        return reach(self, record, target, costs, keep, grid, nodes, others, asked)

    def sensitivity(
        self,
        records: Any,
        *,
        noise: Any = None,
        samples: int = 9604,
        seed: int = 1,
        context: Sequence[str] | str = (),
        weights: Mapping[str, Any] | None = None,
        timeout: float | None = None,
    ) -> Answer:
        """What the order, the winner and the bands of records depend on. ``noise``: the standard deviation of a judge."""
        from ._questions import analysis, sensitivity

        return sensitivity(self, records, noise, samples, seed, analysis(self, context, weights, (), timeout))

    def versus(
        self,
        first: Record,
        second: Record,
        *,
        context: Sequence[str] | str = (),
        weights: Mapping[str, Any] | None = None,
    ) -> Answer:
        """Why one record stands before the other."""
        from ._questions import Answer, analysis

        asked = analysis(self, context, weights, (), None)
        return Answer(asked.versus(record_json(first), record_json(second)), self._numbers)

    def calibrate(
        self,
        records: Any,
        gold: Any = None,
        *,
        floor: int = 10,
        confidence: float = 0.95,
        resamples: int = 2000,
        seed: int = 1,
        context: Sequence[str] | str = (),
        weights: Mapping[str, Any] | None = None,
    ) -> Answer:
        """How far scores and bands agree with what people say.

        Each record has a member ``gold`` ({"score": 8, "grade": "B"}) and may have a ``judge``; or ``gold`` is a mapping
        from ids to such values, or a list of them, each with its ``id``. Fewer pairs than ``floor`` conclude nothing.
        """
        from ._questions import analysis, calibrate

        bands = analysis(self, context, weights, (), None).bands()
        evaluator = self._configured(context, weights, ())
        return calibrate(self, records, gold, evaluator, bands, floor, confidence, resamples, seed)

    # ---- many records

    def score_many(
        self,
        data: Any,
        *,
        out: str | os.PathLike[str] | None = None,
        fields: Sequence[str] | None = None,
        result: str = "columns",
        numbers: str | None = None,
        context: Sequence[str] | str = (),
        weights: Mapping[str, Any] | None = None,
        threads: int = 0,
        format: str | None = None,
        strict: bool | None = None,
        timeout: float | None = None,
        progress: Callable[[int], Any] | bool | None = None,
        cohort: FrozenCohort | Cohort | bool | None = None,
    ) -> Verdicts | Counts:
        """Scores many records on all cores.

        ``data``: anything with ``__arrow_c_stream__`` or ``__arrow_c_array__`` (frames of polars and pandas, tables of
        pyarrow, relations of DuckDB), an iterable of records, lines of NDJSON as text or bytes, or the path of a file
        (NDJSON, JSON, CSV, TSV, each also compressed with gzip or Zstandard; Parquet). A refused record has nulls and its ``error``.

        Returns Verdicts: a row for each record, with the columns ``fields`` (``result="verdicts"``: whole verdicts,
        nested; ``result="json"``: one column of JSON texts). With ``out`` they are written to that file instead (NDJSON,
        CSV, TSV, Parquet) in bounded memory, and Counts are returned. ``numbers="decimal"``: rounded numbers as
        decimal128. ``progress``: called with the number of records done so far; ``True``: a bar of tqdm. ``cohort``: with
        what this run says of each record (``each output``); ``True``: the run of these records, which are read twice.
        """
        from ._many import score_many, twice

        if cohort is True:
            data = twice(data)
            cohort = self.cohort(data, context=context, weights=weights, threads=threads, format=format)
        return score_many(
            self, data, out=out, fields=fields, result=result, numbers=numbers or self._numbers,
            context=[context] if isinstance(context, str) else list(context), weights=_weights(weights), threads=threads,
            format=format, strict=self._strict if strict is None else strict, timeout=timeout, progress=progress,
            cohort=cohort or None,
        )  # fmt: skip

    # ---- Python

    def __reduce__(self) -> tuple[Any, ...]:
        options = {
            "hooks": self._hooks, "limits": self._limits, "lua": self._lua, "strict": self._strict,
            "numbers": self._numbers, "_found": self._found,
        }  # fmt: skip
        return _compiled_again, (self._text, self._name, options)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rubric) and self.__reduce__() == other.__reduce__()

    def __hash__(self) -> int:
        return hash((self._text, self._name))

    def __repr__(self) -> str:
        return f"<Rubric {self.name} {self.version}, scoring hash {self.scoring_hash}>"


class Counts:
    """How many records were written, and how many of them were refused."""

    __slots__ = ("records", "rejected")

    def __init__(self, records: int, rejected: int) -> None:
        self.records, self.rejected = records, rejected

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and (self.records, self.rejected) == (other.records, other.rejected)

    def __repr__(self) -> str:
        return f"Counts(records={self.records}, rejected={self.rejected})"


_again: dict[Any, Rubric] = {}  # rubrics that arrived here: workers of clusters get the same one with each task
_MOST_AGAIN = 16


def _compiled_again(text: str | bytes, name: str, options: dict[str, Any]) -> Rubric:
    if options["hooks"]:  # functions are not compared
        return Rubric(text, name, **options)
    key = (text, name, repr(sorted(options.items())))
    rubric = _again.get(key)
    if rubric is None:
        while len(_again) >= _MOST_AGAIN:
            _again.pop(next(iter(_again)), None)
        rubric = _again.setdefault(key, Rubric(text, name, **options))
    return rubric


def _rows(records: Any) -> list[Any]:
    """Records as a list: of anything iterable, or of a data frame."""
    if isinstance(records, (str, bytes)):
        lines = records.splitlines()
        return [line for line in lines if line.strip()]
    if isinstance(records, (list, tuple)):
        return list(records)
    if hasattr(records, "to_pylist"):  # pyarrow
        return records.to_pylist()
    if hasattr(records, "to_dicts"):  # polars
        return records.to_dicts()
    if hasattr(records, "to_dict") and hasattr(records, "iloc"):  # pandas
        return records.to_dict("records")
    if hasattr(records, "fetchall") and hasattr(records, "columns"):  # DuckDB
        return [dict(zip(records.columns, row)) for row in records.fetchall()]
    return list(records)


def compile(text: str | bytes, name: str = "rubric", **options: Any) -> Rubric:
    """Compiles the text of a rubric. Raises RubricError, whose text shows the place of each mistake.

    Options: ``importer(path, base)`` reads what the rubric names, ``hooks`` are functions of the host by name, ``limits``
    by name, ``lua=False`` refuses hooks in Lua, ``strict=True`` refuses keys that the rubric does not name, ``numbers``
    is how verdicts give numbers: ``"float"``, ``"decimal"`` or ``"fraction"``.
    """
    return Rubric(text, name, **options)


def load(path: str | os.PathLike[str], *, root: str | os.PathLike[str] | None = None, **options: Any) -> Rubric:
    """Compiles a file. What it imports is read relative to it; with ``root``, from below that folder alone."""
    options.setdefault("importer", FileImporter(root))
    with open(path, "rb") as file:
        return Rubric(file.read(), os.fspath(path), **options)


def diff(old: Rubric, new: Rubric) -> list[Change]:
    """What differs between two rubrics: which changes are prose, which move bands, which make scores incomparable."""
    return [Change(*change) for change in _core.differences(old._core, new._core)]


def prompt_frame() -> dict[str, str]:
    """The sentences around what a rubric says, as ``Rubric.prompt`` uses them and ``frame=`` replaces them."""
    return parse(_core.prompt_frame(), "float")
