"""The results of a comparison, as data that every report is printed from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine import Rule

SEVERITIES = ("breaking", "notable", "info")
"""The severities, the worst first.

`breaking`: the same apply produces another object, or an object or field is gone. `notable`: only the ownership under
server-side apply differs, or a field begins to be stored. `info`: something new that nothing old depends on, and any
difference in a kind that is never applied.
"""


@dataclass(frozen=True)
class RuleChange:
    """A place in a kind that merges differently on the two sides; an empty path is the kind itself."""

    api_version: str
    kind: str
    path: str
    aspects: tuple[str, ...]
    """The differences: "kind added", "kind removed", "field added" or "field removed".

    For a field that both sides have, any of "field kind", "strategy", "merge key", "list type", "map keys", "map type".
    Or "stored" and "not stored": the API server of one side drops the field, because its feature gate is off.
    """
    severity: str
    before: Rule | None
    after: Rule | None
    effect: str
    """The effect on an apply, in one sentence."""
    place: str = ""
    """The field by its type, `core_v1.PodSpec.volumes`: one place for a change that appears in many kinds."""

    @property
    def key(self) -> tuple[str, str]:
        """The kind, as a key of the tables."""
        return self.api_version, self.kind


@dataclass(frozen=True)
class Step:
    """Two neighbouring sides, and the changes from the left one to the right one."""

    left: str
    right: str
    changes: tuple[RuleChange, ...]


@dataclass(frozen=True)
class Comparison:
    """A chain of sides: two of them, or every release of a range."""

    sides: tuple[str, ...]
    """The compared sides, in order: "1.12", "spec.json", "apps/v1/Deployment@1.37"."""
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
    """Releases in which one apply has the same result."""

    releases: tuple[str, ...]
    outcome: Result | None
    """None if there is no result; then `problem` is the reason, in a sentence."""
    problem: str = ""


@dataclass(frozen=True)
class Difference:
    """A field of the result that differs from the result of the releases before."""

    path: str
    before: Any
    """None if the field is missing."""
    after: Any

    @property
    def is_null(self) -> bool:
        """Whether the field is null on one side and missing on the other."""
        return self.before is None and self.after is None


@dataclass(frozen=True)
class Split:
    """The release from which an apply has another result."""

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
    "merge": "the result of the apply changes",
    "inert": "the field or annotation has no effect any more",
    "deprecated": "the field, annotation or version is deprecated",
    "warned": "the API server begins to send a warning",
    "accepted": "the API server accepts a previously rejected object",
    "kept": "a previously dropped field is stored",
    "default": "an unset field gets a default value",
    "new": "the API version or kind is served now",
}
"""The possible effects of an upgrade on an object, the worst first."""


@dataclass(frozen=True)
class Finding:
    """An effect of an upgrade on an object, ready to be shown: the values of a Secret are masked."""

    at: str
    """The first side with the effect."""
    previous: str
    """The side before; empty for an effect on every side."""
    sort: str
    """One of SORTS."""
    severity: str
    """`breaking`: the object is rejected, or differs from the old one.

    `notable`: this happens in a later release, or there is another visible difference. `info`: something new
    that nothing old depends on.
    """
    path: str
    """The field; empty for the object as a whole."""
    text: str
    """One sentence."""
    advice: str = ""
    before: Any = None
    after: Any = None
    source: str = ""
    """The source of the statement, if it is not in the specifications."""


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
    """Between successive releases that both have a result."""
    findings: tuple[Finding, ...] = ()
    """The effects of the releases on the object, in order."""
    namespace: str = ""
    """The namespace, if the kind has namespaces and the config names one."""
    line: int = 1
    item: str = ""
    """The position of the object in a List."""

    @property
    def differs(self) -> bool:
        """Whether a release has another result than the one before it, or only one of them has any."""
        return bool(self.findings)

    @property
    def has_result(self) -> bool:
        """Whether an apply works on any side."""
        return any(group.outcome is not None for group in self.groups)

    @property
    def is_gone(self) -> bool:
        """Whether a side no longer serves the version or kind."""
        return any(one.sort == "gone" for one in self.findings)

    @property
    def is_refused_throughout(self) -> bool:
        """Whether every release rejects the object or drops one of its fields, and the upgrade changes nothing else."""
        so = ("refused", "dropped")
        is_affected = any(one.previous and (one.severity != "info" or one.sort == "accepted") for one in self.findings)
        return not is_affected and any(
            one.sort in so and one.severity == "info" and not one.previous for one in self.findings
        )

    @property
    def name(self) -> str:
        """The object with its namespace: `deployment.apps/nginx in shop`."""
        return f"{self.title} in {self.namespace}" if self.namespace else self.title
