"""JSON merge patches for custom resources whose lists merge by the keys of their definition.

kubectl replaces the lists of custom resources, because it has no keys for them. The definition has the keys: lists of
type `map` and `set` have an identity, and an embedded pod template merges like a built-in pod template.
"""

from __future__ import annotations

from ..lossless.merge import merge_maps
from ..values.plain import ABSENT, copied, same
from ..values.preconditions import require_unchanged
from .lenient_schema import lenient_schema_of
from .types import merging_types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..tables.schema import Schema
    from ..values.plain import Object


def patch_by_schema(last: Object, config: Object, live: Object, schema: Schema, unchanged: Sequence[str]) -> Object:
    """The JSON merge patch that applies a config to a custom resource, with lists merged by its own schema."""
    types = merging_types(schema.types)
    wanted = merge_maps(config, last, live, lenient_schema_of(types, types[schema.type.name]))
    return require_unchanged(difference(live, wanted), unchanged)


def difference(live: Object, wanted: Object) -> Object:
    """The JSON merge patch from one object to another; lists are sent as a whole."""
    patch: Object = {key: None for key in live if key not in wanted}
    for key, value in wanted.items():
        old = live.get(key, ABSENT)
        if old is not ABSENT and same(old, value):
            continue
        patch[key] = difference(old, value) if type(old) is dict and type(value) is dict else copied(value)
    return patch


def merging_lists(schema: Schema) -> Schema:
    """The same schema with rules that merge lists of type `map` and `set`."""
    return schema.of_types(merging_types(schema.types))
