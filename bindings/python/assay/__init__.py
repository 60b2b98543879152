"""Assay scores records by rubrics: exact, fast, explained.

    import assay

    rubric = assay.load("judge.rubric")
    verdict = rubric.score({"correctness": 9, "completeness": 8, "safety": 10})
    print(verdict.score, verdict.grade, verdict.why())
    table = rubric.score_many(frame)
"""

from ._core import version as __version__
from ._errors import AssayError, RecordError, RubricError
from ._rubric import Change, Counts, Example, FileImporter, Rubric, compile, diff, load, prompt_frame
from ._verdict import Explanation, Ranking, Verdict

__all__ = [
    "AssayError", "Change", "Cohort", "Counts", "Example", "Explanation", "FileImporter", "FrozenCohort", "Ranking", "RecordError", "Rubric",
    "RubricError", "Verdict", "Verdicts", "__version__", "compile", "diff", "load", "prompt_frame",
]  # fmt: skip


def __getattr__(name: str) -> object:
    if name == "Verdicts":
        from ._table import Verdicts

        return Verdicts
    if name in ("Cohort", "FrozenCohort"):
        from . import _cohort

        return getattr(_cohort, name)
    raise AttributeError(f"module 'assay' has no attribute '{name}'")
