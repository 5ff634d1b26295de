"""Parameters of policies, which their bindings select."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..cel.values import typed
from ..errors import NoMatch
from ..unchecked import as_map, as_text
from ..validation.selectors import selector_matches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..protocol import Object, Resource
    from ..resources import Kinds

    OfKind = Callable[[str, str, str | None], Iterator[Object]]


class ConfigurationError(Exception):
    """A policy or binding that cannot be evaluated."""


def param_resource(policy_spec: Object, kinds: Kinds) -> Resource | None:
    """Return the kind of a policy's params, None without params. Raise ConfigurationError if it is not served."""
    kind = policy_spec.get("paramKind")
    if kind is None:
        return None
    api_version, name = as_text(as_map(kind).get("apiVersion")), as_text(as_map(kind).get("kind"))
    try:
        return kinds.resource(api_version, name)
    except NoMatch:
        group, _, version = api_version.rpartition("/")
        why = f"failed to find resource referenced by paramKind: '{group}/{version}, Kind={name}'"
        raise ConfigurationError(why) from None


def params_of(
    binding_spec: Object, resource: Resource | None, namespace: str, kinds: Kinds, of_kind: OfKind, *, is_complete: bool
) -> list[Object | None]:
    """Return the params of a binding, [None] if it evaluates the policy without any.

    Missing params are no error if not all objects are known, because they may exist in the cluster.
    """
    reference = binding_spec.get("paramRef")
    if resource is None or reference is None:
        return [None]
    reference = as_map(reference)
    asked = as_text(reference.get("namespace"))
    place: str | None = None
    if resource.namespaced:
        place = asked or namespace
        if not place:
            raise ConfigurationError(
                "cannot use namespaced paramRef in policy binding that matches cluster-scoped resources"
            )
    elif asked:
        raise ConfigurationError("paramRef.namespace must not be provided for a cluster-scoped `paramKind`")
    name, selector = as_text(reference.get("name")), as_map(reference.get("selector"))
    found: list[Object | None] = []
    for one in of_kind(resource.group, resource.kind, place):
        metadata = as_map(one.get("metadata"))
        if metadata.get("name") == name if name else selector_matches(selector, as_map(metadata.get("labels"))):
            param = kinds.in_version(one, resource)
            found.append(typed(param) if resource.built_in else param)
    if not found and is_complete and reference.get("parameterNotFoundAction") == "Deny":
        raise ConfigurationError("no params found for policy binding with `Deny` parameterNotFoundAction")
    return found
