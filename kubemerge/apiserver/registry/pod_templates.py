"""ReplicationController, PodTemplate and ControllerRevision."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..defaulting.rules import EMPTY, Default, Group, TypePosition, given, same_as
from ..problems import Problem, forbidden, immutable, invalid, invalid_map, required, unsupported
from ..unchecked import as_map, as_number, get_path
from ..validation import workloads
from ..validation.eras import REVISION_OBJECTS
from ..validation.values import formats
from .record import KindRecord, LazyModule, after_create_check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

COUNTS = ("replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas", "observedGeneration")


def controller(content: Object) -> Iterator[Problem]:
    """Validate a ReplicationController."""
    spec = as_map(content.get("spec"))
    selector, template = as_map(spec.get("selector")), spec.get("template")
    if not selector:
        yield required("spec.selector")
    if template is None:
        yield required("spec.template")
        return
    labels = as_map(get_path(template, "metadata.labels"))
    if selector and any(labels.get(key) != value for key, value in selector.items()):
        why = "`selector` does not match template `labels`"
        yield invalid_map("spec.template.metadata.labels", get_path(template, "metadata.labels"), why)
    yield from workloads.template("spec.template", spec)
    yield from workloads.shared_disks(spec)
    inner = as_map(as_map(template).get("spec"))
    if inner.get("restartPolicy") != "Always":
        yield unsupported("spec.template.spec.restartPolicy", inner.get("restartPolicy"), ("Always",))
    if inner.get("activeDeadlineSeconds") is not None:
        why = "activeDeadlineSeconds in ReplicationController is not Supported"
        yield forbidden("spec.template.spec.activeDeadlineSeconds", why)


def controller_status(content: Object, _: Object) -> Iterator[Problem]:
    """Validate the status of a ReplicationController."""
    status = as_map(content.get("status"))
    yield from formats.not_negative("status", status, *COUNTS)
    all_, labelled, ready, available = (as_number(status.get(field)) or 0 for field in COUNTS[:4])
    why = "cannot be greater than status.replicas"
    if labelled > all_:
        yield invalid("status.fullyLabeledReplicas", labelled, why)
    if ready > all_:
        yield invalid("status.readyReplicas", ready, why)
    if available > all_:
        yield invalid("status.availableReplicas", available, why)
    if available > ready:
        yield invalid("status.availableReplicas", available, "cannot be greater than readyReplicas")


def pod_template(content: Object) -> Iterator[Problem]:
    """Validate a PodTemplate."""
    yield from workloads.template("template", content)


def revision(content: Object) -> Iterator[Problem]:
    """Validate a ControllerRevision."""
    if content.get("data") is None:
        yield required("data", "data is mandatory")
    elif not isinstance(content["data"], dict):
        yield from REVISION_OBJECTS.limit([required("data", "data must be a valid JSON object")])
    yield from numbered(content)


def numbered(content: Object) -> Iterator[Problem]:
    """Validate the revision number of a ControllerRevision."""
    if (as_number(content.get("revision")) or 0) < 0:
        yield invalid("revision", content["revision"], formats.NOT_NEGATIVE)


def changed_revision(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a ControllerRevision. Its data is immutable."""
    if content.get("data") != before.get("data"):
        yield immutable("data", content.get("data"))


_LABELLED = given("spec.template.metadata.labels")
_LABELS = same_as("spec.template.metadata.labels")
warned = LazyModule("warnings.kinds")
RECORDS = (
    KindRecord(
        group="",
        kind="ReplicationController",
        any_prefix=True,
        versions=("v1",),
        defaults=(
            Group(
                ("ReplicationController",),
                "core/v1/defaults.go SetDefaults_ReplicationController",
                (
                    Default("spec.selector", _LABELS, _LABELLED, unset=EMPTY),
                    Default("metadata.labels", _LABELS, _LABELLED, unset=EMPTY),
                    Default("spec.replicas", 1),
                ),
            ),
        ),
        places={"ReplicationController": (TypePosition("spec.template?", "PodTemplateSpec"),)},
        nulls=False,
        check=controller,
        check_status=controller_status,
        warnings=warned.controller,
    ),
    KindRecord(
        group="",
        kind="PodTemplate",
        versions=("v1",),
        places={"v1 PodTemplate": (TypePosition("template", "PodTemplateSpec"),)},
        nulls=False,
        check=pod_template,
        warnings=warned.pod_template,
    ),
    KindRecord(
        group="apps",
        kind="ControllerRevision",
        versions=("apps/v1", "apps/v1beta2", "apps/v1beta1"),
        check=revision,
        named_again=True,
        check_update=after_create_check(numbered, changed_revision),
    ),
)
