"""Patch methods: which patch `kubectl apply` sends for a kind, how it is made, and how it is explained."""

from __future__ import annotations

from .. import aliases
from ..errors import BadMergeKey, MergeError, NotASchema, UnclearConflict, brief
from ..json_merge import json_apply_patch, json_three_way_patch
from ..patches import strategic_apply, strategic_three_way
from ..tables.shapes import shape
from ..values.immutable import Record
from ..values.plain import same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..tables.schema import Schema
    from ..values.plain import Object

IDENTITY = ("apiVersion", "kind", "metadata.name")
"""Fields that a JSON merge patch must not change, because they identify the object; kubectl checks only this patch."""
NOT_COMPILED_IN = frozenset({"apiextensions.k8s.io", "apiregistration.k8s.io"})
"""Groups of Kubernetes that no kubectl has compiled in, whatever its release."""
ASKS_SINCE = 26
"""The first minor whose kubectl asks the server how a kind merges that it has not compiled in."""


class Method(Record):
    """One way to patch an object.

    patch_type     "strategic" or "merge"
    merges_lists   whether lists merge by the rules of the schema
    """

    __slots__ = ("safe", "schema")

    patch_type: aliases.PatchType
    merges_lists: bool

    def __init__(self, schema: Schema | None, *, safe: bool) -> None:
        self.schema, self.safe = schema, safe

    @property
    def instead(self) -> Method | None:
        """The method that kubectl takes if this one fails; None if it gives up."""
        return None

    @property
    def lossless(self) -> bool:
        """Whether a config that cannot be merged without loss is refused, even when the object is created.

        List elements are then identified by all of their keys.
        """
        return False

    def explained_by(self) -> Schema | None:
        """The schema whose rules explain the outcome."""
        return self.schema

    def patch(self, last: Object | None, config: Object, live: Object) -> Object:
        """The patch that brings `live` to `config`; empty if nothing has to be sent."""
        raise NotImplementedError

    def merged(self, live: Object, patch: Object) -> Object:
        """The live object after the server has applied the patch."""
        raise NotImplementedError


class JsonMerge(Method):
    """A JSON merge patch, which replaces lists: for custom resources and unknown kinds."""

    __slots__ = ()

    patch_type: aliases.PatchType = "merge"
    merges_lists = False

    def patch(self, last: Object | None, config: Object, live: Object) -> Object:
        """The patch that brings `live` to `config`; empty if nothing has to be sent."""
        patch = json_three_way_patch(last, config, live, unchanged=IDENTITY)
        return {} if self.safe and same(json_apply_patch(live, patch), live) else patch

    def merged(self, live: Object, patch: Object) -> Object:
        """The live object after the server has applied the patch."""
        return json_apply_patch(live, patch)


class JsonMergeByKeys(JsonMerge):
    """A JSON merge patch for custom resources whose lists merge by the keys of their own schema."""

    __slots__ = ()

    schema: Schema
    merges_lists = True

    @property
    def lossless(self) -> bool:
        """Whether what would be lost is refused."""
        return True

    def explained_by(self) -> Schema:
        """The schema whose rules explain the outcome."""
        from ..custom.lists import merging_lists

        return merging_lists(self.schema)

    def patch(self, last: Object | None, config: Object, live: Object) -> Object:
        """The patch that brings `live` to `config`; empty if nothing has to be sent."""
        from ..custom.lists import patch_by_schema

        return patch_by_schema(last or {}, config, live, self.schema, IDENTITY)


class Strategic(Method):
    """A strategic merge patch, which merges lists by their merge keys: for built-in kinds."""

    __slots__ = ("overwrite",)

    schema: Schema
    patch_type: aliases.PatchType = "strategic"
    merges_lists = True

    def __init__(self, schema: Schema, *, safe: bool, overwrite: bool) -> None:
        super().__init__(schema, safe=safe)
        self.overwrite = overwrite

    @property
    def instead(self) -> Method | None:
        """A JSON merge patch for a kind that kubectl has not compiled in, unless nothing may be lost."""
        return None if self.safe or is_compiled_in(self.schema) else JsonMerge(self.schema, safe=False)

    @property
    def lossless(self) -> bool:
        """Whether what would be lost is refused."""
        return self.safe

    def patch(self, last: Object | None, config: Object, live: Object) -> Object:
        """The patch that brings `live` to `config`; empty if nothing has to be sent."""
        return strategic_three_way(last or {}, config, live, shape(self.schema), self.overwrite, self.safe)

    def merged(self, live: Object, patch: Object) -> Object:
        """The live object after the server has applied the patch."""
        return strategic_apply(live, patch, shape(self.schema))


def patch_by(method: Method, last: Object | None, config: Object, live: Object) -> tuple[Method, Object, list[str]]:
    """The method that makes the patch in the end, the patch, and the warning if it is not the method given."""
    try:
        return method, method.patch(last, config, live), []
    except MergeError as error:
        if method.instead is None or _crashes(error):
            raise
        why = f"no strategic merge patch ({error})"
    way = "sends a JSON merge patch, which replaces lists and overwrites"
    warning = f"{why}, so kubectl, which has no compiled types for this kind, {way}"
    return method.instead, method.instead.patch(last, config, live), [warning]


def _crashes(error: MergeError) -> bool:
    """Whether kubectl crashes where this error is raised, and so tries nothing else."""
    return isinstance(error, (BadMergeKey, UnclearConflict)) or getattr(error, "crashes", False)


def method_of(schema: Schema | None, overwrite: bool, safe: bool, lists: aliases.Lists) -> Method:
    """The method that kubectl would use, unless `safe` or `lists` asks for another."""
    if lists not in ("kubectl", "schema"):
        raise MergeError(f"lists is 'kubectl' or 'schema', not {brief(lists)}")
    if schema is not None and takes_strategic(schema):
        return Strategic(schema, safe=safe, overwrite=overwrite)
    if schema is not None and lists == "schema":
        return JsonMergeByKeys(schema, safe=safe)
    return JsonMerge(schema, safe=safe)


def takes_strategic(schema: Schema) -> bool:
    """Whether kubectl sends strategic merge patches for a kind: if the server says so, else if Kubernetes has the kind.

    Before 1.26, kubectl did not ask the server about kinds that it had not compiled in.
    """
    if not hasattr(schema, "patch_types"):
        raise NotASchema(schema)
    taken = schema.patch_types
    if not (_is_of_kubernetes(schema) if taken is None else "strategic" in taken):
        return False
    return schema.release is None or is_compiled_in(schema) or int(schema.release.partition(".")[2]) >= ASKS_SINCE


def is_compiled_in(schema: Schema) -> bool:
    """Whether kubectl knows the rules of a kind without a server: if they fail, there is no other way for it."""
    return (schema.api_version or "").partition("/")[0] not in NOT_COMPILED_IN and _is_of_kubernetes(schema)


def _is_of_kubernetes(schema: Schema) -> bool:
    if schema.built_in:
        return True
    from ..tables.loading import load

    return (schema.api_version, schema.kind) in load()
