"""Sessions screen by screen: *.screens. The typed keys are between the screens.

    === what it shows
    --- run hike.rubric hikes.ndjson      arguments of `assay repl`
    --- size 20 60                        rows and columns; default: 24 80
    --- file hike.rubric
    …
    --- keys
    views<Enter>
    --- screen                            the screen that the terminal then shows

UPDATE=1 in the environment updates the screens.
"""

import os
import pathlib
import re
import time

import pytest
from terminal import Terminal

HERE = pathlib.Path(__file__).parent
MARK = re.compile(r"^(===|---) ?(.*)$")


def cases():
    for path in sorted(HERE.glob("*.screens")):
        case = None
        for line in path.read_text().splitlines():
            mark = MARK.match(line)
            if mark and mark[1] == "===":
                case = (path, mark[2], [])
                yield case
            elif mark:
                case[2].append([mark[2], []])
            else:
                case[2][-1][1].append(line)


def body(lines):
    lines = list(lines)
    while lines and not lines[-1]:
        lines.pop()
    return lines


CASES = list(cases())


@pytest.mark.parametrize("case", CASES, ids=[name for _, name, _ in CASES])
def test_screens(case, tmp_path):
    path, name, sections = case
    arguments, rows, columns = [], 24, 80
    for title, lines in sections:
        if title.startswith("run "):
            arguments = title[4:].split()
        if title.startswith("size "):
            rows, columns = map(int, title[5:].split())
        if title.startswith("file "):
            (tmp_path / title[5:]).write_text("\n".join(body(lines)) + "\n")
    terminal = Terminal(tmp_path, *arguments, rows=rows, columns=columns)
    update = os.environ.get("UPDATE") == "1"
    try:
        for section in sections:
            title, lines = section
            if title == "keys":
                terminal.type("".join(body(lines)))
            if title != "screen":
                continue
            if update:
                terminal.settle(1.5)
                section[1] = terminal.lines()
                continue
            expected = body(lines)
            end = time.monotonic() + 20
            while terminal.lines() != expected and time.monotonic() < end:
                terminal.read()
            assert terminal.lines() == expected
    finally:
        terminal.close()
    if update:
        text = path.read_text()
        begin = text.index("=== " + name + "\n")
        end = text.find("\n=== ", begin + 1)
        written = "=== " + name + "\n"
        for title, lines in sections:
            written += "--- " + title + "\n" + "".join(line + "\n" for line in body(lines))
        rest = text[end:] if end >= 0 else ""
        path.write_text(text[:begin] + written + rest)
