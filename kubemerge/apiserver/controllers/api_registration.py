"""The APIServices of a server's own API versions, like the autoregister and crdregistration controllers.

A cluster has them once it is served. From then on, each served version of a CustomResourceDefinition has one, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..eras import NO_END
from ..identity import ObjectId
from ..kinds.builtin_kinds import DEFINITION
from ..registry.statuses import ALWAYS_AVAILABLE, LOCAL_API
from ..unchecked import as_map, as_text, get_path, maps
from . import server_objects
from .server_objects import FieldsOwner, owned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..protocol import Object
    from ..storage.changes import Changes, StoreEvent

SINCE = 11
"""The first minor release with apiregistration.k8s.io/v1."""
AUTOMANAGED = "kube-aggregator.kubernetes.io/automanaged"
"""The label of APIServices that the server writes."""
ON_START, ALWAYS = "onstart", "true"
"""Its values: created at the start of the server, or as long as a definition serves the version."""
CUSTOM = (1000, 100)
"""The priorities of the versions of CustomResourceDefinitions."""
VERSIONS = """
    v1 18000 1 7
    extensions/v1beta1 17900 1 7 19
    extensions/v1beta1 17150 1 20 21
    apps/v1 17800 15 9
    apps/v1beta2 17800 9 8 15
    apps/v1beta1 17800 1 7 15
    events.k8s.io/v1 17750 15 19
    events.k8s.io/v1beta1 17750 5 9 24
    authentication.k8s.io/v1 17700 15 7
    authentication.k8s.io/v1beta1 17700 9 7 21
    authorization.k8s.io/v1 17600 15 7
    authorization.k8s.io/v1beta1 17600 9 7 21
    autoscaling/v1 17500 15 7
    autoscaling/v2 17500 30 23
    autoscaling/v2beta1 17500 9 8 24
    autoscaling/v2beta2 17500 1 12 25
    batch/v1 17400 15 7
    batch/v1beta1 17400 9 8 24
    certificates.k8s.io/v1 17300 15 19
    certificates.k8s.io/v1beta1 17300 9 7 21
    networking.k8s.io/v1 17200 15 7
    networking.k8s.io/v1beta1 17200 9 14 21
    policy/v1 17100 15 21
    policy/v1beta1 17100 9 7 24
    rbac.authorization.k8s.io/v1 17000 15 8
    rbac.authorization.k8s.io/v1beta1 17000 12 7 21
    storage.k8s.io/v1 16800 15 7
    storage.k8s.io/v1beta1 16800 9 7 26
    apiextensions.k8s.io/v1 16700 15 16
    apiextensions.k8s.io/v1beta1 16700 9 11 21
    admissionregistration.k8s.io/v1 16700 15 16
    admissionregistration.k8s.io/v1beta1 16700 12 9 21
    scheduling.k8s.io/v1 16600 15 14
    scheduling.k8s.io/v1beta1 16600 12 11 21
    coordination.k8s.io/v1 16500 15 14
    coordination.k8s.io/v1beta1 16500 9 12 21
    node.k8s.io/v1 16300 15 20
    node.k8s.io/v1beta1 16300 9 14 24
    discovery.k8s.io/v1 16200 15 21
    discovery.k8s.io/v1beta1 16200 12 17 24
    resource.k8s.io/v1 16200 21 34
    flowcontrol.apiserver.k8s.io/v1 16100 21 29
    flowcontrol.apiserver.k8s.io/v1beta3 16100 18 26 31
    flowcontrol.apiserver.k8s.io/v1beta2 16100 15 23 28
    flowcontrol.apiserver.k8s.io/v1beta1 16100 12 20 25
    storagemigration.k8s.io/v1 15800 15 37
