"""The recorded responses of the reference from an installed, compiled wheel: `python -I tests/installed.py`.

Needs pytest. Prints the number of cases, and exits with 1 at a difference.
"""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import codegen  # noqa: F401 - the packages are found before the sources are on the path
import engine.strategic.fast
import generated  # noqa: F401
import kubemerge  # noqa: F401

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Compare all cases."""
    module = str(engine.strategic.fast.__file__)
    if not module.endswith(tuple(EXTENSION_SUFFIXES)):
        sys.exit(f"{module} is not compiled")
    sys.path.append(str(ROOT))
    from tests.engine.test_recorded import cases, test_result_equals_the_reference

    different = []
    found = cases()
    for case in found:
        try:
            test_result_equals_the_reference(*case.values)
        except AssertionError as error:
            different.append(f"{case.id}: {error}")
    print(f"{len(found)} recorded cases, {len(different)} differences", *different, sep="\n")
    return int(bool(different) or not found)


if __name__ == "__main__":
    sys.exit(main())
