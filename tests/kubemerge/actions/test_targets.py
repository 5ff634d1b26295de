"""The objects that a user types."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine import MergeError
from kubemerge.actions.targets import BadWords, NoSuchResource, kind_called, wanted
from kubemerge.cluster import Reference

from ..apiserver.conftest import crontabs

if TYPE_CHECKING:
    from kubemerge.cluster import Cluster

TYPED = {
    "deploy": "apps/v1 Deployment",
    "Deployment": "apps/v1 Deployment",
    "deployments": "apps/v1 Deployment",
    "deployments.apps": "apps/v1 Deployment",
    "deployments.v1.apps": "apps/v1 Deployment",
    "cm": "v1 ConfigMap",
    "events": "v1 Event",
    "ns": "v1 Namespace",
    "hpa": "autoscaling/v2 HorizontalPodAutoscaler",
    "hpa.v1.autoscaling": "autoscaling/v1 HorizontalPodAutoscaler",
    "ip": "networking.k8s.io/v1 IPAddress",
    "crd": "apiextensions.k8s.io/v1 CustomResourceDefinition",
    "crds": "apiextensions.k8s.io/v1 CustomResourceDefinition",
    "crontab-entry": "stable.example.com/v1 CronTab",
    "ct": "stable.example.com/v1 CronTab",
    "crontabs.stable.example.com": "stable.example.com/v1 CronTab",
}


@pytest.mark.parametrize("word", TYPED)
def test_a_kind(cluster: Cluster, word: str) -> None:
    definition = crontabs(names=("v1beta1", "v1"))
    definition["spec"]["names"]["singular"] = "crontab-entry"
    cluster.create(definition)
    found = kind_called(cluster, word)
    assert f"{found.api_version} {found.kind}" == TYPED[word]


def test_a_kind_that_there_is_not(cluster: Cluster) -> None:
    with pytest.raises(NoSuchResource, match='the server doesn\'t have a resource type "deploiments"') as refused:
        kind_called(cluster, "deploiments")
    assert "did you mean deployments" in refused.value.advice
    for word in ("zzzzzz", "", "deployments.batch"):
        with pytest.raises(NoSuchResource):
            kind_called(cluster, word)
    with pytest.raises(NoSuchResource) as refused:
        kind_called(cluster, "zzzzzz")
    assert "CustomResourceDefinition first" in refused.value.advice


WORDS = {
    "deploy web": [("Deployment", "web")],
    "deploy web api": [("Deployment", "web"), ("Deployment", "api")],
    "deploy/web svc/api": [("Deployment", "web"), ("Service", "api")],
    "deploy,svc": [("Deployment", None), ("Service", None)],
    "deploy,svc web": [("Deployment", "web"), ("Service", "web")],
}


@pytest.mark.parametrize("words", WORDS)
def test_words(cluster: Cluster, words: str) -> None:
    assert [(one.resource.kind, one.name) for one in wanted(cluster, words.split())] == WORDS[words]


@pytest.mark.parametrize("words", ["", "deploy/web svc", "deploy svc/web", "deploy/", "/web", "a/b/c"])
def test_words_that_name_nothing(cluster: Cluster, words: str) -> None:
    with pytest.raises((BadWords, MergeError)) as refused:
        wanted(cluster, words.split())
    assert isinstance(refused.value, BadWords)


def test_what_is_meant(cluster: Cluster) -> None:
    (every,), (one,), (space,) = (wanted(cluster, [word]) for word in ("cm", "cm/a", "ns/shop"))
    assert one.reference(None) == Reference("v1", "ConfigMap", "a", "default")
    assert one.reference("shop").namespace == "shop"
    assert space.reference("shop").namespace is None
    assert (one.place, every.place) == ("configmaps/a", "configmaps")
