"""The kinds that are compared, and which of them share a batch."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import codegen
import engine

from ..kinds.bodies import Body, bodies
from ..ownership.real.kinds import CRDS, RELEASE, Kind, kinds

if TYPE_CHECKING:
    from random import Random

    from engine.tables.schema import Schema

LEFT_OUT = {
    "APIService": "the server asks its backend, so every later request for discovery takes longer or fails",
    "PodCertificateRequest": "the server compares the object with the user who creates it",
    "CertificateSigningRequest": "the server writes the user of each request into the object",
}
"""Kinds that are not compared, with the reasons."""
APART = frozenset(
    {
        *("LimitRange", "ResourceQuota", "PriorityClass", "StorageClass", "IngressClass", "RuntimeClass"),
        *("VolumeAttributesClass", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"),
        *("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding", "MutatingAdmissionPolicy"),
        *("MutatingAdmissionPolicyBinding", "CustomResourceDefinition", "DeviceClass"),
    }
)
"""Kinds whose objects affect others on the server. They have separate batches."""


@cache
def subjects() -> dict[tuple[str, str], list[tuple[Kind, list[str]]]]:
    """Example objects of the release by apiVersion and kind, each with its allowed names, if not any name is."""
    found: dict[tuple[str, str], list[tuple[Kind, list[str]]]] = {}
    for kind in kinds():
        for version in (kind.apiVersion, *kind.also):
            found.setdefault((version, kind.kind), []).append((kind, []))
    for body in bodies():
        key = (body.apiVersion, body.kind)
        found.setdefault(key, []).append((_kind_of(body), body.names))
    return {key: entries for key, entries in found.items() if key[1] not in LEFT_OUT and key in tables()}


def _kind_of(body: Body) -> Kind:
    return Kind(body.apiVersion, body.kind, body.plural, body.a, body.b, body.status, cluster=body.cluster)


def chosen(random: Random, *, apart: bool, only: str = "") -> tuple[str, Kind, list[str]]:
    """An apiVersion, a kind with two example objects, and its allowed names."""
    wanted = [one for one in only.split(",") if one]
    keys = [key for key in subjects() if (key[1] in wanted if wanted else (key[1] in APART) == apart)]
    key = random.choice(keys)
    return key[0], *random.choice(subjects()[key])


@cache
def tables() -> engine.Tables:
    """The tables of the release with the custom kinds."""
    return engine.load(RELEASE).overlay(codegen.read(str(CRDS)))


@cache
def schema_of(version: str, kind: str) -> Schema:
    """The merge rules of a kind."""
    return tables().schema(version, kind)
