"""What a user does wrong, or all at once: wrong types, values that no record can hold, exits and Ctrl-C, threads, forks."""

from __future__ import annotations

import collections
import concurrent.futures
import datetime
import decimal
import io
import os
import pickle
import subprocess
import sys
import textwrap
import types

import assay
import numpy
import pandas
import polars
import pyarrow as pa
import pytest

TEXT = """
rubric r "R" {
  scale 0..10 decimals 2
  dimension a weight 60% "A"
  dimension b weight 40% missing 5 "B"
  input notes: list of text default []
  input word: text default ""
  input flag: bool default false
  bands grade(score) { | score | grade | | >= 5 | "A" | | >= 0 | "B" | }
}
"""
HOOKED = """
rubric h "H" {
  scale 0..10
  dimension a weight 100%
  hook f(x: number): number from "host:f"
  output y = f(a)
}
"""
RUBRIC = assay.compile(TEXT)


def raising(error):
    def f(x):
        raise error

    return f


# ---- records

GOOD = {
    "bytes": (b'{"a":1}', 2.6), "pandas.NA": ({"a": 1, "b": pandas.NA}, 2.6), "NaT": ({"a": 1, "b": pandas.NaT}, 2.6),
    "masked": ({"a": 1, "b": numpy.ma.masked}, 2.6), "a masked array": ({"a": 1, "notes": numpy.ma.masked_array(["x"])}, 2.6),
    "float16": ({"a": numpy.float16(1.1)}, 2.66), "longdouble": ({"a": numpy.longdouble("1.1")}, 2.66), "0-d": ({"a": numpy.array(3)}, 3.8),
    "a row": (numpy.array([(1.0, 2)], dtype=[("a", "f8"), ("b", "i2")])[0], 1.4), "a series": (pandas.Series({"a": 1}), 2.6),
    "a column of pyarrow": ({"a": 1, "notes": pa.array(["x"])}, 2.6), "of polars": ({"a": 1, "notes": polars.Series(["x"])}, 2.6),
    "a scalar": (pa.scalar({"a": 1}), 2.6), "a deque": ({"a": 1, "notes": collections.deque(["x"])}, 2.6),
    "a mapping": (types.MappingProxyType({"a": 1}), 2.6), "a chain": (collections.ChainMap({"a": 1}), 2.6),
    "subclasses": (type("D", (dict,), {})(a=type("I", (int,), {})(3), word=type("S", (str,), {})("x")), 3.8),
}  # fmt: skip


@pytest.mark.parametrize("name", GOOD)
def test_records(name):
    record, score = GOOD[name]
    assert RUBRIC.score(record).score == score
    assert RUBRIC.score_many([record])["score"] == [score]


class Itself:
    def keys(self):
        return ["a"]

    def __getitem__(self, key):
        return self


class Growing(dict):
    """Changes the record that holds it while that is read."""

    def keys(self):
        HELD["more"] = len(HELD)
        return []


HELD: dict = {"a": 1}
ROUND: list = []
ROUND.append(ROUND)
NO_TYPES = {
    "a date": ({"when": [1, datetime.date(2020, 1, 1)]}, r"when\[1\] is a value of the type datetime.date, which cannot stand in a record"),
    "datetime64": ({"a": numpy.datetime64("2020-01-01")}, "a is a value of the type numpy.datetime64"),
    "a timestamp": ({"a": {"b": pandas.Timestamp("2020")}}, "^a.b is a value of the type pandas"),
    "bytes": ({"word": b"x"}, "word is a value of the type builtins.bytes"), "a generator": ((i for i in ()), "the record is a value of the type builtins.generator"),
    "a key": ({"a": {1: 2}}, "a has the key 1, which is not a str"), "a frame": (polars.DataFrame({"a": [1]}), "the record is a value of the type polars"),
    "a set": ({"notes": {1, "x"}}, "notes is a set of values that have no order"), "void": ({"a": numpy.void(b"x")}, "a is a value of the type numpy.void"),
}  # fmt: skip
NO_VALUES = {
    "none": (None, "", "the record is null, expected an object"), "a number": (3, "", "the record is 3, expected an object"),
    "digits": ({"a": 10**5000}, "a", "a is a whole number of more digits than Python writes"), "many": ({"a": -(10**300)}, "a", "a is -1000"),
    "half a pair": ({"a": 1, "notes": ["x", "\ud800"]}, "notes[1]", r"notes[1] holds half of a surrogate pair, which is no text: '\ud800'"),
    "half a key": ({"a": 1, "\ud800": 1}, "", "the record holds half of a surrogate pair"), "itself": ({"a": ROUND}, "a", "a is more than 400 levels deep, or holds itself"),
    "a mapping of itself": (Itself(), "a", "a is more than 400 levels deep, or holds itself"), "infinite": ({"a": decimal.Decimal("Infinity")}, "a", 'a is the text "Infinity"'),
    "a large exponent": ({"a": decimal.Decimal("1e999999")}, "a", "a is 1E+999999, whose exponent is beyond"),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_TYPES)
