"""A kopf operator: keeps a ConfigMap for each Shop, and records the deleted Shops."""

from __future__ import annotations

from typing import Any

import kopf
from kubernetes import client, config


@kopf.on.startup()
def connect(settings: kopf.OperatorSettings, **_: Any) -> None:
    """Connect to the cluster of KUBECONFIG."""
    config.load_kube_config()  # type: ignore[no-untyped-call]
    settings.posting.enabled = True


@kopf.on.create("shops")
@kopf.on.update("shops")
@kopf.on.resume("shops")
def roll_out(name: str, namespace: str | None, spec: kopf.Spec, body: kopf.Body, **_: Any) -> dict[str, str]:
    """Update the ConfigMap of a Shop from its spec."""
    wanted: Any = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name},
        "data": {"image": spec["image"]},
    }
    kopf.append_owner_reference(wanted, owner=body)
    kopf.info(body, reason="RolledOut", message=f"rolled out {spec['image']}")
    core = client.CoreV1Api()
    try:
        core.create_namespaced_config_map(str(namespace), wanted)
    except client.ApiException as error:
        if error.status != 409:
            raise
        core.patch_namespaced_config_map(name, str(namespace), wanted)
    return {"image": spec["image"]}


@kopf.on.delete("shops")
def take_apart(name: str, namespace: str | None, **_: Any) -> None:
    """Leave a note that the Shop is gone."""
    note: Any = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"{name}-is-gone"}}
    client.CoreV1Api().create_namespaced_config_map(str(namespace), note)
