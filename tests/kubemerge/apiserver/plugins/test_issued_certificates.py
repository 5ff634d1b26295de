"""A PodCertificateRequest is issued with a certificate that fits it. A server of 1.37 has the same answers."""

from __future__ import annotations

from base64 import b64encode
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

from kubemerge.apiserver.metadata import Origins
from kubemerge.cluster import Invalid, open_cluster

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

    from kubemerge.apiserver.cluster import EmbeddedCluster

x509 = pytest.importorskip("cryptography.x509")
NOW = datetime(2024, 5, 1, 12, tzinfo=timezone.utc)
ISSUED = {
    "type": "Issued",
    "status": "True",
    "reason": "R",
    "message": "m",
    "lastTransitionTime": "2024-05-01T12:00:00Z",
}
GARBAGE = "-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n"


def new_key() -> EllipticCurvePrivateKey:
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.generate_private_key(ec.SECP256R1())


KEY, OTHER = new_key(), new_key()


def certificate(key: EllipticCurvePrivateKey = KEY, start: datetime = NOW, hours: float = 24) -> str:
    from cryptography.hazmat.primitives import hashes, serialization

    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "ca")])
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).serial_number(5)
    made = made.public_key(key.public_key()).not_valid_before(start).not_valid_after(start + timedelta(hours=hours))
    found: str = made.sign(OTHER, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()
    return found


def requested() -> str:
    from cryptography.hazmat.primitives import hashes, serialization

    made = x509.CertificateSigningRequestBuilder().subject_name(x509.Name([])).sign(KEY, hashes.SHA256())
    return b64encode(made.public_bytes(serialization.Encoding.DER)).decode()


def at(minutes: float) -> str:
    return (NOW + timedelta(minutes=minutes)).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.fixture
def cluster() -> Iterator[EmbeddedCluster]:
    with open_cluster(":memory:", origins=Origins(clock=lambda: NOW)) as found:
        yield found


def issued(cluster: EmbeddedCluster, **status: Any) -> str:
    """Issue a certificate, and return the error."""
    spec = {"signerName": "a.example/s", "stubPKCS10Request": requested(), "maxExpirationSeconds": 86400}
    for one in ("pod", "serviceAccount", "node"):
        spec |= {f"{one}Name": "p", f"{one}UID": "u"}
    head = {"apiVersion": "certificates.k8s.io/v1", "kind": "PodCertificateRequest"}
    made = cluster.create({**head, "metadata": {"name": "r", "namespace": "default"}, "spec": spec})
    times = {"notBefore": at(0), "notAfter": at(24 * 60), "beginRefreshAt": at(12 * 60)}
    try:
        cluster.replace(
            {**made, "status": {"conditions": [{**ISSUED, "lastTransitionTime": at(0)}], **times, **status}},
            subresource="status",
        )
    except Invalid as error:
        return str(error)
    return ""


@pytest.mark.parametrize("more", ["", "text", certificate(OTHER)], ids=["alone", "with text", "with another"])
def test_a_certificate_that_fits_is_accepted(more: str, cluster: EmbeddedCluster) -> None:
    assert issued(cluster, certificateChain=certificate() + more) == ""


@pytest.mark.parametrize(
    ("status", "why"),
    [
        ({"certificateChain": certificate(OTHER)}, "leaf certificate was not issued to the requested public key"),
        ({"certificateChain": GARBAGE}, "leaf certificate does not parse as valid X.509"),
        ({"certificateChain": ""}, "issued certificate chain must contain at least one certificate"),
        ({"certificateChain": certificate() + GARBAGE}, "intermediate certificate does not parse as valid X.509"),
        (
            {"certificateChain": certificate() + certificate().replace("CERTIFICATE", "OTHER")},
            "issued certificate chain must consist entirely of CERTFICATE PEM blocks",
        ),
        (
            {"certificateChain": certificate(hours=0.5), "notAfter": at(30), "beginRefreshAt": at(15)},
            "1800000000000: leaf certificate lifetime must be >= 1 hour",
        ),
        (
            {"certificateChain": certificate(hours=48), "notAfter": at(48 * 60)},
            "172800000000000: leaf certificate lifetime must be <= spec.maxExpirationSeconds (86400)",
        ),
        ({"notAfter": at(60)}, "must be set to the NotAfter time encoded in the leaf certificate"),
        ({"notBefore": at(1)}, "must be set to the NotBefore time encoded in the leaf certificate"),
        (
            {"certificateChain": certificate(start=NOW - timedelta(minutes=6)), "notBefore": at(-6)},
            "must be set to within 5 minutes of kube-apiserver's current time",
        ),
        ({"beginRefreshAt": at(9)}, "must be at least 10 minutes after status.notBefore"),
        ({"beginRefreshAt": at(24 * 60 - 9)}, "must be at least 10 minutes before status.notAfter"),
        ({"beginRefreshAt": None}, "must be present and in the range [notbefore+10min, notafter-10min]"),
    ],
)
def test_a_certificate_that_does_not_fit_is_rejected(
    status: dict[str, Any], why: str, cluster: EmbeddedCluster
) -> None:
    assert why in issued(cluster, **{"certificateChain": certificate(), **status})
