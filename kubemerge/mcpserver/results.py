"""Results of tools, made small and safe: lists with a limit, values with a limit, sentences with quotes.

A tool builds its result from dicts and from the classes below. Any other text is a value of an object.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from .foreign import cut, cut_sentence, escaped

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .foreign import ForeignTexts

DEFAULT_LIMIT, LARGEST_LIMIT = 30, 200
"""The number of elements of a list in a result: by default, and at most."""
MORE = "more_"
"""The prefix of the key that counts left-out elements."""
LARGEST_VALUE = 800
"""Maximum characters of one value as JSON. A larger one is replaced by its start."""
LARGEST_RESULT = 40_000
"""Maximum characters of a whole result as JSON."""
LONGEST_TEXT, LONGEST_SENTENCE = 400, 800
_LARGEST_NUMBER = 2**63
_DEEPEST = 60


class Items(list[Any]):
    """A list of a result. It is cut to the limit, and `more_NAME` beside it has the number of the others."""


class Words(str):
    """A sentence of ours or of the API server, in which texts of objects are put in quotes."""

    __slots__ = ()


class Value:
    """A value of an object, as JSON data."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Document(str):
    """The text of a whole manifest or patch, which is left out instead of cut."""

    __slots__ = ()


LONGEST_DOCUMENT = 20_000


def words(texts: Iterable[str]) -> Items:
    """Several sentences."""
    return Items([Words(one) for one in texts])


def fitted(result: dict[str, Any], limit: int, foreign: ForeignTexts) -> dict[str, Any]:
    """The result as plain JSON data. Lists have at most `limit` elements, and fewer if the result is too large."""
    while True:
        found: dict[str, Any] = _Rendering(limit, foreign).of(result)
        if limit <= 1 or len(json.dumps(found, ensure_ascii=False)) <= LARGEST_RESULT:
            return found
        limit //= 2


class _Rendering:
    def __init__(self, limit: int, foreign: ForeignTexts) -> None:
        self._limit, self._foreign = limit, foreign

    def of(self, result: Any) -> Any:
        if isinstance(result, dict):
            found: dict[str, Any] = {}
            for name, inner in result.items():
                found[name] = self.of(inner)
                if isinstance(inner, Items):
                    found[f"{MORE}{name}"] = max(0, len(inner) - self._limit)
            return found
        if isinstance(result, Items):
            return [self.of(one) for one in result[: self._limit]]
        if isinstance(result, list):
            return [self.of(one) for one in result]
        if isinstance(result, Value):
            return safe_value(result.value)
        if isinstance(result, Words):
            return cut_sentence(escaped(self._foreign.quoted_in(result[: 2 * LONGEST_SENTENCE])), LONGEST_SENTENCE)
        if isinstance(result, Document):
            return escaped(str(result)) if len(result) <= LONGEST_DOCUMENT else None
        return cut(escaped(result), LONGEST_TEXT) if isinstance(result, str) else result


def safe_value(value: Any) -> Any:
    """A value of an object that any JSON reader accepts; of a large one, its start and its length."""
    found = _plain(value, 0)
    text = json.dumps(found, ensure_ascii=False)
    if len(text) <= LARGEST_VALUE:
        return found
    return {"cut": {"characters": len(text), "start": text[: LARGEST_VALUE // 4]}}


def _plain(value: Any, depth: int) -> Any:
    if depth > _DEEPEST:
        return "..."
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, dict):
        return {escaped(str(key)): _plain(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one, depth + 1) for one in value]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) < _LARGEST_NUMBER else str(value)
    if isinstance(value, float) and math.isfinite(value):
        return value
    return escaped(str(value))
