"""The bound policies of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..registry.feature_gates import is_on
from ..unchecked import as_map, as_text, maps
from .compiled import CompiledPolicy
from .matching import has_operation_and_resource

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..protocol import Object
    from .request import AdmissionRequest

    OfKind = Callable[[str, str, str | None], Iterator[Object]]

GROUP = "admissionregistration.k8s.io"
VALIDATING, MUTATING = "ValidatingAdmissionPolicy", "MutatingAdmissionPolicy"
_compiled: dict[Any, CompiledPolicy] = {}
MOST_COMPILED = 1000


class Binding(NamedTuple):
    """A binding of a policy."""

    name: str
    spec: Object


class BoundPolicy(NamedTuple):
    """A policy with its bindings."""

    policy: CompiledPolicy
    bindings: tuple[Binding, ...]


class Candidates(NamedTuple):
    """The policies that may match requests of one kind."""

    validating: tuple[BoundPolicy, ...]
    mutating: tuple[BoundPolicy, ...]


NO_POLICIES = Candidates((), ())


class PolicySet:
    """All bound policies of a cluster, by name. Policies without a binding have no effect.

    Static policies come first. Only they apply to policies and bindings.
    """

    def __init__(self, stored: Candidates, static: Candidates) -> None:
        self._static = static
        self._all = Candidates(static.validating + stored.validating, static.mutating + stored.mutating)
        self._known: dict[tuple[str, str, str, str], Candidates | None] = {}

    def candidates(self, request: AdmissionRequest) -> Candidates | None:
        """Return the policies that may match a request by its operation and resource. None if there are none."""
        resource = request.resource
        key = (request.operation, resource.group, resource.plural, request.subresource)
        if key not in self._known:
            among = self._static if request.is_exempt else self._all
            found = Candidates(*(tuple([one for one in every if may_match(one, request)]) for every in among))
            self._known[key] = found if found.validating or found.mutating else None
        return self._known[key]


def may_match(bound: BoundPolicy, request: AdmissionRequest) -> bool:
    """Whether a policy has a rule for the operation and the resource, in any group or version."""
    constraints = as_map(bound.policy.spec.get("matchConstraints"))
    rules = [rule for _, rule in maps(constraints, "resourceRules")]
    return not rules or any(has_operation_and_resource(rule, request) for rule in rules)


def read_policies(of_kind: OfKind, minor: int, static: OfKind | None = None) -> PolicySet | None:
    """Return the policies of a cluster that its release evaluates. None if there are none.

    `of_kind` yields the stored objects, and `static` those of static manifests.
    """
    stored = _candidates(of_kind, minor)
    first = NO_POLICIES if static is None else _candidates(static, minor)
    return PolicySet(stored, first) if any(stored) or any(first) else None


def _candidates(of_kind: OfKind, minor: int) -> Candidates:
    return Candidates(*(_bound(of_kind, kind) if is_on(kind, minor) else () for kind in (VALIDATING, MUTATING)))


def _bound(of_kind: OfKind, kind: str) -> tuple[BoundPolicy, ...]:
    bindings: dict[str, list[Binding]] = {}
    for one in of_kind(GROUP, f"{kind}Binding", None):
        spec = as_map(one.get("spec"))
        bindings.setdefault(as_text(spec.get("policyName")), []).append(Binding(one["metadata"]["name"], spec))
    if not bindings:
        return ()
    return tuple(
        BoundPolicy(_compile(one), tuple(bindings[name]))
        for one in of_kind(GROUP, kind, None)
        if (name := one["metadata"]["name"]) in bindings
    )


def _compile(policy: Object) -> CompiledPolicy:
    """Return the compiled policy, which is kept until the policy changes."""
    metadata = policy["metadata"]
    key = (policy["kind"], metadata["name"], repr(policy.get("spec")))
    found = _compiled.get(key)
    if found is None:
        if len(_compiled) >= MOST_COMPILED:
            _compiled.clear()
        found = _compiled[key] = CompiledPolicy(policy)
    return found
