"""Finding the CustomResourceDefinitions of each cluster, which are then used for its custom resources."""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from ...apiserver.crd.definitions.approval import ANNOTATION
from ...apiserver.kinds.builtin_kinds import DEFINITION
from ...apiserver.unchecked import as_map
from ...manifests.objects import manifests_in
from ..rows import Row, row_of
from .base import Check, Rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...manifests.objects import Manifest
    from ..reading.items import Item

MARK = DEFINITION[1].encode()
"""A word in every text that contains a definition, and in few others."""
_KEPT = ("apiVersion", "kind", "spec")


class Definitions(Check):
    """Finds definitions; a row has one with its age, without the values that differ in each cluster."""

    def __init__(self, _rules: Rules) -> None:
        super().__init__()

    def _rows(self, item: Item) -> Iterator[Row]:
        if MARK in item.text:
            for manifest in manifests_in(item.text, item.source):
                if manifest.key[1] == DEFINITION[1] and manifest.id.group == DEFINITION[0]:
                    yield self._row(item.cluster, manifest)

    def _row(self, cluster: str, manifest: Manifest) -> Row:
        content, metadata = manifest.content, manifest.content["metadata"]
        kept = {name: content[name] for name in _KEPT if name in content}
        approval = as_map(metadata.get("annotations")).get(ANNOTATION)
        annotations = {} if approval is None else {ANNOTATION: approval}
        kept["metadata"] = {"name": metadata.get("name") or "", "annotations": annotations}
        if isinstance(spec := kept.get("spec"), dict) and "conversion" in spec:
            kept["spec"] = {**spec, "conversion": _without_certificates(spec["conversion"])}
        age = metadata.get("generation")
        text = f"{int(age) if isinstance(age, int) else 0} {json.dumps(kept, sort_keys=True)}"
        return row_of(cluster, content, manifest.source, what="definition", after=text)


def _without_certificates(conversion: Any) -> Any:
    """The conversion settings without the certificates that each cluster creates for itself."""
    if not isinstance(conversion, dict):
        return conversion
    return {name: _without_certificates(one) for name, one in conversion.items() if name != "caBundle"}


class Known(NamedTuple):
    """The definitions of all clusters; each text is stored once, because most clusters have the same ones."""

    texts: tuple[str, ...] = ()
    of: dict[str, tuple[int, ...]] = {}  # noqa: RUF012 - never modified
    """For each cluster, the indexes of its texts."""
    hashes: tuple[str, ...] = ()
    """The hashes of the texts, because a cluster has long texts and many parts."""

    def about(self, cluster: str | None) -> tuple[str, ...]:
        """The hashes that a cluster's results depend on; those of all clusters if the cluster is unknown."""
        return self.hashes if cluster is None else tuple(self.hashes[at] for at in self.of.get(cluster, ()))

    def contents(self, cluster: str) -> tuple[dict[str, Any], ...]:
        """The definitions of a cluster."""
        return tuple(json.loads(self.texts[at]) for at in self.of.get(cluster, ()))


def known(found: Iterable[tuple[str, str, str]]) -> Known:
    """The definitions that were found, each with its cluster, name, age and text.

    A dump may contain a definition twice, from different times: then the younger one counts.
    """
    best: dict[tuple[str, str], tuple[int, str]] = {}
    same: dict[str, str] = {}
    for cluster, name, packed in found:
        age, _, text = packed.partition(" ")
        key, one = (cluster, name), (int(age), same.setdefault(text, text))
        best[key] = max(best.get(key, one), one)
    texts = sorted({text for _, text in best.values()})
    numbers = {text: at for at, text in enumerate(texts)}
    of: dict[str, list[int]] = {}
    for (cluster, _), (_, text) in sorted(best.items()):
        of.setdefault(cluster, []).append(numbers[text])
    hashes = tuple(blake2b(one.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest() for one in texts)
    return Known(tuple(texts), {cluster: tuple(sorted(found)) for cluster, found in of.items()}, hashes)
