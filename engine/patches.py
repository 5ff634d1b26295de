"""Public patch functions: make, apply and combine patches; strategic with a schema, JSON merge without.

Given Tables instead of a schema, the functions look up the schema by the apiVersion and kind of a document. A schema is
not compared with these, because documents may be parts of an object.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import aliases, json_merge
from .errors import Conflict, ConflictError
from .strategic.conflicts import conflicting
from .strategic.fast import CHANGES, TWO_WAY, apply_by, combine_by
from .strategic.one_pass import three_way
from .tables.lookup import schema_for
from .tables.patch_schema import patch_schema
from .tables.schema import Schema
from .tables.tables import Tables
from .values.guard import run
from .values.plain import copied
from .values.preconditions import require_unchanged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .tables.patch_schema import PatchSchema
    from .values.plain import Object


def two_way_patch(
    original: aliases.Document | None,
    modified: aliases.Document | None,
    schema: Schema | Tables | None,
    *,
    unchanged: Sequence[str] = (),
) -> aliases.Object:
    """The patch that turns `original` into `modified`.

    `unchanged` names fields ("kind", "metadata.name") that the patch must not change. Without a schema it is a JSON
    merge patch.
    """
    if isinstance(schema, Tables):
        schema = schema_for(schema, modified=modified, original=original)
    if schema is None:
        return require_unchanged(json_merge.json_two_way_patch(original, modified), unchanged)
    top = patch_schema(schema)
    patch = run(lambda one, other: TWO_WAY.maps(one, other, top), original=original, modified=modified)
    return require_unchanged(patch, unchanged)


def three_way_patch(
    last_applied: aliases.Document | None,
    config: aliases.Document | None,
    live: aliases.Document | None,
    schema: Schema | Tables | None,
    overwrite: bool = True,
    *,
    safe: bool = False,
    unchanged: Sequence[str] = (),
) -> aliases.Object:
    """The patch from `live` to `config`; removes fields of `last_applied` that `config` no longer has.

    With `overwrite=False`, a ConflictError lists the fields that other writers have set to other values. With `safe`,
    the patch differs from the reference's where that would lose something (see docs/safe.md). `unchanged` names fields
    that the patch must not change. Without a schema it is a JSON merge patch, which has no conflicts.
    """
    if isinstance(schema, Tables):
        schema = schema_for(schema, config=config, live=live, last_applied=last_applied)
    if schema is None:
        return json_merge.json_three_way_patch(last_applied, config, live, unchanged=unchanged)
    top = patch_schema(schema)

    def work(last_applied: Object, config: Object, live: Object) -> Object:
        return require_unchanged(strategic_three_way(last_applied, config, live, top, overwrite, safe), unchanged)

    return run(work, last_applied=last_applied, config=config, live=live)


def strategic_three_way(
    last_applied: Object, config: Object, live: Object, top: PatchSchema, overwrite: bool, safe: bool
) -> Object:
    """`three_way_patch` for a patch schema and plain documents. Called inside `run`."""
    if not safe or not overwrite:
        patch = three_way(last_applied, config, live, top)
        if not overwrite:
            _raise_conflicts(patch, last_applied, live, top)
    if safe:
        from .lossless.safe import safe_patch  # imported on use

        patch = safe_patch(last_applied, config, live, top)
    return patch


def _raise_conflicts(patch: Object, last_applied: Object, live: Object, top: PatchSchema) -> None:
    found = conflicting(patch, CHANGES.maps(last_applied, live, top), top)
    if found:
        raise ConflictError(found)


def apply_patch(
    target: aliases.Document | None, patch: aliases.Document | None, schema: Schema | Tables | None
) -> aliases.Object:
    """The target after the patch. Without a schema, the patch is a JSON merge patch."""
    if isinstance(schema, Tables):
        schema = schema_for(schema, target=target, patch=patch)
    if schema is None:
        return json_merge.json_apply_patch(target, patch)
    top = patch_schema(schema)
    return run(lambda target, patch: strategic_apply(target, patch, top), target=target, patch=patch)


def strategic_apply(target: Object, patch: Object, top: PatchSchema) -> Object:
    """`apply_patch` for a patch schema and plain documents. Called inside `run`."""
    return _unshare(apply_by(top).maps(target, patch, top))


def merge_patches(
    first: aliases.Document | None, second: aliases.Document | None, schema: Schema | Tables | None
) -> aliases.Object:
    """One patch with the effect of two, as in the reference.

    The result is exact for patches without directives. With directives, deletions of elements are lost unless both
    patches have the list.
    """
    if isinstance(schema, Tables):
        schema = schema_for(schema, first=first, second=second)
    if schema is None:
        return json_merge.json_merge_patches(first, second)
    top = patch_schema(schema)
    combine = combine_by(top)
    return run(
        lambda first, second: _unshare(combine.maps(combine.maps({}, first, top), second, top)),
        first=first,
        second=second,
    )


def conflicts(
    left_patch: aliases.Document | None, right_patch: aliases.Document | None, schema: Schema | Tables | None
) -> list[Conflict]:
    """Every field that the two patches change differently. If there are none, their order does not matter."""
    if isinstance(schema, Tables):
        schema = schema_for(schema, left_patch=left_patch, right_patch=right_patch)
    if schema is None:
        return json_merge.json_conflicts(left_patch, right_patch)
    top = patch_schema(schema)
    return run(
        lambda left, right: conflicting(copied(left), copied(right), top),
        left_patch=left_patch,
        right_patch=right_patch,
    )


def _unshare(result: Object) -> Object:
    """A copy, because the result of a merge shares parts with its inputs."""
    owned: Object = copied(result)
    return owned
