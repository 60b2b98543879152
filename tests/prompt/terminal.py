"""Runs `assay repl` in a pseudo-terminal and computes the screen that a user sees, as a terminal would draw it from the
output of the command."""

import os
import time

import pexpect
import pyte

KEYS = {
    "Enter": "\r",
    "Tab": "\t",
    "Up": "\x1b[A",
    "Down": "\x1b[B",
    "Left": "\x1b[D",
    "Right": "\x1b[C",
    "Backspace": "\x7f",
    "C-a": "\x01",
    "C-c": "\x03",
    "C-d": "\x04",
    "C-r": "\x12",
    "C-u": "\x15",
    "Paste": "\x1b[200~",
    "/Paste": "\x1b[201~",
}


def keys_of(text):
    """The bytes that a keyboard sends for "a<Tab>"."""
    for name, sent in KEYS.items():
        text = text.replace("<" + name + ">", sent)
    return text


class Terminal:
    def __init__(self, folder, *arguments, rows=24, columns=80, environment=None):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        variables = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
            "PAGER": "cat",
        }
        variables.update(environment or {})
        self.child = pexpect.spawn(
            os.environ["ASSAY"], ["repl", *arguments], cwd=str(folder), env=variables,
            dimensions=(rows, columns), encoding="utf-8", timeout=20,
        )
        self.child.delaybeforesend = None

    def read(self, seconds=0.05):
        """Reads the available output. Returns False if none came within the time."""
        try:
            self.stream.feed(self.child.read_nonblocking(65536, seconds))
            return True
        except pexpect.TIMEOUT:
            return False
        except pexpect.EOF:
            return False

    def settle(self, seconds=0.7):
        """Waits until no output has come for a while."""
        quiet = time.monotonic()
        while time.monotonic() - quiet < seconds:
            if self.read():
                quiet = time.monotonic()

    def type(self, text):
        # libedit shows the prompt before it turns the terminal's own line editing off: keys that come in between are not
        # its keys. Ctrl-C is for whatever runs.
        end = time.monotonic() + (3 if "<" in text and "<C-c>" not in text else 0)
        while self.child.getecho() and time.monotonic() < end:
            self.read()
        self.child.send(keys_of(text))

    def lines(self):
        lines = [line.rstrip() for line in self.screen.display]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    def text(self):
        return "\n".join(self.lines())

    def wait(self, what, seconds=20):
        """Waits until the screen shows a text or fulfils a condition."""
        holds = what if callable(what) else lambda screen: what in screen
        end = time.monotonic() + seconds
        while not holds(self.text()):
            self.read()
            if time.monotonic() > end:
                raise AssertionError("the screen never showed %r:\n%s" % (what, self.text()))
        return self.text()

    def colour_at(self, text):
        """The colour of the first character of a text on the screen, at its last occurrence."""
        for row in range(self.screen.lines - 1, -1, -1):
            column = self.screen.display[row].find(text)
            if column >= 0:
                return self.screen.buffer[row][column].fg
        raise AssertionError("%r is not on the screen:\n%s" % (text, self.text()))

    def resize(self, rows, columns):
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def ended(self, seconds=20):
        """The exit code, once the command has ended."""
        end = time.monotonic() + seconds
        while self.child.isalive() and time.monotonic() < end:
            self.read()
        if self.child.isalive():
            raise AssertionError("it goes on:\n" + self.text())
        return self.child.exitstatus if self.child.exitstatus is not None else -self.child.signalstatus

    def close(self):
        self.child.close(force=True)
