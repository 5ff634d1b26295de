"""ValidatingWebhookConfiguration and MutatingWebhookConfiguration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..defaulting.rules import Default, Group, TypePosition
from ..problems import Problem, duplicate, invalid, required, unsupported
from ..text.go_text import without_first_byte
from ..unchecked import as_map, as_number, as_text, maps
from ..validation import names
from ..validation.selectors import label_selector
from ..validation.values import formats
from ..validation.values.urls import webhook_url
from ..warnings.eras import EXCLUDED_RULE
from . import admission_rules as rules
from .record import KindRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object
    from ..warnings.eras import DatedWarning

GROUP = "admissionregistration.k8s.io"
REVIEWS = ("v1", "v1beta1")
WITHOUT_EFFECTS = ("None", "NoneOnDryRun")
ALL_EFFECTS = ("None", "NoneOnDryRun", "Some", "Unknown")
AGAIN = ("IfNeeded", "Never")


def configuration(content: Object) -> Iterator[Problem]:
    """Validate webhooks, validating or mutating."""
    return _judged(content, {})


def changed_configuration(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of webhooks. Invalid values that were stored before stay valid."""
    return _judged(content, before)


def _judged(content: Object, before: Object) -> Iterator[Problem]:
    former = [hook for _, hook in maps(before, "webhooks")]
    effects = WITHOUT_EFFECTS if all(hook.get("sideEffects") in WITHOUT_EFFECTS for hook in former) else ALL_EFFECTS
    known = all(_is_known(hook) or not hook.get("admissionReviewVersions") for hook in former)
    unique = len({as_text(hook.get("name")) for hook in former}) == len(former)
    hooks = list(maps(content, "webhooks"))
    same = len(hooks) == len(former) and all(
        (hook.get("matchConditions") or []) == (old.get("matchConditions") or [])
        for (_, hook), old in zip(hooks, former, strict=True)
    )
    taken: set[str] = set()
    for index, hook in hooks:
        at, name = f"webhooks[{index}]", as_text(hook.get("name"))
        yield from _hook(at, hook, effects)
        if not (before and same):
            yield from rules.conditions(f"{at}.matchConditions", hook)
        yield from _reviews(f"{at}.admissionReviewVersions", rules.listed(hook, "admissionReviewVersions"), known=known)
        if unique and name in taken:
            yield duplicate(f"{at}.name", name)
        if name:
            taken.add(name)


def _is_known(hook: Object) -> bool:
    return any(version in REVIEWS for version in rules.listed(hook, "admissionReviewVersions"))


def _hook(at: str, hook: Object, effects: tuple[str, ...]) -> Iterator[Problem]:
    yield from formats.fully_qualified(f"{at}.name", hook.get("name"))
    for index, rule in maps(hook, "rules"):
        yield from rules.operations(f"{at}.rules[{index}]", rule)
    yield from rules.one_of(f"{at}.failurePolicy", hook.get("failurePolicy"), rules.FAILURES)
    yield from rules.one_of(f"{at}.matchPolicy", hook.get("matchPolicy"), rules.MATCHES)
    if hook.get("sideEffects") is None:
        yield required(f"{at}.sideEffects", f"must specify one of {', '.join(effects)}")
    elif hook["sideEffects"] not in effects:
        yield unsupported(f"{at}.sideEffects", hook["sideEffects"], effects)
    seconds = as_number(hook.get("timeoutSeconds"))
    if seconds is not None and not 1 <= seconds <= 30:
        yield invalid(f"{at}.timeoutSeconds", seconds, "the timeout value must be between 1 and 30 seconds")
    yield from label_selector(f"{at}.namespaceSelector", hook.get("namespaceSelector"))
    yield from label_selector(f"{at}.objectSelector", hook.get("objectSelector"))
    yield from rules.one_of(f"{at}.reinvocationPolicy", hook.get("reinvocationPolicy"), AGAIN)
    client = as_map(hook.get("clientConfig"))
    url, service = client.get("url"), client.get("service")
    if (url is None) == (service is None):
        yield required(f"{at}.clientConfig", "exactly one of url or service is required")
    elif url is not None:
        yield from webhook_url(f"{at}.clientConfig.url", as_text(url))
    else:
        yield from service_of(f"{at}.clientConfig.service", as_map(service))


