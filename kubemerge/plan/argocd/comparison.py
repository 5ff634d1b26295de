"""Argo CD's comparison: whether an object is OutOfSync.

It follows `pkg/diff` of Argo CD v3.6.1: a three-way diff with the last-applied configuration, or a server-side diff.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import engine
from engine.clientside.last_applied import read_last_applied, without_last_applied
from engine.errors import MergeError
from engine.serverside.fields import trees
from engine.serverside.fields.path_elements import to_step
from engine.serverside.managers import managed_fields_of
from engine.serverside.typed.compare import compare
from engine.serverside.typed.merge import merge
from engine.serverside.typed.remove import remove_paths
from engine.serverside.typed.schema import atom_of
from engine.serverside.typed.to_field_set import to_field_set
from engine.serverside.typed.validate import validate
from engine.values.go_json import encode
from engine.values.plain import same
from engine.values.secrets import data_of

from ...apiserver.decoding.unknown_fields import unknown_fields
from ...apiserver.defaulting.fill import apply_defaults
from ...apiserver.pipeline import server_of
from ..typed import as_typed, with_integers

if TYPE_CHECKING:
    from engine import Schema
    from engine.serverside.fields.trees import Path, Tree

    from .ignore_differences import IgnoreRules

    Object = dict[str, Any]

LIBRARIES = "1.37"
"""The Kubernetes release whose Go types Argo CD is built with."""
NOT_DEFAULTED = frozenset({"resource.k8s.io", "storagemigration.k8s.io", "internal.apiserver.k8s.io"})
"""Groups whose default values Argo CD does not know."""
_SERVED = ("managedFields", "resourceVersion", "generation", "creationTimestamp")


class ArgoDiff:
    """Compares live objects with the config, with the settings of one Application."""

    def __init__(self, rules: IgnoreRules, *, ignores_aggregated_roles: bool) -> None:
        self._rules, self._ignores_aggregated_roles = rules, ignores_aggregated_roles

    def differs(self, live: Object, target: Object, schema: Schema | None) -> bool:
        """Whether the three-way diff finds a change."""
        live, target = (self._normalized(remarshalled(one)) for one in (live, target))
        try:
            last = read_last_applied(live)
            is_object = last is not None and {"apiVersion", "kind", "metadata"} <= last.keys()
            original = self._normalized(without_last_applied(last)) if is_object and last is not None else None
        except MergeError:
            original = None
        if original is not None:
            try:
                return _three_way(original, target, live, schema)
            except MergeError:
                pass
        return _three_way(target, target, live, schema)

    def differs_on_server(self, live: Object, predicted: Object, manager: str, schema: Schema | None) -> bool:
        """Whether the result of the server-side apply has a change in a field of Argo CD."""
        live = self.prepared(live)
        states = [
            self._normalized(remarshalled(_own_changes(live, predicted, manager, schema))),
            self._normalized(live),
        ]
        one, other = (_without_server_fields(without_last_applied(state)) for state in states)
        return not same(with_integers(one), with_integers(other))

    def prepared(self, content: Object) -> Object:
        """The object before a server-side diff, with its ignored fields. The config is sent in this form."""
        return self._cleaned(remarshalled(content))

    def _normalized(self, content: Object) -> Object:
        return self._rules.normalized(self._cleaned(content))

    def _cleaned(self, content: Object) -> Object:
        metadata = {key: value for key, value in content["metadata"].items() if key != "creationTimestamp"}
        content = {**content, "metadata": metadata}
        group, kind = content["apiVersion"].rpartition("/")[0], content["kind"]
        if (group, kind) == ("", "Secret"):
            content = _normalized_secret(content)
        elif (group, kind) == ("", "Endpoints"):
            content = _normalized_endpoints(content)
        elif group == "rbac.authorization.k8s.io" and kind in ("Role", "ClusterRole"):
            if self._ignores_aggregated_roles and isinstance(content.get("aggregationRule"), dict):
                content = {**content, "rules": None}
            if content.get("rules") == []:
                content = {**content, "rules": None}
        return content


# ---- three-way diff -------------------------------------------------------------------------------------------------


def _three_way(original: Object, target: Object, live: Object, schema: Schema | None) -> bool:
    original, target = (_without_namespace(one) for one in (original, target))
    if as_typed(_identity(target), LIBRARIES) is None:
        reduced = _only_fields_of(original, live)
        patch = engine.json_three_way_patch(original, target, reduced)
        predicted = engine.json_apply_patch(live, patch)
        return not same(with_integers(predicted), with_integers(live))
    compared = live
    if target["kind"] == "StatefulSet":
        compared = _without_claim_defaults(original, live)
    patch = engine.three_way_patch(original, target, compared, schema)
    predicted = engine.apply_patch(live, patch, schema)
    return not same(_defaulted(predicted, schema), _defaulted(live, schema))


def _identity(content: Object) -> Object:
    return {"apiVersion": content["apiVersion"], "kind": content["kind"], "metadata": {}}


def _defaulted(content: Object, schema: Schema | None) -> Object:
    """The object with default values. Unknown fields are kept."""
    content = with_integers(content)
    typed = as_typed(content, LIBRARIES)
    if typed is None or content["apiVersion"].rpartition("/")[0] in NOT_DEFAULTED:
        return content
    try:
        patch = engine.two_way_patch(typed, apply_defaults(typed, LIBRARIES), schema)
        return engine.apply_patch(content, patch, schema)
    except MergeError:
        return content


def _without_namespace(content: Object) -> Object:
    metadata = {key: value for key, value in content["metadata"].items() if key != "namespace"}
    if not metadata.get("annotations", True):
        del metadata["annotations"]
    return {**content, "metadata": metadata}


def _without_claim_defaults(original: Object, live: Object) -> Object:
    """A StatefulSet whose claim templates have only the fields of the last config."""
    field = "volumeClaimTemplates"
    mine, theirs = ((one.get("spec") or {}).get(field) for one in (original, live))
    if not isinstance(mine, list) or not isinstance(theirs, list):
        return live
    return {**live, "spec": {**live["spec"], field: _only_fields_of(mine, theirs)}}


def _only_fields_of(config: Any, live: Any) -> Any:
    """The fields of a live value that a config also has. Additional list elements are kept."""
    if isinstance(config, dict) and isinstance(live, dict):
        return {key: _only_fields_of(value, live[key]) for key, value in config.items() if key in live}
    if isinstance(config, list) and isinstance(live, list):
        pairs = zip(config, live, strict=False)
        return [*(_only_fields_of(one, other) for one, other in pairs), *live[len(config) :]]
    return live


def remarshalled(content: Object) -> Object:
    """The object after a round trip through Go's types, without added fields; unchanged if it has unknown fields."""
    content = with_integers(content)
    typed = as_typed(content, LIBRARIES)
    if typed is None:
        return content
    kinds = server_of(LIBRARIES).kinds
    if unknown_fields(content, kinds.resource(content["apiVersion"], content["kind"]), kinds):
        return content
    found: Object = _only_fields_of(content, typed)
    return found


