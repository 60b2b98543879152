"""Protocol errors, the life cycle, positions, and sequences of edits."""

import json
import os
import pathlib
import random
import re

import pytest
from client import Client

ASSAY = os.environ["ASSAY"]
ROUNDS = int(os.environ.get("ASSAY_LSP_ROUNDS", "40"))
RUBRICS = pathlib.Path(__file__).parent.parent.parent / "rubrics"
URI = "file:///tmp/fuzz/demo.rubric"


@pytest.fixture
def client():
    with Client([ASSAY, "lsp"]) as made:
        yield made


def error_of(client, method, params):
    return client.finish(client.begin(method, params))["error"]["code"]


def test_exit_after_shutdown_is_0_and_without_it_1():
    assert Client([ASSAY, "lsp"]).close() == 0
    client = Client([ASSAY, "lsp"])
    client.notify("exit", None)
    assert client.process.wait(10) == 1
    client = Client([ASSAY, "lsp"])
    client.process.stdin.close()
    assert client.process.wait(10) == 1


def test_requests_before_initialize_and_after_shutdown_are_refused():
    client = Client([ASSAY, "lsp"], start=False)
    assert error_of(client, "textDocument/hover", {}) == -32002
    client.notify("textDocument/didOpen", {})
    client.request("initialize", {"capabilities": {}})
    assert error_of(client, "initialize", {"capabilities": {}}) == -32600
    client.request("shutdown", None)
    assert error_of(client, "textDocument/hover", {}) == -32600
    client.notify("exit", None)
    assert client.process.wait(10) == 0


def test_faults_are_errors_and_never_the_end(client):
    assert error_of(client, "no/such", {}) == -32601
    assert error_of(client, "textDocument/hover", {}) == -32602
    assert error_of(client, "textDocument/hover", {"textDocument": {"uri": URI}}) == -32602
    assert error_of(client, "textDocument/hover", [1]) == -32602
    assert error_of(client, "textDocument/didOpen", {}) == -32600
    client.open(URI, "rubric r { }\n")
    for line, character in ((-1, 0), (0, -5), (0.5, 0), ("0", 0)):
        params = {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}
        assert error_of(client, "textDocument/hover", params) == -32602
    far = {"textDocument": {"uri": URI}, "position": {"line": 10**9, "character": 10**9}}
    assert client.request("textDocument/hover", far) is None
    for body in (b"{", b"[]", b"null", b'{"jsonrpc":"2.0","id":{},"method":"x"}', b'{"id":1}', b'"\\ud800"', b"\xff"):
        client.send_raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        while True:
            answer = client.receive()
            if "error" in answer:
                break
        assert answer["error"]["code"] in (-32700, -32600)
    deep = b'{"jsonrpc":"2.0","id":' + b"[" * 500000 + b"]" * 500000 + b"}"
    client.send_raw(b"Content-Length: %d\r\n\r\n" % len(deep) + deep)
    assert client.finish(None)["error"]["code"] == -32700
    client.notify("no/such/notification", {})
    client.notify("textDocument/didChange", {"textDocument": {"uri": "file:///not/open"}, "contentChanges": []})
    assert client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}}) is not None


def test_a_header_without_a_length_ends_the_session_with_an_error():
    client = Client([ASSAY, "lsp"])
    client.send_raw(b"Nonsense: 1\r\n\r\n")
    assert client.receive()["error"]["code"] == -32700
    assert client.process.wait(10) == 1


def test_a_cancelled_request_is_answered_as_cancelled(client):
    client.open(URI, (RUBRICS / "judge" / "judge.rubric").read_text())
    body = b""
    for message in (
        {"jsonrpc": "2.0", "id": 71, "method": "textDocument/documentSymbol", "params": {"textDocument": {"uri": URI}}},
        {"jsonrpc": "2.0", "id": 72, "method": "textDocument/documentSymbol", "params": {"textDocument": {"uri": URI}}},
        {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 72}},
    ):
        text = json.dumps(message).encode()
        body += b"Content-Length: %d\r\n\r\n" % len(text) + text
    client.send_raw(body)
    assert "result" in client.finish(71)
    assert client.finish(72)["error"]["code"] == -32800


