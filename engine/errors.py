"""The errors of the engine; each keeps its facts as attributes."""

from __future__ import annotations

from .directives import ANNOTATION
from .paths import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .paths import Step, Steps


class MergeError(Exception):
    """The base of all errors of the engine: the path, and one sentence on what is wrong and what to do.

    Each caller adds its step of the path while the error is raised, so a merge that succeeds does no work for it.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.steps: Steps = ()

    @property
    def path(self) -> str:
        """Where it happened, as `spec.containers[name=web].image`; empty for the document itself."""
        return render(self.steps) if self.steps else ""

    def within(self, step: Step) -> MergeError:
        """The same error with a step put in front of its path."""
        self.steps = (step, *self.steps)
        return self

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.steps else self.message


def brief(value: object) -> str:
    """The repr of a value, shortened for a message."""
    try:
        text = repr(value)
    except RecursionError:
        return f"a deep {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


class TablesError(MergeError):
    """Merge tables that are missing or broken."""


class UnknownRelease(MergeError):
    """A Kubernetes release that there are no tables for."""

    def __init__(self, release: str, known: Sequence[str]) -> None:
        self.release, self.known = release, tuple(known)
        if known:
            hint = f"there are {known[0]} to {known[-1]}" if len(known) > 1 else f"there is {known[0]}"
            hint += f"; write a release as {known[-1]}, or as a cluster says it: v{known[-1]}.1"
        else:
            hint = "these tables have no releases; load them without one"
        super().__init__(f"no tables for Kubernetes {brief(release)}: {hint}")


class UnknownKind(MergeError):
    """An apiVersion and kind that these tables do not have.

    `api_version` is None where any is accepted. `near` lists similar (apiVersion, kind) pairs of these tables;
    `served_in` lists the releases that serve exactly this apiVersion and kind.
    """

    advice = "add its definition to these tables with overlay()"
    """What to do for a custom resource."""

    def __init__(
        self,
        api_version: str | None,
        kind: str,
        *,
        release: str | None = None,
        near: Sequence[tuple[str, str]] = (),
        served_in: Sequence[str] = (),
    ) -> None:
        self.api_version, self.kind, self.release = api_version, kind, release
        self.near, self.served_in = tuple(near), tuple(served_in)
        super().__init__(self._sentence())

    def _sentence(self) -> str:
        where = f" in Kubernetes {self.release}" if self.release else ""
        of = "" if self.api_version is None else f" of apiVersion {brief(self.api_version)}"
        parts = [f"no kind {brief(self.kind)}{of}{where}"]
        if self.served_in:
            parts.append(f"it is served in {spans(self.served_in)}")
        if self.near:
            parts.append("did you mean " + " or ".join(f"{kind} of {api}" for api, kind in self.near) + "?")
        elif not self.served_in:
            parts.append(f"for a custom resource, {self.advice}")
        return "; ".join(parts)


class UnknownDefinition(MergeError):
    """A definition name that these tables do not have."""

    def __init__(self, name: str, *, release: str | None = None, near: Sequence[str] = ()) -> None:
        self.name, self.release, self.near = name, release, tuple(near)
        where = f" in Kubernetes {release}" if release else ""
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        super().__init__(f"no definition {brief(name)}{where}{hint}")


class BadFieldPath(MergeError):
    """A field path that cannot be read."""

    def __init__(self, text: str, reason: str) -> None:
        self.text, self.reason = text, reason
        super().__init__(f"the field path {brief(text)} cannot be read: {reason}")


class NotJson(MergeError):
    """A value that JSON cannot hold, such as a set, a date, a key that is not a string, or NaN."""

    def __init__(self, value: object, reason: str) -> None:
        super().__init__(f"{reason}; give plain dict, list, str, int, float, bool and None")
        self.value = value


class BadText(MergeError):
    """Text that is not a JSON document."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"this is not JSON: {reason}")


class NotASchema(MergeError):
    """A value that was given as a schema and is not one."""

    def __init__(self, value: object) -> None:
        self.value = value
        super().__init__(
            f"the schema is a {type(value).__name__}; give what Tables.schema(api_version, kind) returns, or None"
        )


class NotAnObject(MergeError):
    """A document that is not a JSON object."""

    def __init__(self, document: str, value: object) -> None:
        self.document, self.value = document, value
        super().__init__(f"the {document} is a {type(value).__name__}, not an object; give a dict, or None for none")


class TooDeep(MergeError):
    """A value that is nested more deeply than the engine supports."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        super().__init__(f"the value has more than {limit} levels; split it, or keep the deep part as text")


class UnknownField(MergeError):
    """A field that must be merged, in a type that does not have it. `type` names that type."""

    def __init__(self, field: str, type_: str, *, has_fields: bool = True) -> None:
        self.field, self.type = field, type_
        where = f"{type_} has no field {field!r}" if has_fields else f"{field!r} is in {type_}, which has no fields"
        super().__init__(f"{where}; correct its name, or use the tables of a release that has it")


class UnexpectedList(MergeError):
    """A list in a field that cannot hold a list, or a list of lists that cannot be merged."""

    def __init__(self, field: str, type_: str) -> None:
        self.field, self.type = field, type_
        super().__init__(f"the field {field!r} of {type_} cannot hold this list; give what the field takes")


class BadStrategy(MergeError):
    """A patch strategy whose words contradict each other; only a broken specification has one."""

    def __init__(self, field: str, strategies: Sequence[str]) -> None:
        self.field, self.strategies = field, tuple(strategies)
        super().__init__(
            f"the specification gives {field!r} the patch strategy {','.join(strategies)!r}; "
            "it may be one word, or one word and retainKeys"
        )


class MissingMergeKey(MergeError):
    """An element of a keyed list without its merge key. `key` is empty where the list has no merge key."""

    def __init__(self, key: str, item: object) -> None:
        self.key, self.item = key, item
        problem = f"has no {key!r}" if key else "cannot be identified, because its list has no merge key"
        super().__init__(f"an element {problem}; give every element of the list its own")


class BadMergeKey(MergeError):
    """A map or a list as a merge key or as an element of a set; the reference crashes on these."""

    def __init__(self, value: object) -> None:
        self.value = value
        super().__init__(
            f"{type(value).__name__} values cannot be compared to identify elements; use a string or number"
        )


class MixedElements(MergeError):
    """List elements that cannot be merged because they are null or of different types."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self.kinds = tuple(kinds)
        problem = f"elements are {', '.join(self.kinds)}" if kinds else "all lists are empty"
        super().__init__(f"{problem}; a list that is merged needs elements of one kind, and not null")


