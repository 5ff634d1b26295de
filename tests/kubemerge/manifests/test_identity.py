"""Object ids and references."""

from __future__ import annotations

import pytest

from kubemerge.apiserver.identity import ObjectId, Reference
from kubemerge.cluster import Reference as Public

WEB = Reference("apps/v1", "Deployment", "web")


def test_an_object_is_the_same_in_every_version() -> None:
    assert WEB.id == Reference("apps/v1beta1", "Deployment", "web").id
    assert Reference("apps/v1beta1", "Deployment", "web") != WEB, "a request is for one version"


@pytest.mark.parametrize(
    "other",
    [
        Reference("extensions/v1beta1", "Deployment", "web"),
        Reference("apps/v1", "ReplicaSet", "web"),
        Reference("apps/v1", "Deployment", "api"),
        Reference("apps/v1", "Deployment", "web", "shop"),
    ],
)
def test_group_kind_name_and_namespace_tell_objects_apart(other: Reference) -> None:
    assert other.id != WEB.id


def test_no_namespace_counts_as_default() -> None:
    assert WEB.id == Reference("apps/v1", "Deployment", "web", "default").id


def test_an_object_refers_to_itself() -> None:
    content = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a", "namespace": "shop"}, "data": {}}
    found = Reference.of(content)
    assert found == Reference("v1", "Secret", "a", "shop")
    assert found.head == {key: content[key] for key in ("apiVersion", "kind", "metadata")}


def test_it_is_called_as_kubectl_calls_it() -> None:
    assert WEB.id.title == "deployment.apps/web"
    assert ObjectId("", "Pod", "default", "a").title == "pod/a"
    assert WEB.id.group_kind == ("apps", "Deployment")


def test_the_public_name_is_the_same_type() -> None:
    assert Public is Reference
