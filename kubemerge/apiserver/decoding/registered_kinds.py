"""Objects of another kind than the expected one, which a server cannot decode."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from engine import Tables

SCHEME = "pkg/runtime/scheme.go:111"
"""The name of a server's scheme in messages."""


def wrong_kind(api_version: str, kind: str, expected: tuple[str, str], tables: Tables) -> str:
    """Return the error for an object of another kind. `expected` is the apiVersion and kind of the request."""
    if (api_version, kind) not in tables:
        return f'no kind "{kind}" is registered for version "{api_version}" in scheme "{SCHEME}"'
    group = expected[0].rpartition("/")[0].partition(".")[0] or "core"
    return f"converting ({api_version.rpartition('/')[2]}.{kind}) to ({group}.{expected[1]}): unknown conversion"
