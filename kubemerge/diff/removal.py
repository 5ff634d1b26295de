"""An object that an apply would prune, as a difference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.clientside.last_applied import as_sent
from engine.values.plain import copied

from ..manifests.objects import Manifest
from ..output.object_text import without_managed_fields
from ..output.secrets import masked
from .difference import file_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .difference import Show


class Removal:
    """An object that an apply would prune."""

    def __init__(self, live: dict[str, Any], show: Show) -> None:
        before = as_sent(live)
        if not show.managed_fields:
            before = without_managed_fields(before)
        self.before: dict[str, Any] = before if show.secrets else masked(before)

    @property
    def name(self) -> str:
        """kubectl's file name for the object."""
        one = self.before
        metadata = one["metadata"]
        return file_name(one["apiVersion"], one["kind"], metadata.get("namespace") or "", metadata["name"])

    @property
    def texts(self) -> tuple[str, str | None]:
        """The object as YAML, and no text for the other side."""
        from ..apiserver.text.yaml_out import dump

        return dump(self.before), None

    def facts(self) -> Iterator[dict[str, Any]]:
        """The removal, as JSON data."""
        yield {
            "object": Manifest("", self.before).title,
            "path": "",
            "action": "removed",
            "before": copied(self.before),
            "after": None,
            "reason": "pruned: it was applied before, and is no longer in the config",
        }
