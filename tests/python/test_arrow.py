"""Arrow against JSON: random tables of every type and layout give the verdicts of the same records as JSON."""

from __future__ import annotations

import ctypes
import json
import math
import random
import threading
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

import assay

RUBRIC = assay.compile(
    """
rubric layouts "Every kind of input" {
  scale 0..10 decimals 2
  input quality: number 0..10
  input count: whole -1000..1000 default 0
  input urgent: bool default false
  input team: one of ("red", "green", "blue") default "red"
  input note: text default ""
  input tags: list of text default []
  input parts: { first: number 0..10, second: number 0..10 default 5 } optional
  input marks: list of number default []
  dimension quality_ weight 60% = quality
  dimension parts_ weight 40% missing 4 = (parts.first + parts.second) / 2
  deduction late = 1 when urgent else 0 "Late"
  bonus tagged = min(0.25 * count(tags), 1) "Tagged"
  bands grade(score) { | score | grade | | >= 8 | "A" | | >= 5 | "B" | | >= 0 | "C" | }
  output total = count when note == "" else 0 - count
  output mean = mean(marks)
  flag blue when team == "blue"
}
"""
)
FLAT = assay.compile(
    """
rubric flat "What kernels take" {
  scale 0..10 decimals 2
  input count: whole -1000..1000 default 0
  input urgent: bool default false
  input team: one of ("red", "green", "blue") default "red"
  input tags: list of text default []
  dimension quality weight 60%
  dimension speed weight 40% missing 3
  deduction late = 1 when urgent else 0 "Late"
  bonus red = 0.5 when team == "red" else 0 "Red"
  bands grade(score) { | score | grade | | >= 8 | "A" | | >= 5 | "B" | | >= 0 | "C" | }
  output doubled = count * 2
}
"""
)


def as_json(value):
    if value is None:
        return None
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if isinstance(value, list):
        return [as_json(item) for item in value]
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    return value


def random_value(kind, random, wild):
    """A value for the column, sometimes none, sometimes one that is rejected."""
    if random.random() < 0.12:
        return None
    if pa.types.is_boolean(kind):
        return random.random() < 0.5
    if pa.types.is_integer(kind):
        low, high = (0, 12) if not pa.types.is_signed_integer(kind) else (-3, 12)
        if random.random() < wild:
            bits = kind.bit_width
            return random.choice([0, 2 ** (bits - 1) - 1, 2**bits - 1 if low == 0 else -(2 ** (bits - 1))])
        return random.randint(low, high)
    if pa.types.is_floating(kind):
        if random.random() < wild:
            return random.choice([math.nan, 1e300 if kind != pa.float16() else 60000.0, -0.0, 11.0, 0.1, 1 / 3, math.inf])
        return random.choice([round(random.uniform(0, 10), random.randint(0, 3)), float(random.randint(0, 10))])
    if pa.types.is_decimal(kind):
        digits = random.randint(0, 10 ** min(kind.precision, kind.scale + 1)) if kind.scale >= 0 else random.randint(0, 9)
        if random.random() < wild:
            digits = random.choice([1, -1]) * random.randint(0, 10 ** (kind.precision - 1))
        return Decimal(digits).scaleb(-kind.scale)
    if pa.types.is_dictionary(kind):
        return random_value(kind.value_type, random, wild)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        if random.random() < wild:
            return random.choice(["", "ü" * 9, "a text of more than twelve bytes", "\U0001f600", 'a "quoted"\n\x01', "purple"])
        return random.choice(["red", "green", "blue"])
    if pa.types.is_struct(kind):
        return {field.name: random_value(field.type, random, wild) for field in kind}
    size = kind.list_size if pa.types.is_fixed_size_list(kind) else random.choice([0, 1, 2, 3, 20])
    return [random_value(kind.value_type, random, wild) for _ in range(size)]


TEXTS = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string()),
         pa.dictionary(pa.uint32(), pa.large_string()), pa.dictionary(pa.int64(), pa.string())]  # fmt: skip
NUMBERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64(), pa.float16(),
           pa.float32(), pa.float64(), pa.decimal128(38, 2), pa.decimal128(20, 0), pa.decimal128(10, 9),
           pa.decimal128(38, 12), pa.decimal256(60, 3), pa.decimal128(5, -2), pa.decimal32(7, 2), pa.decimal64(15, 1)]  # fmt: skip


