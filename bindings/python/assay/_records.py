"""Python objects as records: the types that the extension module does not handle itself."""

from __future__ import annotations

import enum
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
        raise ValueError(f"{value} has no exact decimal: give a Decimal, or multiply the rubric's scale")
    scaled = value * 10**digits
    return f"{scaled.numerator}e-{digits}" if digits else str(scaled.numerator)


def plain(value: Any) -> tuple[bool, Any]:
    """``(True, digits)`` for a number, ``(False, value)`` for any other value, made of simpler types."""
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
        return False, sorted(value)
    if hasattr(value, "keys") and hasattr(value, "__getitem__"):
        return False, {key: value[key] for key in value.keys()}
    if hasattr(value, "__arrow_c_array__") or hasattr(value, "as_py"):
        return False, value.as_py()
    raise TypeError(f"a value of the type {kind.__module__}.{kind.__qualname__} cannot stand in a record")


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
        if isinstance(value, (numpy.datetime64, numpy.timedelta64, numpy.complexfloating, numpy.void)):
            raise TypeError(f"a value of the type numpy.{type(value).__name__} cannot stand in a record")
        return False, value.item()
    if isinstance(value, numpy.ndarray):
        return False, list(value) if value.ndim else value[()]
    raise TypeError(f"a value of the type numpy.{type(value).__name__} cannot stand in a record")
