"""Credentials in addresses: the only module that decides which parts of an address are hidden."""

from __future__ import annotations

HIDDEN = "***"
"""Replaces a password or a token."""

_LOGIN = r"(?<=//)(?:[^\s/?#]*|[^\s/@:]+:(?!\d+[/?#])\S*)@"
"""A user and a password before the host, in any address including a proxy's, and in malformed ones."""
_BARE_LOGIN = r"(?<!\S)[^\s/?#:@]+:[^\s/?#@]+@(?=[\w.\[-])"
"""The same without a scheme, as libraries print a proxy."""
_WORDS = (
    "token|secret|passw|pwd|passphrase|signature|credential|auth|jwt|session|private|ticket"
    "|api[-_.]?key|access[-_.]?key|key[-_.]?id"
)
_PART = r"(?:[\w.\[\]-]|%[0-9A-Fa-f]{2})*"
_VALUE = rf"(?<=[?&;#])({_PART}(?:{_WORDS}){_PART}|sig|key|code|pass|pw|otp|pin|hmac)=[^&;#\s]*[^&;#\s:,.'\")]"
"""A value in a query or fragment with a telltale name: `access_token`, `sig`, `X-Amz-Signature`."""
_LONG = r"(?<=[?&;#])(?!hash=)([^=&;#\s]+)=(?=[^&;#\s]*[0-9])[^&;#\s]{31,}[^&;#\s:,.'\")]"
"""Any other long value with a digit, which may be a credential too; the hash in a server's index is not."""


def without_credentials(text: str) -> str:
    """The text with all passwords and tokens in its addresses hidden."""
    if "://" not in text and "?" not in text:
        return text
    import re  # most texts have no address

    text = re.sub(_LOGIN, f"{HIDDEN}@", text)
    for pattern in (_VALUE, _LONG):
        text = re.sub(pattern, rf"\1={HIDDEN}", text, flags=re.IGNORECASE)
    return text


def without_logins(text: str) -> str:
    """The text of a library's error with addresses or parts of them hidden; hides more than `without_credentials`."""
    import re

    return re.sub(_BARE_LOGIN, f"{HIDDEN}@", without_credentials(text))


def is_complete(address: str) -> bool:
    """True if nothing is hidden in an address, so it can be fetched."""
    return f"{HIDDEN}@" not in address and f"={HIDDEN}" not in address
