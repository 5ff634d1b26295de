"""Credentials: tokens, changing files, passwords, plugins. None of them is ever printed or stored."""

from __future__ import annotations

import json
import os
import sys
import traceback
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.client.access import credentials
from kubemerge.cluster import ClusterError, ConnectError, connect

from .fake import Asked, Fake, Say, status

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "s3cret"
VERSION = Say(body={"major": "1", "minor": "37"})


def said_by(fake: Fake) -> list[str | None]:
    return [one.headers.get("authorization") for one in fake.at("/version")]


def test_a_token(fake: Fake, tmp_path: Path) -> None:
    with connect(fake.kubeconfig(tmp_path, user={"token": SECRET})) as cluster:
        _ = cluster.release
    assert said_by(fake) == [f"Bearer {SECRET}"]


def test_a_name_and_a_password(fake: Fake, tmp_path: Path) -> None:
    with connect(fake.kubeconfig(tmp_path, user={"username": "me", "password": SECRET})) as cluster:
        _ = cluster.release
    assert said_by(fake) == ["Basic bWU6czNjcmV0"]


def test_nobody(fake: Fake, tmp_path: Path) -> None:
    with connect(fake.kubeconfig(tmp_path)) as cluster:
        _ = cluster.release
    assert said_by(fake) == [None]


def test_somebody_else_is_stood_for(fake: Fake, tmp_path: Path) -> None:
    user = {"token": "t", "as": "bob", "as-groups": ["a"], "as-user-extra": {"x/y": ["1"]}}
    with connect(fake.kubeconfig(tmp_path, user=user)) as cluster:
        _ = cluster.release
    headers = fake.asked[0].headers
    assert headers["impersonate-user"] == "bob"
    assert headers["impersonate-group"] == "a"
    assert headers["impersonate-extra-x%2fy"] == "1"


def knowing(token: str) -> Any:
    """A server that only accepts one token."""

    def answer(asked: Asked) -> Say:
        known = asked.headers.get("authorization") == f"Bearer {token}"
        return VERSION if known else status(401, "Unauthorized", "Unauthorized")

    return answer


def test_a_token_file_is_read_again(fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "token").write_text("one\n", encoding="utf-8")
    with connect(fake.kubeconfig(tmp_path, user={"tokenFile": "token"})) as cluster:
        cluster.raw("/version")
        (tmp_path / "token").write_text("two", encoding="utf-8")
        cluster.raw("/version")
        monkeypatch.setattr(credentials, "FRESH", -1.0)
        cluster.raw("/version")
    assert said_by(fake) == ["Bearer one", "Bearer one", "Bearer two"]


def test_a_token_file_is_read_again_when_the_server_does_not_know_us(fake: Fake, tmp_path: Path) -> None:
    (tmp_path / "token").write_text("one", encoding="utf-8")
    fake.answers["/version"] = knowing("two")
    with connect(fake.kubeconfig(tmp_path, user={"tokenFile": "token"})) as cluster:
        with pytest.raises(ClusterError, match="Unauthorized"):
            _ = cluster.release
        (tmp_path / "token").write_text("two", encoding="utf-8")
        assert cluster.release == "1.37"


PLUGIN = """
import json, os, sys
with open({log!r}, "a") as log:
    log.write(os.environ["KUBERNETES_EXEC_INFO"] + "\\n")
count = len(open({log!r}).readlines())
print("{secret} on stderr", file=sys.stderr)
print(json.dumps({{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential",
    "status": {{"token": "token-%d" % count, **{more}}}}}))
"""


def plugin(folder: Path, *, code: str | None = None, more: Any = None, **changes: Any) -> dict[str, Any]:
    """A user whose plugin writes its arguments to a file."""
    file = folder / "plugin.py"
    given = PLUGIN.format(log=str(folder / "log"), secret=SECRET, more=more or {})
    file.write_text(given if code is None else code, encoding="utf-8")
    made = {
        "apiVersion": "client.authentication.k8s.io/v1",
        "command": sys.executable,
        "args": [str(file)],
        "interactiveMode": "Never",
        "env": [{"name": "SAID", "value": "yes"}],
    }
    return {"exec": {**made, **changes}}


def runs(folder: Path) -> list[Any]:
    log = folder / "log"
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []


def test_a_plugin_is_run_once(fake: Fake, tmp_path: Path) -> None:
    with connect(fake.kubeconfig(tmp_path, user=plugin(tmp_path))) as cluster:
        assert runs(tmp_path) == []
        cluster.raw("/version")
        cluster.raw("/version")
    assert said_by(fake) == ["Bearer token-1", "Bearer token-1"]
    (info,) = runs(tmp_path)
    assert info == {
        "kind": "ExecCredential",
        "apiVersion": "client.authentication.k8s.io/v1",
        "spec": {"interactive": False},
    }


