"""What servers of one release make of an object that is new to them, asked without a cluster."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError
from engine.values.unchecked import a_map

from ...apiserver import plugins
from ...apiserver.admission import admitted
from ...apiserver.decoding import typed, unknown
from ...apiserver.decoding.decoded import decoded
from ...apiserver.errors import ClusterError, Forbidden, Invalid, NoMatch
from ...apiserver.identity import DEFAULT_NAMESPACE
from ...apiserver.kinds.deprecated import custom_deprecation
from ...apiserver.kinds.facts import DEFINITION
from ...apiserver.managed_fields import apart
from ...apiserver.metadata import Origins, created, shaped
from ...apiserver.plugins.around import Around
from ...apiserver.problems import body, verbatim
from ...apiserver.resources import Kinds, check_definition, defined
from ...apiserver.schemas.problems import NOT_CHECKED
from .places import steps_of, without

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine import Schema
    from engine.paths import Steps

    from ...apiserver.decoding.typed import Misfit
    from ...apiserver.kinds.deprecated import CustomDeprecation
    from ...apiserver.problems import Problem
    from ...apiserver.protocol import Object, Resource

MOST = 50
"""How many values of a wrong type are looked for in one object."""


class _Still(Origins):
    """A clock that stands still, and the same names for all: nothing that is said depends on them."""

    def now(self) -> str:
        """A time as the API writes it."""
        return "2026-01-01T00:00:00Z"


_ORIGINS = _Still(
    lambda: datetime(2026, 1, 1, tzinfo=timezone.utc), lambda: "00000000-0000-0000-0000-000000000000", lambda: "aaaaa"
)


class Refusal(NamedTuple):
    """A problem for which a server rejects the object, with its place in the object."""

    steps: Steps
    problem: Problem


class Judged(NamedTuple):
    """What a server of a release says of an object; empty where it says nothing."""

    release: str
    content: Object
    misfits: Sequence[Misfit] = ()
    """Values of a type that their fields cannot hold."""
    schema: Schema | None = None
    unknown: Sequence[Steps] = ()
    """Fields that a server refuses if it reads strictly, and drops otherwise."""
    refusals: Sequence[Refusal] = ()
    warnings: Sequence[str] = ()
    built_in: bool = False
    deprecation: CustomDeprecation | None = None
    """What the definition of a custom resource says of its version."""


class Server:
    """Judges objects as servers of one release do, with the CustomResourceDefinitions that it is given."""

    def __init__(self, release: str, definitions: Sequence[Object] = ()) -> None:
        self._given = definitions
        self.kinds = Kinds(release, self._definitions)
        self.release = release

    def _definitions(self) -> list[Object]:
        """The definitions as they would be stored; those that cannot be are left out, and judged later."""
        found = []
        for one in self._given:
            if (one["apiVersion"], one["kind"]) not in self.kinds.tables:
                continue  # of a version that this release does not have any more
            with suppress(MergeError, AttributeError, KeyError, TypeError, ValueError):
                stored = self._made(shaped_object(one), self.kinds.resource(one["apiVersion"], one["kind"]), [])
                list(defined(stored, self.release))
                found.append(stored)
        return found

    def judge(self, content: Object, schema: Schema | None, *, plain: bool = False) -> Judged | None:
        """What is said of an object; None if the release lacks its kind, and no schema of it is known either.

        A schema that comes from a specification tells types and fields, but nothing else. Of an object that is known to
        be `plain`, its fields are not looked at again; values may still be out of range.
        """
        try:
            resource = self.kinds.resource(content["apiVersion"], content["kind"])
        except NoMatch:
            return None if schema is None or schema.built_in else _by_schema(content, schema, self.release)
        types = self._types(resource)
        at: Steps = () if resource.built_in else ("metadata",)
        misfits = misfits_of(content, types, at)
        for one in misfits:
            content = without(content, one.at)
        warned: list[str] = []
        dropped = [] if plain else self._unknown(content, resource)
        refusals = self._refusals(content, resource, warned, [one.at for one in misfits])
        old = None if resource.built_in else self._deprecation(resource)
        return Judged(self.release, content, misfits, types, dropped, refusals, warned, resource.built_in, old)

    def _deprecation(self, resource: Resource) -> CustomDeprecation | None:
        return custom_deprecation(a_map(a_map(self.kinds.definition(resource)).get("spec")), resource.version)

    def _types(self, resource: Resource) -> Schema:
        """What tells the types of an object; of a custom resource, those of its metadata."""
        return self.kinds.schema(resource) if resource.built_in else self.kinds.tables.definition(typed.OBJECT_META)

    def _refusals(
        self, content: Object, resource: Resource, warned: list[str], known: Sequence[Steps]
    ) -> list[Refusal]:
        try:
            content = shaped_object(content)
            self._made(content, resource, warned)
        except Invalid as error:
            problems: Sequence[Problem] = error.problems or [verbatim(str(error))]
        except ClusterError as error:
            problems = [verbatim(str(error))]
        else:
            problems = []
        problems = [one for one in problems if one != NOT_CHECKED]  # which follows from the others
        found = _each_once(Refusal(steps_of(one.path, content), one) for one in problems)
        return [one for one in found if not _follows(one.steps, known)]

    def _unknown(self, content: Object, resource: Resource) -> list[Steps]:
        """The fields that the kind does not have."""
        try:
            content = shaped_object(content)
        except ClusterError:
            return []
        return _places(unknown.unknown(content, resource, self.kinds), content)

    def _made(self, content: Object, resource: Resource, warned: list[str]) -> Object:
        """The object as the server would store it; Invalid or another ClusterError if it refuses it."""
        release = self.release
        group_kind = (resource.group, resource.kind)
        content, _ = apart(_placed(content, resource))
        content = created(decoded(content, resource, self.kinds), resource, release, _ORIGINS)
        around = Around(_nothing, self._minor, None, _ORIGINS.now, lambda _: None, warned.append)

        def book(full: Object) -> Object:
            full = plugins.read(full, *group_kind, around)
            with suppress(Forbidden):  # for want of objects that the cluster may have
                full = plugins.admit(full, *group_kind, around)
            return full

        content = admitted(content, None, resource, self.kinds, book, warn=warned.append)
        if group_kind == DEFINITION:
            check_definition(content, resource, release)
        return content

    @property
    def _minor(self) -> int:
        return int(self.release.partition(".")[2])


def _each_once(refusals: Iterable[Refusal]) -> list[Refusal]:
    """The refusals; of two that list the values of a field, the one that allows fewer."""
    found: dict[tuple[Steps, str], Refusal] = {}
    for one in refusals:
        key = one.steps, body(one.problem._replace(supported=()))
        known = found.get(key)
        if known is None or len(one.problem.supported) < len(known.problem.supported):
            found[key] = one
    return list(found.values())


def _follows(steps: Steps, known: Sequence[Steps]) -> bool:
    """Whether a refusal may only come from a value of a wrong type, at the place, inside it or beside it."""
    return any(steps == at[: len(steps)] or (len(at) > 1 and steps[: len(at) - 1] == at[:-1]) for at in known)


def _nothing(_group: str, _kind: str, _namespace: str | None) -> Iterator[Object]:
    return iter(())


def _by_schema(content: Object, schema: Schema, release: str) -> Judged:
    misfits = misfits_of(content, schema)
    dropped = [] if misfits else _places(unknown.unknown_to(content, schema), content)
    return Judged(release, content, misfits, schema, dropped)


def misfits_of(content: Object, schema: Schema, at: Steps = ()) -> list[Misfit]:
    """Every value that does not fit, as far as they are looked for."""
    found: list[Misfit] = []
    while len(found) < MOST:
        part = content if not at else content.get(str(at[0]), {})
        one = typed.misfit(part, schema, at)
        if one is None:
            break
        found.append(one)
        content = without(content, one.at)
    return found


def _places(fields: Sequence[str], content: Object) -> list[Steps]:
    """The steps of the places of unknown fields. The name of one may be empty."""
    return [steps_of(one, content) or ("",) for one in fields]


def shaped_object(content: Object) -> Object:
    """The object with metadata as a server reads it."""
    return {**content, "metadata": shaped(content.get("metadata"))}


def _placed(content: Object, resource: Resource) -> Object:
    """The object with a name and the namespace in which it would be."""
    given: dict[str, Any] = {key: value for key, value in content["metadata"].items() if key != "namespace"}
    given.pop("resourceVersion", None)  # another rule tells of it
    if given.get("generateName") and not given.get("name"):
        given["name"] = f"{given['generateName']}aaaaa"
    at = {"namespace": content["metadata"].get("namespace") or DEFAULT_NAMESPACE} if resource.namespaced else {}
    return {**content, "metadata": {**given, **at}}
