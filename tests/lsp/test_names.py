"""Where names lead: through types, several types, records of other rubrics, verdicts, and the keys of examples."""

import os

import pytest
from client import Client

ASSAY = os.environ["ASSAY"]
URI = "file:///tmp/names.rubric"
TEXT = """type cell = number or { v: number, w: text }
type part = { u: number 0..10, t: text }
type row = { parts: map of part, one: cell, many: map of map of part }
type amount = number or text
rubric first "F" {
  scale 0..10
  input a: number 0..10
  gate fine = a > 1
  dimension d weight 100%
  output o = a
}
rubric second extends first {
  output o = 2
}
rubric third extends second {
  input a: number 0..10
  output o = 3
}
rubric r "R" {
  scale 0..10
  input rows: list of row
  input records: list of first
  input judged: first
  input x: list of { k: number 0..5, z: text }
  input y: list of { k: number 0..6, z: text }
  input m: cell
  input sums: map of amount default {}
  let made = [{k: 1, z: "a"}]
  let k = 2
  let short = {k, z: "x"}
  fn alike(i) = i.k
  dimension d weight 100% = 1
  gate sound = dimensions.d.score > 0 and dimensions["d"].score > 0
  gate good = gates["sound"] and gates.sound
  let v = first(judged)
  let all_v = [first(j) for j in records]
  output one_d = first(judged).dimensions.d.score
  output one_gate = first(judged).gates.fine
  output all_d = [f.dimensions.d.score + f.score for f in all_v]
  output given_a = sum(j.a for j in records) + judged.a + judged.d
  output likes = short.k + made[0].k + alike(x[0]) + alike(y[0]) + v.score
  output part_of_m = m.v when m is record else 0
  output of_part = rows[0].parts["a"].u
  output asked = status.nothing + rows[0].nothing
  advice "Say {k}" when k > 1
  example "e" {
    given { rows: [{parts: {a: {u: 1, t: "x"}}, one: {v: 1, w: "y"}, many: {q: {s: {u: 2, t: "z"}}}}], judged: {a: 1}, m: {v: 1, w: "t"}, sums: {q: {z: 1}} }
    weights { d: 1 }
    expect { one_gate: true }
  }
}
"""


@pytest.fixture(scope="module")
def client():
    with Client([ASSAY, "lsp"]) as made:
        made.open(URI, TEXT)
        yield made
        assert made.close() == 0


# The name behind the first bar, and the beginning of the declaration that it leads to; "": none.
@pytest.mark.parametrize(
    "use, declared",
    [
        ("rubric third extends |second", "second extends"),
        ("rubric third extends second {\n  input a: number 0..10\n  output |o", "o = a"),
        ("= dimensions.|d.score", "d weight 100% = 1"),
        ('and dimensions["|d"]', "d weight 100% = 1"),
        ('gates["|sound"]', "sound = "),
        ("and gates.|sound", "sound = "),
        ("first(judged).dimensions.|d", "d weight 100%\n"),
        ("first(judged).gates.|fine", "fine = "),
        ("[f.dimensions.|d", "d weight 100%\n"),
        ("sum(j.|a for", "a: number 0..10\n  gate"),
        ("+ judged.|a", "a: number 0..10\n  gate"),
        ("+ judged.|d", "d weight 100%\n"),
        ("short = {|k", "k = 2"),
        ("m.|v when", "v: number, w"),
        ('parts["a"].|u', "u: number"),
        ("status.|nothing", ""),
        ("rows[0].|nothing", ""),
        ("Say {|k}", "k = 2"),
        ("parts: {a: {|u", "u: number"),
        ("one: {|v: 1", "v: number, w"),
        ("many: {q: {s: {|u", "u: number"),
        ("m: {|v: 1", "v: number, w"),
        ("sums: {|q", ""),
        ("weights { |d", "d weight 100% = 1"),
        ("expect { |one_gate", "one_gate = "),
    ],
)
def test_a_name_leads_to_its_declaration(client, use, declared):
    assert TEXT.count(use.replace("|", "")) == 1
    at = TEXT.index(use.replace("|", "")) + use.index("|")
    position = {"line": TEXT.count("\n", 0, at), "character": at - TEXT.rfind("\n", 0, at) - 1}
    found = client.request("textDocument/definition", {"textDocument": {"uri": URI}, "position": position})
    if not declared:
        assert not found
        return
    start = found["range"]["start"]
    begin = sum(len(line) + 1 for line in TEXT.split("\n")[: start["line"]]) + start["character"]
    assert TEXT[begin:].startswith(declared)
