"""Parsing URLs, with the errors of Go's `net/url`."""

from __future__ import annotations

import re
from typing import NamedTuple, NoReturn
from urllib.parse import quote, unquote, unquote_to_bytes

from . import netip
from .go_text import quoted


class BadUrl(ValueError):
    """An invalid URL, with Go's error message."""


class Url(NamedTuple):
    """The parts of a URL, as they were written."""

    scheme: str
    user: str | None
    """None without an @."""
    host: str
    """With its port."""
    path: str
    query: str
    fragment: str

    def printed_user(self) -> str | None:
        """The user and the password with the escapes that Go prints."""
        if self.user is None:
            return None
        return ":".join(quote(unquote_to_bytes(part), safe="$&+,;=~") for part in self.user.split(":", 1))


_CONTROL = re.compile(r"[\x00-\x1f\x7f]").search
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):").match
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})").search
_HOST = r"!\"$&'()*+,\-.:;<=>\[\]_~0-9A-Za-z"
_NOT_IN_HOST = re.compile(rf"%[0-9A-Fa-f]{{2}}|[^{_HOST}\x80-\U0010ffff]").finditer
_IN_ZONE = re.compile(rf"[ {_HOST}]").fullmatch
_USER = re.compile(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*").fullmatch
_PORT = re.compile(r"(:[0-9]*)?").fullmatch


def parse(text: str) -> Url:
    """Parse an absolute or relative URL. Raise BadUrl."""
    url, _, fragment = text.partition("#")
    found = _parsed(url, request=False)._replace(fragment=fragment)
    _check_escapes(text, fragment)
    return found


def parse_request(text: str) -> Url:
    """Parse an absolute URL, or an absolute path. Raise BadUrl."""
    return _parsed(text, request=True)


def _parsed(text: str, *, request: bool) -> Url:
    if _CONTROL(text):
        _fail(text, "net/url: invalid control character in URL")
    if not text and request:
        _fail(text, "empty url")
    if text == "*":
        return Url("", None, "", text, "", "")
    if text.startswith(":"):
        _fail(text, "missing protocol scheme")
    found = _SCHEME(text)
    scheme = found[1].lower() if found else ""
    rest, _, query = text[found.end() if found else 0 :].partition("?")
    if not rest.startswith("/"):
        if scheme:
            return Url(scheme, None, "", "", query, "")
        if request:
            _fail(text, "invalid URI for request")
        if ":" in rest.partition("/")[0]:
            _fail(text, "first path segment in URL cannot contain colon")
    authority = ""
    if rest.startswith("//") and (scheme or not (request or rest.startswith("///"))):
        authority, slash, rest = rest[2:].partition("/")
        rest = slash + rest
    before, at, host = authority.rpartition("@")
    _check_host(text, scheme, host)
    if at:
        _check_user(text, before)
    _check_escapes(text, rest)
    return Url(scheme, before if at else None, host, rest, query, "")


def _check_user(text: str, user: str) -> None:
    if not _USER(user):
        _fail(text, "net/url: invalid userinfo")
    for part in user.split(":", 1):
        _check_escapes(text, part)


def _check_host(text: str, scheme: str, host: str) -> None:
    opened = host.rfind("[")
    if opened > 0:
        _fail(text, "invalid IP-literal")
    if opened == 0:
        _check_literal(text, host)
        return
    # Databases may have several hosts with ports.
    at = host.find(":") if scheme in ("http", "https") else host.rfind(":")
    if at >= 0:
        _check_port(text, host[at:])
    _check_name(text, host)


def _check_literal(text: str, host: str) -> None:
    inside, closed, port = host[1:].rpartition("]")
    if not closed:
        _fail(text, "missing ']' in host")
    _check_port(text, port)
    address, percent, zone = inside.partition("%25")
    _check_name(text, address)
    if percent:
        _check_name(text, zone, zone=True)
    try:
        found = netip.address(unquote(f"{address}%25{zone}" if percent else address, errors="surrogateescape"))
    except netip.BadAddress as error:
        _fail(text, f"invalid host: {error}")
    if found.version == 4:
        _fail(text, "invalid IP-literal")


def _check_port(text: str, port: str) -> None:
    if not _PORT(port):
        _fail(text, f"invalid port {quoted(port)} after host")


def _check_name(text: str, name: str, *, zone: bool = False) -> None:
    """In a host, only characters that are not ASCII may be escaped; in a zone, spaces and characters of hosts."""
    for found in _NOT_IN_HOST(name):
        piece = found[0]
        if piece == "%":
            _fail_at_escape(text, name[found.start() :])
        if piece[0] != "%":
            _fail(text, f"invalid character {quoted(piece)} in host name")
        char = chr(int(piece[1:], 16))
        if not (piece == "%25" or (_IN_ZONE(char) if zone else char >= "\x80")):
            _fail_at_escape(text, piece)


def _check_escapes(text: str, part: str) -> None:
    found = _BAD_ESCAPE(part)
    if found:
        _fail_at_escape(text, part[found.start() :])


def _fail_at_escape(text: str, rest: str) -> NoReturn:
    """Go prints three bytes, which may end inside of a character."""
    start = rest.encode()[:3].decode(errors="surrogateescape")
    _fail(text, f"invalid URL escape {quoted(start)}")


def _fail(text: str, why: str) -> NoReturn:
    raise BadUrl(f"parse {quoted(text)}: {why}")
