"""Functions of semantic versions and named formats."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...crd.definitions.names import label_1035
from ...schemas import formats
from ...text import net_url
from ...text.go_text import quoted
from ...validation import names
from ..values import CelError, NoOverload, Optional

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_NUMBER = r"(0|[1-9][0-9]*)"
_WORD = r"[0-9A-Za-z-]+"
_FORM = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}(?:-({_WORD}(?:\.{_WORD})*))?(?:\+({_WORD}(?:\.{_WORD})*))?")


@dataclass(frozen=True)
class Semver:
    """A semantic version."""

    numbers: tuple[int, int, int]
    pre: tuple[str, ...]
    kind = "kubernetes.Semver"

    def order(self) -> tuple[Any, ...]:
        """The sort key: a release comes after its pre-releases, numbers before words."""
        words = [(0, int(one), "") if one.isdecimal() else (1, 0, one) for one in self.pre]
        return (self.numbers, not self.pre, words)


@dataclass(frozen=True)
class Format:
    """A named format."""

    name: str
    kind = "kubernetes.NamedFormat"


def _semver(value: Any, normalize: bool = False) -> Semver:
    if not isinstance(value, str) or not isinstance(normalize, bool):
        raise NoOverload
    text = _normalized(value) if normalize else value
    found = _FORM.fullmatch(text)
    pre = tuple(found[4].split(".")) if found is not None and found[4] else ()
    if found is None or any(one.isdecimal() and len(one) > 1 and one[0] == "0" for one in pre):
        raise CelError(_why_not(text))
    return Semver((int(found[1]), int(found[2]), int(found[3])), pre)


def _why_not(text: str) -> str:
    if not text:
        return "Version string empty"
    parts = text.split(".", 2)
    if len(parts) != 3:
        return "No Major.Minor.Patch elements found"
    for name, part in zip(("major", "minor", "patch"), parts, strict=False):
        number = re.split("[-+]", part)[0] if name == "patch" else part
        if not number.isdecimal():
            return f"Invalid character(s) found in {name} number {quoted(number)}"
        if len(number) > 1 and number[0] == "0":
            return f'{name.capitalize()} number must not contain leading zeroes "{number}"'
    release = text.partition("+")[0]
    _, dash, pre = release.partition("-")
    before = pre.split(".")
    if dash and "" in before:
        return "Prerelease is empty"
    bad = next((one for one in before if not re.fullmatch("0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*", one)), "")
    if bad.isdecimal():
        return f'Numeric PreRelease version must not contain leading zeroes "{bad}"'
    return f'Invalid character(s) found in prerelease "{bad}"'


def _normalized(text: str) -> str:
    parts = text.removeprefix("v").split(".", 2)
    for place, part in enumerate(parts):
        if len(part) > 1:
            short = part.lstrip("0")
            parts[place] = short if short[:1].isdecimal() else f"0{short}"
    if len(parts) < 3:
        if re.search("[-+]", parts[-1]):
            raise CelError("short version cannot contain PreRelease/Build meta data")
        parts += ["0"] * (3 - len(parts))
    return ".".join(parts)


def _is_semver(value: Any, normalize: bool = False) -> bool:
    if not isinstance(value, str):
        raise NoOverload
    try:
        _semver(value, normalize)
    except CelError:
        return False
    return True


def _compared(left: Semver, right: Semver) -> int:
    one, other = left.order(), right.order()
    return (one > other) - (one < other)


# ---- formats ---------------------------------------------------------------------------------------------------------


def _prefix(check: Callable[[str], Iterable[str]]) -> Callable[[str], Iterable[str]]:
    """The check of a prefix: the server replaces the last two characters of one that ends with a dash by `a`."""
    return lambda text: check(f"{text[:-2]}a" if len(text) > 1 and text.endswith("-") else text)


def _has_format(name: str, why: str) -> Callable[[str], Iterable[str]]:
    return lambda text: () if formats.has_format(text, name) else (why,)


def _uri(text: str) -> Iterable[str]:
    try:
        net_url.parse_request(text)
    except net_url.BadUrl as error:
        return (str(error),)
    return ()


NAMED: dict[str, Callable[[str], Iterable[str]]] = {
    "dns1123Label": names.label,
    "dns1123Subdomain": names.subdomain,
    "dns1035Label": label_1035,
    "qualifiedName": names.key,
    "dns1123LabelPrefix": _prefix(names.label),
    "dns1123SubdomainPrefix": _prefix(names.subdomain),
    "dns1035LabelPrefix": _prefix(label_1035),
    "labelValue": names.label_value,
    "uri": _uri,
    "uuid": _has_format("uuid", "does not match the UUID format"),
    "byte": _has_format("byte", "invalid base64"),
    "date": _has_format("date", "invalid date"),
    "datetime": _has_format("datetime", "invalid datetime"),
}


def _validate(of: Any, text: Any) -> Optional:
    if not isinstance(of, Format) or not isinstance(text, str):
        raise NoOverload
    found = [*NAMED[of.name](text)]
    return Optional(found, there=True) if found else Optional()


def _named(name: Any) -> Optional:
    return Optional(Format(name), there=True) if name in NAMED else Optional()


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "semver": _semver,
    "isSemver": _is_semver,
    "format.named": _named,
    **{f"format.{name}": lambda name=name: Format(name) for name in NAMED},
}
METHODS: dict[str, Callable[..., Any]] = {
    "compareTo": _compared,
    "isGreaterThan": lambda left, right: _compared(left, right) > 0,
    "isLessThan": lambda left, right: _compared(left, right) < 0,
    "major": lambda value: value.numbers[0],
    "minor": lambda value: value.numbers[1],
    "patch": lambda value: value.numbers[2],
    "validate": _validate,
}
