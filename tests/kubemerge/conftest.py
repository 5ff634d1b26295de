"""Shared fixtures of command tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .shell import Shell

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """A shell in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KUBEMERGE_CLUSTER", raising=False)
    return Shell(tmp_path, capsys)


@pytest.fixture(autouse=True)
def _where_no_cluster_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands look for a cluster where they are typed, and people may have one in the repository."""
    monkeypatch.chdir(tmp_path)
