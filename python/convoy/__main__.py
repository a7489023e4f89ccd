"""python -m convoy: the command line, which is the program `convoy` of this package."""

import os
import sys
from pathlib import Path


def program() -> Path:
    return Path(__file__).parent / "bin" / "convoy"


def main() -> None:
    found = program()
    if not found.exists():
        sys.exit(f"convoy: this package was built without the command line ({found} is missing)")
    os.execv(found, ["convoy", *sys.argv[1:]])


if __name__ == "__main__":
    main()
