"""`merge` and `why` against an API server show the object that it returns for a dry run, as `diff` does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from codegen.documents.yaml_text import documents
from kubemerge.apiserver.errors import BadRequest, ClusterError, Forbidden
from kubemerge.client.cluster import RemoteCluster

from ..objects import config_map, deployment

if TYPE_CHECKING:
    from kubemerge.apiserver.http.listening.running import Serving

    from ..shell import Shell

SERVICE = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web"}, "spec": {"ports": [{"port": 80}]}}


@pytest.fixture
def server(kube_server: Serving) -> tuple[str, ...]:
    """The options that name a served cluster."""
    return ("--kubeconfig", str(kube_server.kubeconfig))


def reason(shell: Shell, path: str, *words: str) -> str:
    """The reason of one field."""
    assert shell.run("why", path, *words) == 0, shell.err
    return shell.out.splitlines()[1].split(maxsplit=1)[1]


def shown(shell: Shell, *words: str) -> Any:
    """The one object that `merge` prints."""
    assert shell.run("merge", *words) == 0, shell.err
    (found,) = documents(shell.out)
    return found


def test_a_new_object_is_the_one_that_the_server_returns(shell: Shell, server: tuple[str, ...]) -> None:
    file = shell.write("web.yaml", deployment())
    found = shown(shell, "-f", file, *server)
    assert found["spec"]["revisionHistoryLimit"] == 10
    assert not {"uid", "creationTimestamp", "resourceVersion", "managedFields"} & {*found["metadata"]}
    assert "web: only a server can choose metadata.uid, metadata.creationTimestamp" in shell.err
    assert shown(shell, "-f", file)["spec"] == found["spec"]
    assert shell.run("get", "deploy", "web", *server) != 0


def test_addresses_of_a_new_service_are_left_out(shell: Shell, server: tuple[str, ...]) -> None:
    found = shown(shell, "-f", shell.write("web.yaml", SERVICE), *server)
    assert found["spec"]["ports"] == [{"port": 80, "protocol": "TCP", "targetPort": 80}]
    assert "clusterIP" not in found["spec"]
    assert "spec.clusterIP" in shell.err


def test_the_uid_of_a_new_job_is_left_out_everywhere(shell: Shell, server: tuple[str, ...]) -> None:
    pod = {"restartPolicy": "Never", "containers": [{"name": "a", "image": "a:1"}]}
    job = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "j"}, "spec": {"template": {"spec": pod}}}
    file = shell.write("job.yaml", job)
    for options in ((), ("--server-side",)):
        found = shown(shell, "-f", file, *options, *server)
        assert found["metadata"]["labels"] == {"batch.kubernetes.io/job-name": "j", "job-name": "j"}
        assert "time" not in str(found["metadata"].get("managedFields", ""))
        assert found["spec"] == shown(shell, "-f", file, *options)["spec"]


@pytest.mark.parametrize("words", [("merge",), ("merge", "--server-side"), ("why",)])
def test_a_live_object_is_the_one_that_the_server_returns(
    words: tuple[str, ...], shell: Shell, server: tuple[str, ...]
) -> None:
    shell.run("apply", "-f", shell.write("web.yaml", deployment()), *server)
    side = {"name": "side", "image": "side:1"}
    file = shell.write("web.yaml", deployment("web", {"name": "web", "image": "web:1"}, side))
    if words == ("why",):
        place = "spec.template.spec.containers[name=side]"
        assert reason(shell, f"{place}.image", "-f", file, *server) == "added: in config, not in live"
        assert reason(shell, f"{place}.imagePullPolicy", "-f", file, *server) == "added: filled in by the server"
        return
    found = shown(shell, *words[1:], "-f", file, *server, *(("--force-conflicts",) if len(words) > 1 else ()))
    assert found["spec"]["template"]["spec"]["containers"][1]["imagePullPolicy"] == "IfNotPresent"
    assert found["metadata"]["generation"] == 2
    assert "side:1" not in shell.done("get", "deploy", "web", "-o", "yaml", *server)


@pytest.mark.parametrize("options", [("--raw",), ("-o", "patch")])
def test_the_bare_merge_needs_no_dry_run(
    options: tuple[str, ...], shell: Shell, server: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(RemoteCluster, "create")
    assert shell.run("merge", "-f", shell.write("web.yaml", deployment()), *options, *server) == 0
    assert "revisionHistoryLimit" not in shell.out


def test_an_object_that_the_server_rejects_is_reported(shell: Shell, server: tuple[str, ...]) -> None:
    file = shell.write("web.yaml", deployment("web", selector={"matchLabels": {"app": "other"}}), config_map())
    for command in ("merge", "why"):
        assert shell.run(command, "-f", file, *server) == 0
        assert "deployment.apps/web: the API server would reject this: spec.template.metadata.labels: Inv" in shell.err
        assert "web:1" in shell.out or "containers[name=web].image" in shell.out
    assert shell.run("diff", "-f", file, *server) == 2


CANNOT = 'User "reader" cannot create resource "deployments" in API group "apps" in the namespace "default"'


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (
            Forbidden("deployments.apps", "web", CANNOT),
            f'access to the server is read-only: deployments.apps "web" is forbidden: {CANNOT}',
        ),
        (
            BadRequest('admission webhook "hook.test" does not support dry run'),
            'admission webhook "hook.test" does not support dry run',
        ),
    ],
)
def test_a_server_without_dry_run_is_reported_once(
    error: ClusterError, why: str, shell: Shell, server: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def reject(*_: Any, **__: Any) -> Any:
        raise error

    monkeypatch.setattr(RemoteCluster, "create", reject)
    file = shell.write("web.yaml", deployment(), deployment("other"))
    for command in ("merge", "why"):
        assert shell.run(command, "-f", file, *server) == 0
        said = [line for line in shell.err.splitlines() if "dry run" in line]
        assert said == [f"shown without server defaults, because no dry run is possible: {why}"]
        assert "revisionHistoryLimit" not in shell.out


def test_a_namespace_that_the_apply_may_create_is_no_error(shell: Shell, server: tuple[str, ...]) -> None:
    config = config_map(namespace="new", data={"a": "1"})
    assert shown(shell, "-f", shell.write("c.yaml", config), *server)["data"] == {"a": "1"}
    assert 'no dry run is possible: namespaces "new" not found\n' in shell.err


def test_another_release_is_asked_in_memory(shell: Shell, server: tuple[str, ...]) -> None:
    file = shell.write("web.yaml", SERVICE)
    assert "internalTrafficPolicy" in shown(shell, "-f", file, *server)["spec"]
    assert "internalTrafficPolicy" not in shown(shell, "-f", file, "--release", "1.20", *server)["spec"]


# ---- the embedded cluster and files ----------------------------------------------------------------------------------


def test_why_of_a_new_object_names_values_of_the_server(shell: Shell) -> None:
    file = shell.write("web.yaml", deployment("web", replicas=2))
    assert reason(shell, "spec.replicas", "-f", file) == "added: in config, not in live"
    assert reason(shell, "spec.revisionHistoryLimit", "-f", file) == "added: filled in by the server"
    assert shell.err == ""
    assert shell.run("why", "spec.revisionHistoryLimit", "-f", file, "--raw") == 0
    assert "is not in the config, the live object" in shell.out
    service = {**SERVICE, "spec": {"ports": [{"port": 53, "name": "t"}, {"port": 53, "protocol": "UDP", "name": "u"}]}}
    shell.write("dns.yaml", service)
    for port, name in (("TCP", "protocol"), ("UDP", "targetPort")):
        path = f"spec.ports[port=53,protocol={port}].{name}"
        assert reason(shell, path, "-f", "dns.yaml") == "added: filled in by the server"
    assert (
        reason(shell, "spec.ports[port=53,protocol=UDP].protocol", "-f", "dns.yaml") == "added: in config, not in live"
    )


def test_the_embedded_cluster_is_asked_too(shell: Shell) -> None:
    shell.run("apply", "-f", shell.write("web.yaml", deployment("web", replicas=2)))
    file = shell.write("web.yaml", deployment("web"))
    again = "cleared: in last-applied, not in config, then filled in again by the server"
    assert reason(shell, "spec.replicas", "-f", file) == again
    assert shown(shell, "-f", file)["spec"]["replicas"] == 1


def test_a_patch_that_cannot_be_read_is_reported_as_by_kubectl(shell: Shell, server: tuple[str, ...]) -> None:
    shell.run("apply", "-f", shell.write("web.yaml", deployment()), *server)
    file = shell.write("web.yaml", deployment("web", replicas="x"))
    assert shell.run("diff", "-f", file, *server) == 2
    assert "deployment.apps/web: The request is invalid: patch: Invalid value: " in shell.err
