"""Shared fixtures of command tests."""

from __future__ import annotations

import shutil
from itertools import count
from typing import TYPE_CHECKING

import pytest

from .shell import Shell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """A shell in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KUBEMERGE_CLUSTER", raising=False)
    return Shell(tmp_path, capsys)


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Names of folders that do not exist."""
    above = tmp_path_factory.mktemp("folders")
    return (above / str(number) for number in count())


@pytest.fixture(autouse=True)
def _where_no_cluster_is(request: pytest.FixtureRequest, folders: Iterator[Path]) -> Iterator[None]:
    """Commands look for a cluster where they are typed, and people may have one in the repository.

    `tmp_path` takes longer than most tests, so those without it get a plain folder.
    """
    has_own = "tmp_path" in request.fixturenames
    folder = request.getfixturevalue("tmp_path") if has_own else next(folders)
    folder.mkdir(exist_ok=has_own)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield
    if not has_own:
        shutil.rmtree(folder)
