"""The language server in Neovim, as Debian's package `neovim` has it."""

from __future__ import annotations

import json
import os
import re
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
PAGE = ROOT / "docs" / "how-to" / "editor.md"
HOVER = """
vim.cmd("edit pod.yaml")
local client
vim.wait(60000, function()
  client = vim.lsp.get_clients({ bufnr = 0 })[1]
  return client and client.initialized
end, 20)
if not client then vim.cmd("cquit") end
local params = { textDocument = { uri = vim.uri_from_bufnr(0) }, position = { line = 3, character = 4 } }
local found = client:request_sync("textDocument/hover", params, 60000, 0)
io.stdout:write(vim.json.encode({ root = client.config.root_dir, hover = found.result.contents.value }))
vim.cmd("qall!")
"""


def is_new(nvim: str | None) -> bool:
    """Whether this Neovim has `vim.lsp.config`."""
    check = "lua vim.cmd(vim.lsp.config and 'quit' or 'cquit')"
    command = [str(nvim), "--headless", "--clean", "-c", check]
    return nvim is not None and subprocess.run(command, check=False, capture_output=True).returncode == 0


@pytest.mark.slow
def test_the_configuration_of_the_page(tmp_path: Path) -> None:
    if not is_new(NVIM):
        pytest.skip("needs nvim 0.11 or later")
    lua = re.findall(r"```lua\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    folder = tmp_path / "config" / "nvim"
    folder.mkdir(parents=True)
    (folder / "init.lua").write_text("\n".join(lua), encoding="utf-8")
    (tmp_path / "pod.yaml").write_text(MANIFEST, encoding="utf-8")
    (tmp_path / "kubemerge.toml").touch()
    (tmp_path / "hover.lua").write_text(HOVER, encoding="utf-8")
    program = tmp_path / "bin" / "kubemerge"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m kubemerge "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    there = {
        **os.environ,
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "KUBECONFIG": str(tmp_path / "none"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    command = [str(NVIM), "--headless", "-n", "-c", "luafile hover.lua"]
    done = subprocess.run(command, cwd=tmp_path, env=there, capture_output=True, text=True, check=False, timeout=300)
    found = json.loads(done.stdout)
    assert found["root"] == str(tmp_path)
    assert "metadata.name: string" in found["hover"]
    assert "- live: " in found["hover"]  # the context does not exist, so the option arrived


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
