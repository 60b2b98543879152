"""The cases of interrupts.py: for every verb and stage, an input that keeps it busy for about a second."""

import dataclasses
import json
import pathlib


@dataclasses.dataclass
class Case:
    name: str
    folder: pathlib.Path
    words: list
    stdin: bytes = b""
    codes: tuple = (0,)
    most: int = 100 << 20  # bytes allocated between two looks; a buffer that doubles takes its last size at once


CASES = []


def case(name, words, files, stdin="", codes=(0,), most=100 << 20):
    """files: name -> text, or a function that makes it."""

    def make(folder):
        place = folder / name.replace("/", "_").replace(" ", "_")
        place.mkdir(exist_ok=True)
        for file, text in files.items():
            text = text() if callable(text) else text
            (place / file).write_bytes(text if isinstance(text, bytes) else text.encode())
        given = stdin() if callable(stdin) else stdin
        return Case(name, place, words, given.encode(), codes, most)

    make.name = name
    CASES.append(make)


def rubric(body, head=""):
    return f'{head}\nrubric r "R" {{\n  version "1"\n  scale 0..100\n{body}\n}}\n'


SMALL = rubric("""  input xs: list of number default []
  input t: text default "t"
  dimension a weight 60% "A"
  dimension b weight 40% "B"
  deduction "many" = 5 when count(xs) > 3 "Many"
  bands grade(score) { | score | grade | | >= 80 | "A" | | >= 50 | "B" | | otherwise | "C" | }
  rank by higher score
  output n = sum(x for x in xs)
""")
MANY = 20000


def records(count=MANY, more=""):
    return "".join(f'{{"id": "r{i}", "a": {i % 101}, "b": {(i * 7) % 101}{more}}}\n' for i in range(count))


def list_record(count=50000):
    return '{"id": "x", "a": 50, "b": 60, "xs": [' + ",".join(str(i % 97) for i in range(count)) + "]}"


def many(text, count):
    return "".join(text.replace("$i", str(i)) for i in range(count))


# ---- compiling
LETS = rubric("  input x: number default 1\n" + many("  let v$i = x + $i * 2 - (x when x > 3 else $i)\n", 12000) + "  output r = v1")
TEXT = "#" + "x" * 4_000_000 + "\n" + SMALL
case("check/many lets", ["check", "r.rubric"], {"r.rubric": LETS}, codes=(0, 1))
case("check/long comment", ["check", "r.rubric"], {"r.rubric": TEXT})
case("check/one list", ["check", "r.rubric"], {"r.rubric": lambda: rubric("output r = count([" + ", ".join(map(str, range(150000))) + "])")})
case("check/one text", ["check", "r.rubric"], {"r.rubric": lambda: rubric('output r = "' + "word " * 600000 + '"')})
case("check/long number", ["check", "r.rubric"], {"r.rubric": lambda: rubric("output r = 0." + "123456789" * 1000 + " * 3." + "7" * 9000)})
case("check/unknown names", ["check", "r.rubric"], {"r.rubric": lambda: rubric(many("  output r$i = unknown$i\n", 4000))}, codes=(1,))
case("check/many inputs", ["check", "r.rubric"], {"r.rubric": lambda: rubric(many("  input x$i: number default $i\n", 20000))})
case("check/many functions", ["check", "r.rubric"], {"r.rubric": lambda: rubric(many("  fn f$i(x: number) = x + $i\n", 8000) + "output r = f1(2)")})
case("check/syntax", ["check", "r.rubric"], {"r.rubric": lambda: rubric(many("  output r$i = = 3\n", 10000))}, codes=(1,))
case("check/brackets", ["check", "r.rubric"], {"r.rubric": lambda: rubric("  output r = " + "(" * 100000)}, codes=(1,))
case("check/binary", ["check", "r.rubric"], {"r.rubric": b"\x00\xff\x80" * 300000}, codes=(1,))
case("check/examples", ["check", "r.rubric"], {"r.rubric": lambda: SMALL.rstrip()[:-1] + many('  example "e$i" { given { a: $i, b: 3 } expect { n: 0 } }\n', 3000) + "}\n"}, codes=(0, 1))
TABLE = "  input x: number 0..1000000\n  input y: number 0..1000000\n  table t(x, y) {\n    | x | y | z |\n" + many("    | $i..$i9 | <= $i | $i |\n", 3000) + "    | otherwise | otherwise | 0 |\n  }\n  output r = t(x, y).z\n"
case("check/table proof", ["check", "r.rubric"], {"r.rubric": rubric(TABLE)}, codes=(0, 1))
case("check/csv table", ["check", "r.rubric"], {"r.rubric": rubric('  input x: text\n  table t(x) from "t.csv"\n  output r = t(x).v'),
                                                "t.csv": lambda: "x,v\n" + many('"k$i",$i\n', 200000) + "otherwise,0\n"}, codes=(0, 1))
