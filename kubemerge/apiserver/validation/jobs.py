"""Jobs and CronJobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..eras import Era
from ..problems import OMITTED, Problem, duplicate, invalid, invalid_map, required, too_long, too_many, unsupported
from ..registry.job_labels import PREFIXED_SINCE, generated_labels
from ..unchecked import as_map, as_number, as_text, get_path, maps
from . import names, updates
from .declarative import by_table
from .eras import JOB_AS_NEW, JOB_AS_UPDATE, NO_STATUS
from .job_indexes import parse_indexes
from .selectors import is_valid_selector, label_selector, selector_matches
from .values import formats
from .values.schedules import schedule, time_zone
from .workloads import template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

MODES = ("NonIndexed", "Indexed")
RULES = """
CronJobSpec concurrencyPolicy string required enum=Allow|Forbid|Replace
"""
"""The checks of one field."""
ACTIONS = ("Count", "FailIndex", "FailJob", "Ignore")
STATUSES = ("False", "True", "Unknown")
REPLACING = ("Failed", "TerminatingOrFailed")
MOST_INDEXED = 100_000
SOFT_LIMIT, MOST_BESIDE = 100_000, 10_000
MOST_RULES, MOST_CODES = 20, 255


def job(content: Object, minor: int) -> Iterator[Problem]:
    """Validate a new Job on a server of a minor release."""
    yield from _generated(content, generated_labels(as_map(content.get("metadata")), minor))
    yield from any_job(content)
    yield from named_pods(content)


def replaced(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a Job."""
    lacked = get_path(before, "spec.selector") is None
    yield from _generated_again(content, before)
    yield from any_job(content, needs_selector=not lacked)
    yield from JOB_AS_NEW.limit(named_pods(content))
    yield from updates.job(content, before)
    yield from JOB_AS_UPDATE.limit(named_pods(content))


def _generated_again(content: Object, before: Object) -> Iterator[Problem]:
    """Validate the generated selector and labels of an updated Job. Imported Jobs may lack both.

    Labels with a prefix are only required if the Job has them before.
    """
    metadata, old = as_map(content.get("metadata")), as_map(get_path(before, "spec.template.metadata.labels"))
    plain, prefixed = (generated_labels(metadata, minor) for minor in (PREFIXED_SINCE - 1, PREFIXED_SINCE))
    for expected, era in (
        (plain, Era(until=PREFIXED_SINCE - 1)),
        (prefixed if prefixed.keys() <= old.keys() else plain, Era(PREFIXED_SINCE)),
    ):
        if not any(_generated(before, expected)):
            yield from JOB_AS_NEW.limit(era.limit(_generated(content, expected)))


def any_job(content: Object, *, needs_selector: bool = False) -> Iterator[Problem]:
    """Validate a new or updated Job. The server generates its selector, which an imported Job may lack."""
    spec = as_map(content.get("spec"))
    yield from job_spec("spec", spec)
    selector = spec.get("selector")
    if selector is None and spec.get("manualSelector") is not True and not needs_selector:
        return
    if selector is None:
        yield required("spec.selector")
    yield from label_selector("spec.selector", selector)
    labels = get_path(spec, "template.metadata.labels")
    if is_valid_selector(selector) and not (
        selector is not None and selector_matches(as_map(selector), as_map(labels))
    ):
        yield invalid_map("spec.template.metadata.labels", labels, "`selector` does not match template `labels`")


def named_pods(content: Object) -> Iterator[Problem]:
    """Reject a name that is too long for the Pods of an indexed Job."""
    spec, name = as_map(content.get("spec")), as_text(get_path(content, "metadata.name"))
    count = as_number(spec.get("completions")) or 0
    if spec.get("completionMode") == "Indexed" and count > 0 and any(names.label(f"{name}-{count - 1}")):
        why = f"will not able to create pod with invalid DNS label: {name}-{count - 1}"
        yield invalid("metadata.name", name, why)


