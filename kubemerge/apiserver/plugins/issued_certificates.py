"""The certificate of a PodCertificateRequest when it is issued."""

from __future__ import annotations

import re
from base64 import b64decode
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from ..decoding import go_times
from ..problems import Problem, invalid, required, too_long
from ..registry.pod_certificates import ended, has_valid_end
from ..registry.x509 import Malformed, blocks, certificate, parts, requested_key
from ..unchecked import as_map, as_number, as_text, get_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from ..registry.x509 import Block, Certificate
    from .context import AdmissionContext

CHAIN, FROM, UNTIL, REFRESH = (
    f"status.{field}" for field in ("certificateChain", "notBefore", "notAfter", "beginRefreshAt")
)
LONGEST_CHAIN, LONGEST = 100 * 1024, "spec.maxExpirationSeconds"
TYPE = "CERTIFICATE"
NEAR, MARGIN, SHORTEST = timedelta(minutes=5), timedelta(minutes=10), timedelta(hours=1)
_EMAIL = re.compile(r"""[^\s<>@,;:\\"\[\]()]+@[^\s<>@,;:\\"()]+|[^<>@]*<[^\s<>@,;:\\"\[\]()]+@[^\s<>@,;:\\"()]+>""")
CONSISTENT = "must be present and consistent with the issued certificate"
IN_RANGE = "must be present and in the range [notbefore+10min, notafter-10min]"


def problems(content: dict[str, Any], context: AdmissionContext) -> Iterator[Problem]:
    """Validate the certificate and the times of a request that is issued by this write. The first problem ends it."""
    live = context.live or {}
    if ended(live) or ended(content) != "Issued" or not has_valid_end(content, live):
        return
    status = as_map(content.get("status"))
    text = as_text(status.get("certificateChain"))
    if len(text.encode()) > LONGEST_CHAIN:
        yield too_long(CHAIN, LONGEST_CHAIN)
        return
    chain = list(blocks(text))
    leaf = _leaf(chain)
    if isinstance(leaf, str):
        yield invalid(CHAIN, text, leaf)
        return
    names = list(_names(leaf))
    yield from names
    if leaf.key != _wanted(live):
        yield invalid(CHAIN, text, "leaf certificate was not issued to the requested public key")
        return
    missing = [
        required(at, why)
        for at, why in ((FROM, CONSISTENT), (UNTIL, CONSISTENT), (REFRESH, IN_RANGE))
        if get_path(content, at) is None
    ]
    yield from missing
    if not (missing or names):
        yield from _first(_times(content, leaf, go_times.parsed(context.now())), _others(text, chain[1:]))


def _first(*several: Iterator[Problem]) -> Iterator[Problem]:
    """The first problem of all."""
    found = next((problem for each in several for problem in each), None)
    if found is not None:
        yield found


def _leaf(chain: list[Block]) -> Certificate | str:
    """The first certificate of a chain, or the reason why there is none."""
    if not chain:
        return "issued certificate chain must contain at least one certificate"
    if chain[0].type != TYPE:
        return "issued certificate chain must consist entirely of CERTIFICATE PEM blocks"
    try:
        return certificate(chain[0].content)
    except Malformed:
        return "leaf certificate does not parse as valid X.509"


def _names(leaf: Certificate) -> Iterator[Problem]:
    for host in leaf.hosts:
        if not host:
            yield invalid(CHAIN, host, "leaf certificate should not contain empty DNSName")
        if ".." in host:
            yield invalid(CHAIN, host, "leaf certificate's DNSName should not contain '..'")
        if host.startswith(".") or host.endswith("."):
            yield invalid(CHAIN, host, "leaf certificate's DNSName should not start or end with '.'")
    for email in leaf.emails:
        if not _EMAIL.fullmatch(email):
            yield invalid(CHAIN, email, "leaf certificate should not contain invalid EmailAddress")


def _wanted(live: dict[str, Any]) -> bytes:
    """The public key of a request in its PKIX form. Empty if an imported request has none."""
    stub, key = (as_text(get_path(live, f"spec.{field}")) for field in ("stubPKCS10Request", "pkixPublicKey"))
    try:
        return requested_key(b64decode(stub)) if stub else parts(b64decode(key))[0].content
    except (ValueError, IndexError):
        return b""


def _times(content: dict[str, Any], leaf: Certificate, now: datetime) -> Iterator[Problem]:
    begins, ends, refresh = (go_times.parsed(as_text(get_path(content, at))) for at in (FROM, UNTIL, REFRESH))
    lasts = leaf.not_after - leaf.not_before
    most = as_number(get_path(content, LONGEST)) or 0
    shown: dict[str, Any] = {at: get_path(content, at) for at in (FROM, UNTIL, REFRESH)}
    shown[CHAIN] = int(lasts.total_seconds()) * 10**9  # as Go prints a duration
    rows = (
        (FROM, begins != leaf.not_before, "must be set to the NotBefore time encoded in the leaf certificate"),
        (FROM, abs(begins - now) > NEAR, "must be set to within 5 minutes of kube-apiserver's current time"),
        (UNTIL, ends != leaf.not_after, "must be set to the NotAfter time encoded in the leaf certificate"),
        (CHAIN, lasts < SHORTEST, "leaf certificate lifetime must be >= 1 hour"),
        (CHAIN, lasts.total_seconds() > most, f"leaf certificate lifetime must be <= {LONGEST} ({most})"),
        (REFRESH, refresh < begins + MARGIN, "must be at least 10 minutes after status.notBefore"),
        (REFRESH, refresh > ends - MARGIN, "must be at least 10 minutes before status.notAfter"),
    )
    for at, is_wrong, why in rows:
        if is_wrong:
            yield invalid(at, shown[at], why)


def _others(text: str, chain: list[Block]) -> Iterator[Problem]:
    for one in chain:
        if one.type != TYPE:
            yield invalid(CHAIN, text, "issued certificate chain must consist entirely of CERTFICATE PEM blocks")
        try:
            certificate(one.content)
        except Malformed:
            yield invalid(CHAIN, text, "intermediate certificate does not parse as valid X.509")
