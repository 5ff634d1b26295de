"""The scale subresource: Scale objects with the number of replicas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import Invalid
from .problems import invalid
from .protocol import Resource
from .unchecked import as_map, as_text, get_path, maps
from .validation.values.formats import NOT_NEGATIVE

if TYPE_CHECKING:
    from .protocol import Object

KIND = ("autoscaling/v1", "Scale")
RESOURCE = Resource("autoscaling", "v1", "Scale", "scales", namespaced=True)
"""The Scale as a resource, for decoding."""
_KEPT = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")
REPLICAS, SELECTOR = "status.replicas", "spec.selector"


def scale_of(live: Object, resource: Resource, definition: Object | None) -> Object:
    """Return the Scale of an object."""
    replicas = get_path(live, str(resource.scaled_by))
    paths: Object = {}
    if definition is not None:
        from .crd.scale import scale_of as scale_in  # most clusters have no custom resources

        paths = scale_in(definition, resource.version)
    status: Object = {"replicas": get_path(live, _path(paths, "statusReplicasPath") or REPLICAS) or 0}
    at = _path(paths, "labelSelectorPath") if definition is not None else SELECTOR
    selector = selector_text(get_path(live, at)) if at else ""
    if selector:
        status["selector"] = selector
    return {
        "apiVersion": KIND[0],
        "kind": KIND[1],
        "metadata": {name: live["metadata"][name] for name in _KEPT if name in live["metadata"]},
        "spec": {"replicas": replicas} if replicas else {},
        "status": status,
    }


def replicas_of(scale: Object) -> Any:
    """Return the number of replicas in a Scale, 0 if it has none."""
    return as_map(scale.get("spec")).get("replicas") or 0


def check_replicas(scale: Object, name: str) -> None:
    """Reject a Scale with a negative number of replicas."""
    replicas = replicas_of(scale)
    if replicas < 0:
        raise Invalid.of("Scale.autoscaling", name, [invalid("spec.replicas", replicas, NOT_NEGATIVE)])


def scaled(live: Object, path: str, replicas: Any) -> Object:
    """Return the object with another number of replicas at this path."""
    first, _, rest = path.partition(".")
    return {**live, first: scaled(as_map(live.get(first)), rest, replicas) if rest else replicas}


def _path(paths: Object, name: str) -> str:
    return as_text(paths.get(name)).lstrip(".")


def selector_text(selector: Any) -> str:
    """A label selector as the API prints it: `app=web,tier in (a,b)`."""
    if not isinstance(selector, dict):
        return as_text(selector)
    if not {"matchLabels", "matchExpressions"} & selector.keys():  # of a ReplicationController
        return ",".join(f"{key}={value}" for key, value in sorted(selector.items()))
    parts = [(key, f"{key}={value}") for key, value in as_map(selector.get("matchLabels")).items()]
    parts += [(as_text(one.get("key")), _expression(one)) for _, one in maps(selector, "matchExpressions")]
    return ",".join(said for _, said in sorted(parts, key=lambda part: part[0]))


def _expression(one: Object) -> str:
    key, values = as_text(one.get("key")), f"({','.join(sorted(map(str, one.get('values') or ())))})"
    return {
        "In": f"{key} in {values}",
        "NotIn": f"{key} notin {values}",
        "Exists": key,
        "DoesNotExist": f"!{key}",
    }.get(as_text(one.get("operator")), key)