def _generated(content: Object, expected: dict[str, str]) -> Iterator[Problem]:
    spec = as_map(content.get("spec"))
    if spec.get("manualSelector") is True or spec.get("selector") is None:
        return
    labels = as_map(get_path(spec, "template.metadata.labels"))
    for label, wanted in expected.items():
        at = f"spec.template.metadata.labels[{label}]"
        if label not in labels:
            yield required(at, f"must be '{wanted}'")
        elif labels[label] != wanted:
            yield invalid_map(at, labels, f"must be '{wanted}'")
    if is_valid_selector(spec["selector"]) and not selector_matches(as_map(spec["selector"]), expected):
        yield invalid("spec.selector", spec["selector"], "`selector` not auto-generated")


def job_spec(at: str, spec: Object) -> Iterator[Problem]:
    """Validate the spec of a Job."""
    fields = ("parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished")
    yield from formats.not_negative(at, spec, *fields, "backoffLimitPerIndex", "maxFailedIndexes")
    if spec.get("maxFailedIndexes") is not None and spec.get("backoffLimitPerIndex") is None:
        yield required(f"{at}.backoffLimitPerIndex", "when maxFailedIndexes is specified")
    if spec.get("managedBy") is not None:
        yield from formats.domain_prefixed_path(f"{at}.managedBy", as_text(spec["managedBy"]))
        if len(as_text(spec["managedBy"])) > 63:
            yield too_long(f"{at}.managedBy", 63)
    yield from _mode(at, spec)
    if isinstance(spec.get("podFailurePolicy"), dict):
        yield from _failures(f"{at}.podFailurePolicy.rules", spec)
    success = spec.get("successPolicy")
    if isinstance(success, dict):
        if spec.get("completionMode") != "Indexed":
            yield invalid(f"{at}.successPolicy", _success_shown(success), "requires indexed completion mode")
        else:
            yield from _successes(f"{at}.successPolicy.rules", spec)
    replacing = spec.get("podReplacementPolicy")
    allowed = ("Failed",) if spec.get("podFailurePolicy") is not None else REPLACING
    if replacing is not None and replacing not in allowed:
        yield unsupported(f"{at}.podReplacementPolicy", replacing, allowed)
    yield from template(f"{at}.template", spec)
    yield from _restart(f"{at}.template.spec.restartPolicy", spec)


def _success_shown(policy: Object) -> Object:
    rules = [
        {"SucceededIndexes": one.get("succeededIndexes"), "SucceededCount": one.get("succeededCount")}
        for _, one in maps(policy, "rules")
    ]
    return {"Rules": rules if isinstance(policy.get("rules"), list) else None}


def _restart(at: str, spec: Object) -> Iterator[Problem]:
    policy = get_path(spec, "template.spec.restartPolicy")
    if policy in (None, "", "Always"):
        yield required(at, 'valid values: "OnFailure", "Never"')
    elif policy not in ("OnFailure", "Never"):
        yield unsupported(at, policy, ("OnFailure", "Never"))
    elif spec.get("podFailurePolicy") is not None and policy != "Never":
        yield invalid(at, policy, 'only "Never" is supported when podFailurePolicy is specified')


def _mode(at: str, spec: Object) -> Iterator[Problem]:
    mode = spec.get("completionMode")
    per_index, most_failed = as_number(spec.get("backoffLimitPerIndex")), as_number(spec.get("maxFailedIndexes"))
    if mode is not None and mode not in MODES:
        yield unsupported(f"{at}.completionMode", mode, MODES)
    if mode == "Indexed":
        yield from _indexed(at, spec)
    if mode in (None, "NonIndexed"):
        for field, value in (("backoffLimitPerIndex", per_index), ("maxFailedIndexes", most_failed)):
            if value is not None:
                yield invalid(f"{at}.{field}", value, "requires indexed completion mode")