class UnknownDirective(MergeError):
    """A `$patch` with a value that is not allowed here."""

    def __init__(self, value: object) -> None:
        self.value = value
        super().__init__(f"$patch cannot be {value!r} here; it may be 'replace' or 'delete'")


class BadDirective(MergeError):
    """A directive with a wrong value or in a wrong place."""

    def __init__(self, directive: str, reason: str) -> None:
        self.directive, self.reason = directive, reason
        super().__init__(f"{directive} {reason}")


class OrderMismatch(MergeError):
    """Elements of a patch that are not in the order of its `$setElementOrder`."""

    def __init__(self, patch: Sequence[object], order: Sequence[object]) -> None:
        self.patch, self.order = patch, order
        super().__init__(
            "the elements of the patch do not follow its $setElementOrder; "
            "elements that share an identity cause this, so give each its own"
        )


class UnclearConflict(MergeError):
    """Lists with repeated scalars, for which conflicts are undefined; the reference crashes on these."""

    def __init__(self, ours: Sequence[object], theirs: Sequence[object]) -> None:
        self.ours, self.theirs = ours, theirs
        super().__init__("a list repeats scalars, so it cannot be checked for conflicts; remove the repeated ones")


class PreconditionFailed(MergeError):
    """A patch that changes fields that must not change. `changed` lists their paths, `patch` is the whole patch."""

    def __init__(self, changed: Sequence[str], patch: object) -> None:
        self.changed, self.patch = tuple(changed), patch
        super().__init__(f"the patch would change {', '.join(changed)}; delete the object and create a new one")


class RepeatedElement(MergeError):
    """Two list elements with the same identity. `positions` are their positions in the list of the config."""

    def __init__(self, step: Step, positions: tuple[int, int]) -> None:
        self.positions = positions
        super().__init__(f"elements {positions[0]} and {positions[1]} of config are the same element; remove one")
        self.steps = (step,)


class DirectiveInConfig(MergeError):
    """A patch directive in a config that is merged without loss."""

    def __init__(self, directive: str) -> None:
        self.directive = directive
        super().__init__(f"{directive} is for patches and would end up in the object; remove it, or merge without safe")


class BadAnnotation(MergeError):
    """A last-applied annotation that cannot be read."""

    def __init__(self, annotation: str, reason: str) -> None:
        self.annotation, self.reason = annotation, reason
        super().__init__(f"the annotation {annotation} {reason}; give last_applied, or remove the annotation")


class GeneratedName(MergeError):
    """A config with `generateName`; apply could never find such an object again."""

    def __init__(self, prefix: object) -> None:
        self.prefix = prefix
        super().__init__(f"from {prefix}: apply cannot use a generated name; give metadata.name")


class Conflict:
    """One place that two patches, or a config and another writer, change in different ways."""

    __slots__ = ("ours", "steps", "theirs")

    def __init__(self, steps: Steps, ours: Any, theirs: Any) -> None:
        self.steps, self.ours, self.theirs = steps, ours, theirs

    @property
    def path(self) -> str:
        """The path of the place, as `spec.containers[name=web].image`."""
        return render(self.steps)

    def _facts(self) -> tuple[Any, ...]:
        return self.path, self.ours, self.theirs

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Conflict) and self._facts() == other._facts()

    __hash__ = None  # type: ignore[assignment]  # its values are lists and maps

    def __repr__(self) -> str:
        return f"Conflict({self.path!r}, ours={self.ours!r}, theirs={self.theirs!r})"


class ConflictError(MergeError):
    """Fields that the config changes and that another writer has changed differently. `conflicts` lists them all.

    The reference also counts the last-applied annotation whenever the config differs from what was applied last.
    """

    def __init__(self, conflicts: Sequence[Conflict]) -> None:
        self.conflicts = list(conflicts)
        others = [one.path for one in self.conflicts if one.steps != ("metadata", "annotations", ANNOTATION)]
        places = f"{', '.join(others[:5])}{f' and {len(others) - 5} more' if len(others) > 5 else ''}"
        if len(others) == len(self.conflicts):
            problem = f"changed by somebody else as well: {places}; take over their values, or overwrite them"
        elif others:
            problem = f"changed by somebody else as well: {places}; overwrite them"
        else:
            problem = "nobody else changed what config changes, but without overwriting apply refuses every change"
            problem += ", because it has to rewrite its own annotation; overwrite"
        super().__init__(problem)


def spans(releases: Sequence[str]) -> str:
    """Releases in order as text: `1.7 to 1.15 and 1.20`."""
    runs: list[list[int]] = []
    for minor in (int(release.partition(".")[2]) for release in releases):
        if runs and runs[-1][1] == minor - 1:
            runs[-1][1] = minor
        else:
            runs.append([minor, minor])
    return " and ".join(f"1.{a}" if a == b else f"1.{a} to 1.{b}" for a, b in runs)
