"""Declarations that are typed only in part: every shipped rubric is cut at many places, to its end or to the end of the line,
and asked everything there. No request may fail, what is answered has to lie within the text, declarations before the cut
stay in the outline, and a name of which the first letters are typed is proposed."""

import os
import pathlib
import random

import pytest
from client import Client

ASSAY = os.environ["ASSAY"]
ROUNDS = int(os.environ.get("ASSAY_LSP_ROUNDS", "40"))
RUBRICS = pathlib.Path(__file__).parent.parent.parent / "rubrics"
FILES = sorted(RUBRICS.glob("**/*.rubric"))
NAMES = {"property", "variable", "parameter", "function"}  # tokens that are names of values
REQUEST_FAILED = -32803  # told to the user: a name that cannot be renamed, a text that cannot be formatted


@pytest.fixture
def client():
    with Client([ASSAY, "lsp"], {"textDocument": {
        "codeAction": {"codeActionLiteralSupport": {}},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}) as made:
        yield made


def position(text, offset):
    line = text.count("\n", 0, offset)
    return {"line": line, "character": len(text[text.rfind("\n", 0, offset) + 1:offset].encode("utf-16-le")) // 2}


def ask(client, method, uri, **params):
    message = client.finish(client.begin("textDocument/" + method, {"textDocument": {"uri": uri}, **params}))
    if "error" in message:
        assert message["error"]["code"] == REQUEST_FAILED and message["error"]["message"], (method, message)
        return None
    return message["result"]


def inside(lines, place):
    """Whether a place of the protocol is one of the text."""
    return place["line"] < len(lines) and place["character"] <= len(lines[place["line"]].encode("utf-16-le")) // 2


def check_ranges(value, lines):
    """Every range anywhere in an answer is within the text and not backwards."""
    if isinstance(value, list):
        for one in value:
            check_ranges(one, lines)
    elif isinstance(value, dict):
        if set(value) >= {"start", "end"} and isinstance(value["start"], dict):
            start, end = value["start"], value["end"]
            assert inside(lines, start) and inside(lines, end), value
            assert (start["line"], start["character"]) <= (end["line"], end["character"]), value
        for one in value.values():
            check_ranges(one, lines)


def decoded(data, legend, lines):
    """Semantic tokens as (line, character, length, type, declares): in order, within their lines, none over another."""
    found, line, character, last = [], 0, 0, (0, 0)
    for i in range(0, len(data), 5):
        character = data[i + 1] if data[i] else character + data[i + 1]
        line += data[i]
        assert (line, character) >= last and inside(lines, {"line": line, "character": character + data[i + 2]})
        last = (line, character + data[i + 2])
        found.append((line, character, data[i + 2], legend[data[i + 3]], data[i + 4] & 1))
    return found


def flat(symbols, found=None):
    found = [] if found is None else found
    for symbol in symbols:
        found.append(symbol)
        flat(symbol.get("children", []), found)
    return found


def ask_everything(client, uri, text, cut, legend):
    lines = text.split("\n")
    place = position(text, cut)
    at = {"start": place, "end": place}
    answers = {method: ask(client, method, uri, position=place) for method in
               ("completion", "hover", "definition", "documentHighlight", "signatureHelp", "prepareRename")}
    answers["rename"] = ask(client, "rename", uri, position=place, newName="a_fresh_name")
    answers["references"] = ask(client, "references", uri, position=place, context={"includeDeclaration": True})
    answers["selection"] = ask(client, "selectionRange", uri, positions=[place])
    answers["actions"] = ask(client, "codeAction", uri, range=at, context={"diagnostics": []})
    answers["hints"] = ask(client, "inlayHint", uri,
                           range={"start": {"line": 0, "character": 0}, "end": position(text, len(text))})
    for method in ("documentSymbol", "codeLens", "documentLink", "diagnostic", "formatting"):
        answers[method] = ask(client, method, uri, **({"options": {"tabSize": 2, "insertSpaces": True}}
                                                      if method == "formatting" else {}))
    # What an action writes lies in this text; a place in another file has lines of its own.
    for method, answer in answers.items():
        if method not in ("definition", "references", "rename"):
            check_ranges(answer, lines)
    decoded(ask(client, "semanticTokens/full", uri)["data"], legend, lines)
    for fold in ask(client, "foldingRange", uri):
        assert fold["startLine"] < fold["endLine"] < len(lines), fold
    return answers


def before(symbols, line):
    """Names of the declarations of a rubric that end before a line, with what they are part of."""
    return [s["name"] for top in symbols for s in top.get("children", []) if s["range"]["end"]["line"] < line]


def test_half_a_declaration_at_every_place(client):
    source = random.Random(5)
    legend = client.initialized["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
    proposed = missed = 0
    missing = []
    for path in FILES:
        text, uri = path.read_text(), path.as_uri()
        client.open(uri, text)
        lines = text.split("\n")
        whole = ask(client, "documentSymbol", uri)
        tokens = decoded(ask(client, "semanticTokens/full", uri)["data"], legend, lines)
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        names = [t for t in tokens if t[3] in NAMES and not t[4] and t[2] > 2 and lines[t[0]].isascii()]
        rounds = max(2, ROUNDS // 16)
        cuts = [(source.randrange(len(text) + 1), None) for _ in range(rounds)]
        for line, character, length, _, _ in source.sample(names, min(len(names), rounds)):
            cuts.append((starts[line] + character + source.randrange(2, length), lines[line][character:character + length]))
        for version, (cut, name) in enumerate(cuts):
            end_of_line = text.find("\n", cut)
            rest = "" if source.random() < 0.5 or end_of_line < 0 else text[end_of_line:]
            half = text[:cut] + rest
            client.notify("textDocument/didChange",
                          {"textDocument": {"uri": uri, "version": version + 2}, "contentChanges": [{"text": half}]})
            answers = ask_everything(client, uri, half, cut, legend)
            listed = {s["name"] for s in flat(answers["documentSymbol"])}
            lost = [n for n in before(whole, text.count("\n", 0, cut)) if n not in listed]
            assert lost == [], (path.name, half[max(0, cut - 60):cut], lost)
            if name is not None:
                proposed += 1
                if name not in [item["label"] for item in answers["completion"]["items"]]:
                    missed += 1
                    missing.append((path.name, name, half[max(0, cut - 60):cut]))
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    # Keys of maps are data, and some values have no type before their line is whole.
    assert missed * 8 <= proposed, missing
    if os.environ.get("ASSAY_LSP_SHOW"):
        print(proposed, missed, *missing, sep="\n")
