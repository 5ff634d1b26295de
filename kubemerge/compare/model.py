"""What a comparison finds, as data: every report is printed from these."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine import Rule

SEVERITIES = ("breaking", "notable", "info")
"""Worst first. breaking: the same apply gives another object, or an object or field is gone;
notable: only the ownership of server-side apply differs; info: something new that nothing old depends on, and whatever
differs in a kind that nobody applies."""


@dataclass(frozen=True)
class RuleChange:
    """One place of a kind that merges differently on the two sides; an empty path is the kind itself."""

    api_version: str
    kind: str
    path: str
    aspects: tuple[str, ...]
    """What differs: "kind added", "kind removed", "field added", "field removed", or, for a field that both
    have, any of "field kind", "strategy", "merge key", "list type", "map keys", "map type"."""
    severity: str
    before: Rule | None
    after: Rule | None
    effect: str
    """One sentence: what it means for an apply."""
    place: str = ""
    """The field by its type, `core_v1.PodSpec.volumes`: the one place of a change that shows in many kinds."""

    @property
    def key(self) -> tuple[str, str]:
        """The kind, as the tables know it."""
        return self.api_version, self.kind


@dataclass(frozen=True)
class Step:
    """Two sides next to each other and what changed from the left one to the right one."""

    left: str
    right: str
    changes: tuple[RuleChange, ...]


@dataclass(frozen=True)
class Comparison:
    """A chain of sides: two of them, or every release of a range."""

    sides: tuple[str, ...]
    """What was compared, in order: "1.12", "spec.json", "apps/v1/Deployment@1.37"."""
    steps: tuple[Step, ...]
    served: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    """For every kind compared, (apiVersion, kind), the sides that have it."""

    @property
    def changes(self) -> tuple[RuleChange, ...]:
        """The changes of all steps."""
        return tuple(change for step in self.steps for change in step.changes)


@dataclass(frozen=True)
class Result:
    """The result of an apply, ready to be shown: the values of a Secret are masked."""

    result: str
    """"created", "configured" or "unchanged"."""
    patch_type: str
    patch: dict[str, Any]
    merged: dict[str, Any]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Group:
    """Releases in which one apply gives the same result."""

    releases: tuple[str, ...]
    outcome: Result | None
    """None if there is no result; then `problem` says why in a sentence."""
    problem: str = ""


@dataclass(frozen=True)
class Difference:
    """A field of the result that differs from the result of the releases before."""

    path: str
    before: Any
    """None if the field is missing."""
    after: Any


@dataclass(frozen=True)
class Split:
    """The release from which on an apply gives another result."""

    at: str
    previous: str
    differences: tuple[Difference, ...]
    rules: tuple[RuleChange, ...]
    """The rules that merge differently now, at, above or below a differing field."""


SORTS = {
    "gone": "the API version or kind is removed",
    "refused": "the API server rejects the object",
    "dropped": "a field is dropped",
    "changed": "another value is stored",
    "merge": "the apply has another result",
    "inert": "the field or annotation has no effect any more",
    "deprecated": "the field, annotation or version is deprecated",
    "kept": "a previously dropped field is stored",
    "default": "an unset field gets a default value",
    "new": "the API version or kind is served now",
}
"""What an upgrade may do to an object, the worst first."""


@dataclass(frozen=True)
class Finding:
    """One thing that an upgrade does to an object; ready to be shown: the values of a Secret are masked."""

    at: str
    """The side from which on it is so."""
    previous: str
    """The side before; empty for what is so on all sides."""
    sort: str
    """One of SORTS."""
    severity: str
    """breaking: the object is refused, or another one than before; notable: it will be, or something else differs
    that people see; info: something new that nothing old depends on."""
    path: str
    """The field; empty for the object as a whole."""
    text: str
    """One sentence."""
    way_out: str = ""
    before: Any = None
    after: Any = None
    source: str = ""
    """Where it is stated, if it is not in the specifications."""


@dataclass(frozen=True)
class Replay:
    """One apply under each of several releases, ready to be shown: the values of a Secret are masked."""

    title: str
    """The object: `deployment.apps/nginx`."""
    source: str
    config: dict[str, Any]
    live: dict[str, Any] | None
    last_applied: dict[str, Any] | None
    groups: tuple[Group, ...]
    """Each release is in one group; groups in the order of their first release."""
    splits: tuple[Split, ...]
    """Between neighbouring releases that both give a result."""
    findings: tuple[Finding, ...] = ()
    """What the releases do to the object, one after the other."""
    namespace: str = ""
    """The namespace, if the kind has namespaces and the config names one."""
    line: int = 1
    item: str = ""
    """Which item of a List it is."""

    @property
    def differs(self) -> bool:
        """Whether a release gives another result than the one before it, or only one of them gives any."""
        return bool(self.findings)

    @property
    def has_result(self) -> bool:
        """Whether an apply works on any side."""
        return any(group.outcome is not None for group in self.groups)

    @property
    def is_gone(self) -> bool:
        """Whether a side does not serve the version or kind any more."""
        return any(one.sort == "gone" for one in self.findings)

    @property
    def is_refused_throughout(self) -> bool:
        """Whether servers refuse the object, or drop a field of it, on all sides: no change, so `info` only."""
        so = ("refused", "dropped")
        return any(one.sort in so and one.severity == "info" and not one.previous for one in self.findings)

    @property
    def name(self) -> str:
        """The object with its namespace: `deployment.apps/nginx in shop`."""
        return f"{self.title} in {self.namespace}" if self.namespace else self.title
