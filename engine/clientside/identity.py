"""Whether a config is of the kind of its schema, and whether config and live are the same object."""

from __future__ import annotations

from ..errors import WrongKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..tables.schema import Schema
    from ..values.plain import Object


def require_kind(config: Object, schema: Schema | None) -> None:
    """Refuse a config that the schema is not for; a type that is not a kind (`Tables.definition`) is for any."""
    key = schema.key if schema is not None else None
    if key is not None and (config.get("apiVersion"), config.get("kind")) != key:
        raise WrongKind("config", config.get("apiVersion"), config.get("kind"), key)


def require_same_object(config: Object, live: Object) -> None:
    """Refuse a live object of another kind. Its apiVersion may differ: an API server converts between versions."""
    ours, theirs = config.get("kind"), live.get("kind")
    if ours != theirs and ours is not None and theirs is not None:
        raise WrongKind("live", live.get("apiVersion"), theirs, (str(config.get("apiVersion")), str(ours)))


def differences(config: Object, live: Object) -> Iterator[str]:
    """A warning for the name and the namespace, where both have one and they differ. kubectl reads live by these."""
    ours, theirs = _metadata(config), _metadata(live)
    for field in ("name", "namespace"):
        wanted, there = ours.get(field), theirs.get(field)
        if wanted != there and wanted is not None and there is not None:
            yield (
                f"the {field} of the live object is {there!r}, and that of the config {wanted!r}: the API "
                "server rejects such a patch"
            )


def _metadata(of: Object) -> Object:
    metadata = of.get("metadata")
    return metadata if isinstance(metadata, dict) else {}
