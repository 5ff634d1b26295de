"""Dumps as files: the trees that each tool writes, and archives of them in memory.

The output of `kubectl cluster-info dump` was recorded with kubectl 1.37.1 on a real API server, and the releases with
Helm 3.22.0 and 4.3.1 (`recorded`). The trees of must-gather, `oc adm inspect` and Velero are built as the sources of
those tools write them: no OpenShift cluster and no Velero were at hand.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any

RECORDED = Path(__file__).parent / "recorded"
Tree = dict[str, bytes]


def manifest(kind: str, name: str, namespace: str = "", version: str = "v1", **more: Any) -> dict[str, Any]:
    """An object."""
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **more}


def text(content: Any) -> bytes:
    """An object as a file."""
    return json.dumps(content).encode()


def listed(kind: str, *items: dict[str, Any], version: str = "v1") -> bytes:
    """A typed list, as `oc adm inspect` writes it."""
    return text({"apiVersion": version, "kind": f"{kind}List", "metadata": {"resourceVersion": "1"}, "items": items})


WEB = manifest("Deployment", "web", "shop", "apps/v1", spec={"replicas": 2})
POD = manifest("Pod", "web-1", "shop", spec={"containers": [{"name": "web", "image": "web:1"}]})
NODE = manifest("Node", "n1", status={"nodeInfo": {"kubeletVersion": "v1.27.6+b49f9d1"}})
NAMESPACE = manifest("Namespace", "shop")
ELIDED = manifest("Secret", "s", "shop", data={"password": "MTIgYnl0ZXMgbG9uZw==", "tls.crt": "LS0t"})
OPERATOR = manifest(
    *("ClusterOperator", "kube-apiserver", "", "config.openshift.io/v1"),
    status={"versions": [{"name": "operator", "version": "4.14.1"}, {"name": "kube-apiserver", "version": "1.27.8"}]},
)
TITLES = {"deployment.apps/web", "pod/web-1", "node/n1", "namespace/shop", "secret/s"}

IMAGE = "must-gather.local.5/quay-io-image-sha256-1"
MUST_GATHER: Tree = {
    f"{IMAGE}/version": b"openshift/must-gather\n4.14.1\n",
    f"{IMAGE}/timestamp": b"2026-11-26 10:00:00",
    f"{IMAGE}/event-filter.html": b"<html>",
    f"{IMAGE}/gather-debug.log": b"kind: {broken",
    f"{IMAGE}/audit_logs/kube-apiserver/n1-audit.log.gz": gzip.compress(b"{}"),
    f"{IMAGE}/host_service_logs/masters/kubelet_service.log": b"kind: {broken",
    f"{IMAGE}/etcd_info/endpoint_status.json": b"[1, 2]",
    f"{IMAGE}/cluster-scoped-resources/core/nodes/n1.yaml": text(NODE),
    f"{IMAGE}/cluster-scoped-resources/config.openshift.io/clusteroperators.yaml": listed(
        "ClusterOperator", OPERATOR, version="config.openshift.io/v1"
    ),
    f"{IMAGE}/cluster-scoped-resources/config.openshift.io/clusteroperators/kube-apiserver.yaml": text(OPERATOR),
    f"{IMAGE}/namespaces/shop/shop.yaml": text(NAMESPACE),
    f"{IMAGE}/namespaces/shop/core/pods.yaml": listed("Pod", POD),
    f"{IMAGE}/namespaces/shop/core/secrets.yaml": listed("Secret", ELIDED),
    f"{IMAGE}/namespaces/shop/core/configmaps.yaml": text(
        {"apiVersion": "v1", "kind": "ConfigMapList", "metadata": {}, "items": None}
    ),
    f"{IMAGE}/namespaces/shop/apps/deployments.yaml": listed("Deployment", WEB, version="apps/v1"),
    f"{IMAGE}/namespaces/shop/pods/web-1/web-1.yaml": text(POD),
    f"{IMAGE}/namespaces/shop/pods/web-1/web/web/logs/current.log": b"kind: {broken",
    f"{IMAGE}/namespaces/shop/pods/web-1/web/web/version.json": b"{broken",
    "must-gather.local.5/other-image-sha256-2/namespaces/shop/apps/deployments/web.yaml": text(WEB),
}
INSPECT: Tree = {
    "inspect.local.7/timestamp": b"",
    "inspect.local.7/namespaces/shop/apps/deployments/web.yaml": text(WEB),
}
VELERO: Tree = {"metadata/version": b"1.1.0\n"}
for _one, _resource, _version in (
    *((WEB, "deployments.apps", "v1"), (POD, "pods", "v1"), (NODE, "nodes", "v1")),
    *((NAMESPACE, "namespaces", "v1"), (manifest("Secret", "s", "shop"), "secrets", "v1")),
):
    _where = f"namespaces/{_one['metadata']['namespace']}" if "namespace" in _one["metadata"] else "cluster"
    _end = f"{_where}/{_one['metadata']['name']}.json"
    VELERO[f"resources/{_resource}/{_end}"] = text(_one)
    VELERO[f"resources/{_resource}/{_version}-preferredversion/{_end}"] = text(_one)
VELERO["resources/deployments.apps/v1beta1/namespaces/shop/web.json"] = text({**WEB, "apiVersion": "apps/v1beta1"})


def cluster_info() -> Tree:
    """The files of `kubectl cluster-info dump --output-directory`, from its recorded output on standard output."""
    data = (RECORDED / "cluster-info.json.txt").read_bytes()
    found = re.findall(rb"^\{\n.*?^\}\n", data, re.DOTALL | re.MULTILINE)
    names = ["events", "replication-controllers", "services", "daemonsets", "deployments", "replicasets", "pods"]
    tree = {"nodes.json": found[0], **{f"shop/{name}.json": one for name, one in zip(names, found[1:], strict=True)}}
    return {**tree, "shop/web-1/logs.txt": data[data.index(b"==== START") :]}


def in_folder(folder: Path, tree: Tree) -> Path:
    """The tree as files of a folder."""
    for name, data in tree.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    return folder


def tar(entries: Any, mode: str = "w") -> bytes:
    """A tar file of a tree, or of pairs of a name and content. An entry may also be a finished `TarInfo`."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, data in entries.items() if isinstance(entries, dict) else entries:
            if isinstance(name, tarfile.TarInfo):
                archive.addfile(name, io.BytesIO(data))
                continue
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return gzip.compress(file.getvalue(), mtime=0) if mode == "w:gz" else file.getvalue()


def zipped(entries: Any) -> bytes:
    """A zip file of a tree."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return file.getvalue()
