"""Typical mistakes in documents: things that real manifests contain and no schema allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .draw import FLOATS, KEYS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .draw import Draw


def spoiled(draw: Draw, document: dict[str, Any], times: int) -> dict[str, Any]:
    """The document itself, after `times` mutations in random places."""
    for _ in range(times):
        mishap: Callable[[Draw, dict[str, Any]], None] = draw.random.choices(list(MISHAPS), list(MISHAPS.values()))[0]
        mishap(draw, document)
    return document


def containers(value: Any) -> Iterator[dict[str, Any] | list[Any]]:
    """Every map and list, the outer ones first."""
    if isinstance(value, dict | list):
        yield value
        for inner in value.values() if isinstance(value, dict) else value:
            yield from containers(inner)


def _maps(document: Any) -> list[dict[str, Any]]:
    return [found for found in containers(document) if isinstance(found, dict)]


def _lists(document: Any) -> list[list[Any]]:
    return [found for found in containers(document) if isinstance(found, list)]


def _field(draw: Draw, document: dict[str, Any]) -> tuple[dict[str, Any], str] | None:
    """Some field of some map, but not the kind of the document."""
    places = [(found, key) for found in _maps(document) for key in found if key not in ("apiVersion", "kind")]
    return draw.one(places) if places else None


def null_field(draw: Draw, document: dict[str, Any]) -> None:
    """`field:` with an empty value."""
    if place := _field(draw, document):
        place[0][place[1]] = None


def null_element(draw: Draw, document: dict[str, Any]) -> None:
    """`- ` with an empty value."""
    if lists := _lists(document):
        chosen = draw.one(lists)
        chosen.insert(draw.random.randint(0, len(chosen)), None)


def duplicate(draw: Draw, document: dict[str, Any]) -> None:
    """A repeated element, perhaps with other content."""
    lists = [found for found in _lists(document) if found]
    if lists:
        chosen = draw.one(lists)
        twin = draw.one(chosen)
        if isinstance(twin, dict):
            twin = {key: value for key, value in twin.items() if len(twin) == 1 or draw.chance(0.8)}
        chosen.insert(draw.random.randint(0, len(chosen)), twin)


def missing_key(draw: Draw, document: dict[str, Any]) -> None:
    """An element loses a field, often its key."""
    elements = [element for found in _lists(document) for element in found if isinstance(element, dict) and element]
    if elements:
        chosen = draw.one(elements)
        del chosen[next(iter(chosen))]


def other_type(draw: Draw, document: dict[str, Any]) -> None:
    """A value of another type than before."""
    if place := _field(draw, document):
        place[0][place[1]] = draw.anything(2)


def number_form(draw: Draw, document: dict[str, Any]) -> None:
    """80 becomes "80" or 80.0, and back; also in merge keys."""
    found = [(at, key) for at in _maps(document) for key, value in at.items() if type(value) in (int, float)]
    if found:
        at, key = draw.one(found)
        at[key] = draw.one((str(at[key]), float(at[key]), True, draw.one(FLOATS)))


def odd_key(draw: Draw, document: dict[str, Any]) -> None:
    """The first field of an element becomes something that cannot be a key."""
    elements = [element for found in _lists(document) for element in found if isinstance(element, dict) and element]
    if elements:
        chosen = draw.one(elements)
        chosen[next(iter(chosen))] = draw.one((True, 1, 1.5, "1", None, {"a": 1}, ["a"]))


def unknown_field(draw: Draw, document: dict[str, Any]) -> None:
    """A field that the type does not have."""
    if maps := _maps(document):
        draw.one(maps)["unknown"] = draw.anything(2)


def emptied(draw: Draw, document: dict[str, Any]) -> None:
    """An empty map or list, in place of another value or new."""
    if place := _field(draw, document):
        old = place[0][place[1]]
        place[0][place[1]] = type(old)() if isinstance(old, dict | list) else draw.one(({}, []))


def shuffled(draw: Draw, document: dict[str, Any]) -> None:
    """Another order of a list."""
    if lists := _lists(document):
        draw.random.shuffle(draw.one(lists))


def other_case(draw: Draw, document: dict[str, Any]) -> None:
    """A field name in another case."""
    if place := _field(draw, document):
        at, key = place
        at[key[:1].swapcase() + key[1:]] = at.pop(key)


def patch_directive(draw: Draw, document: dict[str, Any]) -> None:
    """`$patch`, with a valid or an invalid value."""
    if maps := _maps(document):
        draw.one(maps)["$patch"] = draw.one(("replace", "delete", "delete", "merge", "keep", 1, None))


def list_directive(draw: Draw, document: dict[str, Any]) -> None:
    """`$setElementOrder` or `$deleteFromPrimitiveList` beside a list, in order or not."""
    places = [(at, key) for at in _maps(document) for key, value in at.items() if isinstance(value, list)]
    if places:
        at, key = draw.one(places)
        word = draw.one(("$setElementOrder", "$deleteFromPrimitiveList"))
        value: Any = list(at[key])
        draw.random.shuffle(value)
        if draw.chance(0.2):
            word, value = draw.one(((f"{word}x", value), (word, None), (word, "a"), (word, [{"name": "a"}])))
        at[f"{word}/{key}" if draw.chance(0.95) else word] = value


def retain_directive(draw: Draw, document: dict[str, Any]) -> None:
    """`$retainKeys`, mostly with the right keys."""
    if maps := _maps(document):
        chosen = draw.one(maps)
        right = [key for key in chosen if not key.startswith("$")]
        chosen["$retainKeys"] = right if draw.chance(0.7) else draw.one((draw.some(KEYS, 2), "a", None))


MISHAPS: dict[Callable[[Draw, dict[str, Any]], None], int] = {
    null_field: 8,
    null_element: 1,
    duplicate: 5,
    missing_key: 1,
    other_type: 3,
    number_form: 4,
    odd_key: 1,
    unknown_field: 3,
    emptied: 6,
    shuffled: 8,
    other_case: 1,
    patch_directive: 2,
    list_directive: 2,
    retain_directive: 2,
}
"""The mutations with their weights."""
