"""The smallest change with which a server-side apply needs no force: of the config, or of the owners of fields.

Each result is checked: the server accepts the changed apply without a conflict.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.paths import render
from engine.serverside.fields import trees
from engine.serverside.fields.path_elements import to_step
from engine.serverside.typed.extract import extract_paths
from engine.serverside.typed.merge import merge
from engine.serverside.typed.remove import remove_paths
from engine.serverside.typed.schema import atom_of
from engine.values.plain import ABSENT

from ..migrate.places import Values
from ..migrate.plan import plan_migration
from .former import is_former_writer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engine.paths import Steps
    from engine.serverside.fields.trees import Path

    from ..offline.pairs import Inputs
    from .model import PlannedObject
    from .requests import Requests

    Object = dict[str, Any]

REMOVE, SET_LIVE = "remove", "set_live_value"
"""The edits of a config: leave the field to its owner, or share it by stating its live value."""
MOST_TRIES = 12
"""Maximum number of mixed choices that are tried."""


@dataclass(frozen=True)
class Edit:
    """A change of one field of the config. `value` is the live value."""

    steps: Steps
    action: str
    value: Any = None

    @property
    def path(self) -> str:
        """The path, as in `spec.containers[name=web].image`."""
        return render(self.steps)


@dataclass(frozen=True)
class WithoutForce:
    """The smallest change for one object.

    - `edits`: the changes of the config, and `config` the config with them
    - `patch`: the JSON patch (RFC 6902) of the live object that hands the fields of earlier writers over, before the
      apply; empty if it is not needed
    - `is_found`: True if the apply needs no force with these changes
    """

    is_found: bool
    edits: tuple[Edit, ...] = ()
    config: Object | None = None
    patch: tuple[Object, ...] = ()


def without_force(planned: PlannedObject, inputs: Inputs, requests: Requests) -> WithoutForce:
    """The smallest change for an object with conflicts, as planned for a server-side apply of `kubectl`."""
    config, live = inputs.config, planned.before
    if live is None or not planned.conflicts:
        return WithoutForce(is_found=False)
    patch: tuple[Object, ...] = ()
    if any(_is_former(one.manager, one.operation, one.subresource) for one in planned.conflicts):
        migration = plan_migration(config, live, inputs.schema, manager=planned.manager, server=requests.server)
        if migration.prepared is not None:
            live, patch = migration.prepared, migration.patch
    trial = _Trial(config, live, inputs, requests, planned.manager)
    if not trial.conflicts(config):
        return WithoutForce(is_found=True, config=config, patch=patch)
    found = trial.smallest()
    return WithoutForce(is_found=False) if found is None else WithoutForce(True, *found, patch)


def _is_former(manager: str, operation: str, subresource: str | None) -> bool:
    entry = {"manager": manager, "operation": operation, "subresource": subresource}
    return is_former_writer(entry, "kubectl")


class _Trial:
    """Applies of changed configs to one live object."""

    def __init__(self, config: Object, live: Object, inputs: Inputs, requests: Requests, manager: str) -> None:
        self._config, self._live, self._schema = config, live, inputs.schema
        self._requests, self._manager = requests, manager
        self._atom = atom_of(inputs.schema)

    def conflicts(self, config: Object) -> tuple[Path, ...]:
        """The paths of the conflicts of an apply; empty if the server accepts it."""
        response = self._requests.apply(self._live, config, self._schema, manager=self._manager)
        if response.object is not None:
            return ()
        return tuple(dict.fromkeys(tuple(one.element_path) for one in response.conflicts)) or ((),)

    def smallest(self) -> tuple[tuple[Edit, ...], Object] | None:
        """The edits and the config with them; None if no edit is sufficient."""
        paths = [path for path in self.conflicts(self._config) if path]
        values = Values(self._live, self._atom)
        for choice in _choices(paths):
            config = self._edited(choice)
            if config is not None and not self.conflicts(config):
                edits = [Edit(tuple(map(to_step, path)), how, values.at(path)) for path, how in choice.items()]
                return tuple(edits), config
        return None

    def _edited(self, choice: Mapping[Path, str]) -> Object | None:
        gone = trees.of_paths([path for path, how in choice.items() if how == REMOVE])
        shared = trees.of_paths([path for path, how in choice.items() if how == SET_LIVE])
        config: Any = self._config
        if gone:
            config = _pruned(remove_paths(config, gone, self._atom), config)
        if shared:
            values = extract_paths(self._live, shared, self._atom)
            config = config if values is ABSENT else merge(config, values, self._atom)
        return config if isinstance(config, dict) else None


def _choices(paths: Sequence[Path]) -> Iterator[dict[Path, str]]:
    """The choices for all conflicts, in the order of preference: an edit that leaves fields out comes first."""
    yield dict.fromkeys(paths, REMOVE)
    for one in paths[:MOST_TRIES] if len(paths) > 1 else ():
        yield {**dict.fromkeys(paths, REMOVE), one: SET_LIVE}
    yield dict.fromkeys(paths, SET_LIVE)


def _pruned(value: Any, before: Any) -> Any:
    """The value without the nulls that stand for emptied maps and lists."""
    if not isinstance(value, dict) or not isinstance(before, dict):
        return value
    found = {key: _pruned(inner, before[key]) for key, inner in value.items()}
    return {key: inner for key, inner in found.items() if inner not in (None, {}) or before[key] in (None, {})}
