"""Write kubemerge/testing/kinds.json, the valid objects that strategies begin with.

    python -m tests.kubemerge.testing.record_kinds

They are up to three objects of each kind from tests/conformance/kinds.
"""

from __future__ import annotations

import json
from typing import Any

from tests.conformance.kinds.bodies import bodies
from tests.conftest import ROOT

ABOUT = ("involvedObject", "regarding")
FILE = ROOT / "kubemerge/testing/kinds.json"


def kinds() -> dict[str, list[dict[str, Any]]]:
    """By kind, objects and the apiVersion that they are valid in."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in bodies():
        for given in (one.a, one.b):
            content = given
            name = one.names[:1] and {"name": one.names[0]}
            if one.kind == "Event":  # its namespace is that of the object that it is about
                about = {name: {**content[name], "namespace": "default"} for name in ABOUT if name in content}
                content = {**content, **about, "metadata": {**content.get("metadata", {}), "namespace": "default"}}
            metadata = {**(name or {}), **(content.get("metadata") or {})}
            whole = {"apiVersion": one.apiVersion, **content, **({"metadata": metadata} if metadata else {})}
            if whole not in found.setdefault(one.kind, []) and len(found[one.kind]) < 3:
                found[one.kind].append(whole)
    return dict(sorted(found.items()))


def text() -> str:
    lines = [f" {json.dumps(kind)}: {json.dumps(objects, ensure_ascii=False)}" for kind, objects in kinds().items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