def lists_of(kind, random):
    return random.choice([pa.list_(kind), pa.large_list(kind), pa.list_(kind, 2), pa.list_view(kind)])


def array_of(kind, values, random):
    """The values at a place of their array that is aligned to nothing."""
    before = [random_value(kind, random, 0) for _ in range(random.choice([0, 1, 3, 9]))]
    after = [random_value(kind, random, 0) for _ in range(random.choice([0, 2]))]
    if pa.types.is_dictionary(kind):
        array = pa.array(before + values + after, kind.value_type).dictionary_encode().cast(kind)
    elif kind == pa.float16():
        array = pa.array([None if v is None else np.float16(v) for v in before + values + after], kind)
    else:
        array = pa.array(before + values + after, kind)
    return array.slice(len(before), len(values))


def random_table(kinds, random, rows, wild):
    columns = {}
    for name, kind in kinds.items():
        values = [random_value(kind, random, wild) for _ in range(rows)]
        columns[name] = array_of(kind, values, random)
    return pa.table(columns)


def records_of(table):
    """The records as JSON has them: floats of a width as their own shortest decimal."""
    rows = [dict() for _ in range(table.num_rows)]
    for name in table.column_names:
        column = table[name]
        for i, value in enumerate(column.to_pylist()):
            if value is not None and column.type in (pa.float32(), pa.float16()) and math.isfinite(value):
                value = (np.float32 if column.type == pa.float32() else np.float16)(value)
            rows[i][name] = value
    return rows


def check(rubric, table, **options):
    expected = rubric.score_many(records_of(table), result="json", **options)["verdict"]
    got = rubric.score_many(table, result="json", **options)["verdict"]
    assert got == expected
    columns = rubric.score_many(table, **options)
    by_json = rubric.score_many(records_of(table), **options)
    names = [name for name in by_json.columns if name != "id"]
    for name in names:
        assert columns[name] == by_json[name], name
    return columns


@pytest.mark.parametrize("seed", range(8))
def test_random_tables(seed, rounds):
    source = random.Random(seed)
    for _ in range(rounds(80)):
        kinds = {
            "id": pa.string(),
            "quality": source.choice(NUMBERS),
            "count": source.choice(NUMBERS),
            "urgent": pa.bool_(),
            "team": source.choice(TEXTS),
            "note": source.choice(TEXTS),
            "tags": lists_of(source.choice(TEXTS[:3]), source),
            "parts": pa.struct([("first", source.choice(NUMBERS[:8] + NUMBERS[10:])), ("second", pa.float64())]),
            "marks": lists_of(pa.float64(), source),
        }
        for name in source.sample(sorted(set(kinds) - {"quality"}), source.randint(0, 4)):
            del kinds[name]
        check(RUBRIC, random_table(kinds, source, source.choice([0, 1, 7, 40]), source.choice([0, 0.1])))


@pytest.mark.parametrize("seed", range(8))
def test_random_flat_tables(seed, rounds):
    """What kernels take, on one thread and several, more rows than a block, with results as decimals."""
    source = random.Random(seed)
    kernel = 0
    for _ in range(rounds(30)):
        kinds = {
            "id": source.choice(TEXTS),
            "quality": source.choice(NUMBERS),
            "speed": source.choice(NUMBERS),
            "count": source.choice(NUMBERS[:4]),
            "urgent": pa.bool_(),
            "team": source.choice(TEXTS),
            "tags": lists_of(source.choice(TEXTS[:3]), source),
        }
        table = random_table(kinds, source, source.choice([3, 100, 5000]), source.choice([0, 0.02]))
        check(FLAT, table, threads=source.choice([1, 3]), numbers=source.choice(["float", "decimal"]))


