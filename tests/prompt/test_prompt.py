"""User actions at the prompt: typing, completing, pasting, interrupting, leaving, and the keys of the history."""

import os
import re
import time

import pytest
from terminal import Terminal

RUBRIC = """rubric hike "Hikes for a club" {
  scale 0..10 decimals 1
  dimension views weight 60% "What one sees"
  dimension path  weight 40% "How it is to walk"
  bands grade(score) {
    | score | grade |
    | >= 8  | "A"   |
    | >= 0  | "B"   |
  }
  rank by higher score
}
"""
RECORDS = """{"id": "ridge", "views": 9, "path": 5}
{"id": "lake", "views": 6, "path": 8}
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "hike.rubric").write_text(RUBRIC)
    (tmp_path / "hikes.ndjson").write_text(RECORDS)
    return tmp_path


@pytest.fixture
def start(folder):
    started = []

    def run(*arguments, **options):
        terminal = Terminal(folder, *arguments, **options)
        started.append(terminal)
        return terminal

    yield run
    for terminal in started:
        terminal.close()


@pytest.fixture
def hike(start):
    terminal = start("hike.rubric", "hikes.ndjson")
    terminal.wait("hike ridge 1/2>")
    return terminal


def test_an_expression_and_its_result(hike):
    hike.type("views + 1<Enter>")
    hike.wait("10 : number")
    hike.wait("_1")
    hike.type("_ / 3<Enter>")
    hike.wait("3.33333333333")
    hike.type("_2 * 3 == _1<Enter>")
    hike.wait("true : bool")


def test_the_prompt_says_where_it_stands(hike):
    hike.type(":set views=1<Enter>")
    hike.wait("hike ridge* 1/2>")
    hike.type(":next<Enter>")
    hike.wait("hike lake 2/2>")
    hike.type("let more = views + path<Enter>")
    hike.wait("hike+ lake 2/2>")
    hike.type(":prev<Enter>")
    hike.wait("changed: views: 9 → 1")


def test_colours_while_typing(hike):
    hike.type('views + 12.5 - count("abc")')
    hike.wait("abc")
    hike.settle()
    assert hike.colour_at("12.5") == "brown"
    assert hike.colour_at('"abc"') == "green"
    assert hike.colour_at("views") == "cyan"
    hike.type("<C-u>:set views")
    hike.wait(":set views")
    hike.settle()
    assert hike.colour_at(":set") == "magenta"


def test_no_colours_when_they_are_not_wanted(start):
    terminal = start("hike.rubric", environment={"NO_COLOR": "1"})
    terminal.wait("hike>")
    terminal.type("views + 12.5")
    terminal.wait("12.5")
    terminal.settle()
    assert terminal.colour_at("12.5") == "default"


def test_completion_of_names_with_types_and_prose(hike):
    hike.type("vie<Tab>")
    hike.wait("> views")
    hike.type("<C-u>pa<Tab> + gra<Tab>")
    hike.wait("path + grade")
    hike.type("<C-u>co<Tab>")
    screen = hike.wait("composite")
    assert "count" in screen
    assert screen.rstrip().endswith("> co")


def test_completion_of_commands_fields_files_and_bands(hike):
    hike.type(":sens<Tab>")
    hike.wait(":sensitivity")
    hike.type("<C-u>:set vi<Tab>")
    hike.wait(":set views")
    hike.type("<C-u>:records hik<Tab>")
    hike.wait(":records hike")
    hike.type("<Tab>")
    screen = hike.wait("hikes.ndjson")
    assert "hike.rubric" in screen
    hike.type("<C-u>:goto la<Tab>")
    hike.wait(":goto lake")


def test_completion_lists_what_it_knows(hike):
    hike.type(":set <Tab>")
    screen = hike.wait("What one sees")
    assert re.search(r"views +number >= 0 <= 10 +What one sees", screen)


def test_an_entry_of_several_lines(hike):
    hike.type("[<Enter>1,<Enter>2<Enter>]<Enter>")
    hike.wait("[1,2] : list of")
    hike.type("<Up>")
    hike.wait(lambda screen: re.search(r"> \[\n *1,\n *2\n *\]$", screen))
    hike.type("<Up><Up><Up><Up>")  # through its lines, and to the previous entry, which does not exist
    hike.type("<C-c>")
    hike.wait(lambda screen: screen.endswith("ridge 1/2>"))  # what is typed before the signal has come is dropped, too
    hike.type("path<Enter>")
    hike.wait("5 : number")


def test_a_rubric_that_is_pasted(start):
    terminal = start()
    terminal.wait("assay>")
    terminal.type("<Paste>" + RUBRIC.replace("\n", "\r") + "<Enter></Paste>")
    terminal.wait("hike+>")
    terminal.type("score<Enter>")
    terminal.wait("error: views is missing")
    terminal.type(":set views=9<Enter>:set path=9<Enter>grade<Enter>")
    terminal.wait('"A" : one of')


def test_a_rubric_that_is_pasted_into_a_terminal_that_does_not_mark_it(start):
    terminal = start()
    terminal.wait("assay>")
    terminal.type(RUBRIC.replace("\n", "\r"))
    terminal.wait("hike+>")


def test_several_entries_that_are_pasted_at_once(hike):
    hike.type("<Paste>views\npath\n:next\nviews\n</Paste>")
    screen = hike.wait("hike lake 2/2>")
    assert "9 : number" in screen and "5 : number" in screen and "6 : number" in screen


def test_ctrl_c_drops_the_entry(hike):
    hike.type("views +<C-c>")
    hike.wait(lambda screen: screen.count("hike ridge 1/2>") == 2)
    hike.type("[<Enter>1<C-c>")
    hike.wait(lambda screen: screen.count("hike ridge 1/2>") == 4 or screen.rstrip().endswith("1/2>"))
    hike.type("path<Enter>")
    hike.wait("5 : number")


def test_ctrl_c_ends_an_evaluation_and_not_the_session(start):
    terminal = start("hike.rubric", "--limit", "steps=100000000000", "--limit", "memory_bytes=100000000000")
    terminal.wait("hike>")
    terminal.type("count([x for x in 1..20000 when count([y for y in 1..20000 when y < 0]) > 0])<Enter>")
    time.sleep(1)
    terminal.type("<C-c>")
    terminal.wait("the evaluation was cancelled")
    terminal.type("1 + 1<Enter>")
    terminal.wait("2 : whole")


def test_ctrl_d_leaves(hike):
    hike.type("<C-d>")
    assert hike.ended() == 0


def test_ctrl_d_within_an_entry_does_not_leave(hike):
    hike.type("path<C-a><C-d><Enter>")
    hike.wait("nothing is named 'ath'")


def test_the_history_is_kept_as_it_is_typed(hike, start, folder):
    hike.type("views * 2<Enter>")
    hike.wait("18 : number")
    hike.type("[<Enter>7]<Enter>")
    hike.wait("[7] : list")
    hike.child.kill(9)  # it was killed before it could write anything
    again = start("hike.rubric")
    again.wait("hike>")
    again.type("<Up>")
    again.wait(lambda screen: re.search(r"> \[\n *7\]$", screen))
    again.type("<Up><Up>")
    again.wait("> views * 2")
    assert oct(os.stat(folder / ".assay_history").st_mode & 0o777) == "0o600"


def test_a_search_in_the_history(hike):
    hike.type("views * 3<Enter>")
    hike.wait("27 : number")
    hike.type("path<Enter>")
    hike.wait("5 : number")
    hike.type("<C-r>* 3<Enter>")
    hike.wait(lambda screen: screen.count("27 : number") >= 1)


def test_resizing(hike):
    hike.type("views + path + views + path + views")
    hike.wait("path + views")
    hike.resize(24, 30)
    hike.settle()
    hike.type(" + 1<Enter>")
    hike.wait("38 : number")
    hike.resize(24, 100)
    hike.settle()
    hike.type(":rank<Enter>")
    hike.wait("ridge")


def test_tables_fit_the_terminal(start, folder):
    (folder / "wide.ndjson").write_text('{"id": "%s", "views": 9, "path": 5}\n' % ("long" * 30))
    terminal = start("hike.rubric", "wide.ndjson", columns=50)
    terminal.wait("1/1>")
    terminal.type(":rank<Enter>")
    terminal.wait(re.compile(r"longlong\w*…").search)
    assert all(len(line) <= 50 for line in terminal.lines())


def test_long_answers_go_through_the_pager(start, folder):
    pager = folder / "pager.sh"
    pager.write_text("#!/bin/sh\necho PAGED; wc -l\n")
    pager.chmod(0o755)
    terminal = start("hike.rubric", rows=12, environment={"PAGER": str(pager)})
    terminal.wait("hike>")
    terminal.type(":help<Enter>")
    terminal.wait("PAGED")
    terminal.type("1 + 1<Enter>")
    terminal.wait("2 : whole")


def test_a_file_that_is_watched(hike, folder):
    hike.type(":watch on<Enter>")
    hike.wait("watching 'hike.rubric'")
    hike.type("views + ")
    hike.wait("> views +")
    (folder / "hike.rubric").write_text(RUBRIC.replace("60%", "10%").replace("40%", "90%"))
    hike.wait("'hike.rubric' has changed")
    screen = hike.wait("2 of 2 records differ")
    assert "ridge: score 7.4 → 5.4" in screen
    hike.wait(lambda text: text.rstrip().endswith("> views +"))  # the typed text is still there
    hike.type("1<Enter>")
    hike.wait("10 : number")
    (folder / "hike.rubric").write_text("rubric hike {")
    hike.wait("the rubric stays as it was")
    hike.type("score<Enter>")
    hike.wait("5.4 : number")


def test_an_editor(start, folder):
    editor = folder / "editor.sh"
    editor.write_text("#!/bin/sh\nsed -i 's/60%/50%/; s/40%/50%/' \"$1\"\n")
    editor.chmod(0o755)
    terminal = start("hike.rubric", "hikes.ndjson", environment={"VISUAL": str(editor)})
    terminal.wait("1/2>")
    terminal.type(":edit<Enter>")
    terminal.wait("2 of 2 records differ")
    terminal.wait("hike+ ridge 1/2>")
    assert "60%" in (folder / "hike.rubric").read_text()
    terminal.type(":save<Enter>")
    terminal.wait("wrote 'hike.rubric'")
    assert "50%" in (folder / "hike.rubric").read_text()


def test_characters_of_more_than_one_byte(hike):
    hike.type('count("für 東京")<Left><Left>é<Enter>')
    hike.wait("7 : whole")


def test_a_terminal_that_knows_nothing(start):
    terminal = start("hike.rubric", environment={"TERM": "dumb"})
    terminal.wait("hike>")
    terminal.type("1 + 1<Enter>")
    terminal.wait("2 : whole")
    assert "\x1b" not in terminal.text()
