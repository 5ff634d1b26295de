"""Every object of a config with its live one and what was applied last, and the outcome of applying it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import engine
from engine.clientside.apply import READ
from engine.clientside.last_applied import read_last_applied
from engine.tables.served import unserved

from ..kinds.facts import CLUSTER_SCOPED
from ..manifests.files import STDIN
from ..manifests.objects import BadManifest, Manifest, by_identity, read_manifests

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine import Outcome, Schema, Tables

    from ..manifests.objects import Identity


@dataclass(frozen=True)
class Inputs:
    """One object of the config, and what an apply of it starts from."""

    manifest: Manifest
    live: Manifest | None
    schema: Schema | None
    given: Any = READ
    """What was applied last, or None, where a file was given that says so; else live's annotation does."""
    elsewhere: Manifest | None = None
    """A live object of this name in another namespace, where there is none in this one."""
    unserved: str = ""
    """That the release lacks the kind, which is no custom resource, and where it is, in words."""

    @property
    def config(self) -> dict[str, Any]:
        """The object as the config has it."""
        return self.manifest.content

    @property
    def last_applied(self) -> dict[str, Any] | None:
        """What was applied last; None where nothing was, or where nobody knows."""
        if self.given is not READ:
            found: dict[str, Any] | None = self.given
            return found
        return read_last_applied(self.live.content) if self.live else None

    @property
    def title(self) -> str:
        """The object as kubectl calls it: `deployment.apps/nginx`."""
        return self.manifest.title


@dataclass(frozen=True)
class Merged:
    """One object before and after an apply."""

    inputs: Inputs
    outcome: Outcome
    answer: dict[str, Any] | None = None
    """What the cluster says it would be, if there is one to ask."""

    @property
    def before(self) -> dict[str, Any] | None:
        """The live object."""
        return self.inputs.live.content if self.inputs.live else None

    @property
    def after(self) -> dict[str, Any]:
        """The object as it would be after the apply."""
        return self.outcome.merged if self.answer is None else self.answer


@dataclass(frozen=True)
class How:
    """How to apply: the options that several commands share."""

    overwrite: bool = True
    safe: bool = False
    lists: str = "kubectl"


def pair(
    config: Sequence[str],
    live: Sequence[str],
    last_applied: str | None,
    tables: Tables,
    *,
    namespace: str | None = None,
    recursive: bool = False,
) -> Iterator[Inputs]:
    """The objects of these files, one by one, each with the live object of the same group, kind, namespace and name."""
    others = Others(live, last_applied, tables, namespace=namespace, recursive=recursive)
    manifest = None
    for manifest in read_manifests(config, recursive=recursive):
        with about(manifest):
            found = others.of(manifest)
        yield found
    if manifest is None:
        raise no_object_in(config)


def no_object_in(config: Sequence[str]) -> BadManifest:
    """The error for a config without an object."""
    names = ", ".join(STDIN if path == "-" else path for path in config)
    return BadManifest(f"{names}: no object is in it; give a file that holds one")


@contextmanager
def about(manifest: Manifest) -> Iterator[None]:
    """Do what is in here; an error says of which object it is, and where that stands."""
    try:
        yield
    except BadManifest as error:
        raise BadManifest(f"{manifest.place}: {manifest.title}: {error}") from None


class Others:
    """What an apply needs besides a config: the live objects, what was applied last, and the tables."""

    def __init__(
        self,
        live: Sequence[str],
        last_applied: str | None,
        tables: Tables,
        *,
        namespace: str | None = None,
        recursive: bool = False,
    ) -> None:
        self._given, self.tables, self._namespace = bool(last_applied), tables, namespace
        self._there = self._by_identity(live, recursive)
        self._by_name = {(*one[:2], one[3]): found for one, found in self._there.items()}
        self._before = self._by_identity([last_applied] if last_applied else [], recursive)

    def _by_identity(self, paths: Sequence[str], recursive: bool) -> dict[Identity, Manifest]:
        found = read_manifests(paths, recursive=recursive)
        return by_identity(placed(one, None, self._schema(one)) for one in found)

    def _schema(self, manifest: Manifest) -> Schema | None:
        return self.tables.schema(*manifest.key) if manifest.key in self.tables else None

    def of(self, manifest: Manifest) -> Inputs:
        """An object of a config with everything that belongs to it."""
        schema = self._schema(manifest)
        config = placed(manifest, self._namespace, schema)
        now = self._there.get(config.identity)
        if now is not None:
            config = placed(config, now.content["metadata"].get("namespace"), None)
        then = self._before.get(config.identity) or self._before.get(manifest.identity)
        given = (then.content if then else None) if self._given else READ
        group, kind, _, name = config.identity
        elsewhere = None if now or not name else self._by_name.get((group, kind, name))
        return Inputs(config, now, schema, given, elsewhere, unserved(manifest.key, self.tables))


def placed(manifest: Manifest, namespace: str | None, schema: Schema | None) -> Manifest:
    """The object in its namespace, as kubectl sends it, and so what it is known by.

    Of a kind without namespaces a namespace is dropped. An object that stands in another one is an error.
    """
    own = manifest.content["metadata"].get("namespace")
    if schema is not None and _is_cluster_scoped(schema):
        return _in(None, manifest) if own else manifest
    if not namespace or own == namespace:
        return manifest
    if own:
        raise BadManifest(
            f"it is in the namespace {own!r}, not in {namespace!r}; leave out --namespace, or ask for {own!r}"
        )
    return _in(namespace, manifest)


def _is_cluster_scoped(schema: Schema) -> bool:
    """Whether a kind has no namespaces. Tables of built-in kinds do not say it of those that came late."""
    if schema.namespaced is None:
        return schema.built_in and schema.kind in CLUSTER_SCOPED
    return not schema.namespaced


def _in(namespace: str | None, manifest: Manifest) -> Manifest:
    metadata = {key: value for key, value in manifest.content["metadata"].items() if key != "namespace"}
    if namespace is not None:
        metadata["namespace"] = namespace
    return replace(manifest, content={**manifest.content, "metadata": metadata})


def merge(inputs: Inputs, how: How) -> Merged:
    """Apply one object."""
    live = inputs.live.content if inputs.live else None
    outcome = engine.apply(
        inputs.config,
        live,
        inputs.schema,
        how.overwrite,
        last_applied=inputs.given,
        safe=how.safe,
        lists=how.lists,
        warnings=[inputs.unserved] if inputs.unserved else [],
    )
    return Merged(inputs, outcome)
