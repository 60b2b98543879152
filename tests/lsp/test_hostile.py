"""Clients that are hostile or sloppy: the wrong order, places that do not exist, files that vanish, floods. Each request gets
one clear answer, and the session goes on."""

import json
import os
import pathlib
import random
import threading

import pytest
from client import Client

ASSAY = os.environ["ASSAY"]
ROUNDS = int(os.environ.get("ASSAY_LSP_ROUNDS", "40"))
RUBRICS = pathlib.Path(__file__).parent.parent.parent / "rubrics"
JUDGE = (RUBRICS / "judge" / "judge.rubric").read_text()
URI = "file:///tmp/hostile/demo.rubric"
ASKED = {
    "completion": {}, "hover": {}, "definition": {}, "references": {"context": {}}, "documentHighlight": {}, "prepareRename": {},
    "rename": {"newName": "other"}, "signatureHelp": {}, "documentSymbol": {}, "semanticTokens/full": {}, "foldingRange": {},
    "selectionRange": {}, "documentLink": {}, "codeLens": {}, "inlayHint": {}, "codeAction": {"context": {"diagnostics": []}},
    "diagnostic": {}, "formatting": {"options": {"tabSize": 2, "insertSpaces": True}},
    "rangeFormatting": {"options": {"tabSize": 2, "insertSpaces": True}},
}


