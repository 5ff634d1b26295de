"""The admission webhooks of a cluster."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ..policies.compiled import CompiledPolicy
from ..policies.matching import has_operation_and_resource
from ..unchecked import as_map, as_number, as_text, maps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..policies.request import AdmissionRequest
    from ..protocol import Object

    OfKind = Callable[[str, str, str | None], Iterator[Object]]

GROUP = "admissionregistration.k8s.io"
VALIDATING, MUTATING = "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"
DEFAULT_TIMEOUT = 10


class Webhook:
    """One webhook of a configuration."""

    def __init__(self, configuration: str, index: int, spec: Object) -> None:
        self.spec = spec
        self.name = as_text(spec.get("name"))
        self.key = f"{configuration}/{self.name}/{index}"
        """The identity of the webhook in the cluster."""
        self.ignores_failures = spec.get("failurePolicy") == "Ignore"
        self.seconds = as_number(spec.get("timeoutSeconds")) or DEFAULT_TIMEOUT

    @property
    def is_reinvoked(self) -> bool:
        """Whether the webhook is called again after later changes to the object."""
        return self.spec.get("reinvocationPolicy") == "IfNeeded"

    @cached_property
    def constraints(self) -> Object:
        """The match constraints of a policy with the same rules and selectors."""
        names = ("matchPolicy", "namespaceSelector", "objectSelector")
        found = {name: self.spec[name] for name in names if name in self.spec}
        return {**found, "resourceRules": [rule for _, rule in maps(self.spec, "rules")]}

    @cached_property
    def conditions(self) -> CompiledPolicy:
        """A policy with the same match conditions."""
        spec = {name: self.spec.get(name) for name in ("matchConditions", "failurePolicy")}
        return CompiledPolicy({"metadata": {"name": self.name}, "spec": spec})

    def may_match(self, request: AdmissionRequest) -> bool:
        """Whether a rule names the operation and the resource, in any group or version."""
        return any(has_operation_and_resource(rule, request) for _, rule in maps(self.spec, "rules"))


class WebhookCandidates(NamedTuple):
    """The webhooks that may match requests of one kind, in their order."""

    validating: tuple[Webhook, ...]
    mutating: tuple[Webhook, ...]


NO_WEBHOOKS = WebhookCandidates((), ())


class WebhookSet:
    """All webhooks of a cluster, by the names of their configurations.

    Static webhooks come first. Only they apply to policies and webhook configurations.
    """

    def __init__(self, stored: WebhookCandidates, static: WebhookCandidates) -> None:
        self._static = static
        self._all = WebhookCandidates(static.validating + stored.validating, static.mutating + stored.mutating)
        self._known: dict[Any, WebhookCandidates | None] = {}

    def candidates(self, request: AdmissionRequest) -> WebhookCandidates | None:
        """Return the webhooks that may match a request by its operation and resource. None if there are none."""
        resource = request.resource
        key = (request.operation, resource.group, resource.plural, request.subresource)
        if key not in self._known:
            among = self._static if request.is_exempt_from_webhooks else self._all
            found = WebhookCandidates(*(tuple([one for one in every if one.may_match(request)]) for every in among))
            self._known[key] = found if found.validating or found.mutating else None
        return self._known[key]


def read_webhooks(of_kind: OfKind, static: OfKind | None = None) -> WebhookSet:
    """Return the webhooks of a cluster. `of_kind` yields stored objects, and `static` those of static manifests."""
    return WebhookSet(_candidates(of_kind), NO_WEBHOOKS if static is None else _candidates(static))


def _candidates(of_kind: OfKind) -> WebhookCandidates:
    return WebhookCandidates(*(tuple(_webhooks(of_kind, kind)) for kind in (VALIDATING, MUTATING)))


def _webhooks(of_kind: OfKind, kind: str) -> Iterator[Webhook]:
    for one in of_kind(GROUP, kind, None):
        name = as_text(as_map(one.get("metadata")).get("name"))
        seen: dict[str, int] = {}
        for _, spec in maps(one, "webhooks"):
            called = as_text(spec.get("name"))
            yield Webhook(name, seen.get(called, 0), spec)
            seen[called] = seen.get(called, 0) + 1
