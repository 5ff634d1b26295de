"""Checks of objects that have become stricter, one row for each, with a reference."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ..apiserver.problems import body

if TYPE_CHECKING:
    from ..apiserver.problems import Problem


class Stricter(NamedTuple):
    """A problem that newer servers report. Older ones accept the object."""

    since: str
    path: re.Pattern[str]
    words: re.Pattern[str]
    """A pattern for the value and the detail."""
    source: str
    but_for: tuple[str, ...] = ()
    """Kinds that always had this check."""


_PICKED = r"spec.*\.(podAffinity|podAntiAffinity|podSelector|namespaceSelector)|^spec\.selector\.match"
_ADDRESS = (
    r"must not have leading 0s|must not (be|have) an IPv4-mapped IPv6 address|"
    r"must not have bits set beyond the prefix length"
)
_ANY = re.compile("")
STRICTER = (
    Stricter("1.29", re.compile(r"^spec\.schedule$"), re.compile(r"\bTZ\b"), "changelog of 1.29"),
    Stricter("1.27", re.compile(r"topologySpreadConstraints.*labelSelector"), _ANY, "changelog of 1.27"),
    Stricter("1.26", re.compile(_PICKED), re.compile("a valid label"), "changelog of 1.26"),
    Stricter(
        "1.30",
        re.compile("procMount$"),
        re.compile("hostUsers"),
        "validation of 1.30, which 1.27 does not have",
    ),
    Stricter(
        "1.36",
        _ANY,
        re.compile(_ADDRESS),
        "the gate StrictIPCIDRValidation, which is on by default since 1.36",
        ("IPAddress", "ServiceCIDR"),
    ),
    Stricter(
        "1.37",
        re.compile(r"template\.spec\.volumes\[[0-9]+\]\.image\.reference$"),
        re.compile("^Required"),
        "changelog of 1.37",
    ),
)
"""Checks that have become stricter. The newest server rejects all other problems, and older ones possibly do."""


def stricter_since(kind: str, problem: Problem) -> Stricter | None:
    """The check that was made stricter and reports this problem. None if it is unknown."""
    words = body(problem)
    found = (one for one in STRICTER if one.path.search(problem.path) and one.words.search(words))
    return next((one for one in found if kind not in one.but_for), None)
