"""Cells that many kinds share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...unchecked import as_map, as_text, get_path, has_condition, maps
from ..ages import age

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ...protocol import Object

    Cell = Callable[[Object], Any]

NONE, UNKNOWN, UNSET = "<none>", "<unknown>", "<unset>"
MOST = 3
"""The maximum number of printed list entries."""


def at(path: str, otherwise: Any = NONE) -> Cell:
    """The value at a path, or `otherwise` if there is none."""

    def cell(one: Object) -> Any:
        value = get_path(one, path)
        return otherwise if value in (None, "", [], {}) else value

    return cell


def printed(path: str, otherwise: str) -> Cell:
    """The value at a path as a text, even if it is a number."""
    return lambda one: str(at(path, otherwise)(one))


def flag(path: str, otherwise: bool = False) -> Cell:
    """Whether a field is set: `true`."""
    return lambda one: bool(at(path, otherwise)(one))


def yes_or_no(path: str) -> Cell:
    """Whether a field is set, as a few tables print it: `True`."""
    return lambda one: str(bool(get_path(one, path)))


def created(one: Object) -> str:
    """The creation time of the object."""
    return str(get_path(one, "metadata.creationTimestamp") or UNKNOWN)


def aged(path: str = "metadata.creationTimestamp", otherwise: str = UNKNOWN) -> Cell:
    """The age of a timestamp."""
    return lambda one: age(get_path(one, path)) if get_path(one, path) else otherwise


def of(some: str, all_: str) -> Cell:
    """A count out of a total: `2/3`."""
    return lambda one: f"{get_path(one, some) or 0}/{_count(get_path(one, all_))}"


def _count(value: Any) -> Any:
    return 0 if value is None else value


def size(*paths: str) -> Cell:
    """The number of entries in maps or lists."""

    def cell(one: Object) -> int:
        return sum(len(value) for value in (get_path(one, path) for path in paths) if isinstance(value, (dict, list)))

    return cell


def items(one: Object, path: str) -> list[Object]:
    """The maps in the list at a path."""
    owner, _, last = path.rpartition(".")
    holder = as_map(get_path(one, owner)) if owner else one
    return [item for _, item in maps(holder, last)]


def each(path: str, field: str) -> Cell:
    """A field of every element of a list, joined with commas."""
    return lambda one: ",".join(str(item[field]) for item in items(one, path) if item.get(field)) or NONE


def joined(path: str, otherwise: str = NONE) -> Cell:
    """The values of a list, joined with commas."""

    def cell(one: Object) -> str:
        values = get_path(one, path)
        return ",".join(map(str, values)) if isinstance(values, list) and values else otherwise

    return cell


def some(known: Sequence[str], otherwise: str) -> str:
    """Return the first entries of a list, and the number of others."""
    more = f" + {len(known) - MOST} more..." if len(known) > MOST else ""
    return ",".join(known[:MOST]) + more if known else otherwise


def first_that_holds(one: Object, kinds: Iterable[str], otherwise: str) -> str:
    """Return the first of these conditions that is true."""
    return next((kind for kind in kinds if has_condition(one, kind)), otherwise)


# ---- names, labels and references --------------------------------------------------------------------------------


def marked_default(annotation: str) -> Cell:
    """The name, with a mark if this is the default of its kind."""

    def cell(one: Object) -> str:
        chosen = as_map(get_path(one, "metadata.annotations")).get(annotation) == "true"
        return f"{get_path(one, 'metadata.name')}{' (default)' if chosen else ''}"

    return cell


def pairs(path: str) -> Cell:
    """A map of labels: `app=web,tier=front`."""
    return lambda one: ",".join(f"{key}={value}" for key, value in sorted(as_map(get_path(one, path)).items())) or NONE


def selecting(path: str) -> Cell:
    """A label selector in its text form."""

    def cell(one: Object) -> str:
        chosen = as_map(get_path(one, path))
        said = [(key, f"{key}={value}") for key, value in sorted(as_map(chosen.get("matchLabels")).items())]
        said += [(str(item.get("key")), _expression(item)) for _, item in maps(chosen, "matchExpressions")]
        return ",".join(words for _, words in sorted(said, key=lambda pair: pair[0])) or NONE

    return cell


def _expression(one: Object) -> str:
    key, operator = one.get("key"), str(one.get("operator"))
    if operator in ("Exists", "DoesNotExist"):
        return f"{'!' if operator == 'DoesNotExist' else ''}{key}"
    return f"{key} {operator.lower()} ({','.join(sorted(map(str, one.get('values') or ())))})"


def referred(path: str) -> Cell:
    """The target of a reference: `Deployment/web`."""

    def cell(one: Object) -> str:
        reference = as_map(get_path(one, path))
        return f"{reference.get('kind')}/{reference.get('name')}" if reference else NONE

    return cell


def owned(one: Object) -> str:
    """The controller of the object: `statefulset.apps/db`."""
    for owner in items(one, "metadata.ownerReferences"):
        if owner.get("controller") is True:
            return f"{in_group(as_text(owner.get('kind')).lower(), _group(owner))}/{owner.get('name')}"
    return NONE


def _group(one: Object) -> str:
    return as_text(one.get("apiVersion")).rpartition("/")[0]


def in_group(name: str, group: Any) -> str:
    """Return a name followed by its group, unless that is the core group."""
    return f"{name}.{group}" if group else name
