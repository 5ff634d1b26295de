"""Whether the compiled build with orjson is the same engine: `python -m tests.accelerated -- tests/engine` tests it.

The modules are compiled in a copy, as an installation with KUBEMERGE_COMPILE=1 compiles them; nothing of the repository
is touched. `--conformance COUNT` compares so many merges with the reference as well, and `--benchmark` measures against
it; both need Go.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from .newer import copy_files

LOOK = """
import importlib, sys
for name in sys.argv[1:]:
    file = importlib.import_module(name).__file__
    assert not file.endswith(".py"), f"{file} is not compiled"
print(len(sys.argv) - 1, "modules are compiled")
"""


def main() -> int:
    """Compile in a copy and run the tests; exits as they do."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conformance", type=int, default=0, metavar="COUNT")
    parser.add_argument("--benchmark", action="store_true")
    parser.add_argument("pytest", nargs="*", help="arguments for pytest")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "kubemerge").resolve()
        copy_files(copy)
        _run(copy, "setup.py", "--quiet", "build_ext", "--inplace", KUBEMERGE_COMPILE="1")
        _run(copy, "-c", LOOK, *compiled(copy))
        runs = [("pytest", *given.pytest)] if given.pytest or not given.benchmark else []
        if given.conformance:
            runs.append(("tests.conformance.fuzz", "--count", str(given.conformance)))
        if given.benchmark:
            runs.append(("benchmarks.vs_reference",))
        return max(_run(copy, "-m", *words, check=False, KUBEMERGE_ACCELERATE="1") for words in runs)


def compiled(copy: Path) -> list[str]:
    """The names of the modules that are to be compiled, as `setup.py` lists them."""
    for one in ast.parse((copy / "setup.py").read_text(encoding="utf-8")).body:
        if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "COMPILED":
            return [name.removesuffix(".py").replace("/", ".") for name in ast.literal_eval(one.value)]
    raise AssertionError("setup.py lists no modules")


def _run(copy: Path, *words: str, check: bool = True, **environment: str) -> int:
    kept = {**os.environ, "PYTHONPATH": str(copy), **environment}
    return subprocess.run([sys.executable, *words], cwd=copy, env=kept, check=check).returncode


if __name__ == "__main__":
    sys.exit(main())
