"""Certificates and certificate requests of several algorithms, made with openssl."""

from __future__ import annotations

from base64 import b64decode, b64encode

import pytest

from kubemerge.apiserver.registry import x509

RSA = (
    "MIIBSzCBtQIBADAMMQowCAYDVQQDDAF5MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDzeefS1iceAc//ILZrej+RyU/z4i9v"
    "KOUuJi8x2fwaTgA6ds4FLI+EARDVwIUuDa4ukU0m1RZ5wIFoDhYfCXcIM0FhPq1fRkJMg9H+3KDAr2l6EYI8QY8+nDEvdhHrTRZZ"
    "W5rsSvxIwNNjJqe0GROFGgMf2I03QQlzdz0nsBvQEwIDAQABoAAwDQYJKoZIhvcNAQELBQADgYEAYDqK/HabLy3+LKEMLSQxRPgs"
    "vCeardJKO47w1X+K63r3sHPylnVMBPq774rWQgsRQvlFG0mXfPvNTvdveVyJp4x4hypZmW2wuf6lRhw+MlIMEbq352D3grkRyEEE"
    "5NlTf4lCNVdroQtu5eJ2hDpBzqEN3nLQDWRm6SYhIUimQLA="
)
ED = (
    "MH8wMwIBADAAMCowBQYDK2VwAyEAxmUtnXrwIgKOaQxqLVXxF8A6U83Jpxph1zkKoKTNidmgADAFBgMrZXADQQDMBt6Yd1Nzrotj"
    "MqT7teAM8LIkYa3Y/hhGtNus1xW56vQFcGu3EPL+qbDI2GIr0khmsAFHv9Y6Y6typr+mxj4J"
)
P224 = (
    "MIGoMFcCAQAwADBOMBAGByqGSM49AgEGBSuBBAAhAzoABBmZB17o7oKodRtRsSaeDZJD+qdB3hYD0XnXKNKs9l5vFICVYwR7QV80"
    "GxeoM+ZYXu3y5UWQCanooAAwCgYIKoZIzj0EAwIDQQAwPgIdAP8U0icK/SMkizzo0ehzVrOZ/GvBXMZAPthWZSECHQCjcoQY9eBV"
    "aPe+0pVOQByhpCbJHVByXYcInn2p"
)
P256 = (
    "MIG7MGICAQAwADBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABFsJB7Pn2K9X1jI7MTdWvu647BypPUZFXDdTAhGIAf6TXo/V1+mk"
    "zy7m978649Aw0A7HMt8rENU5DgXT7IXNF22gADAKBggqhkjOPQQDAgNJADBGAiEA3bkfuU4PXOCJSIWZ8QUfXw+bN5ureg/f86tx"
    "/kj2HMgCIQDZ6x0bIpa9smzxUklErKGWV3y4UinD6yYhjg9n+jIFmQ=="
)
LEAF = (
    "MIIBETCBxKADAgECAhROwVNHYWRP1Fuwe5HKigl6qe9kmTAFBgMrZXAwADAeFw0yNjExMjQxMjA2MTNaFw0yNjEyMDMxMjA2MTNa"
    "MAAwKjAFBgMrZXADIQDGZS2devAiAo5pDGotVfEXwDpTzcmnGmHXOQqgpM2J2aNQME4wHQYDVR0OBBYEFEQUT+uHSCXv/Y5YBJeh"
    "TLzCSLNSMB8GA1UdIwQYMBaAFEQUT+uHSCXv/Y5YBJehTLzCSLNSMAwGA1UdEwEB/wQCMAAwBQYDK2VwA0EApbOM43fogNKOCikR"
    "tFk4clzkXj1kwLPlFFZwOC86xFx8SO18mudXF+f98GlXihGRZ7v61HSjjfae2MbNyd+gDA=="
)
CA = (
    "MIIBFDCBx6ADAgECAhRYvNcn4BGLmhyLAZYECXYRxFwmcjAFBgMrZXAwADAeFw0yNjExMjQxMjA2MTNaFw0yNjEyMDMxMjA2MTNa"
    "MAAwKjAFBgMrZXADIQDGZS2devAiAo5pDGotVfEXwDpTzcmnGmHXOQqgpM2J2aNTMFEwHQYDVR0OBBYEFEQUT+uHSCXv/Y5YBJeh"
    "TLzCSLNSMB8GA1UdIwQYMBaAFEQUT+uHSCXv/Y5YBJehTLzCSLNSMA8GA1UdEwEB/wQFMAMBAf8wBQYDK2VwA0EAgpn7pHNuORqJ"
    "jEcTTOhR0zxYPyLwzPqyEvqoozdTRJlks68KswzuyQp0MxyYHLD5r/i7amz7lgxu6Wo7jhfIBQ=="
)


@pytest.mark.parametrize(
    ("request_", "key"),
    [
        (RSA, x509.PublicKey("RSA", 1024)),
        (ED, x509.PublicKey("Ed25519")),
        (P224, x509.PublicKey("ECDSA", curve="P-224")),
        (P256, x509.PublicKey("ECDSA", curve="P-256")),
    ],
)
def test_the_key_of_a_request_is_read(request_: str, key: x509.PublicKey) -> None:
    assert x509.request_key(b64decode(request_)) == key


def test_an_authority_is_known_by_its_basic_constraints() -> None:
    assert x509.is_authority(b64decode(CA))
    assert not x509.is_authority(b64decode(LEAF))


def test_whatever_is_cut_or_changed_in_its_structure_is_malformed() -> None:
    whole = b64decode(P256)
    for content in (
        *(whole[:size] for size in range(0, len(whole), 7)),
        b"\x30" + whole,
        whole + b"\x00",
        b64decode(CA),
    ):
        with pytest.raises(x509.Malformed):
            x509.request_key(content)
    for content in (b"", b"\x30\x84\xff\xff\xff\xff", b"\x30\x80", b"\x30\x81\x01\x00", whole):
        with pytest.raises(x509.Malformed):
            x509.is_authority(content)


def _pem(type_: str, content: str, head: str = "") -> str:
    return f"-----BEGIN {type_}-----\n{head}{b64encode(b64decode(content)).decode()}\n-----END {type_}-----\n"


def test_blocks_are_found_between_other_text() -> None:
    text = f"x\n{_pem('CERTIFICATE', CA)}y\n{_pem('A B', ED, 'k: v')}-----BEGIN C-----\n!\n-----END C-----\n"
    found = list(x509.blocks(text))
    assert [(one.type, one.headers) for one in found] == [("CERTIFICATE", False), ("A B", True)]
    assert found[0].content == b64decode(CA)
    assert list(x509.blocks("-----BEGIN CERTIFICATE REQUEST-----\n")) == []
