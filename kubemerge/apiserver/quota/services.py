"""The usage of Services."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..unchecked import as_map, as_text, maps
from .evaluators import Evaluator

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..protocol import Object


class Services(Evaluator):
    """Services, their node ports and load balancers."""

    COUNTED = ("services", "services.nodeports", "services.loadbalancers")

    def handles(self, operation: str, content: Object, before: Object | None, subresource: str) -> bool:
        """Whether a request may change the usage: the type of a Service can change."""
        del operation, content, before
        return not subresource

    def matching(self, names: Iterable[str]) -> list[str]:
        """Return the resources in `names` that Services use."""
        return [name for name in names if name == self.count or name in self.COUNTED]

    def usage(self, content: Object) -> dict[str, Any]:
        """Return the number of the Service, its node ports and load balancers."""
        spec = as_map(content.get("spec"))
        type_, ports = as_text(spec.get("type")), [one for _, one in maps(spec, "ports")]
        node_ports = 0
        if type_ == "LoadBalancer" and spec.get("allocateLoadBalancerNodePorts") is False:
            node_ports = sum(1 for one in ports if one.get("nodePort"))
        elif type_ in ("NodePort", "LoadBalancer"):
            node_ports = len(ports)
        return {
            self.count: "1",
            "services": "1",
            "services.loadbalancers": "1" if type_ == "LoadBalancer" else "0",
            "services.nodeports": str(node_ports),
        }
