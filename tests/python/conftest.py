"""Shared by the tests of the installed package."""

from __future__ import annotations

import json
import os
import pathlib
from decimal import Decimal

import pytest

# Only for commands that tests start: these have an allocator of their own, which a sanitizer that they inherit would take for
# a mistake. It read its options for this process before.
if "ASAN_OPTIONS" in os.environ:
    os.environ["ASAN_OPTIONS"] += ":alloc_dealloc_mismatch=0"

TOP = pathlib.Path(__file__).resolve().parents[2]


def exact(text: str):
    """Reads JSON, keeping numbers as they are written."""
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="all rounds of random tests")


@pytest.fixture
def rounds(request):
    return lambda count: count if request.config.getoption("--long") else max(1, count // 10)


def rubric_path(name: str) -> pathlib.Path:
    return TOP / "rubrics" / name / f"{name}.rubric"
