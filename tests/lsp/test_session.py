"""An hour of an author, by script: every code action, lens, hint and rename at every place of shipped rubrics, and the fixes of
common mistakes in them. Each edit is applied, and what comes out has to be what the action promises: a rubric that `assay
check` accepts, whose examples hold."""

import os
import pathlib
import re
import subprocess

import pytest
from client import Client

ASSAY = os.environ["ASSAY"]
ROOT = pathlib.Path(__file__).parent.parent.parent / "rubrics"
RUBRICS = ["judge/judge", "patch/patch", "gallery/gradebook/gradebook"]
LONG = "ASSAY_LSP_ROUNDS" in os.environ


@pytest.fixture
def client():
    resolves = {"codeActionLiteralSupport": {}, "dataSupport": True, "resolveSupport": {"properties": ["edit"]}}
    with Client([ASSAY, "lsp"], {"textDocument": {"codeAction": resolves}, "general": {"positionEncodings": ["utf-8"]}}) as made:
        yield made


def place(text, offset):
    before = text.encode()[:offset] if isinstance(text, str) else text[:offset]
    return {"line": before.count(b"\n"), "character": offset - (before.rfind(b"\n") + 1)}


def offset(data, position):
    lines = data.split(b"\n")
    return sum(len(line) + 1 for line in lines[: position["line"]]) + position["character"]


def applied(text, edits):
    data = text.encode()
    for edit in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
        data = data[: offset(data, edit["range"]["start"])] + edit["newText"].encode() + data[offset(data, edit["range"]["end"]) :]
    return data.decode()


def run(path, text, verb):
    copy = path.with_name(path.stem + ".tried.rubric")
    copy.write_text(text)
    ran = subprocess.run([ASSAY, verb, copy], capture_output=True, text=True)
    copy.unlink()
    return ran.returncode, ran.stdout + ran.stderr


def actions(client, uri, begin, end, found=()):
    return client.request("textDocument/codeAction", {
        "textDocument": {"uri": uri}, "range": {"start": begin, "end": end}, "context": {"diagnostics": list(found)}})


def edits_of(client, action, uri):
    """None: the search for a record found none, and says so."""
    if "edit" not in action:
        message = client.finish(client.begin("codeAction/resolve", action))
        if "error" in message:
            assert message["error"]["code"] == -32803 and "no record" in message["error"]["message"], message
            return None
        action = message["result"]
    assert list(action["edit"]["changes"]) == [uri]
    return action["edit"]["changes"][uri]


@pytest.fixture(params=RUBRICS)
def opened(request, client, tmp_path):
    source = ROOT / (request.param + ".rubric")
    for beside in source.parent.iterdir():  # what it imports
        if beside.is_file():
            (tmp_path / beside.name).write_bytes(beside.read_bytes())
    path = tmp_path / source.name
    uri = path.as_uri()
    client.open(uri, path.read_text())
    assert client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"] == []
    return path, uri, path.read_text()


def test_every_refactoring_gives_a_rubric_that_checks(client, opened):
    path, uri, text = opened
    data, seen, searches = text.encode(), {}, 0
    whole = [(m.start(), m.start()) for m in re.finditer(rb"\b[a-z_]\w*", data)]
    whole += [(m.start(1), m.end(1)) for m in re.finditer(rb"= *([^\n\"{}]*[^\s\"{}])", data)]
    for begin, end in whole[:: 1 if LONG else 3]:
        for action in actions(client, uri, place(data, begin), place(data, end)):
            key = action["title"] + str(action.get("edit") or action["data"]["row"]["start"]["line"])
            if key in seen:
                continue
            searches += "edit" not in action
            if "edit" not in action and searches > 3 and not LONG:
                continue
            edits = edits_of(client, action, uri)
            seen[key] = action["title"]
            if edits is None:
                continue
            result = applied(text, edits)
            code, told = run(path, result, "check")
            assert code == 0, (action["title"], told)
            code, told = run(path, result, "test")
            assert code == 0, (action["title"], told)
    assert len(set(seen.values())) >= 1, seen


def test_lenses_hints_and_renames(client, opened):
    path, uri, text = opened
    document = {"textDocument": {"uri": uri}}
    examples = [lens["command"] for lens in client.request("textDocument/codeLens", document)]
    assert any("hold" in lens["title"] for lens in examples)
    whole = {**document, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 10**6, "character": 0}}}
    for command in examples:
        if command["command"]:
            client.request("workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]})
        for hint in client.request("textDocument/inlayHint", whole):
            assert hint["label"].strip() and hint["position"]["line"] < text.count("\n")
    places = [m.end() - 1 for m in re.finditer(rb"^  +(?:let|input|dimension|table|output|bands|fn) +\w+", text.encode(), re.M)]
    for at in places[:: 1 if LONG else 4]:
        message = client.finish(client.begin("textDocument/rename", {**document, "position": place(text, at), "newName": "another_name"}))
        if "error" in message:
            assert message["error"]["code"] == -32803 and len(message["error"]["message"]) > 10, message
            continue
        changes = message["result"]["changes"]
        code, told = run(path, applied(text, changes[uri]), "check")
        assert code == 0, (told, at)


MISTAKES = [  # a pattern of what is written, and what somebody writes instead
    (rb" and ", b" && "), (rb" when ", b" if "), (rb"(dimension \w+ .*?weight )(\d)", rb"\g<1>1\2"), (rb"\n    \| [^\n]*\|(?=\n  \})", b""),
    (rb"(= *)(\w{5,})\b(?= *[*+<>(-])", rb"\1\2z"), (rb"clamp\(", b"clampp("), (rb"(\n  scale)", rb"\n  input never_used: number\1"),
    (rb">= ", b"=> "), (rb"\n  scale [^\n]*", b""), (rb"(let \w+) =", rb"\1 :="),
]


def test_the_fixes_of_common_mistakes_remove_them(client, opened):
    path, uri, text = opened
    data, version, fixes, broken = text.encode(), 2, 0, 0

    def found_in(now):
        nonlocal version
        version += 1
        client.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": now}]})
        return client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]

    for pattern, instead in MISTAKES:
        wrong, count = re.subn(pattern, instead, data, count=1)
        if not count:
            continue
        wrong = wrong.decode()
        found = found_in(wrong)
        broken += bool(found)
        for one in found:
            offered = actions(client, uri, one["range"]["start"], one["range"]["end"], [one])
            for action in [a for a in offered if a["kind"] == "quickfix"]:
                mended = applied(wrong, edits_of(client, action, uri))
                left = found_in(mended)
                same = [d for d in left if (d["code"], d["message"]) == (one["code"], one["message"])]
                before = [d for d in found if (d["code"], d["message"]) == (one["code"], one["message"])]
                assert len(same) < len(before), (pattern, action["title"], left)
                fixes += 1
                found_in(wrong)
    assert broken >= 2 and fixes >= 1, (broken, fixes)
