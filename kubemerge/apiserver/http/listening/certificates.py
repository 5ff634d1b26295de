"""A self-signed certificate for a server without one, valid for this machine and the life of the server."""

from __future__ import annotations

import ipaddress
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

from .errors import CannotServe

if TYPE_CHECKING:
    from cryptography.x509 import GeneralName

MISSING = "the package cryptography is required to create a certificate. Run `pip install 'kubemerge[serve]'`"
LASTS = timedelta(days=365)


def self_signed(host: str) -> tuple[bytes, bytes]:
    """Return a new self-signed certificate for a host, and its key, both in PEM."""
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError:
        raise CannotServe(MISSING) from None
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "kubemerge")])
    now = datetime.now(timezone.utc)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(minutes=5))
        .not_valid_after(now + LASTS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(x509.SubjectAlternativeName(_names(host)), critical=False)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return certificate.public_bytes(serialization.Encoding.PEM), private


def _names(host: str) -> list[GeneralName]:
    from cryptography import x509

    names: list[GeneralName] = [x509.DNSName("localhost")]
    addresses = {"127.0.0.1", "::1"}
    try:
        addresses.add(str(ipaddress.ip_address(host)))
    except ValueError:
        names.append(x509.DNSName(host))
    return [*names, *(x509.IPAddress(ipaddress.ip_address(one)) for one in sorted(addresses))]
