"""The sources parse with Python 3.9."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(path for folder in ("python", "examples/python")
                 for pattern in ("*.py", "*.pyi") for path in (ROOT / folder).rglob(pattern))


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_sources_parse_as_oldest_python(source):
    ast.parse(source.read_text(), str(source), feature_version=(3, 9))
