"""Retries with a busy server, and errors without a response."""

from __future__ import annotations

import builtins
import threading
from typing import TYPE_CHECKING, Any

import pytest
import trustme

from kubemerge.client.access.kubeconfig import load_access
from kubemerge.client.cluster import RemoteCluster
from kubemerge.client.wire import transport
from kubemerge.cluster import ClusterError, ConnectError, Reference, ServerUnreachable, connect

from .fake import Fake, Say, status

if TYPE_CHECKING:
    from pathlib import Path

CM = "/api/v1/namespaces/default/configmaps"
OBJECT = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "default"}}
REF = Reference("v1", "ConfigMap", "a", "default")
BUSY = Say(429, b"later", (("Retry-After", "3"),))


def test_a_busy_server_is_asked_again_when_it_says(cluster: RemoteCluster, fake: Fake, pauses: list[float]) -> None:
    fake.answers[f"{CM}/a"] = [BUSY, BUSY, Say(body=OBJECT)]
    assert cluster.get(REF) == OBJECT
    assert pauses == [3.0, 3.0]


def test_a_write_too_is_sent_again_if_the_server_says_when(
    cluster: RemoteCluster, fake: Fake, pauses: list[float]
) -> None:
    fake.answers[CM] = [BUSY, Say(201, OBJECT)]
    assert cluster.create(OBJECT) == OBJECT
    assert len(fake.at(CM)) == 2


def test_a_failure_of_a_write_is_not_sent_again(cluster: RemoteCluster, fake: Fake, pauses: list[float]) -> None:
    fake.answers[CM] = [Say(503, b"oops"), Say(201, OBJECT)]
    with pytest.raises(ClusterError, match="currently unable to handle the request"):
        cluster.create(OBJECT)
    fake.answers[CM] = [Say(0), Say(201, OBJECT)]
    with pytest.raises(ServerUnreachable):
        cluster.create(OBJECT)
    assert len(fake.at(CM)) == 2
    assert pauses == []


@pytest.mark.parametrize("broken", [Say(503, b"oops"), Say(0), Say(502, b"<html>")])
def test_a_failure_of_what_only_reads_is_asked_again(
    cluster: RemoteCluster, fake: Fake, pauses: list[float], broken: Say
) -> None:
    fake.answers[f"{CM}/a"] = [broken, broken, Say(body=OBJECT)]
    assert cluster.get(REF) == OBJECT
    assert pauses == [0.25, 0.5]


def test_a_rehearsal_is_asked_again(cluster: RemoteCluster, fake: Fake, pauses: list[float]) -> None:
    fake.answers[CM] = [Say(0), Say(201, OBJECT)]
    assert cluster.create(OBJECT, dry_run=True) == OBJECT
    assert fake.at(CM)[1].query == {"dryRun": "All", "fieldManager": "kubemerge"}


def test_patience_ends(cluster: RemoteCluster, fake: Fake, pauses: list[float]) -> None:
    fake.answers[f"{CM}/a"] = [BUSY]
    with pytest.raises(ClusterError) as caught:
        cluster.get(REF)
    assert caught.value.code == 429
    assert len(pauses) == transport.TRIES - 1


def test_a_redirect_is_not_followed(cluster: RemoteCluster, fake: Fake) -> None:
    fake.answers[f"{CM}/a"] = [Say(302, b"", (("Location", f"{fake.url}/elsewhere"),))]
    with pytest.raises(ClusterError):
        cluster.get(REF)
    assert fake.at("/elsewhere") == []


def test_what_is_not_json_is_said(cluster: RemoteCluster, fake: Fake) -> None:
    fake.answers[f"{CM}/a"] = [Say(200, b"<html>")]
    with pytest.raises(ConnectError, match="not JSON"):
        cluster.get(REF)


def test_warnings_are_told(cluster: RemoteCluster, fake: Fake) -> None:
    said: list[str] = []
    cluster.on_warning = said.append
    warning = ("Warning", '299 - "unknown field \\"spec.x\\"", 299 - "a, b"')
    fake.answers[CM] = [Say(201, OBJECT, (warning, ("Warning", '299 - "third"')))]
    cluster.create(OBJECT)
    assert said == ['unknown field "spec.x"', "a, b", "third"]


def test_many_warnings_are_told(cluster: RemoteCluster, fake: Fake) -> None:
    said: list[str] = []
    cluster.on_warning = said.append
    fake.answers[CM] = [Say(201, OBJECT, tuple(("Warning", f'299 - "field {number}"') for number in range(300)))]
    cluster.create(OBJECT)
    assert len(said) == 300


def test_nobody_there(tmp_path: Path) -> None:
    fake = Fake()
    server = fake.start()
    server.shutdown()
    server.server_close()
    host = fake.url.removeprefix("http://")
    with pytest.raises(ServerUnreachable) as caught:
        _ = connect(fake.kubeconfig(tmp_path)).release
    assert str(caught.value) == (
        f"The connection to the server {host} was refused - did you specify the right host or port?"
    )


def test_a_silent_server(cluster: RemoteCluster, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "SILENCE", 0.1)
    end = threading.Event()

    def wait(_: Any) -> Say:
        end.wait(10)
        return Say(body={})

    fake.answers["/version"] = wait
    with pytest.raises(ServerUnreachable, match="sent nothing for"):
        _ = cluster.release
    end.set()
    assert len(fake.at("/version")) == transport.TRIES


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


def _secure(authority: trustme.CA, name: str = "127.0.0.1") -> Any:
    import ssl

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    authority.configure_trust(context)
    context.verify_mode = ssl.CERT_OPTIONAL
    return context