def test_types_that_no_record_holds(name):
    record, message = NO_TYPES[name]
    with pytest.raises(TypeError, match=message):
        RUBRIC.score(record)
    with pytest.raises(TypeError):
        RUBRIC.score_many([{"a": 1}, record])


@pytest.mark.parametrize("name", NO_VALUES)
def test_values_that_no_record_holds(name):
    """They refuse their record, and no other."""
    record, path, message = NO_VALUES[name]
    with pytest.raises(assay.RecordError) as raised:
        RUBRIC.score(record)
    assert (raised.value.path, str(raised.value)[: len(message)]) == (path, message)
    made = RUBRIC.score_many([{"a": 1}, record, {"a": 2}])
    assert made["score"] == [2.6, None, 3.2]
    assert [error and error[: len(message)] for error in made["error"]] == [None, message, None]


def test_which_record():
    with pytest.raises(assay.RecordError, match=r"^\[1\]\.word holds half of a surrogate pair"):
        RUBRIC.score({"a": 1}, history=[{"a": 1}, {"a": 1, "word": "\ud800"}])


def test_a_record_that_changes():
    HELD["b"] = Growing()
    HELD["b2"] = types.MappingProxyType(Growing())
    with pytest.raises(TypeError, match="the record changed while it was read"):
        RUBRIC.score(HELD)


def test_a_record_far_longer_as_json():
    """Its size is charged while it is written: 2 to the 40 texts in 40 lists are none to wait for."""
    rubric = assay.compile(TEXT, limits={"record_bytes": 1000})
    shared: list = ["x" * 50]
    for _ in range(40):
        shared = [shared, shared]
    message = "takes more than 1000 bytes (raise the limit 'record_bytes' to allow more)"
    for record in ({"a": 1, "notes": shared}, {"a": 1, "word": "x" * 1000}, {"a": 1, "x" * 1000: 1}):
        for call in (rubric.score, rubric.explain, lambda record: rubric.rank([{"id": "b", "a": 1}, record])):
            with pytest.raises(assay.RecordError) as raised:
                call(record)
            assert raised.value.code == "limit"
            assert str(raised.value).endswith(message)
        made = rubric.score_many([{"a": 1}, record, {"a": 2}])
        assert made["score"] == [2.6, None, 3.2]
        assert made["error"][1] == "the record " + message
    with pytest.raises(assay.RecordError, match=r"^\[1\] takes more than 1000 bytes") as raised:
        rubric.score({"a": 1}, history=[{"a": 1}, {"a": 1, "notes": shared}])
    assert raised.value.path == "[1]"
    with pytest.raises(assay.RecordError, match="takes more than 67108864 bytes"):
        RUBRIC.score({"a": 1, "notes": shared})
    assert rubric.score({"a": 1, "word": "x" * 900}).score == 2.6


# ---- files that a rubric names


def test_files_of_a_rubric(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "in").mkdir()
    (tmp_path / "out" / "s.rubric").write_text("fn g(x) = x")
    (tmp_path / "in" / "link.rubric").symlink_to("../out/s.rubric")
    (tmp_path / "in" / "up").symlink_to("..")
    os.mkfifo(tmp_path / "in" / "pipe.rubric")
    (tmp_path / "in" / "large.rubric").write_text("# " + "x" * 5000)
    main = tmp_path / "in" / "r.rubric"
    for path in ("../out/s.rubric", "link.rubric", "up/out/s.rubric", "pipe.rubric", "nowhere.rubric", "\\u{0}", "x" * 5000, "/dev/zero", "."):
        main.write_text(f'import "{path}"\n' + TEXT)
        with pytest.raises(assay.RubricError, match="cannot read|E0112"):
            assay.load(main, root=tmp_path / "in")
    main.write_text('import "large.rubric"\n' + TEXT)
    assert assay.load(main).score({"a": 1}).score == 2.6
    with pytest.raises(assay.RubricError, match="longer than 1000 bytes"):
        assay.load(main, limits={"source_bytes": 1000})