def test_kernels_take_flat_tables():
    rows = 10_000
    table = pa.table({"quality": [i % 11 for i in range(rows)], "speed": [None if i % 7 == 0 else 2.5 for i in range(rows)],
                      "urgent": [i % 3 == 0 for i in range(rows)], "team": ["red", "blue"] * (rows // 2)})  # fmt: skip
    scorer = assay._core.Scorer(FLAT._core, [], {}, False, False, "columns", 1, False, False, None)
    scorer.open(table.__arrow_c_stream__())
    while scorer.next() is not None:
        pass
    assert scorer.statistics()["kernel"] > rows * 0.8


def test_chunks_and_any_number_of_threads_give_the_same():
    source = random.Random(7)
    kinds = {"id": pa.string(), "quality": pa.float64(), "speed": pa.decimal128(10, 2), "team": TEXTS[3], "tags": pa.list_(pa.string())}
    table = random_table(kinds, source, 20_000, 0.01)
    whole = FLAT.score_many(table, threads=1).to_arrow()
    for threads in (0, 2, 7):
        for size in (20_000, 4096, 777):
            batches = pa.Table.from_batches(table.to_batches(max_chunksize=size))
            assert FLAT.score_many(batches, threads=threads).to_list() == whole.to_pylist()


INTEGERS = {"i1": (-128, 127), "i2": (-(2**15), 2**15 - 1), "i4": (-(2**31), 2**31 - 1), "i8": (-(2**63), 2**63 - 1),
            "u1": (0, 255), "u2": (0, 2**16 - 1), "u4": (0, 2**32 - 1), "u8": (0, 2**64 - 1)}  # fmt: skip
WIDE = assay.compile("""
rubric wide "Rows in their own memory" {
  scale 0..10 decimals 2
  dimension quality weight 60%
  dimension speed weight 40% missing 3
  input count: whole -1000..1000 default 0
  input limit: whole default 7
  gate good = count >= -900
  output doubled = count * 2
  output low = limit < 0
  output share = quality / 3 decimals 4
  bands grade(score) { | score | grade | | >= 8 | "A" | | >= 5 | "B" | | >= 0 | "C" | }
}
""")


@pytest.mark.parametrize("seed", range(6))
def test_large_batches_are_those_of_small_ones(seed, rounds):
    """Large batches of numbers without nulls are read and written where they lie, small ones block by block."""
    source = np.random.default_rng(seed)
    for _ in range(rounds(10)):
        rows = int(source.integers(32_768, 50_000))

        def integers(kind, low, high, wrong):
            least, most = INTEGERS[kind]
            column = source.integers(max(low, least), min(high, most), rows, endpoint=True).astype(kind)
            places = source.integers(0, rows, wrong)
            column[places] = source.choice(np.array([least, most, 0], dtype=object), wrong).astype(kind)
            return column

        quality = source.integers(0, 1001, rows) / 100
        quality[source.integers(0, rows, 9)] = source.choice([np.nan, -0.0, 11, 1 / 3, 1e300, np.inf], 9)
        speed = (source.integers(0, 21, rows) / 2).astype(source.choice(["f4", "f8"]))
        speed[source.integers(0, rows, 5)] = np.nan
        kinds = list(INTEGERS)
        columns = {
            "quality": quality if source.random() < 0.7 else integers(source.choice(kinds), 0, 10, 3),
            "speed": speed,
            "count": integers(source.choice(kinds), -1000, 1000, 5),
            "limit": integers(source.choice(kinds), -5, 100, 5),
        }
        arrays = {name: pa.array(column) for name, column in columns.items()}
        if source.random() < 0.3:  # a bitmap of nulls, all there or nearly
            mask = np.zeros(rows, dtype=bool)
            mask[: source.integers(0, 2)] = True
            arrays["speed"] = pa.array(columns["speed"], mask=mask)
        table = pa.table(arrays)
        table = table.slice(int(source.integers(0, 20)))  # bytes that do not begin where the buffer does
        small = pa.Table.from_batches(table.to_batches(max_chunksize=3000))
        options = {"numbers": str(source.choice(["float", "decimal"])), "threads": int(source.integers(1, 4))}
        whole, parts = WIDE.score_many(table, **options).to_arrow(), WIDE.score_many(small, **options).to_arrow()
        whole.validate(full=True)
        assert whole.combine_chunks().equals(parts.combine_chunks()) or whole.to_pylist() == parts.to_pylist()
        again = WIDE.score_many(table, **{**options, "fields": ["low", "score", "grade", "share"]}).to_arrow()
        assert all(again[name].to_pylist() == whole[name].to_pylist() for name in again.column_names)


def test_dotted_names_and_structs_reach_into_records():
    nested = pa.table({"quality": [5.0, 5.0], "parts": [{"first": 1.0, "second": 2.0}, None]})
    dotted = pa.table({"quality": [5.0], "parts.first": [1.0], "parts.second": [2.0]})
    assert RUBRIC.score_many(dotted)["score"] == RUBRIC.score_many(nested)["score"][:1]
    assert RUBRIC.score_many(nested)["score"] == [RUBRIC.score(r).score for r in nested.to_pylist()]


def test_columns_that_cannot_be_read_are_told_once():
    with pytest.raises(assay.RecordError, match="quality is required"):
        RUBRIC.score_many(pa.table({"count": [1]}))
    with pytest.raises(assay.RecordError, match="'tdD'"):
        RUBRIC.score_many(pa.table({"quality": pa.array([0], pa.date32())}))
    with pytest.raises(assay.RecordError, match="twice"):
        RUBRIC.score_many(pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["quality", "quality"]))
    with pytest.raises(assay.RecordError, match="qualty"):
        RUBRIC.score_many(pa.table({"quality": [1], "qualty": [2]}), strict=True)
    assert RUBRIC.score_many(pa.table({"quality": [1], "when": pa.array([0], pa.date32())})).errors == []


def test_the_result_goes_into_every_frame():
    import duckdb
    import pandas
    import polars

    frame = polars.DataFrame({"id": ["a", "b"], "quality": [9.5, 4.0], "speed": [8, 2]})
    verdicts = FLAT.score_many(frame)
    expected = [r["score"] for r in verdicts]
    assert polars.DataFrame(verdicts)["score"].to_list() == expected
    assert pa.table(verdicts)["score"].to_pylist() == expected
    assert list(verdicts.to_pandas()["score"]) == expected
    assert [row[0] for row in duckdb.sql("select score from verdicts").fetchall()] == expected
    assert FLAT.score_many(verdicts.to_pandas().assign(quality=[9.5, 4.0], speed=[8, 2]))["score"] == expected
    assert FLAT.score_many(duckdb.sql("select * from frame"))["score"] == expected
    assert FLAT.score_many(frame.lazy().collect())["score"] == expected
    assert isinstance(verdicts.to_pandas(), pandas.DataFrame)


def test_verdicts_live_as_long_as_somebody_reads_them():
    table = pa.table({"id": ["x"] * 5000, "quality": [5.0] * 5000})
    made = pa.table(FLAT.score_many(table))
    ids = made["id"]
    del table, made
    assert set(ids.to_pylist()) == {"x"}


def test_scoring_is_thread_safe():
    table = pa.table({"id": [str(i) for i in range(30_000)], "quality": [float(i % 11) for i in range(30_000)]})
    expected = FLAT.score_many(table)["score"]
    answers = []

    def work():
        answers.append(FLAT.score_many(table)["score"] == expected and FLAT.score({"quality": 5}).score is not None)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 8


def test_a_timeout_ends_a_batch():
    table = pa.table({"quality": [5.0] * 200_000, "marks": [[1.0, 2.0]] * 200_000})
    with pytest.raises(assay.RecordError) as raised:
        RUBRIC.score_many(table, timeout=0.0)
    assert raised.value.code == "timeout"


# ---- arrays that lie. The structs of the C data interface, changed behind the back of who made them.


class ArrowArray(ctypes.Structure):
    pass


ArrowArray._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))), ("dictionary", ctypes.POINTER(ArrowArray)),
    ("release", ctypes.c_void_p), ("private_data", ctypes.c_void_p),
]  # fmt: skip

