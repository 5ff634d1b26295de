"""Passwords and tokens in addresses: the one place that knows which parts of an address nobody may see."""

from __future__ import annotations

HIDDEN = "***"
"""What stands for a password or a token."""

_LOGIN = r"(?<=//)(?:[^\s/?#]*|[^\s/@:]+:(?!\d+[/?#])\S*)@"
"""A user and a password before the host, in any address, also that of a proxy, and also where it is badly written."""
_BARE_LOGIN = r"(?<!\S)[^\s/?#:@]+:[^\s/?#@]+@(?=[\w.\[-])"
"""The same without a scheme, as libraries name a proxy."""
_WORDS = (
    "token|secret|passw|pwd|passphrase|signature|credential|auth|jwt|session|private|ticket"
    "|api[-_.]?key|access[-_.]?key|key[-_.]?id"
)
_PART = r"(?:[\w.\[\]-]|%[0-9A-Fa-f]{2})*"
_VALUE = rf"(?<=[?&;#])({_PART}(?:{_WORDS}){_PART}|sig|key|code|pass|pw|otp|pin|hmac)=[^&;#\s]*[^&;#\s:,.'\")]"
"""A value in a query or fragment whose name says what it is: `access_token`, `sig`, `X-Amz-Signature`."""
_LONG = r"(?<=[?&;#])(?!hash=)([^=&;#\s]+)=(?=[^&;#\s]*[0-9])[^&;#\s]{31,}[^&;#\s:,.'\")]"
"""Any other long value with a digit may be one as well; the hash in the index of a server is not."""


def without_credentials(text: str) -> str:
    """The text with the passwords and tokens of all addresses in it hidden."""
    if "://" not in text and "?" not in text:
        return text
    import re  # most texts have no address

    text = re.sub(_LOGIN, f"{HIDDEN}@", text)
    for pattern in (_VALUE, _LONG):
        text = re.sub(pattern, rf"\1={HIDDEN}", text, flags=re.IGNORECASE)
    return text


def without_logins(text: str) -> str:
    """What a library says of an address, which may be a part of one; hides more than `without_credentials`."""
    import re

    return re.sub(_BARE_LOGIN, f"{HIDDEN}@", without_credentials(text))


def is_complete(address: str) -> bool:
    """Whether nothing is hidden in an address, so that it can be fetched."""
    return f"{HIDDEN}@" not in address and f"={HIDDEN}" not in address