@pytest.fixture
def client():
    with Client([ASSAY, "lsp"], {"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}}) as made:
        yield made


def framed(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def params(uri, place):
    return {"textDocument": {"uri": uri}, "position": place, "positions": [place], "range": {"start": place, "end": place}}


def resident(client):
    with open(f"/proc/{client.process.pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024


def lives(client):
    client.open(URI, JUDGE)
    assert client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})


PLACES = [0, -1, 1, 7, 2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1, 2**63, 2**64 - 1, 2**64, -(2**63), 0.5, 1e300, None, "1", [], {}, True]


def test_every_request_at_impossible_places_has_one_answer(client):
    client.open(URI, JUDGE)
    for method, more in ASKED.items():
        for line in PLACES:
            for character in (0, line):
                message = client.finish(client.begin("textDocument/" + method, {**params(URI, {"line": line, "character": character}), **more}))
                assert ("result" in message) != ("error" in message), (method, line, message)
                if "error" in message:
                    assert message["error"]["code"] in (-32602, -32803) and message["error"]["message"], (method, line, message)
    lives(client)


def test_edits_at_impossible_places_change_nothing_or_the_end(client):
    client.open(URI, "rubric r {\n  let x = 1\n}\n")
    for start in PLACES:
        for end in (0, 2**40, start):
            client.notify("textDocument/didChange", {
                "textDocument": {"uri": URI, "version": 2},
                "contentChanges": [{"range": {"start": {"line": start, "character": 0}, "end": {"line": end, "character": end}}, "text": "#"}]})
    client.notify("textDocument/didChange", {"textDocument": {"uri": URI}, "contentChanges": [{"text": 5}, {}, None, []]})
    client.notify("textDocument/didChange", {"textDocument": {"uri": URI}, "contentChanges": "all"})
    lives(client)


def test_places_inside_a_pair_of_utf_16(client):
    text = 'rubric r {\n  let x = "\U0001d11e\U0001d11e" "\u00e4\U0001f600"\n  output o = x\n}\n'
    client.open(URI, text)
    for character in range(30):
        for method, more in ASKED.items():
            message = client.finish(client.begin("textDocument/" + method, {**params(URI, {"line": 1, "character": character}), **more}))
            assert "result" in message or message["error"]["code"] == -32803, message
    for start in range(8, 24):  # an edit that cuts a pair: the text stays UTF-8
        place = {"line": 1, "character": start}
        client.notify("textDocument/didChange", {
            "textDocument": {"uri": URI, "version": start}, "contentChanges": [{"range": {"start": place, "end": place}, "text": "\U0001f600"}]})
        message = client.finish(client.begin("textDocument/formatting", {"textDocument": {"uri": URI}, "options": {}}))
        assert "result" in message or message["error"]["code"] == -32803, message
    body = json.dumps({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
        "textDocument": {"uri": URI, "version": 9}, "contentChanges": [{"text": "rubric r { # \ud834 }"}]}}).encode()
    client.send_raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    assert client.finish(None)["error"]["code"] == -32700  # half of a pair is no text
    lives(client)


def test_ids_of_any_size_come_back_as_they_were(client):
    for one in (0, -1, 2**53, 2**63 - 1, -(2**63), "", "x" * 10_000, "\U0001f600", "1"):
        client.send_raw(framed({"id": one, "method": "workspace/symbol", "params": {"query": ""}}))
        assert client.finish(one)["result"] == []
    for one in (1.5, [1], {"a": 1}, True):
        client.send_raw(framed({"id": one, "method": "workspace/symbol", "params": {"query": ""}}))
        assert client.finish(None)["error"]["code"] == -32600
    lives(client)


def test_unknown_uris_folders_and_files_that_vanish(client, tmp_path):
    folder, file = tmp_path / "folder.rubric", tmp_path / "gone.rubric"
    folder.mkdir()
    file.write_text("rubric gone {\n  let shared = 1\n}\n")
    (tmp_path / "bytes.rubric").write_bytes(b"rubric b {\n  let x = \"\xff\xfe\"\n}\n")
    os.mkfifo(tmp_path / "pipe.rubric")
    uri = (tmp_path / "main.rubric").as_uri()
    imports = "".join(f'import "{name}"\n' for name in ("gone.rubric", "folder.rubric", "bytes.rubric", "pipe.rubric", "none.rubric"))
    client.open(uri, imports + "rubric main extends gone {\n  let y = shared\n}\n")
    assert client.wait_published(uri)
    file.unlink()
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": file.as_uri(), "type": 3}]})
    assert client.request("textDocument/definition", params(uri, {"line": 6, "character": 11})) is None
    for strange in ("", "file:", "file://", "file:///", "untitled:Untitled-1", "http://x/y.rubric", "file:///%", "file:///%zz%00",
                    tmp_path.as_uri(), "x" * 100_000, "\U0001f600"):
        for method, more in ASKED.items():
            message = client.finish(client.begin("textDocument/" + method, {**params(strange, {"line": 0, "character": 0}), **more}))
            assert message["error"]["code"] == -32602, (strange[:50], method, message)
        client.open(strange, "rubric r {\n  import \"x\"\n  let x = y\n}\n")
        assert client.finish(client.begin("textDocument/documentSymbol", {"textDocument": {"uri": strange}}))["result"]
        client.notify("textDocument/didClose", {"textDocument": {"uri": strange}})
    lives(client)


def test_messages_in_any_order():
    source = random.Random(5)
    for _ in range(max(4, ROUNDS // 4)):
        client = Client([ASSAY, "lsp"], start=False)
        asked = []
        for i in range(60):
            kind = source.choice(["initialize", "initialized", "shutdown", "textDocument/didOpen", "textDocument/didClose", "textDocument/didChange",
                                  "textDocument/hover", "workspace/diagnostic", "$/cancelRequest", "no/such", "textDocument/diagnostic"])
            if kind == "shutdown" and i < 40:
                continue
            message = {"method": kind, "params": source.choice([
                {"capabilities": {}}, {}, {"textDocument": {"uri": URI, "version": 1, "text": JUDGE}, "position": {"line": 3, "character": 8}},
                {"id": i - 1}, None])}
            if source.random() < 0.6:
                message["id"] = i
                asked.append(i)
            client.send_raw(framed(message))
        client.send_raw(framed({"method": "exit"}))
        answers = []
        while (message := client.receive()) is not None:
            if "method" not in message and message["id"] is not None:
                answers.append(message["id"])
        assert answers == asked
        assert client.process.wait(10) in (0, 1)


def test_ten_thousand_messages_before_one_answer_is_read(client):
    client.open(URI, JUDGE)
    client.wait_published(URI)
    count = 10_000
    one = {"textDocument": {"uri": URI}, "position": {"line": 5, "character": 9}}
    client.send_raw(b"".join(framed({"id": 1000 + i, "method": "textDocument/hover", "params": one}) for i in range(count)))
    for i in range(count):
        assert "result" in client.finish(1000 + i)
    # All of them cancelled: each has one answer all the same.
    client.send_raw(b"".join(framed({"id": i, "method": "textDocument/hover", "params": one}) for i in range(count)) +
                    b"".join(framed({"method": "$/cancelRequest", "params": {"id": i}}) for i in range(count)))
    cancelled = sum("error" in client.finish(i) for i in range(count))
    assert cancelled >= 1
    lives(client)


def test_a_flood_that_never_ends_takes_no_more_memory(client):
    client.open(URI, JUDGE)
    client.wait_published(URI)
    flood = b"".join(framed({"method": "$/setTrace", "params": {"value": "x" * 1000}}) for _ in range(2000))
    before = resident(client)
    for _ in range(30):  # 60 MB
        client.send_raw(flood)
    assert client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert resident(client) < before + 40


def test_a_client_that_reads_nothing_loses_nothing(client):
    client.open(URI, JUDGE)
    ask = framed({"id": 5, "method": "textDocument/semanticTokens/full", "params": {"textDocument": {"uri": URI}}})
    writer = threading.Thread(target=lambda: client.send_raw(ask * 1500))
    writer.start()
    writer.join(20)
    assert not writer.is_alive()
    for _ in range(1500):
        assert client.finish(5)["result"]["data"]
    lives(client)


def test_a_client_that_goes_away_ends_the_session():
    client = Client([ASSAY, "lsp"])
    client.open(URI, JUDGE)
    client.send_raw(framed({"id": 5, "method": "textDocument/semanticTokens/full", "params": {"textDocument": {"uri": URI}}}) * 300)
    client.process.stdin.close()  # with answers under way, which it still reads
    answers = 0
    while (message := client.receive()) is not None:
        answers += message.get("id") == 5
    assert answers == 300 and client.process.wait(10) == 1


def test_texts_that_are_opened_and_changed_again_and_again_take_no_more_memory(client):
    lines = JUDGE.splitlines()
    client.open(URI, JUDGE)
    for i in range(20):
        client.open(f"file:///tmp/hostile/{i}.rubric", JUDGE)
    client.request("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    before = resident(client)
    source = random.Random(3)
    for i in range(10 * ROUNDS):
        line = source.randrange(len(lines))
        place = {"line": line, "character": 0}
        client.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": i}, "contentChanges": [
            {"range": {"start": place, "end": place}, "text": "#"}]})
        client.request("textDocument/diagnostic", {"textDocument": {"uri": URI}})
        client.notify("textDocument/didChange", {"textDocument": {"uri": URI, "version": i}, "contentChanges": [
            {"range": {"start": place, "end": {"line": line, "character": 1}}, "text": ""}]})
    assert resident(client) < before + 30
