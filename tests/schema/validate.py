# Checks the schemas of `assay schema` against the conformance cases, with a third-party validator: each record that a rubric
# scores is valid; a rejected record is not, unless the command has stated that the schema cannot express the reason; each
# verdict is valid for the schema of verdicts. The strict subset uses only its permitted keywords.
# Usage: validate.py ASSAY CONFORMANCE_FOLDER RUBRICS_FOLDER
import json
import pathlib
import subprocess
import sys

import jsonschema

ASSAY, CASES, RUBRICS = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
failures = 0
counts = {"accepted": 0, "refused": 0, "not expressed": 0, "verdicts": 0, "subset": 0}


def run(*words, text=None):
    done = subprocess.run([ASSAY, *words], input=text, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def fail(what):
    global failures
    failures += 1
    if failures <= 20:
        print(what)


def schema(rubric, *options):
    code, out, err = run("schema", str(rubric), *options)
    if code != 0:
        fail(f"{rubric}: no schema {options}: {err}")
        return None, ""
    parsed = json.loads(out)
    jsonschema.Draft202012Validator.check_schema(parsed)
    return jsonschema.Draft202012Validator(parsed), err


def check_subset(rubric, node, path="$"):
    if isinstance(node, list):
        for item in node:
            check_subset(rubric, item, path)
    if not isinstance(node, dict):
        return
    if node.get("type") == "object":
        counts["subset"] += 1
        if node.get("additionalProperties") is not False or sorted(node["required"]) != sorted(node["properties"]):
            fail(f"{rubric}: {path} is not of the strict subset")
    for key, value in node.items():
        check_subset(rubric, value, f"{path}.{key}")


for folder in sorted(path.parent for path in CASES.glob("*/cases.ndjson")):
    rubric = RUBRICS / folder.name / f"{folder.name}.rubric"
    validator, said = schema(rubric)
    verdicts, _ = schema(rubric, "--verdict")
    if validator is None or verdicts is None:
        continue
    records = []
    for line in (folder / "cases.ndjson").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        records += [case["input"]] if "input" in case else case.get("inputs", [])
    text = "".join(json.dumps(record) + "\n" for record in records)
    lines = run("score", str(rubric), text=text)[1].splitlines()
    if len(lines) != len(records):
        fail(f"{rubric}: {len(records)} records and {len(lines)} verdicts")
        continue
    for record, line in zip(records, lines):
        verdict = json.loads(line)
        counts["verdicts"] += 1
        for error in list(verdicts.iter_errors(verdict))[:1]:
            fail(f"{rubric}: a verdict does not fit: {error.message[:300]}\n  {line[:300]}")
        problem = next(validator.iter_errors(record), None)
        if "error" not in verdict:
            counts["accepted"] += 1
            if problem is not None:
                fail(f"{rubric}: a record that is scored does not fit: {problem.message}\n  {json.dumps(record)[:300]}")
        elif problem is not None:
            counts["refused"] += 1
        elif "does not express" in said:
            counts["not expressed"] += 1
        else:
            fail(f"{rubric}: a rejected record fits: {line}\n  {json.dumps(record)[:300]}")

for rubric in sorted(RUBRICS.rglob("*.rubric")):
    for options in ([], ["--verdict"], ["--strict-subset"], ["--strict-subset", "--verdict"]):
        validator, _ = schema(rubric, *options)
        if validator is not None and "--strict-subset" in options:
            check_subset(rubric, validator.schema)

print(", ".join(f"{name}: {count}" for name, count in counts.items()))
sys.exit(1 if failures or counts["accepted"] < 500 or counts["refused"] < 50 else 0)
