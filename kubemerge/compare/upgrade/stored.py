"""The result of an object on an API server of one release: unreadable values, dropped fields, the stored object."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import engine
from engine.errors import GeneratedName
from engine.tables.served import is_of_kubernetes, moved, unserved

from ...apiserver.decoding import unknown_fields
from ...apiserver.decoding.type_errors import Unreadable
from ...apiserver.errors import NoMatch
from ...apiserver.kinds.deprecated import advice, lifecycle
from ...apiserver.pipeline import Stored, server_of
from ...apiserver.registry.feature_gates import WITH_PARENT
from ..model import Result

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine import Outcome, Schema

    from ...apiserver.pipeline import Server
    from ...offline.pairs import Inputs
    from ..chain import Side

    Object = dict[str, Any]
    Key = tuple[str, str]

NOT_SERVED = "is not served"
"""The words for a kind that a release does not have, as in `engine.tables.served`."""
MANAGER = "kubectl"
"""The manager of the trial server-side apply."""


class Simulation(NamedTuple):
    """One object under the rules of one side."""

    side: Side
    outcome: Outcome | Result | None
    """The client-side apply or create; None if there is none, with the reason in `problem`."""
    problem: str = ""
    merged: Object | None = None
    """The object after the apply, without the nulls that a server drops: fields of metadata, and empty times."""
    gone: bool = False
    """Whether the side no longer serves the kind; a problem without this means that it does not serve the kind yet."""
    unreadable: str = ""
    """The reason why a server cannot read the object: a value that does not fit its field."""
    dropped: tuple[str, ...] = ()
    """The paths of fields that the side does not have."""
    disabled: Mapping[str, str] = MappingProxyType({})
    """By path, the feature gates of the config's fields that are off on the side."""
    stored: Object | None = None
    """The object as it is stored; None if that is unknown."""
    answer: Stored = Stored(None)
    """The result of creating the config alone on a server of the side. Empty if that is unknown."""
    by_server: Object | str | None = None
    """The live object after a server-side apply, or the reason for its failure; None if it was not tried."""

    @property
    def all_disabled(self) -> frozenset[str]:
        """The disabled fields, and the fields that are dropped with them."""
        outer = (path.rpartition(".")[0] for path, gate in self.disabled.items() if gate in WITH_PARENT)
        return frozenset({*self.disabled, *outer})


def _without_metadata_nulls(merged: Object) -> Object:
    metadata = merged.get("metadata") or {}
    kept = {field: value for field, value in metadata.items() if value is not None}
    return cast("Object", _without_empty_times({**merged, "metadata": kept}))


def _without_empty_times(value: Any) -> Any:
    """A value without `creationTimestamp: null`, which Go prints for an object that was never stored."""
    if isinstance(value, list):
        return [_without_empty_times(one) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        field: _without_empty_times(one)
        for field, one in value.items()
        if one is not None or field != "creationTimestamp"
    }


def play(inputs: Inputs, key: Key, until: Sequence[Side], *, known: bool) -> Simulation:
    """The object under the rules of the last of these sides."""
    side = until[-1]
    problem, gone = _lacking(key, until, known=known)
    if problem:
        return Simulation(side, None, problem, gone=gone)
    schema = side.tables.schema(*key) if known else None
    live = inputs.live.content if inputs.live else None
    try:
        outcome = _outcome(inputs, live, schema)
    except engine.MergeError as error:
        return Simulation(side, None, str(error))
    played = Simulation(side, outcome, merged=_without_metadata_nulls(outcome.merged))
    if schema is None:
        return played
    dropped = tuple(unknown_fields.fields_unknown_to(inputs.config, schema))
    played = played._replace(dropped=dropped, by_server=_by_server(inputs, side, key))
    if side.server is None or not is_of_kubernetes(key[0]):  # the defaults of a specification's server are unknown
        return played
    return _stored(inputs, played, side.server)


def _outcome(inputs: Inputs, live: Object | None, schema: Schema | None) -> Outcome | Result:
    """The client-side apply, or `kubectl create` for an object whose name a server generates."""
    try:
        return engine.apply(inputs.config, live, schema, last_applied=inputs.given)
    except GeneratedName:
        return Result("created", "create", inputs.config, inputs.config)


def _stored(inputs: Inputs, played: Simulation, server: Server) -> Simulation:
    """Add the object that a server of the release stores for the config, or for an apply to a live object."""
    config = inputs.config
    try:
        server.require(config["apiVersion"], config["kind"])
    except NoMatch:  # a kind that is never stored
        return played
    played = played._replace(disabled=dict(server.disabled_fields(config)))
    answer = stored = server.check_create(config, fields=False)
    if isinstance(answer.error, Unreadable):
        return played._replace(unreadable=f"{answer.error.why} ({answer.error.advice})")
    if answer.problems:
        stored = server_of(server.release).check_create(config, fields=False, values=False)
    if inputs.live is not None:
        live = server.read(inputs.live.content)
        stored = server.kubectl_apply(config, live, manager=MANAGER, last_applied=inputs.given)
    return played._replace(stored=stored.object, answer=answer)


def _by_server(inputs: Inputs, side: Side, key: Key) -> Object | str | None:
    """The result of a forced server-side apply to a live object with managedFields."""
    if inputs.live is None or not inputs.live.content["metadata"].get("managedFields"):
        return None
    try:
        outcome = engine.server_side_apply(
            inputs.config,
            inputs.live.content,
            side.tables.schema(*key),
            manager=MANAGER,
            force=True,
            time="2000-01-01T00:00:00Z",
        )
    except engine.MergeError as error:
        return str(error)
    return outcome.merged


def _lacking(key: Key, until: Sequence[Side], *, known: bool) -> tuple[str, bool]:
    """The reason why the last side does not serve a kind, with the fix, or empty. Also whether it did before."""
    side = until[-1]
    release = side.tables.release
    found = lifecycle(*key) if release else None
    stopped = found is not None and release is not None and found.is_gone_in(release)
    if key in side.tables and not stopped:
        return "", False
    there = f"{key[0]} {key[1]} {NOT_SERVED}"
    if not known and not stopped:
        return unserved(key, side.tables), False
    before = stopped or any(key in one.tables for one in until)
    if not before:
        return there, False
    if found is None or release is None:
        now = moved(key, side.tables)
        return f"{there}{f' ({now[0].lower()}{now[1:]})' if now else ''}", True
    way = advice(*key, release)
    return f"{key[0]} {key[1]} was removed in {found.gone}{f' ({way})' if way else ''}", True


def without_way(problem: str) -> tuple[str, str]:
    """The reason for a kind's removal, and the fix, which is in parentheses."""
    text, _, way = problem.partition(" (")
    return text, way.removesuffix(")")
