"""Run a small Go program, built from `oracle/`, to print Go types and encoded objects of Kubernetes: `python -m ...
--write`.

It writes the tables of messages and Go types, which the product reads, and a file of random objects of every kind with
both encodings.
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).parent
TABLE = HERE.parents[4] / "kubemerge" / "apiserver" / "http" / "protobuf" / "messages.txt"
GO_TYPES = HERE.parents[4] / "kubemerge" / "apiserver" / "decoding" / "go_type_table.py"
OBJECTS = HERE / "data" / "objects.txt.gz"
RECORDED = 1100
"""The number of recorded objects: two of each kind."""


class NoOracle(Exception):
    """The program cannot be built here, for the reason in the text."""


@lru_cache(maxsize=1)
def program() -> str:
    """Build the program, and return its path."""
    if shutil.which("go") is None:
        raise NoOracle("there is no Go here to build the program with")
    target = Path(tempfile.mkdtemp()) / "oracle"
    built = subprocess.run(
        ["go", "build", "-trimpath", "-o", str(target), "."],
        cwd=HERE / "oracle",
        env={**os.environ, "CGO_ENABLED": "0", "GOWORK": "off"},
        capture_output=True,
        text=True,
        check=False,
    )
    if built.returncode:
        raise NoOracle(f"the program cannot be built: {built.stderr.strip()[-300:]}")
    return str(target)


def ask(*arguments: str, given: str = "") -> str:
    """The output of the program."""
    done = subprocess.run([program(), *arguments], input=given.encode(), capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def write() -> None:
    """Write the tables and the objects."""
    TABLE.write_text(ask("table"), encoding="ascii")
    head = GO_TYPES.read_text(encoding="ascii").partition("TABLE = ")[0]
    GO_TYPES.write_text(f'{head}TABLE = """\n{ask("gotypes")}"""\n', encoding="ascii")
    OBJECTS.write_bytes(gzip.compress(ask("objects", str(RECORDED), "1").encode(), mtime=0))


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    write()
