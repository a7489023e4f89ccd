"""A fixed sample of PyTorch's operators; torch_op_sweep.py runs all of them."""

import json
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent


def test_sample_equals_cpu(tmp_path):
    results = tmp_path / "results.jsonl"

    subprocess.run([sys.executable, FOLDER / "torch_op_sweep.py", "run", "--into", results, "--samples", "2",
                    "--list", FOLDER / "torch_op_sample.txt", "--batch", "100"], check=True)

    rows = [json.loads(line) for line in results.read_text().splitlines()]
    found = [row for row in rows if "result" in row]
    assert [row for row in found if row["result"] == "wrong"] == []
    assert sum(row["result"] == "right" for row in found) > 200
    assert {row["operator"] for row in found if row["result"] == "refused"} == {"to_sparse"}
