"""The verdicts of many records: an Arrow table for data frame libraries, and plain Python rows."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from . import _core, _html

_INTEGERS = {
    "c": ctypes.c_int8, "C": ctypes.c_uint8, "s": ctypes.c_int16, "S": ctypes.c_uint16,
    "i": ctypes.c_int32, "I": ctypes.c_uint32, "l": ctypes.c_int64, "L": ctypes.c_uint64,
    "f": ctypes.c_float, "g": ctypes.c_double,
}  # fmt: skip


def _at(address: int, kind: Any, count: int) -> Any:
    return (kind * count).from_address(address) if address and count else []


def _valid(raw: tuple[Any, ...], first: int, count: int) -> list[bool]:
    _, _, _, offset, _, buffers, _, _ = raw
    if not buffers or not buffers[0]:
        return [True] * count
    begin = offset + first
    bits = _at(buffers[0], ctypes.c_uint8, (begin + count + 7) // 8)
    return [bool(bits[i >> 3] >> (i & 7) & 1) for i in range(begin, begin + count)]


def _view_text(buffers: list[int], at: int) -> str:
    view = buffers[1] + 16 * at
    size = ctypes.c_int32.from_address(view).value
    if size <= 12:
        return ctypes.string_at(view + 4, size).decode()
    buffer, begin = ctypes.c_int32.from_address(view + 8).value, ctypes.c_int32.from_address(view + 12).value
    return ctypes.string_at(buffers[2 + buffer] + begin, size).decode()


def decode(raw: tuple[Any, ...], first: int, count: int) -> list[Any]:
    """The values ``first … first + count - 1`` of an array, as the extension module describes it."""
    form, _, _, offset, _, buffers, children, dictionary = raw
    begin = offset + first
    valid = _valid(raw, first, count)
    if dictionary is not None:
        codes = _at(buffers[1], _INTEGERS[form], begin + count)
        texts = decode(dictionary, 0, dictionary[2])
        return [texts[codes[begin + i]] if valid[i] else None for i in range(count)]
    if form == "n":
        return [None] * count
    if form in _INTEGERS:
        values = _at(buffers[1], _INTEGERS[form], begin + count)
        return [values[begin + i] if valid[i] else None for i in range(count)]
    if form == "b":
        bits = _at(buffers[1], ctypes.c_uint8, (begin + count + 7) // 8)
        return [bool(bits[i >> 3] >> (i & 7) & 1) if ok else None for i, ok in zip(range(begin, begin + count), valid)]
    if form.startswith("d:"):
        width, scale = 16, int(form.split(",")[1])
        raw_bytes = ctypes.string_at(buffers[1] + begin * width, count * width) if count else b""
        whole = [int.from_bytes(raw_bytes[i * width : (i + 1) * width], "little", signed=True) for i in range(count)]
        return [Decimal(n).scaleb(-scale) if ok else None for n, ok in zip(whole, valid)]
    if form in ("u", "U"):
        ends = _at(buffers[1], ctypes.c_int32 if form == "u" else ctypes.c_int64, begin + count + 1)
        return [
            ctypes.string_at(buffers[2] + ends[begin + i], ends[begin + i + 1] - ends[begin + i]).decode() if ok else None
            for i, ok in enumerate(valid)
        ]
    if form == "vu":
        return [_view_text(buffers, begin + i) if ok else None for i, ok in enumerate(valid)]
    if form in ("+l", "+L"):
        ends = _at(buffers[1], ctypes.c_int32 if form == "+l" else ctypes.c_int64, begin + count + 1)
        low, high = (ends[begin], ends[begin + count]) if count else (0, 0)
        items = decode(children[0], low, high - low)
        return [items[ends[begin + i] - low : ends[begin + i + 1] - low] if ok else None for i, ok in enumerate(valid)]
    if form == "+s":
        columns = {child[1]: decode(child, begin, count) for child in children}
        return [{name: column[i] for name, column in columns.items()} if ok else None for i, ok in enumerate(valid)]
    raise TypeError(f"a column of the Arrow type '{form}' is read by pyarrow, polars or pandas only")


class Verdicts:
    """The verdicts of many records, one row each, in the order of the records.

    Every library that reads Arrow can read it: ``pyarrow.table(v)``, ``polars.DataFrame(v)``,
    ``pandas.DataFrame.from_arrow(v)``, ``duckdb.sql("from v")``. Any thread may read it, any number of times.
    """

    def __init__(self, table: _core.Table) -> None:
        self._table = table

    def __arrow_c_schema__(self) -> object:
        return self._table.schema()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._table.stream()

    def __len__(self) -> int:
        return self._table.rows()

    @property
    def columns(self) -> list[str]:
        return self._table.names()

    def _batches(self) -> Iterator[tuple[Any, ...]]:
        for i in range(self._table.batches()):
            yield self._table.raw(i)

    def __getitem__(self, name: str) -> list[Any]:
        """The values of one column."""
        if name not in self.columns:
            raise KeyError(f"there is no column '{name}'; there are {', '.join(self.columns)}")
        at = self.columns.index(name)
        return [value for raw in self._batches() for value in decode(raw[6][at], 0, raw[2])]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for raw in self._batches():
            columns = {child[1]: decode(child, 0, raw[2]) for child in raw[6]}
            for i in range(raw[2]):
                yield {name: column[i] for name, column in columns.items()}

    def head(self, count: int = 10) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        if count <= 0:
            return rows
        for raw in self._batches():
            take = min(count - len(rows), raw[2])
            columns = {child[1]: decode(child, 0, take) for child in raw[6]}
            rows += [{name: column[i] for name, column in columns.items()} for i in range(take)]
            if len(rows) == count:
                break
        return rows

    @property
    def errors(self) -> list[tuple[int, Any]]:
        """The rows of the rejected records, with the reasons."""
        if "error" not in self.columns:
            return []
        return [(i, error) for i, error in enumerate(self["error"]) if error is not None]

    def to_list(self) -> list[dict[str, Any]]:
        return list(self)

    def to_arrow(self) -> Any:
        import pyarrow

        return pyarrow.table(self)

    def to_polars(self) -> Any:
        import polars

        return polars.DataFrame(self)

    def to_pandas(self) -> Any:
        import pandas

        if hasattr(pandas.DataFrame, "from_arrow"):
            return pandas.DataFrame.from_arrow(self)
        return self.to_arrow().to_pandas()

    def __reduce__(self) -> tuple[Any, ...]:
        try:
            import pyarrow
        except ImportError:
            raise TypeError("verdicts of many records are pickled with pyarrow, which is not here: send to_list()") from None
        table = self.to_arrow()
        sink = pyarrow.BufferOutputStream()
        with pyarrow.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        return _verdicts_of, (sink.getvalue().to_pybytes(),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Verdicts) and self.columns == other.columns and self.to_list() == other.to_list()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Verdicts({len(self)} rows: {', '.join(self.columns)})"

    def _repr_html_(self) -> str:
        return _html.table(self.columns, self.head(20), len(self))


def _verdicts_of(saved: bytes) -> Verdicts:
    import pyarrow

    return Verdicts(_core.Table.of_stream(pyarrow.ipc.open_stream(saved).__arrow_c_stream__()))
