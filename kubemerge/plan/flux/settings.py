"""The settings of a Kustomization of Flux."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ..settings import BadSettings, Section, settings_of
from .drift_rules import DriftRules

if TYPE_CHECKING:
    from collections.abc import Sequence

    Object = dict[str, Any]

GROUP = "kustomize.toolkit.fluxcd.io"
KIND = "Kustomization"


class InventoryEntry(NamedTuple):
    """An object that the last reconciliation applied."""

    namespace: str
    name: str
    group: str
    kind: str
    version: str

    @property
    def stub(self) -> Object:
        """An object with this identity."""
        metadata = {"name": self.name, **({"namespace": self.namespace} if self.namespace else {})}
        version = f"{self.group}/{self.version}" if self.group else self.version
        return {"apiVersion": version, "kind": self.kind, "metadata": metadata}


class Kustomization(NamedTuple):
    """The fields of a Kustomization that affect the plan. `is_given` is false if none was passed."""

    name: str = ""
    namespace: str = ""
    force: bool = False
    prune: bool = False
    suspend: bool = False
    rules: DriftRules = DriftRules(())
    labels: dict[str, str] = {}  # noqa: RUF012 - it is never changed
    annotations: dict[str, str] = {}  # noqa: RUF012
    inventory: tuple[InventoryEntry, ...] = ()
    is_given: bool = False

    @property
    def owner_labels(self) -> dict[str, str]:
        """The labels of all objects of this Kustomization."""
        if not self.is_given:
            return {}
        return {f"{GROUP}/name": self.name, f"{GROUP}/namespace": self.namespace}


def kustomization(documents: Sequence[Object], *, force: bool = False) -> Kustomization:
    """The settings in a tool's own objects. `force` sets spec.force."""
    document = settings_of(documents, GROUP, KIND)
    if document is None:
        if documents:
            found = ", ".join(sorted({str(one.get("kind")) for one in documents}))
            raise BadSettings(
                f"the settings have no {KIND} of {GROUP}, only {found}. Pass the Kustomization of Flux. For a "
                "HelmRelease, use --as helm with the rendered chart"
            )
        return Kustomization(force=force)
    top = Section(document, "", KIND)
    metadata, spec = top.section("metadata"), top.section("spec")
    name = metadata.text("name")
    if not name:
        raise metadata.fail("name", "is missing. Its objects are labelled with it.")
    common = spec.section("commonMetadata")
    return Kustomization(
        name,
        metadata.text("namespace") or "default",
        force or bool(spec.get("force", bool)),
        bool(spec.get("prune", bool)),
        bool(spec.get("suspend", bool)),
        DriftRules.read(spec.sections("ignore")),
        common.labels("labels"),
        common.labels("annotations"),
        tuple([_entry(one) for one in top.section("status").section("inventory").sections("entries")]),
        is_given=True,
    )


def _entry(section: Section) -> InventoryEntry:
    parts = section.text("id").split("_")
    colons = [at for at, part in enumerate(parts) if not part and 0 < at < len(parts) - 2]
    for at in reversed(colons):  # two underscores stand for a colon, as in system:node
        parts[at - 1 : at + 2] = [f"{parts[at - 1]}:{parts[at + 1]}"]
    if len(parts) != 4:
        raise section.fail("id", "is not NAMESPACE_NAME_GROUP_KIND. Copy it from the cluster.")
    namespace, name, group, kind = parts
    return InventoryEntry(namespace, name, group, kind, section.text("v") or "v1")
