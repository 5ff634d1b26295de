"""Services, PersistentVolumeClaims, ConfigMaps and Secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..defaulting.rules import Default, Group
from ..problems import Problem, invalid
from ..unchecked import as_map, as_text, maps
from .record import FieldsSubresource, KindRecord, LazyModule, after_create_check, before_create_check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object


claims, configs, names, services, statuses, updates = (
    LazyModule(f"validation.{module}") for module in ("claims", "configs", "names", "services", "statuses", "updates")
)
warned = LazyModule("warnings.kinds")


def _bare_secrets(content: Object, *_: Object) -> Object:
    secrets = [{"name": one.get("name")} if one.get("name") else {} for _, one in maps(content, "secrets")]
    return {**content, "secrets": secrets} if secrets else content


def _without_balancer(content: Object, _: Object) -> Object:
    status = as_map(content.get("status"))
    if as_map(content.get("spec")).get("type") == "LoadBalancer" or not status.get("loadBalancer"):
        return content
    return {**content, "status": {**status, "loadBalancer": {}}}


def _with_finalizer(content: Object) -> Object:
    given = as_map(content.get("spec")).get("finalizers") or []
    finalizers = given if "kubernetes" in given else [*given, "kubernetes"]
    return {**content, "spec": {"finalizers": finalizers}}


def _kept_finalizers(content: Object, before: Object) -> Object:
    """Keep the finalizers of a Namespace in an update."""
    former = as_map(before.get("spec")).get("finalizers")
    return {**content, "spec": {"finalizers": former} if former else {}}


def with_name_as_label(content: Object) -> Object:
    """Return a Namespace with its default label: its name."""
    metadata = content["metadata"]
    labels = {**as_map(metadata.get("labels")), NAME: metadata.get("name", "")}
    return {**content, "metadata": {**metadata, "labels": labels}}


def _with_source(content: Object, before: Object | None = None) -> Object:
    """Copy the data source of a claim to both fields. The older one accepts only claims and snapshots."""
    spec, former = as_map(content.get("spec")), as_map((before or {}).get("spec"))
    source, named = spec.get("dataSource"), spec.get("dataSourceRef")
    # the feature gate is off
    if isinstance(named, dict) and named.get("namespace") and not former.get("dataSourceRef"):
        spec, named = {field: value for field, value in spec.items() if field != "dataSourceRef"}, None
    known = not isinstance(source, dict) or (source.get("apiGroup") or "", source.get("kind")) in SOURCES
    if not known and named is None and not (former.get("dataSource") or former.get("dataSourceRef")):
        spec = {field: value for field, value in spec.items() if field != "dataSource"}
    elif isinstance(source, dict) and named is None:
        spec = {**spec, "dataSourceRef": source}
    elif isinstance(named, dict) and source is None and not named.get("namespace"):
        spec = {**spec, "dataSource": {field: value for field, value in named.items() if field != "namespace"}}
    return {**content, "spec": spec} if spec is not content.get("spec") and "spec" in content else content


SOURCES = (("", "PersistentVolumeClaim"), ("snapshot.storage.k8s.io", "VolumeSnapshot"))
NAME, NAMES_ARE_LABELS_SINCE = "kubernetes.io/metadata.name", 21


def _namespace(content: Object) -> Iterator[Problem]:
    for one in as_map(content.get("spec")).get("finalizers") or ():
        yield from _finalizer("spec.finalizers", as_text(one))


def _finalizer(at: str, name: str) -> Iterator[Problem]:
    yield from (invalid(at, name, why) for why in names.key(name))
    if "/" not in name and name != "kubernetes":
        yield invalid(at, name, "name is neither a standard finalizer name nor is it fully qualified")


def _finalized(content: Object, before: Object, _minor: int) -> Object:
    """Return the Namespace of a request to its subresource `finalize`, which cannot change the status."""
    return {**content, "status": before.get("status")}


def _finalizers(content: Object, _before: Object) -> Iterator[Problem]:
    """Check the finalizers of a request to the subresource. Unlike those of a new Namespace, they are numbered."""
    for index, one in enumerate(as_map(content.get("spec")).get("finalizers") or ()):
        yield from _finalizer(f"spec.finalizers[{index}]", as_text(one))


def _namespace_status(content: Object, before: Object) -> Iterator[Problem]:
    phase = as_text(as_map(content.get("status")).get("phase"))
    going = "deletionTimestamp" in before["metadata"]
    if phase and phase != ("Terminating" if going else "Active"):
        when, empty = ("may only be 'Terminating'", "not empty") if going else ("may only be 'Active'", "empty")
        yield invalid("status.Phase", phase, f"{when} if `deletionTimestamp` is {empty}")


_ACTIVE = Default("status.phase", "Active")

RECORDS = (
    KindRecord(
        group="",
        kind="Namespace",
        versions=("v1",),
        named_again=True,
        check=_namespace,
        check_status=_namespace_status,
        created=_with_finalizer,
        defaults=(Group(("Namespace",), "core/v1/defaults.go SetDefaults_NamespaceStatus", (_ACTIVE,)),),
        updated=_kept_finalizers,
        parts={"finalize": FieldsSubresource(_finalized, _finalizers, since=0)},
    ),
    KindRecord(
        group="",
        kind="ServiceAccount",
        versions=("v1",),
        named_again=True,
        created=_bare_secrets,
        updated=_bare_secrets,
        warnings=warned.service_account,
    ),
    KindRecord(
        group="",
        kind="Service",
        versions=("v1",),
        nulls=False,
        updated=_without_balancer,
        updated_since=23,
        check=services.service,
        check_update=services.replaced,
        check_status=services.status,
        warnings=warned.service,
    ),
    KindRecord(
        group="",
        kind="PersistentVolumeClaim",
        versions=("v1",),
        named_again=True,
        nulls=False,
        check=claims.claim,
        check_update=after_create_check(claims.claim, updates.claim),
        check_status=statuses.claim,
        created=_with_source,
        updated=_with_source,
        warnings=warned.claim,
    ),
    KindRecord(
        group="",
        kind="Secret",
        versions=("v1",),
        named_again=True,
        nulls=False,
        check=configs.secret,
        check_update=before_create_check(configs.secret, updates.fields, configs.immutable_secret),
        warnings=warned.secret,
    ),
    KindRecord(
        group="",
        kind="ConfigMap",
        versions=("v1",),
        named_again=True,
        check=configs.config_map,
        check_update=after_create_check(configs.config_map, configs.immutable_config_map),
    ),
)
