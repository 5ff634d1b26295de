"""Services, claims of volumes, ConfigMaps and Secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values.unchecked import a_map, maps, text

from ....refusals import invalid
from ..checks import claims, configs, names, services, updates
from .record import KindRecord, also

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.values.unchecked import Object


def _bare_secrets(content: Object, *_: Object) -> Object:
    """A service account whose secrets are only named."""
    secrets = [{"name": one.get("name")} if one.get("name") else {} for _, one in maps(content, "secrets")]
    return {**content, "secrets": secrets} if secrets else content


def _with_finalizer(content: Object) -> Object:
    """A new namespace, with the finalizer that every one has."""
    given = a_map(content.get("spec")).get("finalizers") or []
    finalizers = given if "kubernetes" in given else [*given, "kubernetes"]
    return {**content, "spec": {"finalizers": finalizers}}


def _kept_finalizers(content: Object, before: Object) -> Object:
    """A namespace in place of another, with the finalizers it had."""
    former, metadata = a_map(before.get("spec")).get("finalizers"), content["metadata"]
    labels = {**a_map(metadata.get("labels"))}
    if NAME in a_map(before["metadata"].get("labels")):
        labels[NAME] = metadata["name"]
    whole = {**metadata, **({"labels": labels} if labels else {})}
    return {**content, "metadata": whole, "spec": {"finalizers": former} if former else {}}


NAME = "kubernetes.io/metadata.name"


def _namespace(content: Object) -> Iterator[str]:
    for one in a_map(content.get("spec")).get("finalizers") or ():
        yield from (invalid("spec.finalizers", one, why) for why in names.key(text(one)))
        if "/" not in text(one) and one != "kubernetes":
            why = "name is neither a standard finalizer name nor is it fully qualified"
            yield invalid("spec.finalizers", one, why)


def _namespace_status(content: Object, before: Object) -> Iterator[str]:
    phase = text(a_map(content.get("status")).get("phase"))
    going = "deletionTimestamp" in before["metadata"]
    if phase and phase != ("Terminating" if going else "Active"):
        when, empty = ("may only be 'Terminating'", "not empty") if going else ("may only be 'Active'", "empty")
        yield invalid("status.Phase", phase, f"{when} if `deletionTimestamp` is {empty}")


RECORDS = (
    KindRecord(
        group="",
        kind="Namespace",
        versions=("v1",),
        check=_namespace,
        check_status=_namespace_status,
        created=_with_finalizer,
        status_updated=lambda content, _: {**content, "status": {"phase": "Active", **a_map(content.get("status"))}},
        updated=_kept_finalizers,
    ),
    KindRecord(
        group="",
        kind="ServiceAccount",
        versions=("v1",),
        named_again=True,
        created=_bare_secrets,
        updated=_bare_secrets,
    ),
    KindRecord(
        group="",
        kind="Service",
        versions=("v1",),
        nulls=False,
        check=services.service,
        check_update=services.replaced,
        check_status=services.status,
    ),
    KindRecord(
        group="",
        kind="PersistentVolumeClaim",
        versions=("v1",),
        named_again=True,
        nulls=False,
        check=claims.claim,
        check_update=also(claims.claim, updates.claim),
    ),
    KindRecord(
        group="",
        kind="Secret",
        versions=("v1",),
        named_again=True,
        nulls=False,
        check=configs.secret,
        check_update=also(configs.secret, updates.fields, configs.immutable_secret),
    ),
    KindRecord(
        group="",
        kind="ConfigMap",
        versions=("v1",),
        named_again=True,
        check=configs.config_map,
        check_update=also(configs.config_map, configs.immutable_config_map),
    ),
)
