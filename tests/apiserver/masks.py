"""Masks of output that is not reproducible, and is not compared."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .scenarios import Scenario

_NAMED = (
    (re.compile(r"(?m)^([+-]?\s*(?:- )?)(uid|resourceVersion|creationTimestamp|time): .*$"), r"\1\2: ..."),
    (re.compile(r'"(uid|resourceVersion|creationTimestamp|time)": ?"[^"]*"'), r'"\1": "..."'),
    (re.compile(r"\S*/(LIVE|MERGED)-\d+/"), r"\1/"),
    (re.compile(r"(?m)^((?:---|\+\+\+) (?:LIVE|MERGED)/\S+).*$"), r"\1"),
    (re.compile(r"(?m)^[WIE]\d{4} .*\n"), ""),
    (re.compile(r"(?m)^See 'kube(?:ctl|merge) "), "See 'kubectl "),
    (re.compile(r"(kubectl|kubemerge)/v1\.37\.\d+"), r"\1/v1.37"),
    (re.compile(r"\bkubernetes-admin\b"), "admin"),
)
"""Names and paths of a run, with their masks, and the lines that kubectl logs. The user of the real server was named
admin.
"""
_DRAWN = (
    re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
    re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z"),
    re.compile(r"\b\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}"),
    re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} \S+"),
    re.compile(r"\b10\.0\.\d+\.\d+\b"),
    re.compile(r"(?<![\d.])3[0-2]\d{3}(?![\d.])"),
    re.compile(r"(?<= )(?:\d+m)?\d+s(?= |$)", re.MULTILINE),
    re.compile(r"\b\d+y\d+d\b"),
)
"""Values that a server chooses: uids, times, addresses, node ports, and ages in tables."""
_UNCOMPARED = ("uid", "resourceVersion", "creationTimestamp", "managedFields")


class Masks:
    """The masks of one scenario. Values in its commands and files are not masked, and are compared."""

    def __init__(self, scenario: Scenario) -> None:
        self._given = "\n".join((*scenario.steps, *scenario.given.values()))
        self._drawn = (*_DRAWN, *(re.compile(one) for one in scenario.drawn))

    def of_text(self, text: str) -> str:
        """Mask output. Columns that may have moved are joined.

        Lines of advice, which only kubemerge prints, are left out.
        """
        text = re.sub(r"(?m)^hint: .*\n", "", text)
        for pattern, instead in _NAMED:
            text = pattern.sub(instead, text)
        masked = self._masked(text)
        return masked if masked == text else re.sub(r" {2,}|(?<=\S)\t", "  ", re.sub(r"(?m) +$", "", masked))

    def of_object(self, content: dict[str, Any]) -> dict[str, Any]:
        """An object for comparison, with its managedFields separate."""
        metadata = {key: value for key, value in content["metadata"].items() if key not in _UNCOMPARED}
        bare = {**content, "metadata": metadata}
        if content["kind"] == "CertificateSigningRequest" and content["spec"].get("username") == "kubernetes-admin":
            bare["spec"] = {**content["spec"], "username": "admin"}
        entries = [
            {key: value for key, value in one.items() if key not in ("time", "fieldsType")}
            for one in content["metadata"].get("managedFields") or ()
        ]
        found: dict[str, Any] = json.loads(self._masked(json.dumps({"content": bare, "managedFields": entries})))
        found["managedFields"].sort(key=lambda one: json.dumps(one, sort_keys=True))
        return {part: _short(value) for part, value in found.items()}

    def _masked(self, text: str) -> str:
        for pattern in self._drawn:
            text = pattern.sub(lambda match: match[0] if self._is_given(match[0]) else self._instead(match[0]), text)
        return text

    def _is_given(self, word: str) -> bool:
        return re.search(rf"(?<![\w.]){re.escape(word)}(?!\w)", self._given) is not None

    @staticmethod
    def _instead(drawn: str) -> str:
        return "30000" if drawn.isdigit() else "..."


LONGEST = 100_000


def _short(value: Any) -> Any:
    """A value, or a hash of a long one."""
    text = json.dumps(value, sort_keys=True)
    return value if len(text) < LONGEST else f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
