"""What an API server of one release makes of an object: what it cannot read, what it drops, and what it stores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine.tables.served import is_of_kubernetes, moved, unserved

from ...apiserver.decoding import typed, unknown
from ...apiserver.decoding.decoded import decoded
from ...apiserver.defaulting.fill import filled
from ...apiserver.errors import ClusterError
from ...apiserver.kinds.deprecated import lifecycle, way_out
from ...apiserver.registry.strategy import prepared, warnings
from ...apiserver.resources import built_in
from ...apiserver.validation import validation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Outcome

    from ...apiserver.problems import Problem
    from ...apiserver.resources import Kinds
    from ...offline.pairs import Inputs
    from ..chain import Side

    Object = dict[str, Any]
    Key = tuple[str, str]

MANAGER = "kubectl"
"""By which name a server-side apply is tried."""


class Played(NamedTuple):
    """One object under the rules of one side."""

    side: Side
    outcome: Outcome | None
    """The client-side apply; None if there is none, and `problem` says why."""
    problem: str = ""
    gone: bool = False
    """Whether the side does not serve the kind any more; with a problem and without this, it does not serve it yet."""
    unreadable: str = ""
    """Why a server cannot read the object: a field holds what it cannot hold."""
    dropped: tuple[str, ...] = ()
    """The places of fields that the side does not have."""
    stored: Object | None = None
    """The object with default values, without what is dropped; None if that is not known."""
    asked: Object | None = None
    """The config alone as the server reads it; None if that is not known."""
    by_server: Object | str | None = None
    """The live object after a server-side apply, or why there is none; None if it was not tried."""

    def refused(self) -> list[Problem]:
        """The problems for which the newest server rejects the config."""
        if self.asked is None:
            return []
        return validation.problems(_with_account(self.asked), None, release=self.side.tables.release)

    def warned(self) -> list[str]:
        """What the newest server warns of in the config."""
        return [] if self.asked is None else warnings(self.asked, None)


def play(inputs: Inputs, key: Key, until: Sequence[Side], *, known: bool) -> Played:
    """The object under the rules of the last of these sides."""
    side = until[-1]
    problem, gone = _lacking(key, until, known=known)
    if problem:
        return Played(side, None, problem, gone)
    schema = side.tables.schema(*key) if known else None
    live = inputs.live.content if inputs.live else None
    try:
        outcome = engine.apply(inputs.config, live, schema, last_applied=inputs.given)
    except engine.MergeError as error:
        return Played(side, None, str(error))
    played = Played(side, outcome)
    if schema is None:
        return played
    dropped = tuple(unknown.unknown_to(inputs.config, schema))
    played = played._replace(dropped=dropped, by_server=_by_server(inputs, side, key))
    release = side.tables.release
    if release is None or not is_of_kubernetes(key[0]):  # nobody knows what the server of a specification fills in
        return played
    return _admitted(inputs.config, outcome.merged if live else None, key, played, built_in(release))


def _admitted(config: Object, merged: Object | None, key: Key, played: Played, kinds: Kinds) -> Played:
    """The same with what a server of the release makes of the config, and of an apply to a live object."""
    try:
        resource = kinds.resource(*key)
    except ClusterError:  # a kind that nobody stores
        return played
    problem, advice = typed.unreadable(config, resource, kinds)
    if problem:
        return played._replace(unreadable=f"{problem}; {advice}")
    asked = prepared(filled(decoded(config, resource, kinds), kinds.release), None)
    whole = asked
    if merged is not None and not typed.unreadable(merged, resource, kinds)[0]:
        whole = filled(decoded(merged, resource, kinds), kinds.release)
    return played._replace(stored=whole, asked=asked)


def _with_account(asked: Object) -> Object:
    """The object as it is checked: a server gives pods a service account before."""
    spec = asked.get("spec")
    if asked["kind"] != "Pod" or not isinstance(spec, dict) or spec.get("serviceAccountName"):
        return asked
    return {**asked, "spec": {**spec, "serviceAccountName": "default"}}


def _by_server(inputs: Inputs, side: Side, key: Key) -> Object | str | None:
    """What a server-side apply makes of a live object that says who owns what; it takes over what others own."""
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
    """Why the last side does not serve a kind, with the way out, and whether it did before; empty if it serves it."""
    side = until[-1]
    release = side.tables.release
    found = lifecycle(*key) if release else None
    stopped = found is not None and release is not None and found.is_gone_in(release)
    if key in side.tables and not stopped:
        return "", False
    there = f"there is no {key[1]} of {key[0]}"
    if not known and not stopped:
        return unserved(key, side.tables), False
    before = stopped or any(key in one.tables for one in until)
    if not before:
        return there, False
    if found is None or release is None:
        now = moved(key, side.tables)
        return f"{there}{f'; {now}' if now else ''}", True
    way = way_out(*key, release)
    return f"{there} since {found.gone}{f'; {way}' if way else ''}", True
