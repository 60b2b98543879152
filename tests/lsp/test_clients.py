"""assay lsp driven by pytest-lsp with recorded capabilities of editors; lsprotocol parses every answer, so that
an answer that violates the protocol fails."""

import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

ASSAY = os.environ["ASSAY"]

RUBRIC = """rubric demo "A demonstration" {
  version "1"
  scale 0..10 decimals 2
  type part = { name: text, kind: one of ("a", "b"), worth: number 0..1 }
  input parts: list of part default []  "What was handed in"
  input late: bool default false  "After the deadline"
  fn worth_of(p) = p.worth * 2
  let total = sum(worth_of(p) for p in parts when p.kind == "a")
  dimension quality weight 70% "Is it good?"
  dimension effort weight 30% "The parts" = clamp(total, 0..10)
  deduction late_work = 1 when late else 0 "Handed in late"
  bands grade(score) {
    | score | grade  | label    |
    | >= 5  | "pass" | "Passed" |
    | >= 0  | "fail" | "Failed" |
  }
  output is_late = late
  example "good" {
    given { quality: 9, parts: [{ name: "x", kind: "a", worth: 1 }] }
    expect { grade: "pass" }
  }
  example "wrong" {
    given { quality: 1, late: true }
    expect { grade: "pass", is_late: true }
  }
}
"""


@pytest_lsp.fixture(
    params=["visual_studio_code", "neovim"], config=ClientServerConfig(server_command=[ASSAY, "lsp"])
)
async def client(request, lsp_client: LanguageClient, tmp_path):
    (tmp_path / "other.rubric").write_text('import "demo.rubric"\nrubric other extends demo {\n  let twice = total * 2\n  output twice_total = twice\n}\n')
    (tmp_path / "demo.rubric").write_text(RUBRIC)
    lsp_client.folder = tmp_path
    for method in ("client/registerCapability", "workspace/codeLens/refresh", "workspace/inlayHint/refresh"):
        lsp_client.feature(method)(lambda *_: None)
    await lsp_client.initialize_session(
        types.InitializeParams(
            capabilities=client_capabilities(request.param),
            workspace_folders=[types.WorkspaceFolder(uri=tmp_path.as_uri(), name="")],
        )
    )
    yield
    await lsp_client.shutdown_session()


def uri_of(client, name="demo.rubric"):
    return (client.folder / name).as_uri()


def opened(client, text=RUBRIC, name="demo.rubric"):
    uri = uri_of(client, name)
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(
            text_document=types.TextDocumentItem(uri=uri, language_id="assay", version=1, text=text)
        )
    )
    return types.TextDocumentIdentifier(uri=uri)


def at(needle, extra=0, text=RUBRIC, nth=0):
    start = -1
    for _ in range(nth + 1):
        start = text.index(needle, start + 1)
    start += extra
    line = text.count("\n", 0, start)
    return types.Position(line=line, character=start - (text.rfind("\n", 0, start) + 1))


async def found_in(client, document):
    """The diagnostics of a text, pushed or pulled: some editors announce that they pull."""
    if client.capabilities.text_document and client.capabilities.text_document.diagnostic:
        report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(text_document=document))
        return report.items
    while document.uri not in client.diagnostics:
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return client.diagnostics[document.uri]


def applied(text, edits):
    lines = text.splitlines(keepends=True)

    def offset(p):
        return sum(len(line) for line in lines[: p.line]) + p.character

    for edit in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


async def test_a_failing_example_is_a_diagnostic_with_a_fix(client):
    document = opened(client)
    found = await found_in(client, document)
    assert [d.code for d in found] == ["example"]
    assert 'grade: expected "pass", got "fail"' in found[0].message
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(document, found[0].range, types.CodeActionContext(diagnostics=found))
    )
    fix = next(a for a in actions if a.title == "Expect what it gives")
    mended = applied(RUBRIC, fix.edit.changes[document.uri])
    assert mended == RUBRIC.replace('grade: "pass", is_late', 'grade: "fail", is_late')


async def test_a_habit_is_a_diagnostic_with_a_fix(client):
    text = "rubric a {\n  input words: whole >= 0\n  gate g = words >= 5 && words < 9\n}\n"
    document = opened(client, text)
    found = await found_in(client, document)
    assert [d.code for d in found] == ["E0118"]
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(document, found[0].range, types.CodeActionContext(diagnostics=found))
    )
    fix = next(a for a in actions if a.is_preferred)
    assert applied(text, fix.edit.changes[document.uri]) == text.replace("&&", "and")


async def test_the_layout_is_that_of_fmt(client):
    text = "rubric a {\n  input words:whole>=0\n}\n"
    document = opened(client, text)
    edits = await client.text_document_formatting_async(
        types.DocumentFormattingParams(document, types.FormattingOptions(tab_size=2, insert_spaces=True))
    )
    assert applied(text, edits) == text.replace("words:whole>=0", "words: whole >= 0")


