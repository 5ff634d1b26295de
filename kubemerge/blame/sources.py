"""The files of a config, each with the places of its values and its history in git."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from engine import MergeError

from ..manifests.files import display_name, is_address, names
from ..manifests.kustomize import PREFIX as KUSTOMIZATION
from .history import FileHistory, Histories
from .places import Place, Places

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.paths import Steps

    from ..manifests.objects import Manifest
    from .history import OriginalLine

NO_FILE = "only files have lines in git"
NO_LINES = "the lines of objects in a stream of JSON are unknown"
NOT_READ = "the file cannot be read again"


class Source(NamedTuple):
    """The lines of a value in a file, and their last change."""

    file: str
    place: Place | None
    """None if the file lacks the value: the namespace may come from the command line."""
    origin: OriginalLine | None = None
    """None if the lines are not committed, or their history is unknown."""
    is_known: bool = False
    """Whether the history is known."""


class Sources:
    """Finds the lines of values. Only one file is kept in memory, because the objects of a file follow one another."""

    def __init__(self, paths: Sequence[str], *, recursive: bool = False) -> None:
        self._paths, self._recursive = paths, recursive
        self._files: dict[str, str] | None = None
        self._histories = Histories()
        self._name = ""
        self._data = b""
        self._places: Places | None = None
        self._history: FileHistory | None = None
        self.problems: dict[str, list[str]] = {}
        """The files without a history, by the reason."""
        self.shallow = False
        """Whether commits are missing, because a clone is shallow."""

    def of(self, manifest: Manifest, steps: Steps) -> Source | None:
        """The source of a field of an object. None if its lines are unknown."""
        if manifest.source != self._name:
            self._read(manifest.source)
        if self._places is None:
            return None
        if not self._places.has(manifest):
            self._note(NO_LINES)
            return None
        place = self._places.of(manifest, steps)
        if place is None:
            return Source(self._name, None)
        if self._history is None:
            self._history = self._histories.of(self._path(self._name), self._data)
            self._note(self._history.problem)
        origin = self._history.newest(place.lines)
        self.shallow = self.shallow or (origin is not None and origin.commit.boundary)
        return Source(self._name, place, origin, not self._history.problem)

    def _read(self, name: str) -> None:
        self._name, self._places, self._history = name, None, None
        path = self._path(name)
        if not path:
            self._note(NO_FILE)
            return
        try:
            with open(path, "rb") as stream:  # noqa: PTH123 - pathlib takes a while to import
                self._data = stream.read()
        except OSError:
            self._note(NOT_READ)
            return
        self._places = Places(self._data)

    def _note(self, problem: str) -> None:
        files = self.problems.setdefault(problem, []) if problem else []
        if self._name not in files[-1:]:
            files.append(self._name)

    def _path(self, name: str) -> str:
        """The path of the file with this display name. Empty for standard input, addresses and kustomizations."""
        if self._files is None:
            self._files = {}
            for path in self._paths:
                with suppress(MergeError):
                    for one in names(path, recursive=self._recursive):
                        is_file = one != "-" and not is_address(one) and not one.startswith(KUSTOMIZATION)
                        self._files[display_name(one)] = one if is_file else ""
        path = self._files.get(name, "")
        return path if os.path.isfile(path) else ""  # noqa: PTH113