"""
"""The built-in API versions, each with the priorities of its group and version, and the first and last minor release
that serves it by default.
"""
_SPEC_OWNED: Any = {"f:group": {}, "f:groupPriorityMinimum": {}, "f:version": {}, "f:versionPriority": {}}
_METADATA_OWNED: Any = {"f:labels": owned(AUTOMANAGED)}


def built_in_versions(minor: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the built-in API versions of a release that have an APIService, each with its priorities."""
    for line in VERSIONS.split("\n")[1:-1]:
        api_version, *numbers = line.split()
        group, version, since, until = [*map(int, numbers), NO_END][:4]
        if since <= minor <= until:
            yield api_version, (group, version)


def ensure_objects(changes: Changes) -> None:
    """Create the missing APIServices of all API versions."""
    if changes.kinds.minor < SINCE:
        return
    for api_version, priorities in built_in_versions(changes.kinds.minor):
        _register(changes, api_version, priorities, ON_START)
    for definition in list(changes.store.of_kind(*DEFINITION)):
        for api_version in _served(definition):
            _register(changes, api_version, CUSTOM, ALWAYS)


def on_event(changes: Changes, event: StoreEvent) -> None:
    """Register the versions of a CustomResourceDefinition, and remove the APIServices of versions no longer served."""
    kind = event.key.group_kind
    if kind == DEFINITION and changes.store.has(_key("v1")):
        before, after = set(_served(event.before)), list(_served(event.after))
        for api_version in after:
            _register(changes, api_version, CUSTOM, ALWAYS)
        for api_version in sorted(before.difference(after)):
            _unregister(changes, api_version)
    elif kind == LOCAL_API and event.after is None and _is_automanaged(event.before):
        api_version = _version_of(event.before)
        if api_version in _all_served(changes):
            _register(changes, api_version, CUSTOM, ALWAYS)


def _served(definition: Object | None) -> Iterator[str]:
    """The served versions of a definition."""
    spec = as_map(as_map(definition).get("spec"))
    listed = [one for _, one in maps(spec, "versions")] or [{"name": spec.get("version"), "served": True}]
    names = (as_text(one.get("name")) for one in listed if one.get("served") is True)
    yield from (f"{as_text(spec.get('group'))}/{name}" for name in names if name)


def _all_served(changes: Changes) -> set[str]:
    return {api_version for one in changes.store.of_kind(*DEFINITION) for api_version in _served(one)}


def _key(api_version: str) -> ObjectId:
    return ObjectId(*LOCAL_API, "", _name(api_version))


def _name(api_version: str) -> str:
    group, _, version = api_version.rpartition("/")
    return f"{version}.{group}"


def _version_of(service: Object | None) -> str:
    spec = as_map(as_map(service).get("spec"))
    return f"{as_text(spec.get('group'))}/{as_text(spec.get('version'))}"


def _is_automanaged(service: Object | None) -> bool:
    return as_map(get_path(as_map(service), "metadata.labels")).get(AUTOMANAGED) == ALWAYS


def _register(changes: Changes, api_version: str, priorities: tuple[int, int], managed: str) -> None:
    group, _, version = api_version.rpartition("/")
    spec: Object = {"group": group} if group else {}
    spec |= {"groupPriorityMinimum": priorities[0], "version": version, "versionPriority": priorities[1]}
    made: Object = {
        "apiVersion": f"{LOCAL_API[0]}/v1",
        "kind": LOCAL_API[1],
        "metadata": {"name": _name(api_version), "labels": {AUTOMANAGED: managed}},
        "spec": spec,
        "status": {"conditions": [{"lastTransitionTime": changes.origins.now(), **ALWAYS_AVAILABLE}]},
    }
    spec_owned = {field: one for field, one in _SPEC_OWNED.items() if field[2:] in spec}
    server_objects.create(changes, made, FieldsOwner({"f:metadata": _METADATA_OWNED, "f:spec": spec_owned}))


def _unregister(changes: Changes, api_version: str) -> None:
    key = _key(api_version)
    live = changes.get(key)
    if live is not None and _is_automanaged(live) and api_version not in _all_served(changes):
        changes.remove(key, live)
