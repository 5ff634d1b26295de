"""The namespace that an object is sent to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import MergeError

from ..manifests.identity import DEFAULT_NAMESPACE

if TYPE_CHECKING:
    from ..cluster import Object, Resource


class OtherNamespace(MergeError):
    """An object that is in another namespace than the one asked for."""

    def __init__(self, own: str, asked: str) -> None:
        self.own, self.asked = own, asked
        super().__init__(
            f'the namespace from the provided object "{own}" does not match the namespace "{asked}"; '
            f"you must pass '--namespace={own}' to perform this operation"
        )


def placed(content: Object, resource: Resource, namespace: str | None) -> Object:
    """The object with its namespace written down, as kubectl does before anything else; no copy if it says it."""
    own = content["metadata"].get("namespace")
    return in_namespace(content, namespace or own or DEFAULT_NAMESPACE, namespaced=resource.namespaced)


def in_namespace(content: Object, namespace: str | None, *, namespaced: bool) -> Object:
    """The object in this namespace, if one is asked for. Of a kind without namespaces it has none, whatever it says."""
    metadata = content["metadata"]
    if not namespaced:
        if "namespace" not in metadata:
            return content
        return {**content, "metadata": {key: value for key, value in metadata.items() if key != "namespace"}}
    own = metadata.get("namespace")
    if own and namespace and own != namespace:
        raise OtherNamespace(own, namespace)
    if own or not namespace:
        return content
    return {**content, "metadata": {**metadata, "namespace": namespace}}