# ---- arguments

ARGUMENTS = {
    "weights": (TypeError, lambda: RUBRIC.score({"a": 1}, weights=[1]), "weights is a mapping of dimensions to their weights, not list"),
    "a weight": (TypeError, lambda: RUBRIC.score({"a": 1}, weights={1: 1}), "names of dimensions, not of int"),
    "context": (TypeError, lambda: RUBRIC.score({"a": 1}, context=3), "context is a name or a list of names, not int"),
    "history": (TypeError, lambda: RUBRIC.score({"a": 1}, history=3), "history is a list of records, not int"),
    "one record as history": (TypeError, lambda: RUBRIC.score({"a": 1}, history={"a": 1}), "history is a list of records, not one record"),
    "numbers": (ValueError, lambda: RUBRIC.score({"a": 1}, numbers="x"), "numbers is one of float, decimal, fraction, not 'x'"),
    "numbers of many": (ValueError, lambda: RUBRIC.score_many([], numbers="fraction"), "numbers is one of float, decimal"),
    "fields": (TypeError, lambda: RUBRIC.score_many([], fields=[3]), "fields is a name or a list of names, not of int"),
    "threads": (ValueError, lambda: RUBRIC.score_many([], threads=-1), "threads is a whole number"),
    "no records": (TypeError, lambda: RUBRIC.score_many(None), "score_many takes records, a frame, lines or the path of a file, not NoneType"),
    "one record": (TypeError, lambda: RUBRIC.score_many({"a": 1}), "many records"),
    "rank": (TypeError, lambda: RUBRIC.rank(3), "records is a list of records, not int"),
    "timeout": (ValueError, lambda: RUBRIC.score_many([], timeout=float("nan")), "a timeout is a number of seconds"),
    "no text": (TypeError, lambda: assay.compile(None), "the text of a rubric is a str or bytes, not NoneType"),
    "a name": (TypeError, lambda: assay.compile(TEXT, 3), "the name of a rubric is a str"),
    "hooks": (TypeError, lambda: assay.compile(TEXT, hooks=[1]), "hooks is a mapping"),
    "a hook": (TypeError, lambda: assay.compile(TEXT, hooks={"f": 3}), "the hook 'f' is not a function: 3"),
    "a limit": (TypeError, lambda: assay.compile(TEXT, limits={"steps": "x"}), "the limit 'steps' is a whole number, not 'x'"),
    "a large limit": (ValueError, lambda: assay.compile(TEXT, limits={"steps": 1 << 70}), "the limit 'steps' is a number of 0 to"),
    "a negative limit": (ValueError, lambda: assay.compile(TEXT, limits={"steps": -1}), "the limit 'steps' is a number of 0 to"),
    "importer": (TypeError, lambda: assay.compile(TEXT, importer=3), "importer is a function"),
    "its answer": (TypeError, lambda: assay.compile('import "x"\n' + TEXT, importer=lambda path, base: 3), "an importer returns a text"),
    "diff": (TypeError, lambda: assay.diff(RUBRIC, 3), "diff.. compares two rubrics, not int"),
    "why": (TypeError, lambda: RUBRIC.score({"a": 1}).why(3), "the name of a value"),
    "a key": (KeyError, lambda: RUBRIC.score({"a": 1})[3], "3"), "a path": (KeyError, lambda: RUBRIC.score({"a": 1})["score.x"], "score.x"),
    "a descriptor": (TypeError, lambda: assay.load(1), "os.PathLike"),
    "one request": (TypeError, lambda: RUBRIC.requests('{"input": {"a": 1}}'), "a list of requests"),
    "a long option": (ValueError, lambda: RUBRIC.calibrate([{"a": 1}], ["A"], floor="x" * 1_000_000), "^floor is a whole number .{1,100}$"),
    "no share": (ValueError, lambda: RUBRIC.calibrate([{"a": 1}], ["A"], confidence=decimal.Decimal("NaN")), "confidence is a share"),
    "read": (TypeError, lambda: RUBRIC.score_many(types.SimpleNamespace(read=lambda size: 3)), "bytes"),
    "too much": (ValueError, lambda: RUBRIC.score_many(types.SimpleNamespace(read=lambda size: b"x" * (size + 1))), "more bytes than it was asked for"),
}  # fmt: skip


