"""What only the live object has: what stays beside the config, and what goes though it is somebody else's."""

from __future__ import annotations

from ...values.plain import ABSENT
from ..findings import Finding
from ..values import covers, fields, is_there, items
from ..wording import listing, told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ...paths import Step
    from ..context import Case
    from ..identities import Keys
    from ..places import Place

SYSTEM_DOMAINS = ("kubernetes.io", "k8s.io")
"""Keys of these domains are set by Kubernetes itself, but for those that are recommended to everybody."""
RECOMMENDED = "app.kubernetes.io"
SYSTEM_KEYS = frozenset({"controller-revision-hash", "controller-uid", "job-name", "pod-template-hash"})
"""Labels of controllers from before domains were used."""
SYSTEM_ELEMENTS = (
    "/var/run/secrets/kubernetes.io/serviceaccount",
    "default-token-",
    "foregroundDeletion",
    "kube-api-access-",
    "orphan",
)
"""How volumes, mounts and finalizers begin that Kubernetes itself adds."""


def ghosts(case: Case, place: Place) -> Iterator[Finding]:
    """KM006: elements and keys that only live has; apply never clears them."""
    if place.parent is None or place.replaced or place.config is None or _is_dropped(place):
        return
    moved = [old for old, _ in moves(case, place)]
    for step, value in strangers(case, place):
        if value not in moved and not is_system(place, step, value) and _stays(place, value):
            message = "Only live has it: neither the config nor last-applied does, so apply never clears it."
            yield Finding("KM006", (*place.steps, step), message)


def _stays(place: Place, value: Any) -> bool:
    """Whether the result still has a live element, as far as it is known."""
    if place.keys is None or type(place.merged) is not list:
        return True
    return any(place.keys.full(item) == place.keys.full(value) for item in place.merged)


def strangers(case: Case, place: Place) -> list[tuple[Step, Any]]:
    """The elements of a merging list, or the keys of a map of texts, that only live has."""
    rule = place.rule
    if rule is None:
        return []
    if rule.kind == "map" and rule.free_keys and rule.of == "string" and "replace" not in rule.strategies:
        known = fields(place.config).keys() | fields(place.last).keys()
        return [(key, value) for key, value in fields(place.live).items() if key not in known]
    if case.merges(rule) and place.keys is not None:
        return _strange_elements(place, place.keys)
    return []


def _strange_elements(place: Place, keys: Keys) -> list[tuple[Step, Any]]:
    known = {keys.full(item) for value in (place.config, place.last) for item in items(value)}
    found: list[tuple[Step, Any]] = []
    for item in items(place.live):
        step = keys.short_step(item) if not keys.finer or _is_alone(place, keys, item) else keys.step(item)
        if step is not None and keys.full(item) not in known:
            found.append((step, item))
    return found


def _is_alone(place: Place, keys: Keys, item: Any) -> bool:
    """Whether the merge key of a live element is enough to find it."""
    every = {
        keys.full(other)
        for value in (place.config, place.live)
        for other in items(value)
        if keys.merged_by(other) == keys.merged_by(item)
    }
    return len(every) <= 1


def is_system(place: Place, step: Step, value: Any) -> bool:
    """Whether Kubernetes itself is known to set such a thing; the tables cannot tell."""
    field = place.steps[-1] if place.steps else ""
    if field == "ownerReferences":
        return True
    if isinstance(step, str):
        domain = step.rpartition("/")[0]
        if step in SYSTEM_KEYS or (domain != RECOMMENDED and _is_below(domain)):
            return True
        return field == "data" and place.parent is not None and step in fields(_twin(place.parent))
    names = [pair[1] for pair in step] if isinstance(step, tuple) else []
    text = next((name for name in names if isinstance(name, str)), "")
    return text.startswith(SYSTEM_ELEMENTS) or (type(value) is str and _is_below(text.partition("/")[0]))


def _is_below(domain: str) -> bool:
    return any(domain == known or domain.endswith("." + known) for known in SYSTEM_DOMAINS)


def _twin(place: Place) -> Any:
    """The texts of a Secret in the config, which the API server turns into its data."""
    return fields(place.config).get("stringData")


def _is_dropped(place: Place) -> bool:
    """Whether apply clears the whole field, as last-applied has it and the config has not."""
    return place.config is ABSENT and place.last is not ABSENT


def changed_keys(case: Case, place: Place) -> Iterator[Finding]:
    """KM019: an element whose merge key is new in the config, while the old one stays beside it."""
    keys = place.keys
    for old, new in moves(case, place):
        if keys is None or keys.merge_key is None:
            return
        here, there = keys.short_step(new), keys.short_step(old)
        if here is not None and there is not None and not is_system(place, there, old):
            message = (
                f"Live has {told(there)} where the config has {told(here)}; {keys.merge_key} identifies the element, "
                "so apply adds a new one and leaves the old one."
            )
            yield Finding("KM019", (*place.steps, here), message)


def moves(case: Case, place: Place) -> list[tuple[Any, Any]]:
    """Live elements that stay, each with the new element of the config that was probably made from it."""
    keys = place.keys
    if keys is None or keys.merge_key is None or place.replaced or not case.merges(place.rule):
        return []
    config, live, last = items(place.config), items(place.live), items(place.last)
    before = {keys.merged_by(item) for item in live}
    mine = {keys.merged_by(item) for item in (*config, *last)}
    new = [item for item in config if type(item) is dict and keys.merged_by(item) not in before | {None}]
    old = [item for item in live if type(item) is dict and keys.merged_by(item) not in mine | {None}]
    only = len(new) == len(old) == 1 and len(config) == len(live)
    found = []
    for item in old:
        match = next((other for other in new if _resembles(keys.merge_key, item, other, only=only)), None)
        if match is not None:
            found.append((item, match))
            new = [other for other in new if other is not match]
    return found


def _resembles(key: str, old: dict[str, Any], new: dict[str, Any], *, only: bool) -> bool:
    """Whether two elements are probably one whose key was changed: all else in the config is found in live."""
    rest = {name: value for name, value in new.items() if name != key}
    name = new.get("name")
    if key != "name" and is_there(name) and type(name) is str and old.get("name") == name:
        return True
    return covers(old, rest) and (only or len(rest) > 1)


def told_strangers(case: Case, place: Place) -> list[str]:
    """What only live has at a place, as a message names it; what the system puts there is left out."""
    return [
        told(step) if isinstance(step, tuple) else str(step)
        for step, value in strangers(case, place)
        if not is_system(place, step, value)
    ]


def wiped(case: Case, place: Place) -> Iterator[Finding]:
    """KM020: a list or map that the config drops as a whole, with what others have put into it."""
    if not (_is_dropped(place) and is_there(place.last)) or place.replaced or place.merged is not ABSENT:
        return
    if case.merged is None:
        return
    found = told_strangers(case, place)
    if found:
        message = (
            f"The config drops the whole field, so apply also removes what others have put into it: {listing(found)}."
        )
        yield Finding("KM020", place.steps, message)
