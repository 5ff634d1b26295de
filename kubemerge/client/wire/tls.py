"""TLS: trusted authorities and client certificates. No key is written to a disk."""

from __future__ import annotations

import os
import ssl
from contextlib import contextmanager
from typing import TYPE_CHECKING

from codegen.files import scratch_file

from ...apiserver.errors import ConnectError
from ..access.credentials import bytes_of
from ..access.errors import BadKubeconfig

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..access.credentials import ClientCertificate
    from ..access.kubeconfig import Access


def context_of(access: Access, pair: ClientCertificate | None) -> ssl.SSLContext:
    """Return the context of all connections to a server."""
    insecure = bool(access.cluster.get("insecure-skip-tls-verify"))
    authority = bytes_of(access.cluster, "certificate-authority", access)
    if insecure and authority:
        raise BadKubeconfig(
            access.place,
            f"the cluster of the context {access.context!r} has both a certificate-authority and "
            "insecure-skip-tls-verify. Remove one of them",
        )
    found = ssl.create_default_context(cadata=_text(authority, access) if authority else None)
    if hasattr(ssl, "VERIFY_X509_STRICT"):
        found.verify_flags &= ~ssl.VERIFY_X509_STRICT  # kubectl accepts authorities without key identifiers
    if insecure:
        found.check_hostname = False
        found.verify_mode = ssl.CERT_NONE
    if pair is not None:
        _show(found, pair, access)
    return found


def _text(authority: bytes, access: Access) -> str:
    try:
        text = authority.decode("ascii")
        ssl.create_default_context(cadata=text)
    except (UnicodeDecodeError, ssl.SSLError, ValueError):
        raise BadKubeconfig(
            access.place, f"the certificate-authority of the context {access.context!r} is not a PEM certificate"
        ) from None
    return text


def _show(found: ssl.SSLContext, pair: ClientCertificate, access: Access) -> None:
    """Load a client certificate. `ssl` only reads files, so they are in memory."""

    def no_password() -> str:
        raise ConnectError(
            f"the client key of the user {access.user_name!r} has a password, which kubectl does not support either"
        )

    with _as_file(pair.certificate + b"\n" + pair.key) as file:
        try:
            found.load_cert_chain(file, password=no_password)
        except (ssl.SSLError, OSError):
            raise BadKubeconfig(
                access.place,
                f"the client certificate and key of the user {access.user_name!r} are not a PEM pair",
            ) from None


@contextmanager
def _as_file(data: bytes) -> Iterator[str]:
    """The name of a file with these bytes: in memory where the system supports it, else one that only the user can
    read.
    """
    if hasattr(os, "memfd_create"):
        handle = os.memfd_create("kubemerge", os.MFD_CLOEXEC)
        try:
            os.write(handle, data)
            yield f"/proc/self/fd/{handle}"
        finally:
            os.close(handle)
        return
    with scratch_file("kubemerge-") as file:
        file.write(data)
        yield file.name
