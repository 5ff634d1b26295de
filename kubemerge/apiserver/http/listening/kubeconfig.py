"""The kubeconfig by which clients find a server, and get in."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any

from codegen.files import replace_file

from ...errors import ClusterError

if TYPE_CHECKING:
    from pathlib import Path


NAME = "kubemerge"
MARK = f"current-context: {NAME}\n"
"""A line that every kubeconfig of a served cluster has, and hardly any other."""


class OtherKubeconfig(ClusterError):
    """A file of another writer that is not replaced."""


def kubeconfig(url: str, authority: bytes = b"", token: str | None = None) -> dict[str, Any]:
    """The kubeconfig of a server. Over TLS, kubectl asks for a user name on the terminal unless there is some token."""
    if authority and token is None:
        token = NAME
    cluster: dict[str, Any] = {"server": url}
    if authority:
        cluster["certificate-authority-data"] = base64.b64encode(authority).decode()
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": NAME, "cluster": cluster}],
        "users": [{"name": NAME, "user": {"token": token} if token else {}}],
        "contexts": [{"name": NAME, "context": {"cluster": NAME, "user": NAME, "namespace": "default"}}],
        "current-context": NAME,
    }


def check_place(file: Path) -> None:
    """Refuse a file that is there and was not written by this."""
    if file.is_file():
        try:
            ours = MARK in file.read_text(encoding="utf-8") or not file.stat().st_size
        except (OSError, UnicodeDecodeError):
            ours = False
        if not ours:
            raise OtherKubeconfig(f"{file} is a kubeconfig of other clusters and was not changed. Use another name")


def write(file: Path, content: dict[str, Any]) -> None:
    """Write a kubeconfig that only its owner can read."""
    check_place(file)
    try:
        from ...text.yaml_out import dump  # slow to import, and not everybody writes one

        replace_file(file, dump(content), private=True)
    except OSError as error:
        raise OtherKubeconfig(f"{file} cannot be written ({error.strerror}). Use another name") from None