async def test_completion_knows_fields_names_and_choices(client):
    document = opened(client)
    fields = await client.text_document_completion_async(types.CompletionParams(document, at("p.kind", 2)))
    assert {"name", "kind", "worth"} == {item.label for item in fields.items}
    names = await client.text_document_completion_async(types.CompletionParams(document, at("clamp(total", 7)))
    labels = {item.label for item in names.items}
    assert "total" in labels and "trim" in labels and "late" in {
        item.label
        for item in (
            await client.text_document_completion_async(types.CompletionParams(document, at("1 when late", 7)))
        ).items
    }
    broken = RUBRIC.replace('p.kind == "a")', 'p.kind == "')
    opened(client, broken, "broken.rubric")
    choices = await client.text_document_completion_async(
        types.CompletionParams(
            types.TextDocumentIdentifier(uri=uri_of(client, "broken.rubric")), at('p.kind == "', 11, broken)
        )
    )
    typed = RUBRIC.replace("= clamp(total, 0..10)", "= sum(p. for p in parts)")
    opened(client, typed, "typed.rubric")
    dots = await client.text_document_completion_async(
        types.CompletionParams(types.TextDocumentIdentifier(uri=uri_of(client, "typed.rubric")), at("sum(p. ", 6, typed))
    )
    assert {"name", "kind", "worth"} == {item.label for item in dots.items}
    declarations = await client.text_document_completion_async(types.CompletionParams(document, at("  output", 3)))
    assert "output" in {item.label for item in declarations.items}
    assert {item.label for item in choices.items} == {"a", "b"}


async def test_hover_definition_references_and_highlights(client):
    document = opened(client)
    hover = await client.text_document_hover_async(types.HoverParams(document, at("clamp(total", 7)))
    assert "let total: number" in hover.contents.value
    builtin = await client.text_document_hover_async(types.HoverParams(document, at("clamp(", 1)))
    assert "clamp(" in builtin.contents.value and "Example" in builtin.contents.value
    definition = await client.text_document_definition_async(types.DefinitionParams(document, at("clamp(total", 7)))
    assert definition.range.start == at("total")
    field = await client.text_document_definition_async(types.DefinitionParams(document, at("p.worth", 2)))
    assert field.range.start == at("worth: number")
    places = await client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(include_declaration=True), document, at("total"))
    )
    assert {p.uri.rsplit("/", 1)[1] for p in places} == {"demo.rubric", "other.rubric"} and len(places) == 3
    shown = await client.text_document_document_highlight_async(
        types.DocumentHighlightParams(document, at("input late", 6))
    )
    assert len(shown) == 4


async def test_rename_reaches_examples_and_other_files_and_refuses_what_would_break(client):
    document = opened(client)
    edit = await client.text_document_rename_async(
        types.RenameParams(new_name="overdue", text_document=document, position=at("input late", 6))
    )
    renamed = applied(RUBRIC, edit.changes[document.uri])
    assert "input overdue: bool" in renamed and "1 when overdue else 0" in renamed
    assert "quality: 1, overdue: true" in renamed and "late_work" in renamed
    edit = await client.text_document_rename_async(
        types.RenameParams(new_name="sum_of_all", text_document=document, position=at("total"))
    )
    assert uri_of(client, "other.rubric") in edit.changes
    for wrong in ("quality", "1x", "when", ""):
        with pytest.raises(Exception):
            await client.text_document_rename_async(
                types.RenameParams(new_name=wrong, text_document=document, position=at("total"))
            )


async def test_signature_symbols_folding_links_and_selection(client):
    document = opened(client)
    help_ = await client.text_document_signature_help_async(
        types.SignatureHelpParams(document, at("clamp(total, ", 13))
    )
    assert help_.signatures[0].label.startswith("clamp(") and help_.active_parameter == 1
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
    names = [symbols[0].name] + [child.name for child in getattr(symbols[0], "children", None) or []]
    assert names[0] == "demo"
    found = await client.workspace_symbol_async(types.WorkspaceSymbolParams(query="twice"))
    assert {s.name for s in found} == {"twice", "twice_total"}
    folds = await client.text_document_folding_range_async(types.FoldingRangeParams(document))
    assert any(f.start_line == 0 for f in folds)
    selections = await client.text_document_selection_range_async(
        types.SelectionRangeParams(document, [at("clamp(total", 7)])
    )
    sizes, one = [], selections[0]
    while one is not None:
        sizes.append((one.range.start, one.range.end))
        one = one.parent
    assert len(sizes) >= 4
    opened(client, (client.folder / "other.rubric").read_text(), "other.rubric")
    links = await client.text_document_document_link_async(
        types.DocumentLinkParams(types.TextDocumentIdentifier(uri=uri_of(client, "other.rubric")))
    )
    assert [link.target for link in links] == [document.uri]


async def test_semantic_tokens_cover_the_text_in_order(client):
    document = opened(client)
    tokens = await client.text_document_semantic_tokens_full_async(types.SemanticTokensParams(document))
    assert len(tokens.data) % 5 == 0 and len(tokens.data) > 500
    lines = RUBRIC.splitlines()
    line = character = 0
    for i in range(0, len(tokens.data), 5):
        step, start, size, kind, _ = tokens.data[i : i + 5]
        line, character = line + step, start if step else character + start
        assert size > 0 and character + size <= len(lines[line])
        if lines[line][character : character + size] == "dimension":
            assert kind == 0