def test_a_plugin_is_run_again_when_its_time_is_over(fake: Fake, tmp_path: Path) -> None:
    user = plugin(tmp_path, more={"expirationTimestamp": "2020-01-01T00:00:00Z"})
    with connect(fake.kubeconfig(tmp_path, user=user)) as cluster:
        cluster.raw("/version")
        cluster.raw("/version")
    assert said_by(fake) == ["Bearer token-1", "Bearer token-2"]


def test_a_plugin_is_run_again_when_the_server_does_not_know_us(fake: Fake, tmp_path: Path) -> None:
    fake.answers["/version"] = knowing("token-2")
    with connect(fake.kubeconfig(tmp_path, user=plugin(tmp_path))) as cluster:
        assert cluster.release == "1.37"
    assert len(runs(tmp_path)) == 2


def test_a_plugin_is_told_about_the_cluster_if_it_asks(fake: Fake, tmp_path: Path) -> None:
    extension = {"name": "client.authentication.k8s.io/exec", "extension": {"a": 1}}
    user = plugin(tmp_path, provideClusterInfo=True)
    with connect(fake.kubeconfig(tmp_path, user=user, extensions=[extension])) as cluster:
        cluster.raw("/version")
    assert runs(tmp_path)[0]["spec"]["cluster"] == {"server": fake.url, "config": {"a": 1}}


def test_only_the_plugin_of_the_chosen_context_is_run(fake: Fake, tmp_path: Path) -> None:
    file = tmp_path / "kubeconfig"
    fake.kubeconfig(tmp_path, user=plugin(tmp_path))
    content = json.loads(file.read_text(encoding="utf-8"))
    content["users"].append({"name": "other", "user": {"token": "other"}})
    content["contexts"].append({"name": "other", "context": {"cluster": "c", "user": "other"}})
    file.write_text(json.dumps(content), encoding="utf-8")
    with connect(str(file), "other") as cluster:
        cluster.raw("/version")
    assert said_by(fake) == ["Bearer other"]
    assert runs(tmp_path) == []


BAD = [
    ({"apiVersion": "client.authentication.k8s.io/v1alpha1"}, "has the apiVersion"),
    ({"command": ""}, "has no command"),
    ({"interactiveMode": None}, "requires an interactiveMode"),
    ({"interactiveMode": "Always"}, "requires user input"),
    ({"command": "no-such-plugin", "installHint": "get it\nsoon"}, "is not installed; get it soon"),
    ({"command": "/"}, "cannot be started" if os.name == "posix" else "is not installed"),
    ({"code": f"print({SECRET!r})"}, "did not print an ExecCredential"),
    ({"code": f"import sys; sys.exit({SECRET!r})"}, "exited with 1. Run it manually to see its error"),
    ({"more": {"token": ""}}, "returned neither a token nor a certificate"),
    ({"more": {"expirationTimestamp": "soon"}}, "returned an invalid expirationTimestamp"),
    ({"more": {"token": f"{SECRET}\nX: y"}}, "contain characters that are not allowed in a header"),
    ({"env": [{"value": "x"}]}, "has an environment variable without a name"),
]


@pytest.mark.parametrize(("changes", "said"), BAD, ids=[said for _, said in BAD])
def test_a_plugin_that_fails_ends_in_one_sentence(
    fake: Fake, tmp_path: Path, capfd: pytest.CaptureFixture[str], changes: Any, said: str
) -> None:
    cluster = connect(fake.kubeconfig(tmp_path, user=plugin(tmp_path, **changes)))
    with pytest.raises(ConnectError, match=said) as caught:
        _ = cluster.release
    told = "".join(traceback.format_exception(caught.value))
    assert SECRET not in told.replace(repr(changes), "")
    assert "\n" not in str(caught.value)
    assert SECRET not in "".join(capfd.readouterr())


def test_nothing_secret_is_kept(fake: Fake, tmp_path: Path) -> None:
    fake.answers["/openapi/v3"] = [Say(body={"paths": {}})]
    with connect(fake.kubeconfig(tmp_path, user={"token": SECRET})) as cluster:
        cluster.schema("v1", "ConfigMap")
        assert SECRET not in repr(cluster)
    kept = [file for file in (tmp_path / "cache").rglob("*") if file.is_file()]
    assert all(SECRET.encode() not in file.read_bytes() for file in kept)


@pytest.mark.parametrize("user", [{"token": SECRET, "username": "x"}, {"auth-provider": {"config": SECRET}}])
def test_users_that_nobody_can_be(fake: Fake, tmp_path: Path, user: Any) -> None:
    with pytest.raises(ConnectError) as caught:
        connect(fake.kubeconfig(tmp_path, user=user))
    assert SECRET not in str(caught.value)
