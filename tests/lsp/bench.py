"""Latency of `assay lsp` on a rubric of 1,000 lines: p50 and p99 of each kind of request, the time from the start of the
process to its first diagnostics, and its memory. Times are processor time of
the server, so that a loaded machine gives the same results; --wall: elapsed time. Each kind is asked ROUNDS times (200) after an edit, and
a quarter of that on a text that has been read. Usage: bench.py ASSAY [ROUNDS] [--wall]"""

import os
import random
import sys
import time

from client import Client


def rubric(lines):
    out = ['rubric big "A large rubric" {', '  version "1"', "  scale 0..100 decimals 2"]
    out.append('  type part = { name: text, kind: one of ("a", "b", "c"), weight: number 0..1, score: number 0..1 }')
    out.append("  input parts: list of part")
    count = (lines - 40) // 11
    for i in range(count):
        out += [
            f'  input x{i}: number 0..1 default 0.5 "Share number {i}"',
            f'  input kind{i}: one of ("low", "medium", "high") default "low"',
            f'  let l{i} = clamp(x{i} * 2 - 0.5, 0..1) "Stretched {i}"',
            f"  fn f{i}(a, b) = a * 2 + b when a > 0.5 else b",
            f"  table t{i}(kind) {{",
            '    | kind | value |',
            '    | "low" | 0 |',
            '    | "medium" | 0.5 |',
            '    | "high" | 1 |',
            "  }",
            f"  output o{i} = f{i}(x{i}, t{i}(kind{i})) + l{i}  decimals 3",
        ]
    out += [
        '  let total = sum(p.weight * p.score for p in parts when p.kind != "c")',
        '  dimension quality weight 60% "The parts" = clamp(total * 100, 0..100)',
        '  dimension style weight 40% "Judged"',
        "  bands grade(score) {",
        "    | score | grade |",
        '    | >= 50 | "pass" |',
        '    | >= 0  | "fail" |',
        "  }",
        '  flag weak when score < 20 "Weak"',
    ]
    for i in range(3):
        out += [
            f'  example "number {i}" {{',
            f'    given {{ style: {50 + i * 20}, parts: [{{ name: "p", kind: "a", weight: 1, score: 0.5 }}] }}',
            f'    expect {{ grade: "{"pass"}" }}',
            "  }",
        ]
    while len(out) < lines - 1:
        out.append(f"  # filler {len(out)}")
    out.append("}")
    return "\n".join(out) + "\n"


def with_errors(text):
    """The rubric with three mistakes of common kinds: an unknown name, an unsuitable type, an unknown function."""
    for right, wrong in (("f10(x10,", "f10(x1O,"), ("clamp(x20 *", "clamp(kind20 *"), ("clamp(x30 *", "clmp(x30 *")):
        assert right in text
        text = text.replace(right, wrong)
    return text


def place(text, needle, random_source):
    starts = []
    at = text.find(needle)
    while at >= 0:
        starts.append(at)
        at = text.find(needle, at + 1)
    at = random_source.choice(starts)
    line = text.count("\n", 0, at)
    return {"line": line, "character": at - (text.rfind("\n", 0, at) + 1)}


def processor_time(process):
    """The processor time of the process in seconds; other load on the machine does not count."""
    with open(f"/proc/{process.pid}/schedstat") as stat:
        return int(stat.read().split()[0]) / 1e9


def memory(process):
    with open(f"/proc/{process.pid}/status") as status:
        for line in status:
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
    return 0.0


