"""Folders with static manifests, loaded again after a change. A folder that is no longer valid keeps its last state."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..eras import minor_of
from ..errors import BadRequest
from ..plugins.policy_params import STATIC_GATE
from ..problems import forbidden, invalid
from ..registry.feature_gates import is_on
from ..text.go_text import quoted
from .documents import InvalidManifests, Signature, signature
from .loading import load_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..protocol import Object

FIELD = "staticManifestsDir"


class StaticManifests:
    """The objects of several folders. Each folder belongs to one admission plugin."""

    def __init__(self, folders: Sequence[str], release: str, report: Callable[[str], None] | None = None) -> None:
        """Load the folders, or raise InvalidManifests. `report` is called with the error of a later load."""
        self._release, self.report = release, report
        self.version = 0
        """The number of changes so far."""
        self.error: InvalidManifests | None = None
        """The error of the last load. None if it succeeded."""
        for folder in folders:
            _check(folder, release)
        self._folders = [_Folder(os.path.abspath(one), release) for one in folders]  # noqa: PTH100 - keeps links

    def refresh(self) -> None:
        """Load changed folders again."""
        for folder in self._folders:
            if folder.is_changed():
                self._reload(folder)

    def _reload(self, folder: _Folder) -> None:
        try:
            folder.load()
        except InvalidManifests as error:
            self.error = error
            if self.report is not None:
                self.report(f"static manifests were not reloaded, the last valid ones stay in effect: {error}")
        else:
            self.version, self.error = self.version + 1, None

    def of_kind(self, group: str, kind: str, namespace: str | None) -> Iterator[Object]:  # noqa: ARG002
        """Yield the objects of a kind by name, one folder after the other."""
        for folder in self._folders:
            yield from (one for one in folder.objects if one["kind"] == kind)


class _Folder:
    def __init__(self, path: str, release: str) -> None:
        self._path, self._release = path, release
        self._plugin = ""
        self.objects: list[Object] = []
        self._loaded: Signature | None = None
        self.is_changed()
        try:
            self.load()
        except InvalidManifests as error:
            advice = error.advice or "correct the file, or do not pass the folder"
            raise InvalidManifests(
                f"failed to load static manifests from {quoted(path)}: {error.why}", advice=advice
            ) from None

    def is_changed(self) -> bool:
        """Whether files differ from those of the last call."""
        now = signature(self._path)
        is_changed, self._loaded = now != self._loaded, now
        return is_changed

    def load(self) -> None:
        """Load all files. Raise InvalidManifests, and keep the objects from before."""
        self._plugin, self.objects = load_folder(self._path, self._plugin, self._release)


def _check(folder: str, release: str) -> None:
    """Raise BadRequest for a folder that no server would use."""
    if not is_on(STATIC_GATE, minor_of(release)):
        why = f"{FIELD} requires the {STATIC_GATE} feature gate to be enabled"
        advice = f"the gate is on by default since 1.37. Pass --feature-gates {STATIC_GATE}=true"
        raise BadRequest(str(forbidden(FIELD, why)), advice=advice)
    try:
        os.stat(folder)  # noqa: PTH116 - only its error is needed
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise BadRequest(str(invalid(FIELD, folder, f"unable to read: stat {folder}: {reason}"))) from None
    if not os.path.isdir(folder):  # noqa: PTH112
        raise BadRequest(str(invalid(FIELD, folder, "must be a directory")))
