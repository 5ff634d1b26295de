"""The cost of each dependency of kubemerge: its own dependencies, their size, and its import time.

Each is installed into an empty environment. Times are CPU times of a fresh process minus those of an empty one,
the best of many, with compiled bytecode. docs/decisions.md has the results.
"""

from __future__ import annotations

import compileall
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

RUNS = 30
IMPORTED = {
    "click": "click",
    "jinja2": "jinja2",
    "jsonschema": "jsonschema",
    "pyyaml": "yaml",
    "requests": "requests",
    "tomli": "tomli",
    "urllib3[socks]": "urllib3.contrib.socks",
    "cryptography": "cryptography.x509",
    "uvicorn": "uvicorn",
    "pygls": "pygls.lsp.server",
    "mcp": "mcp.server.lowlevel",
}
"""By requirement, the module to import."""
USED = "import resource; print(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))"


def seconds(python: Path, statement: str) -> float:
    """The CPU time of a process that runs a statement: the best of many."""
    command = [str(python), "-c", f"{statement}; {USED}"]
    return min(float(subprocess.check_output(command)) for _ in range(RUNS))


def main() -> None:
    print("| package | with it | size | import |\n|---|---|---|---|")
    for name, module in IMPORTED.items():
        with tempfile.TemporaryDirectory() as folder:
            venv.create(folder, with_pip=False)
            python = Path(folder, "bin", "python")
            (site,) = Path(folder, "lib").glob("python3*/site-packages")
            command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", str(site), name]
            subprocess.run(command, check=True)
            size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file()) / 2**20
            count = len(list(site.glob("*.dist-info"))) - 1
            compileall.compile_dir(folder, quiet=2)
            milliseconds = (seconds(python, f"import {module}") - seconds(python, "pass")) * 1000
            print(f"| {name} | {count} | {size:.1f} MiB | {milliseconds:.0f} ms |", flush=True)


if __name__ == "__main__":
    main()
