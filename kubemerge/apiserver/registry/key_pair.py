"""A certificate and its private key, checked like `tls.X509KeyPair` of Go, with its messages.

Only the public part of a key is compared, so an Ed25519 key and an EC key without it count as fitting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from . import x509

if TYPE_CHECKING:
    from collections.abc import Sequence

_X25519 = bytes.fromhex("2b656e")
_CURVE_TAG, _PUBLIC_TAG = 0xA0, 0xA1
NOT_PARSED = "tls: failed to parse private key"


class _Key(NamedTuple):
    """A public key, or the public part of a private key."""

    kind: str
    """RSA, ECDSA, Ed25519, X25519, or empty for another algorithm."""
    value: object = None
    """The parts that must be equal. None if they are not known."""


def key_pair_problem(certificate: str, key: str) -> str:
    """Return Go's error for a certificate and a private key in PEM. Empty if they fit."""
    found = [*x509.blocks(certificate)]
    first = next((one for one in found if one.type == "CERTIFICATE"), None)
    if first is None:
        return _no_certificate([one.type for one in found])
    found = [*x509.blocks(key)]
    private = next((one for one in found if _is_private(one.type)), None)
    if private is None:
        return _no_key([one.type for one in found])
    try:
        public = _of_certificate(first.content)
    except (IndexError, ValueError):
        return "x509: malformed certificate"
    if public.kind == "ECDSA" and public.value is None:
        return "x509: unsupported elliptic curve"
    try:
        own = _of_private_key(private.content)
    except (IndexError, ValueError):
        return NOT_PARSED
    return _difference(public, own)


def _is_private(block_type: str) -> bool:
    return block_type == "PRIVATE KEY" or block_type.endswith(" PRIVATE KEY")


def _no_certificate(skipped: Sequence[str]) -> str:
    if not skipped:
        return "tls: failed to find any PEM data in certificate input"
    if len(skipped) == 1 and skipped[0].endswith("PRIVATE KEY"):
        what = "failed to find certificate PEM data in certificate input, but did find a private key"
        return f"tls: {what}; PEM inputs may have been switched"
    what = 'failed to find "CERTIFICATE" PEM block in certificate input'
    return f"tls: {what} after skipping PEM blocks of the following types: [{' '.join(skipped)}]"


def _no_key(skipped: Sequence[str]) -> str:
    if not skipped:
        return "tls: failed to find any PEM data in key input"
    if [*skipped] == ["CERTIFICATE"]:
        return "tls: found a certificate rather than a key in the PEM for the private key"
    what = 'failed to find PEM block with type ending in "PRIVATE KEY" in key input'
    return f"tls: {what} after skipping PEM blocks of the following types: [{' '.join(skipped)}]"


def _difference(public: _Key, own: _Key) -> str:
    if own.kind == "X25519":
        return "tls: found unknown private key type in PKCS#8 wrapping"
    if public.kind not in ("RSA", "ECDSA", "Ed25519"):
        return "tls: unknown public key algorithm"
    if public.kind != own.kind:
        return "tls: private key type does not match public key type"
    fits = own.value is None or public.value == own.value
    return "" if fits else "tls: private key does not match public key"


# ---- public parts ----------------------------------------------------------------------------------------------------


def _of_certificate(content: bytes) -> _Key:
    algorithm, bits = x509.parts(x509.certificate_key(content))[:2]
    name, *params = x509.parts(algorithm.content)
    key = bits.content[1:]  # after the number of unused bits
    if name.content == x509.RSA:
        return _rsa(x509.sequence(key))
    if name.content == x509.ELLIPTIC:
        curve = params[0].content
        return _Key("ECDSA", (curve, key) if curve in x509.CURVES else None)
    return _Key("Ed25519" if name.content == x509.ED25519 else "", key)


def _rsa(numbers: Sequence[x509.DerValue]) -> _Key:
    modulus, exponent = (int.from_bytes(one.content, "big") for one in numbers[:2])
    return _Key("RSA", (modulus, exponent))


def _of_private_key(content: bytes) -> _Key:
    """The key in any of the forms that Go tries: PKCS #1, PKCS #8 and SEC 1."""
    found = x509.sequence(content)
    tags = [one.tag for one in found]
    if tags[:9] == [x509.INTEGER] * 9:
        return _rsa(found[1:])
    if tags[:3] == [x509.INTEGER, x509.SEQUENCE, x509.OCTETS]:
        return _of_pkcs8(found)
    return _of_sec1(found, None)


def _of_pkcs8(found: Sequence[x509.DerValue]) -> _Key:
    name, *params = x509.parts(found[1].content)
    key = found[2].content
    if name.content == x509.RSA:
        return _of_private_key(key)
    if name.content == x509.ELLIPTIC:
        return _of_sec1(x509.sequence(key), params[0].content)
    if name.content == x509.ED25519:
        return _Key("Ed25519")
    if name.content == _X25519:
        return _Key("X25519")
    raise x509.Malformed


def _of_sec1(found: Sequence[x509.DerValue], curve: bytes | None) -> _Key:
    if [one.tag for one in found[:2]] != [x509.INTEGER, x509.OCTETS]:
        raise x509.Malformed
    more = {one.tag: x509.parts(one.content)[0].content for one in found[2:]}
    curve = more.get(_CURVE_TAG, b"") if curve is None else curve
    if curve not in x509.CURVES:
        raise x509.Malformed
    return _Key("ECDSA", (curve, more[_PUBLIC_TAG][1:]) if _PUBLIC_TAG in more else None)
