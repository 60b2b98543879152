#!/usr/bin/env bash
# pytest.sh FOLDER VENV ASSAY [pytest options]: the tests of a folder that has a requirements.txt, in a virtual environment
# that is made once; without the packages they are skipped (77). UPDATE=1 in the environment writes the screens of
# prompt/*.screens anew: read the diff.
set -e
folder=$(cd "$1" && pwd)
venv=$2
export ASSAY=$3
shift 3
if [ ! -f "$venv/ok" ] || [ "$folder/requirements.txt" -nt "$venv/ok" ]; then
  python3 -m venv "$venv" && "$venv/bin/pip" install --quiet -r "$folder/requirements.txt" || { echo "SKIPPED: no packages"; exit 77; }
  touch "$venv/ok"
fi
cd "$folder"
exec "$venv/bin/python" -m pytest -q -p no:cacheprovider "$@"
