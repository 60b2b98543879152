// The client: starts `assay lsp` and hands rubrics to it. Everything that is known about rubrics is known there; without
// the command the grammar and the snippets still work.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function start() {
  const command = vscode.workspace.getConfiguration("assay").get("path", "assay");
  client = new LanguageClient(
    "assay",
    "Assay",
    { command, args: ["lsp"] },
    {
      documentSelector: [{ language: "rubric" }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{rubric,csv,lua}") },
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

async function activate(context) {
  context.subscriptions.push(
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
