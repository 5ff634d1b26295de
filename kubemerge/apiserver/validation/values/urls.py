"""URLs of webhooks."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from ...problems import Problem, invalid, required
from ...text import net_url

if TYPE_CHECKING:
    from collections.abc import Iterator

_FORM = "; desired format: https://host[/path]"


def webhook_url(at: str, url: str) -> Iterator[Problem]:
    """Validate the URL of a webhook for admission or conversion."""
    try:
        parts = net_url.parse(url)
    except net_url.BadUrl as error:
        yield required(at, f"url must be a valid URL: {error}{_FORM}")
        return
    if parts.scheme != "https":
        yield invalid(at, parts.scheme, f"'https' is the only allowed URL scheme{_FORM}")
    if not parts.host:
        yield invalid(at, "", f"host must be specified{_FORM}")
    if parts.user is not None:
        yield invalid(at, parts.printed_user(), "user information is not permitted in the URL")
    if parts.fragment:
        yield invalid(at, unquote(parts.fragment), "fragments are not permitted in the URL")
    if parts.query:
        yield invalid(at, parts.query, "query parameters are not permitted in the URL")