def _pem(authority: trustme.CA) -> str:
    import base64

    return base64.b64encode(authority.cert_pem.bytes()).decode()


def test_the_certificate_of_the_server_is_verified(tmp_path: Path, authority: trustme.CA) -> None:
    fake = Fake()
    fake.start(_secure(authority))
    with connect(fake.kubeconfig(tmp_path, **{"certificate-authority-data": _pem(authority)})) as cluster:
        assert cluster.release == "1.37"
    with (
        connect(fake.kubeconfig(tmp_path)) as cluster,
        pytest.raises(ServerUnreachable, match="failed to verify certificate"),
    ):
        _ = cluster.release
    with connect(fake.kubeconfig(tmp_path, **{"insecure-skip-tls-verify": True})) as cluster:
        assert cluster.release == "1.37"


def test_the_name_in_the_certificate_may_be_given(tmp_path: Path, authority: trustme.CA) -> None:
    fake = Fake()
    fake.start(_secure(authority, "api.example"))
    settings = {"certificate-authority-data": _pem(authority)}
    with connect(fake.kubeconfig(tmp_path, **settings)) as cluster, pytest.raises(ServerUnreachable, match="verify"):
        _ = cluster.release
    with connect(fake.kubeconfig(tmp_path, **settings, **{"tls-server-name": "api.example"})) as cluster:
        assert cluster.release == "1.37"


@pytest.mark.parametrize("form", ["data", "file"])
def test_a_client_certificate_is_shown(tmp_path: Path, authority: trustme.CA, form: str) -> None:
    import base64

    issued = authority.issue_cert("me@example.com")
    pair = {"client-certificate": issued.cert_chain_pems[0].bytes(), "client-key": issued.private_key_pem.bytes()}
    user: dict[str, str] = {}
    for name, pem in pair.items():
        (tmp_path / name).write_bytes(pem)
        user |= {name: name} if form == "file" else {f"{name}-data": base64.b64encode(pem).decode()}
    context = _secure(authority)
    context.verify_mode = 2  # CERT_REQUIRED
    fake = Fake()
    fake.start(context)
    settings = {"certificate-authority-data": _pem(authority)}
    with connect(fake.kubeconfig(tmp_path, user=user, **settings)) as cluster:
        assert cluster.release == "1.37"
    nobody = RemoteCluster(load_access(fake.kubeconfig(tmp_path, **settings)), lambda _: None)
    with pytest.raises(ServerUnreachable):
        _ = nobody.release


def test_a_proxy_is_asked_with_its_password(tmp_path: Path, fake: Fake) -> None:
    proxy = Fake(answers={"/version": [Say(body={"major": "1", "minor": "30"})]})
    proxy.start()
    address = proxy.url.replace("http://", "http://me:s3cret@")
    with connect(fake.kubeconfig(tmp_path, **{"proxy-url": address})) as cluster:
        assert cluster.release == "1.30"
    assert proxy.asked[0].headers["proxy-authorization"] == "Basic bWU6czNjcmV0"
    assert fake.asked == []


def test_the_password_of_a_proxy_is_not_told(tmp_path: Path) -> None:
    fake = Fake(url="http://api.example")
    file = fake.kubeconfig(tmp_path, **{"proxy-url": "http://me:s3cret@127.0.0.1:1"})
    cluster = RemoteCluster(load_access(file), lambda _: None)
    with pytest.raises(ServerUnreachable) as caught:
        _ = cluster.release
    assert "s3cret" not in repr(caught.value)
    assert "proxy" in str(caught.value)


def test_a_proxy_of_the_environment_is_not_for_this_machine(
    cluster: RemoteCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    assert cluster.release == "1.37"


def test_a_missing_library_is_said(cluster: RemoteCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name.startswith("urllib3"):
            raise ImportError(name)
        return imported(name, *more)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ConnectError, match=r"pip install 'kubemerge\[cluster\]'"):
        _ = cluster.release


@pytest.mark.parametrize("name", ["..", ".", "a/b", "a%2fb"])
def test_a_name_leads_nowhere_else(cluster: RemoteCluster, fake: Fake, name: str) -> None:
    with pytest.raises(ClusterError, match="invalid resource name"):
        cluster.get(Reference("v1", "ConfigMap", name, "default"))
    with pytest.raises(ClusterError):
        cluster.get(Reference("v1", "ConfigMap", "a", name))


def test_odd_names_are_quoted(cluster: RemoteCluster, fake: Fake) -> None:
    with pytest.raises(ClusterError):
        cluster.get(Reference("v1", "ConfigMap", "a b?c#d", "default"))
    assert fake.asked[-1].target == f"{CM}/a%20b%3Fc%23d"


def test_conflicts_of_an_apply_name_their_managers(cluster: RemoteCluster, fake: Fake) -> None:
    cause = {
        "reason": "FieldManagerConflict",
        "message": 'conflict with "kube\\"ctl" with subresource "scale" using apps/v1',
        "field": ".data.a",
    }
    fake.answers[f"{CM}/a"] = [status(409, "Conflict", "Apply failed with 1 conflict", causes=[cause])]
    with pytest.raises(ClusterError) as caught:
        cluster.patch(REF, OBJECT, "apply", manager="me")
    (one,) = caught.value.conflicts  # type: ignore[attr-defined]
    assert tuple(one) == ("data.a", 'kube"ctl', "Update", "scale", "apps/v1")
    assert fake.asked[-1].query == {"fieldManager": "me", "force": "false"}
    assert fake.asked[-1].headers["content-type"] == "application/apply-patch+yaml"
