"""Every object of a config with its live object and last-applied configuration, and the outcome of an apply."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import chain

import engine
from engine.clientside.apply import READ
from engine.clientside.last_applied import read_last_applied
from engine.tables.served import group_of, unserved
from engine.values.immutable import Immutable

from ..actions.requests import OtherNamespace, in_namespace
from ..apiserver.text.text import some
from ..manifests.files import STDIN
from ..manifests.live import read_live
from ..manifests.objects import BadManifest, Manifest, by_id, read_manifests

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from engine import Change, Outcome, Schema, aliases

    from ..apiserver.identity import ObjectId
    from ..manifests.files import Files
    from .tables import Schemas


_MOST = 3
"""Maximum number of live objects named in a line."""
_MOST_PATHS = 5
"""Maximum number of paths named in a line."""


class Inputs(Immutable):
    """An object of the config, with the inputs of its apply."""

    __slots__ = ("manifest", "live", "schema", "given", "elsewhere", "unserved")  # noqa: RUF023 - as they are filled
    manifest: Manifest
    live: Manifest | None
    schema: Schema | None
    given: Any
    """The last-applied configuration from a file, or None; without a file, it is read from live's annotation."""
    elsewhere: Manifest | None
    """A live object of this name in another namespace, if there is none in this one."""
    unserved: str
    """A message if the release lacks the kind although it is not a custom resource."""

    def __init__(
        self,
        manifest: Manifest,
        live: Manifest | None,
        schema: Schema | None,
        given: Any = READ,
        elsewhere: Manifest | None = None,
        unserved: str = "",
    ) -> None:
        self._fill(manifest, live, schema, given, elsewhere, unserved)

    @property
    def config(self) -> dict[str, Any]:
        """The object in the config."""
        return self.manifest.content

    @property
    def last_applied(self) -> dict[str, Any] | None:
        """The last-applied configuration; None without one, or if it is unknown."""
        if self.given is not READ:
            found: dict[str, Any] | None = self.given
            return found
        return read_last_applied(self.live.content) if self.live else None

    @property
    def title(self) -> str:
        """kubectl's name for the object: `deployment.apps/nginx`."""
        return self.manifest.title


class Merged(Immutable):
    """One object before and after an apply."""

    __slots__ = ("inputs", "outcome", "answer")  # noqa: RUF023 - the order in which they are filled
    inputs: Inputs
    outcome: Outcome
    answer: dict[str, Any] | None
    """The object that the cluster returned, if one was queried."""

    def __init__(self, inputs: Inputs, outcome: Outcome, answer: dict[str, Any] | None = None) -> None:
        self._fill(inputs, outcome, answer)

    @property
    def before(self) -> dict[str, Any] | None:
        """The live object."""
        return self.inputs.live.content if self.inputs.live else None

    @property
    def after(self) -> dict[str, Any]:
        """The object as it would be after the apply."""
        return self.outcome.merged if self.answer is None else self.answer

    @property
    def changes(self) -> tuple[Change, ...]:
        """The changes from before to after, with their reasons."""
        if self.answer is None:
            return self.outcome.changes
        from .stored_changes import stored_changes

        return stored_changes(self.outcome, self.answer)


class MergeOptions(Immutable):
    """How to merge: the options that several commands share."""

    __slots__ = ("overwrite", "safe", "lists")  # noqa: RUF023 - the order in which they are filled
    overwrite: bool
    safe: bool
    lists: aliases.Lists

    def __init__(self, overwrite: bool = True, safe: bool = False, lists: aliases.Lists = "kubectl") -> None:
        self._fill(overwrite, safe, lists)


def left_out_line(inputs: Inputs, paths: Sequence[str]) -> str:
    """The line for values that are left out of an object because only a server can choose them."""
    return f"{inputs.title}: only a server can choose {some(paths, _MOST_PATHS)}"


def no_object_in(config: Sequence[str]) -> BadManifest:
    """The error for a config without an object."""
    names = ", ".join(STDIN if path == "-" else path for path in config)
    return BadManifest(f"{names}: no object in it. Pass a file with an object")


@contextmanager
def about(manifest: Manifest) -> Iterator[None]:
    """A context whose errors name the object and its place."""
    try:
        yield
    except BadManifest as error:
        raise BadManifest(f"{manifest.place}: {manifest.title}: {error}") from None