@pytest.mark.parametrize("name", ARGUMENTS)
def test_arguments(name):
    kind, call, message = ARGUMENTS[name]
    with pytest.raises(kind, match=message):
        call()


def test_one_name_is_a_list_of_one():
    assert RUBRIC.score_many([{"a": 1}], fields="score").columns == ["score", "error"]


# ---- frames

FRAMES = {
    "no rows": (polars.DataFrame({"a": []}), []), "a column of nulls": (polars.DataFrame({"a": [1], "b": [None]}), [2.6]),
    "lazy": (polars.DataFrame({"a": [1]}).lazy(), [2.6]), "categories": (polars.DataFrame({"a": [1], "word": ["x"]}, schema_overrides={"word": polars.Categorical}), [2.6]),
    "an enumeration": (polars.DataFrame({"a": [1], "word": ["x"]}, schema_overrides={"word": polars.Enum(["x"])}), [2.6]),
    "decimals": (polars.DataFrame({"a": [decimal.Decimal("1.10")]}), [2.66]), "structs": (polars.Series("r", [{"a": 1}]), [2.6]),
    "pandas without rows": (pandas.DataFrame({"a": []}), []), "mixed values": (pandas.DataFrame({"a": [1, "x"]}), [2.6, None]),
    "Int64": (pandas.DataFrame({"a": pandas.array([1, None], dtype="Int64")}), [2.6, None]), "category": (pandas.DataFrame({"a": [1], "word": pandas.Categorical(["x"])}), [2.6]),
    "rows of NumPy": (numpy.array([(1.0, 2)], dtype=[("a", "f8"), ("b", "i2")]), [1.4]), "a slice": (pa.table({"a": list(range(9)), "b": [5.0] * 9}).slice(3, 2), [3.8, 4.4]),
    "chunks": (pa.chunked_array([pa.array([{"a": 1}]), pa.array([{"a": 2}])]), [2.6, 3.2]), "a null record": (pa.array([{"a": 1}, None]), [2.6, None]),
    "run-time extension": (pa.table({"a": [1], "word": pa.array(['"x"'], pa.json_())}), [2.6]), "half floats": (pa.table({"a": pa.array([numpy.float16(1.5)])}), [2.9]),
    "unused": (pa.table({"a": [1], "when": pa.array([1], pa.timestamp("s"))}), [2.6]),
}  # fmt: skip


@pytest.mark.parametrize("name", FRAMES)
def test_frames(name):
    frame, scores = FRAMES[name]
    assert RUBRIC.score_many(frame)["score"] == scores


def nested_dictionary():
    return pa.DictionaryArray.from_arrays([0], pa.DictionaryArray.from_arrays([0], ["x"]))


NO_FRAMES = {
    "no columns": (pa.table({}), "a is required, and there is no column of that name"), "twice": (pa.table([[1], [2]], names=["a", "a"]), "the column a is there twice"),
    "twice in pandas": (pandas.DataFrame([[1, 2]], columns=["a", "a"]), r"\['a', 'a'\]"), "numbers as names": (pandas.DataFrame([[1]]), "a is required"),
    "a time": (pa.table({"a": pa.array([1], pa.timestamp("s"))}), "the column a has the Arrow type 'tss:', which no input can hold; cast it"),
    "binary": (pa.table({"a": [1], "word": [b"x"]}), "the column word has the Arrow type 'z'"), "a plain array": (pa.array([1]), "the array has the Arrow type 'l', expected a struct"),
    "a union": (pa.table({"a": pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])])}), "the column a has the Arrow type"),
    "runs": (pa.table({"a": pa.RunEndEncodedArray.from_arrays([1], [5])}), "the column a has the Arrow type"), "objects": (polars.DataFrame({"a": [object()]}), "the column a has"),
    "a dictionary of a dictionary": (pa.table({"a": [1], "word": nested_dictionary()}), "the column word has a dictionary of a dictionary"),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_FRAMES)
def test_frames_that_cannot_be_scored(name):
    frame, message = NO_FRAMES[name]
    with pytest.raises(ValueError, match=message):
        RUBRIC.score_many(frame)


class Once:
    def __init__(self, capsule):
        self.capsule = capsule


