#!/usr/bin/env bash
# run.sh VENV ASSAY [pytest options]: the tests of the prompt in a pseudo-terminal, in a virtual environment that is made
# once. UPDATE=1 in the environment writes the screens of *.screens anew: read the diff.
set -e
here=$(cd "$(dirname "$0")" && pwd)
venv=$1
export ASSAY=$2
shift 2
if [ ! -f "$venv/prompt.ok" ] || [ "$here/requirements.txt" -nt "$venv/prompt.ok" ]; then
  python3 -m venv "$venv" && "$venv/bin/pip" install --quiet -r "$here/requirements.txt" || { echo "SKIPPED: no packages"; exit 77; }
  touch "$venv/prompt.ok"
fi
cd "$here"
exec "$venv/bin/python" -m pytest -q "$@"
