"""Predictions for applies to live objects from files: the object that a server of the release stores."""

from __future__ import annotations

from engine.clientside.last_applied import without_last_applied
from engine.values.plain import same

from ..actions.serverside.managers import APPLY
from ..apiserver.errors import BadRequest, Invalid, NoMatch, PolicyRejection
from ..apiserver.kinds.builtin_kinds import DEFINITION
from ..apiserver.pipeline import Server
from ..apiserver.policies.decisions import PolicyWarning
from .pairs import Inputs, Merged, MergeOptions, apply_on_server, left_out_line, merge
from .refused import in_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from ..apiserver.pipeline import Stored
    from .pairs import OnServer

    Object = dict[str, Any]

NEIGHBOURS = frozenset(
    {"IngressClass", "LimitRange", "Namespace", "PriorityClass", "RuntimeClass", "Service", "StorageClass"}
)
"""Kinds whose objects affect the validation or defaults of other objects."""


def server_beside(
    release: str | None,
    definitions: Iterable[Object],
    live: Iterable[Object],
    policies: Sequence[Object] = (),
    **options: bool,
) -> Server:
    """A server with the definitions and admission policies, and with those live objects that affect others."""
    live = list(live)
    return Server(
        release,
        [*definitions, *(one for one in live if one.get("kind") == DEFINITION[1])],
        [one for one in live if one.get("kind") in NEIGHBOURS],
        policies=policies,
        **options,
    )


class Prediction:
    """A server in memory that handles one apply after another, without storing the results.

    `live` are all live objects; those that affect others are in its cluster. `policies` are admission policies with
    their bindings and params. `report` gets each rejection, `warn` the warnings of policies, `detail` the reasons for
    incomplete predictions, and `left_out` the values that only a server can choose. With `strict`, a rejection is
    raised. `as_diff` sends the request of `kubectl diff`, which keeps the last-applied annotation. Otherwise, it sends
    the request of `kubectl apply`.
    """

    def __init__(
        self,
        release: str | None,
        definitions: Iterable[Object] = (),
        live: Iterable[Object] = (),
        policies: Sequence[Object] = (),
        *,
        report: Callable[[Merged, str], None] = lambda _, __: None,
        warn: Callable[[Merged, str], None] = lambda _, __: None,
        detail: Callable[[str], None] = lambda _: None,
        left_out: Callable[[str], None] = lambda _: None,
        strict: bool = False,
        as_diff: bool = True,
    ) -> None:
        self._left_out, self._as_diff = left_out, as_diff
        self._server = server_beside(release, definitions, live, policies, as_diff=as_diff, is_complete=strict)
        self._report, self._warn, self._detail, self._strict = report, warn, detail, strict

    def of(self, merged: Merged, how: MergeOptions, by: OnServer | None = None) -> Merged:
        """Add the object that the server stores; unchanged if the server rejects it or lacks its kind.

        The live object is read first as a server reads it, because a file may lack default values.
        """
        if merged.outcome.patch_type == "none" or not self._serves(merged.inputs):
            return merged
        live = merged.before
        if live is not None and by is None and not self._patch(merged):
            return Merged(merged.inputs, merged.outcome, live)
        read = None if live is None else self._server.read(live)
        sent = merged if same(read, live) else self._merged(merged.inputs, read, how, by)
        if sent.outcome.patch_type == "none":  # the file lacked default values
            return Merged(merged.inputs, merged.outcome, live)
        stored = self._stored(sent, by)
        for text in stored.warnings:
            if isinstance(text, PolicyWarning):
                self._warn(merged, text)
        if stored.object is None:
            return self._rejected(merged, stored)
        if stored.left_out:
            self._left_out(left_out_line(merged.inputs, stored.left_out))
        if live is None and not self._as_diff and not sent.inputs.config["metadata"].get("namespace"):
            stored.object["metadata"].pop("namespace", None)  # kubectl takes it from its context
        return Merged(merged.inputs, merged.outcome, unfilled(stored.object, read, live))

    def _serves(self, inputs: Inputs) -> bool:
        try:
            self._server.require(*inputs.manifest.key)
        except NoMatch as error:
            if self._strict and not error.may_be_custom:
                raise
            return False
        return True

    def _merged(self, inputs: Inputs, read: Object | None, how: MergeOptions, by: OnServer | None) -> Merged:
        """The apply to the live object as a server returns it."""
        live = None if inputs.live is None or read is None else inputs.live.with_content(read)
        whole = Inputs(inputs.manifest, live, inputs.schema, inputs.given, inputs.elsewhere, inputs.unserved)
        return apply_on_server(whole, by) if by is not None else merge(whole, how)

    def _stored(self, merged: Merged, by: OnServer | None) -> Stored:
        inputs, outcome = merged.inputs, merged.outcome
        if by is not None:
            return self._server.apply(merged.before, inputs.config, manager=by.manager, force=by.force)
        if merged.before is None:
            return self._server.create(self._patch(merged), manager=APPLY)
        return self._server.patch(merged.before, inputs.config, self._patch(merged), outcome.patch_type, manager=APPLY)

    def _patch(self, merged: Merged) -> Object:
        """The patch or new object that is sent."""
        patch = merged.outcome.patch
        return without_last_applied(patch) if self._as_diff else patch

    def _rejected(self, merged: Merged, stored: Stored) -> Merged:
        """The merge without a prediction. Problems that live already has are not reported."""
        error = stored.error
        if self._strict and error is not None:
            raise error
        if not isinstance(error, (Invalid, BadRequest, PolicyRejection)):
            self._detail(f"{merged.inputs.title}: shown without server defaults: {error}")
            return merged
        known = set() if merged.before is None else {*self._server.known_problems(merged.before)}
        problems = [one for one in stored.problems if one not in known]
        if problems:
            self._report(merged, in_words(problems, merged.after))
        return merged


def unfilled(stored: Any, read: Any, live: Any) -> Any:
    """The stored object without the values that a server defaults when it reads live, unless they have changed."""
    if type(stored) is dict and type(read) is dict and type(live) is dict:
        found = {}
        for key, value in stored.items():
            if key in live or key not in read:
                found[key] = unfilled(value, read.get(key), live.get(key))
            elif not same(value, read[key]):
                found[key] = value
        return found
    if type(stored) is list and type(read) is list and type(live) is list and len(read) == len(live):
        places: dict[Any, int] = {}
        for place, other in enumerate(read):
            if type(other) is dict and isinstance(other.get("name"), str):
                places.setdefault(other["name"], place)
        return [_unfilled_element(one, at, stored, read, live, places) for at, one in enumerate(stored)]
    return stored


def _unfilled_element(
    one: Any, at: int, stored: list[Any], read: list[Any], live: list[Any], places: dict[Any, int]
) -> Any:
    """An element, compared with live's element of the same name, or by position if the lists are as long."""
    name = one.get("name") if type(one) is dict else None
    if isinstance(name, str):
        at = places.get(name, -1)
    elif name is not None:
        at = next((place for place, other in enumerate(read) if type(other) is dict and other.get("name") == name), -1)
    elif len(stored) != len(read):
        return one
    return one if at < 0 else unfilled(one, read[at], live[at])
