"""python -m convoy: the command line, which is the program `convoy`."""

import os
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent

# In a wheel the program is inside the package, in a build tree beside the folder of the packages,
# in an install tree beside the library folder, which may be one level deeper.
PROGRAMS = [PACKAGE / "bin/convoy", *(PACKAGE.parents[up] / "bin/convoy" for up in (1, 3, 4))]


def find_program():
    """The program; None where it is not installed."""
    for program in PROGRAMS:
        if os.access(program, os.X_OK) and program.is_file():
            return program
    return None


def main() -> None:
    # Scripts that the command starts with python3 are run by this interpreter.
    os.environ["PATH"] = f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}"
    if program := find_program():
        os.execv(program, [str(program), *sys.argv[1:]])
    sys.exit(f"convoy: this package was built without the command line ({PROGRAMS[0]} is missing)")


if __name__ == "__main__":
    main()
