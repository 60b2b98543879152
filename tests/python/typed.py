"""What a type checker knows of the package: read by mypy, never run."""

from decimal import Decimal

import assay

rubric: assay.Rubric = assay.load("judge.rubric", numbers="decimal", hooks={"f": max})
verdict: assay.Verdict = rubric.score({"correctness": Decimal(9)}, context=["strict"], weights={"safety": 0.3})
why: assay.Explanation = verdict.why("score")
ranking: assay.Ranking = rubric.rank([{"id": "a"}])
groups: list[list[str]] = ranking.groups
changes: list[assay.Change] = assay.diff(rubric, rubric)
text: str = verdict.json + why
many = rubric.score_many([{"id": "a"}], progress=lambda done: None)
if isinstance(many, assay.Counts):
    refused: int = many.rejected
