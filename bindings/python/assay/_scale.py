"""Shared by Spark and Ray: batches of records with the columns of their verdicts, and cohorts in parts."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from . import _core
from ._cohort import Cohort, FrozenCohort
from ._many import _Job
from ._rubric import Rubric, _weights
from ._table import Verdicts


def frozen(cohort: Any) -> FrozenCohort | None:
    """The frozen cohort for the argument ``cohort=``, made once before it is sent to workers."""
    return cohort.freeze() if isinstance(cohort, Cohort) else cohort or None


def result_fields(
    rubric: Rubric, fields: Sequence[str] | None, numbers: str, prefix: str, taken: Sequence[str], cohort: FrozenCohort | None = None
) -> list[tuple[str, Any]]:
    """The names and Arrow types of the added columns: simple types, the same for every batch."""
    import pyarrow

    scorer = _core.Scorer(
        rubric._core, list(fields or ()), rubric._limits, False, numbers != "float", "columns", 1, True, False,
        None if cohort is None else cohort._core,
    )  # fmt: skip
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


class Appender:
    """Appends verdicts, row by row, to batches or tables. Bound once for all batches of a schema."""

    def __init__(self, rubric: Rubric, added: list[tuple[str, Any]], options: dict[str, Any]) -> None:
        context = options.get("context", ())
        self.rubric = rubric
        self.added = added
        self.options = {
            "fields": None, "result": "columns", "numbers": "float", "strict": rubric._strict, "timeout": None,
            "progress": None, "cohort": None, "threads": 1, **options,
            "context": [context] if isinstance(context, str) else list(context), "weights": _weights(options.get("weights")),
        }  # fmt: skip
        self.schema: Any = None
        self.scorer: Any = None

    def __call__(self, batch: Any) -> Any:
        import pyarrow

        if not isinstance(batch, pyarrow.Table):
            return self._of_batch(batch)
        # Not by calling this object: Ray gives it another __call__, which waits for the one that is under way.
        batches = [self._of_batch(part) for part in batch.to_batches()]
        schema = pyarrow.schema([*batch.schema, *(pyarrow.field(name, kind) for name, kind in self.added)])
        return pyarrow.Table.from_batches(batches, schema=schema)

    def _of_batch(self, batch: Any) -> Any:
        import pyarrow

        if self.scorer is None or not self.schema.equals(batch.schema):
            self.scorer = _Job(self.rubric, self.options).scorer(False)
            self.scorer.bind(batch.schema.__arrow_c_schema__())
            self.schema = batch.schema
        elif self.options["timeout"] is not None:
            self.scorer.set_timeout(self.options["timeout"])
        verdicts = pyarrow.table(Verdicts(self.scorer.score_array(batch.__arrow_c_array__()[1])))
        arrays, fields = list(batch.columns), list(batch.schema)
        for (name, kind), own in zip(self.added, verdicts.column_names[-len(self.added) :]):
            column = verdicts[own].cast(kind)
            arrays.append(column.chunk(0) if column.num_chunks == 1 else column.combine_chunks())
            fields.append(pyarrow.field(name, kind))
        return pyarrow.RecordBatch.from_arrays(arrays, schema=pyarrow.schema(fields))


def collected(rubric: Rubric, batches: Iterable[Any], options: dict[str, Any]) -> bytes | None:
    """The cohort of some batches as saved bytes, or None without batches."""
    import pyarrow

    rest = iter(batches)
    for first in rest:
        reader = pyarrow.RecordBatchReader.from_batches(first.schema, itertools.chain([first], rest))
        return rubric.cohort(reader, **{"threads": 1, **options}).save()
    return None


def merged(rubric: Rubric, parts: Iterable[bytes]) -> Cohort:
    whole = Cohort(rubric)
    for part in parts:
        whole.merge(Cohort.load(rubric, bytes(part)))
    return whole
