"""The module's own reader of JSON beside Python's."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from fractions import Fraction

import assay
import pytest
from assay import _core

TEXTS = ["", "a", "ä", "\u20ac", "\U0001f600", "\\", '"', "\x00\x1f\x7f", "\ud800", "\udc00\ud800", "x" * 60, "naïve key", "\u2028"]
NUMBERS = [0, -0.0, -1, 7, 1e300, -1e-300, 5e-324, 1e-400, 0.1, 12345678901234567, 10**18, 10**19, -(10**30), 1.5e15, 123456.789]


def value(random, levels):
    kind = random.randrange(9 if levels else 6)
    if kind == 0:
        return None
    if kind == 1:
        return random.random() < 0.5
    if kind == 2:
        return "".join(random.choice(TEXTS) for _ in range(random.randrange(4)))
    if kind == 3:
        return random.choice(NUMBERS)
    if kind == 4:
        return random.randrange(-(10**6), 10**6) / 10 ** random.randrange(8)
    if kind == 5:
        return random.randrange(-(2**70), 2**70) >> random.randrange(70)
    if kind == 6:
        return [value(random, levels - 1) for _ in range(random.randrange(5))]
    return {"".join(random.choice(TEXTS) for _ in range(random.randrange(3))): value(random, levels - 1) for _ in range(random.randrange(6))}


def same(a, b):
    if isinstance(a, float):
        return repr(a) == repr(b)
    if isinstance(a, dict):
        return type(b) is dict and list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list):
        return type(b) is list and len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def test_values_are_those_of_json_loads(rounds):
    source = random.Random(20261123)
    for _ in range(rounds(20000)):
        made = {"first": value(source, 4), "x": value(source, 2), "last": value(source, 4)}
        text = json.dumps(made, ensure_ascii=source.random() < 0.7, indent=source.choice([None, 1, 4])).encode("utf-8", "surrogatepass")
        expected = json.loads(text.decode("utf-8", "surrogatepass"))
        assert same(expected, _core.from_json(text, None))
        for name in (*expected, "nothing"):
            found = _core.member(text, name, None, ...) if name.isprintable() else ...
            assert found is ... if name not in expected else found is ... or same(expected[name], found)


@pytest.mark.parametrize("text", ["1", "-0", "0.10", "1e5", "-12.500E+3", "1e400", "123456789012345678901234567890.5", "0e0"])
def test_exact_numbers(text):
    for convert in (Decimal, Fraction):
        assert _core.from_json(text, convert) == convert(text) and type(_core.from_json(text, convert)) is convert
        assert _core.member('{"a": [1], "b": %s}' % text, "b", convert, None) == convert(text)


WRONG = ["", " ", "01", "-", "1.", ".5", "1e", "+1", "nul", "tru", "falsE", '"', '"\\', '"\\x"', '"\\u12"', '"a\nb"', "[1", "[1,", "[1,]", "[1 2]", "{",
         '{"a"', '{"a":', '{"a":1,}', '{"a" 1}', "{1:2}", '{"a":1 "b":2}', "1 2", "]", "NaN", "Infinity", "'a'", "--1", "1e+", "[" * 2000]  # fmt: skip


def test_floats_at_the_ends():
    for text in ("1e400", "-1e400", "1e-400", "4.9e-324", "1.7976931348623157e308", "2.2250738585072011e-308", "0.1" + "0" * 400 + "1"):
        assert same(json.loads(text), _core.from_json(text, None))


@pytest.mark.parametrize("text", WRONG, ids=range(len(WRONG)))
def test_what_is_no_json(text):
    with pytest.raises(ValueError, match="not JSON"):
        _core.from_json(text, None)
    for cut in ("[%s]", '{"a": %s}'):
        if text.strip() and text[0] not in "[{1":
            with pytest.raises(ValueError, match="not JSON"):
                _core.from_json(cut % text, None)
    with pytest.raises(ValueError, match="not JSON"):
        _core.member('{"b": %s' % text, "a", None, None)


def test_bytes_that_are_no_utf8():
    with pytest.raises(ValueError):
        _core.from_json(b'"\xff"', None)
    with pytest.raises(ValueError):
        _core.from_json(b'{"\xff": 1}', None)


def test_keys_of_a_verdict_are_read_alone_and_together():
    rubric = assay.compile('rubric r "R" { scale 0..10 dimension a weight 50% dimension b weight 50% output z = [a, b] }')
    verdict = rubric.score({"a": 1, "b": 2})
    alone = [verdict[key] for key in ("score", "dimensions", "z")]
    assert verdict["dimensions"] is alone[1] and verdict["dimensions.a.score"] == 1
    assert "score" in verdict and "dimensions.a.score" in verdict and "nothing" not in verdict
    whole = verdict.to_dict()
    assert [whole[key] for key in ("score", "dimensions", "z")] == alone and dict(verdict) == whole == json.loads(verdict.json)
    assert verdict["dimensions"] is alone[1] and list(verdict) == list(whole) and len(verdict) == len(whole)
    again = rubric.score({"a": 1, "b": 2})
    assert [again[key] for key in whole] == list(whole.values()) and again == verdict
    for wrong in ("nothing", "score.x.y", "nothing.x"):
        with pytest.raises((KeyError, TypeError)):
            again[wrong]
    with pytest.raises(AttributeError, match="no field 'nothing'; it has rubric"):
        rubric.score({"a": 1, "b": 2}).nothing  # noqa: B018
