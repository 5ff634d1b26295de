"""A patch applied to a live object: the new object that the rest of a write takes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from engine.values.plain import has_floats

from .decoding.field_validation import Patched
from .managed_fields import omits_managed_fields, split_managed_fields, with_managed_fields
from .patch_identity import check_integers, keep_identity
from .patches.patch_types import apply_patch
from .scale import RESOURCE as SCALE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .decoding.field_validation import FieldValidation
    from .protocol import Object, Resource
    from .resources import Kinds


def patched(
    live: Object,
    patch: Object | Sequence[Object],
    patch_type: str,
    resource: Resource,
    kinds: Kinds,
    subresource: str | None,
    field_validation: FieldValidation,
) -> Object:
    """Return the object after a JSON patch, a merge patch or a strategic merge patch."""
    bare, entries = split_managed_fields(live) if omits_managed_fields(patch) else (live, None)
    make = partial(apply_patch, bare, patch, patch_type, resource, partial(kinds.schema, resource))
    made = make()
    whole = Patched(made, entries, patch, patch_type, resource)
    if resource.built_in and patch_type != "strategic" and has_floats(patch):
        check_integers(whole._replace(content=make(exact=True)), kinds.schema(resource))
    check = partial(field_validation.check_patched, resource=resource, shown=whole, strategic=patch_type == "strategic")
    after = keep_identity(made, live, resource, kinds, patch_type, whole, subresource, check)
    return with_managed_fields(after, entries) if entries else after


def patched_scale(
    live: Object,
    patch: Object | Sequence[Object],
    patch_type: str,
    resource: Resource,
    kinds: Kinds,
    field_validation: FieldValidation,
) -> Object:
    """Return the Scale of an object after a patch."""
    scale = replace(SCALE, namespaced=resource.namespaced, patch_types=resource.patch_types)
    return patched(live, patch, patch_type, scale, kinds, "scale", field_validation)
