"""Checks of objects that have become stricter, one row for each, with where it is stated."""

from __future__ import annotations

import re
from typing import NamedTuple


class Stricter(NamedTuple):
    """Words of the newest server that older ones do not say, because they take the object."""

    since: str
    words: re.Pattern[str]
    source: str
    but_for: tuple[str, ...] = ()
    """Kinds that were checked so from the beginning."""


_PICKED = r"spec[^:]*\.(podAffinity|podAntiAffinity|podSelector|namespaceSelector)[^:]*|^spec\.selector\.match"
_ADDRESS = (
    r"must not have leading 0s|must not (be|have) an IPv4-mapped IPv6 address|"
    r"must not have bits set beyond the prefix length"
)
STRICTER = (
    Stricter("1.29", re.compile(r"^spec\.schedule: .*\bTZ\b"), "changelog of 1.29"),
    Stricter("1.27", re.compile(r"topologySpreadConstraints[^:]*labelSelector[^:]*: "), "changelog of 1.27"),
    Stricter("1.26", re.compile(rf"(?:{_PICKED}).*a valid label"), "changelog of 1.26"),
    Stricter("1.30", re.compile(r"procMount: .*hostUsers"), "validation of 1.30, which that of 1.27 does not have"),
    Stricter(
        "1.36",
        re.compile(_ADDRESS),
        "the gate StrictIPCIDRValidation, which is on by default since 1.36",
        ("IPAddress", "ServiceCIDR"),
    ),
    Stricter("1.37", re.compile(r"template\.spec\.volumes\[[0-9]+\]\.image\.reference: Required"), "changelog of 1.37"),
)
"""Checks that have become stricter. What is not in it is refused by the newest server, and by others perhaps."""


def stricter_since(kind: str, words: str) -> Stricter | None:
    """Since when servers refuse an object with these words; None if that is not known."""
    return next((one for one in STRICTER if one.words.search(words) and kind not in one.but_for), None)
