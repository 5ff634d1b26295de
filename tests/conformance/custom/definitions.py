"""CustomResourceDefinitions from folders, reduced to the parts that affect validation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

Raw = dict[str, Any]
WORDS = frozenset({"description", "title", "externalDocs", "example"})
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def found_in(folder: Path) -> Iterator[Raw]:
    """The definitions in the files of a folder and its subfolders; files that are not YAML are skipped."""
    for file in sorted(folder.rglob("*.y*ml")):
        text = file.read_text(encoding="utf-8", errors="replace")
        if "kind: CustomResourceDefinition" not in text:
            continue
        try:
            documents = [*yaml.load_all(text, LOADER)]
        except yaml.YAMLError:
            continue
        for one in documents:
            if isinstance(one, dict) and one.get("kind") == "CustomResourceDefinition":
                yield one


def reduced(definition: Raw) -> Raw:
    """A definition without descriptions, status and webhook, which has no backend."""
    spec = {**definition["spec"], "conversion": {"strategy": "None"}}
    spec["versions"] = [_version(one) for one in spec["versions"]]
    metadata = {"name": definition["metadata"]["name"]}
    kept = {"api-approved.kubernetes.io": "https://github.com/kubernetes/kubernetes"}
    if spec["group"].endswith(".k8s.io"):
        metadata["annotations"] = kept
    return {"apiVersion": definition["apiVersion"], "kind": definition["kind"], "metadata": metadata, "spec": spec}


def _version(version: Raw) -> Raw:
    found = {name: value for name, value in version.items() if name != "additionalPrinterColumns"}
    found["schema"] = {"openAPIV3Schema": _schema(version["schema"]["openAPIV3Schema"])}
    return found


def _schema(schema: Any) -> Any:
    """A schema without descriptions; fields may have such names, too."""
    if isinstance(schema, list):
        return [_schema(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found: Raw = {}
    for word, value in schema.items():
        if word in WORDS and isinstance(value, (str, dict)):
            continue
        if word == "properties":
            found[word] = {name: _schema(one) for name, one in value.items()}
        elif word in ("default", "enum", "x-kubernetes-validations"):
            found[word] = value
        else:
            found[word] = _schema(value)
    return found
