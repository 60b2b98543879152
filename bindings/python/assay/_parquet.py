"""Reading and writing Parquet with the installed package: pyarrow, polars or DuckDB."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from . import _core
from ._errors import AssayError
from ._rubric import Counts
from ._table import Verdicts

_NEEDED = "Parquet needs one of pyarrow, polars and duckdb: pip install pyarrow"


def read_parquet(path: str) -> Any:
    """The records of a file as an object with ``__arrow_c_stream__``, batch by batch if the reader supports it."""
    if find_spec("pyarrow") is not None:
        import pyarrow
        import pyarrow.parquet

        file = pyarrow.parquet.ParquetFile(path)
        return pyarrow.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches(batch_size=1 << 17))
    if find_spec("duckdb") is not None:
        import duckdb

        return duckdb.connect().from_parquet(path)
    if find_spec("polars") is not None:
        import polars

        return polars.read_parquet(path)
    raise AssayError(_NEEDED)


def _errors(table: _core.Table) -> int:
    return sum(child[2] - child[4] for raw in (table.raw(i) for i in range(table.batches())) for child in raw[6][-1:])


def write_parquet(tables: Iterator[_core.Table], path: str) -> Counts:
    beside = f"{path}.{os.getpid()}.part"
    records = rejected = 0
    try:
        if find_spec("pyarrow") is not None:
            import pyarrow
            import pyarrow.parquet

            writer = None
            for table in tables:
                records += table.rows()
                rejected += _errors(table)
                made = pyarrow.table(Verdicts(table))
                writer = writer or pyarrow.parquet.ParquetWriter(beside, made.schema)
                writer.write_table(made)
            if writer is not None:
                writer.close()
        else:
            whole = next(tables)
            for table in tables:
                whole.extend(table)
            records, rejected = whole.rows(), _errors(whole)
            if find_spec("polars") is not None:
                Verdicts(whole).to_polars().write_parquet(beside)
            elif find_spec("duckdb") is not None:
                import duckdb

                duckdb.connect().from_arrow(Verdicts(whole)).write_parquet(beside)
            else:
                raise AssayError(_NEEDED)
        os.replace(beside, path)
    finally:
        if os.path.exists(beside):
            os.unlink(beside)
    return Counts(records, rejected)
