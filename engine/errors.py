"""Exceptions of the engine. Each keeps its facts as attributes."""

from __future__ import annotations

from . import aliases
from .conflict import Conflict as Conflict  # noqa: PLC0414 - re-exported with the errors
from .directives import ANNOTATION
from .failures import MergeError as MergeError  # noqa: PLC0414
from .failures import brief as brief  # noqa: PLC0414
from .failures import flat as flat  # noqa: PLC0414
from .failures import spans as spans  # noqa: PLC0414

TYPE_CHECKING = False


class TablesError(MergeError):
    """Merge tables that are missing or broken."""


class UnknownRelease(MergeError):
    """A Kubernetes release without tables."""

    def __init__(self, release: str, known: aliases.Sequence[str]) -> None:
        self.release, self.known = release, tuple(known)
        if known:
            hint = (
                f"supported releases are {known[0]} to {known[-1]}"
                if len(known) > 1
                else f"the supported release is {known[0]}"
            )
            hint += f". Write a release as {known[-1]}, or as a cluster version: v{known[-1]}.1"
        else:
            hint = "these tables have no releases. Load them without one"
        super().__init__(f"no tables for Kubernetes {brief(release)}: {hint}")


class UnknownKind(MergeError):
    """An apiVersion and kind that these tables do not have.

    `api_version` is None where any is accepted. `near` lists similar (apiVersion, kind) pairs of these tables.
    `served_in` lists the releases that serve exactly this apiVersion and kind.
    """

    advice = "add its definition to these tables with overlay()"
    """The advice for a custom resource."""

    def __init__(
        self,
        api_version: str | None,
        kind: str,
        *,
        release: str | None = None,
        near: aliases.Sequence[tuple[str, str]] = (),
        served_in: aliases.Sequence[str] = (),
    ) -> None:
        self.api_version, self.kind, self.release = api_version, kind, release
        self.near, self.served_in = tuple(near), tuple(served_in)
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        where = f" in Kubernetes {self.release}" if self.release else ""
        of = "" if self.api_version is None else f" of apiVersion {brief(self.api_version)}"
        parts = [f"no kind {brief(self.kind)}{of}{where}"]
        if self.served_in:
            parts.append(f"It is served in {spans(self.served_in)}")
        if self.near:
            parts.append("Did you mean " + " or ".join(f"{kind} of {api}" for api, kind in self.near) + "?")
        elif not self.served_in:
            parts.append(f"For a custom resource, {self.advice}")
        return ". ".join(parts)


class UnknownDefinition(MergeError):
    """A definition name that these tables do not have."""

    def __init__(self, name: str, *, release: str | None = None, near: aliases.Sequence[str] = ()) -> None:
        self.name, self.release, self.near = name, release, tuple(near)
        where = f" in Kubernetes {release}" if release else ""
        hint = f". Did you mean {' or '.join(near)}?" if near else ""
        super().__init__(f"no definition {brief(name)}{where}{hint}")


class NewerPickle(MergeError):
    """A pickle made by a newer version of kubemerge."""

    def __init__(self, version: str, own: str) -> None:
        self.version, self.own = version, own
        super().__init__(
            f"this was pickled by kubemerge {version}, but this is {own}. Use one version in all processes"
        )


class BadFieldPath(MergeError):
    """A field path that cannot be read."""

    def __init__(self, text: str, reason: str) -> None:
        self.text, self.reason = text, reason
        super().__init__(f"the field path {brief(text)} cannot be read: {reason}")


class NotJson(MergeError):
    """A value that JSON cannot hold, such as a set, a date, a key that is not a string, or NaN."""

    def __init__(self, value: object, reason: str) -> None:
        super().__init__(f"{reason}. Use only dict, list, str, int, float, bool and None")
        self.value = value


