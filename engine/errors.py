"""Everything that can go wrong in the engine, as values that keep their facts."""

from __future__ import annotations

from .directives import ANNOTATION
from .paths import render

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from .paths import Step, Steps


class MergeError(Exception):
    """The base of all errors of the engine: where it happened, and one sentence on what to do.

    The steps of the path are added while the error travels up, so a merge that succeeds pays nothing for them.
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
        """The same error, seen from one level further up."""
        self.steps = (step, *self.steps)
        return self

    def __str__(self) -> str:
        return f"{self.path}: {self.message}" if self.steps else self.message


def said(value: object) -> str:
    """What somebody has given, short enough for a sentence."""
    try:
        text = repr(value)
    except RecursionError:
        return f"a deep {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."


class TablesError(MergeError):
    """Merge tables that are not there, or that do not hold together."""


class UnknownRelease(MergeError):
    """A Kubernetes release that no table here describes."""

    def __init__(self, release: str, known: Sequence[str]) -> None:
        self.release, self.known = release, tuple(known)
        if known:
            there = f"there are {known[0]} to {known[-1]}" if len(known) > 1 else f"there is {known[0]}"
        else:
            there = "they describe no release; load them without one"
        super().__init__(f"no tables for Kubernetes {said(release)}: {there}")


class UnknownKind(MergeError):
    """An apiVersion and kind that these tables do not hold.

    `api_version` is None where any would do. `near` lists (apiVersion, kind) pairs of these tables that may have been
    meant; `served_in` the releases that do serve exactly this apiVersion and kind.
    """

    advice = "lay its definition over these tables with overlay()"
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
        of = "" if self.api_version is None else f" of apiVersion {said(self.api_version)}"
        parts = [f"no kind {said(self.kind)}{of}{where}"]
        if self.served_in:
            parts.append(f"it is served in {spans(self.served_in)}")
        if self.near:
            parts.append("did you mean " + " or ".join(f"{kind} of {api}" for api, kind in self.near) + "?")
        elif not self.served_in:
            parts.append(f"for a custom resource, {self.advice}")
        return "; ".join(parts)


class UnknownDefinition(MergeError):
    """A definition name that these tables do not hold."""

    def __init__(self, name: str, *, release: str | None = None, near: Sequence[str] = ()) -> None:
        self.name, self.release, self.near = name, release, tuple(near)
        where = f" in Kubernetes {release}" if release else ""
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        super().__init__(f"no definition {said(name)}{where}{hint}")


class BadFieldPath(MergeError):
    """A field path that cannot be read."""

    def __init__(self, text: str, reason: str) -> None:
        self.text, self.reason = text, reason
        super().__init__(f"the field path {said(text)} cannot be read: {reason}")


class NotJson(MergeError):
    """A value that JSON has no form for, such as a set, a date, a key that is no string, or not-a-number."""

    def __init__(self, value: object, reason: str) -> None:
        super().__init__(f"{reason}; give plain dict, list, str, int, float, bool and None")
        self.value = value


class BadText(MergeError):
    """A text that is no JSON document."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(f"this is no JSON: {reason}")


class NotASchema(MergeError):
    """Something else in the place of a schema."""

    def __init__(self, value: object) -> None:
        self.value = value
        super().__init__(
            f"the schema is a {type(value).__name__}; give what Tables.schema(api_version, kind) answers, or None"
        )


class NotAnObject(MergeError):
    """A document that is no JSON object."""

    def __init__(self, document: str, value: object) -> None:
        self.document, self.value = document, value
        super().__init__(f"the {document} is no object but a {type(value).__name__}; give a dict, or None for none")


class TooDeep(MergeError):
    """A value that is nested more deeply than the engine goes."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        super().__init__(f"the value has more than {limit} levels; split it, or keep the deep part as text")


class UnknownField(MergeError):
    """A field that must be merged, in a type that does not have it. `type` names that type."""

    def __init__(self, field: str, type_: str, *, has_fields: bool = True) -> None:
        self.field, self.type = field, type_
        where = f"{type_} has no field {field!r}" if has_fields else f"{field!r} lies in {type_}, which has no fields"
        super().__init__(f"{where}; correct its name, or take the tables of the release that has it")


class UnexpectedList(MergeError):
    """A list in a field that cannot hold one, or a list of lists where that cannot be merged."""

    def __init__(self, field: str, type_: str) -> None:
        self.field, self.type = field, type_
        super().__init__(f"the field {field!r} of {type_} cannot hold this list; give what the field takes")


class BadStrategy(MergeError):
    """Words of a patch strategy that do not go together; only a faulty specification has them."""

    def __init__(self, field: str, strategies: Sequence[str]) -> None:
        self.field, self.strategies = field, tuple(strategies)
        super().__init__(
            f"the specification gives {field!r} the patch strategy {','.join(strategies)!r}; "
            "it may be one word, or one word and retainKeys"
        )


class MissingMergeKey(MergeError):
    """An element of a keyed list without the field that identifies it. `key` is empty where the list has no key."""

    def __init__(self, key: str, item: object) -> None:
        self.key, self.item = key, item
        said = f"has no {key!r}" if key else "cannot be identified, for its list has no merge key"
        super().__init__(f"an element {said}; give every element of the list its own")


class BadMergeKey(MergeError):
    """A map or a list where elements are compared by a scalar; the reference crashes at these."""

    def __init__(self, value: object) -> None:
        self.value = value
        super().__init__(
            f"{type(value).__name__} values cannot be compared to identify elements; use a string or number"
        )


class MixedElements(MergeError):
    """Elements of a list that cannot be merged with each other, being null or of different kinds."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self.kinds = tuple(kinds)
        said = f"elements are {', '.join(self.kinds)}" if kinds else "all lists are empty"
        super().__init__(f"{said}; a list that is merged needs elements of one kind, and not null")