def test_positions_are_utf_16_or_utf_8_as_agreed():
    text = 'rubric r {\n  # \U0001f600\u00e9\n  output a = "\U0001f600" + later\n  let later = "x"\n}\n'
    for encodings, character in ((None, 20), (["utf-8", "utf-16"], 22), (["utf-16"], 20)):
        capabilities = {"general": {"positionEncodings": encodings}} if encodings else {}
        client = Client([ASSAY, "lsp"], capabilities)
        expected = "utf-8" if encodings and "utf-8" in encodings else "utf-16"
        assert client.initialized["capabilities"]["positionEncoding"] == expected
        client.open(URI, text)
        place = {"textDocument": {"uri": URI}, "position": {"line": 2, "character": character}}
        found = client.request("textDocument/definition", place)
        assert found["range"]["start"] == {"line": 3, "character": 6}
        edit = {"range": {"start": {"line": 2, "character": character}, "end": {"line": 2, "character": character + 5}}}
        client.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{**edit, "text": "later"}]},
        )
        assert client.request("textDocument/definition", place) == found
        assert client.close() == 0


URIS = [
    "file:///tmp/a%20b/demo.rubric",
    "file:///tmp/a b/demo.rubric",
    "file://localhost/tmp/demo.rubric",
    "file:///c%3A/work/demo.rubric",
    "file:///C:/work/%C3%BC/demo.rubric",
    "file:///tmp/\u00fc[1]{2}/demo.rubric",
    "untitled:Untitled-1",
    "vscode-remote://ssh-remote%2Bhost/demo.rubric",
    "vscode-notebook-cell:/tmp/demo.ipynb#W0sZmlsZQ%3D%3D",
]


@pytest.mark.parametrize("uri", URIS)
def test_a_client_reads_its_own_spelling_of_a_uri(client, uri):
    text = 'rubric r {\n  input x: number 0..1\n  output a = x\n  output b = later\n}\n'
    client.open(uri, text)
    assert [d["code"] for d in client.wait_published(uri)] == ["E0301"]
    place = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 13}}
    assert client.request("textDocument/definition", place)["uri"] == uri
    assert list(client.request("textDocument/rename", {**place, "newName": "y"})["changes"]) == [uri]
    assert {found["uri"] for found in client.request("textDocument/references", place)} == {uri}
    assert client.request("workspace/diagnostic", {"previousResultIds": []})["items"][0]["uri"] == uri
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.open(uri, text.replace("later", "x"))
    assert client.wait_published(uri) == []


def test_null_is_as_good_as_nothing(client):
    client.open(URI, "rubric r {\n  output a = 1\n}\n")
    place = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 10}}
    assert len(client.request("textDocument/references", {**place, "context": None, "workDoneToken": None})) == 1
    range_ = {"start": place["position"], "end": place["position"]}
    assert client.request("textDocument/codeAction", {**place, "range": range_, "context": None}) == []
    changes = [{"range": None, "text": "rubric r {\n  output b = 1\n}\n"}]
    document = {"uri": URI, "version": None}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})
    assert client.request("textDocument/documentSymbol", place)[1]["name"] == "b"


def test_a_missing_parameter_is_named(client):
    client.open(URI, "rubric r { }\n")
    error = client.finish(client.begin("textDocument/hover", {"textDocument": {"uri": URI}}))["error"]
    assert error == {"code": -32602, "message": "params: key 'position' not found"}


def test_diagnostics_are_pulled_by_clients_that_pull():
    client = Client([ASSAY, "lsp"], {"textDocument": {"diagnostic": {}}})
    client.open(URI, "rubric r {\n  output x = y\n}\n")
    report = client.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})
    assert report["kind"] == "full" and report["items"][0]["code"] == "E0301"
    whole = client.request("workspace/diagnostic", {"previousResultIds": []})
    assert whole["items"][0]["uri"] == URI and whole["items"][0]["items"] == report["items"]
    assert client.close() == 0 and client.published == {}


def test_a_broken_text_is_answered_from_the_last_good_one(client):
    text = "rubric r {\n  input size: number 0..9 \"How large\"\n  output double = size * 2\n}\n"
    client.open(URI, text)
    client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    end = {"line": 2, "character": 26}
    client.notify(
        "textDocument/didChange",
        {
            "textDocument": {"uri": URI, "version": 2},
            "contentChanges": [{"range": {"start": end, "end": end}, "text": "\n  output more = (si"}],
        },
    )
    place = {"textDocument": {"uri": URI}, "position": {"line": 3, "character": 19}}
    labels = [item["label"] for item in client.request("textDocument/completion", place)["items"]]
    assert "size" in labels


# ---- every sequence of edits gives the same answers as opening the final text