get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


class Lying:
    def __init__(self, batch, lie):
        self.batch, self.lie = batch, lie

    def __arrow_c_array__(self, requested_schema=None):
        schema, array = self.batch.__arrow_c_array__()
        self.lie(ctypes.cast(get_pointer(array, b"arrow_array"), ctypes.POINTER(ArrowArray)).contents)
        return schema, array


def honest():
    kinds = {
        "quality": pa.array([1.0, 2.0, 3.0]), "team": pa.array(["red", "blue", None]).dictionary_encode(),
        "note": pa.array(["a", "bc", "a text of more than twelve bytes"]), "tags": pa.array([["x"], [], ["y", "z"]]),
        "parts": pa.array([{"first": 1.0, "second": 2.0}] * 3),
    }  # fmt: skip
    return pa.RecordBatch.from_arrays(list(kinds.values()), list(kinds))


def set_field(path, field, value):
    def lie(array):
        for step in path:
            array = array.dictionary.contents if step == "dictionary" else array.children[step].contents
        setattr(array, field, value)

    return lie


def set_word(path, buffer, index, value):
    def lie(array):
        for step in path:
            array = array.children[step].contents
        size = (array.length + array.offset + 1) * 8
        copy = ctypes.create_string_buffer(ctypes.string_at(array.buffers[buffer], min(size, 64)), 128)
        words = ctypes.cast(copy, ctypes.POINTER(ctypes.c_int32))
        words[index] = value
        array.buffers[buffer] = ctypes.addressof(copy)
        KEPT.append(copy)

    return lie


