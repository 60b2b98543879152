"""The tree-sitter grammar against the parser of the command: on every rubric of the project, the rubrics of the corpus and the
snippets of the pages, it finds a tree without errors wherever the command finds no syntax error, and declarations with the
same names and byte ranges as `assay lsp` lists. Its queries name only nodes of the grammar."""

import ctypes
import functools
import hashlib
import os
import pathlib
import re
import subprocess

import pytest
import tree_sitter

from client import Client

ROOT = pathlib.Path(__file__).resolve().parents[2]
GRAMMAR = ROOT / "editors" / "tree-sitter-assay"
UNNAMED = {"check", "composite", "cap", "incomplete", "advice", "rank", "cohort"}
NAMED = {"rubric", "type", "fn", "table", "hook", "gate", "let", "bands", "output", "context", "example", "adjustment", "flag",
         "dimension"}


@pytest.fixture(scope="module")
def language(tmp_path_factory):
    library = tmp_path_factory.mktemp("grammar") / "assay.so"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-I", GRAMMAR / "src", GRAMMAR / "src" / "parser.c", "-o",
                    library], check=True)
    make = ctypes.CDLL(str(library)).tree_sitter_assay
    make.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return tree_sitter.Language(capsule(make(), b"tree_sitter.Language", None))


@functools.lru_cache(maxsize=None)
def texts():
    """Each text with its source."""
    found = []
    for path in sorted(ROOT.glob("**/*.rubric")):
        if not {"build", "node_modules"} & set(path.relative_to(ROOT).parts):
            found.append((str(path.relative_to(ROOT)), path.read_text(encoding="utf-8", errors="replace")))
    for path in sorted((ROOT / "tests" / "corpus").glob("**/*.case")):
        for i, case in enumerate(re.split(r"^=== .*\n", path.read_text(encoding="utf-8"), flags=re.M)[1:]):
            found.append((f"{path.relative_to(ROOT)} #{i + 1}", re.split(r"^--- ", case, flags=re.M)[0]))
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        page = path.read_text(encoding="utf-8")
        for at in re.finditer(r"^```(assay[a-z-]*|lua)([^\n]*)\n(.*?)^```", page, flags=re.M | re.S):
            where, text = f"{path.name}:{page.count(chr(10), 0, at.start()) + 1}", at.group(3)
            if at.group(1) == "assay-expr":
                for line in text.splitlines():
                    found.append((where, f"rubric r {{\n  let x = {line}\n}}\n"))
            elif at.group(1) == "lua":
                continue
            elif re.match(r"(\s*#.*\n|\s*\n)*\s*(rubric|import)\b", text):
                found.append((where, text))
            else:
                found.append((where, f"rubric r {{\n{text}\n}}\n"))
    return found


def faults(node):
    if node.is_error or node.is_missing:
        yield node
    elif node.has_error:
        for child in node.children:
            yield from faults(child)


def places(node):
    return ((node.start_point.row, node.start_point.column), (node.end_point.row, node.end_point.column))


def fields(kind):
    """The fields of a record type, also of a list of them."""
    if kind is not None and kind.type == "collection":
        kind = kind.named_children[-1]
    if kind is not None and kind.type == "record_kind":
        for field in kind.named_children:
            if field.type == "field":
                yield from field.children_by_field_name("name")


def of_tree(root):
    """(name, declaration) of each declaration, as pairs of places."""
    todo, found = [root], set()
    while todo:
        node = todo.pop()
        todo.extend(node.named_children)
        if node.type == "input":
            names = node.children_by_field_name("name")
            found.update((places(n), places(n if len(names) > 1 else node)) for n in names)
        elif node.type in NAMED:
            found.add((places(node.child_by_field_name("name")), places(node)))
        elif node.type in UNNAMED:
            found.add((places(node.children[0]), places(node)))
        if node.type == "type":
            found.update((places(n), places(n)) for n in fields(node.child_by_field_name("kind")))
    return found


def of_server(symbols):
    found = set()
    for one in symbols:
        ranges = [tuple((r[end]["line"], r[end]["character"]) for end in ("start", "end"))
                  for r in (one["selectionRange"], one["range"])]
        found.add(tuple(ranges))
        found |= of_server(one.get("children", []))
    return found


def test_the_trees_agree(language):
    client = Client([os.environ["ASSAY"], "lsp"], {
        "general": {"positionEncodings": ["utf-8"]},
        "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}, "diagnostic": {}},
    })
    parser, wrong, compared = tree_sitter.Parser(language), [], 0
    for i, (where, text) in enumerate(texts()):
        uri = f"file:///tree/{i}.rubric"
        client.open(uri, text)
        items = client.request("textDocument/diagnostic", {"textDocument": {"uri": uri}})["items"]
        broken = [d for d in items if re.match("E01", str(d["code"]))]
        symbols = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
        client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        if broken or any(d["code"] == "E0601" for d in items):
            continue
        compared += 1
        root = parser.parse(text.encode()).root_node
        bad = next(faults(root), None)
        if bad is not None:
            wrong.append(f"{where}: line {bad.start_point.row + 1}: {text.splitlines()[bad.start_point.row]!r}")
            continue
        ours, theirs = of_server(symbols), of_tree(root)
        if ours != theirs:
            wrong.append(f"{where}: only the command {sorted(ours - theirs)[:3]}, only the tree {sorted(theirs - ours)[:3]}")
    client.close()
    assert not wrong, "\n".join(wrong[:20])
    assert compared > 400


def test_faults_are_found(language):
    """An invalid rubric has a tree with errors: shows that the test above can fail."""
    parser = tree_sitter.Parser(language)
    for text in ("rubric r {", "rubric r { let = 1 }", "rubric r { input a number }", "rubric r { let a = 1 + }",
                 'rubric r { let a = "x }', "rubric r { table t(a) { | a | } } }"):
        assert parser.parse(text.encode()).root_node.has_error, text


def captures(language, path, root):
    found = tree_sitter.QueryCursor(tree_sitter.Query(language, path.read_text())).captures(root)
    return {(node.start_byte, node.end_byte) for nodes in found.values() for node in nodes}, set(found)


def test_queries(language):
    root = tree_sitter.Parser(language).parse((ROOT / "rubrics/patch/patch.rubric").read_bytes()).root_node
    marked = {}
    for path in sorted([*(GRAMMAR / "queries").glob("*.scm"), *(GRAMMAR / "helix").glob("*.scm")]):
        marked[path.parent.name, path.name], names = captures(language, path, root)
        assert names, f"{path} captures nothing"
    ours, helix = marked["queries", "highlights.scm"], marked["helix", "highlights.scm"]
    nones = {(n.start_byte, n.end_byte) for n in root.children if n.type == "interpolation"}
    assert helix <= ours | nones, "Helix colours something that the others do not"
    words = {node for node in re.findall(r'"([a-z]+)"', (GRAMMAR / "queries/highlights.scm").read_text())}
    assert words == set(re.findall(r'"([a-z]+)"', (GRAMMAR / "helix/highlights.scm").read_text()))
    # Every keyword of the grammar is highlighted.
    grammar = {language.node_kind_for_id(i) for i in range(language.node_kind_count) if not language.node_kind_is_named(i)}
    assert {word for word in grammar if word.isalpha()} - {"end", "true", "false"} <= words


def test_the_parser_is_of_this_grammar():
    made_from = (GRAMMAR / "src" / "grammar.sha256").read_text().split()[0]
    now = hashlib.sha256((GRAMMAR / "grammar.js").read_bytes()).hexdigest()
    assert made_from == now, "grammar.js has changed: run .ci/tree-sitter"
