"""Rubrics on Ray: verdict columns beside the records of a data set, by ``map_batches``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._rubric import Rubric
from ._scale import append_columns, result_fields


class _Scored:
    """Of one actor: the rubric is compiled when the actor is made."""

    def __init__(self, rubric: Rubric, added: list[tuple[str, Any]], options: dict[str, Any]) -> None:
        self.rubric, self.added, self.options = rubric, added, options

    def __call__(self, table: Any) -> Any:
        return append_columns(self.rubric, table, self.added, self.options)


def score(dataset: Any, rubric: Rubric, *, fields: Sequence[str] | None = None, prefix: str = "", numbers: str = "float",
          concurrency: Any = None, batch_size: int | None = None, ray_options: dict[str, Any] | None = None, **options: Any) -> Any:  # fmt: skip
    """The data set with a column for each field of the verdict and ``error`` behind its own; see assay.spark.score.

    ``concurrency``, ``batch_size`` and ``ray_options`` go to ``map_batches``.
    """
    names = dataset.schema().names
    added = result_fields(rubric, fields, numbers, prefix, names)
    options = {**options, "fields": list(fields) if fields else None, "numbers": numbers, "threads": options.get("threads", 1)}
    return dataset.map_batches(
        _Scored, batch_format="pyarrow", batch_size=batch_size, concurrency=concurrency or 1, zero_copy_batch=True,
        fn_constructor_kwargs={"rubric": rubric, "added": added, "options": options}, **(ray_options or {}),
    )  # fmt: skip