KEPT = []
LIES = [
    set_field([], "length", -1), set_field([], "offset", -5), set_field([], "length", 4), set_field([], "n_children", 2),
    set_field([0], "length", 1), set_field([0], "offset", 2**62), set_field([0], "null_count", 2),
    set_field([0], "null_count", 99), set_field([0], "n_buffers", 1), set_field([0], "length", 2**63 - 1),
    set_field([1], "dictionary", None), set_field([1, "dictionary"], "length", 1), set_field([1, "dictionary"], "length", -3),
    set_field([3, 0], "length", 1), set_field([4, 0], "length", 2), set_field([4], "n_children", 1),
    set_field([2], "n_buffers", 2), set_word([2], 1, 1, -4), set_word([2], 1, 1, 1_000_000), set_word([2], 1, 3, 0),
    set_word([3], 1, 1, 7), set_word([3], 1, 0, -1), set_word([1], 1, 1, 5), set_word([1], 1, 0, -2),
]  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_an_array_that_lies_is_an_error(lie):
    with pytest.raises(assay.RecordError) as raised:
        RUBRIC.score_many(Lying(honest(), lie))
    assert raised.value.code == "column"
    assert len(RUBRIC.score_many(Lying(honest(), lambda array: None))) == 3


def test_text_that_is_no_utf8_is_an_error_of_its_record():
    column = pa.array([b"good", b"\xff\xfe bad"]).view(pa.string())
    errors = RUBRIC.score_many(pa.table({"quality": [1.0, 2.0], "note": column})).errors
    assert [row for row, _ in errors] == [1]


def test_integers_are_exact_to_the_last_digit():
    big = assay.compile('rubric big "Big" { input n: number  output n1 = n + 1 }')
    table = pa.table({"n": pa.array([2**64 - 1, 0], pa.uint64())})
    assert [json.loads(v)["n1"] for v in big.score_many(table, result="json")["verdict"]] == [2**64, 1]
    near = assay.compile('rubric near "Near" { input n: number  output rest = n - 12345678901234567889 }')
    exact = pa.table({"n": pa.array([Decimal("12345678901234567890.123456789")], pa.decimal128(38, 9))})
    assert '"rest":1.123456789' in near.score_many(exact, result="json")["verdict"][0]


def test_calls_share_no_state():
    """A rubric keeps a scorer for its next call: options, columns and results of calls between do not show."""

    def flat(rows, **options):
        return pa.table(FLAT.score_many(pa.Table.from_pylist(rows), **options)).to_pylist()

    numbers = [{"id": str(i), "quality": i % 12, "count": i} for i in range(50)]
    texts = [{"id": str(i), "quality": 3, "team": ["red", "pink"][i % 2], "speed": 1.5} for i in range(50)]
    alone = [
        (rows, options, pa.table(assay.compile(FLAT.text).score_many(pa.Table.from_pylist(rows), **options)).to_pylist())
        for rows in (numbers, texts, numbers[:3], [{**row, "quality": None} for row in numbers])
        for options in ({}, {"fields": ["score"]}, {"strict": True}, {"numbers": "decimal"}, {"threads": 2})
    ]
    source = random.Random(5)
    for _ in range(200):
        rows, options, expected = source.choice(alone)
        assert flat(rows, **options) == expected
        if source.random() < 0.2:
            with pytest.raises(ValueError):
                flat(rows, fields=["nothing"])
        if source.random() < 0.2:
            assert flat([{"quality": 99}])[0]["score"] is None


def test_kept_scorers_hold_no_records():
    table = pa.Table.from_pylist([{"quality": 4.5, "speed": 2.0}] * 100_000)
    before = pa.total_allocated_bytes()
    FLAT.score_many(table, fields=["score"])
    del table
    assert pa.total_allocated_bytes() < before


def test_threads_share_a_rubric():
    tables = [pa.Table.from_pylist([{"quality": (i * k) % 11, "speed": 1} for i in range(500)]) for k in range(1, 9)]
    expected = [pa.table(FLAT.score_many(table)).to_pylist() for table in tables]
    wrong = []

    def work(seed):
        source = random.Random(seed)
        for _ in range(60):
            k = source.randrange(len(tables))
            if pa.table(FLAT.score_many(tables[k])).to_pylist() != expected[k]:
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