TEXTS = [(RUBRICS / name / f"{name}.rubric").read_text() for name in ("judge", "patch", "skill")]
PIECES = ["{", "}", "(", ")", '"', "|", "\n", " ", "#", "let x = 1\n", "output y = score\n", "\u00e9", "\U0001f600", "0", ".", ",",
          "when", "input late: bool\n", "\r\n", "scale 0..10", "weight 5%"]


def answers(client, uri):
    """The answers that must not depend on earlier texts."""
    document = {"textDocument": {"uri": uri}}
    found = {
        name: client.request(name, document)
        for name in (
            "textDocument/documentSymbol",
            "textDocument/semanticTokens/full",
            "textDocument/foldingRange",
            "textDocument/diagnostic",
            "textDocument/codeLens",
            "textDocument/documentLink",
        )
    }
    for line in (3, 11, 20):
        place = {**document, "position": {"line": line, "character": 14}}
        found[f"hover {line}"] = client.request("textDocument/hover", place)
        found[f"definition {line}"] = client.request("textDocument/definition", place)
        found[f"highlight {line}"] = client.request("textDocument/documentHighlight", place)
        found[f"selection {line}"] = client.request(
            "textDocument/selectionRange", {**document, "positions": [place["position"]]}
        )
    return found


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


def position(text, offset):
    line = text.count("\n", 0, offset)
    return {"line": line, "character": utf16(text[text.rfind("\n", 0, offset) + 1 : offset])}


def test_any_sequence_of_edits_ends_as_if_the_text_had_been_opened(client):
    source = random.Random(20)
    for round_ in range(ROUNDS):
        text = source.choice(TEXTS)
        client.open(URI, text)
        for version in range(source.randrange(1, 6)):
            changes = []
            for _ in range(source.randrange(1, 4)):
                begin = source.randrange(len(text) + 1)
                end = min(len(text), begin + source.choice([0, 0, 1, 5, 60]))
                # Not within a line end of two characters, which has no position.
                while begin > 0 and text[begin - 1] == "\r":
                    begin -= 1
                while end < len(text) and end > 0 and text[end - 1] == "\r":
                    end += 1
                end = max(begin, end)
                piece = source.choice(PIECES) if source.random() < 0.8 else text[begin : begin + 30]
                piece = piece.replace("\r\n", "\n") if "\r" not in text else piece.replace("\r\n", "\n")
                changes.append({"range": {"start": position(text, begin), "end": position(text, end)}, "text": piece})
                text = text[:begin] + piece + text[end:]
            client.notify(
                "textDocument/didChange",
                {"textDocument": {"uri": URI, "version": version + 2}, "contentChanges": changes},
            )
            if source.random() < 0.5:
                client.request("textDocument/completion", {"textDocument": {"uri": URI}, "position": position(text, source.randrange(len(text) + 1))})
        edited = answers(client, URI)
        client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        client.open(URI, text)
        assert answers(client, URI) == edited, f"round {round_}"
        client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})


def test_every_question_at_every_place_of_a_rubric_is_answered(client):
    source = random.Random(4)
    for name in sorted(p for p in RUBRICS.glob("**/*.rubric")):
        text = name.read_text()
        uri = name.as_uri()
        client.open(uri, text)
        whole = {"start": {"line": 0, "character": 0}, "end": position(text, len(text))}
        for method in ("codeLens", "documentSymbol", "foldingRange", "documentLink", "semanticTokens/full", "diagnostic"):
            client.request("textDocument/" + method, {"textDocument": {"uri": uri}})
        client.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": whole})
        for _ in range(6):
            place = position(text, source.randrange(len(text)))
            for method in ("completion", "hover", "definition", "documentHighlight", "signatureHelp", "prepareRename"):
                client.request("textDocument/" + method, {"textDocument": {"uri": uri}, "position": place})
            client.request(
                "textDocument/codeAction",
                {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}},
            )
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def test_renaming_any_name_keeps_a_rubric_and_renaming_it_back_gives_the_text():
    """Each name is renamed to a new one: the result has no new problem, and renaming it back restores every byte."""
    client = Client([ASSAY, "lsp"])
    source = random.Random(9)
    refused = done = 0
    for name in ("judge", "patch", "skill"):
        text = (RUBRICS / name / f"{name}.rubric").read_text()
        client.open(URI, text)
        tokens = client.request("textDocument/semanticTokens/full", {"textDocument": {"uri": URI}})["data"]
        places, line, character = [], 0, 0
        for i in range(0, len(tokens), 5):
            line, character = line + tokens[i], tokens[i + 1] if tokens[i] else character + tokens[i + 1]
            if tokens[i + 4] & 1:
                places.append({"line": line, "character": character})
        for place in source.sample(places, min(len(places), max(4, ROUNDS // 4))):
            message = client.finish(client.begin("textDocument/rename", {"textDocument": {"uri": URI}, "position": place, "newName": "a_fresh_name"}))
            if "error" in message:
                refused += 1
                continue
            done += 1
            edits = message["result"]["changes"][URI]
            client.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": 2}, "contentChanges": sorted(
                ({"range": e["range"], "text": e["newText"]} for e in edits),
                key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True)})
            found = client.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})["items"]
            assert [d for d in found if d["severity"] == 1] == [], (name, place, found[:2])
            client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
            client.open(URI, text)
        client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert done > 0 and refused * 10 <= done, (done, refused)
    client.close()


