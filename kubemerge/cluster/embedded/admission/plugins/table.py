"""Which plugins look at which kinds, in the order of the server, with the minor release since which they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import bytes as of_bytes
from . import daemons, devices, jobs, limits, nodes, pods, storage

if TYPE_CHECKING:
    from collections.abc import Callable

    from ....protocol import Object
    from .around import Around

    Plugin = Callable[[Object, Around], Object]

MUTATING: dict[tuple[str, str], tuple[tuple[int, Plugin], ...]] = {
    ("", "Pod"): (
        (7, limits.pod),
        (7, pods.tolerations),
        (11, pods.priority),
        (20, pods.runtime_class),
    ),
    ("", "PersistentVolumeClaim"): (
        (10, storage.claim_protected),
        (7, storage.default_class),
        (7, storage.resized),
        (7, limits.claim),
    ),
    ("", "PersistentVolume"): ((11, storage.volume_protected),),
    ("", "Node"): ((17, nodes.not_ready),),
    ("apps", "DaemonSet"): ((9, daemons.counted),),
    ("batch", "Job"): ((7, jobs.selected),),
    ("scheduling.k8s.io", "PriorityClass"): ((11, pods.only_default),),
}
READ: dict[tuple[str, str], tuple[tuple[int, Plugin], ...]] = {
    ("", "ConfigMap"): ((7, of_bytes.read),),
    ("", "Secret"): ((7, of_bytes.read),),
    ("apps", "DaemonSet"): ((9, daemons.read),),
    ("resource.k8s.io", "DeviceTaintRule"): ((33, devices.of_rule),),
    ("resource.k8s.io", "ResourceSlice"): ((33, devices.of_slice),),
}
"""What a server has of an object before anybody owns its fields."""