case("check/csv wide", ["check", "r.rubric"], {"r.rubric": rubric('  input x: text\n  table t(x) from "t.csv"\n  output r = t(x).v'),
                                               "t.csv": lambda: "x,v" + many(",c$i", 50000) + "\nk,1" + many(",$i", 50000) + "\n"}, codes=(0, 1))
case("check/imports", ["check", "r.rubric"], {"r.rubric": many('import "m$i.rubric"\n', 300) + SMALL} | {f"m{i}.rubric": f"fn g{i}(x: number) = x + {i}\n" * 1 for i in range(300)})
case("check/rule conditions", ["check", "r.rubric"], {"r.rubric": lambda: rubric("  input x: number 0..1000\n" + many('  flag "f$i" when x > $i and x < $i + 3 and x != $i "F"\n', 4000))}, codes=(0, 1))
case("check/overlapping flags", ["check", "r.rubric"], {"r.rubric": lambda: rubric("  input x: number 0..1000\n" + many('  cap score at $i when x > $i "F"\n', 300))}, codes=(0, 1))
case("check/hooks load", ["check", "r.rubric"], {"r.rubric": rubric('  hook f(x: number): number from "h.lua"\n  output r = f(1)'),
                                                 "h.lua": "local t = {}\nfor i = 1, 300000 do t[i] = tostring(i) .. 'x' end\nlocal s = table.concat(t)\nlocal function f(x) return x end\nreturn {f = f}\n"}, codes=(0, 1))
case("check/hooks source", ["check", "r.rubric"], {"r.rubric": rubric('  hook f(x: number): number from "h.lua"\n  output r = f(1)'),
                                                   "h.lua": lambda: many("local function g$i(x) return x + $i end\n", 150) + "local big = {" + many("{$i, 'a$i'},", 200000) + "}\nreturn {f = function(x) return x end}\n"}, codes=(0, 1))
