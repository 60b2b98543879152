"""Rubrics on Ray: adds verdict columns to the records of a data set, with ``map_batches``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ._cohort import Cohort, FrozenCohort
from ._rubric import Rubric
from ._scale import Appender, collected, frozen, merged, result_fields


def _workers(concurrency: Any) -> Any:
    """Actors, by what callers say: a number, or the least and the most."""
    import ray.data

    if isinstance(concurrency, (tuple, list)):
        return ray.data.ActorPoolStrategy(min_size=concurrency[0], max_size=concurrency[1])
    return ray.data.ActorPoolStrategy(size=concurrency or 1)


class _Collected:
    """Computes the cohort of each batch, one row per batch."""

    def __init__(self, rubric: Rubric, options: dict[str, Any]) -> None:
        self.rubric, self.options = rubric, options

    def __call__(self, table: Any) -> Any:
        import pyarrow

        saved = collected(self.rubric, table.to_batches(), self.options)
        return pyarrow.table({"cohort": pyarrow.array([] if saved is None else [saved], pyarrow.large_binary())})


def score(dataset: Any, rubric: Rubric, *, fields: Sequence[str] | None = None, prefix: str = "", numbers: str = "float",
          cohort: FrozenCohort | Cohort | bool | None = None, concurrency: Any = None, batch_size: int | None = None,
          ray_options: dict[str, Any] | None = None, **options: Any) -> Any:  # fmt: skip
    """Returns the data set with a column added for each field of the verdict and for ``error``; see assay.spark.score.

    ``concurrency``: the number of actors, or the least and the most; ``batch_size`` and ``ray_options`` go to
    ``map_batches``.
    """
    if cohort is True:
        settings = {name: options[name] for name in ("context", "weights") if name in options}
        cohort = collected_of(dataset, rubric, concurrency=concurrency, batch_size=batch_size, ray_options=ray_options, **settings)
    run = frozen(cohort)
    names = dataset.schema().names
    added = result_fields(rubric, fields, numbers, prefix, names, run)
    options = {**options, "fields": list(fields) if fields else None, "numbers": numbers, "cohort": run}
    return dataset.map_batches(
        Appender, batch_format="pyarrow", batch_size=batch_size, compute=_workers(concurrency), zero_copy_batch=True,
        fn_constructor_kwargs={"rubric": rubric, "added": added, "options": options}, **(ray_options or {}),
    )  # fmt: skip


def cohort(dataset: Any, rubric: Rubric, *, context: Sequence[str] | str = (), weights: Mapping[str, Any] | None = None,
           concurrency: Any = None, batch_size: int | None = None, ray_options: dict[str, Any] | None = None) -> Cohort:  # fmt: skip
    """The cohort of all records of the data set; see assay.spark.cohort."""
    parts = dataset.map_batches(
        _Collected, batch_format="pyarrow", batch_size=batch_size, compute=_workers(concurrency), zero_copy_batch=True,
        fn_constructor_kwargs={"rubric": rubric, "options": {"context": context, "weights": weights}}, **(ray_options or {}),
    )  # fmt: skip
    return merged(rubric, (row["cohort"] for row in parts.iter_rows()))


collected_of = cohort  # `cohort` is also a parameter of score()
