"""The recorded responses of the reference from an installed, compiled wheel: `python -I tests/installed.py`.

Needs pytest. Prints the number of cases, and exits with 1 at a difference.
"""

from __future__ import annotations

import ast
import importlib
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import codegen  # noqa: F401 - the packages are found before the sources are on the path
import engine  # noqa: F401
import generated  # noqa: F401
import kubemerge  # noqa: F401

ROOT = Path(__file__).resolve().parent.parent


def compiled() -> list[str]:
    """The modules that setup.py compiles."""
    body = ast.parse((ROOT / "setup.py").read_text(encoding="utf-8")).body
    (files,) = (ast.literal_eval(one.value) for one in body if isinstance(one, ast.Assign) and _name(one) == "COMPILED")
    return [file.removesuffix(".py").replace("/", ".") for file in files]


def _name(assigned: ast.Assign) -> str:
    return ast.unparse(assigned.targets[0])


def file_of(module: str) -> str:
    """The file that a module is imported from."""
    return str(importlib.import_module(module).__file__)


def main() -> int:
    """Compare all cases."""
    if sources := [file for file in map(file_of, compiled()) if not file.endswith(tuple(EXTENSION_SUFFIXES))]:
        sys.exit(f"not compiled: {', '.join(sources)}")
    sys.path.append(str(ROOT))
    from tests.engine.test_recorded import cases, test_result_equals_the_reference

    different = []
    found = cases()
    for case in found:
        try:
            test_result_equals_the_reference(*case.values)
        except AssertionError as error:
            different.append(f"{case.id}: {error}")
    print(*different, f"{len(found)} recorded cases, {len(different)} differences", sep="\n")
    return int(bool(different) or not found)


if __name__ == "__main__":
    sys.exit(main())
