"""Instructions that `assay lsp` executes for an edit of a rubric of 1,000 lines and one request of each kind, counted by
callgrind: the same on a machine that does other work as well. Usage: instructions.py ASSAY [WORD OF A KIND...]"""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

from bench import an_edit, errors, requests, rubric, with_errors
from client import Client

FEW, MANY = 2, 10  # edits: the difference leaves out the start
URI = "file:///bench/big.rubric"
CAPABILITIES = {"textDocument": {"codeAction": {"codeActionLiteralSupport": {}}}}


def found_in(assay, text):
    """The diagnostics that the server publishes for a text."""
    client = Client([assay, "lsp"], CAPABILITIES)
    client.open(URI, text)
    found = client.wait_published(URI)
    client.close()
    return found


def session(method, make, text, count):
    lines, source = text.split("\n"), random.Random(7)
    document = {"uri": URI}
    messages = [
        {"id": 0, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": CAPABILITIES}},
        {"method": "initialized", "params": {}},
        {"method": "textDocument/didOpen", "params": {"textDocument": {**document, "version": 1, "text": text}}},
    ]
    for i in range(count):
        change = {"textDocument": {**document, "version": 2 + i}, "contentChanges": [an_edit(lines, source)]}
        messages.append({"method": "textDocument/didChange", "params": change})
        messages.append({"id": 1 + i, "method": method, "params": {"textDocument": document, **make()}})
    messages += [{"id": 1 + count, "method": "shutdown"}, {"method": "exit"}]
    bodies = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
    return b"".join(b"Content-Length: %d\r\n\r\n" % len(body) + body for body in bodies)


def instructions(assay, messages):
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", assay, "lsp"]
        run = subprocess.run(command, input=messages, capture_output=True, check=True)
    return int(re.search(rb"Collected : (\d+)", run.stderr).group(1))


def main():
    assay, words = sys.argv[1], sys.argv[2:]
    right = rubric(1000)
    wrong = with_errors(right)
    found = found_in(assay, wrong)
    for text, kinds in ((right, lambda: requests(right, random.Random(7))), (wrong, lambda: errors(found, random.Random(7)))):
        for kind in kinds():
            if words and not any(word in kind for word in words):
                continue
            counts = []
            for count in (FEW, MANY):
                messages = session(kind.split(" ")[0], kinds()[kind], text, count)
                counts.append(instructions(assay, messages))
            print(f"{kind:40} {(counts[1] - counts[0]) / (MANY - FEW) / 1e6:8.2f} million", flush=True)


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    main()
