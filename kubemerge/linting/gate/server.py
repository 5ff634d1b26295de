"""Validation of an object by servers of one release, without a cluster: as a new one, and as an update."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError, apply
from engine.clientside.apply import READ

from ...actions.serverside.managers import APPLY
from ...apiserver import pipeline
from ...apiserver.decoding import type_errors, type_search, unknown_fields
from ...apiserver.errors import Invalid, NoMatch, PolicyRejection
from ...apiserver.kinds.deprecated import custom_deprecation
from ...apiserver.problem_paths import steps_of
from ...apiserver.problems import body
from ...apiserver.schemas.problems import NOT_CHECKED
from ...apiserver.unchecked import as_map
from .places import without
from .policies import NO_POLICIES, PolicyResults, policy_results, without_policies

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine import Schema
    from engine.paths import Steps

    from ...apiserver.decoding.type_mismatch import TypeMismatch
    from ...apiserver.kinds.deprecated import CustomDeprecation
    from ...apiserver.pipeline import Stored
    from ...apiserver.problems import Problem
    from ...apiserver.protocol import Object, Resource

MOST = 50
"""Maximum number of values of a wrong type that are searched for in one object."""


class Refusal(NamedTuple):
    """A problem for which a server rejects the object, with its place in the object."""

    steps: Steps
    problem: Problem
    of_update: bool = False
    """Whether only the change of the live object is rejected."""


class Judged(NamedTuple):
    """The results of a release's server for an object. An attribute without a result is empty."""

    release: str
    content: Object
    mismatches: Sequence[TypeMismatch] = ()
    """Values whose types do not fit their fields."""
    schema: Schema | None = None
    unknown: Sequence[Steps] = ()
    """Fields that a server rejects with strict validation, and drops otherwise."""
    refusals: Sequence[Refusal] = ()
    warnings: Sequence[str] = ()
    built_in: bool = False
    deprecation: CustomDeprecation | None = None
    """The deprecation of a custom resource's version in its definition."""
    disabled: Sequence[tuple[Steps, str]] = ()
    """Fields that the server drops because a feature gate is off, each with the gate."""
    policies: PolicyResults = NO_POLICIES
    """The results of admission policies."""

    @property
    def has_results(self) -> bool:
        """Whether the server reports anything, so that rules about its results may find something."""
        reported = self.mismatches or self.unknown or self.refusals or self.warnings or self.disabled
        return bool(reported) or self.policies is not NO_POLICIES


class Live(NamedTuple):
    """A live object, with the last applied config if it is not in its annotation, or with the server-side manager."""

    content: Object
    last_applied: Any = READ
    manager: str | None = None


