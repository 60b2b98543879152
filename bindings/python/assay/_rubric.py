"""Compiling rubrics and scoring records."""

from __future__ import annotations

import operator
import os
import stat

from . import _core
from ._errors import AssayError, RecordError, RubricError, shown
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


def _type_of(value: Any) -> str:
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _names(what: str, given: Sequence[str] | str | None) -> list[str]:
    """A list of names; one name may stand alone."""
    if given is None:
        return []
    if isinstance(given, str):
        return [given]
    try:
        made = list(given)
    except TypeError:
        raise TypeError(f"{what} is a name or a list of names, not {_type_of(given)}") from None
    for name in made:
        if not isinstance(name, str):
            raise TypeError(f"{what} is a name or a list of names, not of {_type_of(name)}")
    return made


def _records(what: str, given: Iterable[Record]) -> list[Record]:
    if isinstance(given, (str, bytes)) or hasattr(given, "items"):
        raise TypeError(f"{what} is a list of records, not one record")
    try:
        return list(given)
    except TypeError:
        raise TypeError(f"{what} is a list of records, not {_type_of(given)}") from None


def _numbers(given: str | None, otherwise: str, of: Sequence[str] = NUMBERS) -> str:
    if given is None:
        return otherwise
    if given not in of:
        raise ValueError(f"numbers is one of {', '.join(of)}, not {shown(given)}")
    return given


def record_json(record: Record, rubric: Rubric) -> str | bytes:
    """A record as JSON, for this rubric. Text and bytes must already be JSON."""
    if isinstance(record, (str, bytes)):
        return record
    if isinstance(record, Verdict):
        return record.json
    return _core.to_json(record, _plain, rubric._record_bytes)


class FileImporter:
    """Reads the files that a rubric names, relative to the naming file; with ``root``, only files below it.

    A file of more than ``most`` bytes is cut behind them: compiling refuses it by its limit ``source_bytes``.
    """

    def __init__(self, root: str | os.PathLike[str] | None = None, most: int = _core.MOST_SOURCE_BYTES) -> None:
        self.root = None if root is None else os.path.realpath(root)
        self.most = most

    def __call__(self, path: str, base: str) -> tuple[str, str] | None:
        name = os.path.normpath(os.path.join(os.path.dirname(base), path))
        if not os.path.isfile(name):
            return None
        try:
            file = open(name, "rb", opener=lambda name, flags: os.open(name, flags | getattr(os, "O_NONBLOCK", 0)))
        except OSError:
            return None
        with file:
            # Of the opened file, so that nobody can exchange it in between.
            link = f"/proc/self/fd/{file.fileno()}"
            real = os.readlink(link) if os.path.islink(link) else os.path.realpath(name)
            if self.root is not None and os.path.commonpath([self.root, real]) != self.root:
                return None
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return None
            return name, file.read(self.most + 1).decode("utf-8", "surrogateescape")


class _Importing:
    """Calls an importer and keeps its results, so that the rubric can be compiled again elsewhere."""

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
        if not isinstance(answer, str) and not (isinstance(answer, tuple) and len(answer) == 2):
            raise TypeError(f"an importer returns a text, a tuple of name and text, or None, not {_type_of(answer)}")
        name, text = (path, answer) if isinstance(answer, str) else answer
        result = (name, text.encode("utf-8", "surrogateescape") if isinstance(text, str) else bytes(text))
        self.found[path, base] = result
        return result


class Example:
    """The result of an ``example`` block of a rubric."""

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
    if weights is not None and not hasattr(weights, "items"):
        raise TypeError(f"weights is a mapping of dimensions to their weights, not {_type_of(weights)}")
    made = []
    for name, value in (weights or {}).items():
        if not isinstance(name, str):
            raise TypeError(f"weights is a mapping of names of dimensions, not of {_type_of(name)}")
        made.append((name, value if isinstance(value, str) else str(_core.to_json(value, _plain))))
    return made


