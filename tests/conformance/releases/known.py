"""Differences that are known, with their reasons: between our results and recorded ones, and between two releases."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from tests.kubemerge.apiserver.releases.test_fates import LISTED


class Known(NamedTuple):
    """Cases whose result differs in some releases, with the reason."""

    name: str
    """The beginning of the names of the cases."""
    first: int
    last: int
    """The first and the last minor release."""
    reason: str


STRICT_GO = "built with a newer Go, which rejects leading zeros in addresses"
DRY_RUN = "a dry run draws no second address"
NULLS = "the status has nulls and zeros"
TOPOLOGY = "nodeName was also printed as topology"
NO_GATE = "the field of the status was behind a feature gate"
NAMES = "fields had other names in errors"
KNOWN = (
    *(Known(name, 20, 22, STRICT_GO) for name in ("Pod 31 ", "warnings of Services 2", "warnings of Services 6")),
    *(Known(f"warnings of other kinds {number}", 20, 22, STRICT_GO) for number in (10, 13, 16)),
    *(Known(name, 20, 22, DRY_RUN) for name in ("v1 Service", "warnings of Services", "gated Services")),
    *(Known(f"autoscal{name}", 20, 22, NULLS) for name in ("ing/v2beta2", "ers 0", "ers 5", "ers 11")),
    Known("gated autoscalers 3", 20, 22, NULLS),
    *(Known(f"gated policies {number}", 21, 21, NULLS) for number in (3, 4)),
    *(Known(f"networking.k8s.io/{version} IngressClass b", 21, 21, NULLS) for version in ("v1", "v1beta1")),
    Known("discovery.k8s.io/v1beta1 EndpointSlice a", 20, 24, TOPOLOGY),
    *(Known(name, 22, 22, NO_GATE) for name in ("apps/v1 StatefulSet", "workload names with dots 5", "checks ")),
    *(Known(name, 22, 22, NO_GATE) for name in ("warnings of workloads ", "updates ", "values of selectors 3")),
    *(Known(name, 20, 24, NAMES) for name in ("v1 Event", "updates 26", "policies for Pods, until 1.24 4")),
    Known("apiextensions.k8s.io/v1beta1 CustomResourceDefinition a", 20, 21, "more is rejected"),
    *(Known(f"updates {number}", 20, 20, "the whole object was immutable") for number in (6, 7)),
    Known("warnings of Services 10", 22, 23, "internalTrafficPolicy had a default for external names"),
    Known("updates 20", 29, 31, "the change of the QoS class was reported, too"),
)


def is_known(name: str, release: str) -> bool:
    minor = int(release.partition(".")[2])
    return any(name.startswith(one.name) and one.first <= minor <= one.last for one in KNOWN)


CREDENTIALS = "/spec/extra/authentication.kubernetes.io/credential-id"
"""A field with the credentials of the client that recorded the responses."""
IN_UPGRADES = {
    "warnings of Services 10": "a field that has no meaning for external names; servers of 1.23 gave it a default",
    "discovery.k8s.io/v1beta1 EndpointSlice a": TOPOLOGY,
}
"""Objects that servers of two releases store differently for a reason that is known."""
NULL_INSIDE = "one of the releases prints a null inside"
FIELDS_IN_UPGRADES = {
    ("batch/v1 CronJob", "spec.jobTemplate.spec.podFailurePolicy.rules"): NULL_INSIDE,
    ("batch/v1 Job", "spec.podFailurePolicy.rules"): NULL_INSIDE,
    ("networking.k8s.io/v1 IngressClass", "spec.parameters"): NULL_INSIDE,
    ("networking.k8s.io/v1beta1 IngressClass", "spec.parameters"): NULL_INSIDE,
}
"""The same for objects that set one field."""


@cache
def known_fields(release: str) -> frozenset[tuple[str, str]]:
    """The fields whose fate on our own server of a release is known to differ."""
    return frozenset((kind, place) for kind, places in LISTED.get(release, {}).items() for place in places)


def is_known_in_upgrade(name: str, old: str, new: str) -> bool:
    """Whether the object differs for a known reason."""
    strict = [one for one in KNOWN if one.reason == STRICT_GO and name.startswith(one.name)]
    minors = [int(release.partition(".")[2]) for release in (old, new)]
    return name in IN_UPGRADES or any(one.first <= minor <= one.last for one in strict for minor in minors)


def is_known_field_in_upgrade(key: tuple[str, str], old: str, new: str) -> bool:
    """Whether the field differs for a known reason."""
    return key in FIELDS_IN_UPGRADES or key in known_fields(old) or key in known_fields(new)
