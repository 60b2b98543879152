"""Python objects as records: the types that the extension module does not handle itself."""

from __future__ import annotations

import enum
from collections import abc as _abc
from decimal import Decimal
from fractions import Fraction
from typing import Any


def _decimal_digits(value: Decimal) -> str:
    if value.is_nan():
        return "null"
    if value.is_infinite():
        return '"-Infinity"' if value < 0 else '"Infinity"'
    return format(value, "f") if -400 <= value.as_tuple().exponent <= 40 else str(value)


def _fraction_digits(value: Fraction) -> str:
    digits, rest = 0, value.denominator
    while rest % 10 == 0:
        rest, digits = rest // 10, digits + 1
    for factor in (2, 5):
        while rest % factor == 0:
            rest, digits = rest // factor, digits + 1
    if rest != 1:
        raise ValueError(f"is {value}, which has no exact decimal: give a Decimal, or multiply the rubric's scale")
    scaled = value * 10**digits
    return f"{scaled.numerator}e-{digits}" if digits else str(scaled.numerator)


def plain(value: Any) -> tuple[bool, Any]:
    """``(True, digits)`` for a number, ``(False, value)`` for another value of simpler types.

    The texts of errors follow the path of the value: "items[3] is a value of the type …".
    """
    if isinstance(value, Decimal):
        return True, _decimal_digits(value)
    if isinstance(value, Fraction):
        return True, _fraction_digits(value)
    if isinstance(value, enum.Enum):
        return False, value.value
    kind = type(value)
    if isinstance(value, int):  # a subclass
        return True, int.__repr__(value)
    if kind.__module__.partition(".")[0] == "numpy":
        return _numpy(value)
    if kind.__name__ in ("NAType", "NaTType"):  # pandas
        return False, None
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return False, dict(zip(kind._fields, value))
    if isinstance(value, tuple):
        return False, list(value)
    if hasattr(kind, "__dataclass_fields__"):
        return False, {name: getattr(value, name) for name in kind.__dataclass_fields__ if hasattr(value, name)}
    if hasattr(kind, "model_fields") and hasattr(value, "model_dump"):  # pydantic
        return False, value.model_dump()
    if isinstance(value, (set, frozenset)):
        try:
            return False, sorted(value)
        except TypeError:
            raise TypeError("is a set of values that have no order among each other: give a list") from None
    if kind.__module__.partition(".")[0] in ("pyarrow", "polars"):
        return False, _arrow(value)
    if hasattr(value, "keys") and hasattr(value, "__getitem__"):
        return False, {key: value[key] for key in value.keys()}
    if isinstance(value, _abc.Sequence) and not isinstance(value, (bytes, bytearray, memoryview)):
        return False, list(value)
    raise TypeError(_cannot(value))


def _cannot(value: Any) -> str:
    kind = type(value)
    return f"is a value of the type {kind.__module__}.{kind.__qualname__}, which cannot stand in a record"


def _arrow(value: Any) -> Any:
    """A scalar or a column of pyarrow or polars."""
    for method in ("as_py", "to_pylist", "to_list"):
        if hasattr(value, method):
            return getattr(value, method)()
    raise TypeError(_cannot(value))


def _numpy(value: Any) -> tuple[bool, Any]:
    import numpy

    if isinstance(value, numpy.floating):
        if numpy.isnan(value):
            return False, None
        if numpy.isinf(value):
            return False, float(value)
        # The shortest decimal that reads back as the same value at its own precision.
        return True, numpy.format_float_positional(value, unique=True, trim="-")
    if isinstance(value, numpy.generic):
        if isinstance(value, numpy.void) and value.dtype.names:  # a row of a structured array
            return False, {name: value[name] for name in value.dtype.names}
        if isinstance(value, (numpy.datetime64, numpy.timedelta64, numpy.complexfloating, numpy.void)):
            raise TypeError(_cannot(value))
        return False, value.item()
    if value is numpy.ma.masked:
        return False, None
    if isinstance(value, numpy.ndarray):
        return False, list(value) if value.ndim else value[()]
    raise TypeError(_cannot(value))
