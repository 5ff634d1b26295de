"""The scripts of the README and of the page about kubectl run as scripts: `bash -e`, in an empty folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from ..conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

SCRIPTS = [
    (page, found[1])
    for page in ("README.md", "docs/how-to/kubectl.md", "docs/how-to/real-controllers.md")
    for found in re.finditer(
        r"^```(?:sh|bash)\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    if "kubemerge serve" in found[1]
]
"""Every script that starts a server."""
NOT_HERE = ("pip install", "kube-controller-manager")


def test_all_pages_have_a_script() -> None:
    assert [page for page, _ in SCRIPTS] == [
        "README.md",
        *["docs/how-to/kubectl.md"] * 2,
        "docs/how-to/real-controllers.md",
    ]


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("page", "script"),
    [pytest.param(*one, marks=[] if one[0] == "README.md" else [pytest.mark.slow]) for one in SCRIPTS],
)
def test_a_script_that_starts_a_server_can_use_it_at_once(page: str, script: str, tmp_path: Path) -> None:
    """The first request after the lines of the page succeeds, though the script does not wait for the server."""
    lines = [line for line in script.splitlines() if not line.startswith(NOT_HERE)]
    started = [line.replace(" &", " --port 0 & served=$!") if line.endswith(" &") else line for line in lines]
    kubemerge = f"'{sys.executable}' -m kubemerge"
    text = "\n".join(
        [*started, 'kubemerge get namespaces -o name --kubeconfig "$KUBECONFIG"', 'kill "$served" || true']
    )
    text = re.sub(r"^kubemerge ", f"{kubemerge} ", text, flags=re.MULTILINE)
    done = subprocess.run(
        ["bash", "-e", "-c", text],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, (page, done.stderr)
    assert "namespace/default\n" in done.stdout


def test_waiting_ends_where_there_is_no_server(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kubemerge", "serve", "--wait", "--kubeconfig", "none", "--timeout", "100ms"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "none: no server has written it" in done.stderr
