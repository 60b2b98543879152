"""Verdicts and rankings as HTML for notebooks: small tables and bars, without scripts or style sheets."""

from __future__ import annotations

from html import escape
from typing import Any

_CELL = "padding:2px 8px;text-align:left"


def preformatted(text: str) -> str:
    return f"<pre>{escape(text)}</pre>"


def _number(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return repr(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
    return str(value)


def _bar(share: float, color: str) -> str:
    width = max(0.0, min(1.0, share)) * 160
    return (
        f'<svg width="160" height="12" role="img"><rect width="160" height="12" fill="#8883"/>'
        f'<rect width="{width:.1f}" height="12" fill="{color}"/></svg>'
    )


def _rows(dimensions: dict[str, Any], level: int, largest: float) -> list[str]:
    rows = []
    for name, dimension in dimensions.items():
        contribution = dimension.get("contribution")
        share = 0.0 if contribution is None or not largest else float(contribution) / largest
        rows.append(
            f'<tr><td style="{_CELL};padding-left:{8 + 16 * level}px">{escape(name)}</td>'
            f'<td style="{_CELL}">{_number(dimension.get("score"))}</td>'
            f'<td style="{_CELL}">{_number(dimension.get("weight"))}</td>'
            f'<td style="{_CELL}">{_bar(share, "#4a7fb5")} {_number(contribution)}</td></tr>'
        )
        rows += _rows(dimension.get("parts") or {}, level + 1, largest)
    return rows


def verdict(values: dict[str, Any]) -> str:
    dimensions = values.get("dimensions") or {}
    head = [escape(str(values[key])) for key in ("id", "status") if values.get(key) is not None]
    if values.get("score") is not None:
        head.append(f"<b>{_number(values['score'])}</b>")
    if values.get("grade") is not None:
        head.append(escape(str(values["grade"])))
    shares = [float(d["contribution"]) for d in dimensions.values() if d.get("contribution") is not None]
    largest = max(shares, default=0.0)
    rows = _rows(dimensions, 0, largest)
    for kind, sign, color in (("deductions", "-", "#b5544a"), ("bonuses", "+", "#5a9a5a")):
        for step in values.get(kind) or []:
            share = float(step["amount"]) / largest if largest else 1.0
            rows.append(
                f'<tr><td style="{_CELL}">{escape(step["name"])}</td><td></td><td></td>'
                f'<td style="{_CELL}">{_bar(share, color)} {sign}{_number(step["amount"])}</td></tr>'
            )
    flags = "".join(f"<li>{escape(str(flag))}</li>" for flag in values.get("flags") or [])
    header = "".join(f'<th style="{_CELL}">{name}</th>' for name in ("", "score", "weight", "contribution"))
    table = f"<table><tr>{header}</tr>{''.join(rows)}</table>" if rows else ""
    return f"<div><p>{' · '.join(head)}</p>{table}{f'<ul>{flags}</ul>' if flags else ''}</div>"


def ranking(groups: list[list[str]], ineligible: list[str]) -> str:
    rows, place = [], 1
    for group in groups:
        for name in group:
            rows.append(f'<tr><td style="{_CELL}">{place}</td><td style="{_CELL}">{escape(str(name))}</td></tr>')
        place += len(group)
    rows += [f'<tr><td style="{_CELL}">–</td><td style="{_CELL}">{escape(str(name))}</td></tr>' for name in ineligible]
    return f"<table>{''.join(rows)}</table>"


def table(names: list[str], rows: list[dict[str, Any]], total: int) -> str:
    header = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in names)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{escape(_number(row[name]))}</td>' for name in names) + "</tr>"
        for row in rows
    )
    more = f"<p>{len(rows)} of {total} rows</p>" if total > len(rows) else ""
    return f"<table><tr>{header}</tr>{body}</table>{more}"
