"""Match constraints of policies and bindings: rules, selectors and equivalent versions."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..kinds.builtin_kinds import stored_in
from ..scale import KIND as SCALE
from ..unchecked import as_map, as_text, maps
from ..validation.selectors import is_empty, selector_matches
from .request import CREATE, UPDATE, AdmissionRequest, Match

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..protocol import Object, Resource
    from ..resources import Kinds

    Labels = Mapping[str, Any]


class Matcher:
    """Matches one request, whose object is `content` and was `before`. `namespace_labels` returns the labels of its
    namespace.
    """

    def __init__(
        self,
        request: AdmissionRequest,
        content: Object | None,
        before: Object | None,
        kinds: Kinds,
        namespace_labels: Callable[[str], Labels],
    ) -> None:
        self._request, self._kinds = request, kinds
        self._objects = [one for one in (content, before) if one is not None]
        self._content, self._namespace_labels = content, namespace_labels
        self._equivalent: list[Resource] | None = None
        self.whole = Match(request.resource, request.sent_kind)
        """The resource of the request, not in another version."""

    def match(self, constraints: Object | None) -> Match | None:
        """Return the matching resource, or None. Without constraints, everything matches."""
        whole = self.whole
        if not constraints:
            return whole
        return whole if self.always_matches(constraints) else self._matched(constraints)

    def always_matches(self, constraints: Object | None) -> bool:
        """Whether constraints match every request with this key."""
        if not constraints:
            return True
        known = _direct_matches(constraints)
        if known is None:
            return False
        key = self.key
        if key not in known:
            known[key] = self._matched(constraints) is self.whole
        return known[key]

    @cached_property
    def key(self) -> tuple[object, ...]:
        """The parts of a request that rules look at. The scope depends on the namespace."""
        request, resource = self._request, self._request.resource
        place = (resource.group, resource.version, resource.plural, request.subresource)
        return (*place, request.sent_kind, request.operation, bool(request.namespace), request.is_namespace)

    def _matched(self, constraints: Object) -> Match | None:
        whole = self.whole
        rules = [rule for _, rule in maps(constraints, "resourceRules")]
        exact = constraints.get("matchPolicy") in (None, "Exact")
        found = self._by_rules(rules, exact=exact) if rules else whole
        if found is None or not self._in_namespace(as_map(constraints.get("namespaceSelector"))):
            return None
        selector = as_map(constraints.get("objectSelector"))
        if not is_empty(selector) and not any(selector_matches(selector, _labels(one)) for one in self._objects):
            return None
        excluded = [rule for _, rule in maps(constraints, "excludeResourceRules")]
        return None if excluded and self._by_rules(excluded, exact=exact) is not None else found

    def _in_namespace(self, selector: Object) -> bool:
        request = self._request
        if is_empty(selector) or (not request.namespace and request.resource.plural != "namespaces"):
            return True
        is_sent = request.is_namespace and not request.subresource and request.operation in (CREATE, UPDATE)
        if is_sent and self._content is not None:
            return selector_matches(selector, _labels(self._content))
        return selector_matches(selector, self._namespace_labels(request.namespace))

    def _by_rules(self, rules: list[Object], *, exact: bool) -> Match | None:
        request = self._request
        for rule in rules:
            if self._fits(rule, request.resource):
                return self.whole
        if exact:
            return None
        for rule in rules:
            for resource in self._equivalents():
                if self._fits(rule, resource):
                    return Match(resource, _kind_in(resource, request))
        return None

    def _fits(self, rule: Object, resource: Resource) -> bool:
        request = self._request
        names = rule.get("resourceNames")
        return (
            has_operation_and_resource(rule, request)
            and has_value(rule, "apiGroups", resource.group)
            and has_value(rule, "apiVersions", resource.version)
            and _in_scope(as_text(rule.get("scope")), request)
            and (not names or request.name in names)
        )

    def _equivalents(self) -> list[Resource]:
        """The resource in its other versions."""
        if self._equivalent is None:
            self._equivalent = list(equivalents(self._request.resource, self._kinds))
        return self._equivalent


_known_matches: dict[int, tuple[Object, dict[tuple[object, ...], bool] | None]] = {}
"""By the id of constraints: the constraints, and whether they match directly, by key. None if that depends on more."""
MOST_KNOWN = 5000


def _direct_matches(constraints: Object) -> dict[tuple[object, ...], bool] | None:
    """Return the known direct matches of constraints that depend on rules only. None for others."""
    found = _known_matches.get(id(constraints))
    if found is None:
        if len(_known_matches) >= MOST_KNOWN:
            _known_matches.clear()
        found = _known_matches[id(constraints)] = (constraints, {} if _has_only_rules(constraints) else None)
    return found[1]


def _has_only_rules(constraints: Object) -> bool:
    names = any(rule.get("resourceNames") for _, rule in maps(constraints, "resourceRules"))
    selectors = (as_map(constraints.get(field)) for field in ("namespaceSelector", "objectSelector"))
    return not names and not constraints.get("excludeResourceRules") and all(map(is_empty, selectors))


def has_operation_and_resource(rule: Object, request: AdmissionRequest) -> bool:
    """Whether a rule names the operation and the resource of a request."""
    plural, part = request.resource.plural, request.subresource
    if not has_value(rule, "operations", request.operation):
        return False
    resources = _list(rule, "resources")
    if plural in resources and not part:
        return True
    return any(_is_resource(as_text(one), plural, part) for one in resources)


def equivalents(resource: Resource, kinds: Kinds) -> Iterator[Resource]:
    """Yield the other served versions of a resource."""
    place = (stored_in(resource.group, resource.kind), resource.plural)
    for one in kinds.all():
        if (stored_in(one.group, one.kind), one.plural) == place and one.api_version != resource.api_version:
            yield one


def _kind_in(resource: Resource, request: AdmissionRequest) -> tuple[str, str]:
    """The kind of the sent object in an equivalent version. A Scale has one version."""
    return SCALE if request.sent_kind == SCALE else (resource.api_version, resource.kind)


def _list(owner: Object, field: str) -> list[Any]:
    found = owner.get(field)
    return found if isinstance(found, list) else []


def has_value(rule: Object, field: str, value: str) -> bool:
    """Whether a list of a rule has a value, or `*`."""
    found = rule.get(field)
    return isinstance(found, list) and (value in found or "*" in found)


def _is_resource(rule: str, plural: str, subresource: str) -> bool:
    resource, _, part = rule.partition("/")
    return resource in ("*", plural) and part in ("*", subresource)


def _in_scope(scope: str, request: AdmissionRequest) -> bool:
    if scope == "Namespaced":
        return not request.is_namespace and bool(request.namespace)
    return scope != "Cluster" or request.is_namespace or not request.namespace


def _labels(content: Object) -> Labels:
    return as_map(as_map(content.get("metadata")).get("labels"))
