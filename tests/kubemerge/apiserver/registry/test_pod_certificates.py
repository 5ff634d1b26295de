"""The keys of PodCertificateRequests, as kube-apiserver 1.35 and 1.36 validate them."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.registry.pod_certificates import ONE_KEY, request

ED25519 = "MCowBQYDK2VwAyEALHW2S8gF9E/XXe/F6knNxTzSliUNLg1uvCeZhnA4+q8="
P224 = "ME4wEAYHKoZIzj0CAQYFK4EEACEDOgAEGZkHXujugqh1G1GxJp4NkkP6p0HeFgPRedco0qz2Xm8UgJVjBHtBXzQbF6gz5lhe7fLlRZAJqeg="
SPEC = {
    "signerName": "a.example/b",
    "maxExpirationSeconds": 3600,
    "podName": "p",
    "serviceAccountName": "s",
    "nodeName": "n",
    "podUID": "u",
    "serviceAccountUID": "v",
    "nodeUID": "w",
}
NO_KEY = ("spec.pkixPublicKey", "must be a valid PKIX-serialized public key")


@pytest.mark.parametrize(
    ("minor", "fields", "problems"),
    [
        (35, {"pkixPublicKey": ED25519, "proofOfPossession": "YQ=="}, []),
        (36, {"pkixPublicKey": ED25519, "proofOfPossession": "YQ=="}, []),
        (35, {}, [NO_KEY]),
        (36, {}, [("spec", ONE_KEY)]),
        (35, {"pkixPublicKey": "YQ==", "proofOfPossession": "YQ=="}, [NO_KEY]),
        (
            35,
            {"pkixPublicKey": ED25519},
            [("spec.proofOfPossession", "could not verify proof-of-possession signature")],
        ),
        (36, {"pkixPublicKey": ED25519}, [("spec", ONE_KEY)]),
        (36, {"pkixPublicKey": ED25519, "proofOfPossession": "YQ==", "stubPKCS10Request": "YQ=="}, [("spec", ONE_KEY)]),
        (
            35,
            {"pkixPublicKey": P224, "proofOfPossession": "YQ=="},
            [("spec.pkixPublicKey", "elliptic public keys must use curve P256 or P384")],
        ),
        (
            35,
            {"pkixPublicKey": ED25519, "proofOfPossession": "YWFh" * 4000},
            [("spec.proofOfPossession", "may not be more than 10240 bytes")],
        ),
    ],
)
def test_a_request_has_one_key(minor: int, fields: dict[str, Any], problems: list[tuple[str, str]]) -> None:
    found = request({"spec": {**SPEC, **fields}}, minor)
    assert [(one.path, one.detail) for one in found] == problems
