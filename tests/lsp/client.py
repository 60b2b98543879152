"""A simple client of `assay lsp` for tests that client libraries do not support: timing, protocol errors, and sessions of
many edits. Synchronous; uses only the standard library."""

import json
import os
import select
import subprocess


class Client:
    def __init__(self, command, capabilities=None, folder=None, start=True):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.buffer = b""
        self.next_id = 0
        self.published = {}
        self.asked = []
        if start:
            folders = [{"uri": "file://" + folder, "name": ""}] if folder else None
            self.initialized = self.request(
                "initialize",
                {"processId": None, "rootUri": None, "workspaceFolders": folders, "capabilities": capabilities or {}},
            )
            self.notify("initialized", {})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def send_raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        self.send_raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def receive(self, timeout=30.0):
        """The next message, or None at the end."""
        while True:
            end = self.buffer.find(b"\r\n\r\n")
            if end >= 0:
                size = int(self.buffer[:end].split(b":")[1])
                if len(self.buffer) >= end + 4 + size:
                    body = self.buffer[end + 4 : end + 4 + size]
                    self.buffer = self.buffer[end + 4 + size :]
                    return json.loads(body)
            ready, _, _ = select.select([self.process.stdout], [], [], timeout)
            if not ready:
                raise TimeoutError("the server does not answer")
            data = os.read(self.process.stdout.fileno(), 1 << 16)
            if not data:
                return None
            self.buffer += data

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def begin(self, method, params):
        self.next_id += 1
        self.send({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params})
        return self.next_id

    def finish(self, wanted):
        while True:
            message = self.receive()
            if message is None:
                raise EOFError("the server has ended")
            if "method" in message:
                self.take(message)
            elif message.get("id") == wanted:
                return message

    def take(self, message):
        if message["method"] == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "id" in message:
            self.asked.append(message["method"])
            self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})

    def request(self, method, params):
        message = self.finish(self.begin(method, params))
        if "error" in message:
            raise RuntimeError(f"{method}: {message['error']}")
        return message["result"]

    def open(self, uri, text):
        self.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": "assay", "version": 1, "text": text}},
        )

    def wait_published(self, uri):
        self.published.pop(uri, None)
        while uri not in self.published:
            self.take(self.receive())
        return self.published[uri]

    def close(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(10)
