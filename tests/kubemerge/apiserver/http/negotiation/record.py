"""Record the tables of a real API server without controllers, an empty one, at `$KUBECONFIG`.

The objects come from the tests of kubectl's tables. Column definitions (without descriptions), cells and objects of
each table are recorded.
"""

from __future__ import annotations

import base64
import gzip
import json
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..real import Server

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
OBJECTS = HERE.parents[1] / "printers" / "data" / "objects.jsonl"
TABLES = HERE / "data" / "tables.jsonl.gz"
ACCEPT = "application/json;as=Table;v=v1;g=meta.k8s.io"
CERTIFICATES = {
    "CertificateSigningRequest": ("PEM", "request"),
    "ClusterTrustBundle": ("PEM", "trustBundle"),
    "PodCertificateRequest": ("DER", "stubPKCS10Request"),
}
"""Kinds with a required field of their spec."""
NEW_KEY = ["openssl", "req", "-new", "-newkey", "rsa:3072", "-nodes", "-keyout", "/dev/null", "-subj", "/CN=tb"]
FIRST, LAST = ("Namespace", "CustomResourceDefinition"), ("ResourceQuota",)
KEPT = {"qosClass"}
"""Immutable fields of status."""
GIVEN_BY_SERVERS = ("creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "resourceVersion", "uid")


def resources(server: Server) -> dict[tuple[str, str], tuple[str, bool]]:
    """Every listable kind, with the path of its group and name, and whether it is namespaced."""
    groups = server.ask("GET", "/apis").json()["groups"]
    paths = ["/api/v1", *(f"/apis/{one['groupVersion']}" for group in groups for one in group["versions"])]
    answers = ((path, server.ask("GET", path)) for path in paths)
    return {
        (path.split("/", 2)[2], one["kind"]): (f"{path}/{one['name']}", one["namespaced"])
        for path, answer in answers
        if answer.code == 200
        for one in answer.json()["resources"]
        if "/" not in one["name"] and "list" in one["verbs"]
    }


def path_of(one: dict[str, Any], known: dict[tuple[str, str], tuple[str, bool]]) -> str:
    path, namespaced = known[one["apiVersion"], one["kind"]]
    if not namespaced:
        return path
    before, _, name = path.rpartition("/")
    return f"{before}/namespaces/{one['metadata']['namespace']}/{name}"


def parts_of(kind: str, status: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The subresources for writing the status, each with its part."""
    if kind == "CertificateSigningRequest":
        said = [each for each in status.get("conditions", []) if each["type"] in ("Approved", "Denied")]
        yield "/approval", {"conditions": said}
        if "certificate" in status:
            status = {**status, "certificate": base64.b64encode(certificate()).decode()}
    yield "/status", status


def certificate() -> bytes:
    """A certificate for nothing."""
    return subprocess.check_output([*NEW_KEY, "-x509"], stderr=subprocess.DEVNULL)


def with_certificates(one: dict[str, Any]) -> dict[str, Any]:
    """The object with a valid certificate, or a valid request for one."""
    form, *fields = CERTIFICATES.get(one["kind"], [""])
    if not form:
        return one
    if fields == ["trustBundle"]:
        text = certificate().decode()
    else:
        made = subprocess.check_output([*NEW_KEY, "-outform", form], stderr=subprocess.DEVNULL)
        text = base64.b64encode(made).decode()
    return {**one, "spec": {**one["spec"], fields[0]: text}}


def create(server: Server, one: dict[str, Any], known: dict[tuple[str, str], tuple[str, bool]]) -> str:
    """Create the object with its status, and delete it if it should be terminating. Return the error."""
    metadata = {key: value for key, value in one["metadata"].items() if key not in GIVEN_BY_SERVERS}
    path, status = path_of(one, known), one.get("status")
    made = server.ask("POST", path, {**with_certificates(one), "metadata": metadata})
    if made.code != 201:
        return str(made.json()["message"])
    path = f"{path}/{metadata['name']}"
    if status and made.json().get("status") != status:
        for kept in KEPT & status.keys():
            status = {**status, kept: made.json()["status"][kept]}
        for part, content in parts_of(one["kind"], status):
            patched = server.ask("PATCH", path + part, {"status": content}, Content_Type="application/merge-patch+json")
            if patched.code != 200:
                return str(patched.json()["message"])
    if "deletionTimestamp" in one["metadata"]:
        server.ask("DELETE", path, {"gracePeriodSeconds": 3600})
    return ""


def tables(server: Server, known: dict[tuple[str, str], tuple[str, bool]]) -> Iterator[dict[str, Any]]:
    for (api_version, kind), (path, _) in known.items():
        while (answer := server.ask("GET", f"{path}?includeObject=Object", Accept=ACCEPT)).code == 404:
            time.sleep(0.2)  # it is not served yet
        table = answer.json()
        for column in table["columnDefinitions"]:
            del column["description"]
        rows = table.get("rows") or []
        for row in rows:
            row["object"]["metadata"].pop("managedFields", None)
        yield {
            "apiVersion": api_version,
            "kind": kind,
            "now": answer.date,
            "columnDefinitions": table["columnDefinitions"],
            "rows": rows,
        }


def main() -> None:
    server = Server()
    objects = [json.loads(line) for line in OBJECTS.read_text().splitlines()]
    objects.sort(key=lambda one: (one["kind"] not in FIRST) + (one["kind"] in LAST))
    known = resources(server)
    for one in objects:
        if (one["apiVersion"], one["kind"]) not in known:
            known = resources(server)
        if (one["apiVersion"], one["kind"]) not in known:
            print(f"{one['apiVersion']} {one['kind']} is not served")
        elif problem := create(server, one, known):
            print(f"{one['kind']} {one['metadata']['name']}: {problem}")
    lines = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in tables(server, known)]
    TABLES.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))


if __name__ == "__main__":
    main()