def _indexed(at: str, spec: Object) -> Iterator[Problem]:
    count, beside = as_number(spec.get("completions")), as_number(spec.get("parallelism"))
    failed, mode = as_number(spec.get("maxFailedIndexes")), "completion mode is Indexed"
    if count is None:
        yield required(f"{at}.completions", f"when {mode}")
    if beside is not None and beside > MOST_INDEXED:
        yield invalid(f"{at}.parallelism", beside, f"must be less than or equal to {MOST_INDEXED} when {mode}")
    if count is not None and failed is not None and failed > count:
        yield invalid(f"{at}.maxFailedIndexes", failed, "must be less than or equal to completions")
    if failed is not None and failed > MOST_INDEXED:
        yield invalid(f"{at}.maxFailedIndexes", failed, f"must be less than or equal to {MOST_INDEXED}")
    if count is not None and count > SOFT_LIMIT and spec.get("backoffLimitPerIndex") is not None:
        when = f"when completions are above {SOFT_LIMIT} and used with backoff limit per index"
        if failed is None:
            yield required(f"{at}.maxFailedIndexes", f"must be specified when completions is above {SOFT_LIMIT}")
        for field, value in (("parallelism", beside), ("maxFailedIndexes", failed)):
            if value is not None and value > MOST_BESIDE:
                yield invalid(f"{at}.{field}", value, f"must be less than or equal to {MOST_BESIDE} {when}")


# ---- policies --------------------------------------------------------------------------------------------------------


def _failures(at: str, spec: Object) -> Iterator[Problem]:
    rules = list(maps(as_map(spec["podFailurePolicy"]), "rules"))
    if len(rules) > MOST_RULES:
        yield too_many(at, len(rules), MOST_RULES)
    inner = as_map(get_path(spec, "template.spec"))
    known = {as_text(one.get("name")) for field in ("containers", "initContainers") for _, one in maps(inner, field)}
    for index, rule in rules:
        place, action, codes = f"{at}[{index}]", rule.get("action"), rule.get("onExitCodes")
        conditions = list(maps(rule, "onPodConditions"))
        if not action:
            yield required(f"{place}.action", f"valid values: {_as_go(ACTIONS)}")
        elif action == "FailIndex":
            if spec.get("backoffLimitPerIndex") is None:
                yield invalid(f"{place}.action", action, "requires the backoffLimitPerIndex to be set")
        elif action not in ACTIONS:
            yield unsupported(f"{place}.action", action, ACTIONS)
        if isinstance(codes, dict):
            yield from _exit_codes(f"{place}.onExitCodes", codes, known)
        yield from _conditions(f"{place}.onPodConditions", conditions)
        if isinstance(codes, dict) and conditions:
            yield invalid(place, OMITTED, "specifying both OnExitCodes and OnPodConditions is not supported")
        if not isinstance(codes, dict) and not conditions:
            yield invalid(place, OMITTED, "specifying one of OnExitCodes and OnPodConditions is required")


def _as_go(words: tuple[str, ...]) -> str:
    return f"[{' '.join(f'{chr(34)}{word}{chr(34)}' for word in words)}]"


def _conditions(at: str, conditions: list[tuple[int, Object]]) -> Iterator[Problem]:
    if len(conditions) > MOST_RULES:
        yield too_many(at, len(conditions), MOST_RULES)
    for index, one in conditions:
        type_, status = as_text(one.get("type")), one.get("status")
        yield from (invalid(f"{at}[{index}].type", type_, why) for why in names.key(type_))
        if not status:
            yield from NO_STATUS.limit([required(f"{at}[{index}].status", f"valid values: {_as_go(STATUSES)}")])
        elif status not in STATUSES:
            yield unsupported(f"{at}[{index}].status", status, STATUSES)


