"""Runs the Python sessions of the pages unchanged; the files that a page names are created from its blocks."""

from __future__ import annotations

import doctest
import os
import re
import sys

import pytest
from conftest import TOP

BLOCK = re.compile(r"^```(\w+)(?: ([^\n]*))?\n(.*?)^```$", re.S | re.M)
PAGES = sorted(page.name for page in (TOP / "docs").glob("*.md") if "```pycon" in page.read_text())
HEAVY = {"scale.md": ["pyspark"]}  # only in the long tests


@pytest.mark.parametrize("page", PAGES)
def test_page(page, tmp_path, monkeypatch):
    for package in HEAVY.get(page, []):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    text = (TOP / "docs" / page).read_text()
    names = {"__name__": "__main__"}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    failed = 0
    for match in BLOCK.finditer(text):
        word, name, body = match.groups()
        if word != "pycon":
            if name and re.fullmatch(r"[\w./-]+", name) and word not in ("cpp", "c", "cmake"):
                os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
                (tmp_path / name).write_text(body)
            continue
        line = text.count("\n", 0, match.start()) + 1
        test = doctest.DocTestParser().get_doctest(body, names, page, page, line)
        failed += runner.run(test, clear_globs=False).failed
        names = test.globs
    assert failed == 0
