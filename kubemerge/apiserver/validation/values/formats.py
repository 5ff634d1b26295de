"""Formats of shared texts and numbers: ports, ids, keys, percentages, paths."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...eras import Era
from ...problems import GO_SYNTAX_UNTIL, Problem, invalid, named, required
from ...unchecked import as_number, as_text
from ..names import SUBDOMAIN, USED, subdomain, too_long

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...unchecked import Object

NOT_NEGATIVE = "must be greater than or equal to 0"
POSITIVE = "must be greater than zero"
FIELD_IS_IMMUTABLE = "field is immutable"
_DNS_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?"
_NO_DNS_1035 = (
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, "
    f"and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', {USED} '{_DNS_1035}')"
)
_WILDCARD = rf"\*\.{SUBDOMAIN}"
_NO_WILDCARD = (
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of "
    "lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', "
    f"{USED} '{_WILDCARD}')"
)
_PERCENT = "[0-9]+%"
_NO_PERCENT = (
    "a valid percent string must be a numeric string followed by an ending '%' "
    f"(e.g. '1%',  or '93%', {USED} '{_PERCENT}')"
)
_HEADER = "[-A-Za-z0-9]+"
_STRICT_VARIABLE = "[-._a-zA-Z][-._a-zA-Z0-9]*"
_NO_STRICT_VARIABLE = (
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not "
    f"start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', {USED} '{_STRICT_VARIABLE}')"
)
_CONFIG_KEY = "[-._a-zA-Z0-9]+"
_NO_CONFIG_KEY = (
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' "
    f"(e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', {USED} '{_CONFIG_KEY}')"
)
_UNDERSCORED_LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
_UNDERSCORED = rf"{_UNDERSCORED_LABEL}(\.{_UNDERSCORED_LABEL})*"
_GREATEST_ID = 2**31 - 1
_PORT_NAME, _LETTER = re.compile("[-a-z0-9]+"), re.compile("[a-z]")
_HTTP_PATH = r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+"


def each(at: str, value: Any, rule: Callable[[str], Iterator[str]]) -> Iterator[Problem]:
    """Validate a text with a check, and add the path to its messages."""
    yield from (invalid(at, value, why) for why in rule(as_text(value)))


def dns_1035_label(value: str) -> Iterator[str]:
    """Validate a DNS label that begins with a letter (RFC 1035)."""
    yield from too_long(value, 63, "characters")
    if not re.fullmatch(_DNS_1035, value):
        yield _NO_DNS_1035


def wildcard(value: str) -> Iterator[str]:
    """Validate a wildcard DNS subdomain."""
    yield from too_long(value, 253, "characters")
    if not re.fullmatch(_WILDCARD, value):
        yield _NO_WILDCARD


def percent(value: str) -> Iterator[str]:
    """Validate a percentage."""
    if not re.fullmatch(_PERCENT, value):
        yield _NO_PERCENT


def between(value: int, low: int, high: int) -> Iterator[str]:
    """Validate the bounds of a number."""
    if not low <= value <= high:
        yield f"must be between {low} and {high}, inclusive"


def port_number(value: int) -> Iterator[str]:
    """Validate a port number."""
    return between(value, 1, 65535)


def port_name(value: str) -> Iterator[str]:
    """Validate a port name."""
    yield from too_long(value, 15, "characters")
    if not _PORT_NAME.fullmatch(value):
        yield "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)"
    if not _LETTER.search(value):
        yield "must contain at least one letter (a-z)"
    if "--" in value:
        yield "must not contain consecutive hyphens"
    if value.startswith("-") or value.endswith("-"):
        yield "must not begin or end with a hyphen"


def port(at: str, value: Any) -> Iterator[Problem]:
    """Validate a port number or name. A missing one counts as 0."""
    if isinstance(value, str):
        yield from (invalid(at, value, why) for why in port_name(value))
    else:
        wanted = as_number(value) or 0
        yield from (invalid(at, wanted, why) for why in port_number(wanted))


def user_id(at: str, value: Any) -> Iterator[Problem]:
    """Validate a user or group id."""
    if isinstance(value, int):
        yield from (invalid(at, value, why) for why in between(value, 0, _GREATEST_ID))


def header(value: str) -> Iterator[str]:
    """Validate the name of an HTTP header."""
    if not re.fullmatch(_HEADER, value):
        why = "a valid HTTP header must consist of alphanumeric characters or '-'"
        yield f"{why} (e.g. 'X-Header-Name', regex used for validation is '{_HEADER}')"


def variable(value: str) -> Iterator[str]:
    """Validate the name of an environment variable."""
    if any(not " " <= sign <= "~" or sign == "=" for sign in value):
        yield "a valid environment variable name must consist only of printable ASCII characters other than '='"


def strict_variable(value: str) -> Iterator[str]:
    """Validate the name of an environment variable as releases before 1.32."""
    if not re.fullmatch(_STRICT_VARIABLE, value):
        yield _NO_STRICT_VARIABLE
    yield from dots(value)


def config_key(value: str) -> Iterator[str]:
    """Validate a key of a ConfigMap or Secret."""
    yield from too_long(value, 253, "characters")
    if not re.fullmatch(_CONFIG_KEY, value):
        yield _NO_CONFIG_KEY
    yield from dots(value)


def dots(value: str) -> Iterator[str]:
    """Reject `.`, `..` and names that begin with `..`."""
    if value in (".", ".."):
        yield f"must not be '{value}'"
    elif value.startswith(".."):
        yield "must not start with '..'"


def with_underscores(value: str) -> Iterator[str]:
    """Validate a DNS subdomain that may contain underscores."""
    if len(value) > 253:
        yield "must be no more than 253 characters"
    if not re.fullmatch(_UNDERSCORED, value):
        why = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', "
        bounds = "and must start and end with an alphanumeric character"
        yield f"{why}{bounds} (e.g. 'example.com', regex used for validation is '{_UNDERSCORED}')"


def not_negative(at: str, owner: Object, *fields: str) -> Iterator[Problem]:
    """Reject fields with negative numbers."""
    for field in fields:
        value = as_number(owner.get(field))
        if value is not None and value < 0:
            yield invalid(f"{at}.{field}", value, NOT_NEGATIVE)


def domain_prefixed_path(at: str, value: Any) -> Iterator[Problem]:
    """Validate a path with a domain before it."""
    if not value:
        yield required(at)
        return
    host, _, path = as_text(value).partition("/")
    if not host or not path:
        yield invalid(at, value, 'must be a domain-prefixed path (such as "acme.io/foo")')
        return
    yield from each(at, host, subdomain)
    if not re.fullmatch(_HTTP_PATH, path):
        yield invalid(at, path, f"Invalid path ({USED} '{_HTTP_PATH}')")


def fully_qualified(at: str, value: Any) -> Iterator[Problem]:
    """Validate a DNS name of at least three parts."""
    name = as_text(value)
    if not name:
        yield required(at)
        return
    found = list(subdomain(name))
    if found:
        yield invalid(at, name, ",".join(found))
    elif name.count(".") < 2:
        yield invalid(at, name, "should be a domain with at least three segments separated by dots")


def required_explained(at: str, why: str) -> Iterator[Problem]:
    """Require a field. The message has an explanation until 1.33."""
    yield from Era(until=GO_SYNTAX_UNTIL).limit([required(at, why)])
    yield from Era(GO_SYNTAX_UNTIL + 1).limit([required(at)])


def int_or_percent(at: str, value: Any) -> Iterator[Problem]:
    """Validate a number or a percentage."""
    if isinstance(value, str):
        yield from (invalid(at, named(value), why) for why in percent(value))
    elif as_number(value) is not None and value < 0:
        yield invalid(at, value, NOT_NEGATIVE)


def at_most_all(at: str, value: Any) -> Iterator[Problem]:
    """Reject a percentage above 100."""
    if isinstance(value, str) and re.fullmatch(_PERCENT, value) and int(value[:-1][-18:]) > 100:
        yield invalid(at, value, "must not be greater than 100%")
