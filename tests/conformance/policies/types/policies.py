"""The policies to check, and their recorded status."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from ....conftest import read_yaml
from ...recordings import read_recorded, write_recorded

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json.gz"
API, KIND = "admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy"
Object = dict[str, Any]
_DRAWN = re.compile(r"(?<=[A-Za-z])\d{4,9}(?=[.,)])")
"""The nanoseconds in the name of a type."""


def definitions() -> list[Object]:
    found: list[Object] = read_yaml(HERE / "policies.yaml")["definitions"]
    return found


def policies() -> list[Object]:
    return [_policy(one) for one in read_yaml(HERE / "policies.yaml")["policies"]]


def _policy(one: Object) -> Object:
    match = one["match"]
    if isinstance(match, str):
        rules = [each.split("/") for each in match.split()]
        match = {
            "resourceRules": [
                {"operations": ["*"], "apiGroups": [group], "apiVersions": [version], "resources": [resource]}
                for group, version, resource in rules
            ]
        }
    spec = {field: value for field, value in one.items() if field not in ("name", "match")}
    spec["matchConstraints"] = match
    return {"apiVersion": API, "kind": KIND, "metadata": {"name": one["name"]}, "spec": spec}


def comparable(policy: Object) -> Object:
    """The status of a policy, and its owner."""
    text = json.dumps(policy.get("status"))
    owners = [
        one["manager"] + "/" + one["operation"] for one in policy["metadata"]["managedFields"] if "subresource" in one
    ]
    return {"status": json.loads(_DRAWN.sub("", text)), "owners": owners}


def recorded() -> dict[str, Object]:
    """What a real controller set, by the names of policies."""
    return read_recorded(RECORDED)


def write(found: dict[str, Object]) -> None:
    write_recorded(RECORDED, found)
