"""YAML scalars as kubectl reads them: the value of a text with or without a tag, and the text of a key."""

from __future__ import annotations

import base64
import math
import re

import yaml

from engine.values.floats import text_form

from .problems import BadDocument

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_INT = r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))\Z"
_FLOAT = r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z"
_FRACTION = r"\.[0-9]+(_[0-9]+)*([eE][-+]?[0-9]+)?\Z"
"""A number that begins with a point and may have underscores, but only between digits."""
_OF_NUMBERS = frozenset("+-._0123456789abcdefABCDEFxXoO")
"""The characters of numbers: most texts have others, and need no regular expression."""
NOT_FINITE = frozenset(sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")) | frozenset(
    (".nan", ".NaN", ".NAN")
)
_TAGGED: dict[str, tuple[type, ...]] = {"int": (int,), "float": (int, float), "bool": (bool,), "null": (type(None),)}
WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
}
"""The plain texts that are null or booleans."""


QUOTE_IT = "if it is a string, put it in quotes"
"""The message does not repeat the value: it may be a password that begins with such a character."""


class YamlError(BadDocument):
    """Text that is not YAML as Kubernetes reads it, with the position and the fix."""

    def __init__(self, problem: str, mark: Any = None, advice: str = "correct the YAML there", **facts: str) -> None:
        super().__init__(problem, mark, advice, **facts)


class OtherYaml(Exception):
    """Text that the line reader leaves to the parser."""


def resolve(text: str) -> Any:
    """The value of a plain scalar as kubectl reads it: never a date, never a number in base 60."""
    if text in WORDS:
        return WORDS[text]
    if text in NOT_FINITE:
        raise YamlError(f"{text} is not a number that JSON supports")
    if text[0] not in "+-.0123456789":
        return text
    if not _OF_NUMBERS.issuperset(text):
        return text
    if text.isdecimal() and (text[0] != "0" or text == "0") and len(text) < 19:
        return int(text)
    plain = text
    if "_" in text and (text[0] != "." or re.match(_FRACTION, text)):
        plain = text.replace("_", "")
    value = _integer(plain)
    if value is not None:
        return value
    if re.match(_FLOAT, plain):
        return _number(plain, text)
    return text


def is_number_like(text: str) -> bool:
    """Whether a plain text may be a number, a boolean or null, and not the text itself."""
    return text in WORDS or text in NOT_FINITE or (text[0] in "+-.0123456789" and _OF_NUMBERS.issuperset(text))


def _integer(plain: str) -> int | float | None:
    """The value of an integer in any base; None for other text, and for integers of more than 64 unsigned bits."""
    found = re.match(_INT, plain)
    if not found:
        return None
    sign, *bases = found.groups()
    digits, base = next((part, base) for part, base in zip(bases, (16, 2, 8, 10), strict=True) if part is not None)
    return _whole(digits, base, negative=sign == "-")


def _whole(digits: str, base: int, *, negative: bool) -> int | float | None:
    """An integer if it fits into 64 bits, a float if it fits into 64 unsigned bits, else None."""
    if base == 10 and len(digits) > 20:
        return None
    value = int(digits, base) * (-1 if negative else 1)
    if -(2**63) <= value < 2**63:
        return value
    return float(value) if 0 < value < 2**64 else None


def _number(plain: str, text: str) -> Any:
    value = float(plain)
    if math.isinf(value):
        return text
    if not value.is_integer() or abs(value) >= 1e21:
        return value
    from decimal import Decimal

    # kubectl converts YAML to JSON, where 1.0 is printed as 1, and a large float with the digits of its repr.
    whole = int(Decimal(repr(value)))
    return whole if -(2**63) <= whole < 2**63 else value


def key_text(key: Any, event: Any) -> str:
    """A key that is not text, as kubectl writes it: an integer of 64 bits, or a float of 32."""
    if isinstance(key, bool):
        return str(key).lower()
    plain = event.value.replace("_", "") if isinstance(event, yaml.ScalarEvent) else str(key)
    value = _integer(plain)
    if type(value) is int:
        return str(value)
    if value is not None:
        raise YamlError("the integer is too large for a key", event.start_mark, "put it in quotes")
    return _text_of_32_bits(float(plain))


def _text_of_32_bits(value: float) -> str:
    """A float as Go writes it when it is rounded to 32 bits."""
    from struct import pack, unpack

    try:
        short = unpack("<f", pack("<f", value))[0]
    except OverflowError:
        return ".inf" if value > 0 else "-.inf"
    digits = next(text for size in range(17) if pack("<f", float(text := f"{short:.{size}e}")) == pack("<f", short))
    return text_form(float(digits))


def scalar(event: Any) -> Any:
    """The value of a scalar; a YamlError if JSON cannot hold it."""
    try:
        if event.tag == "!":
            return event.value
        if event.tag is None or event.implicit[0]:
            return resolve(event.value) if event.implicit[0] and not event.style else event.value
        return _tagged_value(event.tag.removeprefix("tag:yaml.org,2002:"), event.value)
    except YamlError as error:
        raise YamlError(error.problem, event.start_mark, error.advice) from None


def _tagged_value(tag: str, text: str) -> Any:
    if tag == "str":
        return text
    if tag == "binary":
        try:
            return base64.b64decode(text.replace("\n", ""), validate=True).decode()
        except ValueError:
            raise YamlError("!!binary is not base64") from None
    value = resolve(text)
    wanted = _TAGGED.get(tag)
    if wanted is None:
        return text if tag == "timestamp" else _unknown_tag()
    if not isinstance(value, wanted) or (tag in ("int", "float") and isinstance(value, bool)):
        raise YamlError(f"this is not a !!{tag}")
    return value


def _unknown_tag() -> Any:
    raise YamlError("a tag (!name) has no meaning in a Kubernetes document", advice=QUOTE_IT)