def _normalized_secret(content: Object) -> Object:
    if isinstance(content.get("stringData"), dict):
        content = {**content, "data": data_of(content)}
        del content["stringData"]
    elif not isinstance(content.get("data"), dict):
        return content
    return {**content, "data": {key: "" if value is None else value for key, value in content["data"].items()}}


def _normalized_endpoints(content: Object) -> Object:
    """Endpoints as Go's types print them, with the default protocol, and with all lists in one order."""
    typed = as_typed(content, LIBRARIES)
    if typed is None:
        return content
    subsets = [
        {
            field: _in_one_order([{"protocol": "TCP", **one} if field == "ports" else one for one in values])
            for field, values in subset.items()
        }
        for subset in typed.get("subsets") or ()
    ]
    return {**typed, "subsets": _in_one_order(subsets)} if subsets else typed


def _in_one_order(values: list[Object]) -> list[Object]:
    return sorted(values, key=encode)


# ---- server-side diff -----------------------------------------------------------------------------------------------


def _own_changes(live: Object, predicted: Object, manager: str, schema: Schema | None) -> Object:
    """The live object with the changes of fields that Argo CD owns. Changes by webhooks and defaults are left out."""
    atom = atom_of(schema)
    for state in (predicted, live):
        validate(state, atom, duplicates=False)  # Argo CD's comparison fails here, too
    after, before = (_fields_of(one, manager) for one in (predicted, live))
    others = _without_ancestors(trees.difference(to_field_set(predicted, atom), after), after)
    removed = trees.difference(compare(live, predicted, atom).removed, others)
    foreign = _without_ancestors(trees.difference(removed, before), before)
    removed = trees.difference(removed, foreign)
    others = trees.of_paths([path for path in trees.paths(others) if not _is_composite_key(path)])
    found = merge(live, remove_paths(predicted, others, atom) or {}, atom)
    result: Object = remove_paths(found, removed, atom) or {}
    return result


def _without_ancestors(tree: Tree, owned: Tree) -> Tree:
    """The paths of a tree below which a manager owns no field."""
    return trees.of_paths([path for path in trees.paths(tree) if not _has_inside(owned, path)])


def _has_inside(tree: Tree, path: Path) -> bool:
    for element in path:
        inner = tree.get(element)
        if not inner:
            return False
        tree = inner
    return True


def _is_composite_key(path: Path) -> bool:
    """Whether a path is one of several keys of a list element."""
    for element in reversed(path[:-1]):
        keys = to_step(element) if element[0] == "k" else ()
        if isinstance(keys, tuple) and len(keys) > 1 and path[-1][2:] in dict(keys):
            return True
    return False


def _fields_of(content: Object, manager: str) -> Tree:
    own = [entry for entry in managed_fields_of(content) or () if entry.get("manager") == manager]
    return trees.union_all([engine.FieldSet.parse(entry.get("fieldsV1")).tree for entry in own])


def _without_server_fields(content: Object) -> Object:
    metadata = {key: value for key, value in content["metadata"].items() if key not in _SERVED}
    return {**content, "metadata": metadata}