NAMED = """type part = { name: text, share: number 0..1 }
fn twice(amount) = amount * 2
table step(kind) {
  | kind | gain |
  | "a"  | 1    |
  | "b"  | 2    |
}
rubric named "Every kind of name" {
  scale 0..100 decimals 1
  input kind: one of ("a", "b")
  input parts: list of part
  input done: bool default false
  gate finished = done "It is finished"
  let shares = [p.share for p in parts]
  let base = sum(shares) * 40
  dimension content weight 60% "The content" = clamp(base + twice(step(kind).gain), 0..100)
  dimension form weight 40% "The form"
  output early = base when done else 0
  output both = { base, content } decimals 1
  context strict { weight content 80% weight form 20% }
  bands grade(score) {
    | score | grade |
    | >= 50 | "good" |
    | >= 0 | "poor" |
  }
  flag late when not done "base is late"
  example "one" {
    given { kind: "a", parts: [{ name: "x", share: 0.5 }], form: 50 }
    expect { early: 0, grade: "poor", dimensions: { content: { score: 24 } } }
  }
}
"""


def test_renaming_to_a_word_of_the_language_changes_no_diagnostics(client):
    """The server answers most renames without a trial: no word may make the text mean something else."""
    words = set()
    for table in sorted((RUBRICS.parent / "lang").glob("**/*.def")) + sorted((RUBRICS.parent / "lang").glob("syntax/*.hpp")):
        words |= set(re.findall(r"[A-Za-z_][A-Za-z_0-9]{1,20}", table.read_text()))
    words = sorted(words) + ["fresh", "base", "content", "twice", "gain", "late", "poor", "x", "é", "9a", ""]
    source = random.Random(11)
    text = NAMED
    document = {"textDocument": {"uri": URI}}

    def diagnosed():
        found = client.request("textDocument/diagnostic", document)["items"]
        return sorted(d["code"] for d in found)

    client.open(URI, text)
    before = diagnosed()
    places = [m.start(1) for m in re.finditer(r"(?:fn|table|input|type|gate|let|dimension|output|context|bands|\(|for) ?([a-z]+)", text)]
    places = [p for p in places if client.request("textDocument/prepareRename", {**document, "position": position(text, p)})]
    assert len(places) > 15
    version, done = 1, 0
    for place in places:
        for word in source.sample(words, min(len(words), max(6, ROUNDS // 4))):
            message = client.finish(client.begin("textDocument/rename", {**document, "position": position(text, place), "newName": word}))
            if "error" in message or not message["result"]["changes"]:
                continue
            done += 1
            edits = sorted(message["result"]["changes"][URI], key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True)
            client.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": (version := version + 1)}, "contentChanges": [
                {"range": e["range"], "text": e["newText"]} for e in edits]})
            assert diagnosed() == before, (text[place : place + 12], word)
            client.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": (version := version + 1)}, "contentChanges": [{"text": text}]})
    assert done > len(places)


@pytest.mark.parametrize("place", [(2, 8), (3, 12), (4, 28)])
def test_renaming_a_judged_dimension_renames_the_input_of_its_name(client, place):
    text = """rubric r {
  scale 0..10
  input tone: number 0..10 measured "The tone of it"
  dimension tone weight 1
  example "one" { given { tone: 3 } expect { score: 3 } }
}
"""
    client.open(URI, text)
    document = {"textDocument": {"uri": URI}}
    edits = client.request("textDocument/rename", {**document, "position": {"line": place[0], "character": place[1]}, "newName": "manner"})
    assert sorted(e["range"]["start"]["line"] for e in edits["changes"][URI]) == [2, 3, 4]