case("check/fix", ["check", "--diff", "r.rubric"], {"r.rubric": lambda: rubric(many("  outputt r$i = = x$i\n", 300))}, codes=(1,))
GARBAGE = "def f(x):\n    if x > 3 and y < 2:\n        return {'a': [1,2,3], \"b\": lambda z: z + 1}\n    elif (x || y) && z { switch (a) { case 1: return 2; } }\n"
case("check/fix foreign", ["check", "--diff", "r.rubric"], {"r.rubric": GARBAGE * 600}, codes=(1, 2))
case("check/fix one line", ["check", "--diff", "r.rubric"], {"r.rubric": rubric("output r = " + "if (x) { y } else { " * 3000)}, codes=(1, 2))
case("fmt/lets", ["fmt", "--diff", "r.rubric"], {"r.rubric": LETS})
case("fmt/table", ["fmt", "--diff", "r.rubric"], {"r.rubric": rubric(TABLE)})
case("show/model", ["show", "--model", "r.rubric"], {"r.rubric": LETS})
case("show/ast", ["show", "--ast", "r.rubric"], {"r.rubric": LETS})
case("show/bytecode", ["show", "--bytecode", "r.rubric"], {"r.rubric": LETS})
case("show/kernel", ["show", "--kernel", "r.rubric"], {"r.rubric": LETS})
case("show", ["show", "r.rubric"], {"r.rubric": LETS})
INPUTS = rubric(many('  input x$i: number 0..10 "About x$i"\n', 3000) + many('  dimension d$i weight 1% "About d$i"\n', 100))
case("schema", ["schema", "r.rubric"], {"r.rubric": INPUTS})
case("prompt", ["prompt", "r.rubric"], {"r.rubric": INPUTS})
EXAMPLES = SMALL.rstrip()[:-1] + many('  example "e$i" { given { a: $i, b: 3 } expect { n: 0 } }\n', 60) + '  example "loop" { given { a: 1, b: 2, xs: [' + ", ".join(map(str, range(300))) + "] } expect { n: 44850 } }\n  output m = count(1 for x in xs for y in xs for z in xs)\n}\n"
case("test/examples", ["test", "r.rubric"], {"r.rubric": EXAMPLES}, codes=(0, 1, 2))
case("test/coverage", ["test", "--coverage", "r.rubric"], {"r.rubric": EXAMPLES}, codes=(0, 1, 2))
case("diff/rubrics", ["diff", "r.rubric", "s.rubric"], {"r.rubric": LETS, "s.rubric": lambda: LETS.replace("* 2", "* 3")}, codes=(0, 1), most=400 << 20)
case("diff/moved", ["diff", "r.rubric", "s.rubric"], {"r.rubric": lambda: rubric(many("  output a$i = $i\n", 6000)),
                                                       "s.rubric": lambda: rubric(many("  output b$i = $i + 1\n", 6000))}, codes=(0, 1), most=400 << 20)
case("diff/on records", ["diff", "r.rubric", "s.rubric", "--on", "x.ndjson"], {"r.rubric": SMALL, "s.rubric": SMALL.replace("= 5 when", "= 6 when"), "x.ndjson": records})

# ---- records
for form, text in {"ndjson": records, "json": lambda: "[" + records().rstrip().replace("\n", ",\n") + "]",
                   "csv": lambda: "id,a,b\n" + many("r$i,50,60\n", MANY), "tsv": lambda: "id\ta\tb\n" + many("r$i\t50\t60\n", MANY)}.items():
    case(f"score/{form}", ["score", "r.rubric", f"x.{form}"], {"r.rubric": SMALL, f"x.{form}": text})
case("score/to csv", ["score", "r.rubric", "x.ndjson", "--to", "csv"], {"r.rubric": SMALL, "x.ndjson": records})
case("score/one list", ["score", "r.rubric", "x.json"], {"r.rubric": SMALL, "x.json": list_record})
case("score/long list", ["score", "r.rubric", "x.json"], {"r.rubric": SMALL, "x.json": lambda: list_record(3_000_000)}, codes=(1,))
case("score/long text", ["score", "r.rubric", "x.json"], {"r.rubric": SMALL, "x.json": lambda: '{"a": 1, "b": 2, "t": "' + "x" * 40_000_000 + '"}'}, codes=(1,), most=400 << 20)
case("score/unknown keys", ["score", "r.rubric", "x.json"], {"r.rubric": SMALL, "x.json": lambda: '{"a": 1, "b": 2' + many(', "k$i": [1]', 300000) + "}"}, codes=(0, 1))
case("score/strict keys", ["score", "--strict", "r.rubric", "x.json"], {"r.rubric": SMALL, "x.json": lambda: '{"a": 1, "b": 2' + many(', "k$i": [1]', 300000) + "}"}, codes=(0, 1), most=400 << 20)
case("score/csv wide", ["score", "r.rubric", "x.csv"], {"r.rubric": SMALL, "x.csv": lambda: "id,a,b" + many(",c$i", 100000) + "\nx,1,2" + many(",$i", 100000) + "\n"}, codes=(0, 1))
case("score/csv quoted", ["score", "r.rubric", "x.csv"], {"r.rubric": SMALL, "x.csv": lambda: 'id,a,b\n"' + "a\n" * 5_000_000}, codes=(0, 1))
case("score/blank lines", ["score", "r.rubric", "x.ndjson"], {"r.rubric": SMALL, "x.ndjson": lambda: "\n" * 30_000_000}, codes=(0, 1, 2))
LOOP = rubric("  input xs: list of number default []\n  output n = count(1 for x in xs for y in xs)\n")
case("score/loop", ["score", "r.rubric", "x.json"], {"r.rubric": LOOP, "x.json": lambda: list_record(3000)}, codes=(0, 1))
for name, formula in {"sort": "first([x for x in xs by higher x])", "join": 'count(join(["{x}" for x in xs], ","))', "unique": "count(distinct(xs))",
                      "fractions": "sum(1 / (x + 1) for x in xs)", "powers": "sum((x + 3) ^ 50 for x in xs)", "median": "median(xs)",
                      "big": "product(x + 1 for x in xs)", "map": 'count(map("k{x}": x for x in xs))', "contains": "count(x for x in xs when x in xs)"}.items():
    case(f"score/{name}", ["score", "r.rubric", "x.json", "--limit", "steps=1000000000"], {"r.rubric": rubric(f"  input xs: list of number default []\n  output n = {formula}\n"), "x.json": list_record}, codes=(0, 1))
