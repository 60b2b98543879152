// The TextMate grammar over every rubric of the project, with the engine that VS Code uses: comments and texts are told
// apart everywhere, words of declarations are coloured where lines begin with them, and no file ends within a text.
// Usage: node test/grammar.js PROJECT
"use strict";

const fs = require("fs");
const path = require("path");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");

const project = process.argv[2];

function rubrics(folder) {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return rubrics(file);
    return file.endsWith(".rubric") ? [file] : [];
  });
}

async function main() {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      if (scope !== "source.rubric") return null;
      const file = path.join(__dirname, "../syntaxes/rubric.tmLanguage.json");
      return textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file);
    },
  });
  const grammar = await registry.loadGrammar("source.rubric");
  const words = /^\s*(rubric|import|version|scale|type|input|check|let|fn|table|gate|dimension|criterion|level|composite|cap|deduction|bonus|bands|output|flag|advice|rank|context|example)\s+["\w>-]/;
  let lines = 0;
  let failures = 0;
  const fail = (file, line, what) => {
    failures += 1;
    if (failures <= 20) console.log(`${file}:${line}: ${what}`);
  };
  for (const file of [...rubrics(path.join(project, "rubrics")), ...rubrics(path.join(project, "stdlib"))]) {
    let state = textmate.INITIAL;
    const text = fs.readFileSync(file, "utf8").split("\n");
    text.forEach((line, index) => {
      const result = grammar.tokenizeLine(line, state);
      state = result.ruleStack;
      lines += 1;
      const scopes = (at) => {
        const token = result.tokens.find((one) => one.startIndex <= at && at < one.endIndex);
        return token ? token.scopes.join(" ") : "";
      };
      const comment = line.match(/^\s*#/);
      if (comment && !scopes(line.indexOf("#")).includes("comment")) fail(file, index + 1, "a comment is not one");
      const word = line.match(words);
      if (word && !scopes(line.indexOf(word[1])).includes("keyword.declaration"))
        fail(file, index + 1, `'${word[1]}' does not begin a declaration`);
      const end = result.tokens[result.tokens.length - 1];
      if (end && /"$/.test(line) && !line.includes("#") && !end.scopes.join(" ").includes("string")) fail(file, index + 1, "a text is not one");
      if (/[|}\]]$/.test(line) && scopes(line.length - 1).includes("string")) fail(file, index + 1, "a text does not end");
    });
    if (state.depth > 1) fail(file, text.length, "the file ends within a text or a record");
  }
  console.log(`grammar: ${lines} lines, ${failures} wrong`);
  process.exit(failures > 0 || lines < 1000 ? 1 : 0);
}

main();
