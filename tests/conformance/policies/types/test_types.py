"""The embedded cluster sets the status of policies like a real kube-controller-manager."""

from __future__ import annotations

from kubemerge.cluster import Reference, open_cluster

from .policies import API, KIND, comparable, definitions, policies, recorded

LEAST = 54


def test_policies_have_the_recorded_warnings() -> None:
    known, differing = recorded(), {}
    with open_cluster(":memory:") as cluster:
        for one in [*definitions(), *policies()]:
            cluster.create(one)
        for one in policies():
            name = one["metadata"]["name"]
            mine = comparable(cluster.get(Reference(API, KIND, name, None)))
            if mine != known[name]:
                differing[name] = (mine, known[name])
    assert differing == {}


def test_there_are_as_many_policies_as_before() -> None:
    assert len(recorded()) >= LEAST
