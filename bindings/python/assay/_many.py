"""Scoring many records: choosing how data passes through the engine."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from . import _core
from ._errors import shown
from ._rubric import Counts, Rubric, _plain, _type_of
from ._table import Verdicts

_LIST_BATCH = 8192  # records of an iterable that are scored at once
_FORMATS = {
    ".ndjson": "ndjson", ".jsonl": "ndjson", ".json": "json", ".csv": "csv", ".tsv": "tsv", ".npy": "npy", ".parquet": "parquet",
}  # fmt: skip


def _format(path: str, given: str | None) -> str:
    if given is not None:
        return given
    stem = os.path.splitext(path)[0] if path.endswith((".gz", ".zst")) else path
    found = _FORMATS.get(os.path.splitext(stem)[1].lower())
    if found is None:
        raise ValueError(f"the name {shown(path)} does not tell its format; say format='ndjson', 'json', 'csv', 'tsv', 'npy' or 'parquet'")
    return found


class _Progress:
    """Reports the number of finished records to a function, to a tqdm bar, or not at all."""

    def __init__(self, progress: Callable[[int], Any] | bool | None) -> None:
        self.done = 0
        self._call = progress if callable(progress) else None
        self._bar = None
        if progress is True:
            try:
                from tqdm.auto import tqdm
            except ImportError:
                return
            self._bar = tqdm(unit=" records")

    def add(self, count: int) -> None:
        self.done += count
        if self._call is not None:
            self._call(self.done)
        if self._bar is not None:
            self._bar.update(count)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class _Job:
    def __init__(self, rubric: Rubric, options: dict[str, Any], collects: bool = False) -> None:
        self.rubric = rubric
        self.options = options
        self.collects = collects
        self.cohort = None
        self.last: _core.Scorer | None = None
        if options["cohort"] is not None:
            from ._cohort import frozen_of

            self.cohort = frozen_of(rubric, options["cohort"])
        self.progress = _Progress(options["progress"])

    def _key(self, json_records: bool) -> tuple[Any, ...] | None:
        """Scorers with equal keys score alike. None: a scorer that serves a single call."""
        o = self.options
        if self.collects or self.cohort is not None or o["context"] or o["weights"] or o["timeout"] is not None or self.rubric._serial:
            return None
        return (tuple(o["fields"] or ()), o["strict"], o["numbers"], o["result"], o["threads"], json_records)

    def scorer(self, json_records: bool) -> _core.Scorer:
        o = self.options
        scorer = self.rubric._spare_scorers.pop(self._key(json_records), None)
        if scorer is not None:
            return scorer
        scorer = _core.Scorer(
            self.rubric._core, list(o["fields"] or ()), self.rubric._limits, o["strict"], o["numbers"] != "float",
            o["result"], o["threads"], json_records, self.collects, self.cohort,
        )  # fmt: skip
        if o["context"] or o["weights"]:
            scorer.configure(o["context"], o["weights"])
        if o["timeout"] is not None:
            scorer.set_timeout(o["timeout"])
        self.last = scorer
        return scorer

    def give(self, scorer: _core.Scorer, json_records: bool) -> None:
        """Keeps the scorer of a call that ended well for the next: it takes longer to make than to score a thousand rows."""
        key = self._key(json_records)
        if key is not None:
            self.rubric._spare_scorers.clear()
            self.rubric._spare_scorers[key] = scorer

    # Each method yields tables. The first may be empty; it carries the schema.

    def of_stream(self, capsule: object) -> Iterator[_core.Table]:
        scorer = self.scorer(False)
        scorer.open(capsule)
        yield scorer.empty()
        while (table := scorer.next()) is not None:
            self.progress.add(table.rows())
            yield table
        self.give(scorer, False)

    def of_array(self, data: Any) -> Iterator[_core.Table]:
        scorer = self.scorer(False)
        schema, array = data.__arrow_c_array__()
        scorer.bind(schema)
        table = scorer.score_array(array)
        self.progress.add(table.rows())
        yield table
        self.give(scorer, False)

    def of_records(self, records: Iterable[Any]) -> Iterator[_core.Table]:
        scorer = self.scorer(True)
        yield scorer.empty()
        batch: list[Any] = []

        def scored() -> _core.Table:
            rejected: dict[int, tuple[str, str, str]] = {}
            table = scorer.score_texts(_core.to_json_list(batch, _plain, rejected, self.rubric._record_bytes), rejected)
            self.progress.add(table.rows())
            batch.clear()
            return table

        for record in records:
            batch.append(record)
            if len(batch) == _LIST_BATCH:
                yield scored()
        if batch:
            yield scored()
        self.give(scorer, True)

    def of_bytes(self, read: Callable[[int], bytes], format: str, name: str = "") -> Iterator[_core.Table]:
        scorer = self.scorer(True)
        reader = _core.Reader(self.rubric._core, read, name, format, self.rubric._limits, self.options["strict"])
        yield scorer.empty()
        while True:
            texts, unread = reader.next(_LIST_BATCH)
            if not texts:
                break
            table = scorer.score_texts(texts, unread)
            self.progress.add(table.rows())
            yield table
        self.give(scorer, True)

    def tables(self, data: Any, format: str | None) -> Iterator[_core.Table]:
        import io

        if hasattr(data, "collect") and type(data).__name__ == "LazyFrame":  # of polars
            data = data.collect()
        if hasattr(data, "__arrow_c_stream__"):
            return self.of_frame(data)
        if hasattr(data, "__arrow_c_array__"):
            return self.of_array(data)
        if isinstance(data, os.PathLike) or (isinstance(data, str) and "\n" not in data and not data.lstrip().startswith("{")):
            path = os.fspath(data)
            kind = _format(path, format)
            if kind == "parquet":
                from ._parquet import read_parquet

                return self.of_stream(read_parquet(path).__arrow_c_stream__())
            return self._closing(path, kind)
        if isinstance(data, str):
            data = data.encode()
        if isinstance(data, (bytes, bytearray, memoryview)):
            return self.of_bytes(io.BytesIO(data).read, format or "ndjson")
        if hasattr(data, "read"):
            return self.of_bytes(data.read, format or "ndjson")
        if hasattr(data, "to_dict") and hasattr(data, "iloc"):  # pandas without pyarrow
            data = data.to_dict("records")
        if isinstance(data, dict):
            raise TypeError("score_many takes many records: give a list of dicts, or score(record) for one")
        if not hasattr(data, "__iter__") and not hasattr(data, "__getitem__"):
            raise TypeError(f"score_many takes records, a frame, lines or the path of a file, not {_type_of(data)}")
        return self.of_records(data)

    def of_frame(self, data: Any) -> Iterator[_core.Table]:
        try:
            capsule = data.__arrow_c_stream__()
        except (TypeError, ValueError):
            # A frame of pandas with a column of mixed values, which is no column of Arrow: its rows are records.
            if not hasattr(data, "iloc") or not data.columns.is_unique:
                raise
            return self.of_records(data.to_dict("records"))
        return self.of_stream(capsule)

    def _closing(self, path: str, kind: str) -> Iterator[_core.Table]:
        with open(path, "rb") as file:  # packed or not: the library sees to it
            yield from self.of_bytes(file.read, kind, path)

    # ---- into files

    def write_text(self, data: Any, source: str | None, kind: str, target: str, to: str) -> Counts:
        """Scores text streams into text streams in the engine, on all threads."""
        o = self.options
        columns: list[str] = []
        if to in ("csv", "tsv"):
            columns = list(o["fields"] or _core.verdict_columns(self.rubric._core, self.cohort is not None)) + ["error"]
        keys = [name.split(".")[0] for name in (columns[:-1] if columns else o["fields"] or ())]
        runner = _core.Runner(
            self.rubric._core, list(dict.fromkeys(keys)), columns, to, self.rubric._limits, o["strict"], o["threads"]
        )
        if o["context"] or o["weights"]:
            runner.configure(o["context"], o["weights"])
        if self.cohort is not None:
            runner.set_cohort(self.cohort)
        if o["timeout"] is not None:
            runner.set_timeout(o["timeout"])
        with _Written(target) as file:
            file.write(runner.header)

            def write(block: bytes) -> None:
                file.write(block)
                self.progress.add(block.count(b"\n"))

            if source is not None:
                with open(source, "rb") as opened:
                    records, rejected = runner.run(opened.read, source, kind, write, None)
            else:
                records, rejected = runner.run(data.read, "", kind, write, None)
        return Counts(records, rejected)


class _Written:
    """A file that is written completely or not at all."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.beside = f"{path}.{os.getpid()}.part"

    def __enter__(self) -> Any:
        if self.path.endswith(".gz"):
            import gzip

            self.file: Any = gzip.open(self.beside, "wb")
        else:
            self.file = open(self.beside, "wb")
        return self.file

    def __exit__(self, kind: Any, *_: Any) -> None:
        self.file.close()
        if kind is None:
            os.replace(self.beside, self.path)
        else:
            os.unlink(self.beside)


