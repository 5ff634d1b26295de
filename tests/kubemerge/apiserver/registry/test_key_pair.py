"""Certificates with fitting and other keys have the warnings of a real API server."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest

from kubemerge.apiserver.pipeline import server_of
from kubemerge.apiserver.registry.key_pair import key_pair_problem

from ....conftest import read_yaml

RECORDED = read_yaml(Path(__file__).parent / "key_pairs.yaml")


def pem(file: str) -> str:
    """A file, with lines of 64 characters."""
    blocks = RECORDED["files"][file]
    bodies = [(kind, "\n".join(text[at : at + 64] for at in range(0, len(text), 64))) for kind, text in blocks]
    return "".join(f"-----BEGIN {kind}-----\n{body}\n-----END {kind}-----\n" for kind, body in bodies)


@pytest.mark.parametrize(("certificate", "key", "warning"), RECORDED["pairs"])
def test_a_key_pair_has_the_problem_that_go_reports(certificate: str, key: str, warning: str) -> None:
    assert key_pair_problem(pem(certificate), pem(key)) == warning
    assert key_pair_problem(pem(certificate).replace("\n", "\r\n"), pem(key)) == warning


@pytest.mark.parametrize("text", ["", "MHcCAQ==", "-----BEGIN CERTIFICATE-----\nMII=\n", pem("ec.crt")[:-30]])
def test_text_without_a_whole_block_has_no_pem_data(text: str) -> None:
    assert key_pair_problem(text, pem("ec.key")) == "tls: failed to find any PEM data in certificate input"
    assert key_pair_problem(pem("ec.crt"), text) == "tls: failed to find any PEM data in key input"


def test_no_prefix_of_a_certificate_or_key_is_a_crash() -> None:
    for file in ("rsa.crt", "ec.key", "rsatrad.key"):
        (kind, text) = RECORDED["files"][file][0]
        for size in range(0, len(text), 4):
            cut = f"-----BEGIN {kind}-----\n{text[:size]}\n-----END {kind}-----\n"
            problem = (
                key_pair_problem(cut, pem("rsa.key")) if kind == "CERTIFICATE" else key_pair_problem(pem("ec.crt"), cut)
            )
            assert problem


@pytest.mark.parametrize(("release", "warns"), [("1.26", False), ("1.27", True), ("1.37", True)])
def test_servers_warn_of_a_secret_with_the_key_of_another_certificate(release: str, warns: bool) -> None:
    data = {
        name: b64encode(pem(file).encode()).decode() for name, file in (("tls.crt", "ec.crt"), ("tls.key", "ec2.key"))
    }
    secret: dict[str, Any] = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": data}
    answer = server_of(release).check_create({**secret, "type": "kubernetes.io/tls"})
    assert [*answer.warnings] == (["tls: private key does not match public key"] if warns else [])
    assert [*server_of(release).check_create(secret).warnings] == []
