"""Prints the folder of the torch package and its minor version, without importing it."""

import importlib.util
from pathlib import Path

folder = Path(importlib.util.find_spec("torch").origin).parent
version = {}
exec((folder / "version.py").read_text(), version)
print(folder, ".".join(version["__version__"].split(".")[:2]), sep=";")
