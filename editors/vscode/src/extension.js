// The client: starts `assay lsp` and hands rubrics to it. Everything that is known about rubrics is known there; without
// the command the grammar and the snippets still work.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { VerdictView } = require("./verdict.js");

let client;
let view;

async function start() {
  const command = vscode.workspace.getConfiguration("assay").get("path", "assay");
  client = new LanguageClient(
    "assay",
    "Assay",
    { command, args: ["lsp"] },
    {
      documentSelector: [{ language: "rubric" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{rubric,csv,lua}") },
      middleware: {
        executeCommand: async (command, parameters, next) => {
          const result = await next(command, parameters);
          if (command === "assay.chooseExample") view?.changed(parameters[0], { example: parameters[1] });
          return result;
        },
      },
    },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    vscode.window.showWarningMessage(`Assay: '${command} lsp' does not start (setting assay.path): ${error.message}`);
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

async function verdict(parameters) {
  if (!client) throw new Error("the language server does not run");
  return client.sendRequest("workspace/executeCommand", { command: "assay.verdict", arguments: parameters });
}

async function activate(context) {
  view = new VerdictView(verdict);
  context.subscriptions.push(
    view,
    vscode.commands.registerCommand("assay.showVerdict", () => view.show()),
    vscode.commands.registerCommand("assay.showVerdictOfFile", () => view.showFile()),
    vscode.workspace.onDidChangeTextDocument((event) => view.changed(event.document.uri.toString())),
    vscode.workspace.onDidSaveTextDocument((document) => view.changed(document.uri.toString())),
    vscode.commands.registerCommand("assay.restart", async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (!event.affectsConfiguration("assay.path")) return;
      await stop();
      await start();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
