"""The API server that decides whether a drawn object is valid."""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Any

import engine

from ..apiserver.pipeline import Server, server_of
from ..manifests.files import Files
from ..manifests.objects import read_manifests
from .repair import Repairer, remove, steps_of
from .samples import samples_of_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from ..apiserver.problems import Problem

    Definition = dict[str, Any] | str | PathLike[str]

ROUNDS = 12


class NoValidObject(engine.MergeError):
    """No valid object of a kind was found."""


class Validator:
    """One kind on a server of one release."""

    def __init__(self, api_version: str, kind: str, release: str | None, definitions: Iterable[Definition]) -> None:
        self.api_version, self.kind = api_version, kind
        self.definitions = [one for given in definitions for one in _definitions(given)]
        release = release or engine.releases()[-1]
        self.server = Server(release, self.definitions) if self.definitions else server_of(release)
        self.resource = self.server.kinds.resource(api_version, kind)
        self.schema = self.server.kinds.schema(self.resource)

    @cached_property
    def structural(self) -> dict[str, Any] | None:
        """The structural schema of a custom kind. None for a built-in kind."""
        for definition in self.definitions:
            spec = definition.get("spec", {})
            if spec.get("group") == self.resource.group and spec.get("names", {}).get("kind") == self.kind:
                versions = {one["name"]: one.get("schema") for one in spec.get("versions", ())}
                schema = versions.get(self.resource.version) or spec.get("validation") or {}
                return schema.get("openAPIV3Schema") or {}
        return None

    def problems(self, content: dict[str, Any]) -> Sequence[Problem] | None:
        """The problems of an object. Empty if its problems have no path, and None if it is accepted.

        Most problems are found by `check_create`, which takes a third of the time.
        """
        try:
            found = self.server.check_create(content)
        except engine.MergeError:
            return ()
        for path in found.unknown:
            remove(content, steps_of(path))
        if found.object is not None and not found.unknown:
            found = self.server.create(content)
        return None if found.object is not None and not found.unknown else found.problems

    def repaired(self, content: dict[str, Any], repairer: Repairer) -> bool:
        """Repair an object until the server accepts it. False if that takes too long."""
        for _ in range(ROUNDS):
            problems = self.problems(content)
            if problems is None:
                return True
            if problems and not repairer.repair(content, problems):
                return False
        return self.problems(content) is None

    @cached_property
    def bases(self) -> list[dict[str, Any]]:
        """Valid objects, the smallest first."""
        found = []
        for content in samples_of_kind(self.api_version, self.kind):
            if self.repaired(content, Repairer(self.schema, lambda values: values[0])) and content not in found:
                found.append(content)
        if not found:
            raise NoValidObject(f"no valid object of {self.api_version} {self.kind} is known. Draw another kind")
        return sorted(found, key=lambda one: len(json.dumps(one)))


def _definitions(given: Definition) -> Iterable[dict[str, Any]]:
    if isinstance(given, dict):
        return [given]
    return [one.content for one in read_manifests([str(given)], Files())]
