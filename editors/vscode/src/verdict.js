// The verdict of the record at hand, beside the rubric: the record of the example that was chosen, or a record of a file. The
// server scores; this shows what it answers and asks again when the text, the file or the choice changes.
"use strict";

const vscode = require("vscode");

const DELAY = 150; // milliseconds after the last change

function escaped(value) {
  return String(value).replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]);
}

// A value of a verdict in a cell.
function shown(value) {
  if (value === null || value === undefined) return "–";
  return escaped(typeof value === "object" ? JSON.stringify(value) : value);
}

function rows(pairs) {
  return pairs.map(([name, ...cells]) => `<tr><th>${escaped(name)}</th>${cells.map((c) => `<td>${shown(c)}</td>`).join("")}</tr>`).join("");
}

// The page for an answer of `assay.verdict`; `nonce` lets its own script and style run, and nothing else.
function page(answer, title, nonce, steps) {
  const verdict = answer.verdict ?? {};
  const plain = Object.entries(verdict).filter(
    ([, value]) => value !== null && (typeof value !== "object" || Array.isArray(value)) && !(Array.isArray(value) && value.length === 0),
  );
  const dimensions = Object.entries(verdict.dimensions ?? {});
  const gates = Object.entries(verdict.gates ?? {});
  const parts = [
    answer.problem ? `<p class="problem">${escaped(answer.problem)}</p>` : "",
    answer.earlier ? `<p class="note">The rubric has errors: this is the verdict of the last text without them.</p>` : "",
    plain.length ? `<table>${rows(plain)}</table>` : "",
    dimensions.length
      ? `<h2>Dimensions</h2><table><tr><th></th><td>score</td><td>weight</td><td>contribution</td></tr>${rows(
          dimensions.map(([name, d]) => [name, d?.score, d?.weight, d?.contribution]),
        )}</table>`
      : "",
    gates.length ? `<h2>Gates</h2><table>${rows(gates)}</table>` : "",
    answer.explanation ? `<h2>How it came about</h2><pre>${escaped(answer.explanation)}</pre>` : "",
    answer.record ? `<h2>Record</h2><pre>${escaped(JSON.stringify(answer.record, null, 2))}</pre>` : "",
  ];
  const buttons = steps ? `<button data-step="-1">‹</button> <button data-step="1">›</button>` : "";
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<style nonce="${nonce}">
body { font-family: var(--vscode-font-family); color: var(--vscode-foreground); }
h1 { font-size: 1.2em; } h2 { font-size: 1em; margin-bottom: 0.3em; }
table { border-collapse: collapse; } th, td { text-align: left; padding: 0.1em 1em 0.1em 0; font-weight: normal; }
th { color: var(--vscode-descriptionForeground); } td { font-variant-numeric: tabular-nums; }
pre { font-family: var(--vscode-editor-font-family); white-space: pre-wrap; }
.problem { color: var(--vscode-errorForeground); } .note { color: var(--vscode-descriptionForeground); }
</style></head><body><h1>${escaped(title)} ${buttons}</h1>${parts.join("")}
<script nonce="${nonce}">const api = acquireVsCodeApi();
for (const b of document.querySelectorAll("button")) b.onclick = () => api.postMessage({ step: Number(b.dataset.step) });</script>
</body></html>`;
}

function nonce() {
  return Array.from({ length: 24 }, () => "abcdefghijklmnopqrstuvwxyz0123456789"[Math.floor(Math.random() * 36)]).join("");
}

// `ask(arguments)` runs the server's command `assay.verdict`.
class VerdictView {
  constructor(ask) {
    this.ask = ask;
    this.which = {};
    this.asked = 0;
  }

  // Of the rubric in the editor that is active; `which` is as the server takes it, {} the example that was chosen.
  async show(which = {}) {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== "rubric") {
      vscode.window.showWarningMessage("Assay: open a rubric first; its verdict is shown beside it");
      return;
    }
    this.uri = editor.document.uri.toString();
    this.which = which;
    if (!this.panel) {
      this.panel = vscode.window.createWebviewPanel(
        "assay.verdict",
        "Verdict",
        { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
        { enableScripts: true, localResourceRoots: [] },
      );
      this.panel.onDidDispose(() => (this.panel = undefined));
      this.panel.webview.onDidReceiveMessage((message) => this.step(message.step));
    }
    await this.update();
  }

  async showFile() {
    const chosen = await vscode.window.showOpenDialog({
      title: "A file of records",
      filters: { Records: ["ndjson", "jsonl", "json", "csv", "tsv"] },
    });
    if (chosen?.length) await this.show({ file: chosen[0].toString(), number: 1 });
  }

  async step(by) {
    if (!this.which.file || !Number.isInteger(by)) return;
    this.which = { ...this.which, number: Math.max(1, this.which.number + by) };
    await this.update();
  }

  // A text or a file has changed, or an example was chosen: `which` replaces what is shown when it is given.
  changed(uri, which) {
    if (!this.panel || (uri && uri !== this.uri && uri !== this.which.file)) return;
    if (which) this.which = which;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.update(), DELAY);
  }

  async update() {
    const number = ++this.asked;
    let answer;
    try {
      answer = await this.ask([this.uri, this.which]);
    } catch (error) {
      answer = { problem: error.message };
    }
    if (!this.panel || number !== this.asked) return; // closed, or a later question is on its way
    const title = this.which.file
      ? `${decodeURIComponent(this.which.file.split("/").pop())}, record ${this.which.number}`
      : answer.example
        ? `Example “${answer.example}”`
        : "Verdict";
    this.panel.title = title;
    this.panel.webview.html = page(answer, title, nonce(), Boolean(this.which.file));
  }

  dispose() {
    clearTimeout(this.timer);
    this.panel?.dispose();
  }
}

module.exports = { VerdictView, page };
