"""Commands of the server, and completion that reads files: the verdict of a record, files to import, columns of a CSV."""

import json
import os
import time

import pytest
from client import Client

ASSAY = os.environ["ASSAY"]
TEXT = """rubric demo {
  scale 0..10 decimals 1
  weights exact
  dimension tone weight 60%
  dimension facts weight 40%
  context strict { weight tone 10% weight facts 90% }
  example "good" { given { tone: 9, facts: 7.5 } expect { score: 8.4 } }
  example "in a context" { given { tone: 1, facts: 5 } context "strict" expect { score: 4.6 } }
  example "refused" { given { tone: 11, facts: 1 } error at tone }
}
"""


@pytest.fixture
def client():
    with Client([ASSAY, "lsp"], {"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}}) as made:
        yield made


@pytest.fixture
def uri(client, tmp_path):
    name = (tmp_path / "demo.rubric").as_uri()
    client.open(name, TEXT)
    return name


def execute(client, *arguments, command="assay.verdict"):
    return client.request("workspace/executeCommand", {"command": command, "arguments": list(arguments)})


def refused(client, *arguments):
    message = client.finish(client.begin("workspace/executeCommand", {"command": "assay.verdict", "arguments": list(arguments)}))
    return message["error"]["code"]


def test_the_verdict_of_examples(client, uri):
    found = execute(client, uri)
    assert (found["example"], found["verdict"]["score"], found["problem"], found["earlier"]) == ("good", 8.4, None, False)
    assert found["record"] == {"tone": 9, "facts": 7.5}
    assert list(found["verdict"])[:2] == ["rubric", "version"] or "rubric" in found["verdict"]
    assert "8.4" in found["explanation"] and "tone" in found["explanation"]
    assert execute(client, uri, {"example": "in a context"})["verdict"]["score"] == 4.6
    execute(client, uri, "in a context", command="assay.chooseExample")
    assert execute(client, uri)["example"] == "in a context"
    wrong = execute(client, uri, {"example": "refused"})
    assert wrong["verdict"] is None and "tone" in wrong["problem"]
    assert "nobody" in execute(client, uri, {"example": "nobody"})["problem"]


def test_the_verdict_of_a_record_and_of_records_in_files(client, uri, tmp_path):
    assert execute(client, uri, {"record": {"tone": 10, "facts": 0}})["verdict"]["score"] == 6
    assert "facts" in execute(client, uri, {"record": {"tone": 10}})["problem"]
    assert execute(client, uri, {"record": 5})["problem"]
    (tmp_path / "a b.csv").write_text("tone,facts\n1,2\n3,4\n")
    (tmp_path / "odd.ndjson").write_text('{"tone": 1, "facts": 2}\n{broken\n')
    csv, odd = (tmp_path / "a b.csv").as_uri(), (tmp_path / "odd.ndjson").as_uri()
    assert execute(client, uri, {"file": csv})["record"] == {"tone": 1, "facts": 2}
    assert execute(client, uri, {"file": csv, "number": 2})["verdict"]["score"] == 3.4
    assert "2 records" in execute(client, uri, {"file": csv, "number": 3})["problem"]
    broken = execute(client, uri, {"file": odd, "number": 2})
    assert broken["verdict"] is None and broken["problem"]
    for nothing in ("file:///nowhere/at/all", tmp_path.as_uri(), "-", "/dev/stdin", ""):
        assert "not a file" in execute(client, uri, {"file": nothing})["problem"], nothing


def test_while_the_text_has_errors_the_last_one_without_scores(client, uri):
    client.open(uri + "x", TEXT.replace("scale", "scal"))
    broken = execute(client, uri + "x")
    assert broken["earlier"] is False and broken["verdict"] is None and "errors" in broken["problem"]
    assert execute(client, uri)["verdict"]["score"] == 8.4
    change = {"range": {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 7}}, "text": "scal"}
    client.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [change]})
    again = execute(client, uri)
    assert again["earlier"] is True and again["verdict"]["score"] == 8.4


def test_what_is_no_verdict_command_is_refused(client, uri):
    for arguments in ((), (5,), (uri, 5), (uri, {}, {}), (uri, {"example": 5}), (uri, {"file": 5}), ("file:///closed.rubric",),
                      (uri, {"file": uri, "number": 0}), (uri, {"file": uri, "number": 1.5})):
        assert refused(client, *arguments) == -32602, arguments


def test_numbers_of_a_verdict_are_exact(client, tmp_path):
    name = (tmp_path / "exact.rubric").as_uri()
    client.open(name, "rubric exact {\n  input a: number\n  output b = a\n}\n")
    client.send({"jsonrpc": "2.0", "id": "x", "method": "workspace/executeCommand", "params": {
        "command": "assay.verdict", "arguments": [name, {"record": {"a": 12345678901234567}}]}})
    answer = client.finish("x")
    assert answer["result"]["verdict"]["b"] == 12345678901234567


