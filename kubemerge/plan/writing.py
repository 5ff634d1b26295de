"""The plan of one object from the server's response to a tool's request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine import MergeError
from engine.clientside.last_applied import annotations_of, read_last_applied, without_last_applied
from engine.directives import ANNOTATION
from engine.serverside.fields import trees

from ..output.problems import masked
from .model import CHANGED, CREATED, REFUSED, SERVER_SIDE, UNCHANGED, Advice, PlannedObject

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.serverside.fields.trees import Tree

    from ..offline.pairs import Inputs
    from .fields import Comparison
    from .model import FieldConflict
    from .requests import Response

    Object = dict[str, Any]

UNTRACKED = (
    "the live object has no managedFields, so its owners are unknown. "
    "Pass the output of `kubectl get -o yaml --show-managed-fields`"
)


def untracked_note(live: Object | None) -> tuple[str, ...]:
    """A note if the owners of the live object's fields are unknown."""
    return (UNTRACKED,) if live is not None and not live["metadata"].get("managedFields") else ()


def last_applied_of(live: Object | None) -> list[Object]:
    """The last applied config of client-side apply, as a list; empty if there is none that can be read."""
    try:
        last = None if live is None else read_last_applied(live)
    except MergeError:
        return []
    return [] if last is None else [without_last_applied(last)]


def plan_without_write(
    content: Object, method: str, action: str, before: Object | None, after: Object | None
) -> PlannedObject:
    """The plan of an object for which no request is sent, or only a deletion."""
    metadata = content["metadata"]
    identity = (content["apiVersion"], content["kind"], metadata.get("namespace"), metadata["name"])
    return PlannedObject(*identity, method, action, before=before, after=after, config=content)


def planned(
    inputs: Inputs,
    method: str,
    compared: Comparison,
    live: Object | None,
    response: Response,
    *,
    config: Object | None = None,
    previous: Sequence[Object] = (),
    advice: Callable[[FieldConflict], tuple[Advice, ...]] = lambda _: (),
    keeping: str = "",
    former: Tree = trees.EMPTY,
    drift: str = "",
    notes: tuple[str, ...] = (),
) -> PlannedObject:
    """The plan of one object. `config` is the object as the tool sends it, and `previous` are earlier configs.

    `keeping` is the fix that keeps the values of other managers, for a tool that takes their fields over. `former` has
    the fields that other field managers of the tool have set before.
    """
    sent = inputs.config if config is None else config
    after = response.object
    changes = compared.changes(after)
    overwritten = () if live is None else compared.overwritten(changes, sent)
    stuck = compared.stuck(sent, previous, after, on_server=method == SERVER_SIDE, former=former, drift=drift)
    metadata = sent["metadata"]
    return PlannedObject(
        *(sent["apiVersion"], sent["kind"], metadata.get("namespace"), metadata.get("name", "")),
        *(method, _action(live, response, changed=bool(changes) or _annotation_changed(live, after)), compared.manager),
        changes=changes,
        conflicts=compared.conflicts(response.conflicts, sent, advice),
        overwritten=overwritten,
        advice=(Advice(keeping),) if keeping and any(one.config is not None for one in overwritten) else (),
        stuck=stuck,
        problems=problem_texts(response, sent),
        notes=(*notes, *response.warnings),
        before=live,
        after=after,
        config=sent,
        place=inputs.manifest.place,
    )


def _action(live: Object | None, response: Response, *, changed: bool) -> str:
    if response.object is None:
        return REFUSED
    if live is None:
        return CREATED
    return CHANGED if changed else UNCHANGED


def _annotation_changed(live: Object | None, after: Object | None) -> bool:
    """Whether the annotation of client-side apply changes."""
    if live is None or after is None:
        return False
    one, other = ((annotations_of(document) or {}).get(ANNOTATION) for document in (live, after))
    return one != other


def problem_texts(response: Response, content: Object) -> tuple[str, ...]:
    """The problems of a rejected request. Values of Secrets are masked."""
    return tuple([one if isinstance(one, str) else str(masked(one, content)) for one in response.problems])
