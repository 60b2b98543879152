"""The command that comes with the package: ``python -m assay`` and the script ``assay``."""

from __future__ import annotations

import os
import sys


def main() -> None:
    command = os.path.join(os.path.dirname(__file__), "bin", "assay")
    os.execv(command, ["assay", *sys.argv[1:]])


if __name__ == "__main__":
    main()