class _Lines:
    """A byte stream of the rows of tables of JSON texts."""

    def __init__(self, records: Iterable[Any], most_bytes: int) -> None:
        self.records = iter(records)
        self.most_bytes = most_bytes
        self.rest = b""

    def read(self, size: int) -> bytes:
        while not self.rest:
            batch: list[Any] = []
            for record in self.records:
                batch.append(record)
                if len(batch) == 256:
                    break
            if not batch:
                return b""
            texts = _core.to_json_list(batch, _plain, None, self.most_bytes)
            self.rest = b"".join((t.encode() if isinstance(t, str) else t) + b"\n" for t in texts)
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken


def twice(data: Any) -> Any:
    """The data in a form that can be read twice."""
    if hasattr(data, "read_all"):  # a stream of Arrow
        return data.read_all()
    if hasattr(data, "read"):
        return data.read()
    return list(data) if hasattr(data, "__next__") else data


def collect(rubric: Rubric, data: Any, *, format: str | None, **options: Any) -> _core.Cohort:
    """The first pass of a cohort: keeps only the values that the cohort block uses."""
    job = _Job(rubric, options, collects=True)
    try:
        for _ in job.tables(data, format):
            pass
    finally:
        job.progress.close()
    if job.last is None:  # no records at all
        return _core.Cohort(rubric._core, rubric._limits)
    return job.last.collected()