class BadText(MergeError):
    """Text that is not a JSON document."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"this is not JSON: {reason}")


class NotASchema(MergeError):
    """A value passed as a schema that is not one."""

    def __init__(self, value: object) -> None:
        self.value = value
        super().__init__(
            f"the schema is a {type(value).__name__}. Pass the schema of a kind, as returned by "
            "Tables.schema (engine.load().schema(api_version, kind)), or None"
        )


MAY_BE_NONE = ("live", "last applied", "live object")
"""Documents that may be None."""


class NotAnObject(MergeError):
    """A document that is not a JSON object."""

    def __init__(self, document: str, value: object) -> None:
        self.document, self.value = document, value
        found = "None" if value is None else f"a {type(value).__name__}"
        none = ", or None for none" if document in MAY_BE_NONE else ""
        super().__init__(f"the {document} is {found}, not an object. Pass a dict{none}")


class SnakeCase(MergeError):
    """An object with Python field names (`api_version`), which are unknown to the API."""

    def __init__(self, document: str) -> None:
        self.document = document
        super().__init__(
            f"the {document} has api_version instead of apiVersion, as in to_dict() of the kubernetes "
            "client. Pass the client's object itself, or the result of "
            "ApiClient().sanitize_for_serialization(it)"
        )


class WrongKind(MergeError):
    """A document whose apiVersion and kind do not match the schema.

    `document` is "config" or "live". `api_version` and `kind` are the document's, and `expected` is the required
    (apiVersion, kind) pair, or None where the schema is looked up by them.
    """

    def __init__(self, document: str, api_version: object, kind: object, expected: tuple[str, str] | None) -> None:
        self.document, self.api_version, self.kind, self.expected = document, api_version, kind, expected
        has = f"{_field_name('apiVersion', api_version)} and {_field_name('kind', kind)}"
        advice = "Add both" if api_version is None and kind is None else "Pass the schema of its kind"
        if expected is None:
            problem = f"has {has}, so tables cannot find its rules. Add both, or pass the schema of its kind"
        elif document == "config":
            problem = f"has {has}, but the schema describes {expected[0]} {expected[1]}. {advice}"
        else:
            problem = (
                f"has {_field_name('kind', kind)}, and the config {expected[1]!r}. Pass the live object of the config"
            )
        super().__init__(f"the {document}{' object' if document == 'live' else ''} {problem}")


def _field_name(field: str, value: object) -> str:
    return f"no {field}" if value is None else f"the {field} {brief(value)}"


class TooDeep(MergeError):
    """A value that is nested more deeply than the engine supports."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        super().__init__(f"the value has more than {limit} levels. Split it, or keep the deep part as text")


class UnknownField(MergeError):
    """A field to be merged that its type lacks. `has_fields` is true if `type` has any fields."""

    def __init__(self, field: str, type_: str, *, has_fields: bool = True) -> None:
        self.field, self.type, self.has_fields = field, type_, has_fields
        where = f"{type_} has no field {field!r}" if has_fields else f"{field!r} is in {type_}, which has no fields"
        super().__init__(f"{where}. Correct its name, or use the tables of a release that has it")


class UnexpectedList(MergeError):
    """A list in a field that cannot hold a list, or a list of lists that cannot be merged."""

    def __init__(self, field: str, type_: str) -> None:
        self.field, self.type = field, type_
        super().__init__(f"the field {field!r} of {type_} cannot hold this list. Use a value of the field's type")


class BadStrategy(MergeError):
    """A patch strategy with contradictory words; only a broken specification has one."""

    def __init__(self, field: str, strategies: aliases.Sequence[str]) -> None:
        self.field, self.strategies = field, tuple(strategies)
        super().__init__(
            f"the specification sets the patch strategy of {field!r} to {','.join(strategies)!r}. Use one "
            "word, or one word and retainKeys"
        )


class MissingMergeKey(MergeError):
    """An element of a keyed list without its merge key. `key` is empty where the list has no merge key."""

    def __init__(self, key: str, item: object) -> None:
        self.key, self.item = key, item
        problem = f"has no {key!r}" if key else "cannot be identified, because its list has no merge key"
        super().__init__(f"an element {problem}. Add it to every element of the list")


class BadMergeKey(MergeError):
    """A map or list as a merge key or as an element of a set; the reference crashes on these."""

    def __init__(self, value: object) -> None:
        self.value = value
        super().__init__(f"{type(value).__name__} values cannot identify elements. Use a string or number")


