"""Field owners of a fleet's objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ownership.facts import facts
from ...ownership.fields import owned_fields
from ...ownership.selection import of_managers
from ..rows import UNTRACKED, Row, json, row_of
from .base import Check, Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...manifests.objects import Manifest

NOBODY = "nobody"


class Owners(Check):
    """The owners that `kubemerge owners` lists: one row for each owner of a field."""

    def __init__(self, rules: Rules, *, managers: Sequence[str] = ()) -> None:
        super().__init__()
        self._schemas, self._managers = rules.schemas(), tuple(managers)

    def about(self, cluster: str, manifest: Manifest) -> Iterator[Row]:
        """The owners of the fields of one object."""
        live = manifest.content
        if not live["metadata"].get("managedFields"):
            text = "the object has no managedFields, so its owners are unknown. Dump it with --show-managed-fields"
            yield row_of(cluster, live, manifest.source, what=UNTRACKED, severity="error", text=text)
            return
        owned = owned_fields(live, self._schemas.of(manifest.key))
        if self._managers:
            owned = of_managers(owned, self._managers)
        for field in facts(manifest.title, owned, owned)["fields"]:
            words = {"path": field["path"], "severity": "info", "after": json(field.get("value"))}
            for owner in field["owners"] or [None]:
                by = f"{owner['operation']} of {owner['apiVersion']}" if owner else "no owner"
                who = owner["manager"] if owner else NOBODY
                yield row_of(cluster, live, manifest.source, what=who, text=f"{field['state']}, {by}", **words)
