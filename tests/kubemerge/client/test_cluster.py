"""The requests of each call, and the results of their responses."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.cluster import (
    AlreadyExists,
    AsksAhead,
    ClusterError,
    Conflict,
    ConnectError,
    Forbidden,
    Invalid,
    NoMatch,
    NoResource,
    NotFound,
    Recreates,
    Reference,
    UnsupportedMediaType,
    connect,
)
from tests.conftest import needs_posix

from .fake import Asked, Fake, Say, status

if TYPE_CHECKING:
    from pathlib import Path

    from kubemerge.client.cluster import RemoteCluster

CM = "/api/v1/namespaces/default/configmaps"
HEAD = {"apiVersion": "v1", "kind": "ConfigMap"}
REF = Reference("v1", "ConfigMap", "a", "default")


def config_map(name: str = "a", **more: Any) -> dict[str, Any]:
    return {**HEAD, "metadata": {"name": name, "namespace": "default"}, **more}


def test_what_it_can_do(cluster: RemoteCluster) -> None:
    assert isinstance(cluster, AsksAhead)
    assert not isinstance(cluster, Recreates)


def test_the_namespace_of_the_context(fake: Fake, tmp_path: Path) -> None:
    fake.answers["/api/v1/namespaces/shop/configmaps/a"] = [Say(body=config_map())]
    with connect(fake.kubeconfig(tmp_path, context={"namespace": "shop"})) as cluster:
        assert cluster.namespace == "shop"
        cluster.get(Reference("v1", "ConfigMap", "a"))


# ---- lists -----------------------------------------------------------------------------------------------------------


def pages(*answers: Any) -> Any:
    """A list in pages: the response for each `continue`, the first without one."""
    told = {str(number) if number else "": list(one) for number, one in enumerate(answers)}

    def answer(asked: Asked) -> Say:
        queue = told[asked.query.get("continue", "")]
        said = queue.pop(0) if len(queue) > 1 else queue[0]
        if isinstance(said, Say):
            return said
        names, rest = said
        items = [{"metadata": {"name": name, "namespace": "default"}} for name in names]
        return Say(body={"kind": "ConfigMapList", "metadata": {"continue": rest}, "items": items})

    return answer


def names(found: Any) -> str:
    return "".join(one["metadata"]["name"] for one in found)


def test_a_long_list_comes_page_by_page(cluster: RemoteCluster, fake: Fake) -> None:
    fake.answers[CM] = pages([("ab", "1")], [("cd", "2")], [("e", "")])
    assert names(cluster.list("v1", "ConfigMap", namespace="default", selector="a=b")) == "abcde"
    assert [one.query for one in fake.at(CM)] == [
        {"limit": "500", "labelSelector": "a=b"},
        {"limit": "500", "continue": "1", "labelSelector": "a=b"},
        {"limit": "500", "continue": "2", "labelSelector": "a=b"},
    ]


def test_what_is_in_a_list_says_what_it_is(cluster: RemoteCluster, fake: Fake) -> None:
    fake.answers["/api/v1/configmaps"] = pages([("a", "")])
    assert list(cluster.list("v1", "ConfigMap")) == [config_map()]


EXPIRED = status(410, "Expired", "The provided continue parameter is too old")


def test_a_list_that_the_server_forgot_begins_anew(cluster: RemoteCluster, fake: Fake) -> None:
    fake.answers[CM] = pages([("ab", "1"), ("abx", "1")], [EXPIRED, ("cd", "")])
    assert names(cluster.list("v1", "ConfigMap", namespace="default")) == "abxcd"


def test_a_list_that_is_always_forgotten_comes_whole(cluster: RemoteCluster, fake: Fake) -> None:
    def answer(asked: Asked) -> Say:
        if asked.query.get("continue"):
            return EXPIRED
        rest = "1" if asked.query.get("limit") else ""
        return Say(body={"kind": "List", "metadata": {"continue": rest}, "items": [{"metadata": {"name": "a"}}]})

    fake.answers[CM] = answer
    assert names(cluster.list("v1", "ConfigMap", namespace="default")) == "a"


def test_a_list_that_is_forgotten_even_whole_is_an_error(cluster: RemoteCluster, fake: Fake) -> None:
    fake.answers[CM] = [EXPIRED]
    with pytest.raises(ClusterError, match="too old"):
        list(cluster.list("v1", "ConfigMap", namespace="default"))


# ---- requests --------------------------------------------------------------------------------------------------------


def test_a_delete(cluster: RemoteCluster, fake: Fake) -> None:
    fake.answers[f"{CM}/a"] = [Say(body={"kind": "Status", "apiVersion": "v1", "status": "Success"})]
    cluster.delete(REF, uid="u", resource_version="7", propagation="Foreground", grace_period=0, dry_run=True)
    assert fake.asked[-1].method == "DELETE"
    assert fake.asked[-1].body == {
        "kind": "DeleteOptions",
        "apiVersion": "v1",
        "gracePeriodSeconds": 0,
        "preconditions": {"uid": "u", "resourceVersion": "7"},
        "propagationPolicy": "Foreground",
        "dryRun": ["All"],
    }


@pytest.mark.parametrize(
    ("patch_type", "form"),
    [
        ("json", "application/json-patch+json"),
        ("merge", "application/merge-patch+json"),
        ("strategic", "application/strategic-merge-patch+json"),
    ],
)
def test_a_patch(cluster: RemoteCluster, fake: Fake, patch_type: str, form: str) -> None:
    fake.answers[f"{CM}/a/status"] = [Say(body=config_map())]
    patch: Any = [] if patch_type == "json" else {"b": 1, "a": 2}
    cluster.patch(REF, patch, patch_type, manager="me", subresource="status", field_validation="Strict")
    assert fake.asked[-1].headers["content-type"] == form
    assert fake.asked[-1].query == {"fieldManager": "me", "fieldValidation": "Strict"}


def test_a_replace(cluster: RemoteCluster, fake: Fake) -> None:
    fake.answers[f"{CM}/a"] = [Say(body=config_map())]
    cluster.replace(config_map(), manager="me", dry_run=True)
    assert (fake.asked[-1].method, fake.asked[-1].query) == ("PUT", {"dryRun": "All", "fieldManager": "me"})


def test_objects_are_asked_for_ahead(cluster: RemoteCluster, fake: Fake) -> None:
    wanted = [Reference("v1", "ConfigMap", str(number), "default") for number in range(30)]
    for one in wanted[1:]:
        fake.answers[f"{CM}/{one.name}"] = [Say(body=config_map(one.name))]
    fake.answers[f"{CM}/0"] = [status(404, "NotFound", 'configmaps "0" not found', name="0", kind="configmaps")]
    cluster.ahead(wanted)
    with pytest.raises(NotFound):
        cluster.get(wanted[0])
    assert [cluster.get(one)["metadata"]["name"] for one in wanted[1:]] == [one.name for one in wanted[1:]]
    assert len(fake.at(f"{CM}/7")) == 1
    cluster.get(wanted[7])
    assert len(fake.at(f"{CM}/7")) == 2


def test_what_was_asked_before_a_write_is_asked_again(cluster: RemoteCluster, fake: Fake) -> None:
    fake.answers[f"{CM}/a"] = [Say(body=config_map(data={"a": "old"})), Say(body=config_map(data={"a": "new"}))]
    cluster.ahead([REF])
    while not fake.at(f"{CM}/a"):
        pass
    cluster.patch(REF, {}, "merge")
    assert cluster.get(REF)["data"] == {"a": "new"}


# ---- error responses -------------------------------------------------------------------------------------------------

REFUSALS = [
    (status(404, "NotFound", 'configmaps "a" not found', name="a", kind="configmaps"), NotFound),
    (status(404, "NotFound", "the server could not find the requested resource"), NoResource),
    (status(409, "AlreadyExists", 'configmaps "a" already exists', name="a", kind="configmaps"), AlreadyExists),
    (status(409, "Conflict", "Operation cannot be fulfilled", name="a", kind="configmaps"), Conflict),
    (status(403, "Forbidden", 'configmaps "a" is forbidden: no', name="a", kind="configmaps"), Forbidden),
    (status(422, "Invalid", 'ConfigMap "a" is invalid', causes=[{"field": "data", "message": "Bad"}]), Invalid),
    (status(415, "UnsupportedMediaType", "the body of the request was in an unknown format"), UnsupportedMediaType),
    (status(418, "Teapot", "short and stout"), ClusterError),
]


@pytest.mark.parametrize(("said", "kind"), REFUSALS, ids=[said.body["reason"] for said, _ in REFUSALS])
def test_a_refusal_has_the_words_of_the_server(
    cluster: RemoteCluster, fake: Fake, said: Say, kind: type[ClusterError]
) -> None:
    fake.answers[f"{CM}/a"] = [said]
    with pytest.raises(ClusterError) as caught:
        cluster.get(REF)
    assert type(caught.value) is kind
    assert str(caught.value) == said.body["message"]
    assert (caught.value.code, caught.value.reason) == (said.code, said.body["reason"])
    if isinstance(caught.value, Invalid):
        assert [*map(str, caught.value.problems)] == ["data: Bad"]
    if isinstance(caught.value, NotFound):
        assert (caught.value.called, caught.value.name) == ("configmaps", "a")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (403, "sorry"),
        (404, "the server could not find the requested resource"),
        (418, "the server responded with the status code 418 but did not return more information"),
        (500, 'an error on the server ("sorry") has prevented the request from succeeding'),
    ],
)
def test_a_refusal_without_a_status_has_the_words_of_kubectl(
    cluster: RemoteCluster, fake: Fake, code: int, message: str
) -> None:
    fake.answers[CM] = [Say(code, b"sorry")]
    with pytest.raises(ClusterError) as caught:
        cluster.create(config_map())
    assert str(caught.value) == message


# ---- kinds and rules -------------------------------------------------------------------------------------------------


def test_a_kind_that_is_not_served(cluster: RemoteCluster) -> None:
    with pytest.raises(NoMatch, match="did you mean ConfigMap of v1"):
        cluster.resource("v1", "ConfigMpa")


def test_a_server_that_lists_its_groups_one_by_one(cluster: RemoteCluster, fake: Fake) -> None:
    fake.answers["/api"] = [Say(body={"kind": "APIVersions", "versions": ["v1"]})]
    group = {"name": "apps", "versions": [{"version": "v1beta1"}, {"version": "v1"}]}
    broken = {"name": "broken", "versions": [{"version": "v1"}], "preferredVersion": {"version": "v1"}}
    groups = [{**group, "preferredVersion": {"version": "v1"}}, broken]
    fake.answers["/apis"] = [Say(body={"kind": "APIGroupList", "groups": groups})]
    pod = {"name": "pods", "kind": "Pod", "namespaced": True, "verbs": ["get"], "shortNames": ["po"]}
    fake.answers["/api/v1"] = [Say(body={"resources": [pod, {"name": "pods/status", "kind": "Pod"}]})]
    deployments = [{"name": "deployments", "kind": "Deployment"}, {"name": "deployments/scale", "kind": "Scale"}]
    for version in ("v1", "v1beta1"):
        fake.answers[f"/apis/apps/{version}"] = [Say(body={"resources": deployments})]
    fake.answers["/apis/broken/v1"] = [Say(500, b"oops")]
    found = cluster.resources()
    assert [(one.api_version, one.kind) for one in found] == [
        ("v1", "Pod"),
        ("apps/v1", "Deployment"),
        ("apps/v1beta1", "Deployment"),
    ]
    assert found[0].has_status
    assert found[0].short_names == ("po",)
    assert found[1].scaled_by == "spec.replicas"


def test_objects_that_are_asked_for_ahead_do_not_keep_groups_from_being_asked(
    cluster: RemoteCluster, fake: Fake
) -> None:
    fake.answers["/api"] = [Say(body={"kind": "APIVersions", "versions": ["v1"]})]
    fake.answers["/apis"] = [Say(body={"kind": "APIGroupList", "groups": []})]
    config_maps = {"name": "configmaps", "kind": "ConfigMap", "namespaced": True}
    fake.answers["/api/v1"] = [Say(body={"resources": [config_maps]})]
    wanted = [Reference("v1", "ConfigMap", f"a{number}", "default") for number in range(40)]
    for one in wanted:
        fake.answers[f"{CM}/{one.name}"] = [Say(body=config_map(one.name))]
    cluster.ahead(wanted)
    assert [cluster.get(one)["metadata"]["name"] for one in wanted] == [one.name for one in wanted]


def test_something_else_than_an_api_server(cluster: RemoteCluster, fake: Fake) -> None:
    for path in ("/api", "/apis"):
        fake.answers[path] = [Say(body={"hello": "world"})]
    with pytest.raises(ConnectError, match=r"Check that it is an API server"):
        cluster.resources()


DOCUMENT = {
    "openapi": "3.0.0",
    "paths": {},
    "components": {
        "schemas": {
            "example.Widget": {
                "type": "object",
                "properties": {
                    "spec": {
                        "type": "array",
                        "items": {"type": "object", "properties": {"name": {"type": "string"}}},
                        "x-kubernetes-patch-strategy": "merge",
                        "x-kubernetes-patch-merge-key": "name",
                    }
                },
                "x-kubernetes-group-version-kind": [{"group": "", "version": "v1", "kind": "Widget"}],
            }
        }
    },
}
AT = "/openapi/v3/api/v1"


def with_rules(fake: Fake, mark: str = "H1") -> None:
    fake.answers["/openapi/v3"] = [Say(body={"paths": {"api/v1": {"serverRelativeURL": f"{AT}?hash={mark}"}}})]
    fake.answers[AT] = [Say(body=DOCUMENT)]


def merge_key(cluster: RemoteCluster) -> str | None:
    schema = cluster.schema("v1", "Widget")
    rule = schema.rule("spec") if schema else None
    return rule.merge_key if rule else None


def test_rules_are_kept_by_their_hash(fake: Fake, tmp_path: Path) -> None:
    with_rules(fake)
    for _ in range(2):
        with connect(fake.kubeconfig(tmp_path)) as cluster:
            assert merge_key(cluster) == "name"
    assert [one.query for one in fake.at(AT)] == [{"hash": "H1"}]
    with_rules(fake, "H2")
    with connect(fake.kubeconfig(tmp_path)) as cluster:
        assert merge_key(cluster) == "name"
    assert len(fake.at(AT)) == 2
    kept = [tmp_path / "cache", *(tmp_path / "cache").rglob("*")][1:]
    assert len([one for one in kept if one.is_file()]) == 2
    for one in kept if os.name == "posix" else ():
        assert stat.S_IMODE(one.stat().st_mode) == (0o700 if one.is_dir() else 0o600)


@needs_posix
@pytest.mark.parametrize("damage", ["text", "mode", "link", "folder"])
def test_a_cache_that_others_could_have_written_is_not_read(fake: Fake, tmp_path: Path, damage: str) -> None:
    with_rules(fake)
    with connect(fake.kubeconfig(tmp_path)) as cluster:
        merge_key(cluster)
    (file,) = [one for one in (tmp_path / "cache").rglob("*") if one.is_file()]
    if damage == "text":
        file.write_text(json.dumps({"form": 1, "kinds": [SystemExit.__name__]}), encoding="utf-8")
    elif damage == "mode":
        file.chmod(0o666)
    elif damage == "link":
        file.rename(tmp_path / "elsewhere")
        file.symlink_to(tmp_path / "elsewhere")
    else:
        (tmp_path / "cache" / "kubemerge").rename(tmp_path / "moved")
        (tmp_path / "cache" / "kubemerge").symlink_to(tmp_path / "moved")
    with connect(fake.kubeconfig(tmp_path)) as cluster:
        assert merge_key(cluster) == "name"
    assert len(fake.at(AT)) == 2


def test_a_cache_that_cannot_be_written_is_no_reason_to_fail(
    fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    with_rules(fake)
    with connect(fake.kubeconfig(tmp_path)) as cluster:
        assert merge_key(cluster) == "name"


def test_the_rules_of_an_older_server(cluster: RemoteCluster, fake: Fake) -> None:
    definitions = DOCUMENT["components"]["schemas"]  # type: ignore[index]
    fake.answers["/openapi/v2"] = [Say(body={"swagger": "2.0", "definitions": definitions, "paths": {}})]
    assert merge_key(cluster) == "name"


def test_the_rules_of_the_release_where_the_server_tells_none(cluster: RemoteCluster, fake: Fake) -> None:
    for path in ("/openapi/v3", "/openapi/v2"):
        fake.answers[path] = [status(403, "Forbidden", "no")]
    schema = cluster.schema("apps/v1", "Deployment")
    assert schema is not None
    assert schema.release == "1.37"
    assert cluster.schema("example.com/v1", "Widget") is None


def test_a_definition_of_ours_is_waited_for(cluster: RemoteCluster, fake: Fake, pauses: list[float]) -> None:
    later: Any = {"kind": "APIGroupDiscoveryList", "items": []}
    widget = {"resource": "gadgets", "responseKind": {"kind": "Gadget"}, "scope": "Namespaced", "verbs": ["get"]}
    definitions = {"resource": "customresourcedefinitions", "responseKind": {"kind": "CustomResourceDefinition"}}
    groups = [("apiextensions.k8s.io", {**definitions, "scope": "Cluster"}), ("example.com", widget)]
    items = [{"metadata": {"name": name}, "versions": [{"version": "v1", "resources": [one]}]} for name, one in groups]
    fake.answers["/apis"] = [
        Say(body={**later, "items": items[:1]}),
        Say(body={**later, "items": items[:1]}),
        Say(body={**later, "items": items}),
    ]
    crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    content = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "gadgets.example.com"},
        "spec": {"group": "example.com", "names": {"kind": "Gadget"}},
    }
    fake.answers[crds] = [Say(201, content)]
    cluster.create(content)
    assert cluster.resource("example.com/v1", "Gadget").plural == "gadgets"
    assert pauses == [0.2]


def test_a_hostile_specification_ends_in_one_sentence(cluster: RemoteCluster, fake: Fake) -> None:
    with_rules(fake)
    fake.answers[AT] = [Say(body={"components": {"schemas": {"a": {"type": ["x", 5]}}}})]
    from codegen import SpecError

    with pytest.raises(SpecError) as caught:
        cluster.schema("v1", "Widget")
    assert "\n" not in str(caught.value)


@needs_posix
def test_the_umask_does_not_matter(fake: Fake, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with_rules(fake)
        with connect(fake.kubeconfig(tmp_path)) as cluster:
            merge_key(cluster)
    finally:
        os.umask(before)
    modes = {stat.S_IMODE(one.stat().st_mode) & 0o077 for one in (tmp_path / "cache" / "kubemerge").rglob("*")}
    assert modes == {0}
