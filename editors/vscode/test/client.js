// The bundle that is packaged, with a stub in place of the editor: it activates, starts the command that the setting names
// with the word `lsp`, says so when there is no such command, and registers its own command.
"use strict";

const Module = require("module");

const disposable = { dispose() {} };
const said = [];
const registered = [];
// Anything that the client library asks of the editor: callable, constructible, and made of itself.
function anything() {
  return new Proxy(class {}, {
    get: (target, key) => {
      if (key === "prototype" || key === Symbol.toPrimitive) return Reflect.get(target, key);
      if (key === "then") return undefined;
      if (key === Symbol.iterator) return [][Symbol.iterator];
      return anything();
    },
    apply: () => anything(),
    construct: () => ({ dispose() {} }),
  });
}
class Emitter {
  constructor() {
    this.event = () => disposable;
  }
  fire() {}
  dispose() {}
}
class Place {
  constructor(...parts) {
    this.parts = parts;
  }
}
const event = () => disposable;
const members = {
  workspace: {
    getConfiguration: () => ({ get: (key, fallback) => (key === "path" ? "/nowhere/assay" : fallback) }),
    createFileSystemWatcher: () => ({ onDidCreate: event, onDidChange: event, onDidDelete: event, dispose() {} }),
    onDidChangeConfiguration: event,
    workspaceFolders: undefined,
    textDocuments: [],
  },
  window: {
    showWarningMessage: (text) => said.push(text),
    showErrorMessage: async (text) => void said.push(text),
    createOutputChannel: () => ({ appendLine() {}, append() {}, show() {}, dispose() {}, info() {}, error() {}, warn() {}, debug() {}, trace() {} }),
    onDidChangeActiveTextEditor: event,
  },
  commands: { registerCommand: (name) => (registered.push(name), disposable) },
  EventEmitter: Emitter,
  CancellationTokenSource: class {
    constructor() {
      this.token = { isCancellationRequested: false, onCancellationRequested: event };
    }
    cancel() {}
    dispose() {}
  },
  version: "1.100.0",
};
const stub = new Proxy(members, {
  get: (target, key) => {
    if (typeof target[key] !== "object" && key in target) return target[key];
    if (key in target) {
      return new Proxy(target[key], { get: (inner, name) => (typeof inner === "object" && !(name in inner) ? anything() : inner[name]) });
    }
    return typeof key === "string" && /^[A-Z]/.test(key) ? Place : anything();
  },
});
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? stub : load(name, ...rest));

const extension = require("../dist/extension.js");
const context = { subscriptions: [] };
const late = setTimeout(() => finish("it does not end"), 20000);

function finish(problem) {
  clearTimeout(late);
  if (problem) console.log(`client: ${problem}`);
  process.exit(problem ? 1 : 0);
}

extension
  .activate(context)
  .then(async () => {
    if (!registered.includes("assay.restart")) return finish("it has no command to restart");
    if (!said.some((text) => text.includes("/nowhere/assay lsp"))) return finish(`it does not say what failed: ${said}`);
    await extension.deactivate();
    console.log("client: activates, and says what is missing");
    finish("");
  })
  .catch((error) => finish(error.stack));
