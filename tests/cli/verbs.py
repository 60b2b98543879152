"""What holds for every verb of the command, found from its help: an example, one sentence and exit code 2 for what it cannot
do, the formats that it names, and nothing worse for values that make no sense. The questions of a rubric also as commands
of the prompt, with the same flags.

Usage: verbs.py ASSAY [VERB...]
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

assay = str(pathlib.Path(sys.argv[1]).resolve())
folder = pathlib.Path(tempfile.mkdtemp())
(folder / "r.rubric").write_text("""rubric dish "Dishes" {
  scale 0..10 decimals 2
  input faults: list of text default []
  dimension taste weight 60% "Taste"
  dimension looks weight 40% "Looks"
  deduction "{fault}" = 0.5 for fault in faults "{fault}"
  bands medal(score) { | score | medal | | >= 8 | "gold" | | >= 0 | "none" | }
  rank by higher score
  example "one" { given { taste: 5, looks: 5 } expect { score: 5 } }
}
""")
RECORDS = [{"id": "a", "taste": 9, "looks": 7, "gold": {"medal": "gold"}},
           {"id": "b", "taste": 6, "looks": 8, "faults": ["cold"], "gold": {"medal": "none"}}]
(folder / "two.ndjson").write_text("".join(json.dumps(r) + "\n" for r in RECORDS))
(folder / "one.json").write_text(json.dumps(RECORDS[0]))
(folder / "empty.ndjson").write_text("")

QUESTIONS = {"whatif": ["--id", "a", "--set", "taste=8"], "reach": ["--id", "b"], "sensitivity": [], "calibrate": ["--floor", "1"],
             "explain": ["--id", "a"], "report": []}
# How each verb is called where nothing is wrong, without its flags. Those that read requests or serve are not called.
OPERANDS = {verb: ["r.rubric", "two.ndjson"] for verb in [*QUESTIONS, "score", "rank"]}
OPERANDS |= {"check": ["r.rubric"], "fmt": ["r.rubric"], "test": ["r.rubric"], "schema": ["r.rubric"], "prompt": ["r.rubric"],
             "show": ["r.rubric"], "diff": ["r.rubric", "r.rubric"], "eval": ["r.rubric", "empty.ndjson"],
             "completion": ["bash"], "man": ["score"], "new": ["fresh"], "repl": ["r.rubric", "two.ndjson"]}
SERVES = {"lsp"}
NONSENSE = ["", "-1", "1e999", "nonsense", "=", "a=", "=1", "taste=", "taste=taste", "\x1b[31m", "\u202e", "日本語", "x" * 5000,
            "99999999999999999999999999", "0", "NaN", "../../..", "[", '{"a":', "--to"]
wrong = []


def run(*words, stdin=""):
    done = subprocess.run([assay, *words], capture_output=True, cwd=folder, input=stdin.encode(), timeout=60)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def expect(fine, what, *shown):
    if not fine:
        wrong.append(what)
        print("WRONG:", what, *[str(one)[:400] for one in shown], sep="\n   ")


def one_sentence(code, err, what):
    lines = err.splitlines()
    expect(code == 2 and lines and lines[0].startswith("error: ") and "\x1b" not in err, what, code, err)


verbs = re.findall(r"^  (\w+) +\S", run("--help")[1].split("Verbs:")[-1], re.M)
expect({"score", "reach", "diff"} <= set(verbs), "verbs are found in the help", verbs)
for verb in sys.argv[2:] or verbs:
    code, text, err = run(verb, "--help")
    expect(code == 0 and not err, f"{verb} --help", code, err)
    expect(re.search(rf"Examples:\n(.*\n)*? *.*assay {verb}\b", text), f"{verb}: an example in its help", text)
    code, out, err = run(verb, "--no-such-flag")
    one_sentence(code, err, f"{verb}: an unknown flag")
    expect("--no-such-flag" in err and f"assay {verb} --help" in err, f"{verb}: names the unknown flag and where to look", err)
    if verb in SERVES or (verb not in OPERANDS and expect(False, f"{verb}: this test does not know how to call it") is None):
        continue
    good = [*OPERANDS[verb], *QUESTIONS.get(verb, [])]
    if verb == "new":
        continue  # it makes a file
    code, out, err = run(verb, *good)
    expect(code == 0, f"{verb} {good}", code, err)
    if "RUBRIC" in text:
        for other in ("none.rubric", "two.ndjson"):
            code, out, err = run(verb, other, *good[1:])
            expect(code == 2 and (err or verb == "repl" and "error" in out), f"{verb}: {other} in place of a rubric", code, err)
    if len(OPERANDS[verb]) > 1 and OPERANDS[verb][1] == "two.ndjson" and verb != "repl":
        code, _, err = run(verb, OPERANDS[verb][0], "none.ndjson", *good[2:])
        one_sentence(code, err, f"{verb}: records that are not there")
        code, _, err = run(verb, OPERANDS[verb][0], "empty.ndjson", *good[2:])
        expect(code == 2 if verb in QUESTIONS else code == 0, f"{verb}: no record at all", code, err)
    formats = re.search(r"--to (\S*\|\S*)", text)
    for to in formats.group(1).split("|") if formats else []:
        if to in ("npy", "TARGET", "FORMAT"):
            continue
        code, out, err = run(verb, *good, "--to", to)
        expect(code == 0 and (out.strip() or to == "github"), f"{verb} --to {to}", code, err)
        if to == "json":
            try:
                json.loads(out)
            except ValueError as error:
                expect(False, f"{verb} --to json", error, out)
    if verb in QUESTIONS and verb != "report" or verb == "diff":
        for to in ("text", "json", "markdown"):
            code, out, err = run(verb, *good, "--to", to)
            expect(code == 0 and out.strip(), f"{verb} --to {to}", code, err)
    # Every flag with values that make no sense: a sentence, or an answer. Never anything worse.
    for flag, value in re.findall(r"^  (?:-\w,)?(--[\w-]+)(?: (\S+))?", text, re.M):
        if flag in ("--help", "--watch", "--fix", "--update", "--output", "--timeout") or not value or value[0] in "[(":
            continue
        for nonsense in NONSENSE:
            code, out, err = run(verb, *good, flag, nonsense)
            fine = code in (0, 1, 2) and "\x1b[31m" not in err + out
            fine = fine and (code != 2 or "error" in err) and "internal" not in err
            expect(fine, f"{verb} {flag} {nonsense[:40]!r}", code, err, out)
            if verb in QUESTIONS and verb != "report":
                typed = f":{verb} " + " ".join(QUESTIONS[verb]) + f' {flag} "{nonsense}"'
                code, out, err = run("repl", "r.rubric", "two.ndjson", stdin=typed.replace("\x1b", "") + "\n1 + 1\n")
                expect(code in (0, 1, 2) and "2 : whole" in out, f"repl: {typed[:80]!r}", code, out, err)

# The prompt gives the answers of the verbs, to the letter.
for verb, flags in QUESTIONS.items():
    if verb == "report" or sys.argv[2:] and verb not in sys.argv[2:]:
        continue
    for to in ("text", "json", "markdown"):
        words = [*flags, "--to", to]
        want = run(verb, "r.rubric", "two.ndjson", *words)[1]
        got = run("repl", "r.rubric", "two.ndjson", stdin=f":{verb} {' '.join(words)}\n")[1]
        expect(got.endswith("record 1 of 2: a\n" + want), f"repl: :{verb} {' '.join(words)}", got, want)
for entry in (":explain --why score --open all", ":why score --open all", ":explain --id b --versus a", ":why medal --to markdown"):
    code, out, err = run("repl", "r.rubric", "two.ndjson", stdin=entry + "\n")
    expect(code == 0 and "error" not in out, entry, out)
print("ok" if not wrong else f"{len(wrong)} wrong")
sys.exit(1 if wrong else 0)
