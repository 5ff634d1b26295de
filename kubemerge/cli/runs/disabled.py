"""Notes about fields that a server drops, because their feature gate is off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...apiserver.eras import minor_of
from ..terminal.console import console

if TYPE_CHECKING:
    from ...cluster import Object


def note_disabled_fields(title: str, release: str, config: Object, kept_in: Object | None) -> None:
    """Report the fields of a config that a server of the release drops.

    A server keeps them in objects that already use the gate. `kept_in` is the live or the stored object.
    """
    from ...apiserver.registry.feature_gates import disabled_fields

    minor = minor_of(release)
    found = disabled_fields(config, minor)
    kept = {gate for _, gate in disabled_fields(kept_in, minor)} if found and kept_in else ()
    for path, gate in found:
        if gate not in kept:
            console().say(f"{title}: the API server drops {path}, because the feature gate {gate} is off")
