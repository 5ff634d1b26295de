"""The server of a kubeconfig, and the error for an invalid one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
import yaml

from kubemerge.client.access import kubeconfig
from kubemerge.client.access.kubeconfig import load_access
from kubemerge.cluster import ConnectError


def config(name: str, **more: Any) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": {"server": f"https://{name}.example"}}],
        "users": [{"name": name, "user": {"token": f"t0ken-{name}"}}],
        "contexts": [{"name": name, "context": {"cluster": name, "user": name, "namespace": f"ns-{name}"}}],
        **more,
    }


def write(file: Path, content: Any) -> str:
    file.write_text(content if isinstance(content, str) else yaml.safe_dump(content), encoding="utf-8")
    return str(file)


def test_the_current_context_is_meant(tmp_path: Path) -> None:
    found = load_access(write(tmp_path / "a", config("a", **{"current-context": "a"})))
    assert (found.context, found.server, found.namespace) == ("a", "https://a.example", "ns-a")


def test_files_are_merged_and_the_first_one_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = write(tmp_path / "a", config("a"))
    other = config("b", **{"current-context": "b"})
    other["clusters"].append({"name": "a", "cluster": {"server": "https://wrong.example"}})
    second = write(tmp_path / "b", other)
    monkeypatch.setenv("KUBECONFIG", os.pathsep.join([first, str(tmp_path / "missing"), second]))
    assert load_access().server == "https://b.example"
    assert load_access(context="a").server == "https://a.example"
    assert kubeconfig.names() == ("a", "b")


def test_paths_are_relative_to_their_file(tmp_path: Path) -> None:
    content = config("a", **{"current-context": "a"})
    content["users"][0]["user"] = {"client-key": "k", "exec": {"command": "bin/plugin"}, "tokenFile": "/abs"}
    (tmp_path / "in").mkdir()
    user = load_access(write(tmp_path / "in" / "a", content)).user
    assert user["client-key"] == str(tmp_path / "in" / "k")
    assert Path(user["exec"]["command"]) == tmp_path / "in" / "bin/plugin"
    assert Path(user["tokenFile"]) == Path("/abs").absolute()


def test_a_plugin_that_is_only_a_name_is_looked_for_by_the_system(tmp_path: Path) -> None:
    content = config("a", **{"current-context": "a"})
    content["users"][0]["user"] = {"exec": {"command": "plugin"}}
    assert load_access(write(tmp_path / "a", content)).user["exec"]["command"] == "plugin"


def test_the_usual_file(tmp_path: Path) -> None:
    (tmp_path / ".kube").mkdir()
    write(tmp_path / ".kube" / "config", config("a", **{"current-context": "a"}))
    assert load_access().context == "a"


def test_a_pod_reaches_its_own_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kubeconfig, "ACCOUNT", str(tmp_path))
    for name, text in {"token": "t0ken", "namespace": "shop\n", "ca.crt": "x"}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.setenv("KUBERNETES_SERVICE_HOST", "fd00::1")
    monkeypatch.setenv("KUBERNETES_SERVICE_PORT", "443")
    found = load_access()
    assert (found.server, found.namespace) == ("https://[fd00::1]:443", "shop")
    assert {name: Path(value) for name, value in found.user.items()} == {"tokenFile": tmp_path / "token"}


@pytest.mark.parametrize(
    ("context", "said"),
    [("nope", "does not have the context 'nope'. The only context is a"), ("", "is empty. The only context is a")],
)
def test_an_unknown_context_is_told_with_those_that_there_are(tmp_path: Path, context: str, said: str) -> None:
    with pytest.raises(ConnectError, match=said):
        load_access(write(tmp_path / "a", config("a")), context)


def test_no_current_context(tmp_path: Path) -> None:
    with pytest.raises(ConnectError, match=r"has no current context\. Name one with --context\. The only context is a"):
        load_access(write(tmp_path / "a", config("a")))


def changed(path: str, value: Any) -> dict[str, Any]:
    """A kubeconfig with a value at a path: `users.0.user.token`."""
    content: dict[str, Any] = config("a", **{"current-context": "a"})
    *before, last = path.split(".")
    at: Any = content
    for step in before:
        at = at[int(step)] if step.isdigit() else at[step]
    at[last] = value
    return content


SECRET = "s3cret"
BROKEN = [
    ("just a text", "not a kubeconfig"),
    ("[1, 2]", "not a kubeconfig"),
    (f"token: {SECRET}: x: [", ":1: not readable as YAML or JSON"),
    ("a: 1\n---\nb: 2", "the file has several documents"),
    ("{}", "has no current context"),
    (changed("clusters", {}), "clusters is not a list"),
    (changed("users.0.name", 5), "users\\[0\\] has no name"),
    (changed("users.0.user", SECRET), "users\\[0\\].user is not a mapping"),
    (changed("users.0.user.token", [SECRET]), "users\\[0\\].user.token is not a text"),
    (changed("users.0.user.exec", {"args": SECRET}), "users\\[0\\].user.exec.args is not a list"),
    (changed("users.0.user.exec", {"args": [{"x": SECRET}]}), "users\\[0\\].user.exec.args\\[0\\] is not a text"),
    (changed("clusters.0.cluster.insecure-skip-tls-verify", "no"), "is not true or false"),
    (changed("clusters.0.cluster.server", ""), "the cluster 'a' has no server"),
    (changed("contexts.0.context.cluster", "b"), "the context 'a' refers to the cluster 'b', which does not exist"),
    (changed("contexts.0.context.user", "b"), "the context 'a' refers to the user 'b', which does not exist"),
    (changed("current-context", 5), "current-context is not a name"),
    ("x: " + "[" * 100_000, "not readable as YAML or JSON"),
    ("a: &a [x, x]\n" + "".join(f"b{n}: &b{n} [*a, *a]\n" for n in range(3)), "has no current context"),
]


@pytest.mark.parametrize(("content", "said"), BROKEN, ids=[said for _, said in BROKEN])
def test_a_broken_kubeconfig_ends_in_one_sentence(tmp_path: Path, content: Any, said: str) -> None:
    with pytest.raises(ConnectError, match=said) as caught:
        load_access(write(tmp_path / "a", content))
    assert SECRET not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_two_of_a_name(tmp_path: Path) -> None:
    content = config("a")
    content["users"] *= 2
    with pytest.raises(ConnectError, match=r"users\[1\] is the second one with the name 'a'"):
        load_access(write(tmp_path / "a", content))


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(ConnectError, match="the kubeconfig does not exist"):
        load_access(str(tmp_path / "none"))
    with pytest.raises(ConnectError, match=r"no kubeconfig was found\. Pass one with --kubeconfig"):
        load_access()


def test_nothing_of_a_user_is_printed(tmp_path: Path) -> None:
    assert "t0ken" not in repr(load_access(write(tmp_path / "a", config("a")), "a"))
