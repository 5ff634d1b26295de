"""Bounds of numbers as the server compares them: integers exactly, others as floats."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..problems import NO_PATH, Problem
from ..schemas.problems import go_number, invalid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..schemas.schemas import Schema

INT32, INT64 = 2**31, 2**63
LARGEST_FLOAT32 = 3.4028234663852886e38
LARGEST_EXACT = float(2**53 - 1)
EPSILON = 1e-9


def problems(at: str, value: float, schema: Schema) -> Iterator[Problem]:
    """Validate a number."""
    raw = schema.raw
    kind = schema.type if schema.type in ("integer", "number") else ""
    yield from _in_range(at, value, kind, schema.format, "Checked")
    factor = raw.get("multipleOf")
    if factor is not None:
        yield from _multiple(at, value, factor, kind, schema.format)
    for limit, name, exclusive in (
        (raw.get("minimum"), "Minimum boundary", raw.get("exclusiveMinimum") is True),
        (raw.get("maximum"), "Maximum boundary", raw.get("exclusiveMaximum") is True),
    ):
        if limit is not None:
            yield from _bound(at, value, limit, (kind, schema.format), name, exclusive)


def _bound(
    at: str, value: float, limit: float, types: tuple[str, str], name: str, exclusive: bool
) -> Iterator[Problem]:
    unfit = list(_in_range(at, limit, *types, name))
    yield from unfit
    whole = isinstance(value, int) and not unfit
    number: float = int(limit) if whole else float(limit)
    compared: float = value if whole else float(value)
    below = name.startswith("Min")
    broken = compared < number if below else compared > number
    if broken or (exclusive and compared == number):
        word = "greater" if below else "less"
        said = str(number) if whole else go_number(float(number))
        than = f"{word} than {said}" if exclusive else f"{word} than or equal to {said}"
        yield invalid(place(at), compared, f"{at} in body should be {than}")


def _multiple(at: str, value: float, factor: float, kind: str, form: str) -> Iterator[Problem]:
    unfit = list(_in_range(at, factor, kind, form, "MultipleOf"))
    yield from unfit
    whole = isinstance(value, int) and not unfit
    by: float = int(factor) if whole else float(factor)
    said = str(by) if whole else go_number(float(by))
    if by <= 0:
        yield invalid(place(at), by, f"factor MultipleOf declared for {at} must be positive: {said}")
    elif whole:
        if int(value) % int(by):
            yield invalid(place(at), value, f"{at} in body should be a multiple of {said}")
    else:
        ratio = 1 / by * float(value) if by < 1 else float(value) / by
        if not is_whole(ratio):
            yield invalid(place(at), float(value), f"{at} in body should be a multiple of {said}")


def _in_range(at: str, value: float, kind: str, form: str, called: str) -> Iterator[Problem]:
    """Whether a number fits into its type."""
    fits = True
    if kind == "integer":
        most = INT32 if form == "int32" else INT64
        fits = (isinstance(value, int) or value.is_integer()) and -most <= value < most
    elif kind == "number" and form == "float":
        fits = abs(value) <= LARGEST_FLOAT32
    if not fits:
        named = f"with format {form}" if form else "(default format)"
        yield invalid(NO_PATH, "", f"{called} value must be of type {kind} {named} in {at}")


def is_whole(value: float) -> bool:
    """Whether the server treats a float as an integer, with a small tolerance."""
    if value - value != 0 or abs(value) > LARGEST_EXACT:
        return False
    near = math.floor(abs(value) + 0.5)
    return value == 0 or abs(abs(value) - near) < EPSILON * near


def place(at: str) -> str:
    """Return the path of a problem. Empty for the whole object."""
    return at.removeprefix(".") or NO_PATH


def is_number(value: Any) -> bool:
    """Whether a value is a number, not a boolean."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)
