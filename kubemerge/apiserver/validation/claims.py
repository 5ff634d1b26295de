"""PersistentVolumeClaims, alone and in templates of StatefulSets and Pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.quantities import amount, canonical

from ..problems import Problem, forbidden, invalid, required, unsupported
from ..registry.feature_gates import eras_of
from ..unchecked import as_map, as_text
from . import names
from .declarative import by_table
from .eras import NO_ONE_POD, ONE_POD, ONE_POD_ALONE
from .selectors import label_selector

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

SHARED_MODES, ONE_POD_MODE = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce"), "ReadWriteOncePod"
ACCESS_MODES = (*SHARED_MODES, ONE_POD_MODE)
RULES = """
PersistentVolumeClaimSpec volumeMode *string optional enum=Block|Filesystem
"""
"""The checks of one field."""
POSITIVE = "must be greater than zero"


def claim(content: Object) -> Iterator[Problem]:
    """Validate a PersistentVolumeClaim."""
    return claim_spec("spec", as_map(content.get("spec")))


def claim_spec(at: str, spec: Object) -> Iterator[Problem]:
    """Validate the spec of a claim."""
    if not spec.get("accessModes"):
        yield required(f"{at}.accessModes", "at least 1 access mode is required")
    yield from label_selector(f"{at}.selector", spec.get("selector"))
    yield from access_modes(f"{at}.accessModes", spec.get("accessModes"))
    asked = as_map(as_map(spec.get("resources")).get("requests")).get("storage")
    size = amount(asked) if asked is not None else None
    if asked is None:
        yield required(f"{at}.resources[storage]")
    elif size is not None and size <= 0:
        yield invalid(f"{at}.resources[storage]", canonical(asked), POSITIVE)
    yield from class_name(f"{at}.storageClassName", spec.get("storageClassName"))
    yield from by_table(RULES, "PersistentVolumeClaimSpec", at, spec)
    yield from _sources(at, spec)
    yield from class_name(f"{at}.volumeAttributesClassName", spec.get("volumeAttributesClassName"))


def access_modes(at: str, modes: Any) -> Iterator[Problem]:
    """Validate access modes."""
    given = modes if isinstance(modes, list) else []
    for mode in given:
        if mode not in SHARED_MODES:
            yield from NO_ONE_POD.limit([unsupported(at, mode, SHARED_MODES)])
        if mode not in ACCESS_MODES:
            yield from ONE_POD.limit([unsupported(at, mode, ACCESS_MODES)])
    if ONE_POD_MODE in given and set(given) & {*SHARED_MODES}:
        yield from ONE_POD_ALONE.limit([forbidden(at, "may not use ReadWriteOncePod with other access modes")])


def class_name(at: str, name: Any) -> Iterator[Problem]:
    """Validate the name of a class."""
    return (invalid(at, name, why) for why in (names.subdomain(as_text(name)) if name else ()))


def _sources(at: str, spec: Object) -> Iterator[Problem]:
    source, reference = spec.get("dataSource"), spec.get("dataSourceRef")
    yield from _source(f"{at}.dataSource", source)
    yield from _source(f"{at}.dataSourceRef", reference)
    namespace = as_text(as_map(reference).get("namespace"))
    if namespace:
        place = f"{at}.dataSourceRef.namespace"
        yield from (invalid(place, namespace, why) for why in names.label(namespace))
        if source is not None:
            why = "may not be specified when dataSourceRef.namespace is specified"
            yield invalid(at, {}, why)
    elif source is not None and reference is not None:
        same = all(as_map(source).get(one) == as_map(reference).get(one) for one in ("apiGroup", "kind", "name"))
        if not same:
            yield invalid(at, {}, "must match dataSourceRef")


def _source(at: str, source: Any) -> Iterator[Problem]:
    if not isinstance(source, dict):
        return
    yield from (required(f"{at}.{field}") for field in ("name", "kind") if not source.get(field))
    group, kind = as_text(source.get("apiGroup")), as_text(source.get("kind"))
    if not group and kind != "PersistentVolumeClaim":
        yield invalid(at, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")
    yield from (invalid(f"{at}.apiGroup", group, why) for why in (names.subdomain(group) if group else ()))


def disabled_class(at: str) -> Iterator[Problem]:
    """The problem of a changed class of volume attributes where its gate is off."""
    for era, on in eras_of("VolumeAttributesClass"):
        if not on:
            why = "update is forbidden when the VolumeAttributesClass feature gate is disabled"
            yield from era.limit([forbidden(at, why)])


def removed_class(at: str) -> Problem:
    """The problem of a removed class of volume attributes."""
    return forbidden(at, "update from non-nil value to nil is forbidden")
