"""Policies from files: a server without a cluster evaluates them for one object after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import BadRequest, NoMatch
from ..kinds.builtin_kinds import DEFINITION, NAMESPACE, POLICIES
from ..user import current_user
from .admission import RequestPolicies
from .context import PolicyContext
from .kinds import group_kind
from .params import ConfigurationError, param_resource
from .request import CREATE, AdmissionRequest, namespace_of
from .source import read_policies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..identity import ObjectId
    from ..protocol import Object, Resource
    from ..resources import Kinds

MOST_SHOWN = 600
"""The characters of an error that are shown."""


def admitted(objects: Sequence[Object], create: Callable[[Object], Any]) -> list[Object]:
    """Return policies, bindings and params as a server stores them. `create` returns the result of a create request.

    Kinds that the release does not serve are left out. Raise BadRequest for an object that the server rejects.
    """
    found = []
    for one in objects:
        if group_kind(one) == DEFINITION:
            continue
        stored = create(one)
        if isinstance(stored.error, NoMatch):
            continue
        if stored.object is None:
            name = (one.get("metadata") or {}).get("name", "")
            why = "; ".join(str(problem) for problem in stored.problems)
            raise BadRequest(f"{one.get('kind')} {name}: {_shortened(why)}. Correct the policy, or omit it")
        found.append(stored.object)
    return found


def _shortened(text: str) -> str:
    """An error without the middle of a long expression."""
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN // 2]} ... {text[-MOST_SHOWN // 2 :]}"


def _place(one: Object) -> tuple[str, str]:
    return one["metadata"].get("namespace", ""), one["metadata"].get("name", "")


class OfflinePolicies:
    """Policies, bindings, params and Namespaces as a server stores them."""

    def __init__(self, objects: Sequence[Object], kinds: Kinds) -> None:
        self._kinds = kinds
        self._of_kind: dict[tuple[str, str, str | None], list[Object]] = {}
        for one in objects:
            self._check_param_kind(one)
        for one in sorted(objects, key=_place):
            for namespace in (None, one["metadata"].get("namespace", "default")):
                self._of_kind.setdefault((*group_kind(one), namespace), []).append(one)
        self._namespaces: dict[str, Object] = {}
        for one in self.of_kind(*NAMESPACE, None):
            self._namespaces.setdefault(one["metadata"]["name"], one)
        self._policies = read_policies(self.of_kind, kinds.minor)

    def _check_param_kind(self, policy: Object) -> None:
        spec = policy.get("spec")
        try:
            if group_kind(policy) in POLICIES and isinstance(spec, dict):
                param_resource(spec, self._kinds)
        except ConfigurationError as error:
            why = f"{policy['kind']} {policy['metadata']['name']}: spec.paramKind: {error}"
            raise BadRequest(f"{why}. Add its CustomResourceDefinition to the policies") from None

    def of_kind(self, group: str, kind: str, namespace: str | None) -> Iterator[Object]:
        """Yield the objects of a kind by name, of one namespace or of all."""
        yield from self._of_kind.get((group, kind, namespace), ())

    def namespace(self, name: str) -> Object | None:
        """Return a Namespace by name."""
        return self._namespaces.get(name)

    def for_create(
        self, resource: Resource, key: ObjectId, name: str, warn: Callable[[str], None]
    ) -> RequestPolicies | None:
        """Return the policies for a create request, if there are any."""
        request = AdmissionRequest(CREATE, resource, name, namespace_of(key, resource), current_user())
        found = None if self._policies is None else self._policies.candidates(request)
        if found is None:
            return None
        context = PolicyContext(request, self._kinds, self.of_kind, self.namespace, is_complete=False)
        return RequestPolicies(found, context, None, warn)