class Server:
    """Validates objects like servers of one release, with CustomResourceDefinitions and admission policies."""

    def __init__(self, release: str, definitions: Sequence[Object] = (), policies: Sequence[Object] = ()) -> None:
        self._server = pipeline.Server(release, definitions, policies=policies)
        self.kinds, self.release = self._server.kinds, release
        self._own = {id(one): one for one in definitions}

    def judge(
        self, content: Object, schema: Schema | None, *, plain: bool = False, live: Live | None = None
    ) -> Judged | None:
        """Validate an object; None if the release lacks its kind, and no schema of the kind is known either.

        With a live object, the apply to it is validated too.

        A schema from a specification only has types and fields. A `plain` object's fields are known to fit, and are not
        checked again. Its values may still be out of range.
        """
        try:
            resource = self.kinds.resource(content["apiVersion"], content["kind"])
        except NoMatch:
            return None if schema is None or schema.built_in else _by_schema(content, schema, self.release)
        content, mismatches, stored = self._stored(content, fields=not plain)
        deprecation = None if resource.built_in else self._deprecation(resource)
        of_policies = policy_results(content, stored, self.kinds)
        problems = () if isinstance(stored.error, PolicyRejection) else stored.problems
        refusals = _refusals(content, problems, [one.at for one in mismatches])
        if live is not None and not mismatches:
            stored_update, found = self._of_update(content, live, problems)
            refusals += [one._replace(of_update=True) for one in _refusals(content, found, ())]
            if stored_update is not None and not of_policies.denials:
                of_policies = policy_results(content, stored_update, self.kinds)
        types, places = self._types(resource), _places(stored.unknown, content)
        warned, built_in = without_policies(stored.warnings), resource.built_in
        disabled = [(steps_of(place, content), gate) for place, gate in self._server.disabled_fields(content)]
        found_in = (self.release, content, mismatches, types, places, refusals, warned, built_in, deprecation, disabled)
        return Judged(*found_in, policies=of_policies)

    def _stored(self, content: Object, *, fields: bool) -> tuple[Object, list[TypeMismatch], Stored]:
        """The object without its values of a wrong type, these values, and the other results of the server."""
        mismatches: list[TypeMismatch] = []
        while True:
            if content is self._own.get(id(content)):
                stored = self._server.check_definition(content)
            else:
                stored = self._server.check_create(content, fields=fields, predicts=False)
            if not isinstance(stored.error, type_errors.Unreadable) or len(mismatches) == MOST:
                return content, mismatches, stored
            mismatches.append(stored.error.mismatch)
            content = without(content, stored.error.mismatch.at)

    def _of_update(
        self, content: Object, live: Live, known: Sequence[Problem]
    ) -> tuple[Stored | None, Sequence[Problem]]:
        """The result of the change, and problems of the change alone, such as those of immutable fields.

        Problems that live already has, or that the merged object would have as a new one, do not count.
        """
        try:
            read = self._server.read(live.content)
            if live.manager is not None:
                # Forced, because a conflict is a finding of its own. The merged object may be invalid.
                stored = self._server.apply(read, content, manager=live.manager, force=True)
                merged: Sequence[Problem] = ()
            else:
                outcome = apply(content, read, self._server.schema(content), last_applied=live.last_applied)
                if outcome.patch_type == "none":
                    return None, ()
                stored = self._server.patch(read, content, outcome.patch, outcome.patch_type, manager=APPLY)
                merged = self._server.check_create(outcome.merged).problems if _is_invalid(stored) else ()
        except MergeError:  # the rules about an apply report it
            return None, ()
        if _is_invalid(stored):
            others = {*known, *merged, *self._server.known_problems(read)}
            return stored, [one for one in stored.problems if one not in others]
        return stored, ()

    def _deprecation(self, resource: Resource) -> CustomDeprecation | None:
        return custom_deprecation(as_map(as_map(self.kinds.definition(resource)).get("spec")), resource.version)

    def _types(self, resource: Resource) -> Schema:
        """The schema for the types of an object; for a custom resource, that of its metadata."""
        return (
            self.kinds.schema(resource) if resource.built_in else self.kinds.tables.definition(type_errors.OBJECT_META)
        )


def _is_invalid(stored: Stored) -> bool:
    return isinstance(stored.error, Invalid)


def _refusals(content: Object, problems: Sequence[Problem], known: Sequence[Steps]) -> list[Refusal]:
    """The problems that do not follow from others."""
    found = _each_once(
        Refusal(steps_of(one.path, content), one) for one in problems if one.detail != NOT_CHECKED.detail
    )
    return [one for one in found if not _follows(one.steps, known)]


def _each_once(refusals: Iterable[Refusal]) -> list[Refusal]:
    """The rejections; of two that list the values of a field, the one with fewer allowed values."""
    found: dict[tuple[Steps, str], Refusal] = {}
    for one in refusals:
        key = one.steps, body(one.problem._replace(supported=()))
        known = found.get(key)
        if known is None or len(one.problem.supported) < len(known.problem.supported):
            found[key] = one
    return list(found.values())


def _follows(steps: Steps, known: Sequence[Steps]) -> bool:
    """Whether a rejection may only be caused by a value of a wrong type, at the place, inside it or beside it.

    The server names a claim's request `spec.resources[storage]`, without `requests`.
    """
    return any(
        steps == at[: len(steps)]
        or (len(at) > 1 and steps[: len(at) - 1] == at[:-1])
        or (len(steps) > 1 and steps[-1] == at[-1] and steps[:-1] == at[: len(steps) - 1])
        for at in known
    )


def _by_schema(content: Object, schema: Schema, release: str) -> Judged:
    mismatches = mismatches_in(content, schema)
    dropped = [] if mismatches else _places(unknown_fields.fields_unknown_to(content, schema), content)
    return Judged(release, content, mismatches, schema, dropped)


def mismatches_in(content: Object, schema: Schema, at: Steps = ()) -> list[TypeMismatch]:
    """Every value whose type does not fit, up to the maximum."""
    found: list[TypeMismatch] = []
    while len(found) < MOST:
        part = content if not at else content.get(str(at[0]), {})
        one = type_search.type_mismatch(part, schema, at)
        if one is None:
            break
        found.append(one)
        content = without(content, one.at)
    return found


def _places(fields: Sequence[str], content: Object) -> list[Steps]:
    """The steps of the places of unknown fields. The name of one may be empty."""
    return [steps_of(one, content) or ("",) for one in fields]
