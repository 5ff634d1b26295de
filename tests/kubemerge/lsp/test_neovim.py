"""The language server in Neovim, as Debian's package `neovim` has it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

NVIM = shutil.which("nvim")
MANIFEST = """\
apiVersion: v1
kind: Pod
metadata:
  name: a
spec:
  containers:
  - name: a
    imge: "a:1"
"""


@pytest.mark.slow
@pytest.mark.skipif(NVIM is None, reason="needs nvim: Debian's package neovim")
def test_a_session_in_neovim(tmp_path: Path) -> None:
    (tmp_path / "pod.yaml").write_text(MANIFEST, encoding="utf-8")
    script = Path(__file__).with_name("neovim.lua")
    there = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path / "state")}
    command = [str(NVIM), "--headless", "--clean", "-n", "-c", f"luafile {script}"]
    done = subprocess.run(command, cwd=tmp_path, env=there, capture_output=True, text=True, check=False, timeout=300)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    found: dict[str, object] = {one["name"]: one["value"] for one in lines}
    assert "timeout" not in found, done.stderr
    assert [one["value"] for one in lines if one["name"] == "diagnostic"] == [[6, 4, "KM102"], [7, 4, "KM015"]]
    assert "elements merge by name" in str(found["hover"])
    assert found["fixed"] == '    image: "a:1"'
    assert "restartPolicy" in str(found["completion"])
    assert found["stopped"] is True
    assert done.returncode == 0