def score_many(rubric: Rubric, data: Any, *, out: Any, format: str | None, **options: Any) -> Verdicts | Counts:
    job = _Job(rubric, options)
    try:
        if out is None:
            tables = job.tables(data, format)
            made = next(tables)
            for table in tables:
                made.extend(table)
            return Verdicts(made)
        return _score_into(job, data, os.fspath(out), format)
    finally:
        job.progress.close()


def _score_into(job: _Job, data: Any, target: str, format: str | None) -> Counts:
    import io

    to = _format(target, None)
    arrow = hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")
    path = None
    if isinstance(data, os.PathLike) or (isinstance(data, str) and "\n" not in data and not data.lstrip().startswith("{")):
        path = os.fspath(data)
    kind = "ndjson" if path is None else _format(path, format)
    if to == "json":
        raise ValueError("out= is a file of NDJSON, CSV, TSV or Parquet")
    if to != "parquet" and not arrow and kind != "parquet":
        if path is not None:
            return job.write_text(None, path, kind, target, to)
        if isinstance(data, str):
            data = data.encode()
        if isinstance(data, (bytes, bytearray, memoryview)):
            data = io.BytesIO(data)
        elif not hasattr(data, "read"):
            data = _Lines(data, job.rubric._record_bytes)
        return job.write_text(data, None, format or kind, target, to)
    if to == "parquet":
        from ._parquet import write_parquet

        return write_parquet(job.tables(data, format), target)
    if to != "ndjson":
        raise ValueError("Arrow and Parquet records are written as NDJSON or Parquet; score_many(…) without out= gives a table for CSV")
    return _write_lines(job, data, format, target)


def _write_lines(job: _Job, data: Any, format: str | None, target: str) -> Counts:
    job.options["result"] = "json"
    records = rejected = 0
    with _Written(target) as file:
        for table in job.tables(data, format):
            for text in Verdicts(table)["verdict"]:
                file.write(text.encode() + b"\n")
                records += 1
                rejected += text.startswith('{"error":')
    return Counts(records, rejected)