def test_capsules():
    stream = type("S", (Once,), {"__arrow_c_stream__": lambda self, requested_schema=None: self.capsule})
    array = type("A", (Once,), {"__arrow_c_array__": lambda self, requested_schema=None: self.capsule})
    used = stream(pa.table({"a": [1]}).__arrow_c_stream__())
    assert RUBRIC.score_many(used)["score"] == [2.6]
    with pytest.raises(ValueError, match="has been read already"):
        RUBRIC.score_many(used)
    used = array(pa.record_batch({"a": [1]}).__arrow_c_array__())
    assert RUBRIC.score_many(used)["score"] == [2.6]
    with pytest.raises(ValueError, match="has been released"):
        RUBRIC.score_many(used)
    for capsule in (3, pa.record_batch({"a": [1]}).__arrow_c_array__()[1]):
        with pytest.raises((ValueError, TypeError)):
            RUBRIC.score_many(stream(capsule))

    def broken():
        yield pa.record_batch({"a": [1]})
        raise ValueError("the disk is gone")

    with pytest.raises(RuntimeError, match="the disk is gone"):
        RUBRIC.score_many(pa.RecordBatchReader.from_batches(pa.schema([("a", pa.int64())]), broken()))


# ---- hooks

ANSWERS = {
    "none": (lambda x: None, "returned missing instead of number"), "text": (lambda x: "s", 'returned the text "s"'), "object": (lambda x: object(), "of the type object"),
    "large": (lambda x: 10**400, "a number that no double holds"), "infinite": (lambda x: float("inf"), "not finite"), "half a pair": (lambda x: "\ud800", "surrogates not allowed"),
    "keys": (lambda x: {1: 1}, "a key of the type int, expected str"), "arguments": (lambda: 1, "takes 0 positional arguments"), "raises": (raising(ValueError("no \ud800")), r"ValueError: no \\ud800"),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_hooks(name):
    hook, message = ANSWERS[name]
    with pytest.raises(assay.RecordError, match=message):
        assay.compile(HOOKED, hooks={"f": hook}).score({"a": 1})


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), GeneratorExit()], ids=lambda e: type(e).__name__)
def test_hooks_that_end_the_call(error):
    calls = []

    def f(x):
        calls.append(x)
        raise error

    rubric = assay.compile(HOOKED, hooks={"f": f})
    table = pa.table({"a": [1.0] * 40_000})
    ways = [lambda: rubric.score({"a": 1}), lambda: rubric.request({"op": "score", "input": {"a": 1}}), lambda: rubric.explain({"a": 1}),
            lambda: rubric.score_many([{"a": 1}] * 10_000, threads=1), lambda: rubric.score_many([{"a": 1}] * 10_000, threads=2),
            lambda: rubric.score_many(table, threads=1), lambda: rubric.score_many(table, threads=2), lambda: rubric.score_many(b'{"a":1}\n' * 100),
            lambda: rubric.whatif({"a": 1}, {"a": 2}), lambda: rubric.evaluate("f(1)", {"a": 1})]  # fmt: skip
    for way in ways:
        calls.clear()
        with pytest.raises(type(error)):
            way()
        assert 1 <= len(calls) <= 4
    good = assay.compile(HOOKED, hooks={"f": lambda x: x})
    assert good.score_many(table)["y"][-1] == 1  # nothing is left of it


def test_a_hook_that_scores():
    held = []
    held.append(assay.compile(HOOKED, hooks={"f": lambda x: held[0].score({"a": x - 1})["y"] + 1 if x > 0 else 0}))
    assert held[0].score({"a": 5})["y"] == 5
    assert held[0].score_many([{"a": 5}] * 50)["y"] == [5] * 50


def run(text, **options):
    return subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=120, check=False, **options)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("records", ['pyarrow.table({"a": [1.5] * 3_000_000})', '[{"a": 1.5}] * 300_000'], ids=["arrow", "dicts"])
def test_ctrl_c(records, threads):
    """Of a batch that takes long, in C++ alone; soon after the signal, whichever thread scores."""
    done = run(f"""
        import assay, os, pyarrow, signal, threading, time
        slow = assay.compile('rubric s "S" {{ scale 0..10 dimension a weight 100% output y = sum([i * a / 7 for i in 1..2000]) }}')
        records = {records}
        slow.score_many(records[:10])
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        try:
            slow.score_many(records, threads={threads})
        except KeyboardInterrupt:
            print("ended", time.monotonic() - start < 20)
        assert slow.score_many(records[:10])["score"] == [1.5] * 10
        """)  # fmt: skip
    assert done.stdout == "ended True\n", done.stdout + done.stderr


