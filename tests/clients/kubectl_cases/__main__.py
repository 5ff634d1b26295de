"""Run kubectl's shell tests and print a line for each; KUBEMERGE_REAL_API is the folder of the programs.

`python -m tests.clients.kubectl_cases [--rbac] [--logs FOLDER] [CASE...]`
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from . import scripts
from .running import WITH_RBAC, Cases


def main() -> None:
    """Run the cases that are named, or all."""
    parser = argparse.ArgumentParser(prog="python -m tests.clients.kubectl_cases")
    parser.add_argument("cases", nargs="*")
    parser.add_argument("--logs", type=Path, help="a folder for the outputs")
    parser.add_argument("--rbac", action="store_true", help="serve with RBAC")
    words = parser.parse_args()
    names = words.cases or scripts.cases(scripts.fetched())
    passed = 0
    with tempfile.TemporaryDirectory() as folder:
        cases = Cases(Path(folder), *(WITH_RBAC if words.rbac else ()))
        try:
            for name in names:
                result = cases.run(name)
                passed += result.passed
                print("passed" if result.passed else "FAILED", name, flush=True)
                if words.logs:
                    words.logs.mkdir(parents=True, exist_ok=True)
                    (words.logs / f"{name}.txt").write_text(result.output, encoding="utf-8")
        finally:
            cases.close()
    print(f"{passed} of {len(names)} passed")


if __name__ == "__main__":
    main()
