"""The exceptions of Assay."""

from __future__ import annotations

TYPE_CHECKING = False  # typing takes longer to import than all of this
if TYPE_CHECKING:
    from typing import Any


def shown(value: Any) -> str:
    """A value of the caller in a message: shortened, whatever its ``repr`` does."""
    from reprlib import repr as short

    return short(value)


class AssayError(ValueError):
    """The base class of the exceptions of Assay."""


class RubricError(AssayError):
    """A rubric does not compile. The text of the exception shows each error with its place and a caret.

    ``diagnostics``: a list of dicts with ``severity``, ``code``, ``message``, ``help`` and ``at`` (``file``, ``line``,
    ``column``, ``length``).
    """

    def __init__(self, rendered: str, diagnostics: list[dict[str, Any]] | None = None) -> None:
        super().__init__(rendered)
        self.diagnostics = diagnostics or []

    def __str__(self) -> str:
        rendered = super().__str__()
        return "\n" + rendered.rstrip("\n") if "\n" in rendered else rendered

    def __reduce__(self) -> tuple[Any, ...]:
        return RubricError, (self.args[0], self.diagnostics)


class RecordError(AssayError):
    """A record, a setting or a request is invalid.

    ``path``: where the error is (``"components[2].severity"``; empty: the whole record). ``code``: the kind of error
    (``"range"``, ``"required"`` …). ``message``: one sentence. ``id``: the id of the rejected record, or None. ``others``:
    the further errors of the record, as dicts with ``path``, ``code`` and ``message``.
    """

    def __init__(
        self, path: str, code: str, message: str, id: str | int | None = None, others: list[dict[str, str]] | None = None
    ) -> None:
        super().__init__(message)
        self.path = path
        self.code = code
        self.message = message
        self.id = id
        self.others = others or []

    def __reduce__(self) -> tuple[Any, ...]:
        return RecordError, (self.path, self.code, self.message, self.id, self.others)