async def test_lenses_hints_and_the_chosen_example(client):
    document = opened(client)
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(document))
    titles = [lens.command.title for lens in lenses]
    assert titles[0] == "1 of 2 examples hold" and any("does not hold" in t for t in titles)
    whole = types.Range(types.Position(0, 0), types.Position(100, 0))
    before = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
    assert " = 2" in [hint.label for hint in before]
    await client.workspace_execute_command_async(
        types.ExecuteCommandParams(command="assay.chooseExample", arguments=[document.uri, "wrong"])
    )
    after = await client.text_document_inlay_hint_async(types.InlayHintParams(document, whole))
    assert [h.label for h in before] != [h.label for h in after]


async def test_rewrites_extract_inline_and_share_out(client):
    document = opened(client)

    async def actions(start, end, text=RUBRIC, name=document):
        return await client.text_document_code_action_async(
            types.CodeActionParams(name, types.Range(start, end), types.CodeActionContext(diagnostics=[]))
        )

    offered = await actions(at("clamp(total"), at("clamp(total, 0..10)", 19))
    extract = next(a for a in offered if "let" in a.title)
    assert "let value = clamp(total, 0..10)\n" in applied(RUBRIC, extract.edit.changes[document.uri])
    # other.rubric uses the name, so its value cannot be inlined.
    assert not [a for a in await actions(at("let total", 4), at("let total", 4)) if "value of" in a.title]
    document = opened(client, RUBRIC, "alone.rubric")
    offered = await actions(at("let total", 4), at("let total", 4), name=document)
    inline = next(a for a in offered if "value of 'total'" in a.title)
    assert "let total" not in applied(RUBRIC, inline.edit.changes[document.uri])
    short = RUBRIC.replace("weight 70%", "weight 65%")
    other = opened(client, short, "short.rubric")
    other = types.TextDocumentIdentifier(uri=uri_of(client, "short.rubric"))
    found = await client.text_document_code_action_async(
        types.CodeActionParams(
            other,
            types.Range(at("scale", 0, short), at("weight 30%", 10, short)),
            types.CodeActionContext(diagnostics=[]),
        )
    )
    assert any(a.title.startswith("Share out the missing 5%") for a in found), [a.title for a in found]


async def test_an_edited_import_changes_what_is_wrong_with_its_importer(client):
    opened(client)
    other = opened(client, (client.folder / "other.rubric").read_text(), "other.rubric")
    assert list(await found_in(client, other)) == []
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=uri_of(client), version=2),
            content_changes=[
                types.TextDocumentContentChangePartial(
                    range=types.Range(at("let total", 4), at("let total", 9)), text="renamed"
                )
            ],
        )
    )
    client.diagnostics.pop(other.uri, None)
    assert await found_in(client, other)


async def test_the_diagnostics_of_a_workspace_are_pulled_with_those_of_closed_files(client):
    (client.folder / "broken.rubric").write_text("rubric broken {\n  let x = y\n}\n")
    client.workspace_did_change_watched_files(
        types.DidChangeWatchedFilesParams([types.FileEvent(uri_of(client, "broken.rubric"), types.FileChangeType.Created)])
    )

    async def pulled(previous=()):
        while True:
            try:
                asked = types.WorkspaceDiagnosticParams(previous_result_ids=list(previous))
                return (await client.workspace_diagnostic_async(asked)).items
            except JsonRpcException as error:  # a slow machine: the client is asked to ask again
                if error.code != types.LSPErrorCodes.ServerCancelled:
                    raise

    reports = {report.uri: report for report in await pulled()}
    assert [d.code for d in reports[uri_of(client, "broken.rubric")].items] == ["E0301"]
    assert [d.code for d in reports[uri_of(client)].items] == ["example"]
    assert len(reports) == 3 and all(report.kind == "full" for report in reports.values())
    known = [types.PreviousResultId(uri, report.result_id) for uri, report in reports.items()]
    again = await pulled(known)
    assert len(again) == 3 and all(report.kind == "unchanged" for report in again)
    # An edit of an open file changes what is wrong with those that import it; a file that is gone has no problems.
    opened(client, RUBRIC.replace("let total", "let sum_of_all").replace("clamp(total", "clamp(sum_of_all"))
    (client.folder / "broken.rubric").unlink()
    after = {report.uri: report for report in await pulled(known)}
    assert after[uri_of(client, "broken.rubric")].kind == "full" and not after[uri_of(client, "broken.rubric")].items
    assert [d.code for d in after[uri_of(client, "other.rubric")].items] == ["E0301"]


def test_requirements_are_pinned():
    lines = (pathlib.Path(__file__).parent / "requirements.txt").read_text().splitlines()
    assert lines and all("==" in line for line in lines)