def requests(text, source):
    """The parameters of each kind of request, at a random place of those that have something to tell."""
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
    screen = {"start": {"line": 400, "character": 0}, "end": {"line": 460, "character": 0}}

    def at(needle, extra=0):
        p = place(text, needle, source)
        return {"line": p["line"], "character": p["character"] + extra}

    return {
        "textDocument/completion": lambda: {"position": at("x4", 1)},
        "textDocument/completion (field)": lambda: {"position": at("p.weight", 2)},
        "textDocument/hover": lambda: {"position": at("clamp", 1)},
        "textDocument/definition": lambda: {"position": at("x7", 1)},
        "textDocument/references": lambda: {"position": at("f3(", 1), "context": {"includeDeclaration": True}},
        "textDocument/documentHighlight": lambda: {"position": at("l5", 1)},
        "textDocument/prepareRename": lambda: {"position": at("o1", 1)},
        "textDocument/rename": lambda: {"position": at("total", 1), "newName": "whole_sum"},
        "textDocument/signatureHelp": lambda: {"position": at("clamp(", 7)},
        "textDocument/documentSymbol": lambda: {},
        "workspace/symbol": lambda: {"query": "x1"},
        "textDocument/semanticTokens/full": lambda: {},
        "textDocument/semanticTokens/range": lambda: {"range": screen},
        "textDocument/foldingRange": lambda: {},
        "textDocument/selectionRange": lambda: {"positions": [at("clamp(", 7)]},
        "textDocument/documentLink": lambda: {},
        "textDocument/codeLens": lambda: {},
        "textDocument/inlayHint": lambda: {"range": whole},
        "textDocument/codeAction": lambda: {"range": dict.fromkeys(("start", "end"), at("x3")), "context": {"diagnostics": []}},
        "textDocument/diagnostic": lambda: {},
        "textDocument/formatting": lambda: {"options": {"tabSize": 2, "insertSpaces": True}},
        "textDocument/rangeFormatting": lambda: {"range": screen, "options": {"tabSize": 2, "insertSpaces": True}},
    }


def errors(found, source):
    """The requests about mistakes: at the place of one of them."""
    def at_one():
        one = source.choice(found)
        return {"range": one["range"], "context": {"diagnostics": [one]}}

    return {"textDocument/codeAction (error)": at_one, "textDocument/diagnostic (error)": lambda: {}}


def an_edit(lines, source):
    """Another factor in one of the expressions."""
    line = source.choice([i for i, one in enumerate(lines) if one.startswith("  let l")])
    column = lines[line].index(" * ") + 3
    place = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 1}}
    return {"range": place, "text": str(source.randrange(2, 10))}


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    assay, rounds = arguments[0], int(arguments[1]) if len(arguments) > 1 else 200
    text, uri = rubric(1000), "file:///bench/big.rubric"
    source = random.Random(7)
    starts = []
    wall = "--wall" in sys.argv
    for _ in range(5):
        begin = time.perf_counter()
        client = Client([assay, "lsp"])
        client.open(uri, text)
        found = client.wait_published(uri)
        starts.append(time.perf_counter() - begin if wall else processor_time(client.process))
        assert found == [], found[:3]
        client.close()
    capabilities = {"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}}
    times = {}
    peak = 0.0
    # Warm: unchanged text. Typed: each request follows an edit of an expression; its time is that of both, with the
    # analysis of the new text.
    for suffix, begins in (("", text), (" (error)", with_errors(text))):
        client = Client([assay, "lsp"], capabilities)
        client.open(uri, begins)
        found = client.wait_published(uri)
        assert len(found) == (3 if suffix else 0), found
        clock = time.perf_counter if wall else lambda: processor_time(client.process)
        lines, version = begins.split("\n"), 1
        kinds = requests(begins, source) if not suffix else errors(found, source)
        for state in ("read", "typed"):
            for kind, make in kinds.items():
                method = kind.split(" ")[0]
                for _ in range(rounds if state == "typed" else max(1, rounds // 4)):
                    params = {"textDocument": {"uri": uri}, **make()}
                    begin = clock()
                    if state == "typed":
                        version += 1
                        change = an_edit(lines, source)
                        client.notify("textDocument/didChange",
                                      {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]})
                    client.request(method, params)
                    times.setdefault((state, kind), []).append(clock() - begin)
        peak = max(peak, memory(client.process))
        client.close()

    def at_share(list_, share):  # of 200 times, the second worst is their p99
        ordered = sorted(list_)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000

    worst = 0.0
    print(f"{'request':40} {'p50':>8} {'p99':>8}   after an edit {'p50':>8} {'p99':>8}   ms")
    for kind in [kind for state, kind in times if state == "read"]:
        read, typed = times[("read", kind)], times[("typed", kind)]
        worst = max(worst, at_share(read, 0.99), at_share(typed, 0.99))
        print(f"{kind:40} {at_share(read, .5):8.2f} {at_share(read, .99):8.2f}                 {at_share(typed, .5):8.2f} {at_share(typed, .99):8.2f}")
    print(f"start to first diagnostics: {min(starts) * 1000:.1f} ms (least of 5), {sorted(starts)[2] * 1000:.1f} ms (median)")
    print(f"memory: {peak:.1f} MiB at most")
    print(f"worst p99: {worst:.2f} ms")


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    main()
