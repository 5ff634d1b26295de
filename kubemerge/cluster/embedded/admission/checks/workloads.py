"""What the API does not allow in the kinds that run pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.values.unchecked import a_map, found, maps, number, text

from ....refusals import forbidden, invalid, required, unsupported
from . import names
from .pods import pod_spec
from .selectors import is_empty, picks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.values.unchecked import Object

FINISHING = ("OnFailure", "Never")
"""What a job's pods may do when they end."""

UPDATES = ("RollingUpdate", "OnDelete")
CONCURRENCY = ("Allow", "Forbid", "Replace")
NOT_NEGATIVE = "must be greater than or equal to 0"


def pod(content: Object) -> Iterator[str]:
    """A pod."""
    yield from pod_spec("spec", a_map(content.get("spec")))


def deployment(content: Object) -> Iterator[str]:
    """A deployment."""
    spec = a_map(content.get("spec"))
    yield from _not_negative("spec", spec, "replicas")
    yield from _selected(spec, "deployment")
    yield from _template(spec, "ReplicaSet")
    yield from _strategy(a_map(spec.get("strategy")))
    yield from _not_negative("spec", spec, "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds")
    deadline = number(spec.get("progressDeadlineSeconds"))
    if deadline is not None and deadline <= (number(spec.get("minReadySeconds")) or 0):
        yield invalid("spec.progressDeadlineSeconds", deadline, "must be greater than minReadySeconds")


def replica_set(content: Object) -> Iterator[str]:
    """A replica set."""
    spec = a_map(content.get("spec"))
    yield from _not_negative("spec", spec, "replicas", "minReadySeconds")
    yield from _selected(spec, "deployment")
    yield from _template(spec, "ReplicaSet")


def daemon_set(content: Object) -> Iterator[str]:
    """A daemon set."""
    spec = a_map(content.get("spec"))
    yield from _selected(spec, "daemonset", needed=False)
    yield from _template(spec, "DaemonSet")
    yield from _not_negative("spec", spec, "minReadySeconds")
    at, strategy = "spec.updateStrategy", a_map(spec.get("updateStrategy"))
    type_, rolling = strategy.get("type"), a_map(strategy.get("rollingUpdate"))
    if type_ not in UPDATES:
        yield unsupported(at, strategy, UPDATES)
    elif type_ == "RollingUpdate":
        surge, unavailable = rolling.get("maxSurge"), rolling.get("maxUnavailable")
        if _amount(surge) and _amount(unavailable):
            yield invalid(f"{at}.rollingUpdate.maxSurge", surge, "may not be set when maxUnavailable is non-zero")
        elif not _amount(surge) and not _amount(unavailable):
            yield required(f"{at}.rollingUpdate.maxUnavailable", "cannot be 0 when maxSurge is 0")


def stateful_set(content: Object) -> Iterator[str]:
    """A stateful set."""
    spec = a_map(content.get("spec"))
    policy = spec.get("podManagementPolicy")
    if policy not in ("OrderedReady", "Parallel"):
        yield invalid("spec.podManagementPolicy", policy, "must be 'OrderedReady' or 'Parallel'")
    at, strategy = "spec.updateStrategy", a_map(spec.get("updateStrategy"))
    type_, rolling = strategy.get("type"), strategy.get("rollingUpdate")
    if type_ not in UPDATES:
        yield invalid(at, strategy, "must be 'RollingUpdate' or 'OnDelete'")
    elif type_ == "OnDelete" and rolling is not None:
        yield invalid(f"{at}.rollingUpdate", rolling, "only allowed for updateStrategy 'RollingUpdate'")
    yield from _not_negative("spec", spec, "replicas", "minReadySeconds")
    yield from _selected(spec, "statefulset")
    claimed = [text(found(claim, "metadata.name")) for _, claim in maps(spec, "volumeClaimTemplates")]
    yield from _template(spec, "StatefulSet", claimed)


def job(content: Object) -> Iterator[str]:
    """A job. Its name becomes a label of its pods, unless manualSelector is set."""
    spec = a_map(content.get("spec"))
    if spec.get("manualSelector") is not True:
        name = text(a_map(content.get("metadata")).get("name"))
        yield from (invalid("spec.template.labels", name, why) for why in names.too_long(name, 63))
    yield from _job_spec("spec", spec)


