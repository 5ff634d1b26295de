"""Files for commands to read, and how a command has to fail."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from kubemerge.cli.main import as_kubectl

from ..codegen.sample_specs import kubemerge

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def config_map(name: str = "settings", **fields: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"a": "1"}, **fields}


def written(file: Path, *documents: Any) -> Path:
    """A file with these documents. Text is written unchanged."""
    texts = (one if isinstance(one, str) else json.dumps(one, indent=1) for one in documents)
    file.write_text("\n---\n".join(texts) + "\n", encoding="utf-8")
    return file


def fails(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """The one sentence with which the command fails."""
    kubectls = as_kubectl(words)
    assert kubemerge(*words, "-q") == (1 if kubectls else 2)
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert "bug" not in said.err
    (line,) = said.err.replace("\nhint: ", "; ").splitlines()
    assert line.startswith("error: " if kubectls else "kubemerge: ")
    return line
