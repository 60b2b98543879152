"""Rubrics on Spark: adds verdict columns to the records, with ``mapInArrow``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ._cohort import Cohort, FrozenCohort
from ._rubric import Rubric
from ._scale import Appender, collected, frozen, merged, result_fields


def _spark_type(kind: Any) -> str:
    import pyarrow

    if pyarrow.types.is_floating(kind):
        return "double"
    if pyarrow.types.is_boolean(kind):
        return "boolean"
    if pyarrow.types.is_decimal(kind):
        return f"decimal({kind.precision},{kind.scale})"
    return "string"


def score(frame: Any, rubric: Rubric, *, fields: Sequence[str] | None = None, prefix: str = "", numbers: str = "float",
          cohort: FrozenCohort | Cohort | bool | None = None, **options: Any) -> Any:  # fmt: skip
    """Returns the frame with a column added for each field of the verdict and for ``error``.

    The rubric is sent as text and compiled once in each worker. A rejected record keeps its row, with nulls and its error.
    ``prefix`` is put before the names of the new columns, which must differ from those of the frame. ``cohort``: adds the
    outputs that depend on this run (``each output``); ``True``: the run of this frame, which is then computed twice, so
    consider ``cache()``. ``context``, ``weights``, ``strict`` and ``timeout`` are as for ``score_many``.
    """
    from pyspark.sql.types import StructType

    if cohort is True:
        settings = {name: options[name] for name in ("context", "weights") if name in options}
        cohort = collected_of(frame, rubric, **settings)
    run = frozen(cohort)
    added = result_fields(rubric, fields, numbers, prefix, list(frame.columns), run)
    schema = StructType(list(frame.schema.fields))
    for name, kind in added:
        schema = schema.add(name, _spark_type(kind), True)
    options = {**options, "fields": list(fields) if fields else None, "numbers": numbers, "cohort": run}

    def score_batches(batches: Iterator[Any]) -> Iterator[Any]:
        append = Appender(rubric, added, options)
        for batch in batches:
            yield append(batch)

    return frame.mapInArrow(score_batches, schema)


def cohort(frame: Any, rubric: Rubric, *, context: Sequence[str] | str = (), weights: Mapping[str, Any] | None = None) -> Cohort:
    """The cohort of all records of the frame: each partition computes its part, and the driver merges the parts.

    The result has the same bytes for any number of partitions and any order.
    """
    import pyarrow

    options = {"context": context, "weights": weights}

    def collect_batches(batches: Iterator[Any]) -> Iterator[Any]:
        saved = collected(rubric, batches, options)
        if saved is not None:
            yield pyarrow.RecordBatch.from_pydict({"cohort": pyarrow.array([saved], pyarrow.binary())})

    parts = frame.mapInArrow(collect_batches, "cohort binary").toLocalIterator()
    return merged(rubric, (row.cohort for row in parts))


collected_of = cohort  # `cohort` is also a parameter of score()
