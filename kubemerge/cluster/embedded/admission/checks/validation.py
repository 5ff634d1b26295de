"""Why the API server would refuse an object: the checks that a merge can run into.

A server checks far more. Checked here is what the page on declarative management shows, what merging leaves behind
(fields of a former type, elements that appear twice), and what must not change. The list is in
docs/cluster-defaults.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.unchecked import a_map

from ..defaults.places import KINDS
from . import (
    configs as config_checks,
)
from . import (
    metadata as metadata_checks,
)
from . import (
    object_names,
)
from . import (
    services as service_checks,
)
from . import (
    updates as update_checks,
)
from . import (
    workloads as workload_checks,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from engine.values.unchecked import Object

    Check = Callable[[Object], Iterator[str]]
    UpdateCheck = Callable[[Object, Object], Iterator[str]]

JUDGED = KINDS | {
    "v1 ConfigMap",
    "apiextensions.k8s.io/v1 CustomResourceDefinition",
    "apiextensions.k8s.io/v1beta1 CustomResourceDefinition",
}
"""The kinds with checks of more than the metadata."""
CHECKS: dict[str, Check] = {
    "ConfigMap": config_checks.config_map,
    "Deployment": workload_checks.deployment,
    "ReplicaSet": workload_checks.replica_set,
    "DaemonSet": workload_checks.daemon_set,
    "StatefulSet": workload_checks.stateful_set,
    "Job": workload_checks.job,
    "CronJob": workload_checks.cron_job,
    "Pod": workload_checks.pod,
    "Service": service_checks.service,
    "PersistentVolumeClaim": service_checks.claim,
    "Secret": config_checks.secret,
}
UPDATE_CHECKS: dict[str, tuple[UpdateCheck, ...]] = {
    "ConfigMap": (config_checks.immutable_config_map,),
    "Deployment": (update_checks.fields,),
    "ReplicaSet": (update_checks.fields,),
    "DaemonSet": (update_checks.fields,),
    "StatefulSet": (update_checks.fields,),
    "Job": (update_checks.job, update_checks.fields),
    "Pod": (update_checks.pod,),
    "Service": (update_checks.service,),
    "PersistentVolumeClaim": (update_checks.claim,),
    "Secret": (update_checks.fields, config_checks.immutable_secret),
}


def problems(content: dict[str, Any], before: dict[str, Any] | None) -> list[str]:
    """What makes the API server refuse an object whose defaults are filled in; empty if it is fine.

    `before` is the object that it replaces, or None at creation. The wording is that of the newest release.
    """
    kind, api_version = str(content.get("kind")), str(content.get("apiVersion"))
    metadata, group = a_map(content.get("metadata")), api_version.rpartition("/")[0]
    found = list(object_names.problems(metadata, group, kind) if before is None else ())
    found += metadata_checks.problems(metadata, group, kind)
    if f"{api_version} {kind}" in JUDGED:
        found += CHECKS[kind](content) if kind in CHECKS else ()
        for check in UPDATE_CHECKS.get(kind, ()) if before is not None else ():
            found += check(content, before or {})
    return found


def refusal(content: dict[str, Any], found: Sequence[str]) -> str:
    """All problems of an object in one sentence, as the API words it."""
    group, _, _ = str(content.get("apiVersion")).rpartition("/")
    kind = f"{content.get('kind')}.{group}" if group else content.get("kind")
    listed = found[0] if len(found) == 1 else f"[{', '.join(found)}]"
    return f'{kind} "{a_map(content.get("metadata")).get("name", "")}" is invalid: {listed}'
