"""Record the errors of `kubectl apply --dry-run=server --validate=strict` for the objects that lint is tried on.

`KUBECONFIG=FILE KUBEMERGE_REAL_API=FOLDER python -m tests.kubemerge.linting.record_strict`

The folder holds kubectl. The cluster runs the newest release. Nothing is stored in it.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .test_beside_kubeconform import write

RECORDED = Path(__file__).with_name("strict.json")
MOST = 80
"""Characters kept of each message."""
AT_ONCE = 3
"""The number of parallel runs."""


def refused(file: Path) -> tuple[str, str]:
    """The name of a file, with kubectl's error, or an empty string."""
    program = Path(os.environ["KUBEMERGE_REAL_API"]) / "kubectl"
    words = [str(program), "apply", "--dry-run=server", "--validate=strict", "-f", file.name]
    done = subprocess.run(words, check=False, capture_output=True, text=True, cwd=file.parent)
    lines = [line for line in done.stderr.splitlines() if line and not line.startswith("Warning")]
    return file.name, lines[0][:MOST] if done.returncode else ""


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        write(Path(made))
        with ThreadPoolExecutor(AT_ONCE) as pool:
            said = [*pool.map(refused, sorted(Path(made).glob("*.json")))]
    found = {name: message for name, message in said if message}
    RECORDED.write_text(json.dumps(found, indent=0) + "\n", encoding="utf-8")
    print(f"{len(found)} of {len(said)} are refused")