def _exit_codes(at: str, codes: Object, known: set[str]) -> Iterator[Problem]:
    operator, values, name = codes.get("operator"), codes.get("values") or [], codes.get("containerName")
    if not operator:
        yield required(f"{at}.operator", f"valid values: {_as_go(('In', 'NotIn'))}")
    elif operator not in ("In", "NotIn"):
        yield unsupported(f"{at}.operator", operator, ("In", "NotIn"))
    if name is not None and name not in known:
        why = "must be one of the container or initContainer names in the pod template"
        yield invalid(f"{at}.containerName", name, why)
    if not values:
        yield invalid(f"{at}.values", codes.get("values"), "at least one value is required")
    elif len(values) > MOST_CODES:
        yield too_many(f"{at}.values", len(values), MOST_CODES)
    for index, value in enumerate(values):
        if operator == "In" and value == 0:
            yield invalid(f"{at}.values[{index}]", value, "must not be 0 for the In operator")
        if value in values[:index]:
            yield duplicate(f"{at}.values[{index}]", value)
    if sorted(values) != values:
        yield invalid(f"{at}.values", values, "must be ordered")


def _successes(at: str, spec: Object) -> Iterator[Problem]:
    rules, completions = list(maps(as_map(spec["successPolicy"]), "rules")), as_number(spec.get("completions")) or 0
    if not rules:
        yield required(at, "at least one rules must be specified when the successPolicy is specified")
    if len(rules) > MOST_RULES:
        yield too_many(at, len(rules), MOST_RULES)
    for index, rule in rules:
        place, indexes, count = f"{at}[{index}]", rule.get("succeededIndexes"), as_number(rule.get("succeededCount"))
        total = 0
        if count is None and indexes is None:
            yield required(place, "at least one of succeededCount or succeededIndexes must be specified")
        if indexes is not None:
            total, why = parse_indexes(as_text(indexes), completions)
            if why:
                yield invalid(f"{place}.succeededIndexes", indexes, f"error parsing succeededIndexes: {why}")
        if count is not None:
            yield from formats.not_negative(place, rule, "succeededCount")
            bound = f"must be less than or equal to {completions} (the number of specified completions)"
            if count > completions:
                yield invalid(f"{place}.succeededCount", count, bound)
            if indexes is not None and count > total:
                which = "(the number of indexes in the specified succeededIndexes field)"
                yield invalid(f"{place}.succeededCount", count, f"must be less than or equal to {total} {which}")


# ---- cron jobs -------------------------------------------------------------------------------------------------------


def cron_job(content: Object) -> Iterator[Problem]:
    """Validate a new CronJob."""
    return any_cron_job(content, {})


def any_cron_job(content: Object, before: Object) -> Iterator[Problem]:
    """Validate a new or updated CronJob."""
    spec, former = as_map(content.get("spec")), as_map(before.get("spec"))
    written = as_text(spec.get("schedule"))
    if written:
        zoned = "TZ" in as_text(former.get("schedule"))
        yield from schedule("spec.schedule", written, spec.get("timeZone"), zoned=zoned)
    yield from formats.not_negative("spec", spec, "startingDeadlineSeconds")
    if not before or former.get("timeZone") != spec.get("timeZone"):
        yield from time_zone("spec.timeZone", spec.get("timeZone"))
    yield from by_table(RULES, "CronJobSpec", "spec", spec)
    inner = as_map(get_path(spec, "jobTemplate.spec"))
    yield from job_spec("spec.jobTemplate.spec", inner)
    if inner.get("selector") is not None:
        yield invalid("spec.jobTemplate.spec.selector", inner["selector"], "`selector` will be auto-generated")
    if inner.get("manualSelector") is True:
        yield unsupported("spec.jobTemplate.spec.manualSelector", True, ("nil", "false"))
    yield from formats.not_negative("spec", spec, "successfulJobsHistoryLimit", "failedJobsHistoryLimit")
    if not written:  # declared next to the type, and such checks come last
        yield required("spec.schedule")
