"""Verification of a webhook's certificate, with Go's rules and messages."""

from __future__ import annotations

import ipaddress
import re
import ssl
from typing import TYPE_CHECKING, Any

from .calls import CallError

if TYPE_CHECKING:
    from collections.abc import Mapping

BEGINNING = "tls: failed to verify certificate: x509: "
UNKNOWN = "certificate signed by unknown authority"
EXPIRED = (9, 10)
"""OpenSSL's errors for a certificate that is not yet valid, or expired."""
_LABEL = re.compile(r"[A-Za-z0-9_-]+")


def context_for(authorities: bytes) -> ssl.SSLContext:
    """Return the TLS settings that trust these authorities, or those of the system. Names are checked later."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    made.minimum_version = ssl.TLSVersion.TLSv1_2
    made.check_hostname = False
    made.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # Go trusts each certificate of a bundle, not only authorities
    if not authorities.strip():
        made.load_default_certs()
        return made
    try:
        made.load_verify_locations(cadata=authorities.decode("ascii"))
    except (ssl.SSLError, UnicodeDecodeError, ValueError):
        raise CallError("could not get REST client: unable to load root certificates") from None
    return made


def check_name(certificate: Mapping[str, Any], name: str) -> None:
    """Raise CallError for a certificate that is not valid for this host."""
    alternative = certificate.get("subjectAltName") or ()
    names = [value for kind, value in alternative if kind == "DNS"]
    addresses = [value for kind, value in alternative if kind == "IP Address"]
    try:
        wanted = ipaddress.ip_address(name)
    except ValueError:
        _check_host(certificate, names, name, has_names=bool(alternative))
        return
    if not addresses:
        raise CallError(f"{BEGINNING}cannot validate certificate for {name} because it doesn't contain any IP SANs")
    if not any(_address(one) == wanted for one in addresses):
        raise CallError(f"{BEGINNING}certificate is valid for {', '.join(addresses)}, not {name}")


def _address(text: str) -> Any:
    try:
        return ipaddress.ip_address(text.strip())
    except ValueError:
        return None


def _check_host(certificate: Mapping[str, Any], names: list[str], name: str, *, has_names: bool) -> None:
    if any(_matches(one, name) for one in names):
        return
    common = [value for part in certificate.get("subject") or () for kind, value in part if kind == "commonName"]
    if not has_names and any(_LABEL.match(one) for one in common):
        raise CallError(f"{BEGINNING}certificate relies on legacy Common Name field, use SANs instead")
    if not names:
        raise CallError(f"{BEGINNING}certificate is not valid for any names, but wanted to match {name}")
    raise CallError(f"{BEGINNING}certificate is valid for {', '.join(names)}, not {name}")


def _matches(pattern: str, name: str) -> bool:
    """Whether a name in a certificate, which may begin with `*.`, is that of a host."""
    wanted, given = name.lower().rstrip(".").split("."), pattern.lower().rstrip(".").split(".")
    if len(wanted) != len(given) or not all(wanted):
        return False
    return (given[0] in ("*", wanted[0])) and given[1:] == wanted[1:]


def tls_error(error: ssl.SSLError) -> str:
    """Return Go's message for an error of a TLS handshake."""
    if isinstance(error, ssl.SSLCertVerificationError):
        if error.verify_code in EXPIRED:
            return f"{BEGINNING}certificate has expired or is not yet valid"
        return f"{BEGINNING}{UNKNOWN}"
    reason = str(error.reason or "")
    if reason in ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"):
        return "tls: first record does not look like a TLS handshake"
    if "ALERT" in reason:
        return f"remote error: tls: {reason.partition('ALERT_')[2].replace('_', ' ').lower()}"
    if "EOF" in reason:
        return "EOF"
    return f"tls: {reason.replace('_', ' ').lower()}"
