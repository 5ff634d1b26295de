"""The changes of an object at a path from the command line."""

from __future__ import annotations

import re

from engine import BadFieldPath, Change, MergeError
from engine.paths import parse, render
from engine.tables.identity import ElementFinder, matches_step

from ..apiserver.text.text import how_many
from .stored_changes import SENT, FieldValues, of_server
from .unfolding import parts, unfolded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from engine import Schema
    from engine.paths import Step, Steps

    from .pairs import Merged

_ANY: Step = (("*", "*"),)
_ANY_ELEMENT = re.compile(r'("(?:[^"\\]|\\.)*")|\.\*(?=[.\[]|$)|\[\*?\]')
"""Notations for any element or value, `[*]`, `[]` and `.*`; in quotes they are text."""


class NoSuchElement(MergeError):
    """A position beyond the end of a list."""

    def __init__(self, title: str, at: str, position: int, elements: list[Any], key: str) -> None:
        first = next((item for item in elements if isinstance(item, dict)), None)
        hint = f". Name one, as in [{key}={first.get(key, '...')}]" if first else ""
        count = how_many(len(elements), "element")
        super().__init__(f"{title}: {at} has {count}, counted from 0, so [{position}] does not exist{hint}")


def read_path(path: str) -> Steps:
    """The steps of a typed path: a leading dot is ignored, and `[*]` is any element."""
    text = _ANY_ELEMENT.sub(lambda found: found[1] or render((_ANY,)), path.removeprefix("."))
    try:
        return parse(text)
    except ValueError as error:
        raise BadFieldPath(path, str(error)) from None


def changes_at(merged: Merged, path: Steps) -> list[Change]:
    """The changes at a path and below it; an added value is listed field by field.

    If a value changed as a whole, it is the part at the path, or the value itself if its parts have no names.
    Elements of lists need not be named; a position is one in the merged list, or else in the live one.
    """
    chosen = _Chosen(_documents(merged), merged.inputs.schema)
    found = [one for change in merged.changes for one in chosen.selected(change, path)]
    if merged.answer is None or merged.outcome.patch_type == "apply":  # by owners, not by values
        return found
    stored = FieldValues(merged.outcome.merged)
    return [of_server(one, stored) for one in found] or [*_sent_at(merged, path, stored)]


def _sent_at(merged: Merged, path: Steps, stored: FieldValues) -> Iterator[Change]:
    """The change of a field inside a value that every apply sends and the server does not store, such as stringData."""
    config = merged.inputs.config
    if not any(True for _ in Places([config]).found(config, path)):
        return
    for change in merged.changes:
        if change.steps == path[: len(change.steps)]:
            around = of_server(change, stored)
            if around.reason == SENT:
                yield Change(path, around.action, None, None, SENT, None)


def beyond_the_end(merged: Merged, path: Steps) -> NoSuchElement | None:
    """The error for a position beyond the end of its list, if there is one in the path."""
    for at, step in enumerate(path):
        if not isinstance(step, int):
            continue
        before = path[:at]
        places = Places(_documents(merged))
        lists = [it for document in places.documents for it in places.found(document, before) if isinstance(it, list)]
        longest = max(lists, key=len, default=None)
        if longest is not None and len(longest) <= step:
            fields = render(tuple(one for one in before if isinstance(one, str)))
            rule = merged.inputs.schema.rule(fields) if merged.inputs.schema else None
            key = (rule.merge_key if rule else None) or "name"
            where = render(before).replace(render((_ANY,)), "[*]")
            return NoSuchElement(merged.inputs.title, where, step, longest, key)
    return None


def _documents(merged: Merged) -> list[Any]:
    return [merged.after, merged.before]


class Places:
    """Finds typed paths in documents. Each list is searched once, however many paths lead into it."""

    def __init__(self, documents: Sequence[Any]) -> None:
        self.documents = documents
        self._finder = ElementFinder()

    def behind(self, place: Steps, path: Steps) -> Steps | None:
        """The rest of a path after a place on it: empty for a place at the path or below; None for one not on it."""
        documents = self.documents
        for step in place:
            if not path:
                return ()
            if self._means(path[0], step, documents):
                path = path[1:]
            elif isinstance(step, str) or not isinstance(path[0], str):
                return None
            documents = [inner for document in documents for inner in self._inside(document, step)]
        return path

    def _means(self, typed: Step, step: Step, documents: Sequence[Any]) -> bool:
        """Whether a typed step matches this step of a place; `documents` are the values that both step into."""
        if typed in (step, _ANY):
            return True
        if isinstance(step, str) or isinstance(typed, str):
            return False
        if isinstance(typed, tuple) and isinstance(step, tuple) and {*typed} <= {*step}:
            return True  # a key of the step may be one that the element leaves to its default
        if isinstance(typed, int):
            counted = [inner for document in documents for inner in self._inside(document, typed)][:1]
            return any(inner in self._inside([inner], step) for inner in counted)
        return any(matches_step(inner, typed) for document in documents for inner in self._inside(document, step))

    def found(self, value: Any, steps: Steps) -> Iterator[Any]:
        """The values at steps below a value."""
        if not steps:
            yield value
        elif isinstance(value, list) and isinstance(steps[0], str):
            for item in value:
                yield from self.found(item, steps)
        else:
            for inner in self._inside(value, steps[0]):
                yield from self.found(inner, steps[1:])

    def _inside(self, value: Any, step: Step) -> list[Any]:
        """The values one step below a value."""
        if isinstance(value, dict):
            return list(value.values()) if step == _ANY else [value[step]] if step in value else []
        if not isinstance(value, list) or isinstance(step, str):
            return []
        if isinstance(step, int):
            return value[step : step + 1]
        return value if step == _ANY else self._finder.matching(value, step)


class _Chosen(Places):
    """The parts of changes that are at a path."""

    def __init__(self, documents: Sequence[Any], schema: Schema | None) -> None:
        super().__init__(documents)
        self._schema = schema

    def selected(self, change: Change, path: Steps) -> Iterator[Change]:
        """The part of a change that is at a path."""
        rest = self.behind(change.steps, path)
        if rest is None:
            return
        if not rest:
            yield from unfolded(change, self._schema)
        elif change.action not in ("matched", "reordered"):  # their contents have separate changes
            inner = parts(change, self._schema)
            for part in inner:
                yield from self.selected(part, path)
            if not inner and any(True for side in (change.before, change.after) for _ in self.found(side, rest)):
                yield change
