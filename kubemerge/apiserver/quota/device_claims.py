"""The usage of ResourceClaims: devices by class, also by the names of extended resources."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..registry.feature_gates import is_on
from ..unchecked import as_map, as_number, as_text, get_path, maps
from ..validation.values.quantities import is_native, size
from .amounts import added, subtracted
from .evaluators import Evaluator
from .pods import DEVICE_CLASS, Pods

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..protocol import Object

OF_CLASS = ".deviceclass.resource.k8s.io/devices"
IMPLICIT = f"requests.{DEVICE_CLASS}"
GATE = "DRAExtendedResource"
MOST_DEVICES = 32
"""The devices of a request for all devices of a class."""
FOR_POD = "resource.kubernetes.io/extended-resource-claim"
"""The annotation of a claim for the extended resources of a Pod."""
CLASSES_SINCE = 31


class DeviceClaims(Evaluator):
    """ResourceClaims and their devices."""

    def handles(self, operation: str, content: Object, before: Object | None, subresource: str) -> bool:
        """Whether a request may change the usage."""
        del operation, content, before
        return not subresource

    def matching(self, names: Iterable[str]) -> list[str]:
        """Return the resources in `names` that claims use."""
        return [name for name in names if name == self.count or self._is_of_devices(name)]

    def _is_of_devices(self, name: str) -> bool:
        if self.context.minor < CLASSES_SINCE or not is_on(GATE, self.context.minor):
            return name.endswith(OF_CLASS) and self.context.minor >= CLASSES_SINCE
        if name.endswith(OF_CLASS):
            return True
        if name.startswith(IMPLICIT):
            return name[len(IMPLICIT) :] in self._classes()
        is_extended = name.startswith("requests.") and not is_native(name)
        return is_extended and name[len("requests.") :] in self._classes().values()

    def _classes(self) -> dict[str, str]:
        """The extended resource of each DeviceClass, empty if it has none."""
        every = self.context.of_kind("resource.k8s.io", "DeviceClass", None)
        return {one["metadata"]["name"]: as_text(get_path(one, "spec.extendedResourceName")) for one in every}

    def usage(self, content: Object) -> dict[str, Any]:
        """Return the number of the claim, and its devices by class."""
        found: dict[str, Any] = {self.count: "1"}
        for _, request in maps(as_map(get_path(content, "spec.devices")), "requests"):
            found = added(found, _devices(request))
        if is_on(GATE, self.context.minor):
            found |= self._extended(found, content)
        return found

    def _extended(self, used: dict[str, Any], claim: Object) -> dict[str, Any]:
        """The usage by names of extended resources, without that of the Pod for which the claim was created."""
        classes = self._classes()
        found = {}
        for name, much in used.items():
            class_ = name.removesuffix(OF_CLASS)
            if class_ in (name, ""):
                continue
            found[IMPLICIT + class_] = much
            if classes.get(class_):
                found[f"requests.{classes[class_]}"] = much
        left = subtracted(found, self._usage_of_pod(claim)) if found else {}
        return {name: much for name, much in left.items() if size(much) > 0}

    def _usage_of_pod(self, claim: Object) -> dict[str, Any]:
        metadata = claim["metadata"]
        owner = next((one for _, one in maps(metadata, "ownerReferences") if one.get("controller") is True), {})
        is_for_pod = as_map(metadata.get("annotations")).get(FOR_POD) == "true"
        if not is_for_pod or (owner.get("apiVersion"), owner.get("kind")) != ("v1", "Pod"):
            return {}
        pods = self.context.of_kind("", "Pod", metadata.get("namespace"))
        pod = next((one for one in pods if one["metadata"]["uid"] == owner.get("uid")), None)
        if pod is None or pod["metadata"]["name"] != owner.get("name"):
            return {}
        named = get_path(pod, "status.extendedResourceClaimStatus")
        if named is None:
            if any(_rank(one) < _rank(claim) for one in self._others(owner, metadata)):
                return {}
        elif as_map(named).get("resourceClaimName") != metadata.get("name"):
            return {}
        return Pods("", "pods", self.context).usage(pod)

    def _others(self, owner: Object, metadata: Object) -> list[Object]:
        every = self.context.of_kind("resource.k8s.io", "ResourceClaim", metadata.get("namespace"))
        return [
            one
            for one in every
            if as_map(one["metadata"].get("annotations")).get(FOR_POD) == "true"
            and any(each.get("uid") == owner.get("uid") for _, each in maps(one["metadata"], "ownerReferences"))
        ]


def _rank(claim: Object) -> tuple[str, str]:
    return as_text(claim["metadata"].get("creationTimestamp")), as_text(claim["metadata"].get("name"))


def _devices(request: Object) -> dict[str, str]:
    """The devices of one request by class: of alternatives, the most of each class."""
    options = [one for _, one in maps(request, "firstAvailable")]
    if not options:
        exactly = request.get("exactly")
        one = exactly if isinstance(exactly, dict) else request  # as in v1beta1
        return {_name(one): str(_count(one))} if isinstance(exactly, dict) or "deviceClassName" in one else {}
    found: dict[str, int] = {}
    for one in options:
        if _count(one) > found.get(_name(one), 0):
            found[_name(one)] = _count(one)
    return {name: str(count) for name, count in found.items()}


def _name(one: Object) -> str:
    return f"{as_text(one.get('deviceClassName'))}{OF_CLASS}"


def _count(one: Object) -> int:
    mode = one.get("allocationMode") or "ExactCount"
    if mode == "ExactCount":
        return as_number(one.get("count")) or 0
    return MOST_DEVICES if mode == "All" else 0