for name, formula in {"replace": 'count(join(split(t, "a"), "bcd"))', "split": 'count(split(t, " "))', "lower": "count(lowercase(t))", "words": "count(words(t))",
                      "contains": 'contains(t, "aaaaaaaaaaaaaaaab")'}.items():
    case(f"score/text {name}", ["score", "r.rubric", "x.json", "--limit", "text_bytes=30000000"], {"r.rubric": rubric(f"  input t: text\n  output n = {formula}\n"), "x.json": lambda: '{"t": "' + "abc aaa " * 1_000_000 + '"}'}, codes=(0, 1))
HOOK = rubric('  hook f(x: number): number from "h.lua"\n  input xs: list of number default []\n  output n = f(3)\n')
for name, body in {"loop": "local s = 0 for i = 1, 1e9 do s = s + i end return s", "strings": "local s = '' for i = 1, 1e6 do s = s .. 'xxxxxxxx' end return #s",
                   "sort": "local t = {} for i = 1, 300000 do t[i] = (i * 7919) % 100003 end table.sort(t) return t[1]", "rep": "local s = ('a'):rep(30000000) return #s",
                   "pattern": "local s = ('a'):rep(100000) local n = 0 for i = 1, 1000 do if s:find('a-b') then n = n + 1 end end return n", "concat": "local t = {} for i = 1, 1000000 do t[i] = 'abc' end return #table.concat(t)"}.items():
    case(f"hook/{name}", ["score", "r.rubric", "x.json"], {"r.rubric": HOOK, "x.json": "{}", "h.lua": "return {f = function(x) " + body + " end}\n"}, codes=(0, 1))
