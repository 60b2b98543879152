"""Rubrics on Spark: verdict columns beside the records, by ``mapInArrow``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ._rubric import Rubric
from ._scale import append_columns, result_fields


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
          **options: Any) -> Any:  # fmt: skip
    """The frame with a column for each field of the verdict and ``error`` behind its own.

    The rubric travels by its text and is compiled once for each worker. A record that is refused keeps its row, with nulls
    and its error. ``prefix`` stands before the names of the new columns, which may not be those of the frame. Options are
    those of ``score_many``: ``context``, ``weights``, ``strict``, ``timeout``.
    """
    from pyspark.sql.types import StructType

    added = result_fields(rubric, fields, numbers, prefix, list(frame.columns))
    schema = StructType(list(frame.schema.fields))
    for name, kind in added:
        schema = schema.add(name, _spark_type(kind), True)
    options = {**options, "fields": list(fields) if fields else None, "numbers": numbers, "threads": options.get("threads", 1)}

    def score_batches(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            yield append_columns(rubric, batch, added, options)

    return frame.mapInArrow(score_batches, schema)
