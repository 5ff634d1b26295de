"""Patch methods: the patch type that `kubectl apply` uses for a kind, its computation and its explanation."""

from __future__ import annotations

from .. import aliases
from ..errors import BadMergeKey, MergeError, NotASchema, UnclearConflict, brief
from ..json_merge import json_apply_patch, three_way_patch_of
from ..patches import strategic_apply, strategic_three_way
from ..tables.behaviour import NEWEST, READS_NO_RULES
from ..tables.patch_schema import patch_schema
from ..values.immutable import Record
from ..values.plain import same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..tables.behaviour import Behaviour
    from ..tables.schema import Schema
    from ..values.plain import Object

IDENTITY = ("apiVersion", "kind", "metadata.name")
"""Identity fields that a JSON merge patch must not change; kubectl checks only this patch type."""
NOT_COMPILED_IN = frozenset({"apiextensions.k8s.io", "apiregistration.k8s.io"})
"""Kubernetes API groups that are not compiled into any kubectl."""


class Method(Record):
    """One way to patch an object.

    patch_type     "strategic" or "merge"
    merges_lists   true if lists merge by the rules of the schema
    """

    __slots__ = ("safe", "schema")

    patch_type: aliases.PatchType
    merges_lists: bool

    def __init__(self, schema: Schema | None, *, safe: bool) -> None:
        self.schema, self.safe = schema, safe

    @property
    def behaviour(self) -> Behaviour:
        """The differences of the release from the newest one."""
        return NEWEST if self.schema is None else self.schema.types.behaviour

    @property
    def fallback(self) -> Method | None:
        """The method that kubectl falls back to if this one fails; None if there is none."""
        return None

    @property
    def lossless(self) -> bool:
        """True if a config that cannot be merged without loss is an error, even on create.

        List elements are then identified by all of their keys.
        """
        return False

    def explained_by(self) -> Schema | None:
        """The schema whose rules explain the outcome."""
        return self.schema

    def patch(self, last: Object | None, config: Object, live: Object) -> Object:
        """The patch from `live` to `config`; empty if nothing has to be sent."""
        raise NotImplementedError

    def merged(self, live: Object, patch: Object) -> Object:
        """The live object after the server has applied the patch."""
        raise NotImplementedError


class JsonMerge(Method):
    """JSON merge patch, which replaces lists: for custom resources and unknown kinds."""

    __slots__ = ()

    patch_type: aliases.PatchType = "merge"
    merges_lists = False

    def patch(self, last: Object | None, config: Object, live: Object) -> Object:
        patch = three_way_patch_of(self.behaviour, last, config, live, IDENTITY)
        return {} if self.safe and same(json_apply_patch(live, patch), live) else patch

    def merged(self, live: Object, patch: Object) -> Object:
        return json_apply_patch(live, patch)


class JsonMergeByKeys(JsonMerge):
    """JSON merge patch for custom resources, with lists merged by the keys in their schema."""

    __slots__ = ()

    schema: Schema
    merges_lists = True

    @property
    def lossless(self) -> bool:
        return True

    def explained_by(self) -> Schema:
        from ..custom.lists import merging_lists

        return merging_lists(self.schema)

    def patch(self, last: Object | None, config: Object, live: Object) -> Object:
        from ..custom.lists import patch_by_schema

        return patch_by_schema(last or {}, config, live, self.schema, IDENTITY)


class Strategic(Method):
    """Strategic merge patch, which merges lists by their merge keys: for built-in kinds."""

    __slots__ = ("overwrite",)

    schema: Schema
    patch_type: aliases.PatchType = "strategic"
    merges_lists = True

    def __init__(self, schema: Schema, *, safe: bool, overwrite: bool) -> None:
        super().__init__(schema, safe=safe)
        self.overwrite = overwrite

    @property
    def fallback(self) -> Method | None:
        """A JSON merge patch for a kind that is not compiled into kubectl, unless the merge must be lossless."""
        return None if self.safe or is_compiled_in(self.schema) else JsonMerge(self.schema, safe=False)

    @property
    def lossless(self) -> bool:
        return self.safe

    def patch(self, last: Object | None, config: Object, live: Object) -> Object:
        return strategic_three_way(last or {}, config, live, patch_schema(self.schema), self.overwrite, self.safe)

    def merged(self, live: Object, patch: Object) -> Object:
        return strategic_apply(live, patch, patch_schema(self.schema))


def patch_by(method: Method, last: Object | None, config: Object, live: Object) -> tuple[Method, Object, list[str]]:
    """The method that finally made the patch, the patch, and a warning if the given method failed."""
    try:
        return method, method.patch(last, config, live), []
    except MergeError as error:
        if method.fallback is None or _crashes(error):
            raise
        why = f"no strategic merge patch ({error})"
    way = "sends a JSON merge patch, which replaces lists and overwrites"
    warning = f"{why}, so kubectl, which has no compiled types for this kind, {way}"
    return method.fallback, method.fallback.patch(last, config, live), [warning]


def _crashes(error: MergeError) -> bool:
    """True if kubectl crashes where this error is raised, so it has no fallback."""
    return isinstance(error, (BadMergeKey, UnclearConflict)) or getattr(error, "crashes", False)


def method_of(schema: Schema | None, overwrite: bool, safe: bool, lists: aliases.Lists) -> Method:
    """The method that kubectl would use, unless `safe` or `lists` selects another one."""
    if lists not in ("kubectl", "schema"):
        raise MergeError(f"lists is 'kubectl' or 'schema', not {brief(lists)}")
    if schema is not None and takes_strategic(schema):
        return Strategic(schema, safe=safe, overwrite=overwrite)
    if schema is not None and lists == "schema":
        return JsonMergeByKeys(schema, safe=safe)
    return JsonMerge(schema, safe=safe)


def takes_strategic(schema: Schema) -> bool:
    """True if kubectl sends strategic merge patches for a kind: if the server supports them, or the kind is built in.

    Before 1.26, kubectl did not read merge rules from the server.
    """
    if not hasattr(schema, "patch_types"):
        raise NotASchema(schema)
    taken = schema.patch_types
    if not (_is_of_kubernetes(schema) if taken is None else "strategic" in taken):
        return False
    return READS_NO_RULES not in schema.types.behaviour or is_compiled_in(schema)


def is_compiled_in(schema: Schema) -> bool:
    """True if the kind is compiled into kubectl, which then has no fallback if its rules fail."""
    return (schema.api_version or "").partition("/")[0] not in NOT_COMPILED_IN and _is_of_kubernetes(schema)


def _is_of_kubernetes(schema: Schema) -> bool:
    if schema.built_in:
        return True
    from ..tables.loading import load

    return (schema.api_version, schema.kind) in load()
