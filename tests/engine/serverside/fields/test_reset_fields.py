"""Reset fields by kind and subresource."""

from __future__ import annotations

import pytest

import engine
from engine.serverside.fields import trees
from engine.serverside.fields.field_set import FieldSet
from engine.serverside.fields.reset_fields import reset_fields, restore_reset_fields

STRATEGIES = {
    "object: status; status: metadata spec": """
        APIService CSINode CompositePodGroup CustomResourceDefinition DeviceTaintRule Eviction
        EvictionRequest FlowSchema PodCertificateRequest PodGroup PriorityLevelConfiguration ResourceClaim
        ResourcePoolStatusRequest ServiceCIDR StorageVersion StorageVersionMigration
        ValidatingAdmissionPolicy VolumeAttachment
    """,
    "object: status; status: spec": """
        CronJob DaemonSet HorizontalPodAutoscaler Ingress Job Node PersistentVolume PersistentVolumeClaim
        PodDisruptionBudget ReplicaSet ReplicationController ResourceQuota Service StatefulSet
    """,
    "object: spec status; approval: spec status.certificate; status: spec status.conditions": """
        CertificateSigningRequest
    """,
    "object: status; status: metadata.labels spec": "Deployment",
    "object: status; finalize: status; status: spec": "Namespace",
    "object: status; status: metadata.deletionTimestamp metadata.ownerReferences spec": "Pod",
}
"""The reset fields of the strategies of Kubernetes 1.37.1, by subresource, and their kinds."""
NOT_STORED = ("Review", "TokenRequest", "Scale", "Status")


@pytest.mark.parametrize("rules", STRATEGIES)
def test_reset_fields_match_the_strategies(rules: str) -> None:
    tables = engine.load("1.37")
    versions = {kind: version for version, kind in tables.kinds() if (version, kind) != ("policy/v1", "Eviction")}
    for kind in STRATEGIES[rules].split():
        schema = tables.schema(versions[kind], kind)
        for rule in rules.split("; "):
            name, _, paths = rule.partition(": ")
            fields = FieldSet(reset_fields(schema, None if name == "object" else name))
            assert [*fields.paths()] == paths.split(), (kind, name)


def test_every_kind_with_a_status_has_strategies() -> None:
    tables = engine.load("1.37")
    known = {kind for kinds in STRATEGIES.values() for kind in kinds.split()}
    with_status = {kind for version, kind in tables.kinds() if "status" in tables.schema(version, kind).type.fields}
    assert {kind for kind in with_status if not kind.endswith(NOT_STORED)} == known


@pytest.mark.parametrize(
    ("api_version", "kind", "subresource", "paths"),
    [
        ("apps/v1", "Deployment", None, ("status",)),
        ("apps/v1", "Deployment", "status", ("metadata.labels", "spec")),
        ("apps/v1", "StatefulSet", "status", ("spec",)),
        ("v1", "ConfigMap", None, ()),
        ("v1", "Namespace", "finalize", ("status",)),
        ("v1", "Pod", "ephemeralcontainers", ()),
        ("certificates.k8s.io/v1", "CertificateSigningRequest", None, ("spec", "status")),
        ("storage.k8s.io/v1", "VolumeAttachment", "status", ("metadata", "spec")),
    ],
)
def test_the_fields_that_a_write_resets(
    api_version: str, kind: str, subresource: str | None, paths: tuple[str, ...]
) -> None:
    schema = engine.load("1.37").schema(api_version, kind)
    assert FieldSet(reset_fields(schema, subresource)).paths() == paths


def test_without_a_schema_there_is_a_status() -> None:
    assert FieldSet(reset_fields(None, None)).paths() == ("status",)


RESET = trees.of_paths([("f:spec",), ("f:metadata", "f:labels")])


@pytest.mark.parametrize(
    ("after", "before", "stored"),
    [
        ({"spec": 1}, {"spec": 2}, {"spec": 2}),
        ({"spec": 1}, None, {}),
        ({}, {"spec": 2}, {"spec": 2}),
        ({"metadata": {"labels": 1, "name": "n"}}, {"metadata": {}}, {"metadata": {"name": "n"}}),
        ({}, {"metadata": {"labels": 1, "name": "n"}}, {"metadata": {"labels": 1}}),
        ({"metadata": {}}, {}, {"metadata": {}}),
        ({"metadata": 5}, {"metadata": 6}, {"metadata": 6}),
        ({}, {"metadata": {"name": "n"}}, {}),
    ],
)
def test_reset_fields_are_restored(after: dict, before: dict | None, stored: dict) -> None:  # type: ignore[type-arg]
    assert restore_reset_fields(after, before, RESET) == stored
