"""List the tests of kr8s that do not pass on a real API server.

`KUBECONFIG=FILE python -m tests.clients.suites.record_kr8s`

KUBEMERGE_REAL_API is the folder of kubectl. The server has the controllers of tests/apiserver and the admission plugin
ServiceAccount, and its kubeconfig holds certificates inside (`kubectl config view --raw --flatten`).
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from .test_kr8s import fetched, run


def main() -> None:
    """Print the names; the reasons are for a person to write."""
    with tempfile.TemporaryDirectory() as folder:
        sources, python = fetched(Path(folder))
        found = run(sources, python, Path(os.environ["KUBECONFIG"]), "kr8s")
    failed = sorted(name for name, why in found.items() if why)
    sys.stdout.write("".join(f"  {name}: {found[name].strip().splitlines()[-1][:100]!r}\n" for name in failed))
    sys.stdout.write(f"{len(found) - len(failed)} of {len(found)} passed\n")


if __name__ == "__main__":
    main()