def labels(client, uri, text, mark="|"):
    at = text.index(mark)
    text = text[:at] + text[at + 1:]
    client.open(uri, text)
    line = text.count("\n", 0, at)
    place = {"line": line, "character": at - (text.rfind("\n", 0, at) + 1)}
    found = client.request("textDocument/completion", {"textDocument": {"uri": uri}, "position": place})["items"]
    return [item["label"] for item in found]


def test_columns_of_a_csv_are_proposed_as_keys_and_fields(client, tmp_path):
    (tmp_path / "prices.csv").write_text('region,"size",price per unit,price\n"eu",1,2,3\n')
    uri = (tmp_path / "t.rubric").as_uri()
    head = "rubric t {\n  input region: text\n  "
    assert labels(client, uri, head + 'table cost(|) from "prices.csv"\n}\n') == ["region", "size", "price"]
    assert labels(client, uri, head + 'table cost(region, |) from "prices.csv"\n}\n') == ["size", "price"]
    assert labels(client, uri, head + 'table cost(region, s|) from "prices.csv"\n}\n') == ["size"]
    assert labels(client, uri, head + 'table cost(|) from "nowhere.csv"\n}\n') == []
    assert "price" in labels(client, uri, head + 'table cost(region, size) from "prices.csv"\n  output a = cost(region, 1).|\n}\n')


def test_files_to_import_are_proposed_by_their_kind(client, tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "prices.csv").write_text("a,b\n")
    (tmp_path / "near.lua").write_text("")
    uri = (tmp_path / "t.rubric").as_uri()
    assert labels(client, uri, 'rubric t {\n  table cost(a) from "|"\n}\n') == ["data/prices.csv"]
    assert labels(client, uri, 'rubric t {\n  hook h(a: text): number from "|"\n}\n') == ["near.lua"]


def test_diagnostics_wait_for_the_end_of_a_burst_and_not_for_ever(client, uri):
    client.wait_published(uri)
    for version in range(2, 12):
        text = TEXT.replace("60%", f"{version}0%")
        client.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]})
    seen = []
    end = time.monotonic() + 10
    while time.monotonic() < end and (not seen or seen[-1].get("version") != 11):
        message = client.receive()
        if message.get("method") == "textDocument/publishDiagnostics":
            seen.append(message["params"])
    assert seen[-1]["version"] == 11 and len(seen) < 10
    assert any("E0201" == d["code"] or "E0202" == d["code"] for d in seen[-1]["diagnostics"]), json.dumps(seen[-1])[:300]


def actions_at(client, uri, text, needle, tries=1):
    client.open(uri, text)
    at = text.index(needle)
    line = text.count("\n", 0, at)
    place = {"line": line, "character": at - (text.rfind("\n", 0, at) + 1)}
    for _ in range(tries):  # a second may not be enough on a busy machine
        found = client.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}})
        wanted = [a for a in found if "which none exercises" in a["title"]]
        if wanted:
            break
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    return wanted


def after(text, action, uri):
    (edit,) = action["edit"]["changes"][uri]
    start = edit["range"]["start"]
    offset = sum(len(line) + 1 for line in text.split("\n")[: start["line"]]) + start["character"]
    return text[:offset] + edit["newText"] + text[offset:]


ROWS = """rubric rows "Rows to exercise" {
  scale   0..100 decimals 1
  input kind: one of ("calm", "loud", "odd {x}")
  input note: text default "\\"quoted\\""
  input size: number 0..10 default 1
  dimension tone  weight 60%
  dimension facts weight 40%
  table worth(kind, size) {
    | kind      | size      | worth |
    | "calm"    | < 5       | 1     |
    | "calm"    | >= 5      | 2     |
    | "loud"    | otherwise | 3     |
    | otherwise | otherwise | 4     |
  }
  output worth_of = worth(kind, size)
  output said     = note
  bands grade(score) {
    | score     | grade  |
    | >= 87.5   | "A"    |
    | >= 50     | "B"    |
    | >= 12     | "C"    |
    | otherwise | "none" |
  }
  example "calm" {
    given { kind: "calm", note: "{", tone: 60, facts: 50 }
    expect { grade: "B" }
  }
}
"""


