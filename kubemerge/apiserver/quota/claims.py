"""The usage of PersistentVolumeClaims."""

from __future__ import annotations

from decimal import ROUND_CEILING
from typing import TYPE_CHECKING, Any

from ..plugins.storage import BETA
from ..registry.feature_gates import is_on
from ..unchecked import as_map, as_text, get_path
from ..validation.values.quantities import is_whole, size
from .evaluators import Evaluator
from .pods import is_selected

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..protocol import Object

CLAIMS, STORAGE = "persistentvolumeclaims", "requests.storage"
OF_CLASS = ".storageclass.storage.k8s.io/"
SCOPE, GATE = "VolumeAttributesClass", "VolumeAttributesClass"
SCOPE_SINCE = 33
STATUS_SINCE = 33
"""The first minor release that charges claims whose status changes."""
CLASS_NAMES = (
    "spec.volumeAttributesClassName",
    "status.currentVolumeAttributesClassName",
    "status.modifyVolumeStatus.targetVolumeAttributesClassName",
)


class Claims(Evaluator):
    """Claims and their storage, in all and by class."""

    def handles(self, operation: str, content: Object, before: Object | None, subresource: str) -> bool:
        """Whether a request may change the usage."""
        del operation, content, before
        return not subresource or (subresource == "status" and self.context.minor >= STATUS_SINCE)

    def matching(self, names: Iterable[str]) -> list[str]:
        """Return the resources in `names` that claims use."""
        plain = (self.count, CLAIMS, STORAGE)
        ends = (OF_CLASS + CLAIMS, OF_CLASS + STORAGE)
        return [name for name in names if name in plain or name.endswith(ends)]

    def matches_scope(self, requirement: Object, content: Object) -> bool:
        """Whether a claim is in a scope of a quota."""
        minor = self.context.minor
        if requirement.get("scopeName") != SCOPE or minor < SCOPE_SINCE or not is_on(GATE, minor):
            return False
        names = {name for path in CLASS_NAMES if (name := as_text(get_path(content, path)))}
        if requirement.get("operator") == "Exists":
            return bool(names)
        return any(is_selected(requirement, {SCOPE: name}) for name in names) if names else is_selected(requirement, {})

    def usage(self, content: Object) -> dict[str, Any]:
        """Return the number of the claim and its storage."""
        found = {CLAIMS: "1", self.count: "1"}
        annotations = as_map(content["metadata"].get("annotations"))
        class_ = as_text(annotations.get(BETA, get_path(content, "spec.storageClassName")))
        if class_:
            found[f"{class_}{OF_CLASS}{CLAIMS}"] = "1"
        storage = self._storage(content)
        if storage is not None:
            found[STORAGE] = storage
            if class_:
                found[f"{class_}{OF_CLASS}{STORAGE}"] = storage
        return found

    def _storage(self, content: Object) -> Any:
        asked = get_path(content, "spec.resources.requests.storage")
        if asked is None:
            return None
        allocated = get_path(content, "status.allocatedResources.storage")
        recovers = allocated is not None and is_on("RecoverVolumeExpansionFailure", self.context.minor)
        found = allocated if recovers and size(allocated) > size(asked) else asked
        return found if is_whole(found) else str(size(found).to_integral_value(rounding=ROUND_CEILING))
