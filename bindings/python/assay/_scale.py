"""What engines for big data share: records of a batch with the columns of their verdicts behind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _core
from ._rubric import Rubric
from ._table import Verdicts


def result_fields(
    rubric: Rubric, fields: Sequence[str] | None, numbers: str, prefix: str, taken: Sequence[str]
) -> list[tuple[str, Any]]:
    """The names and Arrow types of the columns that are added: plain ones, the same for every batch."""
    import pyarrow

    scorer = _core.Scorer(rubric._core, list(fields or ()), rubric._limits, False, numbers != "float", "columns", 1, True, True)
    added = []
    for field in pyarrow.table(Verdicts(scorer.empty())).schema:
        if field.name == "id" and not fields and "id" in taken:
            continue  # it is there already
        kind = field.type.value_type if pyarrow.types.is_dictionary(field.type) else field.type
        if pyarrow.types.is_nested(kind):
            raise ValueError(f"the field '{field.name}' is no number, truth or text: choose others by fields=")
        kind = pyarrow.string() if pyarrow.types.is_large_string(kind) else kind
        name = prefix + field.name
        if name in taken:
            raise ValueError(f"the frame has a column '{name}' already: say prefix='…'")
        added.append((name, kind))
    return added


def append_columns(rubric: Rubric, batch: Any, added: list[tuple[str, Any]], options: dict[str, Any]) -> Any:
    """The batch or table with its verdicts, row for row."""
    import pyarrow

    verdicts: Any = pyarrow.table(rubric.score_many(batch, **options))
    if isinstance(batch, pyarrow.RecordBatch):
        verdicts = verdicts.combine_chunks()
    names = list(verdicts.column_names)[-len(added) :]
    arrays, fields = list(batch.columns), list(batch.schema)
    for (name, kind), own in zip(added, names):
        column = verdicts[own].cast(kind)
        if isinstance(batch, pyarrow.RecordBatch):
            column = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
        arrays.append(column)
        fields.append(pyarrow.field(name, kind))
    return type(batch).from_arrays(arrays, schema=pyarrow.schema(fields))
