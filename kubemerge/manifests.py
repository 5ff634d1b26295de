"""Objects in files: reading them as kubectl does, finding the live one for each, and printing them."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from engine import BadText, MergeError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Identity = tuple[str, str, str, str]
"""Group, kind, namespace and name: what makes two documents one object. The version does not."""


class BadManifest(MergeError):
    """A file that holds no Kubernetes objects, or an object that lacks what it needs; says where."""


@dataclass(frozen=True)
class Manifest:
    """One object and where it was read."""

    source: str
    content: dict[str, Any]

    @property
    def identity(self) -> Identity:
        """What tells this object from others; no namespace counts as `default`."""
        group, _, _ = str(self.content["apiVersion"]).rpartition("/")
        metadata = self.content["metadata"]
        return group, self.content["kind"], metadata.get("namespace") or "default", str(metadata.get("name", ""))

    @property
    def title(self) -> str:
        """The object as kubectl calls it: `deployment.apps/nginx`."""
        group, kind, _, name = self.identity
        return f"{kind.lower()}{f'.{group}' if group else ''}/{name}"


def read_manifests(paths: Sequence[str]) -> list[Manifest]:
    """The objects of these files (or `-`); Lists are taken apart, empty documents left out."""
    return [manifest for path in paths for manifest in _read(path)]


def _read(path: str) -> Iterator[Manifest]:
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise BadManifest(f"{path}: {error.strerror or error}; give a file that can be read") from None
    for document in _documents(data, path):
        yield from _objects(document, "standard input" if path == "-" else path)


def _documents(data: bytes, path: str) -> list[Any]:
    from codegen.yaml_text import YamlError, documents
    from engine.gojson import decode

    try:
        text = data.decode("utf-8-sig")
        if text.lstrip().startswith("{"):
            return [decode(text)]
    except UnicodeDecodeError as error:
        raise BadManifest(f"{path}: this is no text in UTF-8 (at byte {error.start}); save it as UTF-8") from None
    except BadText:
        pass  # a flow mapping of YAML begins like this too
    try:
        return list(documents(text))
    except YamlError as error:
        raise BadManifest(f"{path}: {error}; correct the YAML there") from None


def _objects(document: Any, path: str) -> Iterator[Manifest]:
    if document is None:
        return
    if not isinstance(document, dict) or not isinstance(document.get("kind"), str):
        raise BadManifest(f"{path}: a document is no Kubernetes object; give it an apiVersion, a kind and metadata")
    if document["kind"].endswith("List") and isinstance(document.get("items"), list):
        for item in document["items"]:
            yield from _objects(item, path)
        return
    metadata = document.get("metadata")
    if not isinstance(document.get("apiVersion"), str) or not isinstance(metadata, dict):
        raise BadManifest(f"{path}: {document['kind']} has no apiVersion or no metadata; give it both")
    yield Manifest(path, document)


def by_identity(manifests: Sequence[Manifest]) -> dict[Identity, Manifest]:
    """The objects by what tells them apart."""
    found: dict[Identity, Manifest] = {}
    for manifest in manifests:
        other = found.setdefault(manifest.identity, manifest)
        if other is not manifest:
            raise BadManifest(f"{manifest.source}: {manifest.title} is in {other.source} already; remove one of them")
    return found


def print_objects(objects: Sequence[dict[str, Any]], form: str) -> None:
    """Print objects as YAML documents or as JSON; several as kubectl does, in one List."""
    if form == "json":
        whole = objects[0] if len(objects) == 1 else {"apiVersion": "v1", "items": list(objects), "kind": "List"}
        click.echo(json.dumps(whole, indent=4, ensure_ascii=False, sort_keys=True))
        return
    from .yaml_out import dump

    click.echo("---\n".join(dump(one) for one in objects), nl=False)
