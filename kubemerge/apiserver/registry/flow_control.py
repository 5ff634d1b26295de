"""FlowSchema and PriorityLevelConfiguration: API priority and fairness."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..defaulting.rules import ZERO, Default, Group, TypePosition, When
from ..eras import Era
from ..problems import Problem, duplicate, forbidden, invalid, required, unsupported
from ..unchecked import as_map, as_number, as_text, get_path, maps
from ..validation import names
from ..validation.eras import LEVEL_TYPES, SHARES, SHARES_BEFORE
from ..validation.values import formats
from .record import KindRecord, after_create_check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

GROUP = "flowcontrol.apiserver.k8s.io"
VERSIONS = tuple(f"{GROUP}/{version}" for version in ("v1", "v1beta3", "v1beta2", "v1beta1"))
VERBS = ("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch")
METHODS = ("ByNamespace", "ByUser")
SUBJECTS = {"Group": "group", "ServiceAccount": "serviceAccount", "User": "user"}
HIGHEST, MOST_QUEUES, MOST_BITS = 10000, 10_000_000, 60
HANDWRITTEN, NO_TYPE = Era(until=36), Era(until=35)
IN_NAMESPACES = "each member of this list must be '*' or a DNS-1123 label; "


def flow_schema(content: Object) -> Iterator[Problem]:
    """Validate a FlowSchema."""
    spec, name = as_map(content.get("spec")), as_text(get_path(content, "metadata.name"))
    at, precedence = "spec.matchingPrecedence", as_number(spec.get("matchingPrecedence")) or 0
    if precedence <= 0:
        yield invalid(at, precedence, "must be a positive value")
    if precedence > HIGHEST:
        yield invalid(at, precedence, f"must not be greater than {HIGHEST}")
    if precedence == 1 and name != "exempt":
        yield invalid(at, precedence, "only the schema named 'exempt' may have matchingPrecedence 1")
    method = spec.get("distinguisherMethod")
    if method is not None and as_map(method).get("type") not in METHODS:
        yield unsupported("spec.distinguisherMethod.type", {"Type": as_map(method).get("type") or ""}, METHODS)
    level = as_text(get_path(spec, "priorityLevelConfiguration.name"))
    if level:
        yield from formats.each("spec.priorityLevelConfiguration.name", level, names.subdomain)
    else:
        yield required("spec.priorityLevelConfiguration.name", "must reference a priority level")
    for index, rule in maps(spec, "rules"):
        yield from _rule(f"spec.rules[{index}]", rule)


def _rule(at: str, rule: Object) -> Iterator[Problem]:
    subjects = list(maps(rule, "subjects"))
    for index, subject in subjects:
        yield from _subject(f"{at}.subjects[{index}]", subject)
    if not subjects:
        yield required(f"{at}.subjects", "subjects must contain at least one value")
    if not rule.get("resourceRules") and not rule.get("nonResourceRules"):
        yield required(at, "at least one of resourceRules and nonResourceRules has to be non-empty")
    for index, one in maps(rule, "resourceRules"):
        yield from _resources(f"{at}.resourceRules[{index}]", one)
    for index, one in maps(rule, "nonResourceRules"):
        yield from _urls(f"{at}.nonResourceRules[{index}]", one)


def _subject(at: str, subject: Object) -> Iterator[Problem]:
    kind = as_text(subject.get("kind"))
    if kind not in SUBJECTS:
        yield unsupported(f"{at}.kind", kind, tuple(SUBJECTS))
        return
    field = SUBJECTS[kind]
    own = subject.get(field)
    if own is None:
        yield required(f"{at}.{field}", f"{field} is required when subject kind is '{kind}'")
    else:
        yield from _named(f"{at}.{field}", kind, as_map(own))
    for other in ("ServiceAccount", "User", "Group"):
        if other != kind and subject.get(SUBJECTS[other]) is not None:
            name = SUBJECTS[other]
            yield forbidden(f"{at}.{name}", f"{name} is forbidden when subject kind is not '{other}'")


def _named(at: str, kind: str, subject: Object) -> Iterator[Problem]:
    name, namespace = as_text(subject.get("name")), as_text(subject.get("namespace"))
    if not name:
        yield required(f"{at}.name")
    elif kind == "ServiceAccount" and name != "*":
        yield from formats.each(f"{at}.name", name, names.subdomain)
    if kind == "ServiceAccount" and namespace:
        yield from formats.each(f"{at}.namespace", namespace, names.label)
    elif kind == "ServiceAccount":
        yield required(f"{at}.namespace", "must specify namespace for service account")


def _texts(owner: Object, field: str) -> list[str]:
    listed = owner.get(field)
    return [as_text(one) for one in listed] if isinstance(listed, list) else []


def _verbs(at: str, rule: Object) -> Iterator[Problem]:
    verbs = _texts(rule, "verbs")
    if not verbs:
        yield required(f"{at}.verbs", "verbs must contain at least one value")
    elif "*" in verbs:
        if len(verbs) > 1:
            yield invalid(f"{at}.verbs", verbs, "if '*' is present, must not specify other verbs")
    elif not set(verbs) <= set(VERBS):
        yield unsupported(f"{at}.verbs", verbs, VERBS)


def _resources(at: str, rule: Object) -> Iterator[Problem]:
    yield from _verbs(at, rule)
    for field, one, many in (("apiGroups", "api group", "api groups"), ("resources", "resource", "resources")):
        given = _texts(rule, field)
        if not given:
            yield required(f"{at}.{field}", f"resource rules must supply at least one {one}")
        elif len(given) > 1 and "*" in given:
            yield invalid(f"{at}.{field}", given, f"if '*' is present, must not specify other {many}")
    spaces = _texts(rule, "namespaces")
    if not spaces and rule.get("clusterScope") is not True:
        why = "resource rules that are not cluster scoped must supply at least one namespace"
        yield required(f"{at}.namespaces", why)
    elif "*" in spaces:
        if len(spaces) > 1:
            yield invalid(f"{at}.namespaces", spaces, "if '*' is present, must not specify other namespaces")
    else:
        for index, space in enumerate(spaces):
            whys = names.label(space)
            yield from (invalid(f"{at}.namespaces[{index}]", space, IN_NAMESPACES + why) for why in whys)


def _urls(at: str, rule: Object) -> Iterator[Problem]:
    yield from _verbs(at, rule)
    urls = _texts(rule, "nonResourceURLs")
    if not urls:
        yield required(f"{at}.nonResourceURLs", "nonResourceURLs must contain at least one value")
    elif "*" in urls:
        if len(urls) > 1:
            yield invalid(f"{at}.nonResourceURLs", urls, "if '*' is present, must not specify other non-resource URLs")
    else:
        for index, url in enumerate(urls):
            why = _url(url)
            if why:
                yield invalid(f"{at}.nonResourceURLs[{index}]", url, why)


def _url(url: str) -> str:
    if not url:
        return "must not be empty"
    if not url.startswith("/"):
        return "must start with slash"
    if " " in url:
        return "must not contain white-space"
    if "//" in url:
        return "must not contain double slash"
    stars = url.count("*")
    return "wildcard can only do suffix matching" if stars > 1 or (stars and not url.endswith("/*")) else ""


def priority_level(content: Object) -> Iterator[Problem]:
    """Validate a PriorityLevelConfiguration."""
    spec, name = as_map(content.get("spec")), as_text(get_path(content, "metadata.name"))
    type_ = as_text(spec.get("type"))
    limited, exempt = spec.get("limited"), spec.get("exempt")
    if (name == "exempt") != (type_ == "Exempt"):
        yield from Era(34).limit([invalid("spec.type", type_, "must be 'Exempt' if and only if `name` is 'exempt'")])
        why = "type must be 'Exempt' if and only if name is 'exempt'"
        yield from Era(until=33).limit([invalid("spec.type", type_, why)])
    if type_ and type_ not in ("Exempt", "Limited"):
        yield unsupported("spec.type", type_, ("Exempt", "Limited"))
    yield from HANDWRITTEN.limit(_union(type_, limited, exempt))
    if type_ == "Exempt" and exempt is not None:
        yield from _shares("spec.exempt", as_map(exempt))
    if type_ == "Limited" and limited is not None:
        yield from _limited("spec.limited", as_map(limited))


def _union(type_: str, limited: Any, exempt: Any) -> Iterator[Problem]:
    """The problems that declarative rules report since 1.37, and those of types since 1.36."""
    if not type_:
        yield from NO_TYPE.limit([unsupported("spec.type", type_, ("Exempt", "Limited"))])
    if type_ == "Exempt" and limited is not None:
        yield forbidden("spec.limited", "must be nil if the type is not Limited")
    if type_ == "Limited" and exempt is not None:
        yield forbidden("spec.exempt", "must be nil if the type is Limited")
    if type_ == "Limited" and limited is None:
        yield required("spec.limited", "must not be empty when type is Limited")
    if type_ == "Limited" and limited is not None:
        at = "spec.limited.limitResponse"
        response = as_map(as_map(limited).get("limitResponse"))
        kind, queuing = as_text(response.get("type")), response.get("queuing")
        if kind == "Reject" and queuing is not None:
            yield forbidden(f"{at}.queuing", "must be nil if limited.limitResponse.type is not Limited")
        if kind == "Queue" and queuing is None:
            yield required(f"{at}.queuing", "must not be empty if limited.limitResponse.type is Limited")
        if not kind:
            yield from NO_TYPE.limit([unsupported(f"{at}.type", kind, ("Queue", "Reject"))])
            yield from LEVEL_TYPES.limit([required(f"{at}.type")])


def _shares(at: str, level: Object) -> Iterator[Problem]:
    shares = as_number(level.get("nominalConcurrencyShares"))
    if shares is not None and shares < 0:
        yield invalid(f"{at}.nominalConcurrencyShares", shares, "must be a non-negative integer")
    yield from _lent(at, level)


def _lent(at: str, level: Object) -> Iterator[Problem]:
    lent = as_number(level.get("lendablePercent"))
    if lent is not None and not 0 <= lent <= 100:
        yield invalid(f"{at}.lendablePercent", lent, "must be between 0 and 100, inclusive")


def _limited(at: str, level: Object) -> Iterator[Problem]:
    for field in ("nominalConcurrencyShares", "assuredConcurrencyShares"):
        shares = as_number(level.get(field))
        if shares is not None and shares <= 0:
            yield from SHARES_BEFORE.limit([invalid(f"{at}.{field}", shares, "must be positive")])
        if shares is not None and shares < 0:
            yield from SHARES.limit([invalid(f"{at}.{field}", shares, "must be a non-negative integer")])
    yield from _response(f"{at}.limitResponse", as_map(level.get("limitResponse")))
    yield from _lent(at, level)
    borrowed = as_number(level.get("borrowingLimitPercent"))
    if borrowed is not None and borrowed < 0:
        yield invalid(f"{at}.borrowingLimitPercent", borrowed, "if specified, must be a non-negative integer")


def _response(at: str, response: Object) -> Iterator[Problem]:
    type_, queuing = as_text(response.get("type")), response.get("queuing")
    if type_ == "Queue" and queuing is not None:
        yield from _queues(f"{at}.queuing", as_map(queuing))
    elif type_ not in ("", "Queue", "Reject"):
        yield unsupported(f"{at}.type", type_, ("Queue", "Reject"))


def _queues(at: str, queuing: Object) -> Iterator[Problem]:
    length, queues, hand = (as_number(queuing.get(field)) or 0 for field in ("queueLengthLimit", "queues", "handSize"))
    if length <= 0:
        yield invalid(f"{at}.queueLengthLimit", length, "must be positive")
    if queues <= 0:
        yield invalid(f"{at}.queues", queues, "must be positive")
    elif queues > MOST_QUEUES:
        yield invalid(f"{at}.queues", queues, f"must not be greater than {MOST_QUEUES}")
    if hand <= 0:
        yield invalid(f"{at}.handSize", hand, "must be positive")
    elif hand > queues:
        yield invalid(f"{at}.handSize", hand, f"should not be greater than queues ({queues})")
    elif _bits(queues) * hand > MOST_BITS:
        why = f"required entropy bits of deckSize {queues} and handSize {hand} should not be greater than {MOST_BITS}"
        yield invalid(f"{at}.handSize", hand, why)


def _bits(queues: int) -> int:
    """The number of hash bits needed to select one of so many queues."""
    return math.ceil(math.log2(queues)) if queues > 1 else 0


def status(content: Object, _: Object) -> Iterator[Problem]:
    """Validate the conditions of a FlowSchema or PriorityLevelConfiguration."""
    taken: set[str] = set()
    for index, one in maps(as_map(content.get("status")), "conditions"):
        at, type_ = f"status.conditions[{index}].type", as_text(one.get("type"))
        if type_ in taken:
            yield duplicate(at, type_)
        taken.add(type_)
        if not type_:
            yield from formats.required_explained(at, "must not be empty")


_SOURCE = "flowcontrol/v1/defaults.go SetDefaults_"
NOMINAL = "spec.limited.nominalConcurrencyShares"
KEEPS_ZERO = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares"
_LIMITED = When("spec.limited exists", lambda level: get_path(level, "spec.limited") is not None)
_LIMITED_WITHOUT_ZERO = When(
    f"spec.limited exists, without the annotation {KEEPS_ZERO}",
    lambda level: (
        get_path(level, "spec.limited") is not None
        and KEEPS_ZERO not in as_map(get_path(level, "metadata.annotations"))
    ),
)
_NONE_LENT = Default("lendablePercent", 0, since="1.26")
RECORDS = (
    KindRecord(
        group=GROUP,
        kind="FlowSchema",
        versions=VERSIONS,
        defaults=(
            Group(("FlowSchema",), _SOURCE + "FlowSchemaSpec", (Default("spec.matchingPrecedence", 1000, unset=ZERO),)),
        ),
        check=flow_schema,
        named_again=True,
        check_update=after_create_check(flow_schema, status),
        check_status=status,
    ),
    KindRecord(
        group=GROUP,
        kind="PriorityLevelConfiguration",
        versions=VERSIONS,
        defaults=(
            Group(
                ("ExemptLevel",),
                _SOURCE + "ExemptPriorityLevelConfiguration",
                (Default("nominalConcurrencyShares", 0, since="1.28"), Default("lendablePercent", 0, since="1.28")),
            ),
            Group(("LimitedLevel",), _SOURCE + "LimitedPriorityLevelConfiguration", (_NONE_LENT,)),
            Group(
                (f"{GROUP}/v1 PriorityLevelConfiguration",),
                _SOURCE + "LimitedPriorityLevelConfiguration",
                (Default(NOMINAL, 30, _LIMITED),),
            ),
            Group(
                (f"{GROUP}/v1beta3 PriorityLevelConfiguration",),
                "flowcontrol/v1beta3/defaults.go SetDefaults_PriorityLevelConfiguration",
                (
                    Default(NOMINAL, 30, _LIMITED, until="1.28", unset=ZERO),
                    Default(NOMINAL, 30, _LIMITED_WITHOUT_ZERO, since="1.29", unset=ZERO),
                ),
            ),
            Group(
                (f"{GROUP}/v1beta2 PriorityLevelConfiguration", f"{GROUP}/v1beta1 PriorityLevelConfiguration"),
                "flowcontrol/v1beta2/defaults.go SetDefaults_LimitedPriorityLevelConfiguration",
                (Default("spec.limited.assuredConcurrencyShares", 30, _LIMITED, unset=ZERO),),
            ),
            Group(
                ("QueuingConfiguration",),
                _SOURCE + "QueuingConfiguration",
                (
                    Default("handSize", 8, unset=ZERO),
                    Default("queues", 64, unset=ZERO),
                    Default("queueLengthLimit", 50, unset=ZERO),
                ),
            ),
        ),
        places={
            "PriorityLevelConfiguration": (
                TypePosition("spec.exempt?", "ExemptLevel"),
                TypePosition("spec.limited?", "LimitedLevel"),
            ),
            "LimitedLevel": (TypePosition("limitResponse?.queuing?", "QueuingConfiguration"),),
        },
        check=priority_level,
        named_again=True,
        check_update=after_create_check(priority_level, status),
        check_status=status,
    ),
)