def cron_job(content: Object) -> Iterator[str]:
    """A cron job."""
    spec = a_map(content.get("spec"))
    yield from _not_negative("spec", spec, "startingDeadlineSeconds")
    policy = spec.get("concurrencyPolicy")
    if policy not in CONCURRENCY:
        yield unsupported("spec.concurrencyPolicy", policy, CONCURRENCY)
    yield from _job_spec("spec.jobTemplate.spec", a_map(found(spec, "jobTemplate.spec")))
    yield from _not_negative("spec", spec, "successfulJobsHistoryLimit", "failedJobsHistoryLimit")
    if not spec.get("schedule"):
        yield required("spec.schedule")


def _job_spec(at: str, spec: Object) -> Iterator[str]:
    yield from _not_negative(at, spec, "parallelism", "completions", "activeDeadlineSeconds", "backoffLimit")
    template = a_map(spec.get("template"))
    yield from names.labels(f"{at}.template.labels", found(template, "metadata.labels"))
    yield from pod_spec(f"{at}.template.spec", a_map(template.get("spec")))
    if found(template, "spec.restartPolicy") not in FINISHING:
        yield required(f"{at}.template.spec.restartPolicy", 'valid values: "OnFailure", "Never"')


def _strategy(strategy: Object) -> Iterator[str]:
    """The strategy of a deployment: defaults of one type may be left over when the type changes."""
    type_, rolling = strategy.get("type"), strategy.get("rollingUpdate")
    if type_ == "Recreate":
        if rolling is not None:
            yield forbidden("spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'")
    elif type_ == "RollingUpdate":
        unavailable = a_map(rolling).get("maxUnavailable")
        if not _amount(unavailable) and not _amount(a_map(rolling).get("maxSurge")):
            at = "spec.strategy.rollingUpdate.maxUnavailable"
            yield invalid(at, unavailable, "may not be 0 when `maxSurge` is 0")
    else:
        yield unsupported("spec.strategy", strategy, ("Recreate", "RollingUpdate"))


def _selected(spec: Object, owner: str, *, needed: bool = True) -> Iterator[str]:
    """The selector, and the labels of the template that it has to pick."""
    selector, labels = spec.get("selector"), found(spec, "template.metadata.labels")
    if selector is None and needed:
        yield required("spec.selector")
    elif isinstance(selector, dict) and is_empty(selector):
        yield invalid("spec.selector", selector, f"empty selector is invalid for {owner}")
        if owner != "daemonset":
            return
    if not isinstance(selector, dict) or not picks(selector, a_map(labels)):
        yield invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`")


def _template(spec: Object, owner: str, claimed: list[str] | None = None) -> Iterator[str]:
    """The template of pods that run forever."""
    template = a_map(spec.get("template"))
    at, inner = "spec.template.spec", a_map(template.get("spec"))
    yield from names.labels("spec.template.labels", found(template, "metadata.labels"))
    yield from names.annotation_keys("spec.template.annotations", found(template, "metadata.annotations"))
    yield from pod_spec(at, inner, claimed=claimed or ())
    if inner.get("restartPolicy") != "Always":
        yield unsupported(f"{at}.restartPolicy", inner.get("restartPolicy"), ("Always",))
    if inner.get("activeDeadlineSeconds") is not None:
        yield forbidden(f"{at}.activeDeadlineSeconds", f"activeDeadlineSeconds in {owner} is not Supported")


def _not_negative(at: str, owner: Object, *fields: str) -> Iterator[str]:
    for field in fields:
        value = number(owner.get(field))
        if value is not None and value < 0:
            yield invalid(f"{at}.{field}", value, NOT_NEGATIVE)


_LONGEST = 18
"""How many digits of a number are read; no reasonable one has more."""


def _amount(value: Any) -> int:
    """A number of pods, or a percentage of them."""
    text = str(0 if value is None else value).removesuffix("%")
    return int(text[-_LONGEST:]) if text.isdecimal() else 0