case("eval", ["eval", "r.rubric"], {"r.rubric": SMALL}, stdin=lambda: many('{"input": {"id": "r$i", "a": 3, "b": 4}}\n', 5000))
case("eval/rank", ["eval", "r.rubric"], {"r.rubric": SMALL}, stdin=lambda: '{"op": "rank", "inputs": [' + records().rstrip().replace("\n", ",") + "]}\n")
case("rank", ["rank", "r.rubric", "x.ndjson"], {"r.rubric": SMALL, "x.ndjson": records})
case("rank/csv", ["rank", "r.rubric", "x.ndjson", "--to", "csv"], {"r.rubric": SMALL, "x.ndjson": records})
COHORT2 = SMALL.rstrip()[:-1] + "  cohort { output all = sum(r.score for r in records)\n  output pairs = count(1 for r in records for s in records when r.score > s.score) }\n}\n"
case("cohort", ["score", "r.rubric", "x.ndjson", "--limit", "steps=1000000000"], {"r.rubric": COHORT2, "x.ndjson": lambda: records(4000)}, codes=(0, 1, 2))
case("explain/list", ["explain", "r.rubric", "x.json"], {"r.rubric": SMALL, "x.json": list_record})
case("explain/open", ["explain", "r.rubric", "x.json", "--open", "all"], {"r.rubric": SMALL, "x.json": list_record})
case("explain/json", ["explain", "r.rubric", "x.json", "--to", "json"], {"r.rubric": SMALL, "x.json": list_record}, codes=(0, 1, 2))
DEDUCTIONS = rubric('  input xs: list of number default []\n  dimension a weight 1 "A"\n  deduction "many {x}" = 0.01 for x in xs "has {x} of {xs}"\n')
case("explain/deductions", ["explain", "r.rubric", "x.json"], {"r.rubric": DEDUCTIONS, "x.json": lambda: list_record(2500)}, codes=(0, 1, 2))
case("explain/deductions json", ["explain", "r.rubric", "x.json", "--to", "json"], {"r.rubric": DEDUCTIONS, "x.json": lambda: list_record(2500)}, codes=(0, 1, 2), most=400 << 20)
FEW = rubric('  input xs: list of number default []\n  dimension a weight 1 "A"\n  deduction "many {x}" = 0.01 for x in xs "Too many"\n')
case("explain/entries", ["explain", "r.rubric", "x.json"], {"r.rubric": FEW, "x.json": lambda: list_record(20000)}, codes=(0, 1, 2))
case("explain/entries json", ["explain", "r.rubric", "x.json", "--to", "json"], {"r.rubric": FEW, "x.json": lambda: list_record(20000)}, codes=(0, 1, 2))
case("explain/why", ["explain", "r.rubric", "x.json", "--why", "score"], {"r.rubric": FEW, "x.json": lambda: list_record(20000)}, codes=(0, 1, 2))
case("explain/lets", ["explain", "r.rubric", "x.json"], {"r.rubric": LETS, "x.json": "{}"})

case("reach/list", ["reach", "r.rubric", "x.json"], {"r.rubric": FEW, "x.json": lambda: list_record(1500)}, codes=(0, 1, 2))
REACH = rubric('  input xs: list of number 0..100 default []\n  dimension a weight 50% "A"\n  dimension b weight 50% = clamp(sum(x * 0.01 for x in xs when x > 3) + 50, 0..100)\n  bands g(score) { | score | g | | >= 99 | "A" | | otherwise | "C" | }\n')
case("reach/numbers", ["reach", "r.rubric", "x.json"], {"r.rubric": REACH, "x.json": lambda: list_record(1500)}, codes=(0, 1, 2))
case("reach/many inputs", ["reach", "r.rubric", "x.json", "--to", "score 90"], {"r.rubric": INPUTS, "x.json": lambda: "{" + ", ".join(f'"x{i}": 1, "d{i}": {i % 90}' for i in range(100)) + "}"}, codes=(0, 1, 2))
case("whatif", ["whatif", "r.rubric", "x.json", "--set", "a=60"], {"r.rubric": SMALL, "x.json": list_record}, codes=(0, 1, 2))
case("whatif/many", ["whatif", "r.rubric", "x.ndjson", "--set", "a=60"], {"r.rubric": SMALL, "x.ndjson": records}, codes=(0, 1, 2))
case("sensitivity", ["sensitivity", "r.rubric", "x.ndjson"], {"r.rubric": SMALL, "x.ndjson": lambda: records(2000)}, codes=(0, 1, 2))
case("calibrate", ["calibrate", "r.rubric", "x.ndjson"], {"r.rubric": SMALL, "x.ndjson": lambda: records(2000, ', "gold": {"grade": "A", "score": 50}')}, codes=(0, 1, 2))
case("report", ["report", "r.rubric", "x.ndjson"], {"r.rubric": SMALL, "x.ndjson": lambda: records(2000)}, codes=(0, 1, 2))
case("report/list", ["report", "r.rubric", "x.json"], {"r.rubric": FEW, "x.json": lambda: list_record(20000)}, codes=(0, 1, 2))
case("repl", ["repl", "r.rubric", "x.json"], {"r.rubric": SMALL, "x.json": list_record}, stdin="n\nsum(x for x in xs)\ncount(1 for x in xs for y in [1, 2, 3])\n:explain\n:reach A\n", codes=(0, 1, 2))
