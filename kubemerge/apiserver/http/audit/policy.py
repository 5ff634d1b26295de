"""Audit policies: the level and stages of a request, by the first rule that matches it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError

from ...problems import Problem, aggregate_text, invalid, required, unsupported
from ...unchecked import as_list, as_map, as_text, maps
from ...validation import names
from ..bodies import of_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...authorization.attributes import Attributes
    from ...protocol import Object

API = "audit.k8s.io/v1"
NONE, METADATA, REQUEST, RESPONSE = LEVELS = ("None", "Metadata", "Request", "RequestResponse")
RECEIVED, STARTED, COMPLETE, PANIC = STAGES = ("RequestReceived", "ResponseStarted", "ResponseComplete", "Panic")
DEFAULT: dict[str, Any] = {
    "apiVersion": API,
    "kind": "Policy",
    "omitStages": [RECEIVED],
    "rules": [{"level": METADATA}],
}
"""The policy of a log without one: one event for each request, without objects."""


class InvalidPolicy(MergeError):
    """An audit policy that cannot be used."""


class AuditConfig(NamedTuple):
    """The decision of a policy about one request."""

    level: str
    omitted: frozenset[str] = frozenset()
    omits_managed_fields: bool = False


class AuditPolicy:
    """A valid policy."""

    def __init__(self, content: Object) -> None:
        self._omitted = frozenset(as_list(content.get("omitStages")))
        self._omits = content.get("omitManagedFields") is True
        self._rules = [one for _, one in maps(content, "rules")]

    @classmethod
    def of(cls, content: Any) -> AuditPolicy:
        """Return a policy. Raise InvalidPolicy with the server's message if it is invalid."""
        found = as_map(content)
        if (found.get("apiVersion"), found.get("kind")) != (API, "Policy"):
            raise InvalidPolicy(f"the audit policy is not a Policy of {API}. Set its apiVersion and kind")
        problems = list(_problems(found))
        if problems:
            raise InvalidPolicy(f"the audit policy is invalid: {aggregate_text(problems)}")
        if not found.get("rules"):
            raise InvalidPolicy("loaded illegal policy with 0 rules. Add a rule to the audit policy")
        return cls(found)

    @classmethod
    def read(cls, file: str | Path) -> AuditPolicy:
        """Return the policy in a YAML or JSON file."""
        try:
            content = Path(file).read_bytes()
        except OSError as error:
            raise InvalidPolicy(f"{file} cannot be read ({error.strerror}). Pass a file with an audit policy") from None
        return cls.of(of_yaml(content))

    def config(self, attributes: Attributes) -> AuditConfig:
        """Return the level and stages of a request."""
        for rule in self._rules:
            if _matches(rule, attributes):
                omitted = self._omitted | frozenset(as_list(rule.get("omitStages")))
                omits = rule.get("omitManagedFields")
                return AuditConfig(rule["level"], omitted, self._omits if omits is None else omits)
        return AuditConfig(NONE)


def _matches(rule: Object, asked: Attributes) -> bool:
    users, groups, verbs = (as_list(rule.get(field)) for field in ("users", "userGroups", "verbs"))
    if users and asked.user.name not in users:
        return False
    if groups and not set(groups) & set(asked.user.groups):
        return False
    if verbs and asked.verb not in verbs:
        return False
    if rule.get("namespaces") or rule.get("resources"):
        return asked.is_resource and _matches_resource(rule, asked)
    urls = as_list(rule.get("nonResourceURLs"))
    return not urls or (not asked.is_resource and any(_matches_path(one, asked.path) for one in urls))


def _matches_path(spec: str, path: str) -> bool:
    return spec in ("*", path) or (spec.endswith("*") and path.startswith(spec.rstrip("*")))


def _matches_resource(rule: Object, asked: Attributes) -> bool:
    namespaces, resources = as_list(rule.get("namespaces")), [one for _, one in maps(rule, "resources")]
    if namespaces and asked.namespace not in namespaces:
        return False
    return not resources or any(_is_among(one, asked) for one in resources)


def _is_among(one: Object, asked: Attributes) -> bool:
    if (one.get("group") or "") not in (asked.group, "*"):
        return False
    resources, named = as_list(one.get("resources")), as_list(one.get("resourceNames"))
    if not resources:
        return True
    if named and asked.name not in named:
        return False
    whole = f"{asked.resource}/{asked.subresource}" if asked.subresource else asked.resource
    wanted = {"*", whole, f"{asked.resource}/*"} | ({f"*/{asked.subresource}"} if asked.subresource else set())
    return bool(wanted & set(resources))


# ---- validation ------------------------------------------------------------------------------------------------------


def _problems(policy: Object) -> Iterator[Problem]:
    yield from _stages("omitStages", policy)
    for index, rule in maps(policy, "rules"):
        at, level = f"rules[{index}]", as_text(rule.get("level"))
        if not level:
            yield required(f"{at}.level", "")
        elif level not in LEVELS:
            yield unsupported(f"{at}.level", level, LEVELS)
        urls = as_list(rule.get("nonResourceURLs"))
        yield from _urls(f"{at}.nonResourceURLs", urls)
        for _, one in maps(rule, "resources"):
            yield from _resources(f"{at}.resources", one)
        yield from _stages(f"{at}.omitStages", rule)
        if urls and (rule.get("resources") or rule.get("namespaces")):
            why = "rules cannot apply to both regular resources and non-resource URLs"
            yield invalid(f"{at}.nonResourceURLs", urls, why)


def _stages(at: str, owner: Object) -> Iterator[Problem]:
    for index, stage in enumerate(as_list(owner.get("omitStages"))):
        if stage not in STAGES:
            why = f"allowed stages are {RECEIVED},{STARTED},{COMPLETE},{PANIC}"
            yield invalid(f"{at}[{index}]", stage, why)


def _urls(at: str, urls: list[Any]) -> Iterator[Problem]:
    for index, url in enumerate(urls):
        if url == "*":
            continue
        if not as_text(url).startswith("/"):
            yield invalid(f"{at}[{index}]", url, "non-resource URL rules must begin with a '/' character")
        if "*" in as_text(url)[:-1]:
            why = "non-resource URL wildcards '*' must be the final character of the rule"
            yield invalid(f"{at}[{index}]", url, why)


def _resources(at: str, one: Object) -> Iterator[Problem]:
    group = as_text(one.get("group"))
    reasons = list(map(str, names.subdomain(group))) if group not in ("", "*") else []
    if reasons:
        yield invalid(f"{at}.group", group, ",".join(reasons))
    if one.get("resourceNames") and not one.get("resources"):
        why = "using resourceNames requires at least one resource"
        yield invalid(f"{at}.resourceNames", one["resourceNames"], why)
