"""The drift of one object: the fields that differ from the intent, and the object after the repair.

The API server of the release decides both: it handles the write of the tool as a dry run. Fields that another manager
keeps are sent with their live values, so the server leaves them alone.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import engine
from engine import FieldSet, MergeError
from engine.serverside.fields import trees
from engine.serverside.fields.locator import PathLocator
from engine.serverside.managers import APPLY
from engine.serverside.typed.compare import compare, equal
from engine.serverside.typed.extract import extract_paths
from engine.serverside.typed.merge import merge
from engine.serverside.typed.remove import remove_paths
from engine.serverside.typed.schema import atom_of
from engine.serverside.write_steps import with_managed_fields
from engine.values.plain import ABSENT

from ..migrate.places import Values, outermost, without_key
from ..plan.metadata import entries_of, owner_of
from ..plan.requests import Response
from .fields import NOT_IN_CONFIG, SERVED, Owners, fields_of, purpose, reordered, steps_of_path
from .model import ADDED, CHANGED, HAND_OVER, IGNORED, PATCH, REMOVED, DriftedField

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.serverside.fields.trees import Path, Tree

    from ..plan.requests import Requests
    from .intents import Intent

    Object = dict[str, Any]

REPLICAS = ("f:spec", "f:replicas")
NEWER = "the tool itself set the live value, so the config is newer"
EMPTIED = "the config has no value for the field"
GONE = "the field is not in the config any more"


class Drift:
    """The drift of an existing object. `autoscaler` is the autoscaler that scales it, if one is known."""

    def __init__(
        self, intent: Intent, live: Object, requests: Requests, *, force: bool = False, autoscaler: str = ""
    ) -> None:
        self.intent, self.live, self._requests = intent, live, requests
        self._force, self._autoscaler = force, autoscaler
        self.atom = atom_of(intent.inputs.schema)
        self._owners = Owners(live, intent.is_own)
        self._values: dict[int, tuple[Object, Values]] = {}
        self._wanted = fields_of(intent.config, self.atom)
        self._former = trees.without(self._formerly_applied(), trees.union(NOT_IN_CONFIG, SERVED))
        self.left: list[DriftedField] = []
        self._takes = True
        """Whether a server-side apply removes former fields that others changed."""
        self._is_kept = True
        """Whether the server accepts the write without changes of fields of others."""
        self._is_kept_on_purpose_only = False
        self._lost: Tree = trees.EMPTY
        """Fields of others that the server does not accept beside the config."""
        self._config = intent.config
        self.response = self.write(live)
        self._leave()
        self.target = self.response.object
        self._find()
        self._settle()
        self.fields = tuple(self._fields())
        self._others = self._fields_of_others()

    def _find(self) -> None:
        """Compare the live object with the target."""
        self._found = self._compared(self.target)
        self.removed = self._gone(self._found.removed)
        self._reset = trees.difference(trees.intersection(self._found.modified, self._former), self._wanted)
        former = trees.union(trees.intersection(self._found.removed, self._former), self._reset)
        self._covered = trees.union(self._wanted, trees.union(former, self.removed))

    def _settle(self) -> None:
        """Take the result of a second write if it differs: an emptied map becomes null first, and then empty."""
        if self.target is None or self._found.is_same:
            return
        again = self.write(self.target).object
        if again is not None and not equal(self._covered_part(again), self._covered_part(self.target)):
            self.target = again
            self._find()

    # ---- the write of the tool --------------------------------------------------------------------------------------

    def _formerly_applied(self) -> Tree:
        """The fields that the tool has sent before: its last config, and its server-side applies."""
        previous = self.intent.previous
        found = [fields_of(previous, self.atom)]
        for owner, tree in self._owners.own:
            if owner.operation == APPLY or (previous is None and owner.manager == self.intent.manager):
                found.append(tree)
        return trees.union_all(found)

    def write(self, live: Object) -> Response:
        """The tool's write to a state of the object, as a dry run. Conflicts are forced."""
        intent = self.intent
        schema = intent.inputs.schema
        if intent.is_server_side:
            return self._applied(live)
        try:
            outcome = engine.apply(self._config, live, schema, last_applied=intent.previous)
        except MergeError as error:
            return Response(None, (), (str(error),), error=error)
        if outcome.patch_type == "none":
            return Response(live)
        return self._requests.patch(
            *(live, self._config, outcome.patch, outcome.patch_type, schema), manager=intent.manager
        )

    def _applied(self, live: Object) -> Response:
        """A server-side apply. Former fields that others changed are removed too, if the server accepts that."""
        intent = self.intent
        response = Response(None)
        for takes in (True, False) if self._takes else (False,):
            start = self._with_former_fields(live, takes=takes)
            response = self._requests.apply(
                start, self._config, intent.inputs.schema, manager=intent.manager, force=True
            )
            self._takes = takes
            if response.object is not None:
                break
        return response

    def _with_former_fields(self, live: Object, *, takes: bool) -> Object:
        """The object whose former fields the tool owns, so that a server-side apply removes them."""
        gone = trees.difference(self._former, self._wanted)
        entries = []
        for entry in entries_of(live):
            tree = FieldSet.parse(entry.get("fieldsV1")).tree
            if self.intent.is_own(entry):
                continue
            if takes and (self._force or not purpose(owner_of(entry))):
                tree = trees.difference(tree, gone)
            if tree:
                entries.append({**entry, "fieldsV1": trees.to_fields_v1(tree)})
        if self._former:
            own = {"manager": self.intent.manager, "operation": APPLY, "apiVersion": self._config["apiVersion"]}
            fields = trees.to_fields_v1(self._former)
            entries.insert(0, {**own, "fieldsType": "FieldsV1", "fieldsV1": fields, "time": "2000-01-01T00:00:00Z"})
        return with_managed_fields(live, entries)

    # ---- fields of other managers -----------------------------------------------------------------------------------

    def _leave(self) -> None:
        """Find the fields that other managers keep, and write once more with their live values."""
        first = self.response.object
        if first is None:
            return
        found = self._compared(first)
        nulled = [path for path in trees.paths(found.removed) if self._is_emptied(path)]
        self._former = trees.union(self._former, trees.of_paths(nulled))
        kept = [path for path in trees.paths(trees.leaves(found.modified)) if self._is_handed_over(path, found)]
        unset = trees.union(found.removed, trees.difference(found.modified, self._wanted))
        kept += [path for path in trees.paths(trees.leaves(unset)) if self._is_of_others(path)]
        self._report_shared()
        on_purpose = [path for path in kept if self._reason_to_leave(path) or any(map(purpose, self._owners.of(path)))]
        if kept and not self._keep(kept) and not self._keep(on_purpose):
            self.left, self._is_kept = [], False
        elif self._is_kept_on_purpose_only:
            self._lost = trees.of_paths([path for path in kept if path not in on_purpose])

    def _keep(self, paths: list[Path]) -> bool:
        """Write once more with the live values of fields. Return whether the server accepts that."""
        values = extract_paths(self.live, trees.of_paths(paths), self.atom)
        config = self._config
        self._config = merge(config, {} if values is ABSENT else values, self.atom)
        response = self.write(self.live)
        if response.object is None:
            self._config = config
            self._is_kept_on_purpose_only = True
            return False
        self.response = response
        return True

    def _is_handed_over(self, path: Path, found: Any) -> bool:
        """Whether another manager keeps a field of the config."""
        if not trees.contains(self._wanted, path) or not trees.contains(found.modified, path):
            return False
        reason = self._reason_to_leave(path)
        if reason:
            self.left.append(self._field(path, CHANGED, HAND_OVER, reason))
        return bool(reason)

    def _is_of_others(self, path: Path) -> bool:
        """Whether a field that the write removes stays, because another manager owns it."""
        owners = self._owners.of(path)
        was_sent = trees.contains(self._former, path)
        if not owners or (was_sent and (self._force or not any(map(purpose, owners)))):
            return False
        if self._is_emptied(path):
            self.left.append(self._field(path, ADDED, HAND_OVER, self._reason_to_leave(path)))
        return True

    def _is_emptied(self, path: Path) -> bool:
        """Whether the config has an empty value for a field, or null around it, which removes the field."""
        if trees.contains(self._wanted, path):
            return True
        value: Any = self._config
        for element in path:
            value = value.get(element[2:], ABSENT) if isinstance(value, dict) and element[:2] == "f:" else ABSENT
            if value is None or value is ABSENT:
                return value is None
        return False

    def _reason_to_leave(self, path: Path) -> str:
        if self._force:
            return ""
        for owner in self._owners.of(path):
            reason = purpose(owner, is_replicas=path == REPLICAS)
            if reason:
                return f"{owner.manager} keeps the field: {reason}"
        if path == REPLICAS and self._autoscaler:
            return f"{self._autoscaler} scales the object"
        return ""

    def _report_shared(self) -> None:
        """List the fields that the tool sent before and that others own now."""
        gone = trees.leaves(trees.difference(self._former, self._wanted))
        for path in dict.fromkeys(without_key(path) for path in trees.paths(gone)):
            purposes = [(one.manager, purpose(one)) for one in self._owners.of(path)]
            known = [(name, reason) for name, reason in purposes if reason]
            if (
                known
                and not self._force
                and self._value(self.live, path) is not None
                and not trees.leads_into(self._wanted, path)
            ):
                reason = f"not in the config any more, but {known[0][0]} owns the field: {known[0][1]}"
                self.left.append(self._field(path, ADDED, IGNORED, reason))

    # ---- drift ------------------------------------------------------------------------------------------------------

    def _compared(self, after: Object | None) -> Any:
        if after is None:
            return compare(self.live, self.live, self.atom)
        return compare(self.live, after, self.atom).filter(lambda tree: trees.without(tree, SERVED))

    def _gone(self, removed: Tree) -> Tree:
        """The outermost removed fields that the tool sent before."""
        found = [path for path in outermost(removed) if trees.leads_into(self._former, path)]
        return trees.of_paths(found)

    def _fields(self) -> Iterator[DriftedField]:
        if self.target is not None:
            found = self._found
            added = trees.intersection(found.added, self._wanted)
            drifted = dict.fromkeys(
                trees.paths(trees.leaves(trees.intersection(found.modified, self._wanted))), CHANGED
            )
            drifted |= dict.fromkeys([*outermost(added)], REMOVED)
            unset = trees.union(self.removed, self._reset)
            drifted |= dict.fromkeys([*trees.paths(trees.leaves(unset))], ADDED)
            there = PathLocator(self.target).in_order([path for path, drift in drifted.items() if drift != ADDED])
            gone = PathLocator(self.live).in_order([path for path, drift in drifted.items() if drift == ADDED])
            for path in (*there, *gone):
                yield self._field(path, drifted[path], PATCH)
            for path, order in reordered(self._covered_part(self.live), self._covered_part(self.target), self.atom):
                yield replace(self._field(path, CHANGED, PATCH, "the elements are in another order"), intended=order)
        yield from self.left
        yield from self.intent.ignored

    def _field(self, path: Path, drift: str, repair: str, reason: str = "") -> DriftedField:
        intended = None if drift == ADDED else self._value(self.intent.config, path)
        if intended is None and drift != ADDED and self.response.object is not None:
            intended = self._value(self.response.object, path)
        live = self._value(self.live, path)
        owners = () if live is None else self._owners.of(path) or self._owners.own_of(path)
        if not reason and drift == CHANGED and not self._owners.of(path) and owners:
            reason = NEWER
        if not reason and drift == ADDED:
            reason = EMPTIED if self._is_emptied(path) else GONE
        return DriftedField(steps_of_path(path), drift, repair, intended, live, owners, reason)

    def _value(self, document: Object, path: Path) -> Any:
        """The value at a path of a document, or None. Each document is searched once."""
        known = self._values.get(id(document))
        if known is None or known[0] is not document:
            known = self._values[id(document)] = document, Values(document, self.atom)
        return known[1].at(path)

    def _fields_of_others(self) -> Tree:
        """The fields of other managers that the repair must not change.

        The server itself changes some with others: a Service of another type loses fields of its old type.
        """
        others = trees.without(trees.without(self._owners.tree_of_others, self._repaired()), self._lost)
        changed = trees.intersection(others, trees.union(self._found.set, self._found.removed))
        if not changed or not self._is_kept:
            return others
        body = engine.two_way_patch(self.live, self.goal, None)
        config, schema = self.intent.config, self.intent.inputs.schema
        stored = self._requests.patch(self.live, config, body, "merge", schema, manager=self.intent.manager).object
        if stored is not None:
            found = self._compared(stored)
            changed = trees.intersection(changed, trees.union(found.set, found.removed))
        return trees.difference(others, changed)

    def _repaired(self) -> Tree:
        """The fields that the repair changes."""
        unset = trees.union(self.removed, self._reset)
        return trees.union(trees.intersection(self._found.set, self._wanted), unset)

    @cached_property
    def is_stable(self) -> bool:
        """Whether the tool's next write keeps the intended fields. Lists with duplicates may change every time."""
        again = None if self.target is None else self.write(self.target).object
        return again is not None and self.is_repaired(again)

    # ---- verification -----------------------------------------------------------------------------------------------

    @property
    def goal(self) -> Object:
        """The live object with the intended fields only, without other changes that the server makes."""
        part = self._covered_part(self.target)
        found: Object = remove_paths(self.live, self.removed, self.atom) or {}
        merged: Object = merge(found, part, self.atom)
        return merged

    def _covered_part(self, content: Object | None) -> Any:
        found = extract_paths(content or {}, self._covered, self.atom)
        return {} if found is ABSENT else found

    def is_repaired(self, result: Object) -> bool:
        """Whether an object has all intended fields, and the live values of other managers."""
        return not self.unrepaired(result) and not self.disturbed(result)

    def unrepaired(self, result: Object) -> Tree:
        """The fields of an object that differ from the intended ones, and lists in another order."""
        now = self._covered_part(result)
        found = compare(self._wanted_part, now, self.atom)
        order = trees.of_paths([path for path, _ in reordered(now, self._wanted_part, self.atom)])
        return trees.union(trees.union(found.removed, found.set), order)

    @cached_property
    def _wanted_part(self) -> Any:
        """The intended fields of the object after the repair."""
        return self._covered_part(self.target)

    def disturbed(self, result: Object) -> list[str]:
        """The fields of other managers whose values a write changes."""
        one, other = (extract_paths(content, self._others, self.atom) for content in (self.live, result))
        one, other = ({} if content is ABSENT else content for content in (one, other))
        found = compare(one, other, self.atom)
        changed = trees.union(found.removed, found.set)
        return [str(engine.paths.render(steps_of_path(path))) for path in outermost(changed)]
