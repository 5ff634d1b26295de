"""The settings of an Application of Argo CD, and those of the ConfigMap `argocd-cm`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from codegen.documents.problems import BadDocument
from codegen.documents.yaml_text import documents

from ..settings import BadSettings, Section, settings_of
from .ignore_differences import IgnoreRules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Object = dict[str, Any]

GROUP = "argoproj.io"
KIND = "Application"
TRACKING_ID = "argocd.argoproj.io/tracking-id"
INSTALLATION_ID = "argocd.argoproj.io/installation-id"
COMPARE_OPTIONS = "argocd.argoproj.io/compare-options"
SYNC_OPTIONS = "argocd.argoproj.io/sync-options"
MIGRATION_MANAGER = "argocd.argoproj.io/client-side-apply-migration-manager"
IGNORE_STATUS = "/status"
_CUSTOM = "resource.customizations.ignoreDifferences."


class ManagedResource(NamedTuple):
    """An object that Argo CD counted as part of the Application."""

    group: str
    version: str
    kind: str
    namespace: str
    name: str

    @property
    def stub(self) -> Object:
        """An object with this identity."""
        metadata = {"name": self.name, **({"namespace": self.namespace} if self.namespace else {})}
        version = f"{self.group}/{self.version}" if self.group else self.version
        return {"apiVersion": version, "kind": self.kind, "metadata": metadata}


class Application(NamedTuple):
    """The settings that affect the plan. `is_given` is false if no Application was passed."""

    name: str = ""
    destination: str = ""
    """The namespace of objects that have none."""
    options: frozenset[str] = frozenset()
    prune: bool = False
    force: bool = False
    server_side_diff: bool = False
    migration_manager: str = "kubectl-client-side-apply"
    ignore: IgnoreRules = IgnoreRules(())
    tracking: str = "annotation"
    label: str = "app.kubernetes.io/instance"
    installation: str = ""
    ignores_aggregated_roles: bool = False
    resources: tuple[ManagedResource, ...] = ()
    is_given: bool = False

    def has(self, option: str) -> bool:
        """Whether a sync option is set for the Application."""
        return option in self.options

    def option_value(self, name: str) -> str | None:
        """The value of a sync option, as in `Prune=false`."""
        return next((one.partition("=")[2] for one in sorted(self.options) if one.startswith(f"{name}=")), None)


def application(given: Sequence[Object], *, force: bool = False, server_side: str | None = None) -> Application:
    """The settings in a tool's own objects. `force` and `server_side` set sync options."""
    added = {"ServerSideApply=true"} if server_side == "true" else set()
    document = settings_of(given, GROUP, KIND)
    system = _argocd_config(given)
    if document is None:
        if given:
            found = ", ".join(sorted({str(one.get("kind")) for one in given}))
            raise BadSettings(f"the settings have no {KIND} of {GROUP}, only {found}. Pass the Application of Argo CD.")
        return Application(
            options=frozenset(added),
            force=force,
            server_side_diff=bool(added),
            ignore=IgnoreRules.read([], [IGNORE_STATUS]),
        )
    top = Section(document, "", KIND)
    metadata, spec = top.section("metadata"), top.section("spec")
    if not metadata.text("name"):
        raise metadata.fail("name", "is missing. Its objects are tracked with it.")
    annotations = metadata.labels("annotations")
    policy = spec.section("syncPolicy")
    options = frozenset({*policy.texts("syncOptions"), *added})
    compare = [one.strip() for one in annotations.get(COMPARE_OPTIONS, "").split(",")]
    rules = [*spec.sections("ignoreDifferences")]
    return Application(
        metadata.text("name"),
        spec.section("destination").text("namespace"),
        options,
        bool(policy.section("automated").get("prune", bool)),
        force,
        "ServerSideDiff=false" not in compare
        and ("ServerSideDiff=true" in compare or "ServerSideApply=true" in options),
        annotations.get(MIGRATION_MANAGER) or "kubectl-client-side-apply",
        IgnoreRules.read([*rules, *system.rules], [IGNORE_STATUS] if system.ignores_status == "all" else []),
        system.tracking,
        system.label,
        system.installation,
        system.ignores_aggregated_roles,
        tuple([_resource(one) for one in top.section("status").sections("resources")]),
        is_given=True,
    )


def _resource(section: Section) -> ManagedResource:
    return ManagedResource(*(section.text(field) for field in ManagedResource._fields))


class _ArgoCDConfig(NamedTuple):
    tracking: str = "annotation"
    label: str = "app.kubernetes.io/instance"
    installation: str = ""
    ignores_status: str = "all"
    ignores_aggregated_roles: bool = False
    rules: tuple[Section, ...] = ()


def _argocd_config(given: Sequence[Object]) -> _ArgoCDConfig:
    """The settings of the ConfigMap `argocd-cm`, if it is among the tool's own objects."""
    for one in given:
        if one.get("kind") == "ConfigMap" and (one.get("metadata") or {}).get("name") == "argocd-cm":
            section = Section(one, "", "ConfigMap argocd-cm")
            data = section.labels("data")
            compare = Section(_yaml(section, data, "resource.compareoptions"), "resource.compareoptions", "argocd-cm")
            status = compare.content.get("ignoreResourceStatusField")
            return _ArgoCDConfig(
                data.get("application.resourceTrackingMethod") or "annotation",
                data.get("application.instanceLabelKey") or "app.kubernetes.io/instance",
                data.get("installationID") or "",
                "none" if status in ("none", "off", "false", False) else "crd" if status == "crd" else "all",
                bool(compare.get("ignoreAggregatedRoles", bool)),
                tuple(_system_rules(section, data)),
            )
    return _ArgoCDConfig()


def _system_rules(section: Section, data: dict[str, str]) -> Iterator[Section]:
    for key in sorted(data):
        if not key.startswith(_CUSTOM):
            continue
        group, _, kind = key.removeprefix(_CUSTOM).rpartition("_")
        if (group, kind) == ("", "all"):
            group = kind = "*"
        rule = Section(_yaml(section, data, key), f"data.{key}", "ConfigMap argocd-cm")
        rule.content = {**rule.content, "group": group, "kind": kind}
        yield rule


def _yaml(section: Section, data: dict[str, str], key: str) -> Any:
    text = data.get(key)
    if not text:
        return {}
    try:
        return next(iter(documents(text)), None) or {}
    except BadDocument as error:
        raise section.fail(f"data.{key}", f"is not YAML: {error}") from None
