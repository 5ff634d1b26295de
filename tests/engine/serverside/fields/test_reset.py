"""What a write cannot change, by kind and subresource."""

from __future__ import annotations

import pytest

import engine
from engine.serverside.fields import trees
from engine.serverside.fields.field_set import FieldSet
from engine.serverside.fields.reset import reset_fields, restored


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
def test_reset_fields_are_what_they_were(after: dict, before: dict | None, stored: dict) -> None:  # type: ignore[type-arg]
    assert restored(after, before, RESET) == stored
