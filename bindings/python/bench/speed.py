"""Compares the speed of the package with C++ and with other engines, as ratios within one run.

    speed.py PREFIX [ROUNDS]     PREFIX: where the C++ library is installed (cmake --install BUILD --prefix PREFIX)

Times are the minimum of ROUNDS interleaved rounds, processor time for single records; on a busy machine the ratios may be
off by a third. Each other engine computes the same scores and grades in doubles, by the shortest program that it allows.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import assay
import numpy
import pyarrow

TOP = pathlib.Path(__file__).resolve().parents[3]
RUBRIC = TOP / "tests" / "bench" / "workloads" / "judge_counts.rubric"
SCORES = ["correctness", "completeness", "adherence", "actionability", "efficiency", "safety", "consistency"]
WEIGHTS = [0.25, 0.20, 0.15, 0.15, 0.10, 0.10, 0.05]
COUNTS = ["red_flags", "bonus_marks"]
EDGES = [4, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5]
GRADES = ["F", "D", "D+", "C-", "C", "C+", "B-", "B", "B+", "A-", "A", "A+"]
ROWS = int(os.environ.get("ROWS", "1000000"))
REPEAT = 20000


class Reference:
    """The same workload in C++, built against the installed library."""

    def __init__(self, prefix: str, folder: str, record: dict, columns: list[numpy.ndarray]) -> None:
        env = {**os.environ, "PKG_CONFIG_PATH": os.pathsep.join(str(p.parent) for p in pathlib.Path(prefix).rglob("assay.pc"))}
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "assay"], env=env, capture_output=True, text=True, check=True).stdout.split()
        program = os.path.join(folder, "reference")
        source = pathlib.Path(__file__).parent / "reference.cpp"
        subprocess.run(["c++", "-std=c++20", "-O2", str(source), *flags, "-pthread", "-o", program], check=True)
        with open(os.path.join(folder, "record.json"), "w") as file:
            json.dump(record, file)
        with open(os.path.join(folder, "columns"), "wb") as file:
            file.write(len(columns[0]).to_bytes(8, sys.byteorder))
            for column in columns:
                file.write(column.astype("f8").tobytes())
        self.process = subprocess.Popen([program, str(RUBRIC), file.name.replace("columns", "record.json"), file.name],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # fmt: skip

    def __call__(self, command: str, number: int) -> float:
        self.process.stdin.write(f"{command} {number}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        self.busy = float(answer[1])  # of columns: processor time
        return float(answer[0])


def took(call) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def busy(call) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def rounds_of(parts: dict, rounds: int) -> dict[str, list[float]]:
    """Times of the second of two calls: the first finds the caches as the part before has left them."""
    times: dict[str, list[float]] = {name: [] for name in parts}
    for _ in range(rounds):
        for name, part in parts.items():
            part()
            times[name].append(part())
    return times


def repeated(call):
    def part() -> float:
        start = time.process_time()
        for _ in range(REPEAT):
            call()
        return time.process_time() - start

    return part


# ---- one record


def others_of_one(record: dict) -> dict:
    """name → a call that gives (score, grade) of the record."""
    flat = {**record["scores"], **{name: record[name] for name in COUNTS}}
    total = " + ".join(f"{weight} * {name}" for weight, name in zip(WEIGHTS, SCORES))
    made = {}
    try:
        import cel

        grade = " : ".join(f's >= {edge:.2f} ? "{name}"' for edge, name in zip(EDGES[::-1], GRADES[:0:-1])) + f' : "{GRADES[0]}"'
        clamp = "({0} < 1.0 ? 1.0 : {0} > 10.0 ? 10.0 : {0})"
        less = "(0.5 * red_flags > 2.0 ? 2.0 : 0.5 * red_flags)"
        more = "(0.25 * bonus_marks > 1.0 ? 1.0 : 0.25 * bonus_marks)"
        score = cel.compile(clamp.format(f"({total} - {less} + {more})"))
        band = cel.compile(grade)
        context = {name: float(value) for name, value in flat.items()}

        def cel_call():
            value = score.execute(context)
            return value, band.execute({"s": value})

        made["cel"] = cel_call
    except ImportError:
        pass
    try:
        import zen

        nodes = [
            {"id": "in", "name": "in", "type": "inputNode", "position": {"x": 0, "y": 0}},
            {"id": "e", "name": "e", "type": "expressionNode", "position": {"x": 1, "y": 0}, "content": {"expressions": [
                {"id": "1", "key": "score", "value": f"max([1, min([10, round({total} - min([2, 0.5 * red_flags]) + min([1, 0.25 * bonus_marks]), 2)])])"},
                {"id": "2", "key": "grade", "value": "".join(f'$.score >= {edge} ? "{name}" : ' for edge, name in zip(EDGES[::-1], GRADES[:0:-1])) + f'"{GRADES[0]}"'},
            ]}},
            {"id": "out", "name": "out", "type": "outputNode", "position": {"x": 2, "y": 0}},
        ]  # fmt: skip
        edges = [{"id": "a", "sourceId": "in", "targetId": "e", "type": "edge"}, {"id": "b", "sourceId": "e", "targetId": "out", "type": "edge"}]
        decision = zen.ZenEngine().create_decision(json.dumps({"nodes": nodes, "edges": edges}))

        def zen_call():
            result = decision.evaluate(flat)["result"]
            return result["score"], result["grade"]

        made["zen-engine"] = zen_call
    except ImportError:
        pass
    return made


# ---- many records


def others_of_many(names: list[str], columns: list[numpy.ndarray]) -> dict:
    """name → a call that gives the scores and grades of all rows."""
    made = {}
    data = dict(zip(names, columns))

    def numpy_call():
        total = sum(weight * data["scores." + name] for weight, name in zip(WEIGHTS, SCORES))
        total = total - numpy.minimum(2, 0.5 * data["red_flags"]) + numpy.minimum(1, 0.25 * data["bonus_marks"])
        score = numpy.clip(numpy.floor(total * 100 + 0.5) / 100, 1, 10)
        return score, numpy.searchsorted(EDGES, score, side="right").astype("u1")

    made["numpy by hand"] = numpy_call
    try:
        import pandas

        frame = pandas.DataFrame({name.replace("scores.", ""): column for name, column in data.items()})

        def pandas_call():
            total = sum(weight * frame[name] for weight, name in zip(WEIGHTS, SCORES))
            total = total - (0.5 * frame.red_flags).clip(upper=2) + (0.25 * frame.bonus_marks).clip(upper=1)
            score = total.round(2).clip(1, 10)
            return score, pandas.cut(score, [-1, *EDGES, 11], right=False, labels=GRADES)

        made["pandas"] = pandas_call
    except ImportError:
        pass
    try:
        import polars

        polar = polars.DataFrame({name.replace("scores.", ""): column for name, column in data.items()})
        total = sum((polars.col(name) * weight for weight, name in zip(WEIGHTS, SCORES)), polars.lit(0.0))
        total = total - (polars.col("red_flags") * 0.5).clip(upper_bound=2) + (polars.col("bonus_marks") * 0.25).clip(upper_bound=1)
        score = total.round(2).clip(1, 10)
        grade = polars.when(polars.col("score") >= EDGES[-1]).then(polars.lit(GRADES[-1]))
        for edge, name in zip(EDGES[-2::-1], GRADES[-2:0:-1]):
            grade = grade.when(polars.col("score") >= edge).then(polars.lit(name))
        grade = grade.otherwise(polars.lit(GRADES[0])).alias("grade")
        made["polars"] = lambda: polar.lazy().select(score.alias("score")).with_columns(
            grade).collect()
    except ImportError:
        pass
    try:
        import duckdb

        arrow = pyarrow.table({name.replace("scores.", ""): column for name, column in data.items()})
        connection = duckdb.connect()
        connection.register("rows", arrow)
        connection.execute("create table held as select * from rows")
        total = " + ".join(f"{weight} * {name}" for weight, name in zip(WEIGHTS, SCORES))
        case = "case " + " ".join(f"when score >= {edge} then '{name}'" for edge, name in zip(EDGES[::-1], GRADES[:0:-1])) + f" else '{GRADES[0]}' end"
        query = (f"select score, {case} as grade from (select greatest(1, least(10, round({total} - least(2, 0.5 * red_flags)"
                 " + least(1, 0.25 * bonus_marks), 2))) as score from held)")  # fmt: skip
        made["DuckDB SQL"] = lambda: connection.sql(query).to_arrow_table()
    except ImportError:
        pass
    return made


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
    rubric = assay.load(str(RUBRIC))
    random = numpy.random.default_rng(7)
    columns = [random.integers(10, 101, ROWS) / 10 for _ in SCORES] + [random.integers(0, 5, ROWS).astype("f8") for _ in COUNTS]
    names = ["scores." + name for name in SCORES] + COUNTS
    record = {"scores": {name: 9.5 - i / 2 for i, name in enumerate(SCORES)}, "red_flags": 1, "bonus_marks": 2}
    table = pyarrow.table(dict(zip(names, columns)))
    cores = os.cpu_count() or 1

    script = "import time; t = time.perf_counter(); import assay; print(time.perf_counter() - t)"
    imports = [float(subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout) for _ in range(rounds)]
    print(f"import assay: {1000 * min(imports):.1f} ms (target: 30)")

    with tempfile.TemporaryDirectory() as folder:
        reference = Reference(sys.argv[1], folder, record, columns)
        text = json.dumps(record)
        parts = {"C++: JSON to the JSON of the verdict": lambda: reference("record", REPEAT), "score(dict)": repeated(lambda: rubric.score(record)),
                 "score(dict).score": repeated(lambda: rubric.score(record).score), "score(dict).to_dict()": repeated(lambda: rubric.score(record).to_dict()),
                 "score(JSON)": repeated(lambda: rubric.score(text))}  # fmt: skip
        others = others_of_one(record)
        expected = rubric.score(record)
        for name, call in others.items():
            score, grade = call()
            assert abs(score - expected.score) < 0.01 and grade == expected.grade, (name, score, grade, expected)
            parts[name] = repeated(call)
        rounds_of(parts, 1)
        times = {name: min(values) / REPEAT * 1e6 for name, values in rounds_of(parts, rounds).items()}
        base = times["C++: JSON to the JSON of the verdict"]
        print("\none record, microseconds")
        for name, value in times.items():
            print(f"  {name:38} {value:8.2f}   {value - base:+8.2f}   {value / base:6.2f} x")
        print(f"  target: score(dict) at most 5 above C++: {'met' if times['score(dict)'] - base <= 5 else 'MISSED'}")

        fields = ["score", "grade"]
        parts = {f"C++: columns, {cores} threads": lambda: reference("columns", cores), "C++: columns, 1 thread": lambda: reference("columns", 1),
                 f"C++: columns, {cores} threads, old memory": lambda: reference("again", cores),
                 "score_many(Arrow)": lambda: took(lambda: rubric.score_many(table, fields=fields)),
                 "score_many(Arrow, threads=1)": lambda: took(lambda: rubric.score_many(table, fields=fields, threads=1)),
                 "score_many(Arrow, decimal128)": lambda: took(lambda: rubric.score_many(table, fields=fields, numbers="decimal"))}  # fmt: skip
        for name, call in others_of_many(names, columns).items():
            parts[name] = lambda call=call: took(call)
        rounds_of(parts, 1)
        times = {name: min(values) * 1000 for name, values in rounds_of(parts, rounds).items()}
        base = times[f"C++: columns, {cores} threads"]
        print(f"\n{ROWS:,} rows of nine columns to score and grade, milliseconds")
        for name, value in times.items():
            print(f"  {name:38} {value:8.2f}   {value / base:6.2f} x")
        many = times["score_many(Arrow)"]
        print(f"  target: score_many at most 1.2 times the columns of C++: {'met' if many <= 1.2 * base else 'MISSED'}")

        def of_reference() -> float:
            reference("columns", 1)
            return reference.busy

        parts = {"C++": of_reference, "score_many": lambda: busy(lambda: rubric.score_many(table, fields=fields, threads=1))}
        used = {name: min(values) * 1000 for name, values in rounds_of(parts, 3 * rounds).items()}
        print(f"  processor time on one core: C++ {used['C++']:.2f}, score_many {used['score_many']:.2f}, {used['score_many'] / used['C++']:.2f} x")
        exact = numpy.asarray(pyarrow.table(rubric.score_many(table, fields=["score"]))["score"])
        rounded = others_of_many(names, columns)["numpy by hand"]()[0]
        print(f"  rows whose score in doubles is another one: {int((exact != rounded).sum()):,}")
        reference.process.stdin.close()
        reference.process.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
