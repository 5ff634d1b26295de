"""DefaultIngressClass: the class of a new Ingress without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import Forbidden
from ..unchecked import as_map

if TYPE_CHECKING:
    from ..protocol import Object
    from .context import AdmissionContext

GROUP = "networking.k8s.io"
DEFAULT, ANNOTATION = "ingressclass.kubernetes.io/is-default-class", "kubernetes.io/ingress.class"
SINCE = 18
ONLY_ONE_UNTIL = 24
"""The last minor release that rejects an Ingress if there are several default classes."""


def set_default_class(content: Object, context: AdmissionContext) -> Object:
    """Set the default class of a new Ingress without one. Of several, the newest."""
    spec, annotations = as_map(content.get("spec")), as_map(content["metadata"].get("annotations"))
    if context.live is not None or spec.get("ingressClassName") is not None or ANNOTATION in annotations:
        return content
    every = [
        one
        for one in context.of_kind(GROUP, "IngressClass", None)
        if as_map(one["metadata"].get("annotations")).get(DEFAULT) == "true"
    ]
    if not every:
        return content
    if len(every) > 1 and context.minor <= ONLY_ONE_UNTIL:
        why = f"Internal error occurred: {len(every)} default IngressClasses were found, only 1 allowed"
        raise Forbidden(f"ingresses.{GROUP}", content["metadata"].get("name", ""), why)
    every.sort(key=lambda one: one["metadata"]["name"])
    every.sort(key=lambda one: str(one["metadata"].get("creationTimestamp")), reverse=True)
    return {**content, "spec": {**spec, "ingressClassName": every[0]["metadata"]["name"]}}