def service_of(at: str, service: Object) -> Iterator[Problem]:
    """Validate a service reference. The server swaps name and namespace in its messages."""
    for said, field in (("name", "namespace"), ("namespace", "name")):
        if not service.get(field):
            yield from formats.required_explained(f"{at}.{said}", f"service {said} is required")
    port, path = as_number(service.get("port")) or 0, service.get("path")
    yield from (invalid(f"{at}.port", port, f"port is not valid: {why}") for why in formats.port_number(port))
    if path in (None, "", "/"):
        return
    if path == "//":
        yield invalid(f"{at}.path", path, "segment[0] may not be empty")
        return
    if not as_text(path).startswith("/"):
        yield invalid(f"{at}.path", path, "must start with a '/'")
    for index, part in enumerate(without_first_byte(as_text(path)).removesuffix("/").split("/")):
        whys = names.subdomain(part) if part else ()
        if not part:
            yield invalid(f"{at}.path", path, f"segment[{index}] may not be empty")
        yield from (invalid(f"{at}.path", path, f"segment[{index}]: {why}") for why in whys)


def _reviews(at: str, versions: list[str], *, known: bool) -> Iterator[Problem]:
    if not versions:
        yield required(at, f"must specify one of {', '.join(REVIEWS)}")
        return
    seen: set[str] = set()
    for index, version in enumerate(versions):
        if version in seen:
            yield invalid(f"{at}[{index}]", version, "duplicate version")
            continue
        seen.add(version)
        yield from formats.each(f"{at}[{index}]", version, formats.dns_1035_label)
    if known and not seen & {*REVIEWS}:
        yield invalid(at, versions, f"must include at least one of {', '.join(REVIEWS)}")


WITHOUT_ADMISSION = (
    "selfsubjectreviews.authentication.k8s.io",
    "tokenreviews.authentication.k8s.io",
    "localsubjectaccessreviews.authorization.k8s.io",
    "selfsubjectaccessreviews.authorization.k8s.io",
    "selfsubjectrulesreviews.authorization.k8s.io",
    "subjectaccessreviews.authorization.k8s.io",
)
"""The resources for which a server calls no webhooks."""


def warnings(content: Object, _: Object) -> Iterator[DatedWarning]:
    """Warn about rules for resources for which a server calls no webhooks."""
    for index, hook in maps(content, "webhooks"):
        for place, rule in maps(hook, "rules"):
            groups, resources = rules.listed(rule, "apiGroups"), rules.listed(rule, "resources")
            if "*" in (*groups, *resources):
                continue
            named = dict.fromkeys(f"{resource}.{group}" for group in groups for resource in resources)
            for one in named:
                if one in WITHOUT_ADMISSION:
                    why = f"{one} is excluded from admission webhooks; this rule will have no effect"
                    yield EXCLUDED_RULE(f"webhooks[{index}].rules[{place}]: {why}")


_SOURCE = "admissionregistration/v1/defaults.go SetDefaults_"


def _hook_defaults(*more: Default) -> tuple[Default, ...]:
    return (
        Default("failurePolicy", "Fail", unset=(None,)),
        Default("matchPolicy", "Equivalent", since="1.16", unset=(None,)),
        Default("namespaceSelector", {}),
        Default("objectSelector", {}, since="1.15"),
        Default("timeoutSeconds", 10, since="1.14"),
        *more,
    )


_SHARED = (
    Group(("WebhookRule",), _SOURCE + "Rule", (Default("scope", "*", since="1.14", unset=(None,)),)),
    Group(("WebhookService",), _SOURCE + "ServiceReference", (Default("port", 443, since="1.15"),)),
)


def _places(of: str, hook: str) -> dict[str, tuple[TypePosition, ...]]:
    inside = (TypePosition("rules[]", "WebhookRule"), TypePosition("clientConfig.service?", "WebhookService"))
    return {of: (TypePosition("webhooks[]", hook),), hook: inside}


def _record(kind: str, hook: str, *more: Default) -> KindRecord:
    own = Group((hook,), _SOURCE + hook, _hook_defaults(*more))
    return KindRecord(
        group=GROUP,
        kind=kind,
        versions=(f"{GROUP}/v1",),
        defaults=(own, *_SHARED),
        places=_places(kind, hook),
        named_again=True,
        check=configuration,
        check_update=changed_configuration,
        warnings=warnings,
    )


_REINVOKED = Default("reinvocationPolicy", "Never", since="1.15", unset=(None,))
RECORDS = (
    _record("ValidatingWebhookConfiguration", "ValidatingWebhook"),
    _record("MutatingWebhookConfiguration", "MutatingWebhook", _REINVOKED),
)