class Others:
    """The other inputs of an apply: the live objects, the last-applied configurations, and the schemas.

    `live` are files of live objects, and `objects` are live objects that are read already.
    """

    def __init__(
        self,
        live: Sequence[str],
        last_applied: str | None,
        schemas: Schemas,
        files: Files,
        *,
        namespace: str | None = None,
        recursive: bool = False,
        objects: Iterable[Manifest] = (),
    ) -> None:
        self._given, self.schemas, self._namespace = bool(last_applied), schemas, namespace
        self._live = live
        self._asked, self._found = 0, False
        self._missed: Manifest | None = None
        self._there = self._by_id(chain(objects, read_live(live, files, recursive=recursive)))
        self._by_name = {(*one.group_kind, one.name): found for one, found in self._there.items()}
        before = [last_applied] if last_applied else []
        self._before = self._by_id(read_manifests(before, files, recursive=recursive))

    def _by_id(self, found: Iterable[Manifest]) -> dict[ObjectId, Manifest]:
        return by_id(in_its_namespace(one, None, self.schemas.of(one.key)) for one in found)

    @property
    def live_objects(self) -> list[dict[str, Any]]:
        """All live objects of the files."""
        return [one.content for one in self._there.values()]

    def listed(self, api_version: str, kind: str, namespace: str | None) -> list[dict[str, Any]]:
        """The live objects of a kind in the files."""
        found = [one for one in self._there.values() if one.key == (api_version, kind)]
        return [one.content for one in found if not namespace or one.id.namespace == namespace]

    def prefetched(self, manifests: Iterable[Manifest]) -> Iterator[Manifest]:
        """The same objects: files need no requests."""
        return iter(manifests)

    def of(self, manifest: Manifest) -> Inputs:
        """An object of a config with its live object, its last-applied and its schema."""
        schema = self.schemas.of(manifest.key)
        config = in_its_namespace(manifest, self._namespace, schema)
        missing = "" if schema is not None else unserved(manifest.key, self.schemas.tables(manifest.key))
        self._asked, self._missed = self._asked + 1, config
        if not self._there and not self._before:
            return Inputs(config, None, schema, None if self._given else READ, None, missing)
        now = self._there.get(config.id)
        if now is not None:
            config = in_its_namespace(config, now.content["metadata"].get("namespace"), None)
        then = self._before.get(config.id) or self._before.get(manifest.id)
        given = (then.content if then else None) if self._given else READ
        name = config.id.name
        elsewhere = None if now or not name else self._by_name.get((*config.id.group_kind, name))
        self._found = self._found or bool(now or elsewhere)
        return Inputs(config, now, schema, given, elsewhere, missing)

    @property
    def strange(self) -> str:
        """A message if the files of live objects contain none of the config's objects; empty if they contain one."""
        named = [_named(one) for one in self._there.values()]
        if not named or not self._missed or self._found:
            return ""  # files without objects are an empty cluster
        there = f"{', '.join(self._live)} {('has' if len(self._live) == 1 else 'have')}"
        what = f"no {_named(self._missed)}" if self._asked == 1 else f"none of the {self._asked} objects"
        return f"{there} {what}, but {some(named, _MOST)}"


def _named(manifest: Manifest) -> str:
    """A short name of an object: `Deployment default/web`."""
    where = manifest.content["metadata"].get("namespace")
    return f"{manifest.key[1]} {f'{where}/' if where else ''}{manifest.id.name}"


def in_its_namespace(manifest: Manifest, namespace: str | None, schema: Schema | None) -> Manifest:
    """The object in its namespace, as kubectl sends it, which decides its identity."""
    try:
        content = in_namespace(manifest.content, namespace, namespaced=schema is None or _is_namespaced(schema))
    except OtherNamespace as error:
        raise BadManifest(
            f"the object is in the namespace {error.own!r}, not in {error.asked!r}. Omit --namespace, or "
            f"use {error.own!r}"
        ) from None
    return manifest if content is manifest.content else manifest.with_content(content)


def _is_namespaced(schema: Schema) -> bool:
    """Whether a kind is namespaced. The tables do not contain this for every built-in kind."""
    if schema.namespaced is None:
        from ..apiserver.kinds.builtin_kinds import facts_of

        return not schema.built_in or facts_of(group_of(str(schema.api_version)), str(schema.kind)).namespaced
    return schema.namespaced


class OnServer(Immutable):
    """Options of a server-side apply: the manager, and whether it forces conflicts."""

    __slots__ = ("manager", "force")  # noqa: RUF023 - the order in which they are filled
    manager: str
    force: bool

    def __init__(self, manager: str = "kubectl", force: bool = False) -> None:
        self._fill(manager, force)


def apply_on_server(inputs: Inputs, by: OnServer) -> Merged:
    """Apply one object as a server would; a FieldConflict lists the fields of other managers that would change."""
    live = inputs.live.content if inputs.live else None
    return Merged(
        inputs, engine.server_side_apply(inputs.config, live, inputs.schema, manager=by.manager, force=by.force)
    )


def merge(inputs: Inputs, how: MergeOptions) -> Merged:
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
