#!/usr/bin/env bash
# neovim.sh NVIM ASSAY: Neovim without a screen opens a rubric, shows what is wrong with it, jumps to a definition, and reads
# the queries of the tree-sitter grammar.
set -e
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
grammar=$(cd "$(dirname "$0")/../../editors/tree-sitter-assay" && pwd)
"${CC:-cc}" -shared -fPIC -I "$grammar/src" "$grammar/src/parser.c" -o "$folder/assay.so"
printf 'rubric demo {\n  input size: number 0..9\n  let double = size * 2\n  output x = double + nothing\n}\n' > "$folder/demo.rubric"
cat > "$folder/init.lua" <<LUA
vim.cmd('edit $folder/demo.rubric')
local id = vim.lsp.start_client({ name = 'assay', cmd = { '$2', 'lsp' }, root_dir = '$folder' })
vim.lsp.buf_attach_client(0, id)
local seen = vim.wait(8000, function() return #vim.diagnostic.get(0) > 0 end, 50)
local out = {}
table.insert(out, seen and vim.diagnostic.get(0)[1].message or 'no diagnostics')
vim.api.nvim_win_set_cursor(0, { 4, 14 })
local answer = vim.lsp.buf_request_sync(0, 'textDocument/definition', vim.lsp.util.make_position_params(), 5000)
local place = answer and answer[id] and answer[id].result
table.insert(out, place and ('line ' .. place.range.start.line) or 'no definition')
local need = vim.treesitter.language and vim.treesitter.language.add or vim.treesitter.require_language
need('assay', vim.treesitter.language and vim.treesitter.language.add and { path = '$folder/assay.so' } or '$folder/assay.so')
local root = vim.treesitter.get_parser(0, 'assay'):parse()[1]:root()
for _, name in ipairs({ 'highlights', 'locals', 'folds', 'indents', 'injections' }) do
  local text = table.concat(vim.fn.readfile('$grammar/queries/' .. name .. '.scm'), '\\n')
  local query = (vim.treesitter.query.parse or vim.treesitter.parse_query)('assay', text)
  local count = 0
  for _ in query:iter_captures(root, 0) do count = count + 1 end
  table.insert(out, name .. ' ' .. count)
end
vim.fn.writefile(out, '$folder/out')
vim.cmd('qall!')
LUA
timeout 30 "$1" --headless --clean -u NONE -c "luafile $folder/init.lua" > /dev/null 2>&1 || true
cat "$folder/out"
grep -q "nothing is named 'nothing'" "$folder/out" && grep -q "line 2" "$folder/out" &&
  grep -q "highlights [1-9]" "$folder/out" && grep -q "injections" "$folder/out"
