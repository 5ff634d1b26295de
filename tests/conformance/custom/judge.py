"""The compared facts: acceptance of an object, and the stored object or all of its problems."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from kubemerge.apiserver.errors import ClusterError, Invalid
from kubemerge.cluster import Reference, open_cluster

from ..ownership.real.kinds import RELEASE

if TYPE_CHECKING:
    from tests.conformance.ownership.real.server import Server

Raw = dict[str, Any]
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
TIME = "lastTransitionTime"
GIVEN = ("uid", "resourceVersion", "creationTimestamp", "managedFields")


class RealServer:
    """The real server, which is filled with definitions and objects."""

    def __init__(self, server: Server) -> None:
        self.server = server

    def define(self, definition: Raw) -> Raw:
        """The server's response to a definition, once its kind is served; an older one is removed first."""
        name = definition["metadata"]["name"]
        self.server.ask("DELETE", f"{DEFINITIONS}/{name}")
        for _ in range(100):
            if self.server.ask("GET", f"{DEFINITIONS}/{name}").code == 404:
                break
            time.sleep(0.1)
        answer = _said(self.server.ask("POST", DEFINITIONS, definition, fieldValidation="Ignore"))
        group = definition["spec"]["group"]
        for version in definition["spec"]["versions"] if "object" in answer else ():
            for _ in range(100):
                listed = self.server.ask("GET", f"/apis/{group}/{version['name']}").body.get("resources") or []
                if not version.get("served") or definition["spec"]["names"]["plural"] in {
                    one["name"] for one in listed
                }:
                    break
                time.sleep(0.1)
        return answer

    def status_of(self, definition: Raw) -> Any:
        """The status of a definition, once all controllers have written theirs."""
        expected = 3 if definition["spec"]["group"].endswith(".k8s.io") else 2
        status: Any = {}
        for _ in range(50):
            status = self.server.ask("GET", f"{DEFINITIONS}/{definition['metadata']['name']}").body.get("status")
            if len(status.get("conditions") or ()) >= expected:
                break
            time.sleep(0.2)
        return status

    def create(self, definition: Raw, content: Raw, *, dry: bool = True) -> Raw:
        """The response to a new object."""
        return _said(self.server.ask("POST", _path(definition, content), content, **_query(dry=dry)))

    def replace(self, definition: Raw, content: Raw) -> Raw:
        """The response to a replacement of the object."""
        path = f"{_path(definition, content)}/{content['metadata']['name']}"
        version = self.server.ask("GET", path).body["metadata"]["resourceVersion"]
        whole = {**content, "metadata": {**content["metadata"], "resourceVersion": version}}
        return _said(self.server.ask("PUT", path, whole, **_query(dry=True)))

    def delete(self, definition: Raw, content: Raw) -> None:
        """Remove the object."""
        self.server.ask("DELETE", f"{_path(definition, content)}/{content['metadata']['name']}")


class EmbeddedServer:
    """The embedded cluster, in memory."""

    def __init__(self) -> None:
        self.cluster = open_cluster(":memory:", release=RELEASE)

    def close(self) -> None:
        self.cluster.close()

    def define(self, definition: Raw) -> Raw:
        """The cluster's response to a definition."""
        return self._said(lambda: self.cluster.create(definition))

    def status_of(self, definition: Raw) -> Any:
        return self.cluster.get(Reference.of(definition)).get("status")

    def create(self, content: Raw, *, dry: bool = True) -> Raw:
        """The response to a new object."""
        return self._said(lambda: self.cluster.create(content, dry_run=dry))

    def replace(self, content: Raw) -> Raw:
        """The response to a replacement of the object."""
        version = self.cluster.get(Reference.of(content))["metadata"]["resourceVersion"]
        whole = {**content, "metadata": {**content["metadata"], "resourceVersion": version}}
        return self._said(lambda: self.cluster.replace(whole, dry_run=True))

    @staticmethod
    def _said(request: Any) -> Raw:
        try:
            return {"object": plain(request())}
        except Invalid as error:
            return {"invalid": sorted({*map(str, error.problems)})}
        except ClusterError as error:
            return {"refused": error.code}


def _query(*, dry: bool) -> dict[str, str]:
    return {"fieldValidation": "Ignore", "fieldManager": "tests", **({"dryRun": "All"} if dry else {})}


def _path(definition: Raw, content: Raw) -> str:
    namespace = content["metadata"].get("namespace")
    at = f"/namespaces/{namespace}" if namespace else ""
    return f"/apis/{content['apiVersion']}{at}/{definition['spec']['names']['plural']}"


def _said(answer: Any) -> Raw:
    if answer.done:
        return {"object": plain(answer.body)}
    causes = (answer.body.get("details") or {}).get("causes") or []
    if answer.code == 422:
        return {"invalid": sorted({f"{one.get('field', '')}: {one.get('message', '')}" for one in causes})}
    return {"refused": answer.code}


def plain(content: Raw) -> Raw:
    """An object without the fields that a server adds to every object."""
    metadata = {name: value for name, value in content["metadata"].items() if name not in GIVEN}
    return {**{key: value for key, value in content.items() if key != "status"}, "metadata": metadata}


def timeless(status: Any) -> Any:
    """A status without the times of its conditions, which are sorted by type."""
    conditions = [{key: value for key, value in one.items() if key != TIME} for one in status["conditions"]]
    return {**status, "conditions": sorted(conditions, key=lambda one: str(one["type"]))}
