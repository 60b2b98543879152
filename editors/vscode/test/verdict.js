// The view of a verdict, with a stub in place of the editor and, where the project has been built, the language server itself
// behind it; otherwise answers like its own. Usage: node test/verdict.js PROJECT
"use strict";

const assert = require("assert");
const { spawn } = require("child_process");
const fs = require("fs");
const Module = require("module");
const os = require("os");
const path = require("path");

const panels = [];
const warned = [];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "assay-verdict-"));
const uri = "file://" + path.join(folder, "demo.rubric");
const records = "file://" + path.join(folder, "records.ndjson");
let text = `rubric demo {
  scale 0..10 decimals 1
  dimension tone weight 60% "How it reads"
  dimension facts weight 40%
  input note: text default ""
  gate short = count(characters(note)) < 40
  bands grade(score) {
    | score | grade |
    | >= 5  | "pass" |
    | >= 0  | "fail" |
  }
  example "good" { given { tone: 9, facts: 7.5, note: "<script>alert(1)</script>" } expect { grade: "pass" } }
  example "bad" { given { tone: 1, facts: 1 } expect { grade: "fail" } }
}
`;
const vscode = {
  ViewColumn: { Beside: -2 },
  window: {
    activeTextEditor: { document: { languageId: "rubric", uri: { toString: () => uri } } },
    showWarningMessage: (message) => warned.push(message),
    showOpenDialog: async () => [{ toString: () => records }],
    createWebviewPanel: (type, title, where, options) => {
      const panel = {
        type, title, where, options,
        webview: { html: "", onDidReceiveMessage: (listener) => (panel.receive = listener) },
        onDidDispose: (listener) => (panel.closed = listener),
        dispose: () => panel.closed(),
      };
      panels.push(panel);
      return panel;
    },
  },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const { VerdictView, page } = require("../src/verdict.js");

// A client of a few lines.
function connect(command) {
  const server = spawn(command, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting = new Map();
  let buffer = Buffer.alloc(0);
  let id = 0;
  const send = (message) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    server.stdin.write(body);
  };
  server.stdout.on("data", (data) => {
    buffer = Buffer.concat([buffer, data]);
    for (;;) {
      const end = buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      const size = Number(/Content-Length: (\d+)/.exec(buffer.subarray(0, end).toString())[1]);
      if (buffer.length < end + 4 + size) return;
      const message = JSON.parse(buffer.subarray(end + 4, end + 4 + size));
      buffer = buffer.subarray(end + 4 + size);
      const answer = waiting.get(message.id);
      if (message.method || !answer) continue;
      waiting.delete(message.id);
      if (message.error) answer.reject(new Error(message.error.message));
      else answer.resolve(message.result);
    }
  });
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      waiting.set(++id, { resolve, reject });
      send({ id, method, params });
    });
  return { request, notify: (method, params) => send({ method, params }), end: () => server.kill() };
}

async function until(holds, what) {
  for (let i = 0; i < 200; ++i) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail(what);
}

async function main() {
  const command = process.env.ASSAY ?? path.join(process.argv[2], "build/release/bin/assay");
  if (!fs.existsSync(command)) {
    const html = page({ verdict: { score: 8.4, note: "<b>" }, record: {}, explanation: "&", problem: null, earlier: true }, "a", "n", true);
    assert(html.includes("8.4") && html.includes("&lt;b&gt;") && !html.includes("<b>") && html.includes("&amp;"));
    return console.log("verdict: the page (there is no server here)");
  }
  fs.writeFileSync(path.join(folder, "records.ndjson"), '{"tone": 3, "facts": 2}\n{"tone": 8, "facts": 8}\n{"tone": 12, "facts": 8}\n');
  const client = connect(command);
  await client.request("initialize", { processId: null, rootUri: null, capabilities: {} });
  client.notify("initialized", {});
  client.notify("textDocument/didOpen", { textDocument: { uri, languageId: "rubric", version: 1, text } });
  const view = new VerdictView((parameters) =>
    client.request("workspace/executeCommand", { command: "assay.verdict", arguments: parameters }));

  await view.show();
  const panel = panels[0];
  const html = () => panel.webview.html;
  assert.strictEqual(panel.where.viewColumn, vscode.ViewColumn.Beside);
  assert(panel.title.includes("good") && html().includes("8.4") && html().includes("pass"), html());
  assert(html().includes("tone") && html().includes("How it came about"), "no dimensions, or no explanation");
  assert(!html().includes("<script>alert"), "a text of a record is not escaped");
  assert(/default-src 'none'/.test(html()) && !/unsafe/.test(html()), "the page may run anything");

  view.changed(uri, { example: "bad" });
  await until(() => panel.title.includes("bad") && html().includes("fail"), "another example is not shown");

  const replace = (version, changed) => {
    text = changed;
    client.notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
    view.changed(uri);
  };
  replace(2, text.replace(">= 5 ", ">= 0.5 ").replace('| >= 0  |', "| >= 0.0 |"));
  await until(() => html().includes("pass"), "an edit is not shown");
  replace(3, text.replace("scale 0..10", "scale 0.."));
  await until(() => html().includes("last text without"), "errors are not told");
  replace(4, text.replace("scale 0..", "scale 0..10"));
  await until(() => !html().includes("last text without"), "the errors have gone");

  await view.showFile();
  assert.strictEqual(panels.length, 1, "another panel is opened");
  assert(panel.title.includes("records.ndjson, record 1") && html().includes("data-step"), html());
  await panel.receive({ step: 1 });
  assert(panel.title.includes("record 2") && /<th>score<\/th><td>8<\/td>/.test(html()), html());
  await panel.receive({ step: 1 });
  assert(html().includes("problem") && html().includes("tone"), "a refused record is not told");
  await panel.receive({ step: 1 });
  assert(html().includes("3 records"), html());
  await panel.receive({ step: -9 });
  assert(panel.title.includes("record 1"), panel.title);

  await view.show({ example: "nobody" });
  assert(html().includes("nobody"), html());
  vscode.window.activeTextEditor = undefined;
  await view.show();
  assert.strictEqual(warned.length, 1);
  panel.closed();
  view.changed(uri);
  view.dispose();
  client.end();
  console.log("verdict: beside the rubric, of examples and of records in files");
}

main()
  .then(() => fs.rmSync(folder, { recursive: true }))
  .catch((error) => {
    console.log(error.stack);
    process.exit(1);
  });
