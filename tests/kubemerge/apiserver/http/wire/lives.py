"""The life of an object of a kind: create, replace, patch, list as a table and delete it, and wrong names."""

from __future__ import annotations

from typing import Any

from .....conformance.kinds.bodies import bodies, document

TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io"
MERGE = "application/merge-patch+json"


def life(kind: str) -> list[Any]:
    """The requests for a kind, which is given as `apps/v1 Deployment`."""
    api_version, _, name_of_kind = kind.partition(" ")
    body = next(one for one in bodies() if (one.apiVersion, one.kind) == (api_version, name_of_kind))
    name, other = (*body.names, "a", "b")[:2]
    base = f"/apis/{api_version}" if "/" in api_version else f"/api/{api_version}"
    at = f"{base}/{body.plural}" if body.cluster else f"{base}/namespaces/default/{body.plural}"
    first, second = document(body, body.a, name), document(body, body.b, name)
    labelled = {**first, "metadata": {**first["metadata"], "labels": {"x": "y"}}}
    status = body.status[0] if body.status else {}
    return [
        {f"POST {at}": first},
        {f"PUT {at}/{name}": labelled},
        {f"PATCH {at}/{name}": {"metadata": {"annotations": {"x": "y"}}}, "type": MERGE},
        {f"PATCH {at}/{name}": {"metadata": {"resourceVersion": None}}, "type": MERGE},
        {f"PUT {at}/{name}": second},
        {f"PATCH {at}/{name}/status": {"status": status}, "type": MERGE},
        {f"GET {at}?fieldSelector=metadata.name={name}": None, "accept": TABLE},
        {f"PUT {at}/{other}": document(body, body.a, other)},
        {f"POST {at}": document(body, body.a, "A:b")},
        {f"POST {at}": document(body, body.a, "a..b")},
        {f"POST {at}": document(body, body.a, "a." * 120)},
        {f"POST {at}": document(body, body.a, "a/b")},
        {f"PATCH {at}/{name}": {"metadata": {"finalizers": ["example.com/a"]}}, "type": MERGE},
        {f"DELETE {at}/{name}": None},
        {f"PATCH {at}/{name}": {"metadata": {"finalizers": None}}, "type": MERGE},
        f"DELETE {at}/{other}",
        f"GET {at}/{name}",
    ]
