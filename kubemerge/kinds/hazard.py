"""The model of a hazard: a change between releases that no specification shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..apiserver.unchecked import as_map, maps

if TYPE_CHECKING:
    from collections.abc import Callable

    Object = dict[str, Any]

POD_SPECS = {
    "Pod": "spec",
    "PodTemplate": "template.spec",
    "CronJob": "spec.jobTemplate.spec.template.spec",
    **dict.fromkeys(
        ("DaemonSet", "Deployment", "Job", "ReplicaSet", "ReplicationController", "StatefulSet"), "spec.template.spec"
    ),
}
"""The path of the pod spec in each kind."""
PODS = tuple(POD_SPECS)


class Hazard(NamedTuple):
    """One change: its release, the affected objects, and its effect."""

    since: str
    """The first release with the change."""
    sort: str
    """The effect: inert, `refused`, changed or deprecated."""
    severity: str
    kinds: tuple[str, ...]
    path: str
    """The field. `*` is every element, and a key that ends with `*` every key with that prefix. `pod:` is the pod spec
    and `podmeta:` the metadata of the pod, wherever the kind has them."""
    holds: Callable[[Any, Object], bool]
    """Whether a value at the path is affected. The object is the second argument."""
    text: str
    advice: str
    source: str
    """The file of Kubernetes' source code that shows the change, with the release."""


def is_set(value: Any, _: Object) -> bool:
    """Whether the field has a value."""
    return value is not None


def is_one_of(*values: Any) -> Callable[[Any, Object], bool]:
    """Match these values."""
    return lambda value, _: value in values


def is_true(value: Any, _: Object) -> bool:
    """Whether Go's `strconv.ParseBool` reads true."""
    return value in ("1", "t", "T", "true", "TRUE", "True")


def concerns(group: str, *resources: str) -> Callable[[Any, Object], bool]:
    """Match rules of RBAC and of webhooks that name these resources of a group, and no other group."""

    def holds(value: Any, _: Object) -> bool:
        rule = as_map(value)
        named = rule.get("resources")
        return rule.get("apiGroups") == [group] and isinstance(named, list) and any(one in named for one in resources)

    return holds


def flags(container: Any, *programs: str) -> list[tuple[str, str]]:
    """The `--flag=value` words of a container that runs one of these programs."""
    lists = [as_map(container).get(field) for field in ("command", "args")]
    words = [word for one in lists if isinstance(one, list) for word in one if isinstance(word, str)]
    if not any(word.rpartition("/")[2] in programs for word in words):
        return []
    return [(name, value) for name, _, value in (word.partition("=") for word in words) if name.startswith("--")]


def pull_secrets(content: Object) -> list[Object]:
    """The `imagePullSecrets` of a pod or of a template."""
    spec: Any = content
    for step in POD_SPECS.get(str(content.get("kind")), "spec").split("."):
        spec = as_map(spec).get(step)
    return [one for _, one in maps(as_map(spec), "imagePullSecrets")]