class MixedElements(MergeError):
    """List elements that cannot be merged because they are null or of different types. `crashes` is true if Go crashes.

    `lists` are the lists to be merged, if they have several types.
    """

    def __init__(
        self, kinds: aliases.Sequence[str], *, crashes: bool = False, lists: aliases.Sequence[object] = ()
    ) -> None:
        self.kinds, self.crashes, self.lists = tuple(kinds), crashes, tuple(lists)
        problem = f"elements are {', '.join(self.kinds)}" if kinds else "all lists are empty"
        super().__init__(f"{problem}. All elements of a merged list must have one type, and none may be null")


class UnknownDirective(MergeError):
    """A `$patch` with a value that is not allowed here. `patch` is the map that contains it."""

    def __init__(self, value: object, patch: object = None) -> None:
        self.value, self.patch = value, patch
        super().__init__("$patch has an unsupported value. Use 'replace' or 'delete'")


class BadDirective(MergeError):
    """A directive with a wrong value or in the wrong position."""

    def __init__(self, directive: str, reason: str) -> None:
        self.directive, self.reason = directive, reason
        super().__init__(f"{directive} {reason}")


class OrderMismatch(MergeError):
    """Patch elements whose order differs from `$setElementOrder`."""

    def __init__(self, patch: aliases.Sequence[object], order: aliases.Sequence[object]) -> None:
        self.patch, self.order = patch, order
        super().__init__(
            "the elements of the patch do not follow its $setElementOrder, because elements share an "
            "identity. Give each element its own"
        )


class UnclearConflict(MergeError):
    """Lists with repeated scalars, for which conflicts are undefined; the reference crashes on these."""

    def __init__(self, ours: aliases.Sequence[object], theirs: aliases.Sequence[object]) -> None:
        self.ours, self.theirs = ours, theirs
        super().__init__("a list repeats scalars, so conflicts cannot be determined. Remove the duplicates")


class PreconditionFailed(MergeError):
    """A patch that changes fields that must not change. `changed` lists their paths, `patch` is the whole patch."""

    def __init__(self, changed: aliases.Sequence[str], patch: object) -> None:
        self.changed, self.patch = tuple(changed), patch
        super().__init__(f"the patch would change {', '.join(changed)}. Delete the object and create a new one")


class RepeatedElement(MergeError):
    """Two list elements with the same identity. `positions` are their positions in the list of the config."""

    def __init__(self, step: aliases.Step, positions: tuple[int, int]) -> None:
        self.positions = positions
        super().__init__(f"elements {positions[0]} and {positions[1]} of config have the same identity. Remove one")
        self.steps = (step,)


class DirectiveInConfig(MergeError):
    """A patch directive in a config that is merged without loss."""

    def __init__(self, directive: str) -> None:
        self.directive = directive
        super().__init__(
            f"{directive} is a patch directive and would be stored in the object. Remove it, or merge without safe"
        )


class BadAnnotation(MergeError):
    """A last-applied annotation that cannot be read."""

    def __init__(self, annotation: str, reason: str) -> None:
        self.annotation, self.reason = annotation, reason
        super().__init__(f"the annotation {annotation} {reason}. Pass last_applied, or remove the annotation")


class GeneratedName(MergeError):
    """A config with `generateName`; apply could never find such an object again."""

    advice = "give metadata.name"

    def __init__(self, prefix: object) -> None:
        self.prefix = prefix
        super().__init__(f"from {prefix}: cannot use generate name with apply; {self.advice}")


class ConflictError(MergeError):
    """Fields that the config changes and that another writer has changed differently. `conflicts` lists them all.

    The reference also reports the last-applied annotation if the config differs from the last applied one.
    """

    def __init__(self, conflicts: aliases.Sequence[Conflict]) -> None:
        self.conflicts = list(conflicts)
        others = [one.path for one in self.conflicts if one.steps != ("metadata", "annotations", ANNOTATION)]
        places = f"{', '.join(others[:5])}{f' and {len(others) - 5} more' if len(others) > 5 else ''}"
        if len(others) == len(self.conflicts):
            problem = f"also changed by another writer: {places}. Use the new values, or overwrite them"
        elif others:
            problem = f"also changed by another writer: {places}. Overwrite them"
        else:
            problem = "no other writer changed these fields, but apply without overwriting rejects every change"
            problem += ", because it must update its own annotation. Use overwrite"
        super().__init__(problem)
