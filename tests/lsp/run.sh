#!/usr/bin/env bash
# run.sh VENV ASSAY [pytest options]: the tests of the language server, in a virtual environment that is made once.
set -e
here=$(cd "$(dirname "$0")" && pwd)
venv=$1
export ASSAY=$2
shift 2
if [ ! -f "$venv/lsp.ok" ] || [ "$here/requirements.txt" -nt "$venv/lsp.ok" ]; then
  python3 -m venv "$venv" && "$venv/bin/pip" install --quiet -r "$here/requirements.txt" || { echo "SKIPPED: no packages"; exit 77; }
  touch "$venv/lsp.ok"
fi
cd "$here"
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider "$@"
