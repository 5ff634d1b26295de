"""The words of a response as they are compared: all of them, except for what each server draws by itself."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .kinds import Kind
    from .server import Answer


class Mask(NamedTuple):
    """A pattern, the text in its place, and the reason."""

    pattern: re.Pattern[str]
    instead: str
    reason: str


_UID = r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"
MASKS = (
    Mask(re.compile(_UID), "UID", "a server draws the uids of objects"),
    Mask(
        re.compile(r'(?<=\.\.\.\|)[0-9a-f-]{1,35}(?=")|(?<="uid":")[0-9a-f-]{1,35}(?=\|\.\.\.)'),
        "UID",
        "the same, cut at the ends of the text around a wrong value",
    ),
    Mask(
        re.compile(r"(precondition|record)(.*?)\(\d+\)"),
        r"\1\2(N)",
        "a resourceVersion counts all writes to a server",
    ),
    Mask(re.compile(r'("resourceVersion": ?)"\d+"'), r'\1"N"', "the same in a printed object"),
    Mask(re.compile(r"\b(resourceVersion:)\d+"), r"\1N", "the same in a printed Go map"),
    Mask(
        re.compile(r'(\.\.\.\|\w{0,15}":")\d+(?=")|("resourceVersion":")\d+(?=\|\.\.\.)'),
        r"\1\2N",
        "the same, cut at the ends of the text around a wrong value",
    ),
    Mask(re.compile(r"\b10\.0\.\d+\.\d+\b"), "ADDRESS", "a server draws the addresses of Services"),
    Mask(re.compile(r"(nodePort: Duplicate value: )\d+"), r"\1N", "a server draws ports"),
    Mask(re.compile(r'("(?:nodePort|healthCheckNodePort)": ?)\d+'), r"\1N", "the same in a printed object"),
    Mask(re.compile(r"\bNodePort:\d+"), "NodePort:N", "the same in a printed Go struct"),
    Mask(re.compile(r"\b0x[0-9a-f]{9,12}\b"), "0xc000000000", "Go prints addresses of its memory"),
    Mask(re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"), "TIME", "two servers answer at different times"),
)
"""What a server draws, in texts."""


def masked(text: str) -> str:
    """A text without what the server has drawn."""
    for mask in MASKS:
        text = mask.pattern.sub(mask.instead, text)
    return text


def rejection(answer: Answer, kind: Kind) -> dict[str, Any]:
    """The compared parts of a rejection: reason, message, causes, and the object that the details name.

    Conflicts of an apply are sorted in their causes, because a server lists the managers in Go's random order of maps.
    """
    details = answer.body.get("details") or {}
    causes = [_cause(one) for one in details.get("causes") or ()]
    about = {name: details[name] for name in ("group", "kind", "name") if name in details}
    message = masked(str(answer.body.get("message")))
    found = {"reason": answer.body.get("reason"), "about": about, "message": _in_one_order(message)}
    if answer.code == 409 and any(one.get("reason") == "FieldManagerConflict" for one in causes):
        lines = message.replace(": conflicts with", ":\nconflicts with").split("\n")
        return {**found, "message": sorted(lines), "conflicts": sorted(causes, key=_of_cause)}
    if kind.custom and len(causes) > 1:  # in Go's random order of maps; the causes have all of the message
        causes, found["message"] = sorted(causes, key=_of_cause), message.partition(": [")[0]
    return {**found, "causes": causes}


UNTYPED = ("failed to create typed ", "failed to convert ")
UNKNOWN = ": field not declared in schema"


def _in_one_order(text: str) -> str:
    """A message about types with sorted errors, which are in Go's random order of maps.

    The first unknown field ends the search, so that its name is random, too.
    """
    if not text.startswith(UNTYPED):
        return text
    if UNKNOWN in text:
        return text.partition(": ")[0] + UNKNOWN
    first, *others = text.split("\n")
    return "\n".join([first, *sorted(others)])


def _cause(cause: dict[str, Any]) -> dict[str, str]:
    found = {name: masked(str(value)) for name, value in cause.items()}
    if found.get("field", "").endswith(".nodePort"):  # drawn by the server
        found["message"] = re.sub(r"\d+", "N", found["message"])
    return found


def _of_cause(cause: dict[str, str]) -> str:
    return json.dumps(cause, sort_keys=True)
