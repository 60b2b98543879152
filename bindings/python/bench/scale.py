"""Compares Spark and Ray jobs with the same jobs returning their batches unchanged, as ratios within one run.

    scale.py [ROWS [ROUNDS]]

The data are records of nine columns in Parquet, the result adds score and grade; both jobs read all columns and discard
the result. Two cores: `local[2]` and `local-cluster[2,1,2048]`, and two actors.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time

import assay
import numpy
import pyarrow
import pyarrow.parquet

SCORES = ["correctness", "completeness", "adherence", "actionability", "efficiency", "safety", "consistency"]
FLAT = """
rubric flat "The same with columns of a frame" {{
  scale 1..10 decimals 2
  {inputs}
  deduction "red flags" = 0.50 * red_flags
  bonus     "marks"     = 0.25 * bonus_marks
  input red_flags, bonus_marks: whole 0..100 default 0
  cap deductions at 2.00
  cap bonuses    at 1.00
  bands grade(score) {{ | score | grade | | >= 9 | "A" | | >= 7 | "B" | | >= 5 | "C" | | >= 1 | "D" | }}
}}
"""


def least(rounds: int, *calls) -> list[float]:
    """The least time of each, in rounds that take turns: other work of the machine meets them alike."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for call, taken in zip(calls, times):
            start = time.perf_counter()
            call()
            taken.append(time.perf_counter() - start)
    return [min(taken) for taken in times]


def told(engine: str, rows: int, same: float, scored: float) -> None:
    print(f"  {engine:32} unchanged {same:7.2f} s   scored {scored:7.2f} s   {scored / same:5.2f} x   {rows / scored / 2:12,.0f} rows/s and core"
          f"   target 1.2: {'met' if scored <= 1.2 * same else 'MISSED'}")  # fmt: skip


def spark(rubric: assay.Rubric, path: str, rows: int, rounds: int) -> None:
    try:
        import pyspark
    except ImportError:
        print("  Spark is not installed")
        return
    import assay.spark

    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession

    def unchanged(batches):
        yield from batches

    for master in ("local[2]", "local-cluster[2,1,2048]"):
        session = SparkSession.builder.master(master).config("spark.ui.enabled", "false").config("spark.log.level", "ERROR").getOrCreate()
        frame = session.read.parquet(path)
        jobs = [frame.mapInArrow(unchanged, frame.schema), assay.spark.score(frame, rubric, fields=["score", "grade"])]
        write = [lambda job=job: job.write.format("noop").mode("overwrite").save() for job in jobs]
        for one in write:
            one()
        told(f"Spark {master}", rows, *least(rounds, *write))
        session.stop()


def ray(rubric: assay.Rubric, path: str, rows: int, rounds: int) -> None:
    try:
        import ray
    except ImportError:
        print("  Ray is not installed")
        return
    import ray.data

    import assay.ray

    class Unchanged:
        def __call__(self, table):
            return table

    ray.init(num_cpus=2, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False

    def unchanged():
        data = ray.data.read_parquet(path)
        for _ in data.map_batches(Unchanged, batch_format="pyarrow", batch_size=None, compute=ray.data.ActorPoolStrategy(size=1), zero_copy_batch=True).iter_internal_ref_bundles():
            pass

    def scored():
        for _ in assay.ray.score(ray.data.read_parquet(path), rubric, fields=["score", "grade"]).iter_internal_ref_bundles():
            pass

    unchanged(), scored()
    told("Ray, an actor", rows, *least(rounds, unchanged, scored))
    ray.shutdown()


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000_000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    weights = [25, 20, 15, 15, 10, 10, 5]
    rubric = assay.compile(FLAT.format(inputs="\n  ".join(f"dimension {name} weight {weight}%" for name, weight in zip(SCORES, weights))))
    random = numpy.random.default_rng(7)
    columns = {name: random.integers(10, 101, rows) / 10 for name in SCORES}
    columns |= {name: random.integers(0, 5, rows).astype("f8") for name in ("red_flags", "bonus_marks")}
    table = pyarrow.table(columns)
    (alone,) = least(rounds, lambda: rubric.score_many(table, fields=["score", "grade"], threads=1))
    print(f"{rows:,} rows of nine columns; score_many on one core: {rows / alone:,.0f} rows/s")
    with tempfile.TemporaryDirectory() as folder:
        for part in range(8):
            pyarrow.parquet.write_table(table.slice(part * rows // 8, rows // 8), os.path.join(folder, f"{part}.parquet"))
        spark(rubric, folder, rows, rounds)
        ray(rubric, folder, rows, rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
