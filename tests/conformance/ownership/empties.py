"""Print the table of `engine/serverside/typed/zero_value_tables.py`: the empty object of each kind in Go.

`python -m tests.conformance.ownership.empties` runs the reference, which lacks the kinds of `NOT_COMPILED_IN`.
"""

from __future__ import annotations

import json
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from ..oracle import Oracle

if TYPE_CHECKING:
    from collections.abc import Iterator

NOT_COMPILED_IN = {
    "apiextensions.k8s.io/v1 CustomResourceDefinition": {
        "spec": {"group": "", "names": {"plural": "", "kind": ""}, "scope": "", "versions": None},
        "status": {"conditions": None, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": None},
    },
    "apiextensions.k8s.io/v1beta1 CustomResourceDefinition": {
        "spec": {"group": "", "names": {"plural": "", "kind": ""}, "scope": ""},
        "status": {"conditions": None, "acceptedNames": {"plural": "", "kind": ""}, "storedVersions": None},
    },
    "apiregistration.k8s.io/v1 APIService": {
        "spec": {"groupPriorityMinimum": 0, "versionPriority": 0},
        "status": {},
    },
    "apiregistration.k8s.io/v1beta1 APIService": {
        "spec": {"groupPriorityMinimum": 0, "versionPriority": 0},
        "status": {},
    },
}


def empties(oracle: Oracle) -> dict[str, dict[str, Any]]:
    """The empty objects, without apiVersion, kind and metadata; those that print nothing else are left out."""
    found = {**oracle.ask({"op": "empties"})["result"], **NOT_COMPILED_IN}
    bare = {
        kind: {key: inner for key, inner in document.items() if key != "metadata"} for kind, document in found.items()
    }
    return {kind: bare[kind] for kind in sorted(bare) if bare[kind]}


def main() -> None:
    """Ask the reference and print."""
    with Oracle() as oracle:
        found = empties(oracle)
    kinds: dict[str, dict[str, list[str]]] = {}
    for kind, document in found.items():
        version, name = kind.split()
        kinds.setdefault(" ".join(_fields(document, "")), {}).setdefault(version, []).append(name)
    for text, versions in kinds.items():
        words = "; ".join(f"{version} {' '.join(names)}" for version, names in versions.items())
        print("\n".join(wrap(text, 118, break_on_hyphens=False)))
        print("\n".join(wrap(words, 114, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)))


def _fields(value: dict[str, Any], above: str) -> Iterator[str]:
    for key, inner in value.items():
        if isinstance(inner, dict) and inner:
            yield from _fields(inner, f"{above}{key}.")
        else:
            yield f"{above}{key}={json.dumps(inner)}"


if __name__ == "__main__":
    main()