class UnknownDirective(MergeError):
    """A `$patch` with a value that means nothing here."""

    def __init__(self, value: object) -> None:
        self.value = value
        super().__init__(f"$patch cannot be {value!r} here; it may be 'replace' or 'delete'")


class BadDirective(MergeError):
    """A directive of a patch that is not in order."""

    def __init__(self, directive: str, reason: str) -> None:
        self.directive, self.reason = directive, reason
        super().__init__(f"{directive} {reason}")


class OrderMismatch(MergeError):
    """Elements of a patch that do not come in the order that its `$setElementOrder` gives."""

    def __init__(self, patch: Sequence[object], order: Sequence[object]) -> None:
        self.patch, self.order = patch, order
        super().__init__(
            "the elements of the patch do not follow its $setElementOrder; "
            "elements with one identity do this, so give each its own"
        )


class UnclearConflict(MergeError):
    """Lists with repeated scalars of which nobody can say whether they conflict; the reference crashes at these."""

    def __init__(self, ours: Sequence[object], theirs: Sequence[object]) -> None:
        self.ours, self.theirs = ours, theirs
        super().__init__("a list repeats scalars, so a conflict cannot be told; remove the repeated ones")


class PreconditionFailed(MergeError):
    """A patch that changes what must not change. `changed` lists those paths, `patch` is the whole patch."""

    def __init__(self, changed: Sequence[str], patch: object) -> None:
        self.changed, self.patch = tuple(changed), patch
        super().__init__(f"the patch would change {', '.join(changed)}; delete the object and create the other one")


class RepeatedElement(MergeError):
    """Two elements of a list that are one and the same. `positions` says where they stand in the config's list."""

    def __init__(self, step: Step, positions: tuple[int, int]) -> None:
        self.positions = positions
        super().__init__(f"elements {positions[0]} and {positions[1]} of config are the same one; remove one of them")
        self.steps = (step,)


class DirectiveInConfig(MergeError):
    """A word of patches in a config that is to be merged without loss."""

    def __init__(self, directive: str) -> None:
        self.directive = directive
        super().__init__(f"{directive} is for patches and would end up in the object; remove it, or merge without safe")


class BadAnnotation(MergeError):
    """The annotation with the last applied config, where it cannot be read."""

    def __init__(self, annotation: str, reason: str) -> None:
        self.annotation, self.reason = annotation, reason
        super().__init__(f"the annotation {annotation} {reason}; give last_applied, or remove the annotation")


class GeneratedName(MergeError):
    """A config with a generated name, which apply could never find again."""

    def __init__(self, prefix: object) -> None:
        self.prefix = prefix
        super().__init__(f"from {prefix}: apply cannot use a generated name; give metadata.name")


class Conflict:
    """One place that two patches, or a config and somebody else, change in different ways."""

    __slots__ = ("ours", "steps", "theirs")

    def __init__(self, steps: Steps, ours: Any, theirs: Any) -> None:
        self.steps, self.ours, self.theirs = steps, ours, theirs

    @property
    def path(self) -> str:
        """The place, as `spec.containers[name=web].image`."""
        return render(self.steps)

    def _facts(self) -> tuple[Any, ...]:
        return self.path, self.ours, self.theirs

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Conflict) and self._facts() == other._facts()

    __hash__ = None  # type: ignore[assignment]  # its values are lists and maps

    def __repr__(self) -> str:
        return f"Conflict({self.path!r}, ours={self.ours!r}, theirs={self.theirs!r})"


class ConflictError(MergeError):
    """Changes of the config that somebody else changed in another way since. `conflicts` lists every one.

    To the reference, apply's own annotation is one of them whenever the config is not what was applied last.
    """

    def __init__(self, conflicts: Sequence[Conflict]) -> None:
        self.conflicts = list(conflicts)
        others = [one.path for one in self.conflicts if one.steps != ("metadata", "annotations", ANNOTATION)]
        places = f"{', '.join(others[:5])}{f' and {len(others) - 5} more' if len(others) > 5 else ''}"
        if len(others) == len(self.conflicts):
            said = f"changed by somebody else as well: {places}; take over their values, or overwrite them"
        elif others:
            said = f"changed by somebody else as well: {places}; overwrite them"
        else:
            said = "nobody else changed what config changes, but without overwriting apply takes no change at all"
            said += ", for it has to write its own annotation anew; overwrite"
        super().__init__(said)


def spans(releases: Sequence[str]) -> str:
    """Releases in order as people say them: `1.7 to 1.15 and 1.20`."""
    runs: list[list[int]] = []
    for minor in (int(release.partition(".")[2]) for release in releases):
        if runs and runs[-1][1] == minor - 1:
            runs[-1][1] = minor
        else:
            runs.append([minor, minor])
    return " and ".join(f"1.{a}" if a == b else f"1.{a} to 1.{b}" for a, b in runs)
