"""The objects that a command line names: `deploy/web svc/web`, `deploy web api`, `deploy,svc -l app=web`."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from engine import MergeError

from ..apiserver.identity import DEFAULT_NAMESPACE
from ..cluster import Reference
from ..kinds.find import meant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..cluster import Cluster, Resource


class NoSuchResource(MergeError):
    """A word that is not the name of a kind in the cluster."""

    def __init__(self, word: str, near: Sequence[str]) -> None:
        self.word, self.near = word, tuple(near)
        self.advice = f"did you mean {' or '.join(near)}?" if near else "apply its CustomResourceDefinition first"
        super().__init__(f'the server doesn\'t have a resource type "{word}"')


NOT_NAMED = """\
You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'"""
NOT_ALL_BY_SLASH = (
    "there is no need to specify a resource type as a separate argument when passing arguments in resource/name form "
    "(e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'"
)


class BadWords(MergeError):
    """Words that do not name objects."""


@dataclass(frozen=True)
class Targets:
    """An object of a kind, or, without a name, all of them."""

    resource: Resource
    name: str | None = None

    def reference(self, namespace: str | None) -> Reference:
        """The reference to the object."""
        return Reference(
            self.resource.api_version,
            self.resource.kind,
            self.name or "",
            (namespace or DEFAULT_NAMESPACE) if self.resource.namespaced else None,
        )

    @property
    def place(self) -> str:
        """The object's name in messages if it is not found."""
        return f"{self.resource.called}/{self.name}" if self.name else self.resource.called


def kind_called(cluster: Cluster, word: str) -> Resource:
    """The kind with this name: `deploy`, `Deployment`, `deployments.apps`, `deployments.v1.apps`."""
    served = {(one.api_version, one.kind): one for one in cluster.resources()}
    found = meant(word, served, lambda key: served[key].names)
    if not found:
        names = {one.plural for one in served.values()}
        raise NoSuchResource(word, sorted(get_close_matches(word.lower().partition(".")[0], names, n=3)))
    return served[found[0]]


def wanted(cluster: Cluster, words: Sequence[str]) -> list[Targets]:
    """The objects that these words select, in their order."""
    if not words:
        raise BadWords(NOT_NAMED)
    if any("/" in word for word in words):
        if not all("/" in word for word in words):
            raise BadWords(NOT_ALL_BY_SLASH)
        return [_by_slash(cluster, word) for word in words]
    kinds = [kind_called(cluster, word) for word in words[0].split(",") if word]
    if not words[1:]:
        return [Targets(kind) for kind in kinds]
    return [Targets(kind, name) for kind in kinds for name in words[1:]]


def _by_slash(cluster: Cluster, word: str) -> Targets:
    kind, _, name = word.partition("/")
    if "/" in name:
        raise BadWords("arguments in resource/name form may not have more than one slash")
    if not kind or not name:
        raise BadWords("arguments in resource/name form must have a single resource and name")
    return Targets(kind_called(cluster, kind), name)
