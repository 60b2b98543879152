"""Whether each stage of each verb notices in time that it should end. The command runs with --timeout and a clock of ours
(looks.cpp), which counts how often the deadline is looked at. So no test waits for a deadline:

- the work between two looks is bounded, in bytes allocated, and under callgrind in instructions;
- if the deadline has passed at the k-th look, for many k, the command ends with exit code 2 and one message, writes nothing but
  whole lines, and does hardly any more work;
- the same if Ctrl-C cancels the run in its middle, which no clock shows;
- the command ends itself if a stage does not: at one look, its thread never returns.

Usage: interrupts.py ASSAY LOOKS.so [--ends N] [--instructions] [--slow] [NAME...]
  --ends N         so many points at which a run is ended; otherwise 6
  --instructions   with callgrind (for the hand: it takes minutes)
  --slow           prints the processor's time instead of testing (for the hand)
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from inputs import CASES

MOST_INSTRUCTIONS = 30_000_000  # about 10 ms

arguments = sys.argv[1:]


def option(name, value=None):
    if name not in arguments:
        return value
    at = arguments.index(name)
    del arguments[at]
    return True if value is None else int(arguments.pop(at))


ends = option("--ends", 6)
instructions = option("--instructions")
slow = option("--slow")
assay, clock = (str(pathlib.Path(p).resolve()) for p in arguments[:2])
names = arguments[2:]
folder = pathlib.Path(tempfile.mkdtemp())
clock = shutil.copy(clock, folder / "clock.so")  # the linker divides the path of a library to load at blanks
failed = []


def wrong(name, what):
    failed.append(name)
    print(f"{name}: {what}", flush=True)


def run(case, last=0, tool=(), how="LAST"):
    report = folder / "looks.txt"
    report.unlink(missing_ok=True)
    environment = {"PATH": "/usr/bin:/bin", "LD_PRELOAD": str(clock), "ASSAY_LOOKS": str(report), f"ASSAY_LOOKS_{how}": str(last), "LC_ALL": "C.UTF-8"}
    words = [*tool, assay, *case.words, "--timeout", "100000"]
    done = subprocess.run(words, cwd=case.folder, env=environment, input=case.stdin, capture_output=True, timeout=1800)
    if how != "LAST" and not report.exists():  # it was ended before it could report
        return done, None
    if not report.exists():
        wrong(case.name, f"ended with {done.returncode} at look {last}: {done.stderr[-300:]!r}")
        return done, None
    text = report.read_text()
    return done, {key: float(value) for key, value in re.findall(r"^(\w+) ([\d.]+)", text, re.M)} | {
        "most_at": int(re.search(r"most \d+ at (\d+)", text)[1]), "slow_at": int(re.search(r"slow [\d.]+ at (\d+)", text)[1])}


def points(looks):
    """The first and the last looks, and some between."""
    some = {1, 2, looks - 1, looks} | {round(looks * i / (ends - 3)) for i in range(1, ends - 3)}
    return sorted(k for k in some if 1 <= k <= looks)


def whole_lines(case, out, all_of_it):
    if not out or out.endswith(b"\n"):
        return True
    return all_of_it.endswith(out) and not all_of_it.endswith(b"\n")


def test(case):
    done, seen = run(case)
    if seen is None:
        return
    if done.returncode not in case.codes:
        wrong(case.name, f"exit code {done.returncode}: {done.stderr[:300]!r} {done.stdout[:300]!r}")
    if slow:
        print(f"{case.name:34} looks {seen['looks']:8.0f}  most {seen['most'] / 1e6:8.2f} MB at {seen['most_at']:<8} "
              f"slow {seen['slow']:9.2f} ms at {seen['slow_at']}", flush=True)
    elif seen["most"] > case.most:
        wrong(case.name, f"allocates {seen['most']:.0f} bytes between two looks, the second of which is {seen['most_at']} of {seen['looks']:.0f}")
    if instructions:
        count_instructions(case)
    if instructions or ends == 0:
        return
    for k in points(int(seen["looks"])):
        ended, then = run(case, k)
        if then is None:
            continue
        if slow and then["slow"] > max(20, seen["slow"] * 1.5):
            print(f"{case.name:34} ended at look {k}: {then['slow']:.1f} ms at look {then['slow_at']}", flush=True)
        judge(case, f"ended at look {k} of {seen['looks']:.0f}", ended, done, then)
    middle = max(1, round(seen["looks"] / 2))
    ended, then = run(case, middle, how="CANCEL")
    if then is not None:  # no look shows what a cancelled run still does: the stretch after its last look counts
        then["after"] = then["most"] if then["most"] > seen["most"] else 0
    judge(case, f"cancelled at look {middle} of {seen['looks']:.0f}", ended, done, then, 130, "interrupted")
    judge(case, f"stuck at look {middle} of {seen['looks']:.0f}", run(case, middle, how="STUCK")[0], done, None)


def judge(case, when, ended, done, then, code=2, why="out of time"):
    """Whether an ended run said so once, wrote whole lines, and worked little after the end."""
    if ended.returncode == done.returncode and ended.stdout == done.stdout:
        return  # it was at its end
    message = ended.stderr.decode(errors="replace")
    if ended.returncode != code or message.count("error: " + why) != 1:
        wrong(case.name, f"{when} with {ended.returncode} and {message[-300:]!r}")
    if not whole_lines(case, ended.stdout, done.stdout):
        wrong(case.name, f"{when}, it wrote a part of a line: {ended.stdout[-80:]!r}")
    if then is not None and then["after"] > case.most:
        wrong(case.name, f"{when}, it went on to allocate {then['after']:.0f} bytes")


def count_instructions(case):
    out = folder / "callgrind"
    for old in folder.glob("callgrind*"):
        old.unlink()
    run(case, tool=["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}"])
    most = max((int(n) for part in folder.glob("callgrind*") for n in re.findall(r"^(?:summary|totals): (\d+)", part.read_text(), re.M)), default=0)
    print(f"{case.name}: at most {most:,} instructions between two looks", flush=True)
    if most > MOST_INSTRUCTIONS:
        wrong(case.name, "that is more than 10 ms")


for make in CASES:
    case = make(folder)
    if not names or any(case.name.startswith(n) for n in names):
        test(case)
print(f"{len(set(failed))} cases failed" if failed else "all notice in time")
sys.exit(1 if failed else 0)
