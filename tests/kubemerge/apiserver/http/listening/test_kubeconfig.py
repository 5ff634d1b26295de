"""The kubeconfig of a served cluster."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.http.listening.kubeconfig import kubeconfig


@pytest.mark.parametrize(
    ("authority", "token", "user"),
    [(b"", None, {}), (b"", "t", {"token": "t"}), (b"ca", "t", {"token": "t"}), (b"ca", None, {"token": "kubemerge"})],
)
def test_kubectl_is_never_left_without_a_user_over_tls(
    authority: bytes, token: str | None, user: dict[str, Any]
) -> None:
    """kubectl would prompt for a user name on the terminal."""
    assert kubeconfig("https://127.0.0.1:6443", authority, token)["users"] == [{"name": "kubemerge", "user": user}]