class Rubric:
    """A compiled rubric. Immutable: any number of threads may use it at once. It can be pickled."""

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
        if not isinstance(text, (str, bytes)):
            raise TypeError(f"the text of a rubric is a str or bytes, not {_type_of(text)}")
        if not isinstance(name, str):
            raise TypeError(f"the name of a rubric is a str, not {_type_of(name)}")
        for what, given in (("hooks", hooks), ("limits", limits)):
            if given is not None and not hasattr(given, "items"):
                raise TypeError(f"{what} is a mapping from names, not {_type_of(given)}")
        if importer is not None and not callable(importer):
            raise TypeError(f"importer is a function of a path and the file that names it, not {_type_of(importer)}")
        numbers = _numbers(numbers, "float")
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
        self._record_bytes = operator.index(self._limits.get("record_bytes", _core.MOST_RECORD_BYTES))
        self._serial = core.serial()
        self.warnings: list[dict[str, Any]] = diagnostics
        self._about: dict[str, Any] | None = None
        self._spare: list[_core.Evaluator] = []
        self._spare_scorers: dict[tuple[Any, ...], _core.Scorer] = {}  # at most one, by its options

    # ---- about the rubric

    @property
    def about(self) -> dict[str, Any]:
        """A description of the rubric: names, prose, inputs, fields, dimensions and contexts, as dicts."""
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
        """16 hex digits of everything that affects scores: verdicts with equal hashes may be compared."""
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
        """The text of a compilation stage: ``"ast"``, ``"model"``, ``"bytecode"`` or ``"kernel"``."""
        return self._core.show(view)

    def test(self) -> list[Example]:
        """Runs the ``example`` blocks of the rubric and returns a result for each."""
        return [Example(*result) for result in self._core.test()]

    def unknown_keys(self, record: Record) -> list[tuple[str, str, str]]:
        """The keys of a record that the rubric does not name, as tuples (path, message, the key probably meant)."""
        return self._core.unknown_keys(record_json(record, self))

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
        """Scores one record and returns its verdict. Raises RecordError if the record cannot be scored.

        ``record``: a dict, dataclass, pydantic model, named tuple, or JSON as text or bytes. ``history``: earlier records
        of the same subject, oldest first. ``cohort``: adds the outputs that depend on this run (``each output``).
        """
        if numbers is not None:
            _numbers(numbers, "float")
        if context or weights or history or cohort is not None:
            history = _records("history", history)
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
        evaluator.configure(_names("context", context), _weights(weights))
        evaluator.set_history(_core.to_json_list(list(history), _plain, None, self._record_bytes))
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
        text, unknown = evaluator.explain(record_json(record, self), name, _names("open", open))
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
        """Explains in words each step from the record to its verdict or to the value ``name``, with the source of each number.

        ``name`` may also be a deduction, bonus, cap or flag that did not apply. ``open``: names of values and functions
        whose computation is shown as well; ``"all"``: of all.
        """
        history = _records("history", history)
        verdict = self.score(record, context=context, weights=weights, history=history) if name is None else None
        return Explanation(self._explain(record, name or "", open, context, weights, history), verdict)

    def evaluate(self, expression: str, record: Record, *, numbers: str | None = None) -> Any:
        """Evaluates an expression of the language on a record and returns its value."""
        evaluator = self._take()
        numbers = _numbers(numbers, self._numbers)
        try:
            value, _, wrong, rendered = evaluator.evaluate(expression, record_json(record, self))
        finally:
            self._give(evaluator)
        if wrong:
            raise RubricError(rendered)
        return parse(value, numbers)

    def rank(
        self,
        records: Any,
        *,
        context: Sequence[str] | str = (),
        weights: Mapping[str, Any] | None = None,
    ) -> Ranking:
        """Ranks records, best first; ties are broken as the rubric declares. Every record needs an ``id``."""
        evaluator = self._configured(context, weights, ())
        texts = _core.to_json_list(_rows(records), _plain, None, self._record_bytes)
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
        """Scores records into a cohort for the rubric's ``cohort`` block, which can be merged with other parts and frozen.

        ``records``: as for score_many. The records of a cohort are ordered by id, so that parts merge into the same whole
        however the run was divided. With ``first``, the position of the first record, they keep the order of the run, as
        in the command.
        """
        from ._cohort import Cohort, in_order

        names = _names("context", context)
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
        """Answers one protocol request, also with errors: ``{"op": "score", "input": {…}, "weights": {…}}``."""
        return parse(self.request_json(request), self._numbers)

    def request_json(self, request: Mapping[str, Any] | str | bytes) -> str:
        """Answers one request with the text that ``assay eval`` would write."""
        evaluator = _core.Evaluator(self._core, [], self._limits, self._strict, True) if self._serial else self._take()
        try:
            return evaluator.eval(record_json(request, self))
        finally:
            if not self._serial:
                self._give(evaluator)

    def requests(self, requests: Iterable[Mapping[str, Any] | str | bytes]) -> list[dict[str, Any]]:
        """Answers many requests, in order."""
        if isinstance(requests, (str, bytes)) or hasattr(requests, "items"):
            raise TypeError("requests is a list of requests, not one request")
        evaluator = _core.Evaluator(self._core, [], self._limits, self._strict, True)
        return [parse(evaluator.eval(record_json(request, self)), self._numbers) for request in requests]

    # ---- schemas and instructions

    def schema(
        self,
        of: str = "record",
        *,
        judged: bool | str | Sequence[str] = False,
        only: str | Sequence[str] = (),
        strict_subset: bool = False,
    ) -> Schema:
        """The JSON Schema of the records, or of the verdicts (``of="verdict"``), as a dict.

        ``judged=True``: only the inputs that a judge fills in; a list of names: these inputs as well. ``only``: restricts
        the schema to these dimensions and criteria. ``strict_subset``: only the keywords that vendors of language models
        accept for structured output. Raises AssayError if there is no such schema.
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
        """The instructions for a judge in Markdown: for all judged dimensions, or for one dimension or criterion.

        ``judged``: inputs that the judge reports as well. ``frame``: sentences to use in place of ``assay.prompt_frame()``.
        """
        from ._questions import prompt

        return prompt(self, dimension, context, judged, frame)

    # ---- analyses (docs/analysis.md)

    def whatif(
        self,
        record: Record,
        changes: Mapping[str, Any],
        *,
        context: Sequence[str] | str = (),
        weights: Mapping[str, Any] | None = None,
        history: Iterable[Record] = (),
    ) -> Answer:
        """The changes of the verdict when fields of the record change: ``{"correctness": 9, "scores.style": 8}``."""
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
        """The smallest changes of a record that reach a band ("A"), a score (8.5), "eligible" or a place ("place 1" among
        ``others``); without a target, the next better band.

        ``costs``: the cost of a point of each field. ``keep``: fields that must not change. ``grid``: the step of numbers.
        ``timeout``: in seconds.
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
        """How the order, the winner and the bands of records depend on inputs. ``noise``: the standard deviation of a judge."""
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
        """Explains why one record ranks before the other."""
        from ._questions import Answer, analysis

        asked = analysis(self, context, weights, (), None)
        return Answer(asked.versus(record_json(first, self), record_json(second, self)), self._numbers)

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
        """Measures the agreement of scores and bands with human ratings.

        Each record has a member ``gold`` ({"score": 8, "grade": "B"}) and may have a ``judge``; or ``gold`` maps ids to
        such values, or is a list of them, each with its ``id``. With fewer pairs than ``floor``, nothing is concluded.
        """
        from ._questions import analysis, calibrate

        asked = analysis(self, context, weights, (), None)
        evaluator = self._configured(context, weights, ())
        return calibrate(self, records, gold, evaluator, asked, floor, confidence, resamples, seed)

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
        (NDJSON, JSON, CSV, TSV, each also compressed with gzip or Zstandard; Parquet). A rejected record has nulls and its
        ``error``.

        Returns Verdicts: a row for each record, with the columns ``fields`` (``result="verdicts"``: whole verdicts,
        nested; ``result="json"``: one column of JSON texts). With ``out``, writes them to that file instead (NDJSON, CSV,
        TSV, Parquet), in bounded memory, and returns Counts. ``numbers="decimal"``: rounded numbers as decimal128.
        ``progress``: a function that is called with the number of finished records, or ``True`` for a tqdm bar.
        ``cohort``: adds the outputs that depend on this run (``each output``); ``True``: the run of these records, which
        are then read twice.
        """
        from ._many import score_many, twice

        if cohort is True:
            data = twice(data)
            cohort = self.cohort(data, context=context, weights=weights, threads=threads, format=format)
        if type(threads) is not int or threads < 0:
            raise ValueError(f"threads is a whole number, 0 for all cores, not {shown(threads)}")
        if numbers is not None:
            _numbers(numbers, "float", ("float", "decimal"))
        return score_many(
            self, data, out=out, fields=_names("fields", fields), result=result, numbers=numbers or self._numbers,
            context=_names("context", context), weights=_weights(weights), threads=threads,
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
    """The number of records written, and how many of them were rejected."""

    __slots__ = ("records", "rejected")

    def __init__(self, records: int, rejected: int) -> None:
        self.records, self.rejected = records, rejected

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and (self.records, self.rejected) == (other.records, other.rejected)

    def __repr__(self) -> str:
        return f"Counts(records={self.records}, rejected={self.rejected})"


_again: dict[Any, Rubric] = {}  # unpickled rubrics: a cluster sends the same rubric to a worker with each task
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
    """The records of an iterable or a data frame as a list."""
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
    return _records("records", records)


def compile(text: str | bytes, name: str = "rubric", **options: Any) -> Rubric:
    """Compiles the text of a rubric. Raises RubricError, whose text shows the place of each error.

    ``importer(path, base)``: reads the files that the rubric names. ``hooks``: host functions by name. ``limits``: values
    by name. ``lua=False``: rejects Lua hooks. ``strict=True``: rejects keys that the rubric does not name. ``numbers``: the
    type of numbers in verdicts, ``"float"``, ``"decimal"`` or ``"fraction"``.
    """
    return Rubric(text, name, **options)


def load(path: str | os.PathLike[str], *, root: str | os.PathLike[str] | None = None, **options: Any) -> Rubric:
    """Compiles a file. Its imports are read relative to it; with ``root``, only from below that directory."""
    path = os.fspath(path)  # open() would take a number for a descriptor of the process, and close it
    most = operator.index((options.get("limits") or {}).get("source_bytes", _core.MOST_SOURCE_BYTES))
    options.setdefault("importer", FileImporter(root, most))
    with open(path, "rb") as file:
        return Rubric(file.read(), path, **options)


def diff(old: Rubric, new: Rubric) -> list[Change]:
    """The differences of two rubrics: which are prose, which move bands, and which make scores incomparable."""
    for rubric in (old, new):
        if not isinstance(rubric, Rubric):
            raise TypeError(f"diff() compares two rubrics, not {_type_of(rubric)}: assay.load(path) gives one")
    return [Change(*change) for change in _core.differences(old._core, new._core)]


def prompt_frame() -> dict[str, str]:
    """The sentences that ``Rubric.prompt`` puts around the text of a rubric, and that ``frame=`` replaces."""
    return parse(_core.prompt_frame(), "float")