@pytest.mark.parametrize("row", ['>= 87.5', '>= 12', 'otherwise | "none"', '"calm"    | >= 5', '| "loud"', "otherwise | otherwise"])
def test_an_example_is_added_for_a_row_that_none_exercises(client, tmp_path, row):
    text = ROWS.replace('note: "{"', 'note: "\\{"').replace('"odd {x}"', '"odd \\{x\\}"')
    uri = (tmp_path / "rows.rubric").as_uri()
    (action,) = actions_at(client, uri, text, row, tries=8)
    result = after(text, action, uri)
    assert result.count("example ") == 2
    client.open(uri, result)
    assert client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"] == []
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert actions_at(client, uri, result, row) == []  # now one does


def test_rows_that_are_exercised_and_places_without_rows_get_no_example(client, tmp_path):
    text = ROWS.replace('note: "{"', 'note: "\\{"').replace('"odd {x}"', '"odd \\{x\\}"')
    uri = (tmp_path / "rows.rubric").as_uri()
    for place in (">= 50", '"calm"    | < 5', "| score ", "input note", "example"):
        assert actions_at(client, uri, text, place) == [], place
    broken = text.replace("scale", "scal")
    assert actions_at(client, uri, broken, ">= 12") == []


def test_a_rubric_without_examples_gets_its_first_one(client, tmp_path):
    text = ROWS[: ROWS.index("  example")].replace('"odd {x}"', '"odd"') + "}\n"
    uri = (tmp_path / "rows.rubric").as_uri()
    (action,) = actions_at(client, uri, text, ">= 50", tries=8)
    result = after(text, action, uri)
    client.open(uri, result)
    assert client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"] == []
    assert result.endswith("  }\n}\n")


def test_clients_without_code_actions_get_commands(tmp_path):
    client = Client([ASSAY, "lsp"], {"workspace": {"applyEdit": True}})
    uri = (tmp_path / "demo.rubric").as_uri()
    text = TEXT.replace("weight 40%", "weight 35%")
    client.open(uri, text)
    (found,) = [d for d in client.wait_published(uri) if d["code"] in ("E0201", "E0202")]
    asked = {"textDocument": {"uri": uri}, "range": found["range"], "context": {"diagnostics": [found]}}
    offered = client.request("textDocument/codeAction", asked)
    assert offered and all(set(one) == {"title", "command", "arguments"} for one in offered)
    share = next(one for one in offered if one["title"].startswith("Share out"))
    edits = []
    client.take = lambda message: edits.append(message["params"]) if message["method"] == "workspace/applyEdit" else None
    execute(client, *share["arguments"], command=share["command"])
    client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    (applied,) = edits
    assert applied["label"] == share["title"] and len(applied["edit"]["changes"][uri]) >= 1
    # After another edit its places are those of an earlier text.
    client.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": text + "\n"}]})
    message = client.finish(client.begin("workspace/executeCommand", {"command": share["command"], "arguments": share["arguments"]}))
    assert message["error"]["code"] == -32801
    for arguments in ([], [5], [{}], [{"uri": uri, "version": 2}], [{"uri": "file:///none", "version": 1, "edit": {}}]):
        message = client.finish(client.begin("workspace/executeCommand", {"command": share["command"], "arguments": arguments}))
        assert message["error"]["code"] in (-32602, -32801), message
    assert client.close() == 0
    client = Client([ASSAY, "lsp"])  # it could do nothing with them
    client.open(uri, text)
    assert client.request("textDocument/codeAction", asked) == []
    client.close()


def test_the_diagnostics_of_many_files_let_others_go_first_and_can_be_cancelled(tmp_path):
    for i in range(150):
        (tmp_path / f"f{i}.rubric").write_text(TEXT.replace("demo", f"demo{i}"))
    client = Client([ASSAY, "lsp"], {"textDocument": {"diagnostic": {}}}, folder=str(tmp_path))
    uri = (tmp_path / "f0.rubric").as_uri()
    first = client.begin("workspace/diagnostic", {"previousResultIds": []})
    client.notify("$/cancelRequest", {"id": first})
    assert client.finish(first).get("error", {}).get("code") in (None, -32800)
    for tries in range(200):
        asked = client.begin("workspace/diagnostic", {"previousResultIds": []})
        other = client.begin("workspace/symbol", {"query": "zzz"})
        message = client.finish(asked)
        assert client.finish(other)["result"] == []
        if "result" in message:
            break
        assert message["error"]["code"] == -32802 and message["error"]["data"] == {"retriggerRequest": True}
    assert len(message["result"]["items"]) == 150 and all(report["items"] == [] for report in message["result"]["items"])
    (tmp_path / "f0.rubric").write_text("rubric r { let x = }\n")  # without a word to the server
    known = [{"uri": report["uri"], "value": report["resultId"]} for report in message["result"]["items"]]
    reports = client.request("workspace/diagnostic", {"previousResultIds": known})["items"]
    assert [report["uri"] for report in reports if report["kind"] == "full"] == [uri]
    client.close()