# ---- threads, processes, interpreters


def test_threads():
    """One rubric, many threads, all kinds of calls."""
    table = pa.table({"a": [i % 11 for i in range(5000)], "b": [None] * 5000})
    expected = RUBRIC.score_many(table)["score"]
    texts = [RUBRIC.score({"a": i % 11}).json for i in range(11)]

    def work(seed):
        for i in range(20):
            assert RUBRIC.score({"a": (seed + i) % 11}).json == texts[(seed + i) % 11]
            with pytest.raises(assay.RecordError):
                RUBRIC.score({"a": 99})
            if i % 5 == 0:
                assert RUBRIC.score_many(table, threads=2)["score"] == expected
        return pickle.loads(pickle.dumps(RUBRIC)).score({"a": 1}).score

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert set(pool.map(work, range(16))) == {2.6}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
def test_fork():
    """A child of a process that has scored on threads."""
    done = run("""
        import assay, os, pyarrow, warnings
        warnings.simplefilter("ignore")
        rubric = assay.compile('rubric r "R" { scale 0..10 dimension a weight 100% }')
        table = pyarrow.table({"a": [2.0] * 100_000})
        rubric.score_many(table, threads=2)
        child = os.fork()
        if child == 0:
            good = rubric.score({"a": 2}).score == 2 and rubric.score_many(table, threads=2)["score"][-1] == 2
            os._exit(0 if good else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        """)
    assert done.stdout == "0\n", done.stdout + done.stderr


def test_processes():
    import multiprocessing

    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert [v.score for v in pool.map(RUBRIC.score, [{"a": 1}, {"a": 2}])] == [2.6, 3.2]
        with pytest.raises(assay.RecordError) as raised:
            pool.submit(RUBRIC.score, {"a": 99}).result()
        assert raised.value.path == "a"
        many = [{"a": i % 12, "id": str(i)} for i in range(100)]
        assert pool.submit(RUBRIC.score_many, many).result() == RUBRIC.score_many(many)


@pytest.mark.parametrize("result", ["columns", "verdicts", "json"])
def test_pickled_verdicts(result):
    for many in ([{"a": i % 12, "id": str(i)} for i in range(9000)], []):
        made = RUBRIC.score_many(many, result=result, numbers="decimal")
        again = pickle.loads(pickle.dumps(made))
        assert again == made and pickle.loads(pickle.dumps(again)) == made
        assert pa.table(again).equals(pa.table(made))


def test_another_interpreter():
    """It works there, or says that it does not."""
    done = run("""
        import sys
        try:
            import _xxsubinterpreters as interpreters
        except ImportError:
            print("none"); sys.exit()
        import assay
        made = interpreters.create()
        try:
            interpreters.run_string(made, "import assay; assert assay.compile('rubric r { output a = 1 }').score({})['a'] == 1")
            print("works")
        except interpreters.RunFailedError as error:
            print("refused", "ImportError" in str(error))
        """)
    assert done.returncode == 0 and done.stdout in ("none\n", "works\n", "refused True\n"), done.stdout + done.stderr


def test_exit_while_scoring():
    """An interpreter that ends while a thread of its own scores."""
    done = run("""
        import assay, pyarrow, threading, time
        rubric = assay.compile('rubric h "H" { scale 0..10 dimension a weight 100% hook f(x: number): number from "host:f" output y = f(a) }',
                               hooks={"f": lambda x: x})
        table = pyarrow.table({"a": [1.5] * 2_000_000})
        threading.Thread(target=lambda: rubric.score_many(table, threads=2), daemon=True).start()
        time.sleep(0.3)
        """)  # fmt: skip
    assert done.returncode == 0, (done.returncode, done.stderr)


def test_files_that_fail(tmp_path):
    closed = io.BytesIO(b'{"a":1}\n')
    closed.close()
    with pytest.raises(ValueError, match="closed file"):
        RUBRIC.score_many(closed)
    with pytest.raises(FileNotFoundError):
        RUBRIC.score_many([{"a": 1}], out=tmp_path / "none" / "x.ndjson")

    def records():
        yield {"a": 1}
        raise OSError("the disk is gone")

    for name in ("x.ndjson", "x.csv", "x.parquet"):
        with pytest.raises(OSError, match="the disk is gone"):
            RUBRIC.score_many(records(), out=tmp_path / name)
    assert list(tmp_path.iterdir()) == []
