"""Checks the pages of `assay report` and `assay explain --to html` with an HTML parser and their content policy.

Usage: page.py ASSAY FOLDER [make]. With `make`, the pages are only written, for browser.mjs.
"""

import base64
import hashlib
import html.parser
import json
import pathlib
import re
import subprocess
import sys

assay, folder = sys.argv[1], pathlib.Path(sys.argv[2])
folder.mkdir(parents=True, exist_ok=True)

RUBRIC = """rubric dish "Dishes </style><script>alert(1)</script>" {
  version "1.0" scale 0..10 decimals 2
  input cook: text default "nobody"
  input faults: set of text default []
  input day: whole default 0
  gate edible = count(faults) < 4
  dimension taste weight 50% "How does it taste?"
  dimension looks weight 30%
  dimension service weight 20%
  deduction "{fault}" = 0.5 for fault in faults "Fault: {fault}"
  cap score at 6 when count(faults) > 2 "Too many faults"
  bands medal(score) { | score | medal | | >= 9 | "gold" | | >= 8 | "silver" | | >= 7 | "bronze" | | >= 0 | "none" | }
  flag "seen {fault}" for fault in faults
  output total = taste + looks
  history by cook
  rank by higher score, higher taste
}
"""
HOSTILE = ["</script><script>alert(1)</script>", "<img src=http://evil.example/x onerror=alert(1)>", "\u202egnp.exe",
           "x" * 10_000, "' onmouseover='alert(1)", "&lt;b&gt;", "--><!--", "]]>", "\u0000\u001b[31m", "שלום", "日本語 ✓"]


def run(*words, want=0):
    done = subprocess.run([assay, *map(str, words)], capture_output=True)
    assert done.returncode == want, (words, done.returncode, done.stderr.decode()[:2000])
    return done.stdout


def records(count, hostile=False):
    for i in range(count):
        record = {"id": f"dish-{i}", "cook": f"cook {i % 40}", "day": i, "taste": i * 7 % 101 / 10, "looks": i * 13 % 101 / 10,
                  "service": i * 29 % 101 / 10, "faults": ["cold", "late", "salty"][: i % 4]}
        if i % 40 == 3:
            record["taste"] = record["looks"] = record["service"] = 8 if i < 500 else 1
        if hostile:
            record["id"] = HOSTILE[i % len(HOSTILE)] + str(i)
            record["cook"] = HOSTILE[(i + 1) % len(HOSTILE)]
            record["faults"] = [HOSTILE[(i + 2) % len(HOSTILE)]]
        if i % 3 == 0:
            record["gold"] = {"medal": ["gold", "silver", "none"][i % 9 // 3], "score": i % 11}
        yield record


def write(name, lines):
    path = folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


class Reader(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.text = [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text.append(data)


def check(page):
    text = page.decode("utf-8")
    reader = Reader()
    reader.feed(text)
    known = {"html", "head", "meta", "title", "style", "body", "main", "header", "h1", "h2", "h3", "p", "code", "b", "div", "span",
             "label", "input", "select", "option", "button", "details", "summary", "table", "caption", "tr", "th", "td", "svg",
             "rect", "line", "circle", "path", "title", "ul", "li", "script"}
    names = {"lang", "charset", "name", "content", "http-equiv", "class", "id", "type", "hidden", "value", "role", "aria-pressed",
             "scope", "x", "width", "x1", "x2", "y1", "y2", "cx", "cy", "r", "d", "viewbox", "preserveaspectratio", "open", "colspan", "tabindex", "aria-label"}
    for tag, attributes in reader.tags:
        assert tag in known, tag
        assert set(attributes) <= names, (tag, attributes)
    tags = [tag for tag, _ in reader.tags]
    assert tags.count("style") == 1 and tags.count("script") <= 1, "a script of a record"
    for word in ("url(", "@import", "http:", "https:"):
        for tag, attributes in reader.tags:
            assert not any(word in (value or "") for value in attributes.values()), (tag, attributes)
    style = re.search("<style>(.*?)</style>", text, re.S).group(1)
    assert not re.search(r"url\(|@import|https?:", style)
    policy = next(a["content"] for _, a in reader.tags if a.get("http-equiv") == "Content-Security-Policy")
    digest = lambda part: "'sha256-" + base64.b64encode(hashlib.sha256(part.encode()).digest()).decode() + "'"
    assert f"style-src {digest(style)};" in policy, "the hash of the style is " + digest(style)
    script = re.search("<script>(.*?)</script>", text, re.S)
    if script:
        assert f"script-src {digest(script.group(1))};" in policy, "the hash of the script is " + digest(script.group(1))
    assert policy.startswith("default-src 'none';") and "unsafe" not in policy
    for c in "\u202e\u202d\u2066\u0000\u001b":
        assert c not in text, repr(c)
    return reader


rubric = folder / "dish.rubric"
rubric.write_text(RUBRIC, encoding="utf-8")
many = write("many.ndjson", records(1000))
page = run("report", rubric, many)
(folder / "many.html").write_bytes(page)
(folder / "ten-thousand.html").write_bytes(run("report", rubric, write("ten-thousand.ndjson", records(10_000))))
few = write("hostile.ndjson", records(len(HOSTILE) * 3, True))
hostile = run("report", rubric, few)
(folder / "hostile.html").write_bytes(hostile)
one = write("one.ndjson", [next(records(1, True)) | {"faults": HOSTILE[:3]}])
single = run("explain", rubric, one, "--to", "html")
(folder / "one.html").write_bytes(single)
(folder / "one.svg").write_bytes(run("explain", rubric, one, "--to", "svg"))
if sys.argv[3:] == ["make"]:
    sys.exit()

reader = check(page)
assert sum(tag == "details" for tag, _ in reader.tags) == 1000
verdicts = len(run("score", rubric, many))
print(f"1,000 records: a page of {len(page)} bytes, verdicts of {verdicts}")
assert len(page) <= verdicts, (len(page), verdicts)
reader = check(hostile)
shown = "".join(reader.text)
for text in ("</script><script>alert(1)</script>", "\\u202egnp.exe", "<img src=http://evil.example/x", "שלום", "日本語"):
    assert text in shown, text
assert "x" * 301 not in shown
reader = check(single)
assert "alert(1)" in "".join(reader.text)
picture = (folder / "one.svg").read_text(encoding="utf-8")
assert "<script" not in picture and picture.count("<svg") == 1
print("ok")
